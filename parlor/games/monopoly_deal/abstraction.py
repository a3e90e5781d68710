"""Abstractions of Monopoly Deal: games over the same states with fewer actions and coarser knowledge.

An *intent* says what a move is for ("complete a set", "collect rent") and leaves the choice of the card to a resolver:
the highest rent, the highest cash value, and among equals by what the player has seen, which is as good as a coin and
needs none. Three games are made from this:

    intent    what can be intended now and the turn of the streak: the paper's abstraction, about 120 infosets a side
    counts    also what matters of the table: sets in progress on both sides, cash to pay with, rent in hand, hand size
    table     concrete actions, and all that lies open now; only the order in which it came about is forgotten
"""

from __future__ import annotations

from parlor.game import Ints, State
from parlor.games.monopoly_deal.cards import (
    CASH_VALUE,
    COLOURS,
    DEBT,
    DEBT_COLLECTOR,
    JUST_SAY_NO,
    KINDS,
    LATE_NO,
    PASS,
    PAY_CASH,
    PAY_PROPERTY,
    PAYABLE,
    PROPERTY,
    RENT,
    SET_SIZE,
    SLY_DEAL,
    STEAL,
    YIELD,
)
from parlor.games.monopoly_deal.responses import SURRENDER, response_required
from parlor.games.monopoly_deal.responses.rent import rent_due
from parlor.games.monopoly_deal.responses.sly_deal import can_be_stolen
from parlor.games.monopoly_deal.rules import can_be_played, play
from parlor.games.monopoly_deal.words import describe
from parlor.rng import mix

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


def mover(s: State) -> int:
    """Who is to move."""
    return 1 - s.actor if response_required(s) else s.actor


def intent_of_card(s: State, p: int, kind: int) -> int:
    """What playing a card from the hand is for."""
    if kind < PROPERTY:
        return CASH
    if kind < RENT:
        owned = s.property[p][kind - PROPERTY]
        size = SET_SIZE[kind - PROPERTY]
        if owned >= size:
            return CASH
        if owned + 1 == size:
            return COMPLETE_SET
        return ADD_TO_SET if owned > 0 else START_SET
    if kind < JUST_SAY_NO:
        return COLLECT_RENT if rent_due(s, p, kind) > 0 else OTHER
    return COLLECT_RENT


def intents(s: State) -> int:
    """What the player to move can intend, a bit each."""
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
    for kind in range(SLY_DEAL):
        if s.hand[p][kind] > 0 and can_be_played(s, p, kind):
            mask |= 1 << intent_of_card(s, p, kind)
    if s.hand[p][SLY_DEAL] > 0:
        for colour in range(COLOURS):
            if can_be_stolen(s, 1 - p, colour):
                mask |= 1 << COLLECT_RENT
    return mask | 1 << DO_PASS


def legal_intents(s: State, out: Ints) -> int:
    """The intents in their order."""
    mask = intents(s)
    count = 0
    for intent in range(OTHER + 1):
        if mask >> intent & 1:
            out[count] = intent
            count += 1
    return count


def worth(s: State, p: int, a: int, intent: int) -> int:
    """How much the resolver likes a concrete action; only rent and cash have a preference."""
    if intent == CASH:
        return CASH_VALUE[a]
    if intent == COLLECT_RENT:
        if a == DEBT_COLLECTOR:
            return DEBT
        return rent_due(s, p, a) if a < JUST_SAY_NO else CASH_VALUE[PROPERTY + a - STEAL]
    return 0


def serves(s: State, p: int, a: int, intent: int) -> bool:
    """Whether a concrete action is legal here and meant by the intent."""
    if response_required(s):
        if PAY_CASH <= a < PAY_PROPERTY:
            return intent == GIVE_CASH and s.cash[p][a - PAY_CASH] > 0
        return PAY_PROPERTY <= a < YIELD and intent == GIVE_PROPERTY and s.property[p][a - PAY_PROPERTY] > 0
    if a < SLY_DEAL:
        return s.hand[p][a] > 0 and can_be_played(s, p, a) and intent_of_card(s, p, a) == intent
    return a < PASS and intent == COLLECT_RENT and s.hand[p][SLY_DEAL] > 0 and can_be_stolen(s, 1 - p, a - STEAL)


