"""Abstractions of Monopoly Deal: games over the same states with fewer actions and coarser knowledge.

    intent    intents for actions; known are the turn of the streak and what can be intended: the paper's abstraction
    counts    also what matters of the table: sets in progress on both sides, cash to pay with, the rent in hand, how
              many refusals I hold and how many cards the other side, what is still owed
    table     concrete actions, and all that lies open now; only the order in which it came about is forgotten

Intents are resolved greedily, as in the paper; `intent+careful` and `counts+careful` do it with more thought. Keys of
`intent` and `counts` are packed numbers, and `read` unpacks them: nothing is learned about a hash.
"""

from __future__ import annotations

from typing import Any

from parlor.game import State
from parlor.games.monopoly_deal.cards import CASH_VALUE, COLOURS, JUST_SAY_NO, KINDS, PAYABLE, RENT, SET_SIZE
from parlor.games.monopoly_deal.intents import (
    INTENTS,
    POINTLESS,
    PROGRESS,
    careful,
    greedy,
    intents,
    legal_intents,
    mover,
)
from parlor.games.monopoly_deal.responses.rent import rent_due
from parlor.games.monopoly_deal.rules import advance
from parlor.games.monopoly_deal.sentences import in_words
from parlor.games.monopoly_deal.words import COLOUR_NAMES, describe
from parlor.rng import mix

INTENT_BITS = 24  # of a key: 11 intents, the turn of the streak, the player


def play_greedily(s: State, a: int) -> None:
    """Draw, or do what is intended. The history is not remembered: the keys here do not ask for it."""
    advance(s, greedy(s, a))


def play_carefully(s: State, a: int) -> None:
    """The same by the careful resolver."""
    advance(s, careful(s, a))


def intent_key(s: State, p: int) -> int:
    """Who I am, the turn of the streak, and what I can intend."""
    mine = intents(s) if s.drawing == 0 and p == mover(s) else 0  # what the other intends is not for me to know
    return (p * 16 + s.streak) << 16 | mine


def read_intent(key: int) -> dict[str, Any]:
    """What an `intent_key` says."""
    return {
        "player": key >> 20 & 1,
        "streak": key >> 16 & 15,
        "actions": [name for i, name in enumerate(INTENTS) if key >> i & 1],
    }


# --------------------------------------------------------------------------------------------------- counts

CASH_STEP, CASH_BUCKETS = 2, 4  # nothing, 1-2, 3-4, 5-6, more
HAND_STEP, HAND_BUCKETS = 3, 2  # 0-2, 3-5, more


def bank(s: State, p: int) -> int:
    """Cash to pay with."""
    total = 0
    for kind in range(PAYABLE):
        total += s.cash[p][kind] * CASH_VALUE[kind]
    return total


def cash_bucket(s: State, p: int) -> int:
    """Cash to pay with, in buckets."""
    return min((bank(s, p) + CASH_STEP - 1) // CASH_STEP, CASH_BUCKETS)


def charge(s: State, p: int) -> int:
    """The highest rent that `p` has a card for."""
    most = 0
    for colour in range(COLOURS):
        if s.hand[p][RENT + colour] > 0:
            most = max(most, rent_due(s, p, RENT + colour))
    return most


def progress(s: State, p: int) -> int:
    """How far each colour is, no further than complete; two bits each."""
    code = 0
    for colour in range(COLOURS):
        code = code << 2 | min(s.property[p][colour], SET_SIZE[colour])
    return code


def counts_key(s: State, p: int) -> int:
    """Also sets in progress on both sides, cash in buckets, rent in hand, refusals, the other's hand, what is owed."""
    code = progress(s, p) << 6 | progress(s, 1 - p)
    code = code << 6 | cash_bucket(s, p) << 3 | cash_bucket(s, 1 - p)
    code = code << 3 | charge(s, p)
    code = code << 4 | min(s.hand[p][JUST_SAY_NO], 2) << 2 | min(s.held[1 - p] // HAND_STEP, HAND_BUCKETS)
    code = code << 3 | max(min(s.owed - s.paid, 7), 0)
    return code << INTENT_BITS | intent_key(s, p)


def buckets(bucket: int, step: int, most: int) -> str:
    """3-4: the numbers that a bucket holds."""
    if bucket == 0:
        return "0"
    low, high = (bucket - 1) * step + 1, bucket * step
    return f"{low}+" if bucket == most else f"{low}-{high}"


def read_progress(code: int) -> dict[str, str]:
    """Green: 2/3."""
    owned = [code >> 2 * (COLOURS - 1 - c) & 3 for c in range(COLOURS)]
    return {COLOUR_NAMES[c]: f"{owned[c]}/{SET_SIZE[c]}" for c in range(COLOURS) if owned[c]}


def read_counts(key: int) -> dict[str, Any]:
    """What a `counts_key` says."""
    code = key >> INTENT_BITS
    hand = code >> 3 & 3
    low = hand * HAND_STEP
    return read_intent(key & (1 << INTENT_BITS) - 1) | {
        "owns": read_progress(code >> 22),
        "other owns": read_progress(code >> 16 & 63),
        "cash": buckets(code >> 13 & 7, CASH_STEP, CASH_BUCKETS),
        "other's cash": buckets(code >> 10 & 7, CASH_STEP, CASH_BUCKETS),
        "can charge": code >> 7 & 7,
        "refusals": "2+" if code >> 5 & 3 == 2 else str(code >> 5 & 3),
        "other's hand": f"{low}+" if hand == HAND_BUCKETS else f"{low}-{low + HAND_STEP - 1}",
        "owes": code & 7,
    }


# --------------------------------------------------------------------------------------------------- the table


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


_INTENT = {
    "legal": legal_intents,
    "describe": describe_intent,
    "tell": in_words,
    "progress": PROGRESS,
    "pointless": POINTLESS,
}
_STREAK = {"key": intent_key, "read": read_intent}
_COUNTS = {"key": counts_key, "read": read_counts}
_GREEDY = {"resolve": greedy, "play": play_greedily}
_CAREFUL = {"resolve": careful, "play": play_carefully}
ABSTRACTIONS = {
    "intent": _INTENT | _STREAK | _GREEDY,
    "counts": _INTENT | _COUNTS | _GREEDY,
    "intent+careful": _INTENT | _STREAK | _CAREFUL,
    "counts+careful": _INTENT | _COUNTS | _CAREFUL,
    "table": {"key": table_key},
}
