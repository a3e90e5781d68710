"""Gradient steps of the networks that learn from search, in JAX.

The policy-value network has one output for each action, the logits of its policy, and one for the value. Its loss is
(r − v)² − π*ᵀ log p + c‖θ‖² (Silver et al., *A general reinforcement learning algorithm that masters chess, shogi, and
Go through self-play*, 2018), where a step has two batches: states with what came of them, and decisions with the shares
of visits of a search. The policy is a softmax over the legal actions.

A belief network says how likely each code of what is hidden is, by what a player has seen: by a masked softmax over the
possible codes (`learned`), or by a softmax for each of a code's numbers (`heads`, appendix D.1 of Li et al., 2023). Its
loss is the cross-entropy with what was hidden, and c‖θ‖².
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from parlor.learn.training import libraries
from parlor.policies.nets import Weights, apply

ADAM, SGD = OPTIMISERS = ("adam", "sgd")
ARRAYS = ("weights", "mu", "nu")

#: (JAX, the sizes of the layers, the sizes of the heads, weights, batch) -> the loss without its last term
Loss = Callable[[Any, tuple[int, ...], tuple[int, ...], Any, Mapping[str, Any]], Any]


def policy_value_loss(jax: Any, sizes: tuple[int, ...], heads: tuple[int, ...], weights: Any, batch: Any) -> Any:
    """Of states `seen` with the `target` of their values, and of `decisions` with `shares` of the `legal` actions."""
    numpy, states = jax.numpy, len(batch["seen"])
    both = numpy.concatenate([batch["seen"], batch["decisions"]]).astype(numpy.float32)
    outputs = apply(sizes, weights, both)
    legal = numpy.where(batch["legal"] > 0, outputs[states:, :-1], -1e9)
    crossed = -(batch["shares"] * jax.nn.log_softmax(legal, axis=1)).sum(axis=1)
    return ((batch["target"] - outputs[:states, -1]) ** 2).mean() + crossed.mean()


def belief_loss(jax: Any, sizes: tuple[int, ...], heads: tuple[int, ...], weights: Any, batch: Any) -> Any:
    """Of what was `seen`, the `possible` codes and the true `code`."""
    numpy = jax.numpy
    outputs = apply(sizes, weights, batch["seen"].astype(numpy.float32))
    logs = jax.nn.log_softmax(numpy.where(batch["possible"] > 0, outputs, -1e9), axis=1)
    return -numpy.take_along_axis(logs, batch["code"][:, None], axis=1).mean()


def heads_loss(jax: Any, sizes: tuple[int, ...], heads: tuple[int, ...], weights: Any, batch: Any) -> Any:
    """Of what was `seen` and the `numbers` of the true code, one for each head."""
    numpy = jax.numpy
    outputs = apply(sizes, weights, batch["seen"].astype(numpy.float32))
    loss, at = 0.0, 0
    for i, size in enumerate(heads):
        logs = jax.nn.log_softmax(outputs[:, at : at + size], axis=1)
        loss -= numpy.take_along_axis(logs, batch["numbers"][:, i : i + 1], axis=1).mean()
        at += size
    return loss


class Descent:
    """A network and its optimiser."""

    def __init__(
        self,
        loss: Loss,
        sizes: tuple[int, ...],
        weights: Weights,
        optimiser: str = ADAM,
        l2: float = 0.0,
        heads: tuple[int, ...] = (),
    ) -> None:
        self.sizes, self.steps = sizes, 0
        self.arrays: dict[str, Any] = {name: np.zeros_like(weights) for name in ARRAYS} | {"weights": weights.copy()}
        self._train = train_function(loss, sizes, heads, optimiser, l2)

    def train(self, batches: Mapping[str, Any], rate: float) -> float:
        """One step for each of the batches, arrays whose first axis counts them; returns the mean loss."""
        found, loss = self._train(self.arrays, np.int32(self.steps), np.float32(rate), dict(batches))
        self.arrays = dict(found)
        self.steps += len(batches["seen"])
        return float(loss)

    @property
    def weights(self) -> Weights:
        """The weights as they are now; a copy, since JAX's own memory is read-only."""
        return np.array(self.arrays["weights"])

    def state(self, prefix: str) -> dict[str, Any]:
        """Everything, as arrays whose names begin with `prefix`."""
        arrays = {prefix + name: np.asarray(array) for name, array in self.arrays.items()}
        return arrays | {f"{prefix}steps": np.int64(self.steps)}

    def restore(self, prefix: str, state: Mapping[str, Any]) -> None:
        """As it was when `state` was called."""
        self.arrays = {name: np.array(state[prefix + name], np.float32) for name in ARRAYS}
        self.steps = int(state[f"{prefix}steps"])


@functools.lru_cache(maxsize=32)
def train_function(
    loss: Loss, sizes: tuple[int, ...], heads: tuple[int, ...], optimiser: str, l2: float
) -> Callable[..., Any]:
    """The compiled steps for networks of one shape."""
    jax, optax = libraries()
    adam = optax.scale_by_adam()

    def loss_of(weights: Any, batch: Any) -> Any:
        return loss(jax, sizes, heads, weights, batch) + l2 * (weights**2).sum()

    def step(carried: Any, batch: Any) -> Any:
        weights, state, rate = carried
        value, change = jax.value_and_grad(loss_of)(weights, batch)
        if optimiser == ADAM:
            change, state = adam.update(change, state)
        return (weights - rate * change, state, rate), value

    def train(arrays: Mapping[str, Any], count: Any, rate: Any, batches: Any) -> Any:
        state = optax.ScaleByAdamState(count, arrays["mu"], arrays["nu"])
        (weights, state, _), losses = jax.lax.scan(step, (arrays["weights"], state, rate), batches)
        return dict(zip(ARRAYS, (weights, state.mu, state.nu), strict=True)), losses.mean()

    return jax.jit(train)
