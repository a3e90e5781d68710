"""Multilayer perceptrons whose weights are one flat array of float32.

Layer by layer: the matrix [in, out], row by row, then the biases [out]; between layers a rectifier. The input is zeros
and ones, given as the numbers of the ones, and behind them any numbers that a game computes. `forward` is compiled into
loops that play; `parlor.learn.gradients` computes the same with JAX and learns.

Policy heads: from a network's outputs to the logits of actions.

A game may say that an action is a tuple of parts (`parlor.game.ActionHead`): what to suggest is a suspect, a weapon and
a room, what to bid so much of this and so much of that. A network then has an output for each part, and the logit of an
action is the sum of its parts' outputs: what is learned of a suspect serves in all suggestions of it. Where the game
gives logits besides, such as the logarithm of a probability that it has computed, or what a trade brings each side, one
more output b is learned for each of these terms, and (1 + b) times the given logit is added. Of other games the outputs
are the logits of the actions themselves.

    logit(a) = sum of outputs[parts[a]] + sum over k of (1 + outputs[b[k]]) * given[a, k]
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.compile import AlwaysCompiled
from parlor.compile.kernel import Float32Array, FloatArray, IntArray
from parlor.game import Floats, Game


@dataclass(frozen=True, eq=False)
class PolicyHead:
    """The head of networks for one game. A actions of H parts."""

    parts: npt.NDArray[np.int64]  # [A, H] outputs; -1: none
    terms: int  # K logits that the game gives of each action
    plain: bool  # the outputs are the logits of actions: parts[a, 0] is a

    @property
    def sums(self) -> int:
        """The outputs that parts name."""
        return int(self.parts.max()) + 1

    @property
    def outputs(self) -> int:
        """All outputs that the policy uses: the multipliers of given logits are the last ones, if there are any."""
        return self.sums + self.terms

    @cached_property
    def matrix(self) -> npt.NDArray[np.float32]:
        """[outputs that parts name, A] how often an output is a part of an action."""
        made = np.zeros((self.sums, len(self.parts)), np.float32)
        actions, places = np.nonzero(self.parts >= 0)
        np.add.at(made, (self.parts[actions, places], actions), 1.0)
        return made


def policy_head(game: Game) -> PolicyHead:
    """The head of networks that use what a game declares for them; cached."""
    if "head" not in game.cache:
        declared = game.head
        parts = np.arange(game.actions)[:, None] if declared is None else np.array(declared.parts, np.int64)
        terms = declared.terms if declared is not None and declared.given is not None else 0
        game.cache["head"] = PolicyHead(np.ascontiguousarray(parts, np.int64), terms, declared is None)
    found: PolicyHead = game.cache["head"]
    return found


def action_logits(outputs: Any, head: PolicyHead, given: Any = None) -> Any:
    """The logits [..., A] of all actions, from the outputs [..., outputs or more] of a network and what is given.

    Arrays of NumPy or of JAX, through which gradients pass; `given` is [..., A × K]. The compiled counterpart is
    `parlor.policies.opponents.action_values`.
    """
    if head.plain:
        return outputs[..., : len(head.parts)]
    logits = outputs[..., : head.sums] @ head.matrix
    for k in range(head.terms):
        logits = logits + (1.0 + outputs[..., head.sums + k : head.sums + k + 1]) * given[..., k :: head.terms]
    return logits


Weights = npt.NDArray[np.float32]


def shape(features: int, hidden: Sequence[int], actions: int) -> tuple[int, ...]:
    """The sizes of all layers."""
    return (features, *hidden, actions)


def parameters(sizes: Sequence[int]) -> int:
    """Return the number of weights."""
    return sum(n * m + m for n, m in itertools.pairwise(sizes))


def initial_weights(sizes: Sequence[int], seed: int) -> Weights:
    """Uniform weights whose layers keep the size of what they get (He et al., 2015); a last layer that says little."""
    random, pieces = np.random.Generator(np.random.PCG64(seed)), []
    for i, (n, m) in enumerate(itertools.pairwise(sizes)):
        fan = min(n, 64) if i == 0 else n  # most features are zero
        bound = (6.0 / fan) ** 0.5 * (0.1 if i == len(sizes) - 2 else 1.0)
        pieces += [random.uniform(-bound, bound, n * m), np.zeros(m)]
    return np.concatenate(pieces).astype(np.float32)


def forward_slowly(
    sizes: IntArray, weights: Float32Array, active: IntArray, count: int, layers: Float32Array, out: Float32Array
) -> None:
    """The outputs for an input whose features `active[:count]` are one; `layers` [2, widest] is working memory."""
    add_active(sizes, weights, active, count, layers[0])
    finish_forward(sizes, weights, layers, out)


forward = AlwaysCompiled(forward_slowly)


def forward_inputs_slowly(
    sizes: IntArray,
    weights: Float32Array,
    active: IntArray,
    count: int,
    dense: Float32Array,
    layers: Float32Array,
    out: Float32Array,
) -> None:
    """The same, if the last inputs are the numbers `dense`."""
    m = sizes[1]
    first = sizes[0] - len(dense)
    x = layers[0]
    add_active(sizes, weights, active, count, x)
    for i in range(len(dense)):
        v = dense[i]
        if v != 0.0:
            row = weights[(first + i) * m : (first + i) * m + m]
            for j in range(m):
                x[j] += v * row[j]
    finish_forward(sizes, weights, layers, out)


forward_inputs = AlwaysCompiled(forward_inputs_slowly)


def add_active(sizes: IntArray, weights: Float32Array, active: IntArray, count: int, x: Float32Array) -> None:
    """The first layer's sums for inputs that are one."""
    m = sizes[1]
    at = sizes[0] * m
    bias = weights[at : at + m]
    for j in range(m):
        x[j] = bias[j]
    for k in range(count):
        row = weights[active[k] * m : active[k] * m + m]
        for j in range(m):
            x[j] += row[j]


