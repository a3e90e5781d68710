"""Linear mixed models with one random intercept a participant, fitted by statsmodels (REML), and their bootstrap.

    value of a game = mean of its cell (the partner) + deviation of the participant + residual

A full fit is `MixedLM.fit`. A bootstrap needs hundreds of refits of which only the means are wanted. `MixedLM.fit`
takes 0.1 s for 547 games, and a second where the participants' deviation is zero, as it is in many resamples: its
optimisers know no bounds. A refit maximises statsmodels' own restricted likelihood instead, over the one parameter on
which it depends, the share of the participants in the variance (the intraclass correlation), between bounds and near
the full fit's; the means are those that statsmodels has for it. And the model is told in another way, which has the
same likelihood to the last digit and is evaluated seven times as fast: participants are a variance component within
blocks of several, so that the loop over groups is short. Refits take 10 ms and agree with `MixedLM.fit` to four digits
(tests/study/test_models.py).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar
from statsmodels.regression.linear_model import OLS
from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec

from parlor.runs.workers import Pool

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MIN_CORRELATION, MAX_CORRELATION = 1e-6, 0.98  # intraclass; statsmodels' likelihood is infinite at zero
NEAR = 0.15  # a resample's intraclass correlation is sought so near to the full fit's; if it is not there, everywhere
PRECISE = 5e-4  # of the intraclass correlation in a refit: the means then have four digits
SINGULAR = 1e-3  # an intraclass correlation below this is zero
EQUAL = 1e-9
BLOCK = 13  # participants; 9 to 25 take the least time
CHUNK = 20  # resamples of a task

EQUAL_VALUES = "All values of a cell are equal: there is no variance to model, and the means are exact."
ONE_GAME = "Every participant has one game: its deviation cannot be told from the residual (plain regression)."
SINGULAR_FIT = "The deviation of the participants is estimated as zero (singular fit): a plain regression."
NOT_CONVERGED = "statsmodels did not converge: the means are those of a plain regression."


@dataclass(frozen=True)
class Fit:
    """A model that was fitted; deviations are standard deviations."""

    names: tuple[str, ...]  # of the cells, and of covariates
    means: Array
    covariance: Array  # of the means
    participant_deviation: float
    residual_deviation: float
    participants: int
    converged: bool
    singular: bool  # the participants differ no more than chance would make them
    remarks: tuple[str, ...]
    residuals: Array  # of the games, given the participants
    fitted: Array
    intercepts: Array  # predicted deviations of the participants

    @property
    def games(self) -> int:
        """The number of observations."""
        return len(self.residuals)

    @property
    def share(self) -> float:
        """The intraclass correlation: the participants' share of the variance."""
        between, within = self.participant_deviation**2, self.residual_deviation**2
        return between / (between + within) if between + within else 0.0

    @property
    def errors(self) -> Array:
        """Standard errors of the means, by statsmodels."""
        return np.sqrt(np.clip(np.diag(self.covariance), 0.0, None))


def fit(values: Array, design: Array, participants: Ints, names: Sequence[str]) -> Fit:
    """Fit a model: values, a column for each mean or covariate, and the participant's number, of each game."""
    groups = len(np.unique(participants))
    with _quiet():
        if _equal(values, design):
            return _plain(values, design, groups, names, EQUAL_VALUES)
        if groups == len(values):
            return _plain(values, design, groups, names, ONE_GAME)
        share = _best_share(_model(values, design, participants), MIN_CORRELATION, MAX_CORRELATION, 1e-6)
        if share < SINGULAR:
            return _plain(values, design, groups, names, SINGULAR_FIT)
        try:
            result = MixedLM(values, design, participants).fit(reml=True, start_params=[np.sqrt(_ratio(share))])
        except np.linalg.LinAlgError:
            return _plain(values, design, groups, names, NOT_CONVERGED)
        if not result.converged:
            return _plain(values, design, groups, names, NOT_CONVERGED)
        count = design.shape[1]
        return Fit(
            names=tuple(names),
            means=np.asarray(result.fe_params),
            covariance=np.asarray(result.cov_params())[:count, :count],
            participant_deviation=float(np.sqrt(result.cov_re[0, 0])),
            residual_deviation=float(np.sqrt(result.scale)),
            participants=groups,
            converged=True,
            singular=False,
            remarks=(),
            residuals=np.asarray(result.resid),
            fitted=np.asarray(result.fittedvalues),
            intercepts=np.array([one.iloc[0] for one in result.random_effects.values()]),
        )


