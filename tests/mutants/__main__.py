"""Plant each mistake in a copy of the project, run the tests that should notice, say who got away.

    python -m tests.mutants            all of them, as many at a time as there are processors
    python -m tests.mutants token      those whose name or file has this in it

First the tests run without a mistake, which also fills the cache of compiled kernels. Those that cannot pass here, for
want of Chromium or PostgreSQL say, are left out, and a mistake that only they could notice is "not run here".

Exit code 1 if less than 95 in a hundred of those that were run are caught.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import py_compile
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from tests.mutants.mistake import Mistake
from tests.mutants.mistakes import MISTAKES
from tests.mutants.outcomes import WHERE

T = TypeVar("T")
R = TypeVar("R")

ROOT = Path(__file__).parents[2]
ENOUGH = 0.95
CAUGHT, GOT_AWAY, NOT_RUN = "caught", "got away", "not run here"
PARTS = ("parlor", "tests", "web", "docs", "experiments", "benchmarks", "notebooks")  # where there is no Git to ask


def copy_project(target: Path) -> None:
    """Everything under version control or about to be, and the built page; with bytecode that knows its source."""
    listed = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (ROOT / ".git").exists():
        names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\0")
        for name in names:
            if name and (ROOT / name).is_file():
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, target / name)
        if (page := ROOT / "parlor" / "server" / "static").is_dir():
            shutil.copytree(page, target / "parlor" / "server" / "static")
    else:
        target.mkdir()
        for path in filter(Path.is_file, ROOT.iterdir()):
            shutil.copyfile(path, target / path.name)
        for part in PARTS:
            shutil.copytree(ROOT / part, target / part, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    checked = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(str(target / "parlor"), quiet=1, invalidation_mode=checked)


@dataclass(frozen=True)
class Told:
    """What a run of pytest came to."""

    code: int | None  # None: it did not end
    seconds: float
    last: str  # the last line it printed


def pytest_in(folder: Path, arguments: Iterable[str], limit: float | None, **environment: str) -> Told:
    """Run tests in a copy of the project."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", *arguments]
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    environment |= {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as output:  # no pipe: processes that tests have left behind would keep it open
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=one_thread | os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code: int | None = process.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        output.seek(0)
        lines = output.read().strip().splitlines() or [""]
    return Told(code, time.monotonic() - began, lines[-1] if code is not None else f"no end after {limit:.0f} seconds")


@dataclass(frozen=True)
class Clean:
    """What tests come to without a mistake."""

    outcomes: dict[str, str]
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether any did."""
        return "passed" in self.outcomes.values()

    @property
    def others(self) -> dict[str, str]:
        """Those that did not, and why."""
        return {name: outcome for name, outcome in self.outcomes.items() if outcome != "passed"}


def run_clean(tests: str, folder: Path) -> Clean:
    """Run tests without a mistake."""
    written = folder / "outcomes.json"
    written.unlink(missing_ok=True)
    told = pytest_in(folder, ["-p", "tests.mutants.outcomes", tests], None, **{WHERE: str(written)})
    outcomes = json.loads(written.read_text()) if written.exists() else {}
    return Clean(outcomes or {tests: f"nothing ran: {told.last}"}, told.seconds)


@dataclass(frozen=True)
class Row:
    """What became of a mistake."""

    file: str
    name: str
    outcome: str
    seconds: float
    tests: Sequence[str]
    last: str


def judge(mistake: Mistake, clean: dict[str, Clean], folder: Path) -> Row:
    """Whether the tests fail with the mistake in place."""
    asked = {test: clean[test] for test in mistake.test_files(folder)}
    chosen = [test for test, told in asked.items() if told.passed]
    left_out = {name: outcome for told in asked.values() for name, outcome in told.others.items()}
    why = "; ".join(f"{name} {outcome}" for name, outcome in list(left_out.items())[:1])
    if not chosen:
        return Row(mistake.file, mistake.name, NOT_RUN, 0, mistake.tests, why)
    place = mistake.place(folder)
    path = folder / place.file
    text = path.read_text()
    path.write_text(mistake.planted(place, text))
    failed = [f"--deselect={name}" for name, outcome in left_out.items() if not outcome.startswith("skipped")]
    try:
        limit = 120 + 10 * sum(told.seconds for told in asked.values())
        told = pytest_in(folder, ["-x", *failed, *chosen], limit)
    finally:
        path.write_text(text)
    if told.code in (3, 4):
        raise RuntimeError(f"pytest ended with {told.code}: {told.last}")
    # 1: tests have failed; 2: they could not even be collected. A crash is noticed, too, and if there is no end.
    outcome = GOT_AWAY if told.code == 0 else CAUGHT
    if outcome == GOT_AWAY and left_out:
        outcome = NOT_RUN
    last = f"got away from all but what is left out here: {why}" if outcome == NOT_RUN else told.last
    return Row(mistake.file, mistake.name, outcome, told.seconds, mistake.tests, last)


class Copies:
    """Copies of the project, one for each thing that happens at a time."""

    def __init__(self, top: Path, count: int) -> None:
        self.count = count
        self.free: SimpleQueue[Path] = SimpleQueue()
        copy_project(top / "0")
        for number in range(1, count):
            shutil.copytree(top / "0", top / str(number))
        for number in range(count):
            self.free.put(top / str(number))

    def each(self, work: Callable[[T, Path], R], things: Sequence[T]) -> Iterator[R]:
        """Do the work for each thing in some copy; results as they come."""

        def within(thing: T) -> R:
            folder = self.free.get()
            try:
                return work(thing, folder)
            finally:
                self.free.put(folder)

        with ThreadPoolExecutor(self.count) as pool:
            for done in as_completed([pool.submit(within, thing) for thing in things]):
                yield done.result()


def tried(chosen: Sequence[Mistake], workers: int, copied: Path) -> Iterator[Row]:
    """What becomes of each mistake: those whose tests take longest first."""
    copies = Copies(copied, workers)
    files = sorted({test for mistake in chosen for test in mistake.test_files()})
    began = time.monotonic()
    clean = dict(copies.each(lambda test, folder: (test, run_clean(test, folder)), files))
    broken = {name: why for told in clean.values() for name, why in told.others.items()}
    print(f"Without mistakes: {time.monotonic() - began:.0f} s; {len(broken)} tests cannot pass here.", flush=True)
    for name, why in sorted(broken.items()):
        print(f"  {name}: {why}")
    longest = sorted(chosen, key=lambda mistake: -sum(clean[test].seconds for test in mistake.test_files()))
    yield from copies.each(lambda mistake, folder: judge(mistake, clean, folder), longest)


def main(asked: argparse.Namespace) -> int:
    """Plant, run, report."""
    chosen = [m for m in MISTAKES if all(word in f"{m.name} {m.file}" for word in asked.words)]
    part, parts = map(int, asked.shard.split("/"))
    chosen = chosen[part - 1 :: parts]
    if not chosen:
        print(f"No mistake has {' and '.join(asked.words)} in its name or file.")
        return 2
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="parlor-mutants-", ignore_cleanup_errors=True) as top:
        for row in tried(chosen, asked.workers, Path(top)):
            rows.append(row)
            print(
                f"{row.outcome.upper() if row.outcome == GOT_AWAY else row.outcome:<12} {row.seconds:5.0f} s  ", end=""
            )
            print(f"{row.file}: {row.name}", flush=True)
            if row.outcome != CAUGHT:
                print(f"             {' '.join(row.tests)}: {row.last}", flush=True)
            if asked.json:
                asked.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))
    missed = [row for row in rows if row.outcome == GOT_AWAY]
    run = [row for row in rows if row.outcome != NOT_RUN]
    print(f"\n{len(run) - len(missed)} of {len(run)} planted mistakes were caught; ", end="")
    print(f"{len(rows) - len(run)} were not run here.")
    for row in missed:
        print(f"  got away: {row.file}: {row.name}")
    return 0 if len(missed) <= (1 - ENOUGH) * len(run) else 1


if __name__ == "__main__":
    options = argparse.ArgumentParser(prog="python -m tests.mutants", description="Plant mistakes; see who notices.")
    options.add_argument("words", nargs="*", help="only mistakes with these in their name or file")
    options.add_argument("--workers", type=int, default=os.cpu_count() or 2, help="how many at a time")
    options.add_argument("--shard", default="1/1", help="a part of the list: 2/3 is the second of three")
    options.add_argument("--json", type=Path, help="write what became of each to this file")
    sys.exit(main(options.parse_args()))
