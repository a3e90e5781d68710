"""The findings of a study: the numbers of every table, with 95 % intervals.

Conditions with agents: the mean returns of people, of agents and of both (the mean of the two), each by a mixed model
with a mean for every agent and a random intercept for every participant; the Nash bargaining score, the product of the
first two; their differences; deals. Conditions with people: the return of one player of each game, chosen at random.
Intervals are percentiles over resamples of the participants, the same resamples for all models of a condition, so that
differences and products have intervals too. Rates have Wilson's interval, as if
games were independent.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from parlor.arena.statistics import Estimate, Z, wilson
from parlor.game import GameError
from parlor.runs.workers import Pool
from parlor.study.analysis.folder import StudyTables
from parlor.study.analysis.models import Array, Fit, Ints, bootstrap, draw_resamples, fit
from parlor.study.design.exclusions import Excluded, check_exclusions

HUMAN, AGENT, COMBINED = RETURNS = ("human", "agent", "combined")
MIN_PARTICIPANTS = 3  # participants, fewer of whom tell nothing of orientation
UNIT = 10.0  # degrees of Social Value Orientation

#: Called with the condition, the resamples done and those planned.
OnProgress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Difference:
    """The difference of mean returns between two agents, by whose return it is."""

    first: str
    second: str
    returns: Mapping[str, Estimate]


@dataclass(frozen=True)
class Slope:
    """The change of a return with ten degrees of Social Value Orientation."""

    of: str
    slope: Estimate
    participants: int
    games: int


@dataclass(frozen=True)
class Type:
    """The return of people of one type of Social Value Orientation."""

    name: str
    mean: Estimate
    participants: int
    games: int


@dataclass(frozen=True)
class WithAgents:
    """A condition in which people met agents."""

    condition: str
    agents: tuple[str, ...]
    games: tuple[int, ...]  # with each agent
    participants: int
    fits: Mapping[str, Fit]
    means: Mapping[str, tuple[Estimate, ...]]  # of each return, by agent
    nash: tuple[Estimate, ...]
    differences: tuple[Difference, ...]
    deals: tuple[Estimate | None, ...]
    all_deals: Estimate | None
    slopes: tuple[Slope, ...]
    types: tuple[Type, ...]
    resamples: int
    incomplete: int  # resamples without a game of some agent, or that could not be fitted


@dataclass(frozen=True)
class WithPeople:
    """A condition in which people met each other."""

    condition: str
    games: int
    participants: int  # who played; those who were chosen in some game are in the fit
    fit: Fit
    mean: Estimate
    deals: Estimate | None
    slopes: tuple[Slope, ...]
    types: tuple[Type, ...]
    resamples: int
    incomplete: int


@dataclass(frozen=True)
class TimeOuts:
    """The games that began with a partner, and those of them that timed out, before anything is left out."""

    condition: str
    partner: str  # an agent, or people
    timed_out: int
    games: int

    @property
    def rate(self) -> Estimate:
        """Their share."""
        return wilson(self.timed_out, self.games)


@dataclass(frozen=True)
class StudyFindings:
    """Everything that was found."""

    study: Mapping[str, Any]
    people: Mapping[str, int]  # came, passed, finished …
    excluded: tuple[Excluded, ...]
    with_agents: tuple[WithAgents, ...]
    with_people: tuple[WithPeople, ...]
    time_outs: tuple[TimeOuts, ...]
    empty: tuple[str, ...]  # conditions of which nothing is left
    resamples: int
    seed: int

    @property
    def conditions(self) -> tuple[WithAgents | WithPeople, ...]:
        """All of which something is left."""
        return (*self.with_agents, *self.with_people)


def analyse(
    data: StudyTables,
    pool: Pool,
    resamples: int = 500,
    seed: int = 0,
    exclude: Sequence[str] | None = None,
    on_progress: OnProgress = lambda condition, done, total: None,
) -> StudyFindings:
    """Find everything; `exclude` replaces the exclusions that the study declares."""
    if resamples < 2:
        raise GameError(f"resamples must be at least 2, not {resamples}: an interval needs some, the paper has 500.")
    names = data.exclude if exclude is None else tuple(exclude)
    check_exclusions(names)
    kept, excluded = data.kept(names)
    with_agents: list[WithAgents] = []
    with_people: list[WithPeople] = []
    empty = []
    for number, condition in enumerate(data.conditions):

        def progress(done: int, condition: str = condition) -> None:
            on_progress(condition, done, resamples)

        episodes = kept.of_condition(condition)
        if episodes.empty:
            empty.append(condition)
            continue
        seeds, orientation = (seed, number), data.participants.set_index("participant")
        agents, people = (episodes[episodes["partner_kind"] == kind] for kind in ("agent", "person"))
        if not agents.empty:
            with_agents.append(
                _with_agents(condition, agents, tuple(data.agents), orientation, resamples, seeds, pool, progress)
            )
        if not people.empty:
            with_people.append(_with_people(condition, people, orientation, resamples, seeds, pool, progress))
    if not with_agents and not with_people:
        raise GameError("No games are left after the exclusions: there is nothing to analyse.")
    return StudyFindings(
        study=data.study,
        people=_people(data),
        excluded=tuple(excluded),
        with_agents=tuple(with_agents),
        with_people=tuple(with_people),
        time_outs=tuple(_time_outs(data)),
        empty=tuple(empty),
        resamples=resamples,
        seed=seed,
    )


# ------------------------------------------------------------------------------------------------------ with agents


def _with_agents(
    condition: str,
    games: pd.DataFrame,
    order: tuple[str, ...],
    orientation: pd.DataFrame,
    resamples: int,
    seeds: tuple[int, ...],
    pool: Pool,
    progress: Callable[[int], None],
) -> WithAgents:
    met = set(games["partner"])
    agents = tuple(name for name in order if name in met) + tuple(sorted(met - set(order)))
    returns = _returns(games)
    design, who = _indicators(games["partner"], agents), _numbers(games["participant"])
    fits = {name: fit(values, design, who, agents) for name, values in returns.items()}
    draws = draw_resamples(int(who.max()) + 1, resamples, seeds)
    shares = [one.share for one in fits.values()]
    found = bootstrap(np.column_stack(list(returns.values())), design, who, shares, draws, pool, progress)
    means = {
        name: tuple(_interval(fits[name].means[i], found[:, j, i]) for i in range(len(agents)))
        for j, name in enumerate(RETURNS)
    }
    product = fits[HUMAN].means * fits[AGENT].means
    nash = tuple(_interval(product[i], found[:, 0, i] * found[:, 1, i]) for i in range(len(agents)))
    differences = tuple(
        Difference(
            agents[j],
            agents[i],
            {
                name: _interval(fits[name].means[j] - fits[name].means[i], found[:, k, j] - found[:, k, i])
                for k, name in enumerate(RETURNS)
            },
        )
        for i, j in itertools.combinations(range(len(agents)), 2)
    )
    angles, types = _orientation(games, orientation)
    return WithAgents(
        condition=condition,
        agents=agents,
        games=tuple(int((games["partner"] == name).sum()) for name in agents),
        participants=int(who.max()) + 1,
        fits=fits,
        means=means,
        nash=nash,
        differences=differences,
        deals=tuple(_deals(games[games["partner"] == name]) for name in agents),
        all_deals=_deals(games),
        slopes=tuple(s for name in (HUMAN, AGENT) if (s := _slope(name, returns[name], design, who, angles))),
        types=_types(returns[HUMAN], who, types),
        resamples=resamples,
        incomplete=int(np.isnan(found).any(axis=(1, 2)).sum()),
    )


def _returns(games: pd.DataFrame) -> dict[str, Array]:
    human, agent = games["points"].to_numpy(float), games["partner_points"].to_numpy(float)
    return {HUMAN: human, AGENT: agent, COMBINED: (human + agent) / 2}


# ------------------------------------------------------------------------------------------------------ with people


def _with_people(
    condition: str,
    rows: pd.DataFrame,
    orientation: pd.DataFrame,
    resamples: int,
    seeds: tuple[int, ...],
    pool: Pool,
    progress: Callable[[int], None],
) -> WithPeople:
    shuffled = rows.sort_values(["episode", "participant"]).sample(frac=1, random_state=np.random.default_rng(seeds))
    games = shuffled.drop_duplicates("episode").sort_values("episode")  # one player of each, at random
    values, who = games["points"].to_numpy(float), _numbers(games["participant"])
    design = np.ones((len(values), 1))
    model = fit(values, design, who, ("people",))
    draws = draw_resamples(int(who.max()) + 1, resamples, (*seeds, 1))
    found = bootstrap(values[:, None], design, who, [model.share], draws, pool, progress)
    angles, types = _orientation(games, orientation)
    slope = _slope(HUMAN, values, design, who, angles)
    return WithPeople(
        condition=condition,
        games=len(games),
        participants=int(rows["participant"].nunique()),
        fit=model,
        mean=_interval(model.means[0], found[:, 0, 0]),
        deals=_deals(games),
        slopes=(slope,) if slope else (),
        types=_types(values, who, types),
        resamples=resamples,
        incomplete=int(np.isnan(found).any(axis=(1, 2)).sum()),
    )


# ----------------------------------------------------------------------------------------- Social Value Orientation


def _orientation(games: pd.DataFrame, participants: pd.DataFrame) -> tuple[Array, list[str]]:
    """The angle (NaN if it is not known) and the type of the participant of each game."""
    theirs = participants.loc[games["participant"]]
    return theirs["svo_angle"].to_numpy(float), [str(name) for name in theirs["svo_type"]]


def _slope(name: str, values: Array, design: Array, who: Ints, angles: Array) -> Slope | None:
    """By a mixed model that has the angle as a covariate; None if there is too little to tell."""
    known = np.isfinite(angles)
    participants = len(np.unique(who[known]))
    if participants < MIN_PARTICIPANTS or np.ptp(angles[known]) == 0.0:
        return None
    cells = design[known][:, design[known].any(axis=0)]
    centred = (angles[known] - angles[known].mean()) / UNIT
    names = [*(str(i) for i in range(cells.shape[1])), "angle"]
    found = fit(values[known], np.column_stack([cells, centred]), who[known], names)
    return Slope(name, _wald(found, -1), participants, int(known.sum()))


def _types(values: Array, who: Ints, types: list[str]) -> tuple[Type, ...]:
    counts = {name: len(set(who[[i for i, one in enumerate(types) if one == name]])) for name in set(types) - {""}}
    names = sorted(name for name, count in counts.items() if count >= MIN_PARTICIPANTS)
    if not names:
        return ()
    rows = np.array([name in names for name in types])
    design = _indicators(pd.Series(types)[rows], names)
    found = fit(values[rows], design, who[rows], names)
    return tuple(Type(name, _wald(found, i), counts[name], int(design[:, i].sum())) for i, name in enumerate(names))


def _wald(found: Fit, i: int) -> Estimate:
    """A coefficient with statsmodels' standard error."""
    value, error = float(found.means[i]), float(found.errors[i])
    return Estimate(value, value - Z * error, value + Z * error)