def _plain(values: Array, design: Array, groups: int, names: Sequence[str], remark: str) -> Fit:
    """A regression without participants, and why."""
    result = OLS(values, design).fit()
    return Fit(
        names=tuple(names),
        means=result.params,
        covariance=result.cov_params() if len(values) > design.shape[1] else np.zeros((len(names), len(names))),
        participant_deviation=0.0,
        residual_deviation=float(np.sqrt(result.scale)) if len(values) > design.shape[1] else 0.0,
        participants=groups,
        converged=remark != NOT_CONVERGED,
        singular=True,
        remarks=(remark,),
        residuals=result.resid,
        fitted=result.fittedvalues,
        intercepts=np.zeros(groups),
    )


# ----------------------------------------------------------------------------------------------------- the bootstrap


def draw_resamples(participants: int, resamples: int, seed: int | Sequence[int]) -> Ints:
    """Which participants are in each resample, with repetition: [resamples, participants]."""
    return np.random.default_rng(seed).integers(0, participants, (resamples, participants))


def bootstrap(
    values: Array,  # [games, models]
    design: Array,
    participants: Ints,
    shares: Sequence[float],  # of the full fits
    draws: Ints,
    pool: Pool,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Array:
    """The means of each model in each resample of participants: [resamples, models, means].

    A mean is NaN where the resample has no game of its cell, or could not be fitted.
    """
    _, numbers = np.unique(participants, return_inverse=True)
    tasks = [
        _Resamples(values, design, numbers, tuple(shares), draws[first : first + CHUNK])
        for first in range(0, len(draws), CHUNK)
    ]
    done, found = 0, []
    for part in pool.map(_refit_all, tasks):
        found.append(part)
        done += len(part)
        on_progress(done)
    return np.concatenate(found) if found else np.zeros((0, values.shape[1], design.shape[1]))


@dataclass(frozen=True)
class _Resamples:
    values: Array
    design: Array
    participants: Ints
    shares: tuple[float, ...]
    draws: Ints


def _refit_all(task: _Resamples) -> Array:
    rows_of = [np.flatnonzero(task.participants == number) for number in range(task.participants.max() + 1)]
    found = np.full((len(task.draws), task.values.shape[1], task.design.shape[1]), np.nan)
    with _quiet():
        for i, draw in enumerate(task.draws):
            rows = np.concatenate([rows_of[number] for number in draw])
            participants = np.repeat(np.arange(len(draw)), [len(rows_of[number]) for number in draw])
            present = np.abs(task.design[rows]).sum(axis=0) > 0
            for j, share in enumerate(task.shares):
                try:
                    found[i, j, present] = refit(
                        task.values[rows, j], task.design[rows][:, present], participants, share
                    )
                except np.linalg.LinAlgError:
                    continue
    return found


def refit(values: Array, design: Array, participants: Ints, share: float) -> Array:
    """The means of a model whose intraclass correlation is near `share`."""
    if _equal(values, design) or len(np.unique(participants)) == len(values):
        return np.asarray(np.linalg.lstsq(design, values, rcond=None)[0], np.float64)
    model = _model(values, design, participants)
    low, high = max(MIN_CORRELATION, share - NEAR), min(MAX_CORRELATION, share + NEAR)
    best = _best_share(model, low, high, PRECISE)
    if (low > MIN_CORRELATION and best < low + 2 * PRECISE) or (high < MAX_CORRELATION and best > high - 2 * PRECISE):
        best = _best_share(model, MIN_CORRELATION, MAX_CORRELATION, PRECISE)
    means, _ = model.get_fe_params(np.zeros((0, 0)), np.array([_ratio(best)]))
    return np.asarray(means)


def _model(values: Array, design: Array, participants: Ints) -> Any:
    """A model of statsmodels that can be asked for its restricted likelihood, with participants in blocks."""
    _, numbers = np.unique(participants, return_inverse=True)
    blocks = numbers // BLOCK
    members = [numbers[blocks == block] for block in range(blocks.max() + 1)]
    names = [[str(number) for number in np.unique(some)] for some in members]
    indicators = [(some[:, None] == np.unique(some)).astype(float) for some in members]
    model = MixedLM(values, design, blocks, exog_vc=VCSpec(["participant"], [names], [indicators]))
    model.reml, model.cov_pen, model.fe_pen, model._cov_sing = True, None, None, 0  # as `MixedLM.fit` would
    return model


def _best_share(model: Any, low: float, high: float, precision: float) -> float:
    """The intraclass correlation at which the restricted likelihood is largest."""

    def loss(share: float) -> float:
        return -float(model.loglike(np.array([np.sqrt(_ratio(share))])))

    return float(minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": precision}).x)


def _ratio(share: float) -> float:
    """The participants' variance over that of the residuals."""
    return share / (1.0 - share)


def _equal(values: Array, design: Array) -> bool:
    """Whether the means explain everything."""
    means, *_ = np.linalg.lstsq(design, values, rcond=None)
    return bool(np.abs(values - design @ means).max() < EQUAL)


@contextmanager
def _quiet() -> Iterator[None]:
    """Within this, statsmodels says nothing; what it would warn of is in the fit's remarks."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield
