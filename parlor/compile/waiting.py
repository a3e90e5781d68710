"""Two steps by which compiled threads wait for each other, which Numba does not offer."""

from __future__ import annotations

import os
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from parlor.compile.atomic import _element

YIELD = "SwitchToThread" if os.name == "nt" else "sched_yield"
WORD = 8  # bytes


@intrinsic
def seen(typing_context: Any, counters: Any, i: Any) -> Any:
    """`counters[i]`, with all that other threads wrote before they changed it."""

    def generate(context: Any, builder: Any, *called: Any) -> Any:
        return builder.load_atomic(_element(context, builder, *called), "acquire", WORD)

    return types.int64(counters, types.intp), generate


@intrinsic
def give_way(typing_context: Any) -> Any:
    """Let another thread have the core, if one waits for it."""

    def generate(context: Any, builder: Any, *called: Any) -> Any:
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), []), YIELD)  # type: ignore[no-untyped-call]
        builder.call(function, [])
        return context.get_constant(types.int64, 0)

    return types.int64(), generate
