"""Policies there and back."""

import pytest

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import exploitability

import parlor
from parlor import GameError


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn", "leduc/ranks", "openspiel:kuhn_poker", "openspiel:leduc_poker"])
def test_nash_conv_is_the_same_there_and_the_policy_comes_back(name: str) -> None:
    game = parlor.load(name)
    policy = parlor.solve(game, iterations=20).policy
    table = parlor.policy_to_openspiel(policy)
    assert exploitability.nash_conv(table.game, table) == pytest.approx(parlor.nash_conv(game, policy), abs=1e-12)
    assert parlor.policy_from_openspiel(game, table) == policy


def test_a_policy_made_there_is_measured_here() -> None:
    """OpenSpiel's own Kuhn poker and its own policy, which always passes."""
    table = spiel_policy.TabularPolicy(pyspiel.load_game("kuhn_poker"))
    table.action_probability_array[:] = (1.0, 0.0)
    policy = parlor.policy_from_openspiel("openspiel:kuhn_poker", table)
    assert parlor.nash_conv("openspiel:kuhn_poker", policy) == pytest.approx(2.0)


def test_what_a_policy_does_not_know_is_uniform_there() -> None:
    table = parlor.policy_to_openspiel(parlor.Policy.uniform(parlor.load("kuhn")))
    assert (table.action_probability_array == 0.5).all()


def test_moves_made_at_once() -> None:
    game = parlor.load("openspiel:matrix_rps")
    policy = parlor.tabulate(game, lambda position: position.legal[0])
    table = parlor.policy_to_openspiel(policy)
    assert parlor.policy_from_openspiel(game, table) == policy
    assert exploitability.nash_conv(table.game, table) == pytest.approx(2.0)


def test_a_game_that_has_no_name_to_load_it_by_is_given() -> None:
    game = parlor.matrix_game([[2, 0], [0, 1]])
    policy = parlor.solve(game, iterations=50).policy
    table = parlor.policy_to_openspiel(policy, game)
    assert exploitability.nash_conv(table.game, table) == pytest.approx(parlor.nash_conv(game, policy), abs=1e-12)
    with pytest.raises(GameError, match=f"There is no game '{game.name}'"):
        parlor.policy_to_openspiel(policy)


def test_the_policy_of_another_game_is_refused() -> None:
    table = parlor.policy_to_openspiel(parlor.solve("kuhn", iterations=2).policy)
    with pytest.raises(GameError, match=r"The policy is for OpenSpiel's parlor_kuhn\(.*\), but leduc is parlor_leduc"):
        parlor.policy_from_openspiel("leduc", table)
