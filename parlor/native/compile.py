"""The compiler: a linked source text becomes machine code with Numba, once.

The result is stored in a folder named by the hash of the text: any change of the rules or the kernel changes
the text, so that a stale result cannot be found.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from parlor.game import GameError
from parlor.native.cache import cache_folder, log, one_at_a_time
from parlor.native.compile_errors import explain


class CannotCompile(GameError):
    """Rules that are good Python but that cannot be compiled."""


#: Only the entry is called from outside and cached: a wrapper and a file for each helper would double the compile time.
#: No reference counts of arrays, which cost a fifth of the time and make threads wait for each other; rules that make
#: arrays of their own are compiled with them.
PRELUDE = """import functools
import numba

entry = functools.partial(numba.njit, cache=True, nogil=True, _nrt={nrt})
njit = functools.partial(numba.njit, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt={nrt})
"""


def compile(text: str, entry: str, what: str) -> Callable[..., Any]:
    """The function `entry` of a linked text, to be compiled at its first call or taken from the cache."""
    return _explained(functools.partial(_loaded, text, entry), entry, what)


def _loaded(text: str, entry: str, nrt: bool) -> Any:
    """The function as Numba's, not yet compiled."""
    import numba

    prelude = PRELUDE.format(nrt=nrt)
    atomic = Path(__file__).with_name("atomic.py").read_text()
    settings = (prelude, atomic, numba.__version__, sys.version, os.environ.get("NUMBA_BOUNDSCHECK", "0"))
    digest = hashlib.sha256("\0".join((text, *settings)).encode()).hexdigest()
    module_name = f"parlor_native_{digest[:20]}"
    if module_name not in sys.modules:
        folder = cache_folder() / digest[:20]
        path = folder / f"{entry}.py"
        if not path.exists():
            folder.mkdir(exist_ok=True)
            draft = folder / f"{entry}.{os.getpid()}.{threading.get_ident()}.draft"
            draft.write_text(prelude + "\n" + text.replace(f"@njit\ndef {entry}(", f"@entry\ndef {entry}(", 1))
            draft.replace(path)
        spec = importlib.util.spec_from_file_location(module_name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[module_name] = module
    return getattr(sys.modules[module_name], entry)


def _explained(loaded: Callable[[bool], Any], entry: str, what: str) -> Callable[..., Any]:
    """The compiled function; its first call logs that it compiles, and turns Numba's errors into a sentence."""
    import numba

    function: Any = None
    compiled = f"__pycache__/{entry}.{entry}-*.nbi"
    lock = threading.Lock()  # one thread compiles, the others wait

    def prepared(args: tuple[Any, ...], nrt: bool) -> Any:
        made = loaded(nrt)
        folder = Path(made.py_func.__code__.co_filename).parent
        types = tuple(map(numba.typeof, args))
        if any(folder.glob(compiled)):
            made.compile(types)
            return made
        with one_at_a_time(folder / "lock"):
            if not any(folder.glob(compiled)):
                log.info("compiling %s for %s (once; then it is cached)", entry, what)
            made.compile(types)
        return made

    def call(*args: Any) -> Any:
        nonlocal function
        with lock if function is None else contextlib.nullcontext():
            if function is None:
                try:
                    try:
                        function = prepared(args, False)
                    except Exception:  # Numba raises all kinds of errors, not only its own
                        function = prepared(args, True)
                except Exception as error:
                    raise CannotCompile(f"{what}: {explain(error)}") from None
        return function(*args)

    return call
