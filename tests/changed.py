"""`make test-changed`: leave out test files that passed before and whose outcome cannot have changed since.

While a test file runs, everything of the project that it uses is noted: files whose functions are called, files whose
functions are compiled into the kernels that are called, files that are opened, folders that are listed. When all its
tests have passed, the hash of all that is kept. As long as it is the same the file is left out. A file that starts
another Python depends on the whole package: nobody looks into that process.

This is for daily work. What it cannot see (other versions of libraries, what another test left in a cache of the
process) is the reason why `make test` and the CI never use it.
"""

from __future__ import annotations

import ast
import cProfile
import hashlib
import json
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
ALWAYS = ("constraints.txt", "pyproject.toml", "tests/conftest.py", "tests/changed.py", "tests/workers.py")
PASSED_OVER = (
    ".venv",
    ".git",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    "node_modules",
    "__pycache__",
)
STORE = ROOT / ".pytest_cache" / "passed"


@cache
def inside(path: str) -> str | None:
    """The path of something in the project, from its root; or None."""
    try:
        relative = Path(os.path.abspath(path)).relative_to(ROOT)
    except ValueError:
        return None
    passed_over = any(part in PASSED_OVER or part.endswith((".pyc", ".egg-info")) for part in relative.parts)
    return None if passed_over else str(relative)


def digest(used: set[str]) -> str:
    """The hash of what was used, as it is now: the contents of files, the names in folders."""
    found = hashlib.sha256(sys.version.encode())
    for name in sorted(used | set(ALWAYS)):
        found.update(f"\0{name}\0".encode())
        path = ROOT / name
        if path.is_dir():
            found.update("\0".join(sorted(n for n in os.listdir(path) if n not in PASSED_OVER)).encode())
        elif path.is_file():
            found.update(_contents(path, path.stat().st_mtime_ns))
    return found.hexdigest()


@cache
def _contents(path: Path, changed: int) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def whole_package() -> set[str]:
    """All sources."""
    return {str(path.relative_to(ROOT)) for path in (ROOT / "parlor").glob("**/*.py")}


@cache
def imported_by(file: str) -> frozenset[str]:
    """The files that a test imports, and those that tests among them import."""
    found: set[str] = {file}
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        names = [f"{node.module}.{alias.name}" for alias in node.names] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            for module in (name, name.rpartition(".")[0]):
                path = ROOT / (module.replace(".", "/") + ".py")
                if path.is_file():
                    relative = str(path.relative_to(ROOT))
                    found |= imported_by(relative) if relative.startswith("tests/") and relative != file else {relative}
    return frozenset(found)


