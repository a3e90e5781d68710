"""The bounded one-sided response.

A card may hand control to the other player, who then moves alone, one step at a time, until a fixed condition is met;
after that the turn is over. A definition says whether the demand may be made, whether a response is required at all,
what the responses are, and when the phase is complete. The rules call these functions and know nothing of rent. Every
demand can be answered by Just Say No. A new card is one more definition and one more line in some functions here.

A debt, of rent or to the debt collector, is paid one card a step, from the bank or from the properties, until the
amount is covered; no change is given. A player with nothing left yields. The phase is bounded: every step but the last
hands over a card.
"""

from __future__ import annotations

from parlor.game import Ints, State
from parlor.games.monopoly_deal.cards import (
    CASH_VALUE,
    COLOURS,
    DEBT,
    DEBT_COLLECTOR,
    EMPTY_RENT,
    JUST_SAY_NO,
    LATE_NO,
    PAID_TO_BANK,
    PAY_CASH,
    PAY_PROPERTY,
    PAYABLE,
    PROPERTY,
    RENT,
    RENTS,
    SET_SIZE,
    STEAL,
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


def rent_due(s: State, p: int, card: int) -> int:
    """By the number owned, a complete set at most; nothing without a property."""
    colour = card - RENT
    owned = min(s.property[p][colour], SET_SIZE[colour])
    return RENTS[colour][owned - 1] if owned > 0 else 0


def debt_due() -> int:
    """A fixed sum."""
    return DEBT


def can_be_stolen(s: State, p: int, colour: int) -> bool:
    """Complete sets are safe."""
    return 0 < s.property[p][colour] < SET_SIZE[colour]


def valid_surrender(s: State, out: Ints, count: int) -> int:
    """The only response besides Just Say No is to give it up."""
    out[count] = YIELD
    return count + 1


def surrender(s: State, p: int) -> None:
    """The property changes hands."""
    s.property[p][s.wanted] -= 1
    s.property[1 - p][s.wanted] += 1
    s.settled = 1


NONE, PAYMENT, SURRENDER = 0, 1, 2


def demand(s: State, p: int, a: int) -> None:
    """Player `p` has played a card that may demand something: store the demand."""
    if a >= STEAL:
        s.demand = SURRENDER
        s.wanted = a - STEAL
        return
    s.owed = debt_due() if a == DEBT_COLLECTOR else rent_due(s, p, a)
    if s.owed > 0:
        s.demand = PAYMENT


def is_demand(a: int) -> bool:
    """Whether an action is one that demands something."""
    return RENT <= a < JUST_SAY_NO or a == DEBT_COLLECTOR or a >= STEAL


def can_demand(s: State, p: int, a: int) -> bool:
    """Whether player `p`, who has the card, may demand this: rent needs a property, theft something to steal."""
    if a >= STEAL:
        return can_be_stolen(s, 1 - p, a - STEAL)
    return a == DEBT_COLLECTOR or EMPTY_RENT == 1 or rent_due(s, p, a) > 0


def response_required(s: State) -> bool:
    """Whether the other player is to move."""
    return s.demand != NONE


def valid_responses(s: State, p: int, out: Ints) -> int:
    """The legal responses."""
    count = 0
    if s.hand[p][JUST_SAY_NO] > 0 and (s.paid == 0 or LATE_NO):
        out[0] = JUST_SAY_NO
        count = 1
    if s.demand == SURRENDER:
        return valid_surrender(s, out, count)
    return valid_payments(s, p, out, count)


def respond(s: State, p: int, a: int) -> None:
    """One step of the response."""
    if a == JUST_SAY_NO:
        s.hand[p][JUST_SAY_NO] -= 1
        s.held[p] -= 1
        s.discard[JUST_SAY_NO] += 1
        s.settled = 1
    elif s.demand == SURRENDER:
        surrender(s, p)
    else:
        pay(s, p, a)


def response_complete(s: State) -> bool:
    """Whether the phase is over."""
    return s.settled == 1 if s.demand == SURRENDER else payment_complete(s)


def close(s: State) -> None:
    """Clear the demand."""
    s.demand = NONE
    s.owed = 0
    s.paid = 0
    s.wanted = 0
    s.settled = 0
