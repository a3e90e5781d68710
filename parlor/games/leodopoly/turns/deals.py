"""Selling to other players: properties that the player in turn puts up, and the offers for them."""

from __future__ import annotations

from parlor.game import State
from parlor.games.leodopoly.boards import SPACES
from parlor.games.leodopoly.estate import deeds, is_built_on, tradable, transfer_cost
from parlor.games.leodopoly.options import (
    APPLIED,
    DEALS,
    EXTENDED,
    HOUSES,
    MORTGAGES,
    NO_DEALS,
    OFFERS_BEFORE,
    PLAYERS,
    UNIT,
)
from parlor.games.leodopoly.state import ACCEPT, ANSWERING, DICE, MAX_AMOUNT, OFFERING, REFUSE, SELLING
from parlor.games.leodopoly.turns.auctions import most
from parlor.games.leodopoly.turns.building import hand_over


def row_of(k: int) -> int:
    """The row of `offer` for a property."""
    return k if OFFERS_BEFORE else 0


def for_sale(s: State) -> int:
    """The properties that the player in turn can put up, a bit each."""
    if DEALS == NO_DEALS:
        return 0
    return (tradable(s, s.actor) if HOUSES else deeds(s, s.actor)) & ~s.put_up


def is_open(s: State, k: int, p: int) -> bool:
    """Whether a player has made an offer for a property, and can still pay it."""
    return 0 < s.offer[row_of(k)][p] <= s.money[p] - transfer_cost(s, k)


def most_offered(s: State, p: int) -> int:
    """The highest offer that a player can make, in units."""
    if MORTGAGES:
        return min(max(s.money[p] - transfer_cost(s, s.lot), 0) // UNIT, MAX_AMOUNT)
    return most(s, p)


def put_up(s: State, k: int) -> None:
    """Ask the others for offers, from the left."""
    s.put_up |= 1 << k
    s.lot = k
    for p in range(PLAYERS):
        s.offer[row_of(k)][p] = 0
    s.asked = s.actor
    s.phase = OFFERING
    ask_for_offer(s)


def ask_for_offer(s: State) -> None:
    """The next one who has money; after the last one the offers are answered, at once or when all are there."""
    while True:
        s.asked = (s.asked + 1) % PLAYERS
        if s.asked == s.actor or most_offered(s, s.asked):
            break
    if s.asked != s.actor:
        return
    if not OFFERS_BEFORE and has_open_offer(s, s.lot):
        s.phase = ANSWERING
    else:
        s.phase = SELLING


def make_offer(s: State, a: int) -> None:
    """For all to see."""
    s.offer[row_of(s.lot)][s.asked] = a * UNIT
    ask_for_offer(s)


def has_open_offer(s: State, k: int) -> bool:
    """Whether there is anything to accept; what has been traded away or built on since is no longer for sale."""
    count = 0
    if EXTENDED and (s.owner[k] != s.actor + 1 or is_built_on(s, k)):
        return False
    for p in range(PLAYERS):
        count += is_open(s, k, p)
    return count > 0


def answer(s: State, a: int) -> None:
    """Accept an offer, or refuse them all."""
    if a != REFUSE and DEALS == APPLIED:
        buyer = a - ACCEPT
        price = s.offer[row_of(s.lot)][buyer]
        s.money[buyer] -= price
        s.money[s.actor] += price
        if EXTENDED:
            hand_over(s, s.lot, buyer)
        else:
            s.owner[s.lot] = buyer + 1
    for p in range(PLAYERS):
        s.offer[row_of(s.lot)][p] = 0
    if OFFERS_BEFORE:
        end_sales(s)
    else:
        s.phase = SELLING


def end_sales(s: State) -> None:
    """End the sales: answer the offers, where they were collected, in the order of the board; then roll the die."""
    if OFFERS_BEFORE:
        for k in range(SPACES):
            if s.put_up >> k & 1 and has_open_offer(s, k):
                s.lot = k
                s.phase = ANSWERING
                return
        for k in range(SPACES):
            for p in range(PLAYERS):
                s.offer[k][p] = 0
    s.lot = 0
    s.phase = DICE
