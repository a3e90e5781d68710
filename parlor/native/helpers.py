"""How the functions of a linked text are compiled, and where they are stored. Imported by the texts alone.

Most helpers are in many texts: the same rules under another kernel, the same random numbers under other rules. Each is
compiled once and stored under the hash of its source, that of all it uses included, and the types it is called with.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import compiler, serialize, targetconfig
from numba.core.caching import NullCache

from parlor.native.cache import cache_folder

njit: Any = numba.njit  # which has more options than its types say
CompileResult: Any = compiler.CompileResult
dumps: Any = serialize.dumps

#: Numba compares its flags tens of thousands of times for a kernel, option by option: a tenth of the compile time.
Flags: Any = targetconfig.TargetConfig
Flags.__eq__ = lambda self, other: isinstance(other, Flags) and self._values == other._values
Flags.__hash__ = lambda self: hash(frozenset(self._values))


def _mangled(type_: Any) -> tuple[str, tuple[str]]:
    """What stands for a type in the name of a function's machine code.

    Numba numbers records, in another order in each process, and leaves out the shape of arrays in them: stored helpers
    of two games could have one name, and a process that loads both would call the wrong one.
    """
    return type(type_).__name__, (hashlib.sha256(type_.name.encode()).hexdigest()[:20],)


numba.types.Record.mangling_args = numba.types.NestedArray.mangling_args = property(_mangled)


def entry(module: str, nrt: bool) -> Callable[..., Any]:
    """Compile the function that is called from outside; Numba stores it beside the text."""

    def decorated(function: Any) -> Any:
        function.__module__ = module
        return njit(cache=True, nogil=True, _nrt=nrt)(function)

    return decorated


def helper(digest: str, nrt: bool) -> Callable[..., Any]:
    """Compile a function that only others of the text call: it needs no wrapper, and is shared with other texts."""

    def decorated(function: Any) -> Any:
        function.__qualname__ = f"{digest}.{function.__name__}"  # Numba makes the name of its machine code of it
        made = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=nrt)(function)
        made._cache = HelperCache(f"{function.__name__}-{digest}")
        return made

    return decorated


class HelperCache(NullCache):
    """What Numba asks for compiled code: here, a file for each helper and signature."""

    def __init__(self, name: str) -> None:
        self.name = name

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The helper for a signature, or None."""
        try:
            data = self._path(sig, target_context.codegen()).read_bytes()
        except OSError:
            return None
        target_context.refresh()
        return CompileResult._rebuild(target_context, *pickle.loads(data))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compiled helper. Whoever stores it at the same time stores the same."""
        if data.library.has_dynamic_globals:
            return
        path = self._path(sig, data.codegen)
        draft = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.draft")
        try:
            path.parent.mkdir(exist_ok=True)
            draft.write_bytes(dumps(data._replace(type_annotation="")._reduce()))
            draft.replace(path)
        except OSError:  # then it is compiled again next time
            draft.unlink(missing_ok=True)

    def _path(self, sig: Any, codegen: Any) -> Path:
        key = repr(([_described(type_) for type_ in sig], codegen.magic_tuple()))
        return cache_folder() / "helpers" / f"{self.name}-{hashlib.sha256(key.encode()).hexdigest()[:20]}.nbc"


def _described(type_: Any) -> Any:
    """A type in words. Bundles of arrays are known by their fields: their code depends on their order."""
    if not hasattr(type_, "types"):
        return repr(type_)
    return repr(type_), getattr(type_, "fields", ()), [_described(member) for member in type_.types]
