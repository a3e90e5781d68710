"""Networks at the leaves of searches, by hand: values, priors, and which searches use them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import parlor
from parlor import compile as compiler
from parlor import load, load_agent
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import policy_agent
from parlor.compile import version
from parlor.policies.features import features
from parlor.policies.network import NetworkPolicy
from parlor.policies.search_networks import SearchNetworks
from parlor.search.ismcts import evaluate_leaf, evaluate_leaf_by_policy

KUHN = load("kuhn")
CODE = features(KUHN).code
SIZE = int(CODE[:, 1].sum())


def constant(*outputs: float) -> tuple[tuple[int, ...], Any]:
    """A network of one layer with these outputs, whatever it sees."""
    return (SIZE, len(outputs)), np.array([0.0] * SIZE * len(outputs) + list(outputs), np.float32)


def network(outputs: tuple[float, ...], whole: tuple[float, ...] = (), temperature: float = 1.0) -> NetworkPolicy:
    """Logits or values of pass and bet; with a value in units of 2, if there is one more output."""
    search = SearchNetworks(*constant(*whole), 2.0, "own", "uniform", 8, 1.0) if whole else None
    (sizes, weights), scale = constant(*outputs), 1.0 if whole else 2.0
    made = NetworkPolicy("kuhn", version(KUHN), CODE, sizes, weights, scale, temperature)
    return replace(made, search_networks=search)


def appraised(policy: NetworkPolicy) -> tuple[float, list[float]]:
    agent = policy_agent(policy, KUHN)
    assert agent.appraise is not None
    position, priors = KUHN.start().after("Q to player 0", "K to player 1"), [0.0, 0.0]
    judge = compiler.interpret(agent.appraise, KUHN, agent.slots)
    return judge([position.state], 0, 0, [0, 1], 2, priors, agent.data(False)), priors


def test_a_value_has_an_output_of_its_own() -> None:
    """The logits 0 and ln 3, and half a unit of 2 points."""
    value, priors = appraised(network((0.0, float(np.log(3.0))), (0.0, float(np.log(3.0)), 0.5)))
    assert value == pytest.approx(1.0)
    assert priors == pytest.approx([0.25, 0.75])


def test_logits_without_a_value_are_no_values() -> None:
    """Then a search plays on to the end."""
    agent = policy_agent(replace(network((0.0, 1.0)), logits=True), KUHN)
    assert agent.appraise is None


def test_of_action_values_the_best_is_the_value() -> None:
    """1 and 3 units of 2 points; greedy play counts half, and so does trying everything."""
    value, priors = appraised(network((1.0, 3.0), temperature=0.0))
    assert value == pytest.approx(6.0)
    assert priors == pytest.approx([0.25, 0.75])


def test_what_the_player_to_move_expects_counts_for_both_of_two() -> None:
    agent = policy_agent(network((0.0, 0.0), (0.0, 0.0, 0.5)), KUHN)
    assert agent.estimate is not None
    guess = compiler.interpret(agent.estimate, KUHN, agent.slots)
    for moves, expected in (((), [1.0, -1.0]), (("pass",), [-1.0, 1.0])):
        values = [0.0, 0.0]
        state = KUHN.start().after("Q to player 0", "K to player 1", *moves).state
        guess([state], 0, values, agent.data(False))
        assert values == pytest.approx(expected)
    assert policy_agent(network((0.0, 0.0)), KUHN).estimate is None


def test_searches_ask_the_network_at_leaves(tmp_path: Any) -> None:
    """Unless they are told how far to play on, or back up something else."""
    file = parlor.save(network((0.0, 0.0), (0.0, 0.0, 0.5)), tmp_path / "net.npz")

    def leaf(text: str) -> Any:
        agent = load_agent(f"search(simulations=4,policy={file}{text})", KUHN)
        assert isinstance(agent, CompiledAgent)
        return agent.slots.get(evaluate_leaf)

    assert leaf("") is evaluate_leaf_by_policy
    assert leaf(",horizon=3") is None
    assert leaf(",backup=welfare") is None


@pytest.mark.slow
def test_a_search_wins_from_the_network_that_guides_it(tmp_path: Any) -> None:
    """It passes and bets alike; its value is that of nobody. The others play as it does."""
    file = parlor.save(network((0.0, 0.0), (0.0, 0.0, 0.0)), tmp_path / "net.npz")
    match = parlor.play_match(KUHN, [f"search(simulations=40,policy={file})", str(file)], 1000, seed=2)
    assert match.payoff.low > 0.1
