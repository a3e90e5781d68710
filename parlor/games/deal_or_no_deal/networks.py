"""Inputs of networks for Deal or No Deal besides the view, and their outputs: a number of items of each type.

Numbers: what every split is worth to me, and to the other on average over the values that it may have; how likely each
value of each type is to the other; what agreeing now is worth, and the best that was offered so far; and the last
proposals of both, the latest first. By chance alone: what the other has proposed is for the network to read.

A proposal's logit is the sum of those of its books, its hats and its basketballs, and one of its own.
"""

from __future__ import annotations

from parlor.game import ActionHead, Floats, OwnFeatures, State
from parlor.games.deal_or_no_deal.belief import case_of, hidden
from parlor.games.deal_or_no_deal.options import DISCOUNT, PLAYERS, SHOWN, TURNS, TYPES, WORTH
from parlor.games.deal_or_no_deal.rules import AGREE, KEEPS, number_of_pool
from parlor.games.deal_or_no_deal.tables import (
    BASE,
    FIRST,
    FIRST_OFFER,
    KEPT,
    MAX_ENCODED_ITEMS,
    OFFERS,
    OTHER,
    VECTORS,
    WEIGHT,
)

RECENT = 4  # proposals that are told one by one

# Where the numbers begin.
MINE = 0  # of each proposal, what it is worth to me
THEIRS = MINE + AGREE  # and to the other, on average
VALUE = THEIRS + AGREE  # [type, value] how likely this is its value to the other
AVERAGE = VALUE + TYPES * BASE
NOW = AVERAGE + TYPES  # see `features`
PROPOSALS = NOW + 6
EACH = TYPES + 3  # numbers of a proposal
COUNT = PROPOSALS + RECENT * EACH


def features(s: State, p: int, out: Floats) -> None:
    """Fill all numbers, worths as parts of what everything is worth."""
    for i in range(COUNT):
        out[i] = 0.0
    first, second, third = fill_values(s, p, out)
    pool = number_of_pool(s)
    for i in range(FIRST_OFFER[pool], FIRST_OFFER[pool + 1]):
        a = OFFERS[i]
        kept = KEPT[a]
        out[MINE + a] = worth(s.values[p], kept) / WORTH
        left = (s.pool[0] - kept[0]) * first + (s.pool[1] - kept[1]) * second + (s.pool[2] - kept[2]) * third
        out[THEIRS + a] = left / WORTH
    left = 1.0
    if DISCOUNT < 100:
        for _ in range(s.made - 1):
            left *= KEEPS
    best = 0
    for t in range(s.made):
        got = to_me(s, p, t)
        if t % PLAYERS != p:
            best = max(best, got)
    out[NOW] = to_me(s, p, s.made - 1) / WORTH if s.made else 0.0  # agreeing
    out[NOW + 1] = best / WORTH  # the best that was offered
    out[NOW + 2] = s.made / TURNS
    out[NOW + 3] = 1.0 if s.made == TURNS - 1 else 0.0  # nobody could answer another proposal
    out[NOW + 4] = left  # the part of a deal's worth that is left
    out[NOW + 5] = float(p)  # who begins has one proposal more
    for back in range(min(s.made, RECENT)):
        t = s.made - 1 - back
        at = PROPOSALS + back * EACH
        for i in range(TYPES):
            out[at + i] = s.offers[t][i] / MAX_ENCODED_ITEMS
        out[at + TYPES] = 1.0
        out[at + TYPES + 1] = 1.0 if t % PLAYERS == p else 0.0
        out[at + TYPES + 2] = to_me(s, p, t) / WORTH


def fill_values(s: State, p: int, out: Floats) -> tuple[float, float, float]:
    """Fill what the other may value the types at; returns the averages."""
    first = second = third = 0.0
    if SHOWN:
        begin, end, total = 0, 1, 1
    else:
        case = case_of(s, p)
        begin, end, total = FIRST[case], FIRST[case + 1], 0
        for i in range(begin, end):
            total += WEIGHT[i]
    for i in range(begin, end):
        vector = VECTORS[hidden(s, p) if SHOWN else OTHER[i]]
        weight = 1 if SHOWN else WEIGHT[i]
        first += weight * vector[0]
        second += weight * vector[1]
        third += weight * vector[2]
    for value in range(BASE):
        for i in range(TYPES):
            found = 0
            for k in range(begin, end):
                if VECTORS[hidden(s, p) if SHOWN else OTHER[k]][i] == value:
                    found += 1 if SHOWN else WEIGHT[k]
            out[VALUE + i * BASE + value] = found / total
    first, second, third = first / total, second / total, third / total
    out[AVERAGE] = first / WORTH
    out[AVERAGE + 1] = second / WORTH
    out[AVERAGE + 2] = third / WORTH
    return first, second, third


def worth(values: tuple[int, ...], kept: tuple[int, ...]) -> int:
    """Return what these items are worth."""
    return values[0] * kept[0] + values[1] * kept[1] + values[2] * kept[2]


def to_me(s: State, p: int, t: int) -> int:
    """Return what the t-th proposal would give player `p`."""
    kept = worth(s.values[p], s.offers[t])
    return kept if t % PLAYERS == p else WORTH - kept


NUMBERS = MAX_ENCODED_ITEMS + 1  # of items of a type: none to all
OWN = TYPES * NUMBERS  # the first output that is one proposal's own
FEATURES = OwnFeatures(COUNT, features)
HEAD = ActionHead(
    (
        *((*(i * NUMBERS + n for i, n in enumerate(kept)), OWN + a) for a, kept in enumerate(KEPT)),
        (-1, -1, -1, OWN + AGREE),
    )
)
