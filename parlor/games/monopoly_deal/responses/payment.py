"""Paying a debt, card by card: what rent and the debt collector demand.

One card a step, from the bank or from the properties, until the amount is covered; no change is given. A player with
nothing left yields. The phase is bounded: every step but the last hands over a card.
"""

from __future__ import annotations

from parlor.game import Ints, State
from parlor.games.monopoly_deal.cards import (
    CASH_VALUE,
    COLOURS,
    PAID_TO_BANK,
    PAY_CASH,
    PAY_PROPERTY,
    PAYABLE,
    PROPERTY,
    YIELD,
)


def valid_payments(s: State, p: int, out: Ints, count: int) -> int:
    """Any card of the bank, any property; nothing but yielding if there is neither."""
    before = count
    for kind in range(PAYABLE):
        if s.cash[p][kind] > 0:
            out[count] = PAY_CASH + kind
            count += 1
    for colour in range(COLOURS):
        if s.property[p][colour] > 0:
            out[count] = PAY_PROPERTY + colour
            count += 1
    if count == before:
        out[count] = YIELD
        count += 1
    return count


def pay(s: State, p: int, a: int) -> None:
    """Hand one card over."""
    if a == YIELD:
        s.settled = 1
    elif a < PAY_PROPERTY:
        kind = a - PAY_CASH
        s.cash[p][kind] -= 1
        s.cash[1 - p][kind] += 1
        s.paid += CASH_VALUE[kind]
    else:
        colour = a - PAY_PROPERTY
        s.property[p][colour] -= 1
        if PAID_TO_BANK:
            s.cash[1 - p][PROPERTY + colour] += 1
        else:
            s.property[1 - p][colour] += 1
        s.paid += CASH_VALUE[PROPERTY + colour]


def payment_complete(s: State) -> bool:
    """The amount is covered, or there is nothing left."""
    return s.settled == 1 or s.paid >= s.owed
