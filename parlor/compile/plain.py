"""Kernels compiled through what Numba documents, for versions that `pipeline` has not been tested with."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numba

njit: Any = numba.njit  # which has more options than its types say
compiling = nullcontext
SHARES_HELPERS = False


def entry(module: str, nrt: bool) -> Callable[..., Any]:
    """Compile the function that is called from outside; Numba stores it beside the text, with its helpers."""

    def decorated(function: Any) -> Any:
        function.__module__ = module
        return njit(cache=True, nogil=True)(function)

    return decorated


def helper(digest: str, nrt: bool, inline: bool) -> Callable[..., Any]:
    """Compile a function that only others of the text call.

    Its name tells text and types: Numba may confuse functions of one name that other processes have compiled.
    """

    def decorated(function: Any) -> Any:
        function.__qualname__ = f"{digest}.{function.__name__}"
        return njit(nogil=True, forceinline=inline)(function)

    return decorated


def finish(kernel: Any) -> None:
    """There is nothing left to do."""
