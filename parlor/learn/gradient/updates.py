"""One update of policy gradients, in JAX; algorithms are rows that differ in the loss of the policy.

π is the policy, π′ the one that played, A the advantage of the action that was taken, q the values of actions:

- `ppo`: min(A π/π′, A clip(π/π′, 1 - ε, 1 + ε)) (Schulman et al., *Proximal policy optimization algorithms*, 2017).
- `mmd`: A π/π′ - KL(π, before the update)·w - KL(π, magnet)·α (Sokota et al., *A unified approach to reinforcement
  learning, quantal response equilibria, and two-player zero-sum games*, 2023). With a uniform magnet the last term is
  the entropy that the others have too.
- `a2c`: A log π (Mnih et al., *Asynchronous methods for deep reinforcement learning*, 2016).
- `qpg`: Σ π(a) (q(a) - Σ π(b) q(b)), where only the first π moves; `rmpg`: the same, only of what is positive in the
  brackets; `rpg`: the sum of what is positive in them, which is regret and goes down, and the π in them moves
  (Srinivasan et al., *Actor-critic policy optimization in partially observable multiagent environments*, 2018).

All have the policy's entropy, values that learn from what came of the decision, Adam, and gradients of limited length.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from parlor.learn.gradient.actors import WORD
from parlor.learn.gradient.settings import (
    MOVING,
    A2cSettings,
    CriticSettings,
    GradientSettings,
    MmdSettings,
    PpoSettings,
)
from parlor.learn.gradients import libraries
from parlor.policies.nets import PolicyHead, Weights, action_logits, apply

if TYPE_CHECKING:
    from jax import Array

EPSILON = 1e-5  # of Adam
IMPOSSIBLE = -1e9  # logit of an action that is not legal


class Decisions(NamedTuple):
    """B decisions, or as many arrays of them."""

    seen: Any  # [B, ⌈F/31⌉] see `parlor.learn.gradient.actors.Window`
    dense: Any  # [B, D]
    given: Any  # [B, A or 0]
    legal: Any  # [B, ⌈A/31⌉]
    action: Any  # [B]
    chance: Any  # [B] the logarithm of its probability, as it was played
    advantage: Any  # [B]
    goal: Any  # [B] of the value
    known: Any  # [B] 0 for those that are left out


class Beliefs(NamedTuple):
    """The outputs of a network for B decisions."""

    logs: Any  # [B, A] logarithms of probabilities
    chances: Any  # [B, A]
    values: Any  # [B] of the decision, or [B, A] of actions


class NetworkShape(NamedTuple):
    """The constants of a compiled update."""

    sizes: tuple[int, ...]  # of the layers
    bits: int  # inputs that are zero or one; the others are numbers
    head: PolicyHead
    half: bool
    settings: GradientSettings


#: (JAX's NumPy, the decisions, beliefs now, the logarithm of the probability of what was done, beliefs before the
#: update, settings) -> [B] what is to become small
PolicyLoss = Callable[[ModuleType, Decisions, Beliefs, "Array", "Beliefs | None", Any], "Array"]


@dataclass(frozen=True)
class GradientRow:
    """An algorithm."""

    summary: str
    settings: type[GradientSettings]
    loss: PolicyLoss
    critics: bool = False  # the network values actions
    proximal: bool = False  # the loss reads beliefs before the update


def unpack_words(numpy: ModuleType, words: Array, count: int) -> Array:
    """The bits of words as zeros and ones, [B, count]."""
    bits = words[:, :, None] >> numpy.arange(WORD, dtype=numpy.int32) & 1
    return bits.reshape(len(words), -1)[:, :count]


def beliefs(jax: ModuleType, shape: NetworkShape, weights: Array, some: Decisions) -> Beliefs:
    """The outputs of a network."""
    numpy, head = jax.numpy, shape.head
    kind = numpy.bfloat16 if shape.half else numpy.float32
    inputs = unpack_words(numpy, some.seen, shape.bits).astype(kind)
    if some.dense.shape[1]:
        inputs = numpy.concatenate([inputs, some.dense.astype(kind)], axis=1)
    outputs = apply(shape.sizes, weights.astype(kind), inputs).astype(numpy.float32)
    able = unpack_words(numpy, some.legal, len(head.parts)) > 0
    logits = action_logits(outputs, head, some.given if head.terms else None)
    logs = jax.nn.log_softmax(numpy.where(able, logits, IMPOSSIBLE), axis=1)
    values = outputs[:, head.outputs :]
    return Beliefs(logs, numpy.exp(logs), values[:, 0] if values.shape[1] == 1 else numpy.where(able, values, 0.0))


# --------------------------------------------------------------------------------------------------- rows


def ppo_loss(
    numpy: ModuleType, some: Decisions, now: Beliefs, log: Array, before: Beliefs | None, settings: PpoSettings
) -> Array:
    """Proximal policy optimisation."""
    ratio = numpy.exp(log - some.chance)
    clipped = numpy.clip(ratio, 1.0 - settings.clip, 1.0 + settings.clip)
    return -numpy.minimum(some.advantage * ratio, some.advantage * clipped)


def mmd_loss(
    numpy: ModuleType, some: Decisions, now: Beliefs, log: Array, before: Beliefs | None, settings: MmdSettings
) -> Array:
    """Magnetic mirror descent, without its magnet."""
    assert before is not None
    return -some.advantage * numpy.exp(log - some.chance) + settings.proximal * distance(now, before)


def a2c_loss(
    numpy: ModuleType, some: Decisions, now: Beliefs, log: Array, before: Beliefs | None, settings: A2cSettings
) -> Array:
    """Advantage actor-critic."""
    return -some.advantage * log


def qpg_loss(
    numpy: ModuleType, some: Decisions, now: Beliefs, log: Array, before: Beliefs | None, settings: CriticSettings
) -> Array:
    """Policy gradient of the values of all actions."""
    values, chances = now.values, numpy.asarray(now.chances)
    mean = (_fixed(chances) * _fixed(values)).sum(axis=1, keepdims=True)
    return -(chances * (_fixed(values) - mean)).sum(axis=1)


def rpg_loss(
    numpy: ModuleType, some: Decisions, now: Beliefs, log: Array, before: Beliefs | None, settings: CriticSettings
) -> Array:
    """Regret."""
    values = _fixed(now.values)
    mean = (now.chances * values).sum(axis=1, keepdims=True)
    able = now.logs > IMPOSSIBLE / 2
    return numpy.where(able, numpy.maximum(values - mean, 0.0), 0.0).sum(axis=1)


def rmpg_loss(
    numpy: ModuleType, some: Decisions, now: Beliefs, log: Array, before: Beliefs | None, settings: CriticSettings
) -> Array:
    """Policy gradient of what is better than the mean."""
    values = _fixed(now.values)
    mean = (_fixed(now.chances) * values).sum(axis=1, keepdims=True)
    return -(now.chances * numpy.maximum(values - mean, 0.0)).sum(axis=1)


def _fixed(array: Array) -> Array:
    """The array as a constant: gradients do not flow through it."""
    found: Array = libraries()[0].lax.stop_gradient(array)
    return found


def distance(now: Beliefs, other: Beliefs) -> Array:
    """KL divergence of policies, [B]; what is impossible counts nothing."""
    found: Array = (now.chances * (now.logs - other.logs)).sum(axis=1)
    return found


ROWS: Mapping[str, GradientRow] = {
    "ppo": GradientRow("proximal policy optimisation", PpoSettings, ppo_loss),
    "mmd": GradientRow("magnetic mirror descent", MmdSettings, mmd_loss, proximal=True),
    "a2c": GradientRow("advantage actor-critic", A2cSettings, a2c_loss),
    "qpg": GradientRow("policy gradient of the values of all actions", CriticSettings, qpg_loss, critics=True),
    "rpg": GradientRow("regret policy gradient", CriticSettings, rpg_loss, critics=True),
    "rmpg": GradientRow("regret-matching policy gradient", CriticSettings, rmpg_loss, critics=True),
}


# --------------------------------------------------------------------------------------------------- the update


class GradientTrainer:
    """A network, its optimiser and its magnet."""

    def __init__(self, algorithm: str, shape: NetworkShape, weights: Weights) -> None:
        self.shape, self.steps = shape, 0
        self.arrays: dict[str, Any] = {"weights": weights.copy(), "mu": np.zeros_like(weights)}
        self.arrays["nu"] = np.zeros_like(weights)
        self._moving = getattr(shape.settings, "magnet", "") == MOVING
        if self._moving:
            self.arrays["magnet"] = weights.copy()
        self._update = compiled_update(algorithm, shape)

    def update(self, decisions: Decisions, rate: float, entropy: float, key: Any) -> dict[str, float]:
        """Go through the decisions as often as the settings say; returns what is measured."""
        s = self.shape.settings
        now = np.int32(self.steps), np.float32(rate), np.float32(entropy)
        found, measured = self._update(self.arrays, *now, decisions, key)
        self.arrays = dict(found)
        self.steps += s.epochs * s.minibatches
        return {name: float(value) for name, value in measured.items()}

    @property
    def weights(self) -> Weights:
        """The weights as they are now; a copy that compiled loops can read."""
        return np.array(self.arrays["weights"])

    def state(self) -> dict[str, Any]:
        """Everything, as arrays."""
        return {name: np.asarray(array) for name, array in self.arrays.items()} | {"steps": np.int64(self.steps)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """As it was when `state` was called."""
        self.arrays = {name: np.array(state[name], np.float32) for name in self.arrays}
        self.steps = int(state["steps"])


def loss_of(
    algorithm: str, shape: NetworkShape, weights: Array, others: Mapping[str, Array], entropy: Array, some: Decisions
) -> tuple[Array, dict[str, Array]]:
    """The loss of a minibatch, and what is measured."""
    jax, _ = libraries()
    numpy, row, s = jax.numpy, ROWS[algorithm], shape.settings
    total = numpy.maximum(some.known.sum(), 1.0)

    def mean(numbers: Array) -> Array:
        return (numbers * some.known).sum() / total

    if s.normalise:
        centre = mean(some.advantage)
        spread = numpy.sqrt(mean((some.advantage - centre) ** 2)) + 1e-8
        some = some._replace(advantage=(some.advantage - centre) / spread)
    now = beliefs(jax, shape, weights, some)
    log = numpy.take_along_axis(now.logs, some.action[:, None], axis=1)[:, 0]
    before = beliefs(jax, shape, others["before"], some) if row.proximal else None
    policy = row.loss(numpy, some, now, log, before, s)
    uncertain = -(now.chances * numpy.maximum(now.logs, IMPOSSIBLE)).sum(axis=1)
    if "magnet" in others:
        drawn = distance(now, beliefs(jax, shape, others["magnet"], some))
    else:
        drawn = -uncertain
    value = now.values
    if row.critics:
        value = numpy.take_along_axis(value, some.action[:, None], axis=1)[:, 0]
    error = mean((value - some.goal) ** 2)
    loss = mean(policy) + entropy * mean(drawn) + s.value * error
    change = mean(some.chance - log)
    return loss, {"loss": loss, "entropy": mean(uncertain), "value_error": error, "change": change}


@functools.lru_cache(maxsize=32)
def compiled_update(algorithm: str, shape: NetworkShape) -> Callable[..., Any]:
    """The compiled update of networks of one shape."""
    jax, optax = libraries()
    numpy, s = jax.numpy, shape.settings
    adam = optax.scale_by_adam(eps=EPSILON)
    gradient_of = jax.grad(functools.partial(loss_of, algorithm, shape), has_aux=True)

    def update(
        arrays: Mapping[str, Array], count: Array, rate: Array, entropy: Array, decisions: Decisions, key: Array
    ) -> tuple[dict[str, Array], dict[str, Array]]:
        others = {"before": arrays["weights"]} | {name: arrays[name] for name in ("magnet",) if name in arrays}

        def step(carried: tuple[Any, ...], rows: Array) -> tuple[tuple[Any, ...], dict[str, Array]]:
            weights, state = carried
            some = Decisions(*(array[rows] for array in decisions))
            gradient, measured = gradient_of(weights, others, entropy, some)
            length = numpy.sqrt((gradient**2).sum())
            change, state = adam.update(gradient * numpy.minimum(1.0, s.norm / (length + 1e-6)), state)
            return (weights - rate * change, state), measured

        size = len(decisions.action)
        orders = [jax.random.permutation(one, size) for one in jax.random.split(key, s.epochs)]
        rows = numpy.stack(orders).reshape(s.epochs * s.minibatches, size // s.minibatches)
        first = arrays["weights"], optax.ScaleByAdamState(count, arrays["mu"], arrays["nu"])
        (weights, state), measured = jax.lax.scan(step, first, rows)
        made = {"weights": weights, "mu": state.mu, "nu": state.nu}
        if "magnet" in arrays:
            made["magnet"] = arrays["magnet"] + s.magnet_rate * (weights - arrays["magnet"])  # type: ignore[attr-defined]
        return made, {name: array.mean() for name, array in measured.items()}

    return jax.jit(update)


@functools.lru_cache(maxsize=32)
def compiled_decision(shape: NetworkShape) -> Callable[..., Any]:
    """Draw actions for many decisions: (weights, decisions, key, number of the draw) -> [3, B] float32.

    The action, the logarithm of its probability, and the value of the decision.
    """
    jax, _ = libraries()
    numpy = jax.numpy

    def decide(weights: Array, some: Decisions, key: Array, number: Array) -> Array:
        now = beliefs(jax, shape, weights, some)
        action = jax.random.categorical(jax.random.fold_in(key, number), now.logs, axis=1)
        log = numpy.take_along_axis(now.logs, action[:, None], axis=1)[:, 0]
        value = now.values if now.values.ndim == 1 else (now.chances * now.values).sum(axis=1)
        found: Array = numpy.stack([action.astype(numpy.float32), log, value])
        return found

    return jax.jit(decide)
