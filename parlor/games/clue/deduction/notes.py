"""The notepad of one player: how many deals are possible, and how likely each card is with whom.

    notes = Notes.of(position, player)          what a player has seen in a game
    notes = Notes((3, 6, 6, 9), 0, hand, [Suggestion(1, triple, refuter=2)])     what somebody has written down
    notes.deals, notes.cards, notes.solutions, notes.known(card)

Cards are numbered as in the game: suspects, weapons, rooms. A `Contradiction` names the fact that cannot be.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.compile import native
from parlor.game import GameError, Position
from parlor.games.clue.deduction.facts import (
    HAS,
    LACKS,
    SIZE,
    add_suggestion,
    begin_facts,
    bits,
    cards_of_triple,
    deck_cards,
    gather,
)
from parlor.games.clue.deduction.hands import Work, deck_of, new_counts, new_facts, workspace
from parlor.games.clue.deduction.knowledge import count

_lock = threading.Lock()  # working memory is shared


@dataclass(frozen=True)
class Suggestion:
    """Somebody suggested three cards; the refuter showed one, or nobody could (-1)."""

    asker: int
    triple: int
    refuter: int
    shown: int = -1  # the card, if the owner of the notes has seen it


@dataclass(frozen=True)
class Accusation:
    """Somebody accused, wrongly."""

    player: int
    triple: int


@dataclass(frozen=True)
class Holding:
    """Somebody has a card, or lacks it."""

    player: int
    card: int
    has: bool


Fact = Suggestion | Accusation | Holding


class Contradiction(GameError):
    """Facts that cannot all be true: `fact` is the first one too many, with it those of `others`, by their numbers."""

    def __init__(self, fact: int, others: Sequence[int]) -> None:
        self.fact = fact
        self.others = tuple(others)
        against = " and ".join(str(i + 1) for i in others)
        place = f"with fact {against}" if len(others) == 1 else f"with facts {against}" if others else "with the hand"
        super().__init__(f"Fact {fact + 1} cannot be true together {place}.")


class Notes:
    """All that follows from what a player has seen, every deal that fits being equally likely."""

    deals: int  # how many are possible
    cards: Any  # [card, player; the file is last] probabilities
    solutions: Any  # [suspect, weapon, room] probabilities

    def __init__(
        self,
        deck: Sequence[int],
        player: int,
        hand: Collection[int],
        facts: Sequence[Fact] = (),
        sizes: Sequence[int] | None = None,
    ) -> None:
        """`deck`: players, suspects, weapons, rooms; `sizes`: the cards of each player, if hands are uneven."""
        self.deck = np.array([*deck[:4], 1], np.int64)
        self.player = player
        self._sizes = _checked_sizes(self.deck, sizes)
        _check_hand(self.deck, hand, self._sizes[player])
        self._hand = sum(1 << card for card in hand)
        if not self._count_facts(facts):
            raise self._contradiction(facts)

    @classmethod
    def of(cls, position: Position, player: int) -> Notes:
        """The notes of a player on all that it has seen of a game of Clue."""
        notes = cls.__new__(cls)
        notes.deck, notes.player = deck_of(position.game), player
        if position.state.first == 0:
            raise GameError("The cards have not been dealt yet.")
        facts, possible = new_facts(notes.deck, int(position.game.options["cap"]))
        gather(position.state, player, notes.deck, facts, possible)
        notes._count(facts, possible)
        return notes

    def known(self, card: int) -> int | None:
        """The certain place of a card: a player, or the number of players for the file; None if it is not known."""
        places = np.flatnonzero(self.cards[card])
        return int(places[0]) if len(places) == 1 else None

    def best(self, number: int = 5) -> list[tuple[tuple[int, int, int], float]]:
        """The most likely solutions, as suspect, weapon and room (cards), with their probabilities."""
        _, suspects, weapons, _, _ = self.deck.tolist()
        order = np.argsort(-self.solutions.ravel(), kind="stable")[:number]
        found = [np.unravel_index(int(i), self.solutions.shape) for i in order]
        return [
            ((int(s), suspects + int(w), suspects + weapons + int(r)), float(self.solutions[s, w, r]))
            for s, w, r in found
            if self.solutions[s, w, r] > 0.0
        ]

    def _count_facts(self, given: Sequence[Fact]) -> bool:
        """Count the deals; False if there are none."""
        facts, possible = new_facts(self.deck, len(given) + 1)
        begin_facts(0, self.deck, facts, possible)
        for q, size in enumerate(self._sizes):
            facts[q][SIZE] = size
        facts[self.player][HAS] = self._hand
        facts[self.player][LACKS] = (1 << deck_cards(self.deck)) - 1 & ~self._hand
        for fact in given:
            if isinstance(fact, Suggestion):
                cards = int(cards_of_triple(fact.triple, self.deck))
                add_suggestion(facts, self.deck, cards, fact.asker, fact.refuter, fact.shown)
            elif isinstance(fact, Accusation):
                possible[fact.triple] = 0.0
            else:
                facts[fact.player][HAS if fact.has else LACKS] |= 1 << fact.card
        return self._count(facts, possible)

    def _count(self, facts: Any, possible: Any) -> bool:
        tensor, cards = new_counts(self.deck)
        with _lock:
            total = native(count)(facts, self.deck, possible, _memory(tuple(self.deck.tolist())), tensor, cards)
        self.deals = round(total)
        if self.deals:
            self.cards = cards / total
            self.solutions = (tensor / total).reshape(self.deck[1:4])
        return self.deals > 0

    def _contradiction(self, facts: Sequence[Fact]) -> Contradiction:
        """The first fact that leaves no deal, and the fewest of those before it that rule it out."""
        wrong = 0
        while self._count_facts(facts[: wrong + 1]):
            wrong += 1
        needed = list(range(wrong))
        for i in range(wrong):
            fewer = [k for k in needed if k != i]
            if not self._count_facts([facts[k] for k in (*fewer, wrong)]):
                needed = fewer
        return Contradiction(wrong, needed)


@functools.lru_cache(maxsize=4)
def _memory(deck: tuple[int, ...]) -> Work:
    return workspace(np.array(deck, np.int64))


def hand_sizes(deck: Sequence[int]) -> tuple[int, int]:
    """The size of the smaller hands, and how many players have a card more."""
    smaller, larger = divmod(deck[1] + deck[2] + deck[3] - 3, deck[0])
    return int(smaller), int(larger)


def _checked_sizes(deck: Any, sizes: Sequence[int] | None) -> list[int]:
    players = int(deck[0])
    smaller, larger = hand_sizes(deck)
    right = sorted([smaller] * (players - larger) + [smaller + 1] * larger)
    if sizes is None and larger:
        raise GameError(
            f"{deck_cards(deck) - 3} cards among {players} players: {larger} of them have {smaller + 1} cards, the "
            f"others {smaller}; say how many everybody has."
        )
    if sizes is not None and sorted(sizes) != right:
        raise GameError(f"The hands of {players} players have {', '.join(map(str, right[::-1]))} cards, in some order.")
    return list(sizes) if sizes is not None else right


def _check_hand(deck: Any, hand: Collection[int], size: int) -> None:
    if len(set(hand)) != size or bits(sum(1 << card for card in set(hand))) != len(hand):
        raise GameError(f"A hand here has {size} different cards, not {len(set(hand))}.")
    for start, number in ((0, deck[1]), (deck[1], deck[2]), (deck[1] + deck[2], deck[3])):
        if all(card in hand for card in range(start, start + number)):
            raise GameError("A hand cannot have all cards of one kind: one of them is in the file.")
