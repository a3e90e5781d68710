"""A player's view as a vector of zeros and ones, for libraries that learn.

The vector is made from the view and from nothing else: who is looking (one-hot), then the bits of every number in the
view, lowest first. Bits lose nothing, whether a number counts chips or packs a list of moves. A walk through the whole
game finds how many bits a number needs, unless the schema says it (`most`); in a game too large for that, or with a
view of its own, every number gets all 64. An abstraction merges what the view tells apart, so there the vector has the
bits of the key instead. Behind them, or in their place, are the numbers that a game computes for networks
(`parlor.game.OwnFeatures`), so that other libraries learn from what Parlor's own networks see.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.compile.kernel import FloatArray, IntArray, States, copy, legal, odds, payoff, play, start, turn
from parlor.compile.random_games import estimate_in_time
from parlor.game import CHANCE, OVER, Game, GameError, View
from parlor.game.schema import fields_of

Vector = npt.NDArray[np.float32]

LIMIT = 5_000_000  # histories: about a second
PLAIN_LIMIT = 12_000  # histories, as random games suggest them: a fifth of a second in plain Python
COUNTING_LIMIT = 1e11  # nothing is compiled to see it
WORD = 64  # bits


@dataclasses.dataclass(frozen=True)
class Survey:
    """The results of one walk through a game."""

    bits: dict[str, int]  # field of the state -> how many bits its numbers need; empty if the game is too large
    lowest: float  # payoff, -inf if the game is too large
    highest: float


TOO_LARGE = Survey({}, -np.inf, np.inf)


class FeatureVectors:
    """The vectors of one game: `features(view, key, own)` has `size` numbers; `pieces` says where each field is.

    They are zeros and ones, but for those that the game computes, `own`: see `own_numbers`.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.pieces: dict[str, slice] = {}
        self._counts, self._at, self._shift = list[int](), np.zeros(0, np.int64), np.zeros(0, np.int64)
        if game.features is None or not game.features.replaces_view:
            self._lay_out()
        self.size = len(self._at)
        if game.features is not None:
            self.pieces["features"] = slice(self.size, self.size + game.features.count)
            self.size += game.features.count

    def _lay_out(self) -> None:
        """Find the place of every bit of the view."""
        game = self.game
        bits = survey(game).bits
        position = game.start()
        names: list[str] = []
        counts: list[int] = []
        for name, numbers in self._numbers(position.view(0), position.key(0)):
            names.append(name)
            counts.append(len(numbers))
        self._counts = counts
        known = game.abstraction.lossless and names[1:] == _seen(game) and all(name in bits for name in names[1:])
        widths = [game.players, *(bits[name] if known else WORD for name in names[1:])]
        at: list[int] = []
        shift: list[int] = []
        for name, first, count, width in zip(names, np.cumsum([0, *counts]), counts, widths, strict=False):
            self.pieces[name] = slice(len(at), len(at) + count * width)
            at += [int(first) + i for i in range(count) for _ in range(width)]
            shift += list(range(width)) * count
        self._at = np.array(at, np.int64)  # [bits] which number
        self._shift = np.array(shift, np.int64)  # [bits] which of its bits

    def __call__(self, view: View, key: int, own: Sequence[float] = ()) -> Vector:
        """The vector of a view, or for an abstraction of its key, and of the numbers that the game computes."""
        if self.game.features is not None and len(own) != self.game.features.count:
            raise GameError(
                f"{self.game.name} computes {self.game.features.count} numbers, not {len(own)}: see own_numbers."
            )
        if not len(self._at):
            return np.array(own, np.float32)
        values = np.array(self.numbers(view, key), np.int64)
        bits = (values[self._at] >> self._shift & 1).astype(np.float32)
        return np.concatenate([bits, np.array(own, np.float32)])

    def numbers(self, view: View, key: int) -> list[int]:
        """The numbers whose bits the vector has; in compiled code `parlor.compile.kernel.see` fills the same."""
        numbers: list[int] = []
        for (name, some), count in zip(self._numbers(view, key), self._counts, strict=True):
            if len(some) != count:
                raise GameError(f"{self.game.name} shows {len(some)} numbers as {name} where it first showed {count}.")
            numbers += some
        return numbers

    def observed(
        self, view: View, key: int, actions: Sequence[int], own: Sequence[float] = ()
    ) -> dict[str, npt.NDArray[Any]]:
        """The vector with the mask of the legal actions, in PettingZoo's format."""
        mask = np.zeros(self.game.actions, np.int8)
        mask[list(actions)] = 1
        return {"observation": self(view, key, own), "action_mask": mask}

    def _numbers(self, view: View, key: int) -> Iterator[tuple[str, list[int]]]:
        yield "player", [1 << view.player]
        if not self.game.abstraction.lossless:
            yield "key", [key]
            return
        for field in dataclasses.fields(view):
            if field.name != "player":
                yield field.name, list(_flat(getattr(view, field.name), field.name))


def _flat(value: Any, name: str) -> Iterator[int]:
    if isinstance(value, (int, np.integer)):
        yield int(value)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _flat(item, name)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _flat(getattr(value, field.name), f"{name}.{field.name}")
    else:
        raise GameError(f"{name} is a {type(value).__name__}; features can be made of whole numbers only.")


