"""Moves that differ only by a number, told as one: to bet anything from 4 to 199 chips is one choice, not 196."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MANY = 12  # that follow each other; fewer are told one by one
_NUMBERED = re.compile(r"(.*?)(0|[1-9]\d{0,8})(\D*)", re.DOTALL)


@dataclass(frozen=True)
class Range:
    """Moves that are called `before`, a number, `after`: every `step` from the `least` to the `most`."""

    before: str
    least: int
    most: int
    step: int
    after: str


def grouped(names: Sequence[str]) -> list[tuple[int, int, Range | None]]:
    """The names from one place to the next, in order: one name, or as many as a range stands for."""
    found: list[tuple[int, int, Range | None]] = []
    parts = [_NUMBERED.fullmatch(name) for name in names]
    numbers = [int(part[2]) if part else 0 for part in parts]
    around = [(part[1], part[3]) if part else None for part in parts]
    start = 0
    while start < len(names):
        end, here = start + 1, around[start]
        step = numbers[end] - numbers[start] if end < len(names) else 0
        while end < len(names) and here and around[end] == here and step == numbers[end] - numbers[end - 1] > 0:
            end += 1
        if here and end - start >= MANY:
            found.append((start, end, Range(here[0], numbers[start], numbers[end - 1], step, here[1])))
            start = end
        else:
            found.append((start, start + 1, None))
            start += 1
    return found


def listed(names: Sequence[str]) -> str:
    """All of them in a sentence."""
    return ", ".join(names[start] if end == start + 1 else _told(names, start, end) for start, end, _ in grouped(names))


def summed(chances: Mapping[str, float]) -> dict[str, float]:
    """Chances by name; if there are many, those of a range are added and what never happens is left out."""
    if len(chances) < MANY:
        return dict(chances)
    names = [name for name, chance in chances.items() if chance > 0.0]
    return {
        names[start] if end == start + 1 else _told(names, start, end): sum(chances[n] for n in names[start:end])
        for start, end, _ in grouped(names)
    }


def _told(names: Sequence[str], start: int, end: int) -> str:
    return f"{names[start]} … {names[end - 1]}"
