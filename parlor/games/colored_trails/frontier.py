"""The Pareto frontier of a board, and how far play stays behind it: the Pareto gap of Li et al. (2023).

An outcome is two numbers: what the proposer whose offer is accepted gains, and what the responder gains; (0, 0) if no
offer is accepted. Outcomes are rational if both are at least 0. The frontier is the upper right side of the convex hull
of the rational outcomes of both proposers' trades that no other one dominates, and the gap is the distance to it from
what comes about on average. All trades count, with any number of chips, whatever the option `chips` allows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from parlor.compile import AlwaysCompiled
from parlor.games.colored_trails.boards import FLAG, PROPOSERS, RESPONDER, Board, chips_of, count_of, place_of
from parlor.games.colored_trails.paths import CHIP_BITS, COLOURS, score
from parlor.games.colored_trails.trades import MAX_TRADES

Outcome = tuple[float, float]  # what the proposer gains, what the responder gains


def fill_outcomes(tiles: int, place: int, other: int, flag: int, mine: int, theirs: int, out: Any) -> int:
    """Fill in, for each trade, the gains of a proposer and the responder and the chips kept; return their number."""
    alone, other_alone = score(tiles, place, flag, mine), score(tiles, other, flag, theirs)
    n = 0
    both = mine + theirs
    chips = both  # the proposer's afterwards: from all that there are down to nothing
    while chips >= 0:
        gets, gives = 0, 0
        for colour in range(COLOURS):
            change = ((chips >> CHIP_BITS * colour) & 31) - ((mine >> CHIP_BITS * colour) & 31)
            gets += max(change, 0)
            gives += max(-change, 0)
        if gets > 0 and gives > 0:
            out[n][0] = score(tiles, place, flag, chips) - alone
            out[n][1] = score(tiles, other, flag, both - chips) - other_alone
            out[n][2] = chips
            n += 1
        colour = 0
        while colour < COLOURS and (chips >> CHIP_BITS * colour) & 31 == 0:
            chips += both & (31 << CHIP_BITS * colour)
            colour += 1
        if colour == COLOURS:
            return n
        chips -= 1 << CHIP_BITS * colour
    return n


_filled = AlwaysCompiled(fill_outcomes)


class BoardTrade(NamedTuple):
    """A trade, and what it brings."""

    gives: list[int]  # the proposer, of each colour
    gets: list[int]
    outcome: Outcome


def all_trades_on(board: Board, q: int) -> list[BoardTrade]:
    """All trades of a proposer on a board."""
    tiles, places, chips = board
    pieces = (place_of(places, piece) for piece in (q, RESPONDER, FLAG))
    room = np.zeros((MAX_TRADES, 3), np.int64)
    n = _filled(tiles, *pieces, chips_of(chips, q), chips_of(chips, RESPONDER), room)
    trades = []
    for mine, theirs, after in room[:n].tolist():
        change = [count_of(chips, q, c) - ((after >> CHIP_BITS * c) & 31) for c in range(COLOURS)]
        outcome = float(mine), float(theirs)
        trades.append(BoardTrade([max(v, 0) for v in change], [max(-v, 0) for v in change], outcome))
    return trades


@lru_cache(maxsize=4096)
def outcomes(board: Board) -> frozenset[Outcome]:
    """All rational outcomes of a board."""
    found = (trade.outcome for q in range(PROPOSERS) for trade in all_trades_on(board, q))
    return frozenset(outcome for outcome in found if min(outcome) >= 0)


@lru_cache(maxsize=4096)
def frontier(board: Board) -> tuple[Outcome, ...]:
    """The corners of the Pareto frontier, from the most that the responder can gain to the most of a proposer."""
    return upper_right(outcomes(board))


def upper_right(points: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """The corners of the upper right side of the convex hull of points, by what the first gains; (0, 0) if none."""
    best: list[Outcome] = []
    for point in sorted(points, key=lambda point: (-point[0], -point[1])):
        if not best or point[1] > best[-1][1]:  # no other point is better for one and no worse for the other
            best.append(point)
    corners: list[Outcome] = []
    for point in reversed(best):
        while len(corners) > 1 and _turns_left(corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    return tuple(corners) or ((0.0, 0.0),)


def _turns_left(a: Outcome, b: Outcome, c: Outcome) -> bool:
    """Whether the way from a to c leaves b below it, or on it."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) >= 0


def gap(outcome: Outcome, corners: Sequence[Outcome]) -> float:
    """The distance from an outcome to a frontier."""
    if len(corners) == 1:
        return math.dist(outcome, corners[0])
    return min(_to_segment(outcome, a, b) for a, b in pairwise(corners))


def _to_segment(point: Outcome, a: Outcome, b: Outcome) -> float:
    """The distance to a segment."""
    along = (b[0] - a[0], b[1] - a[1])
    share = ((point[0] - a[0]) * along[0] + (point[1] - a[1]) * along[1]) / (along[0] ** 2 + along[1] ** 2)
    share = min(max(share, 0.0), 1.0)
    return math.dist(point, (a[0] + share * along[0], a[1] + share * along[1]))
