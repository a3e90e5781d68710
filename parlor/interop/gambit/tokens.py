"""The words of Gambit's files: texts in quotes, numbers, braces; commas are white space."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from parlor.game import GameError

WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}])|([^\s{},"]+)', re.DOTALL)


class TokenReader:
    """The words of a text, one after the other."""

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        self._words: Iterator[re.Match[str]] = WORD.finditer(text)
        self._text = text
        self._next = next(self._words, None)

    @property
    def over(self) -> bool:
        """Whether there are no more."""
        return self._next is None

    def wrong(self, wanted: str) -> GameError:
        """The error for another word than is wanted."""
        if self._next is None:
            return GameError(f"{self.where} ends where {wanted} should be.")
        line = self._text.count("\n", 0, self._next.start()) + 1
        return GameError(f"{self.where}, line {line}: there is {self._next[0]!r} where {wanted} should be.")

    def sees(self, word: str) -> bool:
        """Whether a brace or a word without quotes comes next; a quote stands for any text."""
        if self._next is None:
            return False
        return self._next[1] is not None if word == '"' else word in (self._next[2], self._next[3])

    def word(self, *known: str) -> str:
        """The next word, without quotes, which must be one of those that are known, if any are given."""
        found = self._next and self._next[3]
        if not found or (known and found not in known):
            raise self.wrong(" or ".join(known) or "a word")
        self._advance()
        return found

    def text(self) -> str:
        """The next word, a text in quotes."""
        if self._next is None or self._next[1] is None:
            raise self.wrong("a text in quotes")
        found = re.sub(r"\\(.)", r"\1", self._next[1])
        self._advance()
        return found

    def whole(self) -> int:
        """The next word, a whole number."""
        found = self._next and self._next[3]
        if not found or not re.fullmatch(r"[+-]?\d+", found):
            raise self.wrong("a whole number")
        self._advance()
        return int(found)

    def number(self) -> Fraction:
        """The next word, a number: 1, 0.25, 1e-3 or 1/3."""
        found = self._next and self._next[3]
        try:
            value = Fraction(found or "")
        except (ValueError, ZeroDivisionError):
            raise self.wrong("a number") from None
        self._advance()
        return value

    def open(self) -> None:
        """The next word, an opening brace."""
        self._brace("{")

    def close(self) -> None:
        """The next word, a closing brace."""
        self._brace("}")

    def texts(self) -> list[str]:
        """Texts in braces."""
        self.open()
        found = []
        while not self.sees("}"):
            found.append(self.text())
        self.close()
        return found

    def numbers(self) -> list[Fraction]:
        """Numbers in braces."""
        self.open()
        found = []
        while not self.sees("}"):
            found.append(self.number())
        self.close()
        return found

    def _brace(self, brace: str) -> None:
        if not self.sees(brace):
            raise self.wrong(brace)
        self._advance()

    def _advance(self) -> None:
        self._next = next(self._words, None)


def quoted(text: str) -> str:
    """A text in quotes, in one line."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'
