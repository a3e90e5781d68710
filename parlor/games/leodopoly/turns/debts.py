"""Debts: who cannot pay raises money first, and is bankrupt only if that cannot suffice.

There is one kind of debt at a time: every debtor owes the same to every creditor, and there is only one debtor or one
creditor. They are settled one after the other, from the player in turn to the left. Who has houses to sell or
properties to mortgage decides which. A bankrupt player's houses are sold to the bank, and everything goes to the
creditor, mortgaged properties as they are, with interest to the bank as far as the money goes; the bank auctions what
it gets, free of mortgages. If the first bankruptcy ends the game, only money changes hands.
"""

from __future__ import annotations

from parlor.game import State
from parlor.games.leodopoly.boards import SPACES
from parlor.games.leodopoly.estate import raisable
from parlor.games.leodopoly.options import CARDS, HOUSES, JAIL, LAST_PLAYER, MORTGAGES, PLAYERS
from parlor.games.leodopoly.state import BANK, RAISING, RESOLVED
from parlor.games.leodopoly.turns.auctions import begin_auction
from parlor.games.leodopoly.turns.building import clear, hand_over
from parlor.games.leodopoly.turns.endings import finish


def charge(s: State, debtors: int, creditors: int, amount: int) -> None:
    """Every debtor owes this to every creditor; they are bits."""
    s.phase = RESOLVED
    if amount and debtors and creditors:
        s.due, s.debtors, s.creditors = amount, debtors, creditors


def from_left(s: State, players: int) -> int:
    """The first of several players from the player in turn to the left; the bank comes last."""
    for step in range(PLAYERS):
        p = (s.actor + step) % PLAYERS
        if players >> p & 1:
            return p
    return BANK


def settle(s: State) -> None:
    """One debtor pays one creditor; or raises money, or is bankrupt."""
    debtor, creditor = from_left(s, s.debtors), from_left(s, s.creditors)
    if s.money[debtor] >= s.due:
        pay(s, debtor, creditor, s.due)
        if s.creditors & (s.creditors - 1):
            s.creditors &= ~(1 << creditor)
        else:
            s.debtors &= ~(1 << debtor)
    elif s.money[debtor] + raisable(s, debtor) >= s.due:
        s.asked = debtor
        s.phase = RAISING
        return
    else:
        go_bankrupt(s, debtor, creditor)
        s.debtors &= ~(1 << debtor)
    if s.debtors == 0:
        s.due, s.creditors = 0, 0


def pay(s: State, debtor: int, creditor: int, amount: int) -> None:
    """To a player or the bank."""
    s.money[debtor] -= amount
    if creditor == BANK:
        s.bank += amount
    else:
        s.money[creditor] += amount


def go_bankrupt(s: State, p: int, creditor: int) -> None:
    """Everything goes to the creditor."""
    if HOUSES:
        for k in range(SPACES):
            if s.owner[k] == p + 1:
                clear(s, p, k)
    pay(s, p, creditor, s.money[p])
    s.bankrupt = p + 1
    s.gone |= 1 << p
    if LAST_PLAYER:
        give_up_estate(s, p, creditor)
    if not LAST_PLAYER or is_one_left(s):
        s.debtors, s.estate = 0, 0
        finish(s)


def give_up_estate(s: State, p: int, creditor: int) -> None:
    """Properties, and cards to get out of jail."""
    for k in range(SPACES):
        if s.owner[k] == p + 1 and creditor != BANK:
            hand_over(s, k, creditor)
        elif s.owner[k] == p + 1:
            s.owner[k] = 0
            s.estate |= 1 << k
            if MORTGAGES:
                s.mortgaged &= ~(1 << k)
    if JAIL:
        s.jailed[p] = 0
    if JAIL and CARDS:
        for pile in range(2):
            if s.pardon[pile] == p + 1:
                s.pardon[pile] = 0 if creditor == BANK else creditor + 1


def is_one_left(s: State) -> bool:
    """All others are bankrupt."""
    left = 0
    for p in range(PLAYERS):
        left += s.gone >> p & 1 == 0
    return left == 1


def auction_estate(s: State) -> None:
    """The next property of a bankrupt player."""
    k = 0
    while s.estate >> k & 1 == 0:
        k += 1
    s.estate &= ~(1 << k)
    s.lot = k
    begin_auction(s)
