"""Trades between a proposer and the responder, and their numbers.

A trade says of each colour how many chips the proposer gives (or, negative, gets). Each side gives at least one chip
and at most `CHIPS`, and they never give the same colour, as in OpenSpiel, where `CHIPS` is 8 and there are 93,120
trades. They are numbered in the order of these five numbers, by counting: no table of them is needed.
"""

from __future__ import annotations

from parlor.game import Ints
from parlor.games.colored_trails.options import CHIPS
from parlor.games.colored_trails.paths import COLOURS


def _numbers() -> tuple[list[list[list[int]]], list[list[list[list[int]]]]]:
    """How many trades there are with some chips given and asked for already, by the colours that were looked at."""
    some = range(CHIPS + 1)
    ways = [[[0 for _ in some] for _ in some] for _ in range(COLOURS + 1)]
    before = [[[[0] * (2 * CHIPS + 2) for _ in some] for _ in some] for _ in range(COLOURS)]
    for colour in reversed(range(COLOURS + 1)):
        for given in some:
            for asked in some:
                if colour == COLOURS:
                    ways[colour][given][asked] = int(given > 0 and asked > 0)
                    continue
                total = 0
                for change in range(-CHIPS, CHIPS + 1):
                    before[colour][given][asked][change + CHIPS] = total
                    more, less = given + max(change, 0), asked + max(-change, 0)
                    total += ways[colour + 1][more][less] if max(more, less) <= CHIPS else 0
                before[colour][given][asked][2 * CHIPS + 1] = ways[colour][given][asked] = total
    return ways, before


_WAYS, _BEFORE = _numbers()
TRADES = _WAYS[0][0][0]
#: [colour][given][asked][change + CHIPS]: trades with the same beginning that come before those with this change
BEFORE = tuple(tuple(tuple(map(tuple, asked)) for asked in given) for given in _BEFORE)


def split_trade(number: int, change: Ints) -> None:
    """Fill the change of each colour, what the proposer gives, by the number of a trade."""
    given, asked = 0, 0
    for colour in range(COLOURS):
        v = -CHIPS
        while BEFORE[colour][given][asked][v + 1 + CHIPS] <= number:
            v += 1
        number -= BEFORE[colour][given][asked][v + CHIPS]
        given += max(v, 0)
        asked += max(-v, 0)
        change[colour] = v


def list_trades(mine: Ints, theirs: Ints, first: int, out: Ints, n: int) -> int:
    """Fill `first` + the number of each trade of somebody with these chips and somebody with those, from out[n] on."""
    low = (-min(theirs[0], CHIPS), -min(theirs[1], CHIPS), -min(theirs[2], CHIPS), -min(theirs[3], CHIPS))
    for a in range(low[0], min(mine[0], CHIPS) + 1):
        given_a, asked_a = max(a, 0), max(-a, 0)
        at_a = first + BEFORE[0][0][0][a + CHIPS]
        for b in range(low[1], min(mine[1], CHIPS) + 1):
            given_b, asked_b = given_a + max(b, 0), asked_a + max(-b, 0)
            if max(given_b, asked_b) > CHIPS:
                continue
            at_b = at_a + BEFORE[1][given_a][asked_a][b + CHIPS]
            for c in range(low[2], min(mine[2], CHIPS) + 1):
                given_c, asked_c = given_b + max(c, 0), asked_b + max(-c, 0)
                if max(given_c, asked_c) > CHIPS:
                    continue
                at_c = at_b + BEFORE[2][given_b][asked_b][c + CHIPS]
                for d in range(low[3], min(mine[3], CHIPS) + 1):
                    given_d, asked_d = given_c + max(d, 0), asked_c + max(-d, 0)
                    if max(given_d, asked_d) > CHIPS:
                        continue
                    at_d = at_c + BEFORE[3][given_c][asked_c][d + CHIPS]
                    for e in range(-min(theirs[4], CHIPS - asked_d), min(mine[4], CHIPS - given_d) + 1):
                        if given_d + max(e, 0) > 0 and asked_d + max(-e, 0) > 0:
                            out[n] = at_d + BEFORE[4][given_d][asked_d][e + CHIPS]
                            n += 1
    return n
