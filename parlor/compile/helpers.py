"""Compiling and storing the functions of a linked text. Imported by the texts alone.

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
from numba.core import compiler, serialize, types
from numba.core.caching import NullCache

from parlor.compile.cache import cache_folder
from parlor.compile.pipeline import Bitcode, EntryPipeline, HelperPipeline, compiling, finish

__all__ = ["SHARES_HELPERS", "compiling", "entry", "finish", "helper"]

SHARES_HELPERS = True

njit: Any = numba.njit  # which has more options than its types say
CompileResult: Any = compiler.CompileResult
dumps: Any = serialize.dumps
unliteral: Any = types.unliteral


def entry(module: str, nrt: bool) -> Callable[..., Any]:
    """Compile the function that is called from outside; Numba stores it beside the text."""

    def decorated(function: Any) -> Any:
        function.__module__ = module
        return njit(cache=True, nogil=True, no_cfunc_wrapper=True, _nrt=nrt, pipeline_class=EntryPipeline)(function)

    return decorated


def helper(digest: str, nrt: bool, inline: bool) -> Callable[..., Any]:
    """Compile a function that only others of the text call: it needs no wrapper, and is shared with other texts."""

    def decorated(function: Any) -> Any:
        function.__qualname__ = f"{digest}.{function.__name__}"  # Numba makes the name of its machine code of it
        options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": inline}
        made = njit(nogil=True, _nrt=nrt, pipeline_class=HelperPipeline, **options)(function)
        made._cache = HelperCache(f"{function.__name__}-{digest}")
        made.get_call_template = _for_any_number(made.get_call_template)
        return made

    return decorated


def _for_any_number(get_call_template: Callable[..., Any]) -> Callable[..., Any]:
    """One version of a helper for all numbers: Numba would compile one for each constant that it is called with."""

    def template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        try:
            return get_call_template(tuple(map(_any_number, args)), kws)
        except numba.TypingError:  # it needs to know the number, to take that member of a tuple
            return get_call_template(args, kws)

    return template


def _any_number(type_: Any) -> Any:
    """The type without the value. Yes and no keep it: they often choose between two ways to work."""
    return type_ if isinstance(type_, types.BooleanLiteral) else unliteral(type_)


class HelperCache(NullCache):
    """Numba's cache of compiled code, as a file for each helper and signature."""

    def __init__(self, name: str) -> None:
        self.name = name

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The helper for a signature, or None."""
        try:
            data = self._path(sig, target_context.codegen()).read_bytes()
        except OSError:
            return None
        target_context.refresh()
        name, code, described, own, signature, reload, environments = pickle.loads(data)
        for function in reload:
            function()
        library = Bitcode.loaded(target_context.codegen(), name, code)
        return CompileResult(
            **dict.fromkeys(CompileResult._fields)
            | {"target_context": target_context, "typing_context": target_context.typing_context}
            | {"library": library, "environment": own, "fndesc": described, "signature": signature}
            | {"objectmode": False, "lifted": ()}
            | {"entry_point": target_context.get_executable(library, described, own)}
            | {"reload_init": reload, "referenced_envs": environments}
        )

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compiled helper. Whoever stores it at the same time stores the same."""
        if data.library.has_dynamic_globals:
            return
        path = self._path(sig, data.codegen)
        draft = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.draft")
        try:
            path.parent.mkdir(exist_ok=True)
            draft.write_bytes(dumps(_stored(data)))
            draft.replace(path)
        except OSError:  # then it is compiled again next time
            draft.unlink(missing_ok=True)

    def _path(self, sig: Any, codegen: Any) -> Path:
        key = repr(([_described(type_) for type_ in sig], codegen.magic_tuple()))
        return cache_folder() / "helpers" / f"{self.name}-{hashlib.sha256(key.encode()).hexdigest()[:20]}.nbc"


def _stored(result: Any) -> tuple[Any, ...]:
    """The data from which `load_overload` makes the same again."""
    described = result.fndesc
    described.typemap = described.calltypes = None  # only needed while it is compiled
    environments = tuple(result._find_referenced_environments())
    code = result.library.stored()
    return result.library.name, code, described, result.environment, result.signature, result.reload_init, environments


def _described(type_: Any) -> Any:
    """A type in words. Bundles of arrays are known by their classes, which are loaded again, and by their fields."""
    if not hasattr(type_, "types"):
        return repr(type_)
    bundle = getattr(type_, "instance_class", tuple)
    where = bundle.__module__, bundle.__qualname__
    return repr(type_), where, getattr(type_, "fields", ()), [_described(member) for member in type_.types]
