"""Gradient steps of double DQN, in JAX: the only part of Parlor that needs it, and one that needs nothing compiled.

The loss is half the square of the difference between the value of an action and its target: the payoff after the last
decision of a game, else the value that the target network gives to the action that looks best at the player's next
decision (van Hasselt, Guez and Silver, 2016). Optax's Adam moves the weights, which are one flat array.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from parlor.game.errors import GameError
from parlor.learn.replay import ReplayBatch
from parlor.policies.nets import Weights, apply

#: One thread for small networks on a CPU: faster than two, and the same numbers every time.
FLAGS = "--xla_cpu_multi_thread_eigen=false"
ARRAYS = ("weights", "target", "mu", "nu")


def libraries() -> tuple[Any, Any]:
    """JAX and Optax, or the sentence that they are missing."""
    if "jax" not in sys.modules and FLAGS not in os.environ.get("XLA_FLAGS", ""):
        os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {FLAGS}".strip()
    try:
        import jax
        import optax
    except ImportError as error:
        raise GameError(
            f"Training networks needs JAX and Optax, and {error.name} is not installed: pip install 'parlor[learn]'."
        ) from None
    return jax, optax


class Trainer:
    """A network and its optimiser."""

    def __init__(self, sizes: tuple[int, ...], weights: Weights, target_every: int) -> None:
        self.steps = 0
        self.arrays: dict[str, Any] = {name: np.zeros_like(weights) for name in ARRAYS}
        self.arrays |= {"weights": weights.copy(), "target": weights.copy()}
        self._train = train_function(sizes, target_every)

    def train(self, batch: ReplayBatch, rate: float) -> float:
        """One step for each of the batches; returns the mean loss."""
        found, loss = self._train(self.arrays, np.int32(self.steps), np.float32(rate), batch)
        self.arrays = dict(found)
        self.steps += len(batch.action)
        return float(loss)

    @property
    def weights(self) -> Weights:
        """The weights as they are now; a copy, since JAX's own memory is read-only, which compiled loops tell apart."""
        return np.array(self.arrays["weights"])

    def state(self) -> dict[str, Any]:
        """Everything, as arrays."""
        return {name: np.asarray(array) for name, array in self.arrays.items()} | {"steps": np.int64(self.steps)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """As it was when `state` was called."""
        self.arrays = {name: np.array(state[name], np.float32) for name in ARRAYS}
        self.steps = int(state["steps"])


@functools.lru_cache(maxsize=32)
def train_function(sizes: tuple[int, ...], target_every: int) -> Callable[..., Any]:
    """The compiled steps for networks of one shape."""
    jax, optax = libraries()
    numpy = jax.numpy
    adam = optax.scale_by_adam()

    def loss_of(weights: Any, target: Any, batch: ReplayBatch) -> Any:
        values = apply(sizes, weights, batch.seen.astype(numpy.float32))
        value = numpy.take_along_axis(values, batch.action[:, None], axis=1)[:, 0]
        after, legal = batch.after.astype(numpy.float32), batch.legal > 0
        best = numpy.argmax(numpy.where(legal, apply(sizes, weights, after), -numpy.inf), axis=1)
        later = numpy.take_along_axis(apply(sizes, target, after), best[:, None], axis=1)[:, 0]
        goal = batch.payoff + numpy.where(legal.any(axis=1), later, 0.0)
        return optax.l2_loss(value, jax.lax.stop_gradient(goal)).mean()

    def step(carried: Any, batch: ReplayBatch) -> Any:
        weights, target, optimiser, count, rate = carried
        loss, gradient = jax.value_and_grad(loss_of)(weights, target, batch)
        change, optimiser = adam.update(gradient, optimiser)
        weights = weights - rate * change
        count = count + 1
        target = numpy.where(count % target_every == 0, weights, target)
        return (weights, target, optimiser, count, rate), loss

    def train(arrays: Mapping[str, Any], count: Any, rate: Any, batches: ReplayBatch) -> Any:
        optimiser = optax.ScaleByAdamState(count, arrays["mu"], arrays["nu"])
        carried = (arrays["weights"], arrays["target"], optimiser, count, rate)
        (weights, target, optimiser, _, _), losses = jax.lax.scan(step, carried, batches)
        return dict(zip(ARRAYS, (weights, target, optimiser.mu, optimiser.nu), strict=True)), losses.mean()

    return jax.jit(train)
