"""The hidden information of a player of Deal or No Deal: the other's values of the items, one of some vectors.

The functions are the door to hidden worlds (`parlor.game`). By chance alone a vector is as likely as it was dealt with
the pool and the player's own values; what the other has proposed is for others to weigh.
"""

from __future__ import annotations

from parlor.game import Floats, Ints, State
from parlor.game.rng import below
from parlor.games.deal_or_no_deal.options import END, SHOWN, TYPES
from parlor.games.deal_or_no_deal.rules import AGREE, UNANSWERED, number_of_pool
from parlor.games.deal_or_no_deal.tables import (
    BASE,
    CASE,
    FIRST,
    OFFER,
    OTHER,
    POOLS,
    VECTOR_NUMBER,
    VECTORS,
    WEIGHT,
    WORLDS,
)

NUMBER_OF_POOLS = len(POOLS)


def case_of(s: State, p: int) -> int:
    """The case that a player is in: the pool and its own values."""
    return CASE[(p * NUMBER_OF_POOLS + number_of_pool(s)) * WORLDS + hidden(s, 1 - p)]


def hidden(s: State, p: int) -> int:
    """The number of the other's vector of values."""
    q = 1 - p
    return VECTOR_NUMBER[(s.values[q][0] * BASE + s.values[q][1]) * BASE + s.values[q][2]]


def possible(s: State, p: int, codes: Ints, weights: Floats) -> int:
    """The vectors that the other may have, ascending, each as likely as it was dealt; the true one if it is shown."""
    if SHOWN:
        codes[0] = hidden(s, p)
        weights[0] = 1.0
        return 1
    case = case_of(s, p)
    n = FIRST[case + 1] - FIRST[case]
    for i in range(n):
        codes[i] = OTHER[FIRST[case] + i]
        weights[i] = WEIGHT[FIRST[case] + i]
    return n


def set_hidden_state(s: State, p: int, code: int) -> None:
    """Give the other these values."""
    for i in range(TYPES):
        s.values[1 - p][i] = VECTORS[code][i]


def imagine(s: State, p: int, r: Ints) -> None:
    """Draw the other's values by chance alone."""
    if SHOWN:
        return
    case = case_of(s, p)
    total = 0
    for i in range(FIRST[case], FIRST[case + 1]):
        total += WEIGHT[i]
    left = below(r, total)
    at = FIRST[case]
    while left >= WEIGHT[at]:
        left -= WEIGHT[at]
        at += 1
    set_hidden_state(s, p, OTHER[at])


def decisions(s: State) -> int:
    """All proposals, and the agreement."""
    return s.made + s.agreed


def decision(s: State, k: int) -> int:
    """The proposal, or that it was an agreement."""
    if k == s.made:
        return AGREE
    return OFFER[s.offers[k][2]][s.offers[k][1]] + s.offers[k][0]


def rewind(s: State, k: int) -> None:
    """Back to before decision `k`; chance had let it come so far."""
    for t in range(k, s.made):
        for i in range(TYPES):
            s.offers[t][i] = 0
    s.made = k
    s.agreed = 0
    s.ended = 0
    s.went_on = k if END > 0 and k >= UNANSWERED else 0
