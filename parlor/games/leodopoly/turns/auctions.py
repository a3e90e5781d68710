"""Auctions, English and sealed.

English: from the left of the player who landed there, everybody in turn raises the bid by one unit or passes for good;
the last one pays the bid. Sealed: everybody names a limit, which the others do not see, and the same auction is played
with players who raise while the bid is below their limit.
"""

from __future__ import annotations

from parlor.game import State
from parlor.game.rng import mix
from parlor.games.leodopoly.options import EXTENDED, LANDER_TAKES, PLAYERS, SEALED, UNIT
from parlor.games.leodopoly.state import BIDDING, MAX_AMOUNT, RAISE, RESOLVED

EVERYBODY = (1 << PLAYERS) - 1


def sell_to(s: State, p: int, price: int) -> None:
    """The bank sells the lot."""
    s.money[p] -= price
    s.bank += price
    s.owner[s.lot] = p + 1
    s.phase = RESOLVED


def most(s: State, p: int) -> int:
    """The highest amount that a player can name, in units."""
    return min(s.money[p] // UNIT, MAX_AMOUNT)


def begin_auction(s: State) -> None:
    """From the left of the player who landed there, who comes last."""
    s.phase = BIDDING
    s.bid = 0
    s.asked = s.actor
    if SEALED:
        s.bidding = 0
        ask_for_limit(s)
    else:
        s.bidding = EVERYBODY
        if EXTENDED:
            s.bidding &= ~s.gone
        ask_for_raise(s)


def ask_for_limit(s: State) -> None:
    """The next one who has money; after the last one the limits decide."""
    while s.bidding != EVERYBODY:
        s.asked = (s.asked + 1) % PLAYERS
        s.bidding |= 1 << s.asked
        if s.money[s.asked] >= UNIT:
            return
    if EXTENDED:
        s.bidding &= ~s.gone
    decide_auction(s)


def name_limit(s: State, a: int) -> None:
    """In secret."""
    s.limit[s.asked] = a * UNIT
    ask_for_limit(s)


def ask_for_raise(s: State) -> None:
    """The next one who has not passed and can raise; the last one gets the lot."""
    while s.phase == BIDDING:
        s.asked = (s.asked + 1) % PLAYERS
        if s.bidding >> s.asked & 1 == 0:
            continue
        alone = s.bidding == 1 << s.asked
        if alone and (s.bid or LANDER_TAKES):
            end_auction(s, s.asked)
        elif most(s, s.asked) * UNIT > s.bid:
            return
        else:
            drop_out(s)


def drop_out(s: State) -> None:
    """The player who is asked passes; if it was the last one, nobody wants the lot."""
    s.bidding &= ~(1 << s.asked)
    if s.bidding == 0:
        end_auction(s, -1)


def raise_or_pass(s: State, a: int) -> None:
    """By one unit, or never again."""
    if a == RAISE:
        s.bid += UNIT
    else:
        drop_out(s)
    if s.phase == BIDDING and s.bidding:
        ask_for_raise(s)


def decide_auction(s: State) -> None:
    """The same with players who raise while the bid is below their limits; whole rounds of raises are skipped."""
    while True:
        p = s.asked = (s.asked + 1) % PLAYERS
        if s.bidding >> p & 1 == 0:
            continue
        rivals, lowest = 0, MAX_AMOUNT * UNIT
        for q in range(PLAYERS):
            if s.bidding >> q & 1:
                rivals += 1
                lowest = min(lowest, s.limit[q])
        if rivals == 1 and (s.bid or LANDER_TAKES):
            end_auction(s, p)
            return
        rounds = (lowest - s.bid) // (rivals * UNIT)
        if rivals > 1 and rounds > 0:
            s.bid += rounds * rivals * UNIT
        if s.limit[p] > s.bid:
            s.bid += UNIT
        else:
            s.bidding &= ~(1 << p)
            if s.bidding == 0:
                end_auction(s, -1)
                return


def end_auction(s: State, winner: int) -> None:
    """Sell the lot; a winner of -1 means that the bank keeps it."""
    price = s.bid
    s.bid = 0
    s.bidding = 0
    for p in range(PLAYERS):
        s.limit[p] = 0
    s.history = mix(s.history, (winner + 1) << 32 | price)
    if winner < 0:
        s.phase = RESOLVED
    else:
        sell_to(s, winner, price)
