"""Gradient steps of networks, in JAX: the only part of Parlor that needs it, and one that needs nothing compiled.

*Double DQN.* The loss is half the square of the difference between the value of an action and its target: the payoff
after the last decision of a game, else the value that the target network gives to the action that looks best at the
player's next decision (van Hasselt, Guez and Silver, 2016).

*Policy and value*, learned from search. One output for each action, the logits of the policy, and one for the value.
The loss is (r − v)² − π*ᵀ log p + c‖θ‖² (Silver et al., *A general reinforcement learning algorithm that masters chess,
shogi, and Go through self-play*, 2018), where a step has two batches: states with what came of them, and decisions with
the shares of visits of a search. The policy is a softmax over the legal actions.

*Belief.* How likely each code of what is hidden is, by what a player has seen: a masked softmax over the possible codes
(`learned`), or a softmax for each of a code's numbers (`heads`, appendix D.1 of Li et al., 2023). The loss is the
cross-entropy with what was hidden, and c‖θ‖².

Weights are one flat array; Optax's Adam moves them, or plain gradient descent.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from parlor.game.errors import GameError
from parlor.learn.experience import ReplayBatch
from parlor.policies.beliefs import HEADS, LEARNED
from parlor.policies.nets import Weights, apply

if TYPE_CHECKING:
    from jax import Array

#: One thread for small networks on a CPU: faster than two, and the same numbers every time.
FLAGS = "--xla_cpu_multi_thread_eigen=false"
ADAM, SGD = OPTIMISERS = ("adam", "sgd")

#: (JAX, the sizes of the layers, the sizes of the heads, weights, batch) -> the loss without its last term
Loss = Callable[[ModuleType, tuple[int, ...], tuple[int, ...], "Array", Mapping[str, "Array"]], "Array"]


def libraries() -> tuple[ModuleType, ModuleType]:
    """JAX and Optax, or the sentence that they are missing."""
    if "jax" not in sys.modules and FLAGS not in os.environ.get("XLA_FLAGS", ""):
        os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {FLAGS}".strip()
    try:
        import jax
        import optax
    except ImportError as error:
        raise GameError(
            "Training networks needs JAX and Optax, and "
            f"{error.name} is not installed: pip install 'parlor-games[learn]'."
        ) from None
    return jax, optax


class NetworkTrainer:
    """A network and its optimiser: arrays of one shape, and compiled steps that change them."""

    names: tuple[str, ...] = ("weights", "mu", "nu")

    def __init__(self, sizes: tuple[int, ...], weights: Weights, steps: Callable[..., Any]) -> None:
        self.sizes, self.steps = sizes, 0
        self.arrays: dict[str, Any] = {name: np.zeros_like(weights) for name in self.names}
        self.arrays["weights"] = weights.copy()
        self._train = steps

    def train(self, batches: Any, rate: float) -> float:
        """One step for each of the batches, arrays whose first axis counts them; returns the mean loss."""
        found, loss = self._train(self.arrays, np.int32(self.steps), np.float32(rate), batches)
        self.arrays = dict(found)
        self.steps += len(batches["seen"] if isinstance(batches, dict) else batches.seen)
        return float(loss)

    @property
    def weights(self) -> Weights:
        """The weights as they are now; a copy, since JAX's own memory is read-only, which compiled loops tell apart."""
        return np.array(self.arrays["weights"])

    def state(self, prefix: str = "") -> dict[str, Any]:
        """Everything, as arrays whose names begin with `prefix`."""
        arrays = {prefix + name: np.asarray(array) for name, array in self.arrays.items()}
        return arrays | {f"{prefix}steps": np.int64(self.steps)}

    def restore(self, state: Mapping[str, Any], prefix: str = "") -> None:
        """As it was when `state` was called."""
        self.arrays = {name: np.array(state[prefix + name], np.float32) for name in self.names}
        self.steps = int(state[f"{prefix}steps"])


# --------------------------------------------------------------------------------------------------- double DQN


class DqnTrainer(NetworkTrainer):
    """A network of the values of actions, and its target network."""

    names = ("weights", "target", "mu", "nu")

    def __init__(self, sizes: tuple[int, ...], weights: Weights, target_every: int) -> None:
        super().__init__(sizes, weights, dqn_steps(sizes, target_every))
        self.arrays["target"] = weights.copy()


