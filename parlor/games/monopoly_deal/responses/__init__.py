"""The bounded one-sided response.

A card may hand control to the other player, who then moves alone, one step at a time, until a fixed condition is met;
after that the turn is over. A definition says whether the demand may be made, whether a response is required at all,
what the responses are, and when the phase is complete. The rules call these functions and know nothing of rent. Every
demand can be answered by Just Say No. A new card is one more definition and one more line in some functions here.
"""

from __future__ import annotations

from parlor.game import Ints, State
from parlor.games.monopoly_deal.cards import DEBT_COLLECTOR, EMPTY_RENT, JUST_SAY_NO, LATE_NO, RENT, STEAL
from parlor.games.monopoly_deal.responses.debt_collector import debt_due
from parlor.games.monopoly_deal.responses.payment import pay, payment_complete, valid_payments
from parlor.games.monopoly_deal.responses.rent import rent_due
from parlor.games.monopoly_deal.responses.sly_deal import can_be_stolen, surrender, valid_surrender

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
