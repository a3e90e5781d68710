"""Properties and their worth: sets, rents, houses, mortgages, and the score of a player."""

from __future__ import annotations

from parlor.game import State
from parlor.games.leodopoly.boards import BOARD, LEVELS, SPACES, STATION, STREET, UTILITY
from parlor.games.leodopoly.options import BY_RENT, BY_WORTH, FULL_BOARD, HOUSES, MORTGAGES, WINNER

COST = tuple(space.cost for space in BOARD)
RENT = tuple(space.rent for space in BOARD)
GROUP = tuple(space.group for space in BOARD)
KIND = tuple(space.kind for space in BOARD)
HOUSE = tuple(space.house for space in BOARD)
RENTS = tuple(space.rents for space in BOARD)
PROPERTIES = sum(cost > 0 for cost in COST)
AVERAGE_ROLL = 7
BANK_HOUSES = 32
BANK_HOTELS = 12
HOTEL = LEVELS
#: space -> the spaces of its group, a bit each
SET = tuple(sum(1 << other for other in range(SPACES) if GROUP[k] and GROUP[other] == GROUP[k]) for k in range(SPACES))
#: space -> the first and the last space of its group
FIRST = tuple(min((other for other in range(SPACES) if SET[k] >> other & 1), default=k) for k in range(SPACES))
LAST = tuple(max((other for other in range(SPACES) if SET[k] >> other & 1), default=k) for k in range(SPACES))


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
    for other in range(FIRST[k], LAST[k] + 1):
        missing += GROUP[other] == GROUP[k] and s.owner[other] != s.owner[k]
    return s.owner[k] > 0 and missing == 0


def same_owner(s: State, k: int) -> int:
    """The number of spaces of its group that the owner of a space has."""
    count = 0
    for other in range(FIRST[k], LAST[k] + 1):
        count += GROUP[other] == GROUP[k] and s.owner[other] == s.owner[k]
    return count


# -------------------------------------------------------------------------------------------------------------- rents


def is_mortgaged(s: State, k: int) -> bool:
    """Whether it earns nothing."""
    if MORTGAGES:
        return s.mortgaged >> k & 1 > 0
    return False


def level_of(s: State, k: int) -> int:
    """Houses; 5 is a hotel."""
    if HOUSES:
        return s.level[k]
    return 0


def rent_of(s: State, k: int) -> int:
    """The rent of a space, twice as high for a full set. Of a utility, at an average roll."""
    if is_mortgaged(s, k):
        return 0
    if HOUSES and s.level[k]:
        return RENTS[k][s.level[k] - 1]
    if FULL_BOARD and KIND[k] == STATION:
        return RENT[k] << (same_owner(s, k) - 1 if s.owner[k] else 0)
    if FULL_BOARD and KIND[k] == UTILITY:
        return AVERAGE_ROLL * dice_rent(s, k)
    return 2 * RENT[k] if has_set(s, k) else RENT[k]


def dice_rent(s: State, k: int) -> int:
    """The multiple of the dice that a utility charges."""
    return 10 if has_set(s, k) else 4


def rents(s: State, p: int) -> int:
    """The sum of the rents of a player's properties."""
    total = 0
    for k in range(SPACES):
        if s.owner[k] == p + 1:
            total += rent_of(s, k)
    return total


# -------------------------------------------------------------------------------------------------------------- worth


def loan(k: int) -> int:
    """The mortgage value of a property."""
    return COST[k] // 2


def interest(k: int) -> int:
    """A tenth of the loan, rounded up: paid when it is redeemed, and by whoever gets a mortgaged property."""
    return (COST[k] // 2 + 9) // 10


def transfer_cost(s: State, k: int) -> int:
    """The interest that a new owner pays to the bank at once."""
    return interest(k) if is_mortgaged(s, k) else 0


def refund(k: int) -> int:
    """The bank's price for a house that is sold back."""
    return HOUSE[k] // 2


def raisable(s: State, p: int) -> int:
    """The most that a player could raise by selling all of its houses and mortgaging everything."""
    total = 0
    for k in range(SPACES):
        if s.owner[k] == p + 1:
            if HOUSES:
                total += s.level[k] * refund(k)
            if MORTGAGES and not is_mortgaged(s, k):
                total += loan(k)
    return total


def score(s: State, p: int) -> int:
    """The score that decides the game. A mortgaged property is worth half of its cost, and so is a house."""
    total = s.money[p]
    if WINNER == BY_RENT:
        total += rents(s, p)
    if WINNER == BY_WORTH:
        for k in range(SPACES):
            if s.owner[k] == p + 1:
                total += COST[k]
                if MORTGAGES and is_mortgaged(s, k):
                    total -= loan(k)
                if HOUSES:
                    total += s.level[k] * refund(k)
    return total


# ----------------------------------------------------------------------------------------------------- the bank's stock


def houses_left(s: State) -> int:
    """In the bank."""
    left = BANK_HOUSES
    for k in range(SPACES):
        if s.level[k] < HOTEL:
            left -= s.level[k]
    return left


def hotels_left(s: State) -> int:
    """In the bank."""
    left = BANK_HOTELS
    for k in range(SPACES):
        left -= s.level[k] == HOTEL
    return left


def is_built_on(s: State, k: int) -> bool:
    """Whether there are houses on any space of its group."""
    built = 0
    if HOUSES and KIND[k] == STREET:
        for other in range(FIRST[k], LAST[k] + 1):
            if GROUP[other] == GROUP[k]:
                built += s.level[other]
    return built > 0


def tradable(s: State, p: int) -> int:
    """The properties that a player may sell, a bit each: those of groups without houses."""
    owned = 0
    for k in range(SPACES):
        if s.owner[k] == p + 1 and not is_built_on(s, k):
            owned |= 1 << k
    return owned
