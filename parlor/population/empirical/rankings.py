"""Rankings of the strategies of an empirical game, with how certain they are.

A ranking gives each strategy a score. Most score a strategy by its payoff against a mixture of the others'
strategies: all alike (`mean`), or an equilibrium, which is not changed by adding a strategy twice or a
weak one (Balduzzi et al., 2018). Any meta-solver is such a ranking, by its own name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from parlor.game.errors import GameError
from parlor.game.words import html_table
from parlor.policies.mixture import Array, Mixture, independent, own_rows
from parlor.population.empirical.estimates import Estimates
from parlor.population.meta import META_SOLVERS, solve
from parlor.population.meta.alpha_rank import AlphaRank
from parlor.population.meta.nash import symmetric_equilibria

COLD = 0.01  # the temperature of the quantal response equilibrium that stands for Nash among more than two
SAME = 1e-6  # of the range of payoffs: what solvers leave open

#: From payoffs [players, n1, …, nk], and whether the players share their strategies, to the scores of each player's.
Score = Callable[[Array, bool], Sequence[Array]]


@dataclass(frozen=True)
class RankingRow:
    """One row of `RANKINGS`."""

    summary: str
    paper: str
    score: Score
    in_payoffs: bool = True  # scores are payoffs, else shares or points


@dataclass(frozen=True)
class Ranking:
    """The scores of one player's strategies; intervals hold 95 % of what resampled payoffs give."""

    name: str
    player: int | None  # None: of all players, who share their strategies
    labels: list[str]
    scores: Array
    low: Array
    high: Array
    places: npt.NDArray[np.int64]  # from 1; equal scores share a place
    best_places: npt.NDArray[np.int64]
    worst_places: npt.NDArray[np.int64]
    first: Array  # how often it is first

    def __repr__(self) -> str:
        whose = "" if self.player is None else f" of player {self.player}"
        best = ", ".join(self.labels[i] for i in self.order[:3])
        return f"<{self.name} ranking{whose}: {best}{', …' if len(self.labels) > 3 else ''}>"

    def _repr_html_(self) -> str:
        rows = [
            (self.places[i], self.labels[i], f"{self.scores[i]:.4g}", f"{self.low[i]:.4g} to {self.high[i]:.4g}")
            for i in self.order
        ]
        return html_table(repr(self)[1:-1], ("place", "strategy", "score", "95 %"), rows)

    @property
    def order(self) -> list[int]:
        """The strategies, the best first."""
        return [int(i) for i in np.argsort(-self.scores, kind="stable")]


def rank(game: Estimates, name: str, resamples: int = 100, seed: int = 0) -> list[Ranking]:
    """The ranking of each player's strategies; a single one where the players share them."""
    row = find_ranking(name)
    near = SAME * (max(float(np.ptp(game.payoffs)), 1e-300) if row.in_payoffs else 1.0)
    chosen = [0] if game.shared else list(range(game.players))

    def scored(payoffs: Array) -> list[Array]:
        found = row.score(payoffs, game.shared)
        return [np.mean(found, axis=0)] if game.shared else list(found)

    scores = scored(game.payoffs)
    drawn = [scored(payoffs) for payoffs in game.resampled(resamples, seed)]
    rankings = []
    for i, player in enumerate(chosen):
        samples = np.array([one[i] for one in drawn] or [scores[i]])  # [resamples, n]
        placed = np.array([places(one, near) for one in samples])
        low, high = np.quantile(samples, (0.025, 0.975), axis=0)
        best, worst = (np.quantile(placed, q, axis=0, method="nearest").astype(np.int64) for q in (0.025, 0.975))
        leads = placed == 1
        rankings.append(
            Ranking(
                name,
                None if game.shared else player,
                game.labels[player],
                scores[i],
                low,
                high,
                places(scores[i], near),
                best,
                worst,
                (leads / leads.sum(axis=1, keepdims=True)).mean(axis=0),
            )
        )
    return rankings


def places(scores: Array, near: float = 0.0) -> npt.NDArray[np.int64]:
    """1 for the best; scores that differ by no more than `near` share a place."""
    return 1 + (scores[None, :] > scores[:, None] + near).sum(axis=1)


def find_ranking(name: str) -> RankingRow:
    """A ranking by its name, or by that of a meta-solver."""
    if name in RANKINGS:
        return RANKINGS[name]
    if name not in META_SOLVERS:
        raise GameError(f"There is no ranking {name!r}; there are {', '.join(RANKINGS)}, and the meta-solvers.")
    row = META_SOLVERS[name]
    return RankingRow(f"payoff against {name}: {row.summary}", row.paper, _against(lambda p, shared: solve(name, p)))


