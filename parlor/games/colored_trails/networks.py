"""Inputs of networks for Colored Trails, and their outputs: what a trade brings both sides, not which chips it moves.

On any board, and in either seat of a proposer, the same numbers mean the same; so what is learned on some boards serves
on others. The proposer is told what it could get for itself for every gain of the responder, and the reverse; the
responder, what both offers bring. Nothing is told of the view besides.

A trade's logit is that of how many chips it gives and gets, and three terms: what it brings the one who decides, what
it brings the other side, and whether it costs either of them anything.
"""

from __future__ import annotations

from parlor.compile.kernel import IntArray
from parlor.game import ActionHead, Floats, Ints, OwnFeatures, State
from parlor.games.colored_trails.boards import FLAG, PROPOSERS, RESPONDER
from parlor.games.colored_trails.gains import list_gains
from parlor.games.colored_trails.options import CHIPS
from parlor.games.colored_trails.paths import CHIP_BITS, COLOURS, distance, score
from parlor.games.colored_trails.rules import (
    ACCEPT,
    ACTIONS,
    BEFORE,
    PASS,
    POINTS,
    TRADE,
    WORTH,
    find,
    is_offer,
    packed_tiles,
)
from parlor.games.colored_trails.trades import MAX_TRADES, all_trades, list_trades

LEVELS, STEP = 13, 10  # gains for which the best of the other side's is told: 0, 10, 20, … points
UNIT = 50.0  # points: a usual gain
SHARP = 25.0  # points that are worth one in a given logit
COST = -4.0  # the given logit of a trade that costs somebody anything
FAR = 6.0  # steps
HANDFUL = 8.0
TRADES = all_trades(CHIPS)

# Where the numbers begin.
ROLE = 0
MINE = ROLE + PROPOSERS + 1  # the best for me if the responder gains so much, and whether there is a trade
THEIRS = MINE + 2 * LEVELS  # the best for the responder if I gain so much
OFFERS = THEIRS + 2 * LEVELS  # of each: whether it is there, what it brings the responder and the proposer
ABOUT = OFFERS + 3 * PROPOSERS
COUNT = ABOUT + 8

# Working memory: the gains of every trade by its number; the trades that are possible, and their gains; the best ones.
LISTED = 2 * (ACTIONS - TRADE)
GAINS = LISTED + MAX_TRADES
BEST = GAINS + 2 * MAX_TRADES
WORK = BEST + 2 * LEVELS
NONE = -1


def features(s: State, p: int, out: Floats, work: IntArray) -> None:
    """Fill all numbers, and the working memory with what trades bring."""
    for i in range(COUNT):
        out[i] = 0.0
    out[ROLE + p] = 1.0
    flag = find(s, FLAG)
    out[ABOUT] = distance(find(s, RESPONDER), flag) / FAR
    if p == RESPONDER:
        for q in range(PROPOSERS):
            if is_offer(s, q):
                at = OFFERS + 3 * q
                out[at] = 1.0
                out[at + 1] = POINTS * (s.worth[p][q][1] - WORTH) / UNIT
                out[at + 2] = POINTS * (s.worth[p][q][0] - WORTH) / UNIT
        return
    add_trades(s, p, flag, out, work)
    out[ABOUT + 1] = distance(find(s, p), flag) / FAR
    out[ABOUT + 2] = distance(find(s, 1 - p), flag) / FAR
    out[ABOUT + 3] = distance(find(s, p), find(s, RESPONDER)) / FAR


def add_trades(s: State, p: int, flag: int, out: Floats, work: IntArray) -> None:
    """Fill the frontier of what both sides could gain, and the gains of all trades in the working memory."""
    tiles, place, other, mine, theirs = packed_tiles(s), find(s, p), find(s, RESPONDER), 0, 0
    my_chips, their_chips = 0, 0
    for colour in range(COLOURS):
        mine |= s.chips[p][p][colour] << CHIP_BITS * colour
        theirs |= s.stock[colour] << CHIP_BITS * colour
        my_chips += s.chips[p][p][colour]
        their_chips += s.stock[colour]
    listed, gains = work[LISTED:GAINS], work[GAINS:BEST].reshape(MAX_TRADES, 2)
    for i in range(BEST, WORK):
        work[i] = NONE
    n = list_trades(BEFORE, CHIPS, s.chips[p][p], s.stock, 0, listed, 0)  # type: ignore[arg-type]  # written like a list
    list_gains(tiles, place, other, flag, mine, theirs, TRADES, listed, n, gains)
    for i in range(n):
        me, them = gains[i, 0], gains[i, 1]
        work[2 * listed[i]] = me
        work[2 * listed[i] + 1] = them
        if me >= 0 and them >= 0:
            raise_levels(work, BEST, me, them)
            raise_levels(work, BEST + LEVELS, them, me)
    for side in range(2):
        first = THEIRS if side else MINE
        for level in range(LEVELS):
            best = work[BEST + side * LEVELS + level]
            if best != NONE:
                out[first + level] = best / UNIT
                out[first + LEVELS + level] = 1.0
    out[ABOUT + 4] = my_chips / HANDFUL
    out[ABOUT + 5] = their_chips / HANDFUL
    out[ABOUT + 6] = score(tiles, place, flag, mine) / UNIT
    out[ABOUT + 7] = score(tiles, other, flag, theirs) / UNIT


def raise_levels(work: IntArray, first: int, gain: int, others: int) -> None:
    """Note a trade that brings the one side `gain` with every gain of the other side that it reaches."""
    for level in range(min(others // STEP + 1, LEVELS)):
        work[first + level] = max(work[first + level], gain)


def given(s: State, p: int, moves: Ints, n: int, out: Floats, work: IntArray) -> None:
    """Fill the gain of the one who decides, that of the other side, and whether it costs either of them anything."""
    for i in range(n):
        mine, theirs = 0, 0
        if moves[i] >= TRADE:
            mine, theirs = work[2 * (moves[i] - TRADE)], work[2 * (moves[i] - TRADE) + 1]
        elif moves[i] >= ACCEPT:
            q = moves[i] - ACCEPT
            mine, theirs = POINTS * (s.worth[p][q][1] - WORTH), POINTS * (s.worth[p][q][0] - WORTH)
        out[3 * i] = mine / SHARP
        out[3 * i + 1] = theirs / SHARP
        out[3 * i + 2] = COST if mine < 0 or theirs < 0 else 0.0


def part_of(action: int) -> int:
    """The output of an action: to pass, to accept, or to give and get so many chips."""
    if action < TRADE:
        return 0 if action == PASS else 1
    change = TRADES[action - TRADE]
    gives, gets = int(change[change > 0].sum()), int(-change[change < 0].sum())
    return 2 + (gives - 1) * CHIPS + gets - 1


FEATURES = OwnFeatures(COUNT, features, WORK, replaces_view=True)
HEAD = ActionHead(tuple((part_of(action),) for action in range(ACTIONS)), given, terms=3)
