"""Intents: the purpose of a move, without the card it is played with.

"Complete a set", "collect rent", "give cash": eleven of them, with the paper's names and numbers. A *resolver* chooses
the card. Two are here: `greedy`, the paper's, takes the highest rent and the highest cash value and has no other
preference; `careful` also considers which colours to build, what the other player can pay, and what to give up.
Ties are broken by a hash of what is public, which needs no random numbers.
"""

from __future__ import annotations

from parlor.game import Ints, State
from parlor.game.rng import mix
from parlor.games.monopoly_deal.cards import (
    CASH_VALUE,
    COLOURS,
    DEBT,
    DEBT_COLLECTOR,
    EMPTY_RENT,
    JUST_SAY_NO,
    LATE_NO,
    ONE,
    PASS,
    PAY_CASH,
    PAY_PROPERTY,
    PAYABLE,
    PROPERTY,
    RENT,
    SET_SIZE,
    SLY_DEAL,
    STEAL,
    THREE,
    YIELD,
)
from parlor.games.monopoly_deal.responses import SURRENDER, can_be_stolen, rent_due, response_required

START_SET, ADD_TO_SET, COMPLETE_SET, CASH, COLLECT_RENT, SAY_NO = 0, 1, 2, 3, 4, 5
GIVE_CASH, GIVE_PROPERTY, DO_PASS, DO_YIELD, OTHER = 6, 7, 8, 9, 10
INTENTS = (
    "StartNewPropertySet",
    "AddToPropertySet",
    "CompletePropertySet",
    "Cash",
    "AttemptCollectRent",
    "JustSayNo",
    "GiveOpponentCash",
    "GiveOpponentProperty",
    "Pass",
    "Yield",
    "Other",
)
PROGRESS = (START_SET, ADD_TO_SET, COMPLETE_SET, CASH, COLLECT_RENT, SAY_NO, GIVE_CASH, GIVE_PROPERTY)  # play a card
POINTLESS = (OTHER,)


def mover(s: State) -> int:
    """The player to move."""
    return 1 - s.actor if response_required(s) else s.actor


def intent_of_property(s: State, p: int, colour: int) -> int:
    """The intent of playing a property."""
    owned = s.property[p][colour]
    size = SET_SIZE[colour]
    if owned >= size:
        return CASH
    if owned + 1 == size:
        return COMPLETE_SET
    return ADD_TO_SET if owned > 0 else START_SET


def intents(s: State) -> int:
    """The possible intents of the player to move, a bit each."""
    p = mover(s)
    mask = 0
    if response_required(s):
        if s.hand[p][JUST_SAY_NO] > 0 and (s.paid == 0 or LATE_NO):
            mask |= 1 << SAY_NO
        if s.demand == SURRENDER:
            return mask | 1 << DO_YIELD
        for kind in range(PAYABLE):
            if s.cash[p][kind] > 0:
                mask |= 1 << GIVE_CASH
        for colour in range(COLOURS):
            if s.property[p][colour] > 0:
                mask |= 1 << GIVE_PROPERTY
        return mask if mask & (1 << GIVE_CASH | 1 << GIVE_PROPERTY) else mask | 1 << DO_YIELD
    if s.hand[p][ONE] > 0 or s.hand[p][THREE] > 0:
        mask |= 1 << CASH
    if s.hand[p][DEBT_COLLECTOR] > 0:
        mask |= 1 << COLLECT_RENT
    for colour in range(COLOURS):
        if s.hand[p][PROPERTY + colour] > 0:
            mask |= 1 << intent_of_property(s, p, colour)
        if s.hand[p][RENT + colour] > 0:
            if s.property[p][colour] > 0:
                mask |= 1 << COLLECT_RENT
            elif EMPTY_RENT:
                mask |= 1 << OTHER
    if s.hand[p][SLY_DEAL] > 0:
        for colour in range(COLOURS):
            if can_be_stolen(s, 1 - p, colour):
                mask |= 1 << COLLECT_RENT
    return mask | 1 << DO_PASS


def legal_intents(s: State, out: Ints) -> int:
    """The possible intents in their order."""
    mask = intents(s)
    count = 0
    for intent in range(OTHER + 1):
        if mask >> intent & 1:
            out[count] = intent
            count += 1
    return count


# --------------------------------------------------------------------------------------------------- resolvers


def due(s: State, p: int, a: int) -> int:
    """The amount that a demand is worth."""
    if a == DEBT_COLLECTOR:
        return DEBT
    return rent_due(s, p, a) if a < JUST_SAY_NO else CASH_VALUE[PROPERTY + a - STEAL]


def liked_by_greedy(s: State, p: int, a: int, intent: int) -> int:
    """The highest rent and the highest cash value; nothing else."""
    if intent == CASH:
        return CASH_VALUE[a]
    return due(s, p, a) if intent == COLLECT_RENT else 0