def responses(mixture: Mixture, payoffs: Array) -> list[Array]:
    """Return the expected payoff of each strategy of each player while the others play the mixture."""
    return [own_rows(payoffs[i], i) @ mixture.others(i).ravel() for i in range(len(payoffs))]


def _against(mixture: Callable[[Array, bool], Mixture]) -> Score:
    return lambda payoffs, shared: responses(mixture(payoffs, shared), payoffs)


def nash_equilibrium(payoffs: Array, shared: bool = False) -> Mixture:
    """An equilibrium in which players who share their strategies play alike; among more than two, nearly one."""
    if len(payoffs) > 2:
        return solve("quantal-response", payoffs, temperature=COLD)
    return symmetric_nash(payoffs) if shared else solve("nash", payoffs)


def symmetric_nash(payoffs: Array) -> Mixture:
    """An equilibrium of a symmetric game of two in which both play alike."""
    if np.ptp(payoffs.sum(axis=0)) <= 1e-12 * max(float(np.abs(payoffs).max()), 1e-300):
        return solve("nash", payoffs)  # both solve the same linear program
    for p in symmetric_equilibria(payoffs):
        return independent([p, p])
    return solve("quantal-response", payoffs, temperature=COLD)


def evolve(payoffs: Array, shared: bool) -> Sequence[Array]:
    """α-rank; two players who share their strategies are one population."""
    if not shared or len(payoffs) > 2:
        return solve("alpha-rank", payoffs).marginals
    mine = payoffs[0]
    n = len(mine)
    gain = mine.T - mine  # [from, to]: how much more the second gets than the first when they meet
    near, noise = SAME * max(float(np.ptp(mine)), 1e-300), AlphaRank().noise
    rates = np.where(gain > near, 1.0 - noise, np.where(gain < -near, noise, 0.5))
    np.fill_diagonal(rates, 0.0)
    flow = np.diag(rates.sum(axis=1)) - rates
    system = np.vstack([flow.T, np.ones(n)])
    x = np.maximum(np.linalg.lstsq(system, np.append(np.zeros(n), 1.0), rcond=None)[0], 0.0)
    return [x / x.sum()] * 2


def borda(payoffs: Array, shared: bool) -> Sequence[Array]:
    """Return how many of the other strategies each beats, on average over the others' strategies; a tie is half."""
    found = []
    for i in range(len(payoffs)):
        table = own_rows(payoffs[i], i)
        found.append(np.array([((one > table) + 0.5 * (one == table)).sum(axis=0).mean() - 0.5 for one in table]))
    return found


def borda_combinations(payoffs: Array, shared: bool) -> Sequence[Array]:
    """The share of combinations that are worse for all together than those it takes part in, on average."""
    total = payoffs.sum(axis=0)
    _, inverse, counts = np.unique(np.round(total, 12), return_inverse=True, return_counts=True)
    points = (np.cumsum(counts) - counts + 0.5 * (counts - 1))[inverse].reshape(total.shape) / max(total.size - 1, 1)
    return [own_rows(points, i).mean(axis=1) for i in range(len(payoffs))]


RANKINGS: dict[str, RankingRow] = {
    "mean": RankingRow(
        "payoff against all others alike", "–", _against(lambda payoffs, shared: solve("uniform", payoffs))
    ),
    "alpha-rank": RankingRow(
        "how often evolution by rare mutations plays it", "Omidshafiei et al. (2019)", evolve, in_payoffs=False
    ),
    "nash-average": RankingRow(
        "payoff against the equilibrium with the most entropy: of zero-sum games Nash, of others a CE",
        "Balduzzi et al. (2018), Marris et al. (2022)",
        _against(lambda payoffs, shared: solve("mece", payoffs)),
    ),
    "nash-response": RankingRow(
        "payoff against a Nash equilibrium, in which players who share their strategies play alike",
        "Jordan et al. (2007)",
        _against(nash_equilibrium),
    ),
    "borda": RankingRow(
        "how many others it beats, on average over what is played against it", "Borda (1784)", borda, in_payoffs=False
    ),
    "borda-combinations": RankingRow(
        "how good its combinations are for all together, among all combinations",
        "Li et al. (2023), E.2",
        borda_combinations,
        in_payoffs=False,
    ),
}
