"""Clue in words, as people at a table would say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parlor.game import State, View
from parlor.game.words import YOU, player, possessive
from parlor.games.clue.asked import TRIPLE_BITS, asker_of, refuter_of, triple_asked
from parlor.games.clue.options import ACCUSATIONS, CAP, CARDS, LARGER, PLAYERS, ROOMS, SUSPECTS, WEAPONS
from parlor.games.clue.rules import ACCUSE, END_TURN, FILE, SHOW, hand_size, kind_start, triple_cards

TITLE = "Clue"
SUSPECT_NAMES = ("Miss Scarlet", "Colonel Mustard", "Mrs. White", "Mr. Green", "Mrs. Peacock", "Professor Plum")
WEAPON_NAMES = ("Candlestick", "Knife", "Lead Pipe", "Revolver", "Rope", "Wrench")
ROOM_NAMES = (
    *("Hall", "Lounge", "Dining Room", "Kitchen", "Ballroom"),
    *("Conservatory", "Billiard Room", "Library", "Study"),
)
CARD_NAMES = (*SUSPECT_NAMES[:SUSPECTS], *WEAPON_NAMES[:WEAPONS], *ROOM_NAMES[:ROOMS])


def card_words(card: int) -> str:
    """A card within a sentence: Miss Scarlet, the Knife."""
    return CARD_NAMES[card] if card < SUSPECTS else f"the {CARD_NAMES[card]}"


def cards_of(triple: int) -> tuple[int, int, int]:
    """The suspect, the weapon and the room."""
    return triple // (WEAPONS * ROOMS), SUSPECTS + triple // ROOMS % WEAPONS, SUSPECTS + WEAPONS + triple % ROOMS


def triple_data(triple: int) -> dict[str, str]:
    """The three cards of a suggestion or an accusation, by kind."""
    return dict(zip(("suspect", "weapon", "room"), (CARD_NAMES[card] for card in cards_of(triple)), strict=True))


def triple_words(triple: int) -> str:
    """Miss Scarlet with the Knife in the Study."""
    suspect, weapon, room = cards_of(triple)
    return f"{CARD_NAMES[suspect]} with {card_words(weapon)} in {card_words(room)}"


def accused_triple(entry: int) -> int:
    """The triple of an entry of `accused`."""
    return (entry & (1 << TRIPLE_BITS) - 1) - 1


def held(cards: int) -> list[str]:
    """The names of a set of cards."""
    return [CARD_NAMES[card] for card in range(CARDS) if cards >> card & 1]


def by_kind(cards: int) -> str:
    """A set of cards: suspects – weapons – rooms."""
    kinds: dict[int, list[str]] = {}
    for card in range(CARDS):
        if cards >> card & 1:
            kinds.setdefault(kind_start(card), []).append(CARD_NAMES[card])
    return " – ".join(", ".join(names) for names in kinds.values()) or "no cards yet"


def either(names: Sequence[str], word: str = "and") -> str:
    """Names in a sentence: one, two and three."""
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), names[-1])))


# ------------------------------------------------------------------------------------------------------------- moves


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
    if a < SHOW:
        return {"verb": "suggest", **triple_data(a)} if a < ACCUSE else {"verb": "accuse", **triple_data(a - ACCUSE)}
    if a == END_TURN:
        return {"verb": "end"}
    return {"verb": "show", "card": CARD_NAMES[a - SHOW], "to": s.actor, "text": f"show {card_words(a - SHOW)}"}


def secret(s: State, a: int, p: int) -> bool:
    """Cards are dealt in secret; which card is shown only the suggester sees."""
    if s.first == 0:
        return False
    if s.dealt < CARDS:
        return p != a
    return bool(s.answering) and p != s.actor


# ------------------------------------------------------------------------------------------------------------- views


def display(view: View) -> dict[str, Any]:
    """My cards, the size of everybody's hand, the suggestions, and the wrong accusations."""
    suggestions: list[dict[str, Any]] = []
    for i in range(view.suggestions):
        entry = view.asked[i]
        suggestions.append({
            "by": asker_of(entry), **triple_data(triple_asked(entry)), "refuter": refuter_of(entry),
            "shown": CARD_NAMES[view.shown[i] - 1] if view.shown[i] else "",
        })  # fmt: skip
    return {
        "cards": held(view.hand),
        "hands": [hand_size(view, p) for p in range(PLAYERS)] if view.first else [0] * PLAYERS,
        "suggestions": suggestions,
        "accusations": [
            {"by": p, **triple_data(accused_triple(view.accused[p]))} for p in range(PLAYERS) if view.accused[p]
        ],
    }


