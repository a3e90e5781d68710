"""The rules of Deal or No Deal.

Chance deals a pool of items and what each type is worth to each player. The players then move in turn: player 0 makes
a proposal, what it would keep; whoever is in turn agrees to the last proposal or makes another. With an agreement both
get what their items are worth to them, else nothing. In the last turn another proposal is allowed, but ends the game
without an agreement: nobody can answer it. Moves have the numbers, and everything else the meaning, that OpenSpiel's
`bargaining` gives them.
"""

from __future__ import annotations

from parlor.game import CHANCE, OVER, Floats, Ints, State, private, public
from parlor.game.rng import below, mix, uniform
from parlor.games.deal_or_no_deal.options import DISCOUNT, END, PLAYERS, SHOWN, TURNS, TYPES, WORTH
from parlor.games.deal_or_no_deal.tables import (
    DECK,
    DIGITS,
    FIRST_OFFER,
    INSTANCES,
    KEPT,
    MAX_ENCODED_ITEMS,
    OFFERS,
    POOL_NUMBER,
    TOTAL,
    WEIGHTS,
)

AGREE = len(KEPT)
ACTIONS = AGREE + 1
GO_ON, FORCED_END = 0, 1  # outcomes after a proposal
ROWS = len(INSTANCES)
OUTCOMES = max(ROWS, 2)
UNANSWERED = 2  # proposals after which an end may be forced: the second, and all later ones but the last
LENGTH = 1 + TURNS + (TURNS - UNANSWERED if END else 0)
ZERO_SUM = False
PAYOFFS = (
    0.0,
    float(WORTH),
    float(max(sum(n * max(a, b) for n, a, b in zip(i.pool, *i.values, strict=True)) for i in INSTANCES)),
)
KEEPS = DISCOUNT / 100  # the part of a deal's worth that is left after a turn
ENDS = END / 100
STATE = {
    "pool": public(TYPES, most=MAX_ENCODED_ITEMS),  # zeros before the deal
    "values": public(PLAYERS, TYPES, most=WORTH) if SHOWN else private(PLAYERS, TYPES, most=WORTH),
    "offers": public(TURNS, TYPES, most=MAX_ENCODED_ITEMS),  # what the proposer keeps
    "made": public(most=TURNS),  # how many proposals
    "agreed": public(most=1),
    "went_on": public(most=TURNS if END else 0),  # how many proposals there were when chance last let them go on
    "ended": public(most=1 if END else 0),  # by chance
}


def start(s: State) -> None:
    """Nothing is dealt yet."""


def turn(s: State) -> int:
    """Chance deals; then the players in turn, and chance between them if an end may be forced."""
    if s.pool[0] == 0:
        return CHANCE
    if s.agreed or s.ended or s.made == TURNS:
        return OVER
    if END > 0 and s.made >= UNANSWERED and s.went_on < s.made:
        return CHANCE
    return s.made % PLAYERS


def odds(s: State, out: Floats) -> int:
    """Every line of the list of instances is as likely as the others."""
    if s.pool[0] == 0:
        for row in range(ROWS):
            out[row] = WEIGHTS[row] / TOTAL
        return ROWS
    out[GO_ON] = 1.0 - ENDS
    out[FORCED_END] = ENDS
    return 2


def deal(s: State, out: Floats, r: Ints) -> int:
    """The same, without listing them."""
    if s.pool[0] == 0:
        return DECK[below(r, TOTAL)]
    return GO_ON if uniform(r) < 1.0 - ENDS else FORCED_END


def legal(s: State, out: Ints) -> int:
    """Keep any of the items, none and all included; agree if there is a proposal."""
    pool = number_of_pool(s)
    first = FIRST_OFFER[pool]
    count = FIRST_OFFER[pool + 1] - first
    for i in range(count):
        out[i] = OFFERS[first + i]
    if s.made > 0:
        out[count] = AGREE
        count += 1
    return count


def number_of_pool(s: State) -> int:
    """Which of the pools it is."""
    return POOL_NUMBER[(s.pool[0] * (MAX_ENCODED_ITEMS + 1) + s.pool[1]) * (MAX_ENCODED_ITEMS + 1) + s.pool[2]]


def play(s: State, a: int) -> None:
    """Deal; end or go on; agree; or propose."""
    if s.pool[0] == 0:
        for i in range(TYPES):
            s.pool[i] = DIGITS[a] >> 4 * i & 15
            s.values[0][i] = DIGITS[a] >> 4 * (TYPES + i) & 15
            s.values[1][i] = DIGITS[a] >> 4 * (2 * TYPES + i) & 15
    elif END > 0 and s.made >= UNANSWERED and s.went_on < s.made:
        if a == GO_ON:
            s.went_on = s.made
        else:
            s.ended = 1
    elif a == AGREE:
        s.agreed = 1
    else:
        for i in range(TYPES):
            s.offers[s.made][i] = KEPT[a][i]
        s.made += 1


def payoff(s: State, p: int) -> float:
    """The worth of one's items after an agreement, less for every turn after the second; else nothing."""
    if not s.agreed:
        return 0.0
    proposer = (s.made - 1) % PLAYERS
    worth = 0
    for i in range(TYPES):
        kept = s.offers[s.made - 1][i]
        worth += s.values[p][i] * (kept if p == proposer else s.pool[i] - kept)
    left = 1.0
    if DISCOUNT < 100:
        for _ in range(s.made - 1):  # the agreement is turn number made + 1
            left *= KEEPS
    return worth * left


def key(s: State, p: int) -> int:
    """The information set of `p`: the player, the pool, the values that it sees, and all proposals."""
    own, other = 0, 0
    for i in range(TYPES):
        own = (own * 8 + s.pool[i]) * 16 + s.values[p][i]
        if SHOWN:
            other = other * 16 + s.values[1 - p][i]
    k = mix((own * 4096 + other) * 2 + p, (s.made * 32 + s.went_on) * 4 + s.agreed * 2 + s.ended)
    several = 0  # six proposals in a number
    for t in range(s.made):
        several = ((several * 8 + s.offers[t][0]) * 8 + s.offers[t][1]) * 8 + s.offers[t][2]
        if t % 6 == 5:
            k = mix(k, several)
            several = 0
    return mix(k, several)
