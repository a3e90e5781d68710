"""One random stream, the same in plain Python and in compiled code.

The generator is sfc32 (Chris Doty-Humphrey's *small fast counting* generator, from PractRand). Its four 32-bit words
live in signed 64-bit integers and are masked after every step, so that ordinary Python integers and machine integers
walk through exactly the same values. A stream is seeded by two numbers, usually (seed of the run, index of the game):
the n-th game then gets the same randomness whoever plays it, in whatever order.

`mix` is the hash that keys are made of, written under the same rule: no product ever leaves 63 bits.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

M32 = 0xFFFFFFFF
UNIT = 1.0 / 4294967296.0  # 2**-32


def mix(h: int, x: int) -> int:
    """Fold the integer `x` into the hash `h`: 63 bits in, 63 bits out, any order or value changes the result."""
    # every multiplier is odd and below 2**31, so that a 32-bit word times it stays below 2**63
    a = (((h & M32) * 0x5851F42D) & M32) ^ (x & M32)  # h and x must not be exchangeable
    b = (((h >> 32) * 0x2545F491) + ((x >> 32) & M32) + 0x1E3779B9) & M32
    a = (a * 0x2C1B3C6D) & M32
    a ^= a >> 15
    b = ((b ^ a) * 0x297A2D39) & M32
    b ^= b >> 13
    a = (((a + b) & M32) * 0x7FEB352D) & M32
    a ^= a >> 16
    b = ((b ^ a) * 0x4A6B5E35) & M32
    b ^= b >> 15
    a = (a + b) & M32
    return ((b & 0x7FFFFFFF) << 32) | a


def seed_stream(r: MutableSequence[int], seed: int, index: int) -> None:
    """Start the stream `r` (four words) at the beginning of stream number `index` of `seed`."""
    h = mix(mix(0, seed), index)
    r[0] = h & M32
    r[1] = h >> 32
    r[2] = mix(h, 1) & M32
    r[3] = 1
    for _ in range(10):
        draw(r)


def draw(r: MutableSequence[int]) -> int:
    """The next 32 random bits."""
    a = r[0]
    b = r[1]
    c = r[2]
    t = (a + b + r[3]) & M32
    r[3] = (r[3] + 1) & M32
    r[0] = b ^ (b >> 9)
    r[1] = (c + (c << 3)) & M32
    r[2] = ((((c << 21) & M32) | (c >> 11)) + t) & M32
    return t


def uniform(r: MutableSequence[int]) -> float:
    """A float in [0, 1), a multiple of 2**-32."""
    return draw(r) * UNIT


def below(r: MutableSequence[int], n: int) -> int:
    """An integer in 0 .. n-1 (n below 2**31)."""
    return (draw(r) * n) >> 32


def choose(r: MutableSequence[int], weights: Sequence[float], n: int) -> int:
    """An index below `n` with probability `weights[i]`; the weights sum to one. Never one of weight zero."""
    u = uniform(r)
    last = 0
    for i in range(n):
        if weights[i] > 0.0:
            last = i
            u -= weights[i]
            if u < 0.0:
                return i
    return last  # the weights fell short of one by rounding
