"""Clue in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlor.game import State, View
from parlor.games.clue.asked import TRIPLE_BITS, asker_of, refuter_of, triple_asked
from parlor.games.clue.options import ACCUSATIONS, CARDS, PLAYERS, ROOMS, SUSPECTS, WEAPONS
from parlor.games.clue.rules import (
    ACCUSE,
    END_TURN,
    FILE,
    SHOW,
    hand_size,
)
from parlor.words import player, possessive

TITLE = "Clue"
SUSPECT_NAMES = ("Miss Scarlet", "Colonel Mustard", "Mrs. White", "Mr. Green", "Mrs. Peacock", "Professor Plum")
WEAPON_NAMES = ("Candlestick", "Knife", "Lead Pipe", "Revolver", "Rope", "Wrench")
ROOM_NAMES = (
    "Hall",
    "Lounge",
    "Dining Room",
    "Kitchen",
    "Ballroom",
    "Conservatory",
    "Billiard Room",
    "Library",
    "Study",
)
CARD_NAMES = (*SUSPECT_NAMES[:SUSPECTS], *WEAPON_NAMES[:WEAPONS], *ROOM_NAMES[:ROOMS])


def card_words(card: int) -> str:
    """A card within a sentence: Miss Scarlet, the Knife."""
    return CARD_NAMES[card] if card < SUSPECTS else f"the {CARD_NAMES[card]}"


def cards_of(triple: int) -> tuple[int, int, int]:
    """The suspect, the weapon and the room."""
    return triple // (WEAPONS * ROOMS), SUSPECTS + triple // ROOMS % WEAPONS, SUSPECTS + WEAPONS + triple % ROOMS


def triple_words(triple: int) -> str:
    """Miss Scarlet with the Knife in the Study."""
    suspect, weapon, room = cards_of(triple)
    return f"{CARD_NAMES[suspect]} with the {CARD_NAMES[weapon]} in the {CARD_NAMES[room]}"


def describe(s: State, a: int) -> str:
    """Names of outcomes and moves."""
    if s.first == 0:
        return f"player {a} is dealt the first card"
    if s.dealt < CARDS:
        return f"{CARD_NAMES[s.dealt]} into the file" if a == FILE else f"{CARD_NAMES[s.dealt]} to player {a}"
    if a < ACCUSE:
        return f"suggest {triple_words(a)}"
    if a < SHOW:
        return f"accuse {triple_words(a - ACCUSE)}"
    return "end turn" if a == END_TURN else f"show {CARD_NAMES[a - SHOW]}"


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Outcomes and moves as data."""
    if s.first == 0:
        return {"verb": "first", "to": a, "text": f"{player(a, 'is')} dealt the first card"}
    if s.dealt < CARDS:
        card = CARD_NAMES[s.dealt]
        if a == FILE:
            return {"verb": "file", "card": card, "text": f"{card_words(s.dealt)} goes into the file"}
        return {"verb": "deal", "card": card, "to": a, "text": f"{player(a, 'gets')} {card_words(s.dealt)}"}
    if a == END_TURN:
        return {"verb": "end"}
    if a >= SHOW:
        card = a - SHOW
        return {"verb": "show", "card": CARD_NAMES[card], "to": s.actor, "text": f"show {card_words(card)}"}
    verb, triple = ("suggest", a) if a < ACCUSE else ("accuse", a - ACCUSE)
    suspect, weapon, room = (CARD_NAMES[card] for card in cards_of(triple))
    return {"verb": verb, "suspect": suspect, "weapon": weapon, "room": room}


def secret(s: State, a: int, p: int) -> bool:
    """Cards are dealt in secret; which card is shown only the suggester sees."""
    if s.first == 0:
        return False
    if s.dealt < CARDS:
        return p != a
    return bool(s.answering) and p != s.actor


def held(cards: int) -> list[str]:
    """The names of a set of cards."""
    return [CARD_NAMES[card] for card in range(CARDS) if cards >> card & 1]


def display(view: View) -> dict[str, Any]:
    """My cards, the size of everybody's hand, the suggestions, and the wrong accusations."""
    suggestions = []
    for i in range(view.suggestions):
        entry = view.asked[i]
        suspect, weapon, room = (CARD_NAMES[card] for card in cards_of(triple_asked(entry)))
        suggestions.append({
            "by": asker_of(entry), "suspect": suspect, "weapon": weapon, "room": room, "refuter": refuter_of(entry),
            "shown": CARD_NAMES[view.shown[i] - 1] if view.shown[i] else "",
        })  # fmt: skip
    return {
        "cards": held(view.hand),
        "hands": [hand_size(view, p) for p in range(PLAYERS)] if view.first else [0] * PLAYERS,
        "suggestions": suggestions,
        "accusations": [
            {"by": p, "triple": triple_words((view.accused[p] & (1 << TRIPLE_BITS) - 1) - 1)}
            for p in range(PLAYERS)
            if view.accused[p]
        ],
    }


def show(view: View) -> str:
    """One line for a person."""
    things = display(view)
    parts = [f"{player(view.player, 'holds')} {', '.join(things['cards']) or 'nothing yet'}"]
    for said in things["suggestions"][-PLAYERS:]:
        asked = f"{player(said['by'])}: {said['suspect']} with the {said['weapon']} in the {said['room']}"
        answer = "nobody could show a card" if said["refuter"] < 0 else f"{player(said['refuter'], 'showed')} a card"
        if said["shown"]:
            answer = f"{player(said['refuter'])} showed {said['shown']}"
        parts.append(f"{asked} ({answer})")
    for one in things["accusations"]:
        parts.append(f"{player(one['by'])} accused {one['triple']}, wrongly")
    if view.winner:
        parts.append(f"{player(view.winner - 1, 'wins')}")
    elif view.over:
        parts.append("nobody has won")
    elif ACCUSATIONS and view.suggested and not view.answering:
        parts.append(f"{player(view.actor)} may accuse")
    elif view.answering:
        parts.append(f"{player(view.answering - 1)} must show a card")
    elif view.dealt == CARDS:
        parts.append(f"{possessive(view.actor)} turn")
    return "; ".join(parts)
