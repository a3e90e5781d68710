"""Options of a rules file: declared where they are used, set from outside when the file is loaded."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from parlor.game.errors import GameError

SWITCH = ("false", "true")
SPELLINGS = {"0": "false", "no": "false", "off": "false", "1": "true", "yes": "true", "on": "true"} | {
    word: word for word in SWITCH
}


class Word(NamedTuple):
    """A word of a choice as people read it: its title, and in one line what it means."""

    title: str
    meaning: str = ""


@dataclasses.dataclass(frozen=True)
class Option:
    """A declared option of a rules file: a number in a range, one of a few words, or the path of a file."""

    default: int | str
    low: int
    high: int
    words: tuple[str, ...]
    help: str
    about: Mapping[str, Word] = dataclasses.field(default_factory=dict)  # words that a person would not understand
    step: int = 1  # between the numbers of the range
    file: bool = False  # it is a path; empty, its default, is none
    server_limit: int | None = None  # the largest number that a request to a server may give

    @property
    def numbers(self) -> range:
        """All that it may be."""
        return range(self.low, self.high + 1, self.step)

    def read(self, name: str, value: int | str) -> int | str:
        """Return the option's value for the rules from what a person wrote: an integer, or a path."""
        if self.file:
            return str(value)
        if self.words:
            text = str(value)
            if self.words == SWITCH:
                text = SPELLINGS.get(text.lower(), text)
            if text in self.words:
                return self.words.index(text)
            raise GameError(f"{name} must be one of {', '.join(self.words)}, not {value!r}.")
        try:
            number = int(value)
        except ValueError:
            raise GameError(f"{name} must be a whole number, not {value!r}.") from None
        if not self.low <= number <= self.high:
            raise GameError(f"{name} must be between {self.low} and {self.high}, not {number}.")
        if number not in self.numbers:
            raise GameError(f"{name} must be {' or '.join(map(str, self.numbers))}, not {number}.")
        return number

    def write(self, value: int | str) -> str:
        """The inverse of `read`."""
        return self.words[int(value)] if self.words else str(value)

    def word(self, word: str) -> Word:
        """One of its words for people; without a declared title it is the word itself."""
        return self.about.get(word) or Word(word.replace("-", " ").capitalize())


class _Loading:
    """The options given to the rules file being executed, and those it declared so far."""

    def __init__(self, given: Mapping[str, int | str]) -> None:
        self.given = given
        self.declared: dict[str, Option] = {}
        self.values: dict[str, int | str] = {}


_loading: _Loading | None = None


@contextmanager
def loading(given: Mapping[str, int | str]) -> Iterator[_Loading]:
    """While a rules file runs inside this, its `option` calls return the `given` values."""
    global _loading
    outer, _loading = _loading, _Loading(given)
    try:
        yield _loading
    finally:
        _loading = outer


def _declare(name: str, declared: Option) -> int | str:
    if _loading is None:
        return declared.default
    value = declared.default
    if name in _loading.given:
        value = declared.read(name, _loading.given[name])
    _loading.declared[name] = declared
    _loading.values[name] = value
    return value


def option(
    name: str, default: int, low: int, high: int, help: str = "", step: int = 1, server_limit: int | None = None
) -> int:
    """Declare a number that can be set from outside, with its default and its range, of which it may be every n-th.

    Where large numbers make loading slow, `server_limit` is the largest that a request to a server may give.
    """
    return int(_declare(name, Option(default, low, high, (), help, step=step, server_limit=server_limit)))


def choice(
    name: str, default: str, words: Sequence[str], help: str = "", about: Mapping[str, Word] | None = None
) -> int:
    """Declare a choice between words; the rules see the index of the word. `about` says what words mean to people."""
    return int(_declare(name, Option(words.index(default), 0, len(words) - 1, tuple(words), help, about or {})))


def switch(name: str, default: bool, help: str = "") -> int:
    """Declare something that is on or off: 1 or 0."""
    return choice(name, SWITCH[default], SWITCH, help)


def file(name: str, help: str = "") -> str:
    """Declare the path of a file that the rules read; empty if there is none."""
    return str(_declare(name, Option("", 0, 0, (), help, file=True)))
