"""Reading a state of Clue, for its agents, besides `parlor.games.clue.deduction.facts`; `deck` has the sizes."""

from __future__ import annotations

from typing import Any

from parlor.game import State
from parlor.games.clue.asked import asker_of, refuter_of, triple_asked
from parlor.games.clue.deduction.facts import deck_triples


def first_show(deck: Any) -> int:
    """The action that shows card 0."""
    return deck_triples(deck) * (1 + deck[4])


def kind_of(card: int, deck: Any) -> int:
    """0: a suspect, 1: a weapon, 2: a room."""
    return (1 if card >= deck[1] else 0) + (1 if card >= deck[1] + deck[2] else 0)


def kind_cards(kind: int, deck: Any) -> int:
    """All cards of a kind, a bit each."""
    start = 0
    for k in range(kind):
        start += deck[1 + k]
    return ((1 << deck[1 + kind]) - 1) << start


def stride_of(kind: int, deck: Any) -> int:
    """The distance between triples that differ by one in the card of a kind."""
    stride = 1
    for k in range(kind + 1, 3):
        stride *= deck[1 + k]
    return stride


def card_in(triple: int, kind: int, deck: Any) -> int:
    """The card of a kind in a triple."""
    start = 0
    for k in range(kind):
        start += deck[1 + k]
    return start + triple // stride_of(kind, deck) % deck[1 + kind]


def cards_seen(s: State, p: int) -> int:
    """The cards that player `p` holds or was shown."""
    seen = s.hand[p]
    for i in range(s.suggestions):
        if s.shown[p][i]:
            seen |= 1 << s.shown[p][i] - 1
    return seen


def cards_shown(s: State, p: int, asker: int) -> int:
    """The cards that player `p` has shown to `asker`; to anybody, if that is -1."""
    shown = 0
    for i in range(s.suggestions):
        if s.shown[p][i] and refuter_of(s.asked[i]) == p and (asker < 0 or asker_of(s.asked[i]) == asker):
            shown |= 1 << s.shown[p][i] - 1
    return shown


def turns_of(s: State, p: int) -> int:
    """The number of suggestions that player `p` has made."""
    turns = 0
    for i in range(s.suggestions):
        if asker_of(s.asked[i]) == p:
            turns += 1
    return turns


def unrefuted(s: State, p: int) -> int:
    """The triple that player `p` has suggested in this turn if nobody could refute it; else -1."""
    if s.suggested == 0 or s.suggestions == 0:
        return -1
    entry = s.asked[s.suggestions - 1]
    return triple_asked(entry) if asker_of(entry) == p and refuter_of(entry) < 0 else -1
