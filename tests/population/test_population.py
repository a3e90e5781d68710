"""A population is one strategy: what its members do, mixed by what their player has done."""

import numpy as np
import pytest

import parlor
from parlor.game import GameError
from parlor.game.seats.play import PositionAgent
from parlor.policies.mixture import correlated
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.solvers.best_response import evaluate
from tests.populations import grown

DEAL = ("K to player 0", "Q to player 1")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn", "leduc", "kuhn(players=3)"])
def test_the_table_is_worth_what_the_mixture_of_members_is(name: str) -> None:
    """Against any opponent: here against uniform play of everybody else."""
    population = grown(name, 3, "all")
    uniform = Policy.uniform(parlor.load(name))
    for player, (members, weights) in enumerate(zip(population.members, population.mixture.marginals, strict=True)):

        def worth(policy: Policy | None, player: int = player) -> float:
            seats = [policy or uniform if p == player else uniform for p in range(population.players)]
            return evaluate(name, seats).values[player]

        mixed = sum(weight * worth(one.table) for one, weight in zip(members, weights.tolist(), strict=True))
        assert worth(population.table) == pytest.approx(mixed, abs=1e-12)


def test_the_posterior_along_any_history_gives_the_table() -> None:
    population = grown("kuhn", 4)
    table = population.table
    assert table is not None
    assert parlor.tabulate("kuhn", PositionAgent("population", population)).distance(table) < 1e-12


def test_moves_tell_which_member_it_is() -> None:
    game = parlor.load("kuhn")
    key = game.start().after(*DEAL).key(0)
    bet, pass_ = (
        Policy.from_rows(game, np.array([key]), np.array([2]), np.array(row)) for row in ([0.0, 1.0], [1.0, 0.0])
    )
    population = Population.of([[bet, pass_], [Policy.uniform(game)]], [[0.25, 0.75], [1.0]])
    position = game.start().after(*DEAL)
    assert population.posterior(position).tolist() == [0.25, 0.75]
    assert population(position) == {"pass": 0.75, "bet": 0.25}
    position = position.after("pass", "bet")
    assert population.posterior(position).tolist() == [0.0, 1.0]
    alone = Population.of([[bet], [Policy.uniform(game)]], [[1.0], [1.0]])
    assert alone.posterior(position).tolist() == [0.0]  # it would not have passed
    assert alone(position) == {"pass": 0.5, "bet": 0.5}


def test_a_joint_mixture_is_played_by_its_marginals() -> None:
    members = grown("kuhn", 2).members
    joint = correlated(np.diag([0.5, 0.25, 0.25]))
    apart = Population.of(members, joint.marginals)
    assert Population.of(members, joint).table == apart.table
    played = Population.of(members, correlated(np.diag([0.5, 0.0, 0.5]))).played()
    assert played.labels == (("0", "2"), ("0", "2"))
    assert played.mixture.joint.tolist() == [[0.5, 0.0], [0.0, 0.5]]
    assert played.members[0] == (members[0][0], members[0][2])


def test_what_does_not_fit_is_refused() -> None:
    kuhn, leduc = (Policy.uniform(parlor.load(name)) for name in ("kuhn", "leduc"))
    with pytest.raises(GameError, match="The members are 1 × 1, but the mixture is of 2 × 1 strategies"):
        Population.of([[kuhn], [kuhn]], [[0.5, 0.5], [1.0]])
    with pytest.raises(GameError, match="must be for one game and one version of its rules: kuhn and leduc"):
        Population.of([[kuhn], [leduc]], [[1.0], [1.0]])
