"""The 52 cards, and how people write them.

A card is a number from 0 to 51: four times its rank (deuce 0 … ace 12) plus its suit (clubs, diamonds, hearts, spades).
People write `As`, `Td` or `10d`, `A♠`; several of them with or without anything in between: `AsKd`, `As Kd`, `As, Kd`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from parlor.game import GameError

DECK = 52
SUIT_COUNT = 4
RANKS = "23456789TJQKA"
SUITS = "cdhs"
SYMBOLS = "♣♦♥♠"

_WRITTEN = re.compile(rf"(10|[{RANKS}])([{SUITS}{SYMBOLS}])", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,]*")


def rank(card: int) -> int:
    """0 for a deuce … 12 for an ace."""
    return card // SUIT_COUNT


def suit(card: int) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card % SUIT_COUNT


def name(card: int) -> str:
    """As, Td, 2c."""
    return RANKS[rank(card)] + SUITS[suit(card)]


def names(of: Iterable[int]) -> str:
    """AsKd."""
    return "".join(map(name, of))


def symbol(card: int) -> str:
    """A♠, T♦, 2♣."""
    return RANKS[rank(card)] + SYMBOLS[suit(card)]


def symbols(of: Iterable[int]) -> str:
    """A♠ K♦."""
    return " ".join(map(symbol, of))


def card(text: str) -> int:
    """The card that `text` names."""
    found = cards(text)
    if len(found) != 1:
        raise GameError(f"{text!r} is not one card; write it like As, Td or 9h.")
    return found[0]


def cards(text: str) -> tuple[int, ...]:
    """The cards that `text` names, in its order, each at most once."""
    found: list[int] = []
    at = _skip(text, 0)
    while at < len(text):
        match = _WRITTEN.match(text, at)
        if match is None:
            raise GameError(
                f"{text[at : at + 2]!r} in {text!r} is no card: a rank ({RANKS}) and a suit ({SUITS}), like As, Td."
            )
        rank_text, suit_text = match[1].upper().replace("10", "T"), match[2].lower()
        found.append(RANKS.index(rank_text) * SUIT_COUNT + (SUITS + SYMBOLS).index(suit_text) % SUIT_COUNT)
        at = _skip(text, match.end())
    distinct(found)
    return tuple(found)


def _skip(text: str, at: int) -> int:
    between = _BETWEEN.match(text, at)
    return between.end() if between else at


def hand(text: str) -> tuple[int, int]:
    """Two cards in a player's hand."""
    held = cards(text)
    if len(held) != 2:
        raise GameError(f"A hand has two cards, like AsKd; {text!r} has {len(held)}.")
    return held[0], held[1]


def board(text: str) -> tuple[int, ...]:
    """The cards on the table: none, three, four or five."""
    lying = cards(text)
    if len(lying) not in (0, 3, 4, 5):
        raise GameError(f"A board has three, four or five cards, or none yet; {text!r} has {len(lying)}.")
    return lying


def distinct(*groups: Sequence[int]) -> None:
    """Raise GameError if a number is no card, or if a card occurs twice."""
    seen: set[int] = set()
    for group in groups:
        for one in group:
            if not 0 <= one < DECK:
                raise GameError(f"{one} is not a card; cards are numbered from 0 (2c) to {DECK - 1} (As).")
            if one in seen:
                raise GameError(f"{name(one)} occurs twice; there is only one in the deck.")
            seen.add(one)
