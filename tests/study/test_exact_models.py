"""Mixed models and their bootstrap against formulas: the analysis of variance, and a likelihood written down anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from parlor.runs.workers import start_pool
from parlor.study.analysis import models
from parlor.study.analysis.models import Fit, bootstrap, draw_resamples, fit, refit

#: Three participants with two games each: means 2, 6 and 11.5.
VALUES = np.array([1.0, 3, 5, 7, 9, 14])
WHO = np.array([0, 0, 1, 1, 2, 2])


def restricted(values: Any, design: Any, who: Any, share: float) -> tuple[float, Any]:
    """The restricted likelihood of an intraclass correlation, and the means that go with it, by whole matrices."""
    n, k = design.shape
    same = (who[:, None] == who[None, :]).astype(float)
    covariance = np.eye(n) + share / (1 - share) * same
    inverse = np.linalg.inv(covariance)
    information = design.T @ inverse @ design
    means = np.linalg.solve(information, design.T @ inverse @ values)
    left = values - design @ means
    scale = float(left @ inverse @ left) / (n - k)
    logs = np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(information)[1]
    return -0.5 * ((n - k) * np.log(scale) + logs), means


def best_means(values: Any, design: Any, who: Any) -> Any:
    """The means at the best intraclass correlation, sought ever closer."""
    low, high = 1e-6, 0.98
    for _ in range(4):
        shares = np.linspace(low, high, 21)
        best = int(np.argmax([restricted(values, design, who, one)[0] for one in shares]))
        low, high = shares[max(best - 1, 0)], shares[min(best + 1, 20)]
    return restricted(values, design, who, shares[best])[1]


def test_a_balanced_fit_is_the_analysis_of_variance() -> None:
    """Mean squares 45.5 between participants and 5.5 within: so 20 of 25.5 is between."""
    found = fit(VALUES, np.ones((6, 1)), WHO, ("all",))
    assert found.means == pytest.approx([6.5])
    assert found.residual_deviation == pytest.approx(np.sqrt(5.5), rel=1e-4)
    assert found.participant_deviation == pytest.approx(np.sqrt(20.0), rel=1e-4)
    assert found.share == pytest.approx(20 / 25.5, rel=1e-4)
    assert found.errors == pytest.approx([np.sqrt(45.5 / 6)], rel=1e-4)
    shrunk = 20 / (20 + 5.5 / 2) * np.array([-4.5, -0.5, 5.0])
    assert found.intercepts == pytest.approx(shrunk, rel=1e-3)
    assert found.fitted == pytest.approx(6.5 + shrunk[WHO], rel=1e-3)
    assert found.residuals == pytest.approx(VALUES - 6.5 - shrunk[WHO], abs=1e-3)
    assert (found.games, found.participants, found.converged, found.singular, found.remarks) == (6, 3, True, False, ())


def test_numbers_of_a_fit() -> None:
    zeros = np.zeros(2)
    one = Fit(("a",), zeros, np.diag([4.0, -1e-20]), 3.0, 4.0, 2, True, False, (), np.zeros(5), zeros, zeros)
    assert (one.share, one.games) == (9 / 25, 5)
    assert one.errors.tolist() == [2.0, 0.0]
    none = Fit(("a",), zeros, np.zeros((2, 2)), 0.0, 0.0, 2, True, True, (), zeros, zeros, zeros)
    assert none.share == 0.0


def test_a_plain_regression_has_its_own_errors() -> None:
    """One game each: 1, 2, 3 and 6 with mean 3 and variance 14/3."""
    found = fit(np.array([1.0, 2, 3, 6]), np.ones((4, 1)), np.arange(4), ("all",))
    assert found.errors == pytest.approx([np.sqrt(14 / 3 / 4)])
    assert found.residual_deviation == pytest.approx(np.sqrt(14 / 3))
    assert found.residuals.tolist() == [-2.0, -1.0, 0.0, 3.0]
    assert (found.singular, found.converged, found.remarks) == (True, True, (models.ONE_GAME,))
    exact = fit(np.array([1.0, 5.0]), np.eye(2), np.array([0, 1]), ("a", "b"))
    assert exact.means == pytest.approx([1.0, 5.0])
    assert (exact.errors.tolist(), exact.residual_deviation) == ([0.0, 0.0], 0.0)
    assert exact.remarks == (models.EQUAL_VALUES,)
    alike = fit(np.array([1.0, 9.0, 2.0, 8.0]), np.ones((4, 1)), np.array([0, 0, 1, 1]), ("all",))
    assert alike.remarks == (models.SINGULAR_FIT,)


def test_a_participant_who_is_drawn_twice_is_two_participants() -> None:
    """One with a game of 0, one with games around 10, one around 4: as one, two tens would weigh as much as the 0."""
    values = np.array([0.0, 9, 10, 11, 3, 5])
    who = np.array([0, 1, 1, 1, 2, 2])
    draws = np.array([[0, 1, 1], [0, 1, 2], [1, 1, 1], [0, 0, 2]])
    found = bootstrap(values[:, None], np.ones((6, 1)), who, [0.9], draws, start_pool())
    assert found.shape == (4, 1, 1)
    apart = best_means(np.array([0.0, 9, 10, 11, 9, 10, 11]), np.ones((7, 1)), np.array([0, 1, 1, 1, 2, 2, 2]))
    merged = best_means(np.array([0.0, 9, 10, 11, 9, 10, 11]), np.ones((7, 1)), np.array([0, 1, 1, 1, 1, 1, 1]))
    assert abs(apart[0] - merged[0]) > 1.0
    assert found[0, 0] == pytest.approx(apart, abs=2e-3)
    assert found[1, 0] == pytest.approx(best_means(values, np.ones((6, 1)), who), abs=2e-3)
    assert found[2, 0, 0] == pytest.approx(10.0)
    third = best_means(np.array([0.0, 0, 3, 5]), np.ones((4, 1)), np.array([0, 1, 2, 2]))
    assert found[3, 0] == pytest.approx(third, abs=2e-3)


def test_each_model_has_its_own_values_and_all_the_same_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two agents and two returns, in chunks of two resamples; who was drawn is told by where it goes."""
    monkeypatch.setattr(models, "CHUNK", 2)
    draw = np.random.default_rng(2)
    who = np.repeat([7, 3, 9, 5], [4, 3, 5, 2])  # any numbers: they are taken in order
    partner = draw.integers(0, 2, len(who))
    partner[who == 5] = 0
    design = np.stack([partner == 0, partner == 1], axis=1).astype(float)
    values = np.stack([3.0 * partner + draw.normal(size=len(who)), draw.normal(5.0, 2.0, len(who)) + who], axis=1)
    draws = np.array([[0, 1, 2, 3], [3, 3, 2, 2], [1, 1, 1, 1], [3, 3, 3, 3], [2, 0, 2, 1]])
    told: list[int] = []
    found = bootstrap(values, design, who, [0.2, 0.6], draws, start_pool(), told.append)
    assert told == [2, 4, 5]
    assert found.shape == (5, 2, 2)
    rows_of = [np.flatnonzero(who == number) for number in (3, 5, 7, 9)]
    for i, some in enumerate(draws):
        rows = np.concatenate([rows_of[number] for number in some])
        again = np.repeat(np.arange(4), [len(rows_of[number]) for number in some])
        present = design[rows].any(axis=0)
        assert np.isnan(found[i][:, ~present]).all()
        for j in range(2):
            expected = best_means(values[rows, j], design[rows][:, present], again)
            assert found[i, j, present] == pytest.approx(expected, abs=3e-3)
    assert np.isnan(found[2, 0, 1])
    assert bootstrap(values, design, who, [0.2, 0.6], draws[:0], start_pool()).shape == (0, 2, 2)