def _seen(game: Game) -> list[str]:
    """The fields that a view shows if the game has no view of its own."""
    return [name for name, field in (game.schema or {}).items() if field.seen_by != "nobody"]


# --------------------------------------------------------------------------------------------------- the walk


def survey(game: Game, limit: int = LIMIT) -> Survey:
    """Walk through a game, compiled unless it is small; the result is cached."""
    if not game.native:
        raise GameError(f"{game.name} belongs to another library; only Parlor's own games can be exported.")
    if "survey" not in game.cache:
        game.cache["survey"] = _survey(game, limit)
    found: Survey = game.cache["survey"]
    return found


def _survey(game: Game, limit: int) -> Survey:
    if game.payoffs and game.schema and all(field.most >= 0 for field in game.schema.values()):
        return Survey({name: field.most.bit_length() for name, field in game.schema.items()}, *game.payoffs[:2])
    histories, in_time = estimate_in_time(game, 20, 0.2)
    if histories > COUNTING_LIMIT:
        return TOO_LARGE
    plain_limit = min(limit, 10 * PLAIN_LIMIT) if in_time and histories < PLAIN_LIMIT else 0
    seen, extremes = _walk_plainly(game, plain_limit)
    if not seen and plain_limit < limit:
        seen, extremes = _walk_compiled(game, limit)
    if not seen:
        return TOO_LARGE
    assert game.schema is not None
    bits, at = {}, 0
    for name, field in game.schema.items():
        count = int(np.prod(field.shape))
        bits[name] = _width(seen[at : at + count])
        at += count
    return Survey(bits, *extremes)


def _width(numbers: Sequence[int]) -> int:
    return max(WORD if number < 0 else number.bit_length() for number in numbers)


def _walk_plainly(game: Game, limit: int) -> tuple[list[int], list[float]]:
    """The findings of `walk` for a game so small that the compiler would take longer; nothing if it is too large."""
    rules, moves, chances = game.rules, [0] * game.actions, [0.0] * game.outcomes
    seen: list[int] = []
    payoffs: list[float] = []
    first = game.new_state()
    rules.start(first)
    pending, histories = [(first, 0)], 0
    while pending:
        state, depth = pending.pop()
        histories += 1
        if histories > limit or depth > game.length:
            return [], []
        words = [word for value in fields_of(state).values() for word in _flat(value, "state")]
        seen = [old | word for old, word in zip(seen or [0] * len(words), words, strict=True)]
        who = rules.turn(state)
        if who == OVER:
            payoffs += [rules.payoff(state, p) for p in range(game.players)]
            continue
        n = rules.odds(state, chances) if who == CHANCE else rules.legal(state, moves)
        for move in [i for i in range(n) if chances[i] > 0.0] if who == CHANCE else moves[:n]:
            after = state.copy()
            rules.play(after, move)
            pending.append((after, depth + 1))
    return seen, [min(payoffs), max(payoffs)]


def _walk_compiled(game: Game, limit: int) -> tuple[list[int], list[float]]:
    """`walk` with its buffers; nothing if the game is too large."""
    depth = game.length + 2
    states = compiler.states(game, depth, compiled=True)
    words = states.view(np.int64).reshape(depth, -1)  # the same memory, as plain integers
    seen = np.zeros(words.shape[1], np.int64)
    extremes = np.array([np.inf, -np.inf])
    finished = compiler.native(walk, game)(
        states,
        words,
        np.zeros((depth, game.actions), np.int64),
        np.zeros((depth, game.outcomes)),
        np.zeros((depth, 3), np.int64),
        seen,
        extremes,
        game.players,
        limit,
    )
    return (seen.tolist(), extremes.tolist()) if finished else ([], [])


def walk(
    states: States,
    words: IntArray,
    moves: IntArray,
    chances: FloatArray,
    stack: IntArray,
    seen: IntArray,
    extremes: FloatArray,
    players: int,
    limit: int,
) -> bool:
    """All histories, depth first: which bits are ever set, and how low and high the payoffs go.

    stack[d]: 0 who acts, 1 children, 2 next child.
    """
    histories = 0
    depth = 0
    start(states[0])
    fresh = True  # the node at `depth` has not been visited
    while depth >= 0:
        if fresh:
            fresh = False
            histories += 1
            if histories > limit or depth >= len(stack) - 1:
                return False
            for i in range(len(seen)):
                seen[i] |= words[depth, i]
            s = states[depth]
            who = turn(s)
            stack[depth, 0] = who
            stack[depth, 1] = 0
            stack[depth, 2] = 0
            if who == OVER:
                for p in range(players):
                    u = payoff(s, p)
                    extremes[0] = min(extremes[0], u)
                    extremes[1] = max(extremes[1], u)
            elif who == CHANCE:
                stack[depth, 1] = odds(s, chances[depth])
            else:
                stack[depth, 1] = legal(s, moves[depth])
        child = stack[depth, 2]
        if child >= stack[depth, 1]:
            depth -= 1
            continue
        stack[depth, 2] = child + 1
        move = child
        if stack[depth, 0] != CHANCE:
            move = moves[depth, child]
        elif chances[depth, child] <= 0.0:
            continue
        copy(states, depth + 1, states, depth)
        play(states[depth + 1], move)
        depth += 1
        fresh = True
    return True
