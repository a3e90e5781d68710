"""The hidden part of a state as a row of numbers, each encoded as symbols that a learned belief predicts.

The numbers are those of the schema: fields that nobody sees, and the others' parts of fields that each player sees a
part of; the others in the order of their seats, from the next one on. A number of at most sixteen values is one symbol,
a larger one is a symbol of two values for each bit. How large the numbers get is found in random games; what lies
outside is taken to be the nearest that was seen. What the others merely remember does not count: the game's `forget`
clears it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.compile import Bindings
from parlor.game import CHANCE, OVER, Game, GameError, Ints, State
from parlor.game.rng import below, choose, seed_stream
from parlor.game.schema import hidden_by_schema

ONE_HOT = 16  # a number of at most so many values is one symbol
STEPS, GAMES = 20_000, 1_000  # of random games

FIRST, WIDTH, WHOLE, LOW = range(4)  # columns of the code


@dataclass(frozen=True, eq=False)
class HiddenNumbers:
    """The code of one game: J numbers become `size` features, in the order in which they are drawn."""

    code: npt.NDArray[np.int64]  # [J, 4] of each: its first feature, how many, 1 if one for each value, its least value

    @property
    def size(self) -> int:
        """The number of features."""
        return int(self.code[:, WIDTH].sum())


def read_hidden(s: State, p: int, out: Ints) -> int:
    """A slot: fill the numbers that player `p` does not see; returns how many."""
    raise RuntimeError


def forget_memory(s: State, p: int) -> None:
    """A slot: clear what the others of player `p` remember."""


def hidden_slots(game: Game) -> Bindings:
    """The bindings that kernels calling these two need for a game."""
    if game.schema is None or not game.abstraction.lossless:
        raise GameError(f"A belief is learned of the fields that a game declares, and {game.name} declares none.")
    if "read hidden" not in game.cache:
        game.cache["read hidden"] = hidden_by_schema(game.schema)
    forget = {} if game.hidden.forget is None else {forget_memory: game.hidden.forget}
    return {read_hidden: game.cache["read hidden"], **forget}


def hidden_numbers(game: Game) -> HiddenNumbers:
    """The code of a game; cached."""
    if "hidden numbers" not in game.cache:
        low, high = _ranges(game)
        values = high - low + 1
        whole = values <= ONE_HOT
        bits = np.array([int(value - 1).bit_length() for value in values.tolist()], np.int64)
        width = np.where(values == 1, 0, np.where(whole, values, bits))
        code = np.stack([np.cumsum(width) - width, width, whole.astype(np.int64), low], axis=1)
        game.cache["hidden numbers"] = HiddenNumbers(np.ascontiguousarray(code, np.int64).reshape(-1, 4))
    found: HiddenNumbers = game.cache["hidden numbers"]
    if found.size == 0:
        raise GameError(f"Nothing is ever hidden from a player of {game.name}, so there is no belief to learn.")
    return found


def _ranges(game: Game) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The least and the greatest of each number, at decisions in some random games, always the same ones."""
    slots = hidden_slots(game)
    look, forget = slots[read_hidden], slots.get(forget_memory, forget_memory)
    rules, r = game.rules, [0] * 4
    moves, chances = [0] * game.actions, [0.0] * game.outcomes
    numbers = [0] * (1 + sum(int(np.prod(field.shape)) for field in (game.schema or {}).values()))
    count, steps, low, high = 0, 0, list[int](), list[int]()
    for number in range(GAMES):
        if steps >= STEPS:
            break
        seed_stream(r, 0, number)
        s = game.new_state()
        rules.start(s)
        while (who := rules.turn(s)) != OVER:
            steps += 1
            if who == CHANCE:
                rules.play(s, choose(r, chances, rules.odds(s, chances)))
                continue
            known = s.copy()
            forget(known, who)
            count = look(known, who, numbers)
            seen = [int(one) for one in numbers[:count]]
            low = [min(a, b) for a, b in zip(low or seen, seen, strict=True)]
            high = [max(a, b) for a, b in zip(high or seen, seen, strict=True)]
            rules.play(s, moves[below(r, rules.legal(s, moves))])
    return np.array(low, np.int64), np.array(high, np.int64)


def limited(number: int, code: Any, j: int) -> int:
    """The number `j` from its least value on, within its range."""
    top = code[j, WIDTH] - 1 if code[j, WHOLE] == 1 else (1 << code[j, WIDTH]) - 1
    return min(max(number - code[j, LOW], 0), top)