def test_a_resample_that_cannot_be_fitted_has_no_means(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> Any:
        raise np.linalg.LinAlgError

    monkeypatch.setattr(models, "refit", fails)
    assert np.isnan(bootstrap(VALUES[:, None], np.ones((6, 1)), WHO, [0.5], np.array([[0, 1, 2]]), start_pool())).all()


@pytest.mark.parametrize("near", [0.05, 0.5, 0.95])
def test_refits_search_everywhere_if_the_best_is_not_near(near: float) -> None:
    """Unequal numbers of games, so that the mean depends on the intraclass correlation."""
    values = np.array([1.0, 2, 8, 9, 10, 9, 4, 5, 5, 4, 4])
    who = np.array([0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2])
    expected = best_means(values, np.ones((11, 1)), who)
    assert abs(expected[0] - values.mean()) > 0.2
    assert refit(values, np.ones((11, 1)), who, near) == pytest.approx(expected, abs=2e-3)


def test_many_participants_are_put_into_blocks() -> None:
    """More than a block of them, in any order."""
    draw = np.random.default_rng(5)
    who = draw.permutation(np.repeat(np.arange(30), draw.integers(1, 5, 30)))
    values = draw.normal(0.0, 2.0, 30)[who] + draw.normal(size=len(who))
    design = np.ones((len(who), 1))
    expected = best_means(values, design, who)
    assert refit(values, design, who, 0.7) == pytest.approx(expected, abs=1e-3)
    assert fit(values, design, who, ("all",)).means == pytest.approx(expected, abs=1e-3)


def test_resamples_are_as_many_as_there_are_with_repetition() -> None:
    draws = draw_resamples(7, 500, 3)
    assert draws.shape == (500, 7)
    assert set(np.unique(draws)) == set(range(7))
    assert any(len(set(row)) < 7 for row in draws.tolist())
    assert np.array_equal(draws, draw_resamples(7, 500, 3))
    assert not np.array_equal(draws, draw_resamples(7, 500, 4))
    assert np.bincount(draws.ravel()) == pytest.approx(np.full(7, 500.0), rel=0.15)
