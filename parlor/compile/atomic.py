"""Two atomic operations on int64 arrays for compiled kernels, which Numba does not offer on the CPU."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _element(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    array_type = signature.args[0]
    array = context.make_array(array_type)(context, builder, args[0])
    return cgutils.get_item_pointer(context, builder, array_type, array, [args[1]])  # type: ignore[no-untyped-call]


@intrinsic
def claim(typing_context: Any, slots: Any, i: Any, value: Any) -> Any:
    """`slots[i]` becomes `value` if it was 0; returns what was there."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _element(context, builder, signature, args)
        result = builder.cmpxchg(pointer, context.get_constant(types.int64, 0), args[2], "acq_rel", "acquire")
        return builder.extract_value(result, 0)

    return types.int64(slots, types.intp, types.int64), generate


@intrinsic
def fetch_add(typing_context: Any, counters: Any, i: Any, value: Any) -> Any:
    """`counters[i]` grows by `value`; returns what was there."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", _element(context, builder, signature, args), args[2], "acq_rel")

    return types.int64(counters, types.intp, types.int64), generate