def show(view: View) -> str:
    """One line for a person: the cards one holds and has been shown, and whose turn it is."""
    parts = [f"{player(view.player, 'holds')} {by_kind(view.hand)}"]
    if LARGER and view.first:
        parts.append(f"hands of {', '.join(str(hand_size(view, p)) for p in range(PLAYERS))} cards")
    for p in range(PLAYERS):
        shown = _shown_cards(view, view.player, p)
        if shown:
            parts.append(f"{player(p)} showed {by_kind(shown)}")
    out = [player(p) for p in range(PLAYERS) if view.accused[p]]
    if out:
        parts.append(f"{either(out)} {'is' if len(out) == 1 and out != [YOU] else 'are'} out")
    if view.suggestions:
        parts.append(f"{view.suggestions} of at most {CAP} suggestions")
    return "; ".join([*parts, *_turn(view)])


def _shown_cards(view: View, asker: int, refuter: int) -> int:
    """The cards that one player has shown to another so far, if the view is of one of them; a bit each."""
    cards = 0
    for entry, shown in zip(view.asked[: view.suggestions], view.shown, strict=False):
        if shown and asker_of(entry) == asker and refuter_of(entry) == refuter:
            cards |= 1 << shown - 1
    return cards


def _turn(view: View) -> list[str]:
    """Whose turn it is, and what they may or must do; or how the game has ended."""
    if view.dealt < CARDS:
        return []
    if view.over:
        return [f"{player(view.winner - 1, 'has')} won" if view.winner else "nobody has won"]
    if view.answering:
        asked = triple_cards(triple_asked(view.asked[view.suggestions - 1]))
        seat = view.answering - 1
        if seat == view.player:
            asked &= view.hand
        names = [card_words(card) for card in range(CARDS) if asked >> card & 1]
        seen = _shown_cards(view, view.actor, view.player) if seat == view.player else 0
        before = [f"{player(view.actor, 'has')} seen {by_kind(seen)}"] if seen else []
        return [*before, f"{player(seat)} must show {player(view.actor)} {either(names, 'or')}"]
    if view.suggested:
        return [f"{player(view.actor)} may accuse or end the turn"]
    return [f"{possessive(view.actor)} turn to suggest{' or accuse' if ACCUSATIONS else ''}"]


# ---------------------------------------------------------------------------------------------------- what has happened


def narrate(before: View, after: View) -> list[str]:
    """Tell in sentences what happened between two views of a player."""
    told: list[str] = []
    if before.dealt < CARDS == after.dealt:
        told.append(_dealt(after))
    if before.suggestions < after.suggestions:
        told += _suggested(after)
    if before.answering and not after.answering:
        told.append(_shown(after))
    for p in range(PLAYERS):
        if after.accused[p] and not before.accused[p]:
            told.append(f"{player(p, 'accuses')} {triple_words(accused_triple(after.accused[p]))}")
            told.append(f"that is wrong: {player(p)} may only refute from now on")
    if after.over and not before.over:
        told += _ended(after)
    return told


def _dealt(view: View) -> str:
    hands = [f"{player(p, 'holds')} {hand_size(view, p)}" for p in range(PLAYERS)]
    return f"three cards lie in the file; {', '.join(hands) if LARGER else f'everybody holds {hand_size(view, 0)}'}"


def _suggested(view: View) -> list[str]:
    """A suggestion, who could not refute it, and if nobody could, what that means."""
    entry = view.asked[view.suggestions - 1]
    asker, refuter = asker_of(entry), refuter_of(entry)
    told = [f"{player(asker, 'suggests')} {triple_words(triple_asked(entry))}"]
    others = [(asker + distance) % PLAYERS for distance in range(1, PLAYERS)]
    passed = others if refuter < 0 else others[: others.index(refuter)]
    if refuter < 0:
        told.append("nobody can refute it" + (", but it is wrong" if not ACCUSATIONS and not view.winner else ""))
    elif passed:
        told.append(f"{either([player(p) for p in passed])} cannot refute it")
    return told


def _shown(view: View) -> str:
    """A card was shown; only who showed it and who asked can say which."""
    entry, card = view.asked[view.suggestions - 1], view.shown[view.suggestions - 1]
    what = card_words(card - 1) if card else "a card"
    return f"{player(refuter_of(entry), 'shows')} {player(asker_of(entry))} {what}"


def _ended(view: View) -> list[str]:
    """Announce the winner, or why there is none, and the solution."""
    suspect, weapon, room = held(view.opened)
    solution = f"{suspect} with the {weapon} in the {room}"
    if view.winner and ACCUSATIONS:
        return [f"{player(view.winner - 1, 'accuses')} {solution}", "that is right"]
    if view.winner:
        return ["that is what lies in the file"]
    why = "everybody has accused wrongly" if all(view.accused) else f"there were {CAP} suggestions"
    return [f"{why}, and nobody has won", f"it was {solution}"]
