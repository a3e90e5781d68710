"""PSRO with exact oracles: cells, averages and joint best responses against what the tree says; the loop."""

from typing import Any

import numpy as np
import pytest

import parlor
from parlor.game import Game, GameError
from parlor.game.loading.matrix import matrix_game
from parlor.policies.mixture import correlated, independent
from parlor.policies.plans import Plans, plan, sequence_policy
from parlor.population.empirical.empirical_game import EXACT, EmpiricalGame
from parlor.population.psro import Psro, PsroSettings, Row
from parlor.solvers.best_response import evaluate


def run(
    game: Game | str, iterations: int, meta_settings: dict[str, Any] | None = None, **settings: Any
) -> tuple[Psro, list[Row]]:
    psro = Psro(game, PsroSettings(iterations=iterations, **settings), meta_settings=meta_settings)
    return psro, [psro.step() for _ in range(iterations)]


def plans_of(psro: Psro) -> Plans:
    assert psro.plans is not None
    return psro.plans


def policies(psro: Psro, cell: tuple[int, ...]) -> list[parlor.Policy]:
    tables = [psro.members[p][i].table for p, i in enumerate(cell)]
    return [table for table in tables if table is not None]


@pytest.fixture
def three() -> Psro:
    return run("kuhn(players=3)", 4, meta="uniform", evaluate="uniform")[0]


def test_kuhn_is_solved() -> None:
    psro, rows = run("kuhn", 30, {"iterations": 3_000})
    assert rows[-1]["nash_conv"] <= 0.01
    assert rows[-1]["meta_nash_conv"] <= 1e-9  # the exact Nash equilibrium of the empirical game is one of the game
    assert rows[-1]["values"][0] == pytest.approx(-1 / 18, abs=0.01)
    assert parlor.evaluate("kuhn", psro.average()).nash_conv == pytest.approx(rows[-1]["nash_conv"], abs=1e-12)


def test_uniform_is_fictitious_play() -> None:
    """The known curve of fictitious play on Kuhn poker."""
    _, rows = run("kuhn", 20, meta="uniform")
    assert rows[-1]["nash_conv"] == pytest.approx(0.11, abs=0.02)


def test_every_cell_is_what_the_tree_says(three: Psro) -> None:
    payoffs = three.empirical.payoffs
    assert payoffs.shape == (3, 5, 5, 5)
    for cell in [(0, 0, 0), (1, 2, 3), (4, 4, 4), (4, 0, 2), (0, 3, 1)]:
        found = evaluate(three.game, policies(three, cell))
        assert payoffs[:, *cell] == pytest.approx(found.values, abs=1e-12)


def test_four_players() -> None:
    psro, rows = run("kuhn(players=4)", 2, meta="uniform", evaluate="uniform")
    cell = (2, 1, 0, 2)
    found = evaluate(psro.game, policies(psro, cell))
    assert psro.empirical.payoffs[:, *cell] == pytest.approx(found.values, abs=1e-12)
    joint = correlated(np.random.default_rng(1).random((3, 3, 3, 3)))
    answer, value = plans_of(psro).respond(1, joint)
    got = plans_of(psro).add(1, plan(plans_of(psro).tree, answer, 1))[1, :, 0]
    assert (got * joint.others(1)).sum() == pytest.approx(value, abs=1e-12)
    assert rows[-1]["strategies"] == [3, 3, 3, 3]


def test_the_average_is_worth_what_the_mixture_is(three: Psro) -> None:
    draw = np.random.default_rng(2)
    mixture = independent([draw.random(5) for _ in range(3)])
    plans = plans_of(three)
    found = parlor.evaluate(three.game, sequence_policy(plans.tree, plans.average(mixture.marginals)))
    expected = [(mixture.joint * payoff).sum() for payoff in three.empirical.payoffs]
    assert found.values == pytest.approx(expected, abs=1e-12)


def test_a_joint_target_is_answered_jointly(three: Psro) -> None:
    """Two others who always do the same: to bet that they differ answers their marginals, but not them."""
    payoffs = np.zeros((3, 2, 2, 2))
    payoffs[0, 0] = [[0.0, 1.0], [1.0, 0.0]]
    payoffs[0, 1] = [[0.9, 0.0], [0.0, 0.9]]
    psro = Psro(matrix_game(payoffs, name="bet"), PsroSettings(iterations=1))
    tree = plans_of(psro).tree
    for player in (1, 2):
        for one in ([1.0, 0.0], [0.0, 1.0]):
            low = tree.infoset_bounds[player]
            pure = parlor.Policy.from_rows(psro.game, tree.keys[low : low + 1], np.array([2]), np.array(one))
            plans_of(psro).add_plan(player, plan(tree, pure, player))
    joint = np.zeros((1, 3, 3))
    joint[0, 1, 1] = joint[0, 2, 2] = 0.5
    answer, value = plans_of(psro).respond(0, correlated(joint))
    assert answer.probabilities.tolist() == [0.0, 1.0]
    assert value == pytest.approx(0.9)
    alone, believed = plans_of(psro).respond(0, independent(correlated(joint).marginals))
    assert alone.probabilities.tolist() == [1.0, 0.0]
    assert believed == pytest.approx(0.5)

    draw = np.random.default_rng(3)  # and in a game with cards, as good as it says, and better than all others
    mixture = correlated(draw.random((5, 5, 5)))
    answer, value = plans_of(three).respond(2, mixture)
    worth = [(payoff * mixture.others(2)[..., None]).sum((0, 1)) for payoff in three.empirical.payoffs]
    assert worth[2].max() <= value + 1e-12
    got = plans_of(three).add(2, plan(plans_of(three).tree, answer, 2))[2, :, :, 0]
    assert (got * mixture.others(2)).sum() == pytest.approx(value, abs=1e-12)