class Watch:
    """What is used now, by whichever thread: `used` is replaced for each test file and each shared fixture."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self._profiles: list[cProfile.Profile] = []
        self._started_watching = False
        self._watch_kernels()

    def start(self) -> None:
        """Begin to look, in the process that runs tests: collecting them is not watched."""
        if self._started_watching:
            return
        self._started_watching = True
        sys.addaudithook(self._heard)
        if sys.version_info < (3, 12):
            threading.setprofile(self._watch_thread)
            self._profile()
        else:
            events = sys.monitoring.events.PY_START
            sys.monitoring.use_tool_id(sys.monitoring.PROFILER_ID, "changed")
            sys.monitoring.register_callback(sys.monitoring.PROFILER_ID, events, self._started)
            sys.monitoring.set_events(sys.monitoring.PROFILER_ID, events)

    @contextmanager
    def into(self, used: set[str]) -> Iterator[None]:
        """Within this, what is used goes there."""
        self.look()
        before, self.used = self.used, used
        if sys.version_info >= (3, 12):
            sys.monitoring.restart_events()
        try:
            yield
        finally:
            self.look()
            self.used = before

    def look(self) -> None:
        """Note the files of all functions that were called since the last look (before Python 3.12)."""
        for profile in list(self._profiles):
            for entry in profile.getstats():
                if not isinstance(entry.code, str):
                    self._add(entry.code.co_filename)
            profile.clear()

    def _add(self, path: str) -> None:
        if (relative := inside(path)) is not None:
            self.used.add(relative)

    def _profile(self) -> None:
        profile = cProfile.Profile(subcalls=False, builtins=False)
        self._profiles.append(profile)
        profile.enable()

    def _watch_thread(self, *event: Any) -> None:
        sys.setprofile(None)
        self._profile()

    def _started(self, code: Any, offset: int) -> Any:
        self._add(code.co_filename)
        if sys.version_info >= (3, 12):
            return sys.monitoring.DISABLE
        return None

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Python tells of everything that is opened, listed or started."""
        if event in ("open", "os.listdir", "os.scandir"):
            if isinstance(arguments[0], (str, os.PathLike)):
                self._add(os.fspath(arguments[0]))
        elif event == "subprocess.Popen" and _starts_python(arguments[0], arguments[1]):
            self.used |= whole_package()

    def _watch_kernels(self) -> None:
        """A kernel tells with each call what was linked into it."""
        binding, link = import_module("parlor.compile.binding"), import_module("parlor.compile.link")
        linked: set[str] = set()
        definition_of, compile = link.definition_of, binding.compile

        def watched_definition(function: Callable[..., Any]) -> ast.FunctionDef:
            code = getattr(function, "__code__", None)
            if code is not None and (file := inside(code.co_filename)) is not None:
                linked.add(file)
            return definition_of(function)

        def watched_compile(text: str, entry: str, what: str) -> Callable[..., Any]:
            files, kernel = frozenset(linked), compile(text, entry, what)
            linked.clear()

            def call(*arguments: Any) -> Any:
                self.used |= files
                return kernel(*arguments)

            return call

        vars(link)["definition_of"] = watched_definition
        vars(binding)["compile"] = watched_compile


def passed(kept: str) -> bool:
    """Whether what a test file used when it passed is still the same."""
    try:
        found = json.loads(kept)
    except ValueError:  # half written
        return False
    return bool(digest(set(found["used"])) == found["digest"])


class Changed:
    """The plugin: leaves out, watches, keeps, and says how much was left out."""

    def __init__(self) -> None:
        self.watch = Watch()
        self.file = ""
        self.failed = False
        self.used: set[str] = set()
        self.fixtures: dict[str, set[str]] = {}
        self.left_out = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out what has passed before and would again."""
        kept = {file: _kept(file) for file in {_file(item) for item in items}}
        unchanged = {file for file, path in kept.items() if path.is_file() and passed(path.read_text())}
        self.left_out = len(unchanged)
        config.hook.pytest_deselected(items=[item for item in items if _file(item) in unchanged])
        items[:] = [item for item in items if _file(item) not in unchanged]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
        """Watch a test; after the last of its file, keep what the file used."""
        self.watch.start()
        if _file(item) != self.file:
            self.file, self.failed, self.used = _file(item), False, set(imported_by(_file(item)))
        with self.watch.into(self.used):
            result = yield
        for name in getattr(item, "fixturenames", ()):
            self.used |= self.fixtures.get(name, set())
        if (nextitem is None or _file(nextitem) != self.file) and not self.failed:
            STORE.mkdir(parents=True, exist_ok=True)
            used = {name for name in self.used if (ROOT / name).exists()}
            _kept(self.file).write_text(json.dumps({"digest": digest(used), "used": sorted(used)}))
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[Any]:
        """What a shared fixture uses is used by all who ask for it."""
        if fixturedef.scope not in ("session", "package"):
            return (yield)
        with self.watch.into(self.fixtures.setdefault(fixturedef.argname, set())):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """See whether a test fails."""
        report = yield
        self.failed = self.failed or report.failed
        return report

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Nothing to run is as good as everything passed."""
        if self.left_out and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what was left out."""
        terminalreporter.write_line(
            f"{self.left_out} test files are left out: they passed and nothing they use has changed."
        )


def _starts_python(executable: Any, arguments: Any) -> bool:
    words = [executable, *(arguments if isinstance(arguments, (list, tuple)) else str(arguments).split())]
    return any(os.path.basename(str(word)).startswith("python") for word in words)


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _kept(file: str) -> Path:
    return STORE / (file.replace("/", "-") + ".json")
