"""Rolling, moving, and what happens on the space where one lands."""

from __future__ import annotations

from parlor.game import State
from parlor.games.leodopoly.boards import CHANCE_SPACE, CHEST_SPACE, GO_TO_JAIL, SPACES, STATION, TAX, UTILITY
from parlor.games.leodopoly.estate import COST, KIND, RENT, dice_rent, is_mortgaged, rent_of
from parlor.games.leodopoly.options import BUYING, CARDS, EXTENDED, FULL_BOARD, JAIL, SALARY, TWO_DICE
from parlor.games.leodopoly.state import BANK, BUYING_NOW, METERING, PAIRS, RESOLVED, SIDES
from parlor.games.leodopoly.turns.auctions import begin_auction
from parlor.games.leodopoly.turns.building import receive
from parlor.games.leodopoly.turns.debts import charge
from parlor.games.leodopoly.turns.endings import finish
from parlor.games.leodopoly.turns.jail import ATTEMPTS, FINE, send_to_jail
from parlor.games.leodopoly.turns.piles import ask_for_card

DOUBLES_TO_JAIL = 3
SUM = tuple(low + high for low, high in PAIRS)
IS_DOUBLE = tuple(low == high for low, high in PAIRS)


def spaces_of(a: int) -> int:
    """The number of spaces that a roll moves."""
    return SUM[a] if TWO_DICE else a + 1


def roll(s: State, a: int) -> None:
    """Move by the dice, unless there are three doubles in a row, or the player is in jail."""
    if not EXTENDED:
        move_token(s, a + 1)
        return
    p, double = s.actor, False
    s.dice = a + 1
    s.phase = RESOLVED
    if TWO_DICE:
        double = IS_DOUBLE[a]
    if JAIL and s.jailed[p]:
        try_to_leave(s, a, double if TWO_DICE else a == SIDES - 1)
        return
    s.doubles = s.doubles + 1 if double else 0
    if s.doubles == DOUBLES_TO_JAIL:
        s.doubles = 0
        if JAIL:
            send_to_jail(s, p)
            return
    move_token(s, spaces_of(a))


def try_to_leave(s: State, a: int, escapes: bool) -> None:
    """Doubles lead out of jail; after the third miss, so does the fine."""
    p = s.actor
    s.doubles = 0
    if escapes:
        s.jailed[p] = 0
        move_token(s, spaces_of(a))
    elif s.jailed[p] == ATTEMPTS:
        s.jailed[p] = 0
        s.steps = spaces_of(a)
        charge(s, 1 << p, 1 << BANK, FINE)
    else:
        s.jailed[p] += 1


def move_token(s: State, steps: int, by_card: bool = False) -> None:
    """Forward; the bank pays the salary on the first space and beyond."""
    p = s.actor
    k = s.position[p] + steps
    if SALARY and k >= SPACES:
        receive(s, p, k // SPACES * SALARY)
    s.position[p] = k % SPACES
    land(s, k % SPACES, by_card)


def land(s: State, k: int, by_card: bool) -> None:
    """Pay, buy or draw a card; where a card says so, the rent of stations and utilities is higher."""
    p = s.actor
    if COST[k] == 0:
        s.phase = RESOLVED
        if EXTENDED:
            visit(s, k)
    elif s.owner[k] == p + 1 or is_mortgaged(s, k):
        s.phase = RESOLVED
    elif s.owner[k]:
        if EXTENDED:
            owe_rent(s, k, by_card)
        else:
            pay_rent(s, k)
    else:
        s.lot = k
        if BUYING and s.money[p] >= COST[k]:
            s.phase = BUYING_NOW
        else:
            begin_auction(s)


def visit(s: State, k: int) -> None:
    """A space that is not for sale."""
    if FULL_BOARD and KIND[k] == TAX:
        charge(s, 1 << s.actor, 1 << BANK, RENT[k])
    if CARDS and (KIND[k] == CHANCE_SPACE or KIND[k] == CHEST_SPACE):
        ask_for_card(s)
    if JAIL and KIND[k] == GO_TO_JAIL:
        send_to_jail(s, s.actor)


def owe_rent(s: State, k: int, by_card: bool) -> None:
    """The rent becomes a debt; after a card, the dice are rolled for a utility."""
    rent = rent_of(s, k)
    if FULL_BOARD and KIND[k] == UTILITY:
        if by_card:
            s.phase = METERING
            return
        rent = dice_rent(s, k) * spaces_of(s.dice - 1)
    if FULL_BOARD and by_card and KIND[k] == STATION:
        rent *= 2
    charge(s, 1 << s.actor, 1 << (s.owner[k] - 1), rent)


def meter(s: State, a: int) -> None:
    """Ten times the dice, whoever else owns the other utility."""
    s.dice = a + 1
    charge(s, 1 << s.actor, 1 << (s.owner[s.position[s.actor]] - 1), 10 * spaces_of(a))


def pay_rent(s: State, k: int) -> None:
    """Pay the rent. A player who cannot hands over all cash, and the game is over."""
    p, owner, rent = s.actor, s.owner[k] - 1, rent_of(s, k)
    paid = min(rent, s.money[p])
    s.money[p] -= paid
    s.money[owner] += paid
    if paid < rent:
        s.bankrupt = p + 1
        finish(s)
    else:
        s.phase = RESOLVED