def test_equally_good_answers_are_mixed() -> None:
    game = matrix_game([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]], name="equal")
    psro = Psro(game, PsroSettings(iterations=1))
    policy, value = plans_of(psro).respond(0, independent([np.ones(1), np.ones(1)]))
    assert value == 1.0
    assert policy.probabilities == pytest.approx([0.5, 0.5, 0.0])


def test_one_population_for_all_seats() -> None:
    """Rock, paper, scissors: with a shared population both players mix alike, and find the equilibrium."""
    game = matrix_game([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]], name="rps")
    psro, rows = run(game, 8, population="shared", meta="nash")
    first, second = psro.mixture.marginals
    assert np.array_equal(first, second)
    assert rows[-1]["nash_conv"] == pytest.approx(0.0, abs=1e-9)


def test_players_who_must_play_alike_are_told_if_that_is_no_equilibrium() -> None:
    """Chicken: one goes on and the other swerves, which players of one population cannot do."""
    game = matrix_game([[[-5.0, 1.0], [-1.0, -1.0]], [[-5.0, -1.0], [1.0, -1.0]]], name="chicken")
    _, rows = run(game, 3, population="shared", meta="nash")
    assert any("play the mean" in row.get("note", "") for row in rows)


def test_joint_targets_in_chicken_reach_welfare() -> None:
    game = matrix_game([[[-5.0, 1.0], [-1.0, -1.0]], [[-5.0, -1.0], [1.0, -1.0]]], name="chicken")
    _, rows = run(game, 4, meta="mwcce")
    assert max(row["social_welfare"] for row in rows) <= 0.0 + 1e-9


def test_restoring_continues_as_if_nothing_had_happened() -> None:
    whole, rows = run("kuhn", 6, meta="mgcce")
    half, _ = run("kuhn", 3, meta="mgcce")
    other = Psro("kuhn", PsroSettings(iterations=6, meta="mgcce"))
    other.restore(half.state(), half.members)
    again = [other.step() for _ in range(3)]
    assert again == rows[3:]
    assert np.array_equal(other.empirical.payoffs, whole.empirical.payoffs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "settings", "sentence"),
    [
        ("kuhn(players=4)", {"iterations": 200}, "would have 1,632,240,801 cells"),
        ("kuhn(players=3)", {"meta": "nash"}, "nash is for 2 players"),
        ("kuhn", {"oracle": "guess"}, "There is no oracle 'guess'"),
        ("kuhn", {"meta": "guess"}, "There is no meta-solver 'guess'"),
        ("kuhn", {"payoffs": "simulated"}, "must be simulated"),
        ("clue", {}, "too large to enumerate.* exact oracles need: choose another, such as dqn"),
        ("clue", {"oracle": "abr"}, "clue has no codes for what is hidden"),
    ],
)
def test_sentences(game: str, settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        Psro(game, PsroSettings(**settings))


# --------------------------------------------------------------------------------------------------- empirical games


def test_an_empirical_game_grows() -> None:
    empirical = EmpiricalGame("leduc", 2)
    for player, label in [(0, "a"), (1, "x"), (1, "y")]:
        empirical.add(player, label)
    assert empirical.missing() == [(0, 0), (0, 1)]
    empirical.record((0, 1), 2, [3.0, -3.0], [5.0, 5.0])  # payoffs 1 and 2
    assert np.isnan(empirical.payoffs[0, 0, 0])
    assert empirical.payoffs[:, 0, 1] == pytest.approx([1.5, -1.5])
    assert empirical.half_widths()[0, 0, 1] == pytest.approx(12.7062 * 0.5, abs=1e-3)
    assert empirical.missing(2) == [(0, 0)]
    assert empirical.games == 2
    empirical.set_exact((0, 0), np.array([7.0, -7.0]))
    assert empirical.complete
    assert empirical.counts[0, 0] == EXACT
    assert empirical.half_widths()[0, 0, 0] == 0.0
    with pytest.raises(GameError, match="known exactly"):
        empirical.record((0, 0), 1, [1.0, -1.0], [1.0, 1.0])
    empirical.add(0, "b")
    assert empirical.missing() == [(1, 0), (1, 1)]
    assert empirical.payoffs[0, 0, 0] == 7.0
    part = empirical.restricted([[0], [1]])
    assert part.labels == [["a"], ["y"]]
    assert part.payoffs[:, 0, 0] == pytest.approx([1.5, -1.5])
    again = EmpiricalGame.from_data(empirical.data())
    assert np.array_equal(again.payoffs, empirical.payoffs, equal_nan=True)
    assert again.labels == empirical.labels


def test_seats_drawn_at_random() -> None:
    empirical = EmpiricalGame("rows", 2)
    for player in (0, 1):
        for label in "ab":
            empirical.add(player, label)
    first, second = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 6.0], [7.0, 8.0]])
    empirical.set_exact((slice(None), slice(None)), np.stack([first, second]))
    mean = empirical.symmetrised()
    assert mean[0] == pytest.approx((first + second.T) / 2)  # a as first against b, and as second against b
    assert mean[1] == pytest.approx(mean[0].T)
