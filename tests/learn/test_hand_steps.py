"""Gradient steps by hand: targets of double DQN, the losses of networks that learn from search, and Adam."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from parlor.learn.experience import ReplayBatch
from parlor.learn.gradients import ADAM, SGD, DqnTrainer, LossTrainer, belief_loss, heads_loss, policy_value_loss

pytest.importorskip("jax")

SIZES = (3, 2, 3)  # 8 weights, then 9


def outputs(weights: Any, seen: Any, sizes: tuple[int, ...] = SIZES) -> Any:
    """One hidden layer with a rectifier, written out."""
    n, h, m = sizes
    first, bias = weights[: n * h].reshape(n, h), weights[n * h : n * h + h]
    rest = weights[n * h + h :]
    return np.maximum(seen @ first + bias, 0.0) @ rest[: h * m].reshape(h, m) + rest[h * m :]


def random_weights(seed: int, count: int = 17) -> Any:
    return np.random.default_rng(seed).uniform(-1.0, 1.0, count).astype(np.float32).astype(np.float64)


def gradient(loss: Callable[[Any], float], weights: Any) -> Any:
    """By differences on both sides; what does not matter is 0."""
    found = np.zeros_like(weights)
    for i in range(len(weights)):
        apart = np.zeros_like(weights)
        apart[i] = 1e-5
        found[i] = (loss(weights + apart) - loss(weights - apart)) / 2e-5
    return np.where(np.abs(found) < 1e-8, 0.0, found)


class Adam:
    """Kingma and Ba (2015), algorithm 1."""

    def __init__(self, count: int) -> None:
        self.mu, self.nu, self.t = np.zeros(count), np.zeros(count), 0

    def step(self, g: Any) -> Any:
        self.t += 1
        self.mu = 0.9 * self.mu + 0.1 * g
        self.nu = 0.999 * self.nu + 0.001 * g**2
        return (self.mu / (1 - 0.9**self.t)) / (np.sqrt(self.nu / (1 - 0.999**self.t)) + 1e-8)


# --------------------------------------------------------------------------------------------------- double DQN

SEEN = np.array([[1, 0, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]], np.uint8)
AFTER = np.array([[0, 1, 0], [1, 0, 1], [0, 0, 0], [1, 1, 1]], np.uint8)
LEGAL = np.array([[1, 1, 0], [0, 1, 1], [0, 0, 0], [1, 0, 1]], np.uint8)  # the third one is over
ACTION, PAYOFF = np.array([2, 0, 1, 1], np.int32), np.array([0.0, 0.0, 1.75, 0.0], np.float32)


def goals(weights: Any, target: Any) -> Any:
    """The online network chooses, the target network values; the last one is paid."""
    choosing, valuing = outputs(weights, AFTER), outputs(target, AFTER)
    found = []
    for i in range(4):
        legal = np.flatnonzero(LEGAL[i])
        found.append(valuing[i, max(legal, key=lambda a: choosing[i, a])] if len(legal) else PAYOFF[i])
    return np.array(found)


def test_the_two_networks_of_this_test_choose_differently() -> None:
    """Else it could not tell their parts apart."""
    weights, target = random_weights(1), random_weights(8)
    assert not np.allclose(goals(weights, target), goals(target, target))
    assert not np.allclose(goals(weights, target), goals(weights, weights))


@pytest.mark.slow
def test_steps_of_double_dqn() -> None:
    """Two batches, and again two: the target network is replaced after the third step, and only then."""
    weights, target, adam = random_weights(1), random_weights(8), Adam(17)
    trainer = DqnTrainer(SIZES, weights.astype(np.float32), 3)
    assert np.array_equal(trainer.arrays["target"], trainer.arrays["weights"])
    trainer.arrays["target"] = target.astype(np.float32)
    batch = ReplayBatch(*(np.stack([array, array]) for array in (SEEN, ACTION, PAYOFF, AFTER, LEGAL)))
    for call in range(2):
        losses = []
        for number in range(2):
            goal = goals(weights, target)

            def loss(w: Any, goal: Any = goal) -> float:
                return float((0.5 * (outputs(w, SEEN)[np.arange(4), ACTION] - goal) ** 2).mean())

            losses.append(loss(weights))
            weights = weights - 0.01 * adam.step(gradient(loss, weights))
            if 2 * call + number == 2:
                target = weights
        assert trainer.train(batch, 0.01) == pytest.approx(np.mean(losses), abs=1e-5)
        assert trainer.steps == 2 * call + 2
        assert trainer.weights == pytest.approx(weights, abs=2e-5)
        assert np.asarray(trainer.arrays["target"]) == pytest.approx(target, abs=2e-5)
        assert np.asarray(trainer.arrays["mu"]) == pytest.approx(adam.mu, abs=1e-5)
        assert np.asarray(trainer.arrays["nu"]) == pytest.approx(adam.nu, abs=1e-6)
        again = DqnTrainer(SIZES, random_weights(1).astype(np.float32), 3)
        again.restore(trainer.state())
        trainer = again  # it goes on from what was saved


# --------------------------------------------------------------------------------------------------- after searches


def logs(logits: Any) -> Any:
    return logits - np.log(np.exp(logits).sum())


SHARES = np.array([[0.25, 0.75], [1.0, 0.0]], np.float32)
DECISIONS, OPTIONS = SEEN[:2], np.array([[1, 1], [1, 0]], np.uint8)
TARGET = np.array([0.5, -1.5, 2.0, 0.0], np.float32)


def policy_value(weights: Any) -> float:
    """Two actions and the value; the second decision has one legal action, so that it costs nothing."""
    values = outputs(weights, SEEN)[:, 2]
    found = outputs(weights, DECISIONS)[:, :2]
    crossed = [-(SHARES[0] * logs(found[0])).sum(), 0.0]
    return float(np.mean([(TARGET[i] - values[i]) ** 2 for i in range(4)]) + np.mean(crossed))


CODE, POSSIBLE = np.array([2, 0, 1, 1], np.int32), np.array([[1, 0, 1], [1, 1, 1], [0, 1, 1], [0, 1, 0]], np.uint8)


def belief(weights: Any) -> float:
    found = outputs(weights, SEEN)
    total = 0.0
    for i in range(4):
        may = np.flatnonzero(POSSIBLE[i])
        total -= logs(found[i, may])[may.tolist().index(CODE[i])]
    return total / 4


NUMBERS = np.array([[0, 2, 1], [1, 0, 0], [1, 1, 1], [0, 1, 1]], np.int32)  # heads of two, three and two values


def heads(weights: Any) -> float:
    found = outputs(weights, SEEN, (3, 2, 7))
    parts = [found[:, :2], found[:, 2:5], found[:, 5:]]
    return -sum(logs(part[i])[NUMBERS[i, k]] for i in range(4) for k, part in enumerate(parts)) / 4


CASES: dict[str, Any] = {
    "policy and value": (
        policy_value_loss, policy_value, SIZES, (), ADAM, 0.02,
        {"seen": SEEN, "target": TARGET, "decisions": DECISIONS, "legal": OPTIONS, "shares": SHARES},
    ),
    "belief": (belief_loss, belief, SIZES, (), SGD, 0.0, {"seen": SEEN, "code": CODE, "possible": POSSIBLE}),
    "heads": (heads_loss, heads, (3, 2, 7), (2, 3, 2), SGD, 0.05, {"seen": SEEN, "numbers": NUMBERS}),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_steps_of_networks_that_learn_from_search(case: str) -> None:
    """Loss and weights after two steps, and what is saved is enough to go on."""
    function, by_hand, sizes, parts, optimiser, l2, batch = CASES[case]
    weights = random_weights(1, 17 if sizes == SIZES else 29)
    descent = LossTrainer(function, sizes, weights.astype(np.float32), optimiser, l2, parts)
    adam = Adam(len(weights))

    def loss(w: Any) -> float:
        return float(by_hand(w) + l2 * (w**2).sum())

    for number in range(2):
        assert descent.train({name: array[None] for name, array in batch.items()}, 0.05) == pytest.approx(
            loss(weights), abs=1e-5
        )
        change = gradient(loss, weights)
        weights = weights - 0.05 * (adam.step(change) if optimiser == ADAM else change)
        assert descent.weights == pytest.approx(weights, abs=2e-5)
        assert descent.steps == number + 1
        state = descent.state("x.")
        assert state.keys() == {"x.weights", "x.mu", "x.nu", "x.steps"}
        if optimiser == ADAM:
            assert state["x.mu"] == pytest.approx(adam.mu, abs=1e-5)
            assert state["x.nu"] == pytest.approx(adam.nu, abs=1e-5)
        descent = LossTrainer(function, sizes, random_weights(9, len(weights)).astype(np.float32), optimiser, l2, parts)
        descent.restore(state, "x.")
