"""A game in other words: the same tree, so that whoever knows the game only from reading about it has to think.

Every word that occurs in the names of moves and outcomes or in the game's title is replaced, wherever it stands, by an
invented one that follows from a seed; suits become other signs. Small words and numbers stay, so the rules can still be
read. Names are relabelled as wholes by their words, and the legal moves of a position stay distinct.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from parlor.game import CHANCE, OVER, Game
from parlor.game.rng import below, seed_stream
from parlor.game.seats.play import sample

KEPT = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "by",
        "for",
        "from",
        "has",
        "have",
        "if",
        "in",
        "into",
        "is",
        "it",
        "no",
        "not",
        "of",
        "off",
        "on",
        "one",
        "or",
        "out",
        "over",
        "that",
        "the",
        "their",
        "then",
        "to",
        "two",
        "up",
        "with",
        "you",
        "your",
        "player",
        "players",
        "chance",
    ]
)
SIGNS = {"♣": "●", "♦": "▲", "♥": "■", "♠": "◆"}
ONSETS, VOWELS = "bdfgklmnprstvz", "aeiou"
GAMES = 20  # random games in which the words are looked for

_WORD = re.compile(r"[^\W\d_]+|[♣♦♥♠]")


class Relabelling:
    """The words of a game and those that stand for them."""

    def __init__(self, game: Game, seed: int) -> None:
        self.seed = seed
        self._words: dict[str, str] = {}
        self._taken: set[str] = set()
        title = game.words.summary.partition(":")[0]
        for name in (re.sub(r"\W", " ", game.name), title, *_names(game)):
            self.name(name)

    def name(self, name: str) -> str:
        """The name of a move in other words; its words are replaced in all texts from now on."""
        for word in _WORD.findall(name):
            self._word(word)
        return self.text(name)

    def text(self, text: str) -> str:
        """A text in which the words of the game are replaced."""
        return _WORD.sub(lambda match: self._replaced(match[0]), text)

    def _replaced(self, word: str) -> str:
        if word in SIGNS:
            return SIGNS[word]
        plain = word.casefold()
        other = self._words.get(plain)
        for ending in ("s", "es", "ed", "ing", "d"):
            if other is None and (stem := self._words.get(plain.removesuffix(ending))):
                other = stem + ending
        if other is None:
            return word
        return other.capitalize() if word[0].isupper() else other

    def _word(self, word: str) -> None:
        word = word.casefold()
        if word in KEPT or word in self._words or word in SIGNS:
            return
        syllables = 1 if len(word) == 1 else 2
        for attempt in range(1000):
            digest = hashlib.sha256(f"{self.seed} {attempt} {word}".encode()).digest()
            pairs = zip(digest[::2], digest[1::2], strict=True)
            letters = [ONSETS[a % len(ONSETS)] + VOWELS[b % len(VOWELS)] for a, b in pairs]
            made = "".join(letters[: syllables + attempt // 10])
            if made not in self._taken:
                break
        self._taken.add(made)
        self._words[word] = made


def _names(game: Game) -> Iterator[str]:
    """The names of moves and outcomes in some random games, always the same ones."""
    for i in range(GAMES):
        position, stream = game.start(), [0, 0, 0, 0]
        seed_stream(stream, 0, i)
        while position.turn != OVER:
            if position.turn == CHANCE:
                yield from position.odds
                position = position.after(sample(position.odds, stream))
            else:
                yield from position.legal
                position = position.after(position.legal[below(stream, len(position.legal))])
