"""Linear programs in sequence form, to the last digits and in fractions: against values that are known or by hand."""

from fractions import Fraction

import numpy as np
import pytest

import parlor
from parlor import GameError
from parlor.game.loading import load
from parlor.sequence_form.tree import tree
from parlor.solvers.exact.fractions_of_game import PayoffFractions
from parlor.solvers.exact.linear_program import Exact, ExactSettings
from parlor.solvers.solve import Solve


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kuhn", -1 / 18),
        ("leduc", -0.085606424078),  # to twelve digits, of Gambit's and others' programs
        ("liars-dice(faces=3)", 1 / 9),
        ("goofspiel", 0.0),  # it is symmetric
        ("normal-form(preset=rock-paper-scissors)", 0.0),
    ],
)
def test_values_that_are_known(name: str, value: float) -> None:
    policy, report = parlor.solve(load(name), "exact")
    assert report.iterations == 1
    assert report.values == pytest.approx((value, -value), abs=1e-11)
    assert report.evaluation is not None
    assert report.evaluation.nash_conv < 1e-11
    assert policy.about["algorithm"] == "exact"


def test_a_matrix_with_an_equilibrium_by_hand() -> None:
    """Rows (3, -1) and (-1, 1): indifference gives p = 1/3 on the first row, q = 1/3 on the first column, value 1/3."""
    game = parlor.matrix_game([[3, -1], [-1, 1]])
    found = parlor.solve_in_fractions(game)
    assert found.value == Fraction(1, 3)
    third, rest = Fraction(1, 3), Fraction(2, 3)
    assert list(found.probabilities.values()) == [[third, rest], [third, rest]]
    rows = parlor.solve(game, "exact").policy.probabilities
    assert rows.tolist() == pytest.approx([1 / 3, 2 / 3, 1 / 3, 2 / 3])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_fractions_are_an_equilibrium_in_floating_point_too(name: str) -> None:
    game = load(name)
    found = parlor.solve_in_fractions(game)
    assert all(sum(row) == 1 and min(row) >= 0 for row in found.probabilities.values())
    measured = parlor.evaluate(game, found.policy)
    assert measured.values[0] == pytest.approx(float(found.value), abs=1e-14)
    assert measured.nash_conv < 1e-13
    if name == "kuhn":
        assert found.value == Fraction(-1, 18)


def test_fractions_are_read_from_the_numbers_of_the_tree_and_nothing_else_is_taken_for_one() -> None:
    read = PayoffFractions.of(tree(load("kuhn")))
    assert read.denominator == 6
    assert {abs(n) for n in read.numbers} == {1, 2}
    with pytest.raises(GameError, match="no fractions with denominators up to 1,000,000"):
        parlor.solve_in_fractions(parlor.matrix_game([[np.sqrt(2), 0], [0, 1]]))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("kuhn(players=3)", "kuhn\\(players=3\\) is for 3 players"),
        ("normal-form(preset=stag-hunt)", "normal-form\\(preset=stag-hunt\\) is general-sum"),
    ],
)
def test_other_games_are_refused(name: str, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        parlor.solve(name, "exact")


def test_without_scipy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for algorithm in ("exact", "logit"):
        with pytest.raises(GameError, match=rf"{algorithm} needs SciPy: pip install 'parlor-games\[solve\]'"):
            parlor.solve("kuhn", algorithm)


def test_one_that_is_stopped_has_not_iterated_and_goes_on() -> None:
    solver = Exact(load("kuhn"), ExactSettings())
    solver.stop()
    solver._solve = lambda: None  # type: ignore[method-assign]  # HiGHS is still at it
    solver.run(1)
    assert solver.iterations == 0
    work = Solve(load("kuhn"), "exact", iterations=500)
    assert (work.iterations, work.finished) == (1, False)
    for _ in work.steps():
        pass
    assert work.finished
    assert [done for done, _ in work.curve] == [1]
