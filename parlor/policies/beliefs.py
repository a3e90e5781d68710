"""Belief networks: how likely each code of what is hidden is, by what a player has seen.

`learned` is a softmax over the codes that are possible. `heads` is as in appendix D.1 of Li et al. (2023): a softmax
for each of the numbers that make up a code, drawn independently, and the nearest possible code is taken. Here nothing
is drawn: the probability of a code is that of all numbers that are nearest to it.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.compile.kernel import Float32Array, FloatArray, IntArray
from parlor.game import Game
from parlor.game.errors import GameError
from parlor.policies.nets import Weights, parameters

LEARNED, HEADS = NETWORKS = ("learned", "heads")
MAX_COMBINATIONS = 100_000  # combinations of numbers


@dataclass(frozen=True, eq=False)
class Codes:
    """The codes of a game as belief networks need them."""

    count: int
    numbers: npt.NDArray[np.int64]  # [C, H] what they stand for, from 0; [C, 0] where the game does not say it

    @property
    def heads(self) -> tuple[int, ...]:
        """The number of values that each number takes."""
        return tuple((self.numbers.max(axis=0) + 1).tolist()) if self.numbers.size else ()

    @cached_property
    def combinations(self) -> npt.NDArray[np.int64]:
        """[K, H] all combinations of numbers, possible or not."""
        return np.array(list(itertools.product(*map(range, self.heads))), np.int64)

    def outputs(self, kind: str) -> int:
        """Return the number of outputs of a belief network."""
        return sum(self.heads) if kind == HEADS else self.count


def codes_of(game: Game, kind: str = LEARNED) -> Codes:
    """The codes of a game; GameError if belief networks of that kind cannot be trained for it."""
    if game.hidden.worlds is None:
        raise GameError(
            f"{game.name} has no codes for what is hidden, so nothing can learn them: see parlor.game.HiddenWorlds."
        )
    count, say = game.hidden.worlds.count, game.hidden.worlds.world_numbers
    if say is None:
        if kind == HEADS:
            raise GameError(f"{game.name} does not say the numbers of what is hidden: choose the belief {LEARNED}.")
        return Codes(count, np.zeros((count, 0), np.int64))
    found = Codes(count, np.array([say(code) for code in range(count)], np.int64).reshape(count, -1))
    if kind == HEADS and np.prod(found.heads) > MAX_COMBINATIONS:
        raise GameError(f"What is hidden in {game.name} has too many combinations of numbers for {HEADS}.")
    return found


@dataclass(frozen=True, eq=False)
class BeliefNetwork:
    """A belief network that has been trained."""

    kind: str  # learned or heads
    sizes: tuple[int, ...]  # of its layers: features, …, outputs
    weights: Weights

    def __post_init__(self) -> None:
        """Refuse parts that do not fit together."""
        if self.kind not in NETWORKS:
            raise GameError(f"There is no belief network of the kind {self.kind!r}; there are {', '.join(NETWORKS)}.")
        if len(self.weights) != parameters(self.sizes):
            raise GameError(
                f"A belief network has {len(self.weights):,} weights where {parameters(self.sizes):,} are needed."
            )
        if not np.isfinite(self.weights).all():
            raise GameError("A belief network has weights that are not finite: its training has diverged.")

    def weigh(self, outputs: Any, codes: Any, count: Any, of: Codes) -> npt.NDArray[np.float64]:
        """[N, M] the probabilities of the possible codes `codes[i, :count[i]]`, from the outputs [N, O]."""
        found = np.zeros(codes.shape)
        if self.kind == LEARNED:
            compiler.native(mask_outputs)(outputs, codes, count, found)
        else:
            heads = np.array(of.heads, np.int64)
            scratch = np.zeros(sum(of.heads))
            compiler.native(project_heads)(outputs, codes, count, heads, of.numbers, of.combinations, scratch, found)
        return found


def mask_outputs(outputs: Float32Array, codes: IntArray, count: IntArray, out: FloatArray) -> None:
    """A softmax over the possible codes of each row."""
    for i in range(len(outputs)):
        most = outputs[i, codes[i, 0]]
        for k in range(1, count[i]):
            most = max(most, outputs[i, codes[i, k]])
        total = 0.0
        for k in range(count[i]):
            out[i, k] = np.exp(outputs[i, codes[i, k]] - most)
            total += out[i, k]
        for k in range(count[i]):
            out[i, k] /= total


def project_heads(
    outputs: Float32Array,
    codes: IntArray,
    count: IntArray,
    heads: IntArray,
    numbers: IntArray,
    combinations: IntArray,
    chances: FloatArray,
    out: FloatArray,
) -> None:
    """A softmax for each head; the probability of each combination of numbers goes to the nearest possible code."""
    for i in range(len(outputs)):
        at = 0
        for h in range(len(heads)):
            most = outputs[i, at]
            for j in range(at + 1, at + heads[h]):
                most = max(most, outputs[i, j])
            total = 0.0
            for j in range(at, at + heads[h]):
                chances[j] = np.exp(outputs[i, j] - most)
                total += chances[j]
            for j in range(at, at + heads[h]):
                chances[j] /= total
            at += heads[h]
        for j in range(len(combinations)):
            chance = 1.0
            at = 0
            for h in range(len(heads)):
                chance *= chances[at + combinations[j, h]]
                at += heads[h]
            nearest = 0
            least = -1
            for k in range(count[i]):
                distance = 0
                for h in range(len(heads)):
                    apart = combinations[j, h] - numbers[codes[i, k], h]
                    distance += apart * apart
                if least < 0 or distance < least:
                    least = distance
                    nearest = k
            out[i, nearest] += chance
