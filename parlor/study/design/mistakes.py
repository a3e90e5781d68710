"""Mistakes in a study file: what is wrong, in a sentence, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from parlor.game.errors import GameError
from parlor.study.design.toml_lines import Place


class Mistake(NamedTuple):
    """Something that is wrong."""

    place: Place
    sentence: str


class StudyError(GameError):
    """A study file with mistakes; the message has a line for each of them."""

    def __init__(self, path: Path, mistakes: Iterable[Mistake], lines: Mapping[Place, int]) -> None:
        """`lines` are those of the places in the file; a place that has none is looked for where it would stand."""
        found = sorted((_line(mistake.place, lines), mistake.sentence) for mistake in mistakes)
        places = [f"{path}, line {line}" if line else f"{path}" for line, _ in found]
        sentences = [f"{place}: {sentence}" for place, (_, sentence) in zip(places, found, strict=True)]
        self.sentences = list(dict.fromkeys(sentences))
        head = [f"{path} has {len(self.sentences)} mistakes."] if len(self.sentences) > 1 else []
        super().__init__("\n".join(head + self.sentences))


def _line(place: Place, lines: Mapping[Place, int]) -> int:
    return next((lines[place[:end]] for end in range(len(place), 0, -1) if place[:end] in lines), 0)


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about a word that is not known: what may have been meant, or all that there are."""
    words = list(known)
    near = get_close_matches(word, words, 1, 0.5)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(words)}." if words else "there are none."