# --------------------------------------------------------------------------------------------------------- counting


def _people(data: StudyTables) -> dict[str, int]:
    people = data.participants
    return {
        "came": len(people),
        "passed the test": int((people["passed"] == 1).sum()),
        "played": int(data.episodes["participant"].nunique()),
        "finished": int((people["finished"] == 1).sum()),
        "non-responsive": int((people["non_responsive"] == 1).sum()),
    }


def _time_outs(data: StudyTables) -> list[TimeOuts]:
    found = []
    for condition in data.conditions:
        episodes = data.of_condition(condition)
        began = episodes[episodes["status"] != "absent"].drop_duplicates("episode")
        partners = began["partner"].where(began["partner_kind"] == "agent", "people")
        order = [*data.agents, *sorted(set(partners) - set(data.agents))]
        for partner in [name for name in order if name in set(partners)]:
            games = began[partners == partner]
            timed_out = int((games["status"] == "timed-out").sum())
            found.append(TimeOuts(condition, partner, timed_out, len(games)))
    return found


def _deals(games: pd.DataFrame) -> Estimate | None:
    """The rate of deals; None if the game has none."""
    known = games["deal"].dropna()
    return wilson(float(known.sum()), len(known)) if len(known) else None


def _interval(value: float, resampled: Array) -> Estimate:
    """A number with the percentiles of what resamples gave."""
    known = resampled[np.isfinite(resampled)]
    if not len(known):
        return Estimate(float(value), float("nan"), float("nan"))
    low, high = np.percentile(known, [2.5, 97.5])
    return Estimate(float(value), float(low), float(high))


def _indicators(values: Any, names: Sequence[str]) -> Array:
    return np.column_stack([np.asarray(values == name, float) for name in names])


def _numbers(names: pd.Series) -> Ints:
    return np.unique(names.to_numpy(str), return_inverse=True)[1].astype(np.int64)