def wealth(s: State, p: int) -> int:
    """Everything that `p` could pay with."""
    total = 0
    for kind in range(PAYABLE):
        total += s.cash[p][kind] * CASH_VALUE[kind]
    for colour in range(COLOURS):
        total += s.property[p][colour] * CASH_VALUE[PROPERTY + colour]
    return total


def liked_by_careful(s: State, p: int, a: int, intent: int) -> int:
    """Build what is complete soonest, charge what can be paid, pay exactly, and give up what is least needed."""
    if intent <= COMPLETE_SET:  # how many cards are missing beyond the table and the hand; then the higher rent
        colour = a - PROPERTY
        missing = max(SET_SIZE[colour] - s.property[p][colour] - s.hand[p][a], 0)
        return 100 - 10 * missing - SET_SIZE[colour] + s.hand[p][RENT + colour]
    if intent == CASH:  # money rather than a surplus property, which could charge rent if its set is broken
        return CASH_VALUE[a] * 2 + (1 if a < PROPERTY else 0)
    if intent == COLLECT_RENT:
        return 100 + 10 * min(due(s, p, a), wealth(s, 1 - p)) - due(s, p, a)
    rest = s.owed - s.paid
    if intent == GIVE_CASH:  # the smallest that covers the rest, else the largest
        value = CASH_VALUE[a - PAY_CASH]
        return 100 - value if value >= rest else value
    if intent == GIVE_PROPERTY:
        colour = a - PAY_PROPERTY
        owned = s.property[p][colour]
        value = CASH_VALUE[PROPERTY + colour]
        if owned > SET_SIZE[colour]:  # surplus is not missed
            return 1000 - value
        progress = 100 * owned // SET_SIZE[colour]
        return 500 - 2 * progress - (value if value >= rest else 0)
    return 0


def ticket(s: State, p: int, a: int, intent: int) -> int:
    """A hash that breaks ties."""
    return mix(s.turn << 16 | s.left << 8 | s.held[p], (p * 64 + a) << 16 | intent << 8 | s.paid)


def preferred(s: State, p: int, a: int, b: int, intent: int, careful: bool) -> int:
    """The better one of two actions for an intent; `a` may be -1 for none."""
    if a < 0:
        return b
    one = liked_by_careful(s, p, a, intent) if careful else liked_by_greedy(s, p, a, intent)
    two = liked_by_careful(s, p, b, intent) if careful else liked_by_greedy(s, p, b, intent)
    if one == two:
        return a if ticket(s, p, a, intent) > ticket(s, p, b, intent) else b
    return a if one > two else b


def resolve(s: State, intent: int, careful: bool) -> int:
    """The concrete action for a legal intent: the preferred one of those it can mean."""
    p = mover(s)
    found = -1
    if intent <= CASH:
        for colour in range(COLOURS):
            if s.hand[p][PROPERTY + colour] > 0 and intent_of_property(s, p, colour) == intent:
                found = preferred(s, p, found, PROPERTY + colour, intent, careful)
        if intent == CASH:
            for money in (ONE, THREE):
                if s.hand[p][money] > 0:
                    found = preferred(s, p, found, money, intent, careful)
        return found
    if intent in (COLLECT_RENT, OTHER):
        for colour in range(COLOURS):
            if s.hand[p][RENT + colour] > 0 and (s.property[p][colour] > 0) == (intent == COLLECT_RENT):
                found = preferred(s, p, found, RENT + colour, intent, careful)
        if intent == COLLECT_RENT and s.hand[p][DEBT_COLLECTOR] > 0:
            found = preferred(s, p, found, DEBT_COLLECTOR, intent, careful)
        if intent == COLLECT_RENT and s.hand[p][SLY_DEAL] > 0:
            for colour in range(COLOURS):
                if can_be_stolen(s, 1 - p, colour):
                    found = preferred(s, p, found, STEAL + colour, intent, careful)
        return found
    if intent == GIVE_CASH:
        for kind in range(PAYABLE):
            if s.cash[p][kind] > 0:
                found = preferred(s, p, found, PAY_CASH + kind, intent, careful)
        return found
    if intent == GIVE_PROPERTY:
        for colour in range(COLOURS):
            if s.property[p][colour] > 0:
                found = preferred(s, p, found, PAY_PROPERTY + colour, intent, careful)
        return found
    if intent == SAY_NO:
        return JUST_SAY_NO
    return PASS if intent == DO_PASS else YIELD


def greedy(s: State, a: int) -> int:
    """The paper's resolver; draws are unchanged."""
    return a if s.drawing > 0 else resolve(s, a, False)


def careful(s: State, a: int) -> int:
    """The careful resolver."""
    return a if s.drawing > 0 else resolve(s, a, True)