@functools.lru_cache(maxsize=32)
def dqn_steps(sizes: tuple[int, ...], target_every: int) -> Callable[..., Any]:
    """The compiled steps for networks of one shape."""
    jax, optax = libraries()
    numpy = jax.numpy
    adam = optax.scale_by_adam()

    def loss_of(weights: Array, target: Array, batch: ReplayBatch) -> Array:
        values = apply(sizes, weights, batch.seen.astype(numpy.float32))
        value = numpy.take_along_axis(values, batch.action[:, None], axis=1)[:, 0]
        after, legal = batch.after.astype(numpy.float32), batch.legal > 0
        best = numpy.argmax(numpy.where(legal, apply(sizes, weights, after), -numpy.inf), axis=1)
        later = numpy.take_along_axis(apply(sizes, target, after), best[:, None], axis=1)[:, 0]
        goal = batch.payoff + numpy.where(legal.any(axis=1), later, 0.0)
        return optax.l2_loss(value, jax.lax.stop_gradient(goal)).mean()

    def step(carried: tuple[Any, ...], batch: ReplayBatch) -> tuple[tuple[Any, ...], Array]:
        weights, target, optimiser, count, rate = carried
        loss, gradient = jax.value_and_grad(loss_of)(weights, target, batch)
        change, optimiser = adam.update(gradient, optimiser)
        weights = weights - rate * change
        count = count + 1
        target = numpy.where(count % target_every == 0, weights, target)
        return (weights, target, optimiser, count, rate), loss

    def train(
        arrays: Mapping[str, Array], count: Array, rate: Array, batches: ReplayBatch
    ) -> tuple[dict[str, Array], Array]:
        optimiser = optax.ScaleByAdamState(count, arrays["mu"], arrays["nu"])
        carried = (arrays["weights"], arrays["target"], optimiser, count, rate)
        (weights, target, optimiser, _, _), losses = jax.lax.scan(step, carried, batches)
        return {"weights": weights, "target": target, "mu": optimiser.mu, "nu": optimiser.nu}, losses.mean()

    return jax.jit(train)


# ------------------------------------------------------------------------------------- networks that learn from search


def policy_value_loss(
    jax: ModuleType, sizes: tuple[int, ...], heads: tuple[int, ...], weights: Array, batch: Mapping[str, Array]
) -> Array:
    """Of states `seen` with the `target` of their values, and of `decisions` with `shares` of the `legal` actions."""
    numpy, states = jax.numpy, len(batch["seen"])
    both = numpy.concatenate([batch["seen"], batch["decisions"]]).astype(numpy.float32)
    outputs = apply(sizes, weights, both)
    legal = numpy.where(batch["legal"] > 0, outputs[states:, :-1], -1e9)
    crossed = -(batch["shares"] * jax.nn.log_softmax(legal, axis=1)).sum(axis=1)
    return ((batch["target"] - outputs[:states, -1]) ** 2).mean() + crossed.mean()


def belief_loss(
    jax: ModuleType, sizes: tuple[int, ...], heads: tuple[int, ...], weights: Array, batch: Mapping[str, Array]
) -> Array:
    """Of what was `seen`, the `possible` codes and the true `code`."""
    numpy = jax.numpy
    outputs = apply(sizes, weights, batch["seen"].astype(numpy.float32))
    logs = jax.nn.log_softmax(numpy.where(batch["possible"] > 0, outputs, -1e9), axis=1)
    return -numpy.take_along_axis(logs, batch["code"][:, None], axis=1).mean()


def heads_loss(
    jax: ModuleType, sizes: tuple[int, ...], heads: tuple[int, ...], weights: Array, batch: Mapping[str, Array]
) -> Array:
    """Of what was `seen` and the `numbers` of the true code, one for each head."""
    numpy = jax.numpy
    outputs = apply(sizes, weights, batch["seen"].astype(numpy.float32))
    loss, at = 0.0, 0
    for i, size in enumerate(heads):
        logs = jax.nn.log_softmax(outputs[:, at : at + size], axis=1)
        loss -= numpy.take_along_axis(logs, batch["numbers"][:, i : i + 1], axis=1).mean()
        at += size
    return loss


#: The loss of each kind of belief network.
BELIEF_LOSSES: Mapping[str, Loss] = {LEARNED: belief_loss, HEADS: heads_loss}


class LossTrainer(NetworkTrainer):
    """A network that follows the gradient of a loss."""

    def __init__(
        self,
        loss: Loss,
        sizes: tuple[int, ...],
        weights: Weights,
        optimiser: str = ADAM,
        l2: float = 0.0,
        heads: tuple[int, ...] = (),
    ) -> None:
        super().__init__(sizes, weights, loss_steps(loss, sizes, heads, optimiser, l2))


@functools.lru_cache(maxsize=32)
def loss_steps(
    loss: Loss, sizes: tuple[int, ...], heads: tuple[int, ...], optimiser: str, l2: float
) -> Callable[..., Any]:
    """The compiled steps for networks of one shape."""
    jax, optax = libraries()
    adam = optax.scale_by_adam()

    def loss_of(weights: Array, batch: Mapping[str, Array]) -> Array:
        return loss(jax, sizes, heads, weights, batch) + l2 * (weights**2).sum()

    def step(carried: tuple[Any, ...], batch: Mapping[str, Array]) -> tuple[tuple[Any, ...], Array]:
        weights, state, rate = carried
        value, change = jax.value_and_grad(loss_of)(weights, batch)
        if optimiser == ADAM:
            change, state = adam.update(change, state)
        return (weights - rate * change, state, rate), value

    def train(
        arrays: Mapping[str, Array], count: Array, rate: Array, batches: Mapping[str, Array]
    ) -> tuple[dict[str, Array], Array]:
        state = optax.ScaleByAdamState(count, arrays["mu"], arrays["nu"])
        (weights, state, _), losses = jax.lax.scan(step, (arrays["weights"], state, rate), batches)
        return {"weights": weights, "mu": state.mu, "nu": state.nu}, losses.mean()

    return jax.jit(train)
