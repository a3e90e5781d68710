"""What players own: sets, rents, and what it is all worth."""

from __future__ import annotations

from parlor.game import State
from parlor.games.leodopoly.boards import LEEDS
from parlor.games.leodopoly.options import BY_RENT, BY_WORTH, WINNER

BOARD = LEEDS
SPACES = len(BOARD)
COST = tuple(space.cost for space in BOARD)
RENT = tuple(space.rent for space in BOARD)
GROUP = tuple(space.group for space in BOARD)
PROPERTIES = sum(cost > 0 for cost in COST)
#: space -> the spaces of its group, a bit each
SET = tuple(sum(1 << other for other in range(SPACES) if GROUP[k] and GROUP[other] == GROUP[k]) for k in range(SPACES))


def deeds(s: State, p: int) -> int:
    """The properties of a player, a bit each."""
    owned = 0
    for k in range(SPACES):
        if s.owner[k] == p + 1:
            owned |= 1 << k
    return owned


def has_set(s: State, k: int) -> bool:
    """Whether the owner of a space owns its whole group."""
    missing = 0
    for other in range(SPACES):
        missing += GROUP[other] == GROUP[k] and s.owner[other] != s.owner[k]
    return s.owner[k] > 0 and missing == 0


def rent_of(s: State, k: int) -> int:
    """What a visitor pays: twice as much for a full set."""
    return 2 * RENT[k] if has_set(s, k) else RENT[k]


def rents(s: State, p: int) -> int:
    """The sum of the rents of a player's properties."""
    total = 0
    for k in range(SPACES):
        if s.owner[k] == p + 1:
            total += rent_of(s, k)
    return total


def score(s: State, p: int) -> int:
    """What decides who wins."""
    total = s.money[p]
    if WINNER == BY_RENT:
        total += rents(s, p)
    if WINNER == BY_WORTH:
        for k in range(SPACES):
            if s.owner[k] == p + 1:
                total += COST[k]
    return total
