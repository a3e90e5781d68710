"""Houses, hotels and mortgages.

Houses are built on full sets without mortgages, evenly: a street may have one house more than the others of its set.
They are sold as evenly, for half of their price. After four houses comes a hotel; the bank has 32 houses and 12 hotels.
A hotel that is sold becomes four houses; if the bank does not have them, everything on the set is sold at once.
A property of a set without houses can be mortgaged for half of its cost, and redeemed for a tenth more.
"""

from __future__ import annotations

from parlor.game import Ints, State
from parlor.games.leodopoly.boards import SPACES
from parlor.games.leodopoly.estate import (
    FIRST,
    GROUP,
    HOTEL,
    HOUSE,
    LAST,
    has_set,
    hotels_left,
    houses_left,
    interest,
    is_built_on,
    is_mortgaged,
    loan,
    refund,
)
from parlor.games.leodopoly.options import HOUSES, MORTGAGES
from parlor.games.leodopoly.state import BUILD, DEMOLISH, MANAGED, MORTGAGE, REDEEM


def receive(s: State, p: int, amount: int) -> None:
    """The bank pays; or is paid, if it is negative."""
    s.money[p] += amount
    s.bank -= amount


def is_even(s: State, k: int, step: int) -> bool:
    """Whether a house more (1) or less (-1) leaves no gap of two in the set; there is none if anything is mortgaged."""
    uneven = 0
    for other in range(FIRST[k], LAST[k] + 1):
        if GROUP[other] == GROUP[k]:
            uneven += (s.level[other] - s.level[k]) * step < 0
    return uneven == 0


def can_build(s: State, p: int, k: int) -> bool:
    """A full set without mortgages, money for a house, and one left in the bank."""
    if s.owner[k] != p + 1 or HOUSE[k] == 0 or s.level[k] == HOTEL or s.money[p] < HOUSE[k]:
        return False
    if not has_set(s, k) or not is_even(s, k, 1):
        return False
    if MORTGAGES:
        for other in range(FIRST[k], LAST[k] + 1):
            if GROUP[other] == GROUP[k] and is_mortgaged(s, other):
                return False
    return hotels_left(s) > 0 if s.level[k] == HOTEL - 1 else houses_left(s) > 0


def can_demolish(s: State, p: int, k: int) -> bool:
    """There is a house, and no street of the set has more."""
    return s.owner[k] == p + 1 and s.level[k] > 0 and is_even(s, k, -1)


def can_mortgage(s: State, p: int, k: int) -> bool:
    """It is free of mortgages, and its set of houses."""
    return s.owner[k] == p + 1 and not is_mortgaged(s, k) and not is_built_on(s, k)


def can_redeem(s: State, p: int, k: int) -> bool:
    """It is mortgaged, and there is the money."""
    return s.owner[k] == p + 1 and is_mortgaged(s, k) and s.money[p] >= loan(k) + interest(k)


def list_sources(s: State, p: int, out: Ints, count: int) -> int:
    """Add the moves that bring money: sell a house, mortgage a property."""
    for k in range(SPACES):
        if HOUSES and can_demolish(s, p, k):
            out[count] = DEMOLISH + k
            count += 1
        if MORTGAGES and can_mortgage(s, p, k):
            out[count] = MORTGAGE + k
            count += 1
    return count


def list_investments(s: State, p: int, out: Ints, count: int) -> int:
    """Add the moves that cost money: build a house, redeem a property."""
    for k in range(SPACES):
        if HOUSES and can_build(s, p, k):
            out[count] = BUILD + k
            count += 1
        if MORTGAGES and can_redeem(s, p, k):
            out[count] = REDEEM + k
            count += 1
    return count


def may_manage(s: State) -> bool:
    """There are only so many of these moves in a turn, so that every turn ends."""
    return s.managed < MANAGED


def can_manage(s: State, p: int) -> bool:
    """Whether there is any such move."""
    if not may_manage(s):
        return False
    for k in range(SPACES):
        if s.owner[k] == p + 1:
            if HOUSES and (s.level[k] or can_build(s, p, k)):
                return True
            if MORTGAGES and (can_mortgage(s, p, k) or can_redeem(s, p, k)):
                return True
    return False


def manage(s: State, p: int, a: int) -> None:
    """Build, sell, mortgage or redeem."""
    if MORTGAGES and a >= REDEEM:
        redeem(s, p, a - REDEEM)
    elif MORTGAGES and a >= MORTGAGE:
        mortgage(s, p, a - MORTGAGE)
    elif HOUSES and a >= DEMOLISH:
        demolish(s, p, a - DEMOLISH)
    elif HOUSES:
        build(s, p, a - BUILD)


def build(s: State, p: int, k: int) -> None:
    """A house, or a hotel in place of four."""
    receive(s, p, -HOUSE[k])
    s.level[k] += 1


def demolish(s: State, p: int, k: int) -> None:
    """Sell a house; a hotel becomes four houses if the bank has them."""
    if s.level[k] == HOTEL and houses_left(s) < HOTEL - 1:
        for other in range(FIRST[k], LAST[k] + 1):
            if GROUP[other] == GROUP[k]:
                clear(s, p, other)
    else:
        receive(s, p, refund(k))
        s.level[k] -= 1


def clear(s: State, p: int, k: int) -> None:
    """Sell all houses of a street."""
    receive(s, p, s.level[k] * refund(k))
    s.level[k] = 0


def mortgage(s: State, p: int, k: int) -> None:
    """The bank lends half of the cost."""
    receive(s, p, loan(k))
    s.mortgaged |= 1 << k


def redeem(s: State, p: int, k: int) -> None:
    """Pay it back with interest."""
    receive(s, p, -loan(k) - interest(k))
    s.mortgaged &= ~(1 << k)


def hand_over(s: State, k: int, p: int) -> None:
    """A property has a new owner, who pays the interest if it is mortgaged."""
    if MORTGAGES and is_mortgaged(s, k):
        receive(s, p, -min(interest(k), s.money[p]))
    s.owner[k] = p + 1
