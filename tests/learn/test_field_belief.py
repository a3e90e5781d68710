"""Beliefs over hidden fields: how near they come to the exact posterior, that they are functions of their seed, and
searches that use them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlor
from parlor import Game, GameError, Policy, load, load_agent
from parlor import compile as compiler
from parlor.agents.registry import policy_agent
from parlor.agents.searching.searching import self_play_policy
from parlor.game.schema import fields_of
from parlor.learn.belief.training import (
    FieldBeliefLearner,
    FieldBeliefSettings,
    best_power,
    log_likelihoods,
    recognition,
)
from parlor.learn.gradients import libraries
from parlor.policies.field_belief import FieldBelief, likelihood_slowly, weight_count
from parlor.policies.nets import forward, parameters
from parlor.runs.run import newest
from parlor.runs.training import TrainingRun
from parlor.search.belief import worlds
from parlor.search.learned.log_scores import log_scores
from parlor.search.learned.weighed_worlds import weights_at

pytest.importorskip("jax")
pytestmark = pytest.mark.slow(seconds=25)

KUHN, LEDUC = load("kuhn"), load("leduc")
SMALL = FieldBeliefSettings(layers=(64,), units=32, rate=0.004, updates=48, schedule=4096, replay=16_384)


def learned(game: Game, policy: Policy, games: int) -> FieldBeliefLearner:
    learner = FieldBeliefLearner(game, SMALL, 1, [self_play_policy(game, policy_agent(policy, game))])
    learner.run_to(games)
    return learner


@pytest.fixture(scope="module")
def kuhn() -> tuple[Policy, FieldBeliefLearner]:
    policy = parlor.solve(KUHN, "cfr+", iterations=50).policy
    return policy, learned(KUHN, policy, 4096)


def test_kuhn_comes_within_a_twentieth_of_the_posterior(kuhn: tuple[Policy, FieldBeliefLearner]) -> None:
    policy, learner = kuhn
    scores = log_scores(KUHN, learner.trainer.belief(), policy, 60, 7)
    assert scores.exact <= 0.0
    assert scores.excess < 0.05
    assert scores.learned > 0.7 * scores.exact + 0.3 * scores.chance


def test_leduc_too() -> None:
    policy = parlor.solve(LEDUC, "cfr+", iterations=20).policy
    scores = log_scores(LEDUC, learned(LEDUC, policy, 8192).trainer.belief(), policy, 60, 7)
    assert scores.excess < 0.05
    assert scores.learned > 0.5 * scores.exact + 0.5 * scores.chance


def test_worlds_are_weighed_by_what_was_learned(kuhn: tuple[Policy, FieldBeliefLearner]) -> None:
    """Compiled and in plain Python; the codes of a jack and a king have the chances that Bayes' rule gives them."""
    policy, learner = kuhn
    belief = learner.trainer.belief()
    position = KUHN.start().after("Q to player 0", "K to player 1", "pass", "bet")
    plain = weights_at(KUHN, belief, [position.state], [0], compiled=False)[0]
    states = compiler.states(KUHN, 1, True)
    for name, value in fields_of(position.state).items():
        states[0][name] = value
    assert weights_at(KUHN, belief, states, [0])[0].tolist() == pytest.approx(plain.tolist(), rel=1e-5)
    exact = {world.history[1][0]: chance for world, chance in worlds(position, 0, others=policy) or []}
    assert plain[:2].tolist() == pytest.approx([exact["J"], exact["K"]], abs=0.1)


