"""Who is better in which games: scores of runs, ranks of solvers, and how sure one can be of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

Runs = Sequence[Mapping[str, Any]]
Games = Mapping[str, Mapping[str, Runs]]  # game -> solver -> runs
SOLVED = 1e-3  # of the first iteration's NashConv
DRAWS, SEED = 10_000, 1  # of the bootstrap


@dataclass(frozen=True)
class Rank:
    """Of a solver, averaged over games."""

    solver: str
    area: float
    low: float
    high: float
    final: float
    fixed: float
    wins: int


def value_at(run: Mapping[str, Any], iteration: int, column: str = "nash_conv") -> float:
    """What a run had reached by then; where it ended before, what it ended with."""
    curve = run["columns"][column]
    return float(curve[min(iteration, len(curve)) - 1])


def final(runs: Runs, column: str = "nash_conv") -> float:
    """At the end, the mean over seeds."""
    return math.fsum(run["columns"][column][-1] for run in runs) / len(runs)


def common_length(solvers: Mapping[str, Runs]) -> int:
    """The iterations that all runs have; those that ended at an equilibrium would have stayed there."""
    every = [run for runs in solvers.values() for run in runs]
    lengths = [len(run["columns"]["nash_conv"]) for run in every]
    return min((n for n, run in zip(lengths, every, strict=True) if not run["found"]), default=max(lengths))


def scores(solvers: Mapping[str, Runs]) -> dict[str, dict[str, float]]:
    """For each solver of a game, three scores, the less the better."""
    first = next(iter(solvers.values()))[0]["columns"]["nash_conv"][0]
    least = SOLVED * max(first, 1e-9)
    length = max(len(run["columns"]["nash_conv"]) for runs in solvers.values() for run in runs)
    common = common_length(solvers)

    def area(run: Mapping[str, Any]) -> float:
        return math.fsum(math.log(max(value_at(run, k), least)) for k in range(1, common + 1)) / common

    def fixed(run: Mapping[str, Any]) -> float:
        return math.log(max([least, *list(run["fixed"].values())[-1:]]))

    found = {}
    for solver, runs in solvers.items():
        means = {"area": [area(run) for run in runs], "fixed": [fixed(run) for run in runs],
                 "final": [math.log(max(value_at(run, length), least)) for run in runs]}  # fmt: skip
        found[solver] = {name: math.fsum(values) / len(values) for name, values in means.items()}
    return found


def rank_table(games: Games, score: str) -> tuple[list[str], Any]:
    """The solvers that every game has, and their ranks [games, solvers]."""
    solvers = [one for one in next(iter(games.values())) if all(one in found for found in games.values())]
    rows = []
    for found in games.values():
        by_solver = scores(found)
        rows.append(stats.rankdata([round(by_solver[solver][score], 6) for solver in solvers]))
    return solvers, np.array(rows)


def ranks(games: Games) -> list[Rank]:
    """Mean ranks with intervals, the best first."""
    solvers, area = rank_table(games, "area")
    _, end = rank_table(games, "final")
    _, fixed = rank_table(games, "fixed")
    draws = np.random.default_rng(SEED).integers(0, len(area), (DRAWS, len(area)))
    low, high = np.percentile(area[draws].mean(axis=1), [2.5, 97.5], axis=0)
    best = area == area.min(axis=1, keepdims=True)
    found = [
        Rank(solver, area[:, k].mean(), low[k], high[k], end[:, k].mean(), fixed[:, k].mean(), int(best[:, k].sum()))
        for k, solver in enumerate(solvers)
    ]
    return sorted(found, key=lambda one: one.area)


def chance_of_ranks(games: Games, group: Sequence[str]) -> tuple[float, float]:
    """The mean rank of a group of solvers, and how many of all groups of that size have one that is as good."""
    solvers, area = rank_table(games, "area")
    mean = area.mean(axis=0)
    mine = math.fsum(mean[solvers.index(one)] for one in group) / len(group)
    others = [math.fsum(mean[list(some)]) / len(group)
              for some in itertools.combinations(range(len(solvers)), len(group))]  # fmt: skip
    return mine, sum(one <= mine + 1e-9 for one in others) / len(others)


def better_than(games: Games, solver: str, other: str) -> tuple[int, int, float]:
    """In how many games a solver has the smaller area, of how many without ties, and the sign test's p."""
    pairs = []
    for found in games.values():
        if solver in found and other in found:
            both = scores({solver: found[solver], other: found[other]})
            pairs.append((both[solver], both[other]))
    better = sum(a["area"] < b["area"] - 1e-6 for a, b in pairs)
    worse = sum(a["area"] > b["area"] + 1e-6 for a, b in pairs)
    p = float(stats.binomtest(better, better + worse).pvalue) if better + worse else 1.0
    return better, better + worse, p
