"""α-rank: how often a population that evolves by rare mutations plays each combination of strategies.

In each combination one player at a time tries another strategy, and changes to it often if it pays more, seldom if it
pays less. The answer is the stationary distribution of that Markov chain over all combinations. As selection becomes
infinitely strong and the noise small, its mass is on the sink components of the response graph (Omidshafiei et al.,
2019).

The chain has Πn states with Σ(n−1) neighbours each. It is solved by GMRES, preconditioned by the chains of one player
at a time, which are small.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from parlor.settings import Settings, setting
from parlor.solvers.population.meta.mixture import Array, Mixture, correlated, own_rows, ranges

LEAST = 1e-14  # the least chance of a change, so that every state is reached
PRECISE = 1e-11  # the largest flow that may be missing


@dataclass(frozen=True)
class AlphaRank(Settings):
    """Settings of α-rank."""

    noise: float = setting(1e-4, "how often a change to something worse succeeds", low=1e-8, high=0.5)
    alpha: float = setting(0.0, "how strong selection is; 0: infinitely, with the noise", low=0.0, high=1e12)
    population: int = setting(50, "how many there are of each player, if selection is finite", low=2, high=1_000_000)


def alpha_rank(payoffs: Array, settings: AlphaRank) -> Mixture:
    """The stationary distribution."""
    chain = Chain(payoffs, settings)
    x, missing = chain.stationary()
    note = f"The chain is hardly connected: {missing:.1e} of its flow is missing." if missing > 1e-7 else ""
    return correlated(x.reshape(payoffs.shape[1:]), note)


def success(change: Array, scale: float, settings: AlphaRank) -> Array:
    """The chance that a strategy takes over which changes the payoff by so much."""
    if settings.alpha == 0:
        worse, better = change < -1e-14 * scale, change > 1e-14 * scale
        return np.where(better, 1.0 - settings.noise, np.where(worse, settings.noise, 0.5))
    m = settings.population
    u = np.abs(settings.alpha * change)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(u > 1e-14, np.expm1(-u) / np.expm1(-m * u), 1.0 / m)  # of a better one
    worse = np.exp(-np.minimum((m - 1) * u, 700.0)) * ratio
    return np.maximum(np.where(change < 0, worse, ratio), LEAST)


class Chain:
    """Rates of change by player: [others, from, to]."""

    def __init__(self, payoffs: Array, settings: AlphaRank) -> None:
        players = range(len(payoffs))
        self.size = payoffs[0].size
        cells = np.arange(self.size).reshape(payoffs.shape[1:])
        self.cells = [own_rows(cells, i).T for i in players]  # [others, own]
        self.rates = []
        scale = np.maximum(ranges(payoffs), 1e-300)
        for i in players:
            mine = own_rows(payoffs[i], i).T
            rates = success(mine[:, None, :] - mine[:, :, None], scale[i], settings)
            rates[:, np.arange(mine.shape[1]), np.arange(mine.shape[1])] = 0.0
            self.rates.append(rates)
        self.leaving = np.zeros(self.size)
        for rates, own in zip(self.rates, self.cells, strict=True):
            self.leaving[own] += rates.sum(axis=2)

    def outflow(self, x: Array) -> Array:
        """What flows out of each state less what flows in."""
        flow = self.leaving * x
        for rates, own in zip(self.rates, self.cells, strict=True):
            flow[own] -= np.matmul(x[own][:, None, :], rates)[:, 0, :]
        return flow

    def stationary(self) -> tuple[Array, float]:
        """The distribution whose flows balance, and by how much they do not."""
        from scipy.sparse.linalg import LinearOperator, gmres

        start = np.full(self.size, 1.0 / self.size)
        if self.size == 1:
            return start, 0.0
        inverses = []
        for rates, own in zip(self.rates, self.cells, strict=True):
            blocks = -np.swapaxes(rates, 1, 2)
            diagonal = np.arange(rates.shape[1])
            blocks[:, diagonal, diagonal] += self.leaving[own]
            if len(self.rates) > 1 and not (self.leaving[own] > rates.sum(axis=2) * (1 + 1e-9)).any():
                continue  # the others have one strategy each: this player's chain is the whole, and singular
            inverses.append((np.linalg.inv(blocks), own))

        def precondition(flow: Array) -> Array:
            x = np.zeros(self.size)
            for k, (inverse, own) in enumerate(inverses):
                left = flow - self.outflow(x) if k else flow
                x[own] += np.matmul(inverse, left[own][:, :, None])[:, :, 0]
            return x if inverses else flow / self.leaving

        shape = (self.size, self.size)
        operator, nearly = LinearOperator(shape, self.outflow), LinearOperator(shape, precondition)
        x = start
        for _ in range(20):
            flow = self.outflow(x)
            missing = float(np.abs(flow).sum() / (self.leaving @ np.abs(x)))
            if missing <= PRECISE:
                break
            change, _info = gmres(operator, -flow, rtol=1e-6, restart=60, maxiter=3, M=nearly)
            x = np.maximum(x + change, 0.0)
            x /= x.sum()
        return x, missing
