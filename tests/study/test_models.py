"""The mixed models agree with published values, and the fast refits with the full fits of statsmodels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from statsmodels.regression.mixed_linear_model import MixedLM

from parlor.runs.workers import start_pool
from parlor.study.analysis.models import bootstrap, draw_resamples, fit, refit

SLEEP = np.loadtxt(Path(__file__).parent / "data" / "sleepstudy.csv", delimiter=",", skiprows=1)
REACTION, DAYS, SUBJECT = SLEEP[:, 0], SLEEP[:, 1], SLEEP[:, 2].astype(int)
DESIGN = np.column_stack([np.ones(len(SLEEP)), DAYS])


def test_a_random_intercept_agrees_with_lme4() -> None:
    """Reaction ~ Days + (1 | Subject), REML."""
    found = fit(REACTION, DESIGN, SUBJECT, ("intercept", "days"))
    assert found.means == pytest.approx([251.4051, 10.4673], abs=5e-5)
    assert found.errors == pytest.approx([9.7467, 0.8042], abs=5e-5)
    assert found.participant_deviation == pytest.approx(37.124, abs=5e-4)
    assert found.residual_deviation == pytest.approx(30.991, abs=5e-4)
    assert (found.games, found.participants, found.converged, found.singular) == (180, 18, True, False)


def test_a_random_slope_agrees_with_lme4() -> None:
    """Reaction ~ Days + (Days | Subject), REML: we only use intercepts, but statsmodels is the fitter of both."""
    found = MixedLM(REACTION, DESIGN, SUBJECT, exog_re=DESIGN).fit(reml=True)
    assert found.fe_params == pytest.approx([251.4051, 10.4673], abs=5e-5)
    assert found.bse_fe == pytest.approx([6.825, 1.546], abs=5e-4)
    between = np.sqrt(np.diag(found.cov_re))
    assert between == pytest.approx([24.741, 5.922], abs=5e-4)
    assert found.cov_re[0, 1] / between.prod() == pytest.approx(0.066, abs=5e-4)
    assert found.scale**0.5 == pytest.approx(25.592, abs=5e-4)


def games(deviation: float, missing: float = 0.15, participants: int = 40) -> tuple[np.ndarray, ...]:
    """Games against three agents, some of them missing."""
    rng = np.random.default_rng(3)
    who, partner = np.divmod(np.flatnonzero(rng.random(3 * participants) >= missing), 3)
    intercepts = rng.normal(0.0, deviation, participants)
    values = np.array([5.0, 6.0, 7.5])[partner] + intercepts[who] + rng.normal(0.0, 2.0, len(who))
    return values, (partner[:, None] == np.arange(3)).astype(float), who


@pytest.mark.parametrize("deviation", [0.5, 3.0])
def test_refits_agree_with_statsmodels(deviation: float) -> None:
    values, design, who = games(deviation)
    share = fit(values, design, who, "abc").share
    rows_of = [np.flatnonzero(who == number) for number in np.unique(who)]
    for draw in draw_resamples(len(rows_of), 5, seed=1):
        rows = np.concatenate([rows_of[number] for number in draw])
        again = np.repeat(np.arange(len(draw)), [len(rows_of[number]) for number in draw])
        full = fit(values[rows], design[rows], again, "abc")
        assert refit(values[rows], design[rows], again, share) == pytest.approx(full.means, abs=2e-4)
        assert refit(values[rows], design[rows], again, 0.9) == pytest.approx(full.means, abs=2e-4)  # a bad start


@pytest.mark.slow
def test_a_bootstrap_is_the_same_for_any_order_of_rows() -> None:
    values, design, who = games(1.0)
    draws = draw_resamples(len(np.unique(who)), 30, seed=5)
    one = bootstrap(values[:, None], design, who, [0.2], draws, start_pool())
    assert one.shape == (30, 1, 3)
    assert np.isfinite(one).all()
    shuffled = np.random.default_rng(0).permutation(len(values))
    other = bootstrap(values[shuffled, None], design[shuffled], who[shuffled], [0.2], draws, start_pool())
    assert other == pytest.approx(one, abs=1e-4)
    width = np.ptp(np.percentile(one[:, 0], [2.5, 97.5], axis=0), axis=0)
    assert width == pytest.approx(3.92 * fit(values, design, who, "abc").errors, rel=0.5)


def test_a_resample_without_a_cell_has_no_mean_of_it() -> None:
    values, design = np.array([1.0, 2.0, 3.0, 5.0]), np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    found = bootstrap(values[:, None], design, np.array([0, 0, 1, 1]), [0.1], np.array([[0, 0], [0, 1]]), start_pool())
    assert found[0, 0, 0] == pytest.approx(1.5)
    assert np.isnan(found[0, 0, 1])
    assert found[1, 0] == pytest.approx([1.5, 4.0])


@pytest.mark.parametrize(
    ("values", "who", "word"),
    [
        ([4.0, 4.0, 4.0, 4.0], [0, 0, 1, 1], "equal"),
        ([1.0, 2.0, 3.0, 4.0], [0, 1, 2, 3], "one game"),
        ([1.0, 4.0, 1.1, 3.9], [0, 0, 1, 1], "singular"),
    ],
)
def test_data_without_differences_between_participants_are_no_error(
    values: list[float], who: list[int], word: str
) -> None:
    found = fit(np.array(values), np.ones((4, 1)), np.array(who), ("all",))
    assert found.means == pytest.approx([np.mean(values)])
    assert found.participant_deviation == 0.0
    assert found.singular
    assert word in found.remarks[0]
    assert np.isfinite(found.errors).all()
