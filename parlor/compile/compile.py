"""The compiler: a linked source text becomes machine code with Numba, once.

The result is stored in a folder named by the hash of the text: any change of the rules or the kernel changes
the text, so that a stale result cannot be found. Its helpers are stored under hashes of their own, see `helpers`.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import hashlib
import importlib.util
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from parlor.compile.cache import cache_folder, log, one_at_a_time
from parlor.compile.compile_errors import explain
from parlor.compile.link import parse
from parlor.game import GameError
from parlor.versions import is_tested


class CannotCompile(GameError):
    """Rules that are good Python but that cannot be compiled."""


#: The name is that of a module which every process can import: Numba wants it of helpers that others have compiled.
PRELUDE = """from parlor.compile import {pipeline} as _helpers

__name__ = "parlor.compile"

"""

#: A line in a function that makes an array: no need to try without reference counts.
MAKES_ARRAYS = re.compile(r"^ .*\b(?:np|numpy)\.(?:array|zeros|ones|empty|full|arange)\(", re.MULTILINE)

#: What else the result depends on.
OURS = tuple(
    Path(__file__).with_name(name).read_text()
    for name in ("compile.py", "helpers.py", "pipeline.py", "plain.py", "atomic.py")
)


def _pipeline() -> Any:
    """The module that compiles: the fast pipeline with the versions of Numba that it is tested with."""
    import numba

    return importlib.import_module(f"parlor.compile.{'helpers' if is_tested(numba.__version__) else 'plain'}")


def compile(text: str, entry: str, what: str) -> Callable[..., Any]:
    """The function `entry` of a linked text, to be compiled at its first call or taken from the cache."""
    return _explained(functools.partial(_loaded, text, entry), entry, what, bool(MAKES_ARRAYS.search(text)))


def _loaded(text: str, entry: str, pipeline: Any, layout: str, nrt: bool) -> Any:
    """The function as Numba's, not yet compiled.

    Without reference counts of arrays, `nrt`, which cost a fifth of the time and make threads wait for each other;
    rules that make arrays of their own are compiled with them.
    """
    import numba

    prelude = PRELUDE.format(pipeline=pipeline.__name__.rpartition(".")[2])
    version = (numba.__version__, sys.version, os.environ.get("NUMBA_BOUNDSCHECK", "0"))
    settings = (prelude, str(nrt), *OURS, *version)
    digest = hashlib.sha256("\0".join((text, layout, *settings)).encode()).hexdigest()
    module_name = f"parlor_native_{digest[:20]}"
    if module_name not in sys.modules:
        folder = cache_folder() / digest[:20]
        path = folder / f"{entry}.py"
        if not path.exists():
            folder.mkdir(exist_ok=True)
            draft = folder / f"{entry}.{os.getpid()}.{threading.get_ident()}.draft"
            draft.write_text(prelude + _decorated(text, entry, module_name, nrt, settings))
            draft.replace(path)
        spec = importlib.util.spec_from_file_location(module_name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[module_name] = module
    return getattr(sys.modules[module_name], entry)


def _decorated(text: str, entry: str, module: str, nrt: bool, settings: Sequence[str]) -> str:
    """The text with decorators for Numba; those of helpers tell the hash under which they are stored."""
    hashes = digests(text)

    def decorator(found: re.Match[str]) -> str:
        name = found[2]
        if name == entry:
            return f"@_helpers.entry({module!r}, nrt={nrt})\ndef {name}("
        digest = hashlib.sha256("\0".join((hashes[name], *settings)).encode()).hexdigest()[:20]
        return f"@_helpers.helper({digest!r}, nrt={nrt}, inline={found[1] == 'inlined'})\ndef {name}("

    return re.sub(r"^@(njit|inlined)\ndef (\w+)\(", decorator, text, flags=re.MULTILINE)


def digests(text: str) -> dict[str, str]:
    """For each name of a linked text, the hash of its source and of the sources of all it uses."""
    sources: dict[str, str] = {}
    uses: dict[str, list[str]] = {}
    for node in parse(text).body:
        if isinstance(node, ast.FunctionDef):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        else:
            names = [alias.asname or alias.name for alias in node.names] if hasattr(node, "names") else []
        source = ast.unparse(node)
        used = sorted({part.id for part in ast.walk(node) if isinstance(part, ast.Name)})
        for name in names:
            sources[name], uses[name] = source, used
    hashes = {}
    for name in sources:
        reached = [name]
        for other in reached:
            reached += [used for used in uses[other] if used in sources and used not in reached]
        hashes[name] = hashlib.sha256("\0".join(sources[other] for other in reached).encode()).hexdigest()
    return hashes


def _layout(args: Sequence[Any]) -> str:
    """The classes of bundles, by which what is stored finds them again, and their fields, on whose order it depends."""
    bundles = [arg for arg in args if isinstance(arg, tuple) and hasattr(arg, "_fields")]
    return repr([(type(arg).__module__, type(arg).__qualname__, arg._fields, _layout(arg)) for arg in bundles])


_compiling = threading.Lock()


@contextlib.contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """The compiler makes very many objects and keeps them: looking for garbage would take a tenth of its time."""
    with _compiling:  # Numba compiles in one thread at a time anyway
        enabled = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if enabled:
                gc.enable()


def _explained(loaded: Callable[[Any, str, bool], Any], entry: str, what: str, nrt: bool) -> Callable[..., Any]:
    """The compiled function; its first call logs that it compiles, and turns Numba's errors into a sentence."""
    function: Any = None
    compiled = f"__pycache__/{entry}.{entry}-*.nbi"
    lock = threading.Lock()  # one thread compiles, the others wait

    def prepared(args: tuple[Any, ...], nrt: bool) -> Any:
        import numba

        pipeline = _pipeline()
        types = tuple(map(numba.typeof, args))
        made = loaded(pipeline, _layout(args) if pipeline.SHARES_HELPERS else repr(types), nrt)
        folder = Path(made.py_func.__code__.co_filename).parent
        if any(folder.glob(compiled)):
            with pipeline.compiling():
                made.compile(types)
            return made
        with one_at_a_time(folder / "lock"):
            if not any(folder.glob(compiled)):
                log.info("compiling %s for %s (once; then it is cached)", entry, what)
            with _no_garbage_collection(), pipeline.compiling():
                made.compile(types)
                pipeline.finish(made)
        return made

    def with_or_without_counts(args: tuple[Any, ...]) -> Any:
        try:
            return prepared(args, nrt)
        except Exception as error:  # Numba raises all kinds of errors, not only its own
            if "NRT required" not in str(error):
                raise
            return prepared(args, True)

    def twice(args: tuple[Any, ...]) -> Any:
        """Try again what failed: a server's threads compile and load at the same time, which Numba is not made for."""
        try:
            return with_or_without_counts(args)
        except Exception as error:
            first = error
        try:
            made = with_or_without_counts(args)
        except Exception as error:
            raise CannotCompile(f"{what}: {explain(error)}") from None
        log.warning("%s for %s was compiled at the second try", entry, what, exc_info=first)
        return made

    def call(*args: Any) -> Any:
        nonlocal function
        with lock if function is None else contextlib.nullcontext():
            if function is None:
                function = twice(args)
        return function(*args)

    return call
