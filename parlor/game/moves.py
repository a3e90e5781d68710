"""Moves as data: a verb and its arguments, with the text beside it.

A game describes a move by `move(s, a)`, a mapping of plain numbers and words: `verb`, and where they apply
`amount` (of chips), `card`, `to` (the player who gets something) and whatever else the game needs. `text` is how
a person reads the move where its name is short or formal; records store the name. In a game without `move`, the verb
of a move is its name. Moves that differ only by their amount are one `Range`: to bet anything from 4 to 199 chips is
one choice, not 196. Moves that go through all combinations of their details can be one `Product`: one of six suspects,
one of six weapons and one of nine rooms are three choices, not 324.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

MAX_LISTED = 12  # moves in a row; fewer are listed one by one


@dataclass(frozen=True)
class Move:
    """A move or an outcome of chance that can be played: by `id` or by `name`."""

    id: int
    name: str  # by which it is recorded
    text: str  # as a person reads it
    actor: int  # the player who makes it, or CHANCE
    verb: str
    amount: int | None = None
    card: str | None = None
    to: int | None = None
    details: Mapping[str, int | str] = field(default_factory=dict)  # everything else that the game says about it

    @property
    def data(self) -> dict[str, int | str]:
        """The verb and all arguments."""
        common = {"verb": self.verb, "amount": self.amount, "card": self.card, "to": self.to}
        return {name: value for name, value in common.items() if value is not None} | dict(self.details)


@dataclass(frozen=True)
class Range:
    """Moves that differ only by their amounts, which go up in equal steps, and so do their ids."""

    moves: tuple[Move, ...]

    @property
    def name(self) -> str:
        """The first and the last of them."""
        return f"{self.moves[0].name} … {self.moves[-1].name}"

    @property
    def text(self) -> str:
        """The same as a person reads it."""
        return f"{self.moves[0].text} … {self.moves[-1].text}"

    @property
    def verb(self) -> str:
        """The verb that all moves of the range share."""
        return self.moves[0].verb

    @property
    def least(self) -> int:
        """The smallest amount."""
        return _amount(self.moves[0])

    @property
    def most(self) -> int:
        """The largest amount."""
        return _amount(self.moves[-1])

    @property
    def step(self) -> int:
        """From one amount to the next."""
        return _amount(self.moves[1]) - self.least

    @property
    def id_step(self) -> int:
        """From one id to the next."""
        return self.moves[1].id - self.moves[0].id

    def at(self, amount: int) -> Move | None:
        """The move of this amount, if there is one."""
        return next((move for move in self.moves if move.amount == amount), None)


@dataclass(frozen=True)
class Product:
    """Moves of one verb that go through all combinations of their details, the last detail fastest; ids go up by 1."""

    moves: tuple[Move, ...]

    @property
    def choices(self) -> dict[str, tuple[int | str, ...]]:
        """The values of each detail, in order."""
        return {name: tuple(dict.fromkeys(move.details[name] for move in self.moves)) for name in self.moves[0].details}


def grouped(moves: Sequence[Move]) -> list[Move | Range]:
    """The moves in order, those that differ only by their amount as one range where there are many."""
    found: list[Move | Range] = []
    start = 0
    while start < len(moves):
        end = start + 1
        while end < len(moves) and _continues(moves, start, end):
            end += 1
        if end - start >= MAX_LISTED:
            found.append(Range(tuple(moves[start:end])))
            start = end
        else:
            found.append(moves[start])
            start += 1
    return found


def combined(moves: Sequence[Move], verbs: Collection[str]) -> list[Move | Range | Product]:
    """The moves in order: those of the `verbs` as one product, if they are one, and the others grouped."""
    found: list[Move | Range | Product] = []
    for verb, alike in itertools.groupby(moves, lambda move: move.verb):
        product = Product(tuple(alike))
        found += [product] if verb in verbs and _complete(product) else grouped(product.moves)
    return found


def _complete(product: Product) -> bool:
    """Whether all combinations are there, in order and numbered by their ids."""
    first, names = product.moves[0], list(product.moves[0].details)
    if not names or any(list(move.details) != names for move in product.moves):
        return False
    expected = list(itertools.product(*product.choices.values()))
    ids = range(first.id, first.id + len(expected))
    return expected == [tuple(move.details.values()) for move in product.moves] and list(ids) == [
        move.id for move in product.moves
    ]


def _continues(moves: Sequence[Move], start: int, at: int) -> bool:
    """Whether the move at an index continues the range that begins at `start`: one equal step further."""
    first, second, before, this = moves[start], moves[start + 1], moves[at - 1], moves[at]
    if first.amount is None or this.amount is None or _alike(first) != _alike(this):
        return False
    step, id_step = _amount(second) - _amount(first), second.id - first.id
    return this.amount - _amount(before) == step > 0 and this.id - before.id == id_step


def _alike(move: Move) -> tuple[object, ...]:
    return move.verb, move.card, move.to, dict(move.details)


def _amount(move: Move) -> int:
    return 0 if move.amount is None else move.amount


def listed(moves: Sequence[Move]) -> str:
    """All of them in a sentence, by name."""
    return ", ".join(one.name for one in grouped(moves))


def summed(chances: Iterable[tuple[Move, float]]) -> list[tuple[Move | Range, float]]:
    """Moves with their probabilities; if there are many, those of a range are added and zeros are left out."""
    pairs = list(chances)
    if len(pairs) < MAX_LISTED:
        return list(pairs)
    by_name = {move.name: chance for move, chance in pairs}
    return [
        (one, by_name[one.name] if isinstance(one, Move) else sum(by_name[move.name] for move in one.moves))
        for one in grouped([move for move, chance in pairs if chance > 0.0])
    ]
