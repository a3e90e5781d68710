"""Trades between a proposer and the responder, and their numbers.

A trade says of each colour how many chips the proposer gives (or, negative, gets). Each side gives at least one chip
and at most `limit`, and they never give the same colour, as in OpenSpiel, where the limit is 8 and there are 93,120
trades. They are numbered in the order of these five numbers, by counting: no table of them is needed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.game import Ints
from parlor.games.colored_trails.paths import COLOURS

MAX_TRADES = 1306  # (1 + 16 / 5) ** 5: two players have at most 16 chips, of five colours


@lru_cache(maxsize=16)
def counts_before(limit: int) -> npt.NDArray[np.int64]:
    """The counts by which trades are numbered [colour, given, asked, change + limit].

    Of all trades that begin alike, with so many chips given and asked for in the colours before, so many come before
    those with this change; in the last place, how many there are.
    """
    some = range(limit + 1)
    after = [[int(given > 0 and asked > 0) for asked in some] for given in some]  # of all colours
    tables: list[list[list[list[int]]]] = []
    for _ in range(COLOURS):
        table = [[_running(after, given, asked, limit) for asked in some] for given in some]
        after = [[row[-1] for row in rows] for rows in table]
        tables.insert(0, table)
    return np.array(tables)


def _running(after: list[list[int]], given: int, asked: int, limit: int) -> list[int]:
    """The sums of the ways to go on after each change of a colour."""
    totals = [0]
    for change in range(-limit, limit + 1):
        more, less = given + max(change, 0), asked + max(-change, 0)
        totals.append(totals[-1] + (after[more][less] if max(more, less) <= limit else 0))
    return totals


def split_trade(before: Any, limit: int, number: int, change: Ints) -> None:
    """Fill the change of each colour, what the proposer gives, by the number of a trade."""
    given, asked = 0, 0
    for colour in range(COLOURS):
        v = -limit
        while before[colour, given, asked, v + 1 + limit] <= number:
            v += 1
        number -= before[colour, given, asked, v + limit]
        given += max(v, 0)
        asked += max(-v, 0)
        change[colour] = v


def list_trades(before: Any, limit: int, mine: Ints, theirs: Ints, first: int, out: Ints, n: int) -> int:
    """Fill `first` + the number of each trade of somebody with these chips and somebody with those, from out[n] on."""
    for a in range(-min(theirs[0], limit), min(mine[0], limit) + 1):
        given_a, asked_a = max(a, 0), max(-a, 0)
        at_a = first + before[0, 0, 0, a + limit]
        for b in range(-min(theirs[1], limit - asked_a), min(mine[1], limit - given_a) + 1):
            given_b, asked_b = given_a + max(b, 0), asked_a + max(-b, 0)
            at_b = at_a + before[1, given_a, asked_a, b + limit]
            for c in range(-min(theirs[2], limit - asked_b), min(mine[2], limit - given_b) + 1):
                given_c, asked_c = given_b + max(c, 0), asked_b + max(-c, 0)
                at_c = at_b + before[2, given_b, asked_b, c + limit]
                for d in range(-min(theirs[3], limit - asked_c), min(mine[3], limit - given_c) + 1):
                    given_d, asked_d = given_c + max(d, 0), asked_c + max(-d, 0)
                    at_d = at_c + before[3, given_c, asked_c, d + limit]
                    for e in range(-min(theirs[4], limit - asked_d), min(mine[4], limit - given_d) + 1):
                        if given_d + max(e, 0) > 0 and asked_d + max(-e, 0) > 0:
                            out[n] = int(at_d + before[4, given_d, asked_d, e + limit])
                            n += 1
    return n


@lru_cache(maxsize=16)
def all_trades(limit: int) -> npt.NDArray[np.int64]:
    """The changes of all trades [trades, 5], by number."""
    before = counts_before(limit)
    table = np.zeros((before[0, 0, 0, -1], COLOURS), np.int64)
    for number, change in enumerate(table):
        split_trade(before, limit, number, change)
    return table