def finish_forward(sizes: IntArray, weights: Float32Array, layers: Float32Array, out: Float32Array) -> None:
    """The outputs from the first layer's sums, which are in `layers[0]`."""
    at = sizes[0] * sizes[1] + sizes[1]
    for layer in range(2, len(sizes)):
        n = sizes[layer - 1]
        m = sizes[layer]
        x = layers[layer & 1]
        y = layers[(layer & 1) ^ 1]
        bias = weights[at + n * m : at + n * m + m]
        for j in range(m):
            y[j] = bias[j]
        for i in range(n):
            if x[i] > 0.0:
                v = x[i]
                row = weights[at + i * m : at + i * m + m]
                for j in range(m):
                    y[j] += v * row[j]
        at += n * m + m
    x = layers[len(sizes) & 1]
    for j in range(sizes[len(sizes) - 1]):
        out[j] = x[j]


def apply(sizes: Sequence[int], weights: Any, x: Any) -> Any:
    """The same for a batch [B, features] of NumPy's or JAX's arrays."""
    at = 0
    for i, (n, m) in enumerate(itertools.pairwise(sizes)):
        matrix, bias = weights[at : at + n * m].reshape(n, m), weights[at + n * m : at + n * m + m]
        x = (x if i == 0 else x * (x > 0)) @ matrix + bias
        at += n * m + m
    return x


def softmax(values: FloatArray | Floats, n: int, temperature: float, out: FloatArray | Floats) -> None:
    """Probabilities of `n` values: of the largest if the temperature is zero, the first one of several."""
    best = 0
    for i in range(1, n):
        if values[i] > values[best]:
            best = i
    total = 0.0
    for i in range(n):
        out[i] = 0.0
        if temperature > 0.0:
            out[i] = np.exp((values[i] - values[best]) / temperature)
        elif i == best:
            out[i] = 1.0
        total += out[i]
    for i in range(n):
        out[i] /= total
