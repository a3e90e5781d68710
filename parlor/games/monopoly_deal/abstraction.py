"""Abstractions of Monopoly Deal: games over the same states with fewer actions and coarser knowledge.

    intent    actions are intents; a key has the turn of the streak and the possible intents: the paper's abstraction
    counts    also a summary of the table: complete sets and what the next one lacks on both sides, whether cash
              covers the possible rent, what a rent in hand would do, a refusal in hand, the size of the other's hand
    table     concrete actions, and all that is public now; only the order of events is forgotten

Intents are resolved greedily, as in the paper; `intent+careful` and `counts+careful` do it with more care. Keys of
`intent` and `counts` are packed numbers that `read` unpacks.
"""

from __future__ import annotations

from typing import Any

from parlor.game import State
from parlor.game.rng import mix
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
from parlor.games.monopoly_deal.responses import rent_due
from parlor.games.monopoly_deal.rules import advance, complete_sets
from parlor.games.monopoly_deal.sentences import INTENT_WORDS, in_words
from parlor.games.monopoly_deal.words import describe

INTENT_BITS = 24  # of a key: 11 intents, the turn of the streak, the player


def play_greedily(s: State, a: int) -> None:
    """Draw, or play the intent. The history is not stored: the keys here do not need it."""
    advance(s, greedy(s, a))


def play_carefully(s: State, a: int) -> None:
    """The same by the careful resolver."""
    advance(s, careful(s, a))


def intent_key(s: State, p: int) -> int:
    """The player, the turn of the streak, and its legal intents: an information set of the abstraction."""
    mine = intents(s) if s.drawing == 0 and p == mover(s) else 0  # the other's intents are hidden
    return (p * 16 + s.streak) << 16 | mine


def read_intent(key: int) -> dict[str, Any]:
    """The fields of an `intent_key`."""
    return {
        "player": key >> 20 & 1,
        "streak": key >> 16 & 15,
        "actions": [name for i, name in enumerate(INTENTS) if key >> i & 1],
    }


# --------------------------------------------------------------------------------------------------- counts

LARGE_HAND = 4  # in a hand
COVER = ("nothing", "less than it could charge", "enough for what it could charge", "more than is needed")
CHARGE = ("nothing", "what it can pay in cash", "more than its cash")
DEBT_LEFT = ("nothing", "what the cash covers", "more than the cash")


def bank(s: State, p: int) -> int:
    """Cash to pay with."""
    total = 0
    for kind in range(PAYABLE):
        total += s.cash[p][kind] * CASH_VALUE[kind]
    return total


def missing(s: State, p: int) -> int:
    """Cards that the next set needs."""
    fewest = 3
    for colour in range(COLOURS):
        if s.property[p][colour] < SET_SIZE[colour]:
            fewest = min(fewest, SET_SIZE[colour] - s.property[p][colour])
    return fewest


def threat(s: State, p: int, in_hand: bool) -> int:
    """The highest rent that the properties of `p` could bring; `in_hand`: that it has a card for."""
    most = 0
    for colour in range(COLOURS):
        if not in_hand or s.hand[p][RENT + colour] > 0:
            most = max(most, rent_due(s, p, RENT + colour))
    return most


def cover(s: State, p: int) -> int:
    """The part of the rent threatened by the other that the cash of `p` covers, in steps 0 to 3: see `COVER`."""
    feared = threat(s, 1 - p, False)
    if feared == 0:
        return 3
    cash = bank(s, p)
    if cash == 0:
        return 0
    return 1 if cash < feared else 2


def charge(s: State, p: int) -> int:
    """The strength of the best rent in hand against the other player's cash, in steps 0 to 2: see `CHARGE`."""
    most = threat(s, p, True)
    if most == 0:
        return 0
    return 1 if most <= bank(s, 1 - p) else 2


def debt(s: State, p: int) -> int:
    """The debt that is left in a response, in steps 0 to 2: see `DEBT_LEFT`."""
    rest = s.owed - s.paid
    if rest <= 0:
        return 0
    return 1 if rest <= bank(s, p) else 2


def counts_key(s: State, p: int) -> int:
    """Also sets and what they lack on both sides, whether cash covers rent, either way, refusals, the other's hand."""
    code = complete_sets(s, p) << 2 | missing(s, p)
    code = code << 4 | complete_sets(s, 1 - p) << 2 | missing(s, 1 - p)
    code = code << 6 | cover(s, p) << 4 | charge(s, p) << 2 | debt(s, p)
    code = code << 2 | min(s.hand[p][JUST_SAY_NO], 1) << 1 | (1 if s.held[1 - p] < LARGE_HAND else 0)
    return code << INTENT_BITS | intent_key(s, p)


def read_counts(key: int) -> dict[str, Any]:
    """The fields of a `counts_key`."""
    code = key >> INTENT_BITS
    return read_intent(key & (1 << INTENT_BITS) - 1) | {
        "complete sets": code >> 14 & 3,
        "next set lacks": code >> 12 & 3,
        "the other's complete sets": code >> 10 & 3,
        "the other's next set lacks": code >> 8 & 3,
        "cash against the other's rent": COVER[code >> 6 & 3],
        "can charge the other": CHARGE[code >> 4 & 3],
        "owes": DEBT_LEFT[code >> 2 & 3],
        "holds a Just Say No": bool(code >> 1 & 1),
        "the other's hand": f"under {LARGE_HAND} cards" if code & 1 else f"{LARGE_HAND} cards or more",
    }


# --------------------------------------------------------------------------------------------------- the table


def table_key(s: State, p: int) -> int:
    """Everything that is public, and my hand; not the order of events."""
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
    "action_words": INTENT_WORDS,
    "describe_key": in_words,
    "progress": PROGRESS,
    "pointless": POINTLESS,
}
_STREAK = {"key": intent_key, "decode_key": read_intent}
_COUNTS = {"key": counts_key, "decode_key": read_counts}
_GREEDY = {"resolve": greedy, "play": play_greedily}
_CAREFUL = {"resolve": careful, "play": play_carefully}
ABSTRACTIONS = {
    "intent": _INTENT | _STREAK | _GREEDY,
    "counts": _INTENT | _COUNTS | _GREEDY,
    "intent+careful": _INTENT | _STREAK | _CAREFUL,
    "counts+careful": _INTENT | _COUNTS | _CAREFUL,
    "table": {"key": table_key},
}
DEFAULT_ABSTRACTION = "intent"  # as in the paper
