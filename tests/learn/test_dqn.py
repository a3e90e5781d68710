"""DQN: what it learns, that it can be interrupted, and its result as a strategy."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from parlor import GameError, load
from parlor.agents.registry import policy_agent
from parlor.compile import version
from parlor.game.seats.play import play_game
from parlor.learn.dqn import BoltzmannOracle, Dqn, DqnOracle, DqnSettings
from parlor.learn.experience import LAST, Exploring, TrainingPlayer, new_ring
from parlor.policies.feature_vectors import Survey
from parlor.policies.features import features
from parlor.policies.mixture import correlated
from parlor.policies.nets import initial_weights
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import LEARNER, OpponentArrays, opponent_arrays, self_play
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.population.oracles import ORACLES, Task, opponents
from parlor.solvers.best_response import best_response, evaluate

pytestmark = pytest.mark.slow

pytest.importorskip("jax")

SMALL: dict[str, Any] = {
    "layers": (32,), "round": 128, "updates": 16, "batch": 64, "replay": 20_000, "schedule": 10_000,
}  # fmt: skip
KUHN = load("kuhn")


def against(
    *strategies: Strategy, lineups: Sequence[Sequence[int]], shares: Sequence[float] = (1.0,)
) -> OpponentArrays:
    return opponent_arrays(KUHN, lineups, shares, strategies)


@pytest.fixture(scope="module")
def learned() -> NetworkPolicy:
    """DQN in self-play."""
    dqn = Dqn(KUHN, DqnSettings(**SMALL), 1)
    dqn.run_to(640)
    return dqn.network(algorithm="dqn")


@pytest.mark.parametrize("player", [0, 1])
def test_it_finds_a_best_response(player: int) -> None:
    uniform = Policy.uniform(KUHN)
    dqn = Dqn(
        KUHN, DqnSettings(**SMALL), 1, against(uniform, lineups=[[LEARNER if p == player else 0 for p in (0, 1)]])
    )
    dqn.run_to(10_000)
    table = dqn.network().table
    assert table is not None
    pair = [table if p == player else uniform for p in (0, 1)]
    found, best = evaluate(KUHN, pair).values[player], evaluate(KUHN, uniform).best_responses[player]
    assert best - 0.02 < found <= best + 1e-12


def test_an_interrupted_run_goes_on_to_the_same_network() -> None:
    whole, first, second = (Dqn(KUHN, DqnSettings(**SMALL | {"replay": 500}), 7) for _ in range(3))
    whole.run_to(640)
    first.run_to(333)
    second.restore({name: np.array(array) for name, array in first.state().items()}, 333)
    second.run_to(640)
    for name, array in whole.state().items():
        assert np.array_equal(array, second.state()[name]), name
    other = Dqn(KUHN, DqnSettings(**SMALL | {"replay": 500}), 8)
    other.run_to(640)
    assert not np.array_equal(other.weights, whole.weights)


def test_a_network_plays_as_its_table_does(learned: NetworkPolicy) -> None:
    """As a function of positions, as a table, and as an agent, plain and compiled."""
    for network in (learned, learned.with_temperature(0.3)):
        table, agent = network.table, policy_agent(network, KUHN)
        assert table is not None
        assert len(table) == len(network) == 12
        for moves in ((), ("bet",), ("pass",), ("pass", "bet")):
            position = KUHN.start().after("Q to player 0", "K to player 1", *moves)
            assert network(position) == pytest.approx(table(position), abs=1e-12)
            assert agent(position) == pytest.approx(table(position), abs=1e-12)
            assert network.values(position).keys() == {"pass", "bet"}
    assert policy_agent(learned.with_temperature(1e9), KUHN)(position) == pytest.approx({"pass": 0.5, "bet": 0.5})
    assert play_game(KUHN, [learned, learned], 1) == play_game(KUHN, [policy_agent(learned, KUHN)] * 2, 1)


def test_opponents_are_drawn_from_a_joint_distribution() -> None:
    """Against somebody who always bets or always passes, it plays as against the mean of the two."""
    rows = {name: _always(name) for name in ("bet", "pass")}
    both = against(rows["bet"], rows["pass"], lineups=[[LEARNER, 0], [LEARNER, 1]], shares=[0.25, 0.75])
    dqn = Dqn(KUHN, DqnSettings(**SMALL), 1, both)
    dqn.run_to(10_000)
    mean = _mean(rows["bet"], rows["pass"], 0.25)
    found = evaluate(KUHN, [dqn.network().table, mean]).values[0]  # type: ignore[list-item]
    assert found == pytest.approx(evaluate(KUHN, mean).best_responses[0], abs=0.03)


def _always(move: str) -> Policy:
    uniform = best_response(KUHN, Policy.uniform(KUHN), 1)  # for its keys
    row = [0.0, 1.0] if move == "bet" else [1.0, 0.0]
    return Policy.from_rows(KUHN, uniform.keys, np.diff(uniform.starts), np.tile(row, len(uniform)))


def _mean(one: Policy, two: Policy, share: float) -> Policy:
    probabilities = share * one.probabilities + (1 - share) * two.probabilities
    return Policy.from_rows(KUHN, one.keys, np.diff(one.starts), probabilities)


@pytest.mark.parametrize(("name", "settings"), [("dqn", DqnOracle), ("boltzmann-dqn", BoltzmannOracle)])
def test_an_oracle_is_a_function_of_its_task(name: str, settings: type, learned: NetworkPolicy) -> None:
    """The mixture has a uniform policy, a table and a network, jointly with the own strategies."""
    members: list[list[Strategy]] = [[Policy.uniform(KUHN)] * 2, [Policy.uniform(KUHN), _always("bet"), learned]]
    mixture = correlated(np.array([[0.5, 0.0, 0.2], [0.0, 0.3, 0.0]]))
    task = Task(KUHN, 0, 3, 5, members, mixture, settings(**SMALL, games=256))
    one, two = (ORACLES[name].respond(task) for _ in range(2))
    assert isinstance(one, NetworkPolicy)
    assert isinstance(two, NetworkPolicy)
    assert np.array_equal(one.weights, two.weights)
    assert one.about == {"games": 256, "seed": 5, "oracle": name, "iteration": 3, "player": 0}
    assert bool(one.temperature) == (name == "boltzmann-dqn")


def test_opponents_who_are_hardly_ever_played_are_kept() -> None:
    members: list[list[Strategy]] = [[Policy.uniform(KUHN)], [_always("bet"), _always("pass"), Policy.uniform(KUHN)]]
    task = Task(KUHN, 0, 1, 1, members, correlated(np.array([[1.0 - 1e-9, 0.0, 1e-9]])), DqnOracle())
    drawn = opponents(task)
    assert drawn.lineups.tolist() == [[LEARNER, 0], [LEARNER, 1]]
    assert drawn.shares == pytest.approx([1.0 - 1e-9, 1e-9], rel=1e-6, abs=0.0)


def test_plain_games_are_the_compiled_ones() -> None:
    """With everybody in one seat: a learner who explores, and a table or a network in the other."""
    code, sizes, weights = features(KUHN).code, (22, 8, 2), initial_weights((22, 8, 2), 2)
    network = NetworkPolicy(KUHN.name, version(KUHN), code, sizes, initial_weights(sizes, 1), 1.0, 0.5)
    others = against(_always("bet"), network, lineups=[[LEARNER, 0], [LEARNER, 1]], shares=[0.5, 0.5])
    rings = []
    for compiled in (False, True):
        rings.append(new_ring(60, 22, 2))
        player = TrainingPlayer(KUHN, code, sizes, others, compiled)
        assert player.play(rings[-1], weights, Exploring((0.5, 0.1), (0.5, 0.1), 30), 2.0, 1, 0, 40) >= 40
    for one, two in zip(*rings, strict=True):
        assert np.array_equal(one, two)


def test_games_are_the_same_in_one_call_or_in_two() -> None:
    """Every call begins at the same root, also in a game whose `start` adds to what is there."""
    game = load("monopoly-deal(preset=tiny)")
    game.cache["survey"] = Survey({}, -np.inf, np.inf)  # as if it had been walked through in vain
    found = features(game)
    sizes = (found.size, 4, game.actions)
    player, rings = TrainingPlayer(game, found.code, sizes, self_play(2), compiled=False), []
    weights, how = initial_weights(sizes, 1), Exploring((1.0, 1.0), (0.0, 0.0), 1)
    for calls in ([(0, 4)], [(0, 2), (2, 2)]):
        rings.append(new_ring(1000, found.size, game.actions))
        for first, games in calls:
            player.play(rings[-1], weights, how, 1.0, 1, first, games)
    for one, two in zip(*rings, strict=True):
        assert np.array_equal(one, two)


def test_transitions_go_from_a_players_decision_to_its_next_one() -> None:
    """Three players in self-play: what follows a decision is of the same player, and the last one has its payoff."""
    game = load("kuhn(players=3)")
    found, ring = features(game), new_ring(1000, features(game).size, 2)
    sizes = (found.size, 4, 2)
    player = TrainingPlayer(game, found.code, sizes, self_play(3), compiled=False)
    count = player.play(ring, initial_weights(sizes, 1), Exploring((1.0, 1.0), (0.0, 0.0), 1), 1.0, 1, 0, 100)
    assert count == ring.count[0]
    assert not ring.payoff[:count][ring.after[:count] != LAST].any()
    total = 0.0
    for place in range(count):
        seat, later = ring.seen[place, 0] & 7, ring.after[place]
        assert seat in (1, 2, 4)
        assert later == LAST or (later > place and ring.seen[later, 0] & 7 == seat)
        total += ring.payoff[place]
    assert total == pytest.approx(0.0)  # zero sum: everybody has decided something in each game


def test_what_does_not_fit_gets_a_sentence(learned: NetworkPolicy) -> None:
    with pytest.raises(GameError, match="A policy for leduc cannot play kuhn"):
        against(Policy.uniform(load("leduc")), lineups=[[LEARNER, 0]])
    with pytest.raises(GameError, match="The network is for kuhn, not for leduc"):
        learned(load("leduc").start().after(0, 1))
    with pytest.raises(GameError, match="is a network for kuhn, but the game here is leduc"):
        policy_agent(learned, "leduc")
    with pytest.raises(GameError, match=r"weights where .* are needed"):
        replace(learned, weights=learned.weights[1:])
    with pytest.raises(GameError, match="its training has diverged"):
        replace(learned, weights=learned.weights + np.float32("inf"))
