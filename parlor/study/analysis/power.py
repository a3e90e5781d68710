"""The power of a study of some size: simulated studies with planted means, analysed by the same code.

Each simulated study is drawn from the model (`simulated.py`) and goes through exclusions, mixed models and bootstrap as
the data of people do. Counted are the intervals that cover the planted means, and the planted differences whose
interval excludes zero. How many participants a difference takes follows from the deviation of the estimated
differences over the simulated studies, which falls with the root of the number of participants:

    participants = N ((1.96 + z(power)) deviation at N / difference)²

and the planted differences that were found, beside those that this formula expects, show how far to trust it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import norm

from parlor.arena.statistics import Estimate, Z, wilson
from parlor.game import GameError
from parlor.runs.workers import Pool, start_pool
from parlor.study.analysis.findings import RETURNS, analyse
from parlor.study.analysis.folder import parse
from parlor.study.analysis.models import Array
from parlor.study.analysis.simulated import PlantedMeans, simulated
from parlor.study.data.folder import files_of

DIFFERENCES = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)  # points
POWERS = (0.8, 0.9)

#: Called with the studies done; returns false to stop.
OnProgress = Callable[[int], bool]


@dataclass(frozen=True)
class PlantedDifference:
    """A difference that was planted, how often it was found, and how often the formula expects it to be."""

    first: str
    second: str
    of: str  # whose return
    size: float
    found: Estimate
    expected: float


@dataclass(frozen=True)
class Power:
    """The results of simulated studies. Arrays are [returns, agents] or [returns, pairs]."""

    planted: PlantedMeans
    participants: int
    studies: int
    resamples: int
    seed: int
    games: float  # mean number that were left after the exclusions
    covered: Array  # how many studies' intervals covered the planted mean
    widths: Array  # mean widths of the intervals
    differences: tuple[PlantedDifference, ...]
    deviations: tuple[float, ...]  # of estimated differences, by return
    people: int = 0  # who met each other
    people_covered: int = 0  # how many studies' intervals covered their planted mean

    @property
    def agents(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.planted.human)

    @property
    def coverage(self) -> float:
        """The share of all intervals of means that covered the planted mean."""
        return float(self.covered.mean()) / self.studies

    @property
    def least_coverage(self) -> float:
        """The share of the mean that was covered least."""
        return float(self.covered.min()) / self.studies

    def needed(self, of: int, difference: float, power: float) -> int:
        """Participants that a difference takes to be found with this power."""
        one = (Z + norm.ppf(power)) * self.deviations[of] / difference
        return max(2, math.ceil(self.participants * one**2))

    def data(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "participants": self.participants,
            "studies": self.studies,
            "resamples": self.resamples,
            "seed": self.seed,
            "games": self.games,
            "coverage": self.coverage,
            "least_coverage": self.least_coverage,
            "people": {"participants": self.people, "planted": self.planted.people, "covered": self.people_covered},
            "means": [
                {
                    "agent": agent,
                    "return": name,
                    "planted": self.planted.means[name][agent],
                    "covered": int(self.covered[i, j]),
                    "width": float(self.widths[i, j]),
                }
                for i, name in enumerate(RETURNS)
                for j, agent in enumerate(self.agents)
            ],
            "differences": [
                {
                    "difference": f"{one.first} - {one.second}",
                    "return": one.of,
                    "planted": one.size,
                    "found": one.found.value,
                    "low": one.found.low,
                    "high": one.found.high,
                    "expected": one.expected,
                }
                for one in self.differences
            ],
            "needed": [
                {"return": name, "difference": size, "power": power, "participants": self.needed(i, size, power)}
                for i, name in enumerate(RETURNS)
                for size in DIFFERENCES
                for power in POWERS
            ],
        }


@dataclass(frozen=True)
class _Task:
    planted: PlantedMeans
    participants: int
    resamples: int
    seed: int
    people: int


@dataclass(frozen=True)
class _Result:
    games: int
    covered: Array  # [returns, agents]
    widths: Array
    differences: Array  # [returns, pairs]
    found: Array
    people_covered: bool


def measure_power(
    planted: PlantedMeans,
    participants: int,
    pool: Pool,
    studies: int = 100,
    resamples: int = 200,
    seed: int = 0,
    on_progress: OnProgress = lambda done: True,
    people: int = 0,
) -> Power:
    """Simulate studies and analyse each; those done so far if it is stopped. `people` more meet each other."""
    if studies < 2:
        raise GameError(f"studies must be at least 2, not {studies}.")
    if participants < 5:
        raise GameError(f"participants must be at least 5, not {participants}: fewer tell nothing.")
    if len(planted.human) < 2:
        raise GameError("A difference needs at least two agents.")
    seeds = np.random.SeedSequence(seed).generate_state(studies)
    tasks = [_Task(planted, participants, resamples, int(one), people) for one in seeds]
    results: dict[int, _Result] = {}
    with closing(pool.as_completed(_study, tasks)) as completed:
        for number, result in completed:
            results[number] = result
            if not on_progress(len(results)):
                break
    if len(results) < 2:
        raise GameError("It was stopped before two studies were done: there is nothing to tell.")
    done = [results[number] for number in sorted(results)]
    return replace(
        _summed(planted, participants, resamples, seed, done),
        people=people,
        people_covered=sum(one.people_covered for one in done),
    )


def _study(task: _Task) -> _Result:
    data = parse(files_of(simulated(task.planted, task.participants, task.seed, task.people)))
    findings = analyse(data, start_pool(), task.resamples, task.seed)
    (found,) = findings.with_agents
    truth = np.array([[task.planted.means[name][agent] for agent in found.agents] for name in RETURNS])
    low, high = (
        np.array([[getattr(one, end) for one in found.means[name]] for name in RETURNS]) for end in ("low", "high")
    )
    pairs = [[one.returns[name] for one in found.differences] for name in RETURNS]
    return _Result(
        games=sum(found.games),
        covered=((low <= truth) & (truth <= high)).astype(float),
        widths=high - low,
        differences=np.array([[one.value for one in some] for some in pairs]),
        found=np.array([[float(one.low > 0 or one.high < 0) for one in some] for some in pairs]),
        people_covered=any(one.mean.low <= task.planted.people <= one.mean.high for one in findings.with_people),
    )


def _summed(planted: PlantedMeans, participants: int, resamples: int, seed: int, results: Sequence[_Result]) -> Power:
    found = np.sum([one.found for one in results], axis=0)
    estimated = np.stack([one.differences for one in results])  # [studies, returns, pairs]
    deviations = np.sqrt(estimated.var(axis=0, ddof=1).mean(axis=1))
    agents = tuple(planted.human)
    pairs = [(agents[j], agents[i]) for i in range(len(agents)) for j in range(i + 1, len(agents))]
    differences = []
    for i, name in enumerate(RETURNS):
        for k, (first, second) in enumerate(pairs):
            size = planted.means[name][first] - planted.means[name][second]
            ratio = abs(size) / deviations[i]
            expected = float(norm.cdf(ratio - Z) + norm.cdf(-ratio - Z))
            rate = wilson(float(found[i, k]), len(results))
            differences.append(PlantedDifference(first, second, name, size, rate, expected))
    return Power(
        planted=planted,
        participants=participants,
        studies=len(results),
        resamples=resamples,
        seed=seed,
        games=float(np.mean([one.games for one in results])),
        covered=np.sum([one.covered for one in results], axis=0),
        widths=np.mean([one.widths for one in results], axis=0),
        differences=tuple(differences),
        deviations=tuple(map(float, deviations)),
    )
