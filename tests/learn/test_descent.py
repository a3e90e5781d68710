"""What networks learn from search: their losses, their buffers, and beliefs."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from parlor import GameError, load
from parlor.learn.abr_settings import AbrOracle, AbrSettings
from parlor.learn.buffers import (
    BufferSizes,
    draw_batches,
    new_buffers,
    restore,
    saved,
    settle,
    write_decision,
    write_state,
)
from parlor.learn.gradients import SGD, LossTrainer, belief_loss, heads_loss, policy_value_loss
from parlor.learn.network_search import evaluation
from parlor.policies.beliefs import HEADS, LEARNED, BeliefNetwork, Codes, codes_of
from parlor.policies.nets import apply, initial_weights
from parlor.policies.search_networks import SearchNetworks
from parlor.runs.config import Config

pytestmark = pytest.mark.slow

SEEN = np.eye(4, dtype=np.uint8)[:3]  # three information states


def test_the_loss_is_that_of_the_paper() -> None:
    """(r − v)² − π*ᵀ log p over the legal actions, and c‖θ‖²; one step of SGD goes down its gradient."""
    pytest.importorskip("jax")
    sizes = (4, 3, 4)  # three actions and the value
    weights = initial_weights(sizes, 1)
    target, shares = np.array([1.0, -2.0, 0.5], np.float32), np.array([[0.5, 0.5, 0], [0, 1, 0], [0.2, 0.3, 0.5]])
    legal = np.array([[1, 1, 0], [1, 1, 0], [1, 1, 1]], np.uint8)
    batch: dict[str, Any] = {"seen": SEEN, "target": target, "decisions": SEEN[::-1], "legal": legal, "shares": shares}
    batches = {name: array[None] for name, array in batch.items()}

    def loss(weights: Any) -> float:
        values = apply(sizes, weights, SEEN.astype(np.float64))[:, -1]
        logits = np.where(legal > 0, apply(sizes, weights, SEEN[::-1].astype(np.float64))[:, :-1], -np.inf)
        logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        crossed = -(shares * np.where(legal > 0, logs, 0.0)).sum(axis=1)
        return float(((target - values) ** 2).mean() + crossed.mean() + 0.01 * (weights**2).sum())

    descent = LossTrainer(policy_value_loss, sizes, weights, SGD, 0.01)
    assert descent.train(batches, 0.1) == pytest.approx(loss(weights.astype(np.float64)), abs=1e-5)
    step = np.zeros(len(weights))
    for i in range(len(weights)):
        apart = np.zeros(len(weights))
        apart[i] = 1e-5
        step[i] = (loss(weights + apart) - loss(weights - apart)) / 2e-5
    assert descent.weights == pytest.approx(weights - 0.1 * step, abs=1e-4)


def test_policy_and_value_are_learned_from_their_own_batches() -> None:
    pytest.importorskip("jax")
    shares = np.array([[0.75, 0.25, 0.0], [0.0, 1.0, 0.0], [0.1, 0.2, 0.7]], np.float32)
    batch: dict[str, Any] = {
        "seen": SEEN, "target": np.array([1.0, -2.0, 0.5], np.float32), "decisions": SEEN,
        "legal": np.ones((3, 3), np.uint8), "shares": shares,
    }  # fmt: skip
    descent = LossTrainer(policy_value_loss, (4, 16, 4), initial_weights((4, 16, 4), 1))
    for _ in range(15):
        descent.train({name: np.repeat(array[None], 100, axis=0) for name, array in batch.items()}, 0.01)
    found = SearchNetworks((4, 16, 4), descent.weights, 1.0, "own", "exact", 10, 1.0)
    (sizes, weights), (last, alone) = found.policy, found.value
    logits = apply(sizes, weights, SEEN.astype(np.float32))
    assert np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True) == pytest.approx(shares, abs=0.02)
    assert apply(last, alone, SEEN.astype(np.float32))[:, 0] == pytest.approx([1.0, -2.0, 0.5], abs=0.05)


@pytest.mark.parametrize("kind", [LEARNED, HEADS])
def test_beliefs_become_frequencies(kind: str) -> None:
    """Of three codes two are possible; seen once with one, three times with the other."""
    pytest.importorskip("jax")
    codes = Codes(3, np.array([[0, 0], [0, 1], [1, 1]]))
    hidden = np.array([0, 2, 2, 2], np.int32)
    batch: dict[str, Any] = {
        "seen": np.repeat(SEEN[:1], 4, axis=0), "code": hidden, "possible": np.tile([1, 0, 1], (4, 1)),
        "numbers": codes.numbers[hidden].astype(np.int32),
    }  # fmt: skip
    sizes = (4, 8, codes.outputs(kind))
    loss = {LEARNED: belief_loss, HEADS: heads_loss}[kind]
    descent = LossTrainer(loss, sizes, initial_weights(sizes, 1), heads=codes.heads)
    for _ in range(10):
        descent.train({name: np.repeat(array[None], 100, axis=0) for name, array in batch.items()}, 0.01)
    network = BeliefNetwork(kind, sizes, descent.weights)
    outputs = apply(sizes, descent.weights, SEEN[:1].astype(np.float32))
    found = network.weigh(outputs, np.array([[0, 2, 0]]), np.array([2]), codes)
    # of independent heads (¼, ¾), the mixed pairs 0,1 and 1,0 are as far from both, and go to the first
    expected = [0.25, 0.75] if kind == LEARNED else [1 - 0.75**2, 0.75**2]
    assert found[0] == pytest.approx([*expected, 0.0], abs=0.01)


def test_codes_come_from_the_game() -> None:
    assert codes_of(load("kuhn"), HEADS).heads == (3,)
    assert codes_of(load("deal-or-no-deal"), HEADS).heads == (11, 11, 11)
    with pytest.raises(GameError, match="has no codes for what is hidden"):
        codes_of(load("goofspiel"))


def test_buffers_keep_the_latest_and_come_back() -> None:
    """Four places; states of six games of a round, and five decisions."""
    buffers = new_buffers(4, 70, 3, 5)
    for g in range(6):
        write_state(buffers, np.array([g, 69]), 2, g)
    settle(buffers, np.arange(6, dtype=np.float32) * 10)
    for k in range(5):
        visits, codes = np.array([1, 0, 3]), np.array([1, k, 9])
        write_decision(buffers, np.array([k]), 1, np.array([0, 2]), 2, visits, codes, 2, k)
    again = new_buffers(4, 70, 3, 5)
    restore(again, saved(buffers))
    for one in (buffers, again):
        batch, hidden = draw_batches(one, BufferSizes(70, 3, 5), 2, 50, 1, 1)
        seen = batch["seen"].reshape(-1, 70)
        assert set(seen.argmax(axis=1)) == {2, 3, 4, 5}
        assert np.array_equal(batch["target"].ravel(), seen.argmax(axis=1) * 10)
        assert (batch["shares"] == [0.25, 0.0, 0.75]).all()
        assert (batch["legal"] == [1, 0, 1]).all()
        assert set(hidden["code"].ravel()) == {1, 2, 3, 4}
        assert np.take_along_axis(hidden["possible"], hidden["code"][..., None].astype(int), axis=2).all()


def test_leaves_are_evaluated_alike_by_numpy_and_jax() -> None:
    """Three leaves, for which JAX gets a batch of four; values are in points."""
    pytest.importorskip("jax")
    weights = initial_weights((4, 8, 3), 1)
    numpy, jax = (evaluation((4, 8, 3), weights, 10.0, way) for way in ("numpy", "jax"))
    assert numpy is not None
    assert jax is not None
    for one, two in zip(numpy(SEEN.astype(np.float32)), jax(SEEN.astype(np.float32)), strict=True):
        assert one == pytest.approx(two, abs=1e-5)
    assert numpy(SEEN.astype(np.float32))[1] == pytest.approx(apply((4, 8, 3), weights, SEEN)[:, -1] * 10, abs=1e-5)


def test_the_preset_is_table_5() -> None:
    """What is given stays; what depends on the value that is backed up goes by it."""
    found = AbrOracle(paper=True, backup="nash-product", simulations=100)
    assert (found.c, found.rate, found.simulations, found.episodes) == (100.0, 5e-4, 100, 10_000)
    assert (found.layers, found.belief_layers, found.optimiser) == ((256, 256), (300, 100), SGD)
    assert AbrOracle.read(found.data()) == found
    default = AbrOracle(paper=True, belief="learned", simulations=64, episodes=5_000)  # asked for, though the defaults
    assert (default.belief, default.simulations, default.episodes, default.round) == (LEARNED, 64, 5_000, 200)
    assert AbrOracle.from_texts("abr", {"paper": "yes", "belief": "learned"}).belief == LEARNED
    assert Config.of("kuhn", "abr", paper=True, belief="learned", evaluate_every=0, checkpoint_every=0).settings == (
        AbrSettings(True, belief="learned")
    )
    changed = replace(AbrSettings(paper=True), belief="learned")
    assert (changed.belief, changed.simulations) == (LEARNED, 300)
    assert pickle.loads(pickle.dumps(changed)) == changed
    assert AbrOracle(paper=True).c == 20.0


def test_settings_that_mean_nothing_get_a_sentence() -> None:
    with pytest.raises(GameError, match="returns of an oracle must be policy or value, not search"):
        AbrOracle.from_texts("abr", {"returns": "search"})
    with pytest.raises(GameError, match=r"gradient_steps must be at least 0\.001, not 0"):
        AbrSettings(gradient_steps=0.0)
