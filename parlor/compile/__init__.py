"""The same rules, compiled.

`link` writes a kernel and the rules it is bound to into one source text, `compile` turns that text into machine code
and stores it in the cache (helpers on their own, for other kernels too), `native` does both for a game. `interpret`
runs the kernel as plain Python over the same rules.

Kernels use no recursion, closures or functions as arguments (Numba would not cache them, or worse); integers have 64
bits.
"""

from parlor.compile.binding import AlwaysCompiled, bindings, interpret, native, record_type, states, version
from parlor.compile.cache import NotCached, cache_folder, cache_only, cached_array
from parlor.compile.compile import CannotCompile, compile
from parlor.compile.link import Bindings, link

__all__ = [
    "AlwaysCompiled",
    "Bindings",
    "CannotCompile",
    "NotCached",
    "bindings",
    "cache_folder",
    "cache_only",
    "cached_array",
    "compile",
    "interpret",
    "link",
    "native",
    "record_type",
    "states",
    "version",
]
