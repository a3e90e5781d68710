"""Who is chosen from the pool: appendix E.2 of Li et al. (2023).

An agent's score under a meta-solver is its expected payoff while the other plays the solver's mixture, in the game of
payoffs or in one that is derived from it: what both get together, the product of what they get, the negative
difference of what they get. These are taken of a pair's mean payoffs, as the paper's tables are (4.98 · 3.75 = 18.68).
The paper looks at several rankings and says who is at the top of almost all; here it is who has the best mean place.

A departure: whoever never agrees to anything is always equal, at nothing. So the fair agent is chosen from the half of
the pool with whom both get more together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.policies.mixture import Array
from parlor.population.empirical.empirical_games import SimulatedGame
from parlor.population.empirical.rankings import find_ranking, places

#: Competitive meta-solvers; max-entropy CE would take minutes for a hundred agents.
COMPETITIVE = ("adidas", "mgce", "mgcce", "mecce")
QUICK = ("mgcce", "mecce", "borda-combinations", "nash-response")  # those that are computed again to see how sure it is
RESAMPLES = 20
SAME = 1e-6  # of the range of scores: what solvers leave open


@dataclass(frozen=True)
class Criterion:
    """What agents are chosen for: rankings in one or two games."""

    title: str
    rankings: Mapping[str, Sequence[str]]  # by the measure that is everybody's payoff
    chosen: tuple[str, ...]  # what the best are called
    agreeing: bool = False  # only who is in the better half by welfare can be chosen


#: In a game of differences everybody's pairing with itself is an equilibrium: there Nash equilibria say nothing.
CRITERIA = {
    "competitive": Criterion("payoffs", {"payoff": ("nash-response", *COMPETITIVE)}, ("Comp1", "Comp2")),
    "cooperative": Criterion(
        "welfare and Nash products", {"welfare": COMPETITIVE, "nash-product": COMPETITIVE}, ("Coop",)
    ),
    "fair": Criterion("differences", {"inequity": (*COMPETITIVE, "borda-combinations")}, ("Fair",), agreeing=True),
}
CHOSEN = tuple(name for criterion in CRITERIA.values() for name in criterion.chosen)


def select(game: SimulatedGame, apart: Sequence[str] = ()) -> dict[str, Any]:
    """The rankings by each criterion, and the agents that are chosen, each once; not those that stand `apart`."""
    found = {name: ranking_table(game, criterion) for name, criterion in CRITERIA.items()}
    pool = against_all(game)
    welfare = {row["agent"]: row["welfare"] for row in pool}
    middle = float(np.median(list(welfare.values())))
    chosen: dict[str, str] = {}
    for turn in range(max(len(criterion.chosen) for criterion in CRITERIA.values())):  # first the best of each
        for name, criterion in CRITERIA.items():
            free = [one for one in best_first(found[name]) if one not in apart and one not in chosen.values()]
            if criterion.agreeing:
                free.sort(key=lambda one: welfare[one] < middle)  # the others only if nobody else is left
            chosen |= dict(zip(criterion.chosen[turn : turn + 1], free, strict=False))
    against = {row["agent"]: {"place": place, **row} for place, row in enumerate(pool, 1)}
    return {"criteria": found, "chosen": {name: chosen[name] for name in CHOSEN if name in chosen}, "pool": against}


def best_first(ranked: Mapping[str, Any]) -> list[str]:
    """The agents by their mean place; of equal ones, by their mean score."""
    rows = ranked["agents"]
    return sorted(rows, key=lambda one: (rows[one]["mean_place"], -rows[one]["mean_score"]))


def ranking_table(game: SimulatedGame, criterion: Criterion) -> dict[str, Any]:
    """For each agent its score and its place in each ranking, its mean place, and how often that is the best."""
    columns: dict[str, Array] = {}
    again: list[list[Array]] = [[] for _ in range(RESAMPLES)]  # places, of payoffs that are drawn anew
    for measure, rankings in criterion.rankings.items():
        estimates = game.estimates(measure, True, of_means=True)
        labels = estimates.labels[0]
        columns |= {f"{measure}, {name}": scores(name, estimates.payoffs) for name in rankings}
        quick = [name for name in rankings if name in QUICK]
        for number, payoffs in enumerate(estimates.resampled(RESAMPLES, game.seed)):
            again[number] += [placed(scores(name, payoffs)) for name in quick]
    standing = {name: placed(column) for name, column in columns.items()}
    mean_place = np.mean(list(standing.values()), axis=0)
    mean_score = np.mean(list(columns.values()), axis=0)
    best = len(criterion.chosen)
    means = [np.mean(one, axis=0) for one in again if one] or [mean_place]
    first = np.mean([placed(-one) <= best for one in means], axis=0)
    return {
        "rankings": list(columns),
        "agents": {
            label: {
                "scores": [float(column[i]) for column in columns.values()],
                "places": [int(column[i]) for column in standing.values()],
                "mean_place": float(mean_place[i]),
                "mean_score": float(mean_score[i]),
                "chosen": float(first[i]),
            }
            for i, label in enumerate(labels)
        },
    }


def scores(name: str, payoffs: Array) -> Array:
    """Of the agents of a symmetric game, by a ranking."""
    return np.asarray(np.mean(find_ranking(name).score(payoffs, True), axis=0))


def placed(column: Array) -> Any:
    """Places, from 1; scores that solvers cannot tell apart share one."""
    return places(column, SAME * max(float(np.ptp(column)), 1e-300))


def against_all(game: SimulatedGame) -> list[dict[str, Any]]:
    """What every agent gets on average against all others and itself, and what both get together, the best first."""
    payoffs, total = game.estimates(symmetric=True), game.estimates("welfare", True, of_means=True)
    mine, theirs = payoffs.payoffs[0], payoffs.payoffs[1]
    width = 1.96 * np.sqrt((payoffs.errors[0] ** 2).sum(axis=1)) / len(mine)
    rows = [
        {
            "agent": label,
            "payoff": float(mine[i].mean()),
            "half_width": float(width[i]),
            "other": float(theirs[i].mean()),
            "welfare": float(total.payoffs[0][i].mean()),
            "itself": float(total.payoffs[0][i, i]),
        }
        for i, label in enumerate(payoffs.labels[0])
    ]
    return sorted(rows, key=lambda row: -row["payoff"])
