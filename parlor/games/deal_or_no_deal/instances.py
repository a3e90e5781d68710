"""Instances: a pool of items and what each type is worth to both players.

By rule there are all that satisfy the conditions of Lewis et al. (2017): (i) the whole pool is worth 10 to each player,
(ii) every type of item is worth something to at least one of them, (iii) some type is worth something to both.

A file of the user's has one in a line, as OpenSpiel writes them, `1,2,3 8,1,0 4,0,2`: the pool, the values of the first
player and those of the second. The files of Lewis et al. are read as well: their dialogues, `<input> 1 8 2 1 3 0
</input> … <partner_input> 1 4 2 0 3 2 </partner_input>`, and their contexts, the same six numbers in two lines: of each
type how many there are and their value. An instance that stands there twice is dealt twice as often.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from parlor.game.errors import GameError
from parlor.games.deal_or_no_deal.options import PLAYERS, TYPES, WORTH

Triple = tuple[int, int, int]
EVERY_TYPE = (1 << TYPES) - 1

LINE = re.compile(r"(\d+),(\d+),(\d+)[ ;]+(\d+),(\d+),(\d+)[ ;]+(\d+),(\d+),(\d+)")
HALF = re.compile(r"\d+(?:\s+\d+){5}")
DIALOGUE = re.compile(r"<input>((?:\s+\d+){6})\s+</input>.*<partner_input>((?:\s+\d+){6})\s+</partner_input>")


class Instance(NamedTuple):
    """A deal: the pool, and each player's values."""

    pool: Triple
    values: tuple[Triple, Triple]

    def __str__(self) -> str:
        return " ".join(",".join(map(str, numbers)) for numbers in (self.pool, *self.values))


def by_rule(least: int, most: int) -> Iterator[Instance]:
    """All instances with so many items, in order."""
    counts = range(1, most - TYPES + 2)
    for a, b, c in itertools.product(counts, repeat=TYPES):
        if least <= a + b + c <= most:
            vectors = [(values, _wanted(values)) for values in _vectors((a, b, c))]
            for (first, mine), (second, theirs) in itertools.product(vectors, repeat=PLAYERS):
                if mine | theirs == EVERY_TYPE and mine & theirs:
                    yield Instance((a, b, c), (first, second))


def _wanted(values: Triple) -> int:
    """Which types are worth something, as a set of bits."""
    return sum(1 << t for t in range(TYPES) if values[t])


def _vectors(pool: Triple) -> list[Triple]:
    """The values with which a pool is worth what it must be, in order."""
    a, b, c = pool
    return [
        (x, y, (WORTH - a * x - b * y) // c)
        for x in range(WORTH // a + 1)
        for y in range((WORTH - a * x) // b + 1)
        if (WORTH - a * x - b * y) % c == 0
    ]


def total(pool: Triple, values: Triple) -> int:
    """The value of all items of a pool."""
    return pool[0] * values[0] + pool[1] * values[1] + pool[2] * values[2]


def mistake(instance: Instance, least: int, most: int) -> str:
    """The first mistake in an instance, and how it should be; empty if the instance is right."""
    pool, (first, second) = instance
    if min(pool) < 1 or not least <= sum(pool) <= most:
        return f"the pool {_listed(pool)} must have at least one item of each type and {least} to {most} in all"
    for who, values in (("first", first), ("second", second)):
        if total(pool, values) != WORTH:
            return (
                f"to the {who} player, with the values {_listed(values)}, the pool {_listed(pool)} is worth "
                f"{total(pool, values)}; it must be worth {WORTH}"
            )
    worth = [(bool(a), bool(b)) for a, b in zip(first, second, strict=True)]
    if (False, False) in worth:
        return f"type {worth.index((False, False)) + 1} must be worth something to at least one player"
    if (True, True) not in worth:
        return "some type must be worth something to both players"
    return ""


def from_file(path: str, least: int, most: int) -> Iterator[Instance]:
    """The instances of a file, line by line."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [(number, line.strip()) for number, line in enumerate(file, 1) if line.strip()]
    except FileNotFoundError:
        raise GameError(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise GameError(f"{path} cannot be read as a file of instances: {error}.") from None
    waiting = iter(lines)
    for number, line in waiting:
        where = f"line {number}"
        if HALF.fullmatch(line):
            second, partner = next(waiting, (number, ""))
            where = f"lines {number} and {second}" if partner else where
            instance = _of_halves(line, partner) if HALF.fullmatch(partner) else None
        else:
            instance = _read(line)
        if instance is None:
            shown = line if len(line) <= 40 else line[:39] + "…"
            raise GameError(
                f"{path}, {where}: {shown!r} should be a pool and the values of both players, three numbers "
                f"each, such as 1,2,3 8,1,0 4,0,2."
            )
        if wrong := mistake(instance, least, most):
            raise GameError(f"{path}, {where}: {wrong}.")
        yield instance


def _read(line: str) -> Instance | None:
    """The instance in a line of OpenSpiel's or of a dialogue."""
    if match := LINE.fullmatch(line):
        n = [int(number) for number in match.groups()]
        return Instance(_triple(n[:3]), (_triple(n[3:6]), _triple(n[6:])))
    match = DIALOGUE.search(line)
    return _of_halves(*match.groups()) if match else None


def _of_halves(first: str, second: str) -> Instance | None:
    """The instance that both players were told: of each type how many there are and their value."""
    one, two = ([int(number) for number in half.split()] for half in (first, second))
    if one[::2] != two[::2]:
        return None
    return Instance(_triple(one[::2]), (_triple(one[1::2]), _triple(two[1::2])))


def _triple(numbers: list[int]) -> Triple:
    a, b, c = numbers
    return a, b, c


def _listed(numbers: Triple) -> str:
    return ",".join(map(str, numbers))


def dealt(path: str, least: int, most: int) -> dict[Instance, int]:
    """The instances that can be dealt, in order, and how often each stands in the file: once, if there is none."""
    found = Counter(from_file(path, least, most) if path else by_rule(least, most))
    if not found:
        raise GameError(f"{path} has no instances; it needs at least one line such as 1,2,3 8,1,0 4,0,2.")
    return dict(sorted(found.items()))
