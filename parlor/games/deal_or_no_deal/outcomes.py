"""Possible outcomes of a negotiation, with everything known: all splits, the best of them, the Pareto frontier.

Plain numbers in and out, before any discount, for reports and for the page. The Nash bargaining split has the greatest
product of what both get (Nash, 1950; without a deal both get nothing); the fair one the greatest minimum.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Split(NamedTuple):
    """A way to split the pool, and what it is worth to both."""

    kept: tuple[int, ...]  # by player 0; player 1 gets the rest
    first: int  # what player 0 gets
    second: int

    @property
    def product(self) -> int:
        """The Nash product."""
        return self.first * self.second

    @property
    def welfare(self) -> int:
        """The sum of both values."""
        return self.first + self.second

    @property
    def least(self) -> int:
        """The smaller of both values."""
        return min(self.first, self.second)


def splits(pool: Sequence[int], values: Sequence[Sequence[int]]) -> list[Split]:
    """All splits of a pool, to players with these values."""
    return [
        Split(kept, worth(values[0], kept), worth(values[1], [n - k for n, k in zip(pool, kept, strict=True)]))
        for kept in itertools.product(*(range(n + 1) for n in pool))
    ]


def worth(values: Sequence[int], items: Sequence[int]) -> int:
    """The value of some items."""
    return sum(value * count for value, count in zip(values, items, strict=True))


def pareto(pool: Sequence[int], values: Sequence[Sequence[int]]) -> list[Split]:
    """The splits in which nobody can get more without the other getting less, by what player 0 gets; one a payoff."""
    frontier: list[Split] = []
    for split in sorted(splits(pool, values), key=lambda split: (-split.first, -split.second)):
        if not frontier or split.second > frontier[-1].second:
            frontier.append(split)
    return frontier[::-1]


def nash_split(pool: Sequence[int], values: Sequence[Sequence[int]]) -> Split:
    """The Nash bargaining split; of several, the one worth more to both together."""
    return _best((split.product, split.welfare, split) for split in pareto(pool, values))


def welfare_split(pool: Sequence[int], values: Sequence[Sequence[int]]) -> Split:
    """The split worth most to both together; of several, the one with the greater product."""
    return _best((split.welfare, split.product, split) for split in pareto(pool, values))


def fair_split(pool: Sequence[int], values: Sequence[Sequence[int]]) -> Split:
    """The split whose poorer side gets most; of several, the one worth more to both together."""
    return _best((split.least, split.welfare, split) for split in pareto(pool, values))


def _best(ranked: Iterable[tuple[int, int, Split]]) -> Split:
    return max(ranked, key=lambda row: row[:2])[2]