def test_jax_and_loops_compute_the_same() -> None:
    """A number of three values, one that is always 9, one of two bits; two features and the voice."""
    code, sizes = np.array([[0, 3, 1, 4], [3, 0, 1, 9], [3, 2, 0, 0]]), (3, 8, 6)
    weights = np.random.default_rng(2).normal(0.0, 0.6, weight_count(sizes, 5)).astype(np.float32)
    jax, _ = libraries()
    for real, numbers in ((0, (5, 9, 3)), (1, (4, 9, 1)), (1, (6, 9, 2))):
        active, units = np.array([1, 2]), np.zeros(6, np.float32)
        forward(np.array(sizes), weights, active, 1 + real, np.zeros((2, 8), np.float32), units)
        mine = likelihood_slowly(code, np.array(numbers), 5, weights, parameters(sizes), units)
        limited = np.array([numbers]) - code[:, 3]
        theirs = log_likelihoods(jax, sizes, (3, 1, 0, 1, 2, 0), weights, np.array([[0, 1]]), limited, real)
        assert float(theirs[0]) == pytest.approx(mine, rel=1e-4)


def test_power_of_weights() -> None:
    """Weights that recognize are trusted; those that mislead are not."""
    good = np.array([[2.0, 0.0, 0.0], [1.5, 0.0, 1.0]])
    assert best_power(good)[0] == 1.0
    assert best_power(good)[1] > 0.0
    assert best_power(-good) == (0.0, 0.0)
    assert recognition(np.zeros((4, 5))) == pytest.approx(0.0)
    assert recognition(np.log([[3.0, 1.0, 0.5, 0.5]])) == pytest.approx(np.log(3.0 / 5.0 * 4.0))


def test_a_run_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    more: dict[str, Any] = {"layers": (16,), "units": 8, "round": 64, "batch": 32, "updates": 4, "evaluate_every": 0}
    named: dict[str, Any] = {"of": ("random", "search(simulations=1)"), "seed": 3, **more}
    with pytest.raises(GameError, match="itself a search agent"):
        parlor.train("kuhn", "belief", games=128, **named)
    named["of"] = ("random", "random")
    parlor.train("kuhn", "belief", folder=tmp_path / "a", games=128, **named)
    whole = parlor.train("kuhn", "belief", folder=tmp_path / "b", games=256, **named).policy
    TrainingRun.resume(tmp_path / "a", games=256).run()
    again = parlor.load_strategy(newest(tmp_path / "a") or "")
    assert isinstance(whole, FieldBelief)
    assert isinstance(again, FieldBelief)
    assert np.array_equal(again.weights, whole.weights)
    assert again.trust == whole.trust
    with pytest.raises(GameError, match="plays no moves"):
        load_agent(str(tmp_path / "a"), KUHN)
    position = KUHN.start().after("Q to player 0", "K to player 1", "pass", "bet")  # which says nothing
    found = weights_at(KUHN, again, [position.state], [0], compiled=False)
    assert found[0].tolist() == pytest.approx([0.5, 0.5, 0.0], abs=0.05)


def test_search_believes_what_was_learned(kuhn: tuple[Policy, FieldBeliefLearner], tmp_path: Path) -> None:
    """With a queen that faces a bet, calling is right if the bettor often bluffs: with a jack the pot is won."""
    policy, learner = kuhn
    belief, own = learner.trainer.belief(), parlor.save(policy, tmp_path / "kuhn.json")
    file = parlor.save(belief, tmp_path / "belief.npz")
    agent = load_agent(f"search(simulations=64,policy={own},belief=learned,worlds={file})", KUHN)
    position = KUHN.start().after("Q to player 0", "K to player 1", "pass", "bet")
    _, found = agent.explained(position)  # type: ignore[union-attr]
    assert found is not None
    values = {KUHN.words.describe(position.state, one.action): one.value for one in found.moves}
    exact = {world.history[1][0]: chance for world, chance in worlds(position, 0, others=policy) or []}
    assert values["bet"] == pytest.approx(2.0 * exact["J"] - 2.0 * exact["K"], abs=0.6)
    assert values["pass"] == -1.0
    with pytest.raises(GameError, match="--algorithm belief"):
        load_agent("search(belief=learned)", KUHN)
    with pytest.raises(GameError, match="is for kuhn, not for leduc"):
        load_agent(f"search(worlds={file})", LEDUC)
