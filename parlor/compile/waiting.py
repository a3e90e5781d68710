"""Two steps by which compiled threads wait for each other, which Numba does not offer."""

from __future__ import annotations

import os
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from parlor.compile.atomic import _element

SLEEP, SHORT = ("Sleep", 0) if os.name == "nt" else ("usleep", 20)  # microseconds
WORD = 8  # bytes


@intrinsic
def seen(typing_context: Any, counters: Any, i: Any) -> Any:
    """`counters[i]`, with all that other threads wrote before they changed it."""

    def generate(context: Any, builder: Any, *called: Any) -> Any:
        return builder.load_atomic(_element(context, builder, *called), "acquire", WORD)

    return types.int64(counters, types.intp), generate


@intrinsic
def give_way(typing_context: Any) -> Any:
    """Sleep a moment: whoever sleeps is woken in time, where whoever only yields its core may wait long for it."""

    def generate(context: Any, builder: Any, *called: Any) -> Any:
        number = ir.IntType(32)
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(number, [number]), SLEEP)  # type: ignore[no-untyped-call]
        builder.call(function, [ir.Constant(number, SHORT)])
        return context.get_constant(types.int64, 0)

    return types.int64(), generate
