"""Solutions of empirical games by meta-solvers, with their uncertainty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.game.parameters import Settings
from parlor.policies.mixture import Array, Mixture, cce_gap, ce_gap, expected_payoffs, nash_gap
from parlor.population.empirical.estimates import Estimates
from parlor.population.empirical.rankings import responses
from parlor.population.meta import solve

Interval = tuple[Array, Array]
COLUMNS = ("probability", "low", "high", "payoff")


@dataclass(frozen=True)
class MetaSolution:
    """A mixture and its numbers; intervals hold 95 % of what resampled payoffs give."""

    meta: str
    mixture: Mixture
    marginals: list[Interval]  # by player, the intervals of its probabilities
    responses: list[Array]  # what each strategy gets while the others play the mixture
    payoffs: Array  # [players] expected
    payoff_interval: Interval
    gaps: dict[str, float]  # what all players together could gain, in three senses

    def data(self, labels: list[list[str]]) -> dict[str, Any]:
        """As it goes to JSON."""
        players = []
        for i, some in enumerate(labels):
            columns = (self.mixture.marginals[i], *self.marginals[i], self.responses[i])
            rows = (dict(zip(COLUMNS, map(float, row), strict=True)) for row in zip(*columns, strict=True))
            players.append(dict(zip(some, rows, strict=True)))
        low, high = self.payoff_interval
        return {
            "independent": self.mixture.independent, "note": self.mixture.note, "players": players,
            "joint": self.mixture.joint.tolist(), "payoffs": self.payoffs.tolist(),
            "payoffs_low": low.tolist(), "payoffs_high": high.tolist(), **self.gaps,
        }  # fmt: skip


def find_solution(
    game: Estimates, meta: str, settings: Settings | None = None, resamples: int = 100, seed: int = 0
) -> MetaSolution:
    """Solve the game, and again with resampled payoffs."""
    payoffs = game.payoffs
    mixture = solve(meta, payoffs, settings)
    gets = expected_payoffs(mixture, payoffs)
    again, got = [mixture.marginals], [gets]
    for drawn in game.resampled(resamples, seed):
        other = solve(meta, drawn, settings)
        again.append(other.marginals)
        got.append(expected_payoffs(other, drawn))
    if len(again) > 1:  # the first is the solution itself
        again, got = again[1:], got[1:]
    return MetaSolution(
        meta,
        mixture,
        [_interval(np.array([one[i] for one in again])) for i in range(game.players)],
        responses(mixture, payoffs),
        gets,
        _interval(np.array(got)),
        {
            "nash_conv": nash_gap(mixture, payoffs),
            "ce_gap": ce_gap(mixture, payoffs),
            "cce_gap": cce_gap(mixture, payoffs),
        },
    )


def _interval(samples: Array) -> Interval:
    low, high = np.quantile(samples, (0.025, 0.975), axis=0)
    return np.asarray(low), np.asarray(high)