def resolve(s: State, intent: int) -> int:
    """The concrete action for an intent: the one worth most, and among equals one by what the player has seen."""
    if intent == SAY_NO:
        return JUST_SAY_NO
    if intent == DO_PASS:
        return PASS
    if intent == DO_YIELD:
        return YIELD
    p = mover(s)
    best = -1
    found = PASS
    luck = -1
    for a in range(YIELD):
        if serves(s, p, a, intent):
            value = worth(s, p, a, intent)
            ticket = mix(mix(s.seen[p], a), intent)
            if value > best or (value == best and ticket > luck):
                best = value
                luck = ticket
                found = a
    return found


def play_intent(s: State, a: int) -> None:
    """Draw, or do what is intended."""
    if s.drawing > 0:
        play(s, a)
    else:
        play(s, resolve(s, a))


def intent_key(s: State, p: int) -> int:
    """Who I am, the turn of the streak, and what I can intend."""
    mine = intents(s) if s.drawing == 0 and p == mover(s) else 0  # what the other intends is not for me to know
    return (p * 16 + s.streak) << 16 | mine


def capped(number: int, most: int) -> int:
    """A bucket."""
    return min(number, most)


def bank(s: State, p: int) -> int:
    """Cash to pay with."""
    total = 0
    for kind in range(PAYABLE):
        total += s.cash[p][kind] * CASH_VALUE[kind]
    return total


def threat(s: State, p: int) -> int:
    """The highest rent that the properties of `p` could bring."""
    most = 0
    for colour in range(COLOURS):
        most = max(most, rent_due(s, p, RENT + colour))
    return most


def progress(s: State, p: int) -> int:
    """How far each colour is, no further than complete; base 4."""
    code = 0
    for colour in range(COLOURS):
        code = code * 4 + capped(s.property[p][colour], SET_SIZE[colour])
    return code


def counts_key(s: State, p: int) -> int:
    """Also sets in progress on both sides, cash in buckets, the threat of rent, the other's hand, what is owed."""
    code = progress(s, p) << 6 | progress(s, 1 - p)
    code = code * 4 + capped((bank(s, p) + 1) // 2, 3)
    code = code * 4 + capped((bank(s, 1 - p) + 1) // 2, 3)
    code = code * 3 + capped(s.hand[p][JUST_SAY_NO], 2)
    code = code * 3 + capped(s.held[1 - p] // 3, 2)
    code = code * 8 + capped(s.owed - s.paid if s.owed > s.paid else 0, 7)
    return mix(code, intent_key(s, p))


def table_key(s: State, p: int) -> int:
    """All that lies open and my hand; not the order in which it came about."""
    code = mix(p, s.streak)
    for kind in range(KINDS):
        code = mix(code, s.hand[p][kind] << 8 | s.discard[kind])
    for q in range(2):
        for kind in range(PAYABLE):
            code = mix(code, s.cash[q][kind])
        for colour in range(COLOURS):
            code = mix(code, s.property[q][colour])
    code = mix(code, s.held[1 - p] << 16 | s.left)
    return mix(mix(code, s.demand << 16 | s.owed << 8 | s.paid), s.actor << 8 | s.wanted << 4 | s.idle)


def describe_intent(s: State, a: int) -> str:
    """The paper's names of intents."""
    return describe(s, a) if s.drawing > 0 else INTENTS[a]


ABSTRACTIONS = {
    "intent": {"legal": legal_intents, "play": play_intent, "key": intent_key, "describe": describe_intent},
    "counts": {"legal": legal_intents, "play": play_intent, "key": counts_key, "describe": describe_intent},
    "table": {"key": table_key},
}
