"""The instances that can be dealt, as tables of numbers that compiled rules look things up in.

A *pool* and a *vector* of values are numbered in order; the number of the other's vector is the code of what is hidden
from a player.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate, groupby

from parlor.games.deal_or_no_deal.instances import Instance, Triple, dealt
from parlor.games.deal_or_no_deal.options import FILE, MAX_ITEMS, MIN_ITEMS, PLAYERS, TYPES, WORTH

BASE = WORTH + 1  # values are digits of this base
MAX_ENCODED_ITEMS = 7  # items; every proposal of up to so many has a number, as in OpenSpiel


@cache
def _hexadecimal(numbers: Triple) -> int:
    return numbers[0] | numbers[1] << 4 | numbers[2] << 8


_DEALT: dict[Instance, int] = dealt(FILE, MIN_ITEMS, MAX_ITEMS)
INSTANCES: tuple[Instance, ...] = tuple(_DEALT)
#: the numbers of each instance as hexadecimal digits: the pool, the first player's values, the second's, lowest first
DIGITS = tuple(
    _hexadecimal(i.pool) | _hexadecimal(i.values[0]) << 12 | _hexadecimal(i.values[1]) << 24 for i in INSTANCES
)
WEIGHTS: tuple[int, ...] = tuple(_DEALT.values())  # how often each is in the file
TOTAL = sum(WEIGHTS)
DECK = tuple(row for row, weight in enumerate(WEIGHTS) for _ in range(weight))  # each as often as it is dealt

POOLS: tuple[Triple, ...] = tuple(sorted({instance.pool for instance in INSTANCES}))
VECTORS: tuple[Triple, ...] = tuple(sorted({values for instance in INSTANCES for values in instance.values}))
WORLDS = len(VECTORS)


def pool_digits(pool: Triple) -> int:
    """A pool as one number."""
    return (pool[0] * (MAX_ENCODED_ITEMS + 1) + pool[1]) * (MAX_ENCODED_ITEMS + 1) + pool[2]


def value_digits(values: Triple) -> int:
    """A vector of values as one number."""
    return (values[0] * BASE + values[1]) * BASE + values[2]


def _numbered(digits: list[int], size: int) -> tuple[int, ...]:
    """From digits to the number of what has them; -1 for all others."""
    numbers = {found: number for number, found in enumerate(digits)}
    return tuple(numbers.get(digit, -1) for digit in range(size))


POOL_NUMBER = _numbered([pool_digits(pool) for pool in POOLS], (MAX_ENCODED_ITEMS + 1) ** TYPES)
VECTOR_NUMBER = _numbered([value_digits(vector) for vector in VECTORS], BASE**TYPES)


_POOL = {pool: number for number, pool in enumerate(POOLS)}
_VECTOR = {vector: number for number, vector in enumerate(VECTORS)}
#: a case is what a player knows at the beginning, (p, pool, p's vector), with the vectors that the other may have
_CASES = [
    (case, [(code, weight) for _, code, weight in rows])
    for case, rows in groupby(
        sorted(
            ((p * len(POOLS) + _POOL[pool]) * WORLDS + _VECTOR[values[p]], _VECTOR[values[1 - p]], weight)
            for (pool, values), weight in _DEALT.items()
            for p in range(PLAYERS)
        ),
        key=lambda row: row[0],
    )
]
#: (p * pools + number of the pool) * WORLDS + number of p's vector -> the case
CASE = _numbered([case for case, _ in _CASES], PLAYERS * len(POOLS) * WORLDS)
#: case -> its first entry in the next two tables; the last number is their length
FIRST = tuple(accumulate((len(rows) for _, rows in _CASES), initial=0))
OTHER = tuple(code for _, rows in _CASES for code, _ in rows)  # the other's vectors, ascending in each case
WEIGHT = tuple(weight for _, rows in _CASES for _, weight in rows)

#: action -> what the proposer keeps: all proposals of up to seven items, the first type fastest
KEPT: tuple[Triple, ...] = tuple(
    (a, b, c)
    for c in range(MAX_ENCODED_ITEMS + 1)
    for b in range(MAX_ENCODED_ITEMS + 1 - c)
    for a in range(MAX_ENCODED_ITEMS + 1 - c - b)
)  # fmt: skip
#: items of the third type, of the second -> the proposal that keeps these and none of the first
OFFER = tuple(
    tuple(KEPT.index((0, b, c)) if b + c <= MAX_ENCODED_ITEMS else -1 for b in range(MAX_ENCODED_ITEMS + 1))
    for c in range(MAX_ENCODED_ITEMS + 1)
)  # fmt: skip
#: all proposals from a pool, one pool after the other, ascending, and where those of each pool begin
_FROM = [[a for a, kept in enumerate(KEPT) if all(k <= n for k, n in zip(kept, pool, strict=True))] for pool in POOLS]
OFFERS = tuple(a for offers in _FROM for a in offers)
FIRST_OFFER = tuple(accumulate(map(len, _FROM), initial=0))
