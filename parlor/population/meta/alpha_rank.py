"""α-rank: how often a population that evolves by rare mutations plays each combination of strategies.

In each combination one player at a time tries another strategy, and changes to it often if it pays more, seldom if it
pays less. The answer is the stationary distribution of that Markov chain over all combinations. As selection becomes
infinitely strong and the noise small, its mass is on the sink components of the response graph (Omidshafiei et al.,
2019).

The chain has Πn states with Σ(n−1) neighbours each. It is solved by GMRES, preconditioned by the chains of one player
at a time, which fall apart into short ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from parlor.compile import native
from parlor.game import Floats
from parlor.game.parameters import Settings, setting
from parlor.policies.mixture import Array, Mixture, correlated, own_rows, ranges

SAME = 1e-14  # payoffs that differ by less, in proportion to all, are equal
MIN_CHANCE = 1e-14  # the least chance of a change, so that every state is reached
PRECISE = 1e-11  # the largest flow that may be missing


@dataclass(frozen=True)
class AlphaRank(Settings):
    """Settings of α-rank."""

    noise: float = setting(1e-4, "how often a change to something worse succeeds", low=1e-8, high=0.5)
    alpha: float = setting(0.0, "how strong selection is; 0: infinitely, with the noise", low=0.0, high=1e12)
    population: int = setting(50, "how many there are of each player, if selection is finite", low=2, high=1_000_000)


def alpha_rank(payoffs: Array, settings: AlphaRank) -> Mixture:
    """The stationary distribution."""
    chain = FiniteSelection(payoffs, settings) if settings.alpha else InfiniteSelection(payoffs, settings.noise)
    x, missing = stationary(chain)
    note = f"The chain is hardly connected: {missing:.1e} of its flow is missing." if missing > 1e-7 else ""
    return correlated(x.reshape(payoffs.shape[1:]), note)


class Chain(Protocol):
    """The chain of all players, and that of each player alone with all the others' changes only leaving."""

    size: int  # states
    leaving: Array  # [size] the rate at which each state is left
    cells: list[NDArray[np.int64]]  # the numbers of the states by player: [combinations of the others, own strategies]
    players: list[int]  # whose chains can be solved alone

    def inflow(self, player: int, x: Array, flow: Array) -> None:
        """Subtract what comes in by changes of one player."""
        ...

    def solve(self, player: int, flow: Array) -> Array:
        """The x whose outflow is `flow`, where all players' changes leave but only one player's come in."""
        ...


def stationary(chain: Chain) -> tuple[Array, float]:
    """The distribution whose flows balance, and by how much they do not."""
    from scipy.sparse.linalg import LinearOperator, gmres

    x = np.full(chain.size, 1.0 / chain.size)
    if chain.size == 1:
        return x, 0.0

    def outflow(x: Array) -> Array:
        flow = chain.leaving * x
        for player in range(len(chain.cells)):
            chain.inflow(player, x, flow)
        return flow

    even = float(chain.leaving.mean()) / chain.size

    def settled(x: Array) -> Array:
        """The outflow, and what tells x from its multiples: all changes that balance would do, −x too."""
        return outflow(x) + even * x.sum()

    def precondition(flow: Array) -> Array:
        if not chain.players:
            return flow / chain.leaving
        x = chain.solve(chain.players[0], flow)
        for player in chain.players[1:]:
            x += chain.solve(player, flow - outflow(x))
        return x

    shape = (chain.size, chain.size)
    operator, nearly = LinearOperator(shape, settled), LinearOperator(shape, precondition)
    for _ in range(20):
        flow = outflow(x)
        missing = float(np.abs(flow).sum() / (chain.leaving @ np.abs(x)))
        if missing <= PRECISE:
            break
        change, _info = gmres(operator, -flow, rtol=1e-6, restart=60, maxiter=3, M=nearly)
        x = np.maximum(x + change, 0.0)
        x /= x.sum()
    return x, missing


def _cells(payoffs: Array) -> list[NDArray[np.int64]]:
    """The numbers of the states by player: [combinations of the others, own strategies]."""
    numbers = np.arange(payoffs[0].size).reshape(payoffs.shape[1:])
    return [np.ascontiguousarray(own_rows(numbers, i).T) for i in range(len(payoffs))]


class FiniteSelection:
    """Rates of change by player: [others, from, to]."""

    def __init__(self, payoffs: Array, settings: AlphaRank) -> None:
        self.size, self.cells = payoffs[0].size, _cells(payoffs)
        self.rates = []
        for i in range(len(payoffs)):
            mine = own_rows(payoffs[i], i).T
            rates = success(mine[:, None, :] - mine[:, :, None], 1.0, settings)
            rates[:, np.arange(mine.shape[1]), np.arange(mine.shape[1])] = 0.0
            self.rates.append(rates)
        self.leaving = np.zeros(self.size)
        for rates, own in zip(self.rates, self.cells, strict=True):
            self.leaving[own] += rates.sum(axis=2)
        self.inverses: dict[int, Any] = {}
        for i, (rates, own) in enumerate(zip(self.rates, self.cells, strict=True)):
            blocks = -np.swapaxes(rates, 1, 2)
            diagonal = np.arange(rates.shape[1])
            blocks[:, diagonal, diagonal] += self.leaving[own]
            if (self.leaving[own] > rates.sum(axis=2) * (1 + 1e-9)).any():
                self.inverses[i] = np.linalg.inv(blocks)  # else its chain is the whole, and singular
        self.players = list(self.inverses)

    def inflow(self, player: int, x: Array, flow: Array) -> None:
        """Subtract what comes in by changes of one player."""
        own = self.cells[player]
        flow[own] -= np.matmul(x[own][:, None, :], self.rates[player])[:, 0, :]

    def solve(self, player: int, flow: Array) -> Array:
        """The x whose outflow is `flow`, where all players' changes leave but only one player's come in."""
        x, own = np.zeros(self.size), self.cells[player]
        x[own] = np.matmul(self.inverses[player], flow[own][:, :, None])[:, :, 0]
        return x


def success(change: Array, scale: float, settings: AlphaRank) -> Array:
    """The chance that a strategy takes over which changes the payoff by so much; payoffs are of that scale."""
    if settings.alpha == 0:
        worse, better = change < -SAME * scale, change > SAME * scale
        return np.where(better, 1.0 - settings.noise, np.where(worse, settings.noise, 0.5))
    m = settings.population
    u = np.abs(settings.alpha * change)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(u > 1e-14, np.expm1(-u) / np.expm1(-m * u), 1.0 / m)  # of a better one
    worse = np.exp(-np.minimum((m - 1) * u, 700.0)) * ratio
    return np.maximum(np.where(change < 0, worse, ratio), MIN_CHANCE)


class InfiniteSelection:
    """Only the order of payoffs matters: to something better 1 − noise, to something worse the noise, else a half.

    With each player's strategies in the order of their payoffs, what flows in is a few sums along the way, so that no
    matrix of rates is needed.
    """

    def __init__(self, payoffs: Array, noise: float) -> None:
        self.size, self.noise = payoffs[0].size, noise
        self.cells, self.ties = [], []
        self.leaving = np.zeros(self.size)
        busy = []  # players with more than one strategy
        for i, own in enumerate(_cells(payoffs)):
            mine = own_rows(payoffs[i], i).T
            order = np.argsort(mine, axis=1, kind="stable")
            sorted_payoffs = np.take_along_axis(mine, order, axis=1)
            cells = np.take_along_axis(own, order, axis=1)
            ties = np.zeros(cells.shape, np.int64)  # where the strategies end that pay as much
            native(find_ties)(sorted_payoffs, SAME * max(float(ranges(payoffs)[i]), 1e-300), ties)
            native(add_leaving)(cells, ties, noise, self.leaving)
            self.cells.append(cells)
            self.ties.append(ties)
            busy += [i] if cells.shape[1] > 1 else []
        self.players = busy if len(busy) > 1 else []  # a player alone is the whole chain, and singular

    def inflow(self, player: int, x: Array, flow: Array) -> None:
        """Subtract what comes in by changes of one player."""
        native(subtract_inflow)(self.cells[player], self.ties[player], self.noise, x, flow)

    def solve(self, player: int, flow: Array) -> Array:
        """The x whose outflow is `flow`, where all players' changes leave but only one player's come in."""
        x = np.zeros(self.size)
        n = self.cells[player].shape[1]
        native(solve_lines)(
            self.cells[player], self.ties[player], self.noise, self.leaving, flow, x, np.zeros(n), np.zeros(n)
        )
        return x


# ------------------------------------------------------------------------------------------------------ kernels


def find_ties(payoffs: Any, tiny: float, ties: Any) -> None:
    """For each strategy of each line, in order, the end of those that pay as much."""
    for line in range(payoffs.shape[0]):
        n = payoffs.shape[1]
        a = 0
        while a < n:
            end = a + 1
            while end < n and payoffs[line, end] - payoffs[line, a] <= tiny:
                end += 1
            for b in range(a, end):
                ties[line, b] = end
            a = end


def add_leaving(cells: Any, ties: Any, noise: float, leaving: Any) -> None:
    """Add the rates at which one player leaves each state."""
    for line in range(cells.shape[0]):
        n = cells.shape[1]
        a = 0
        while a < n:
            end = ties[line, a]
            for b in range(a, end):
                leaving[cells[line, b]] += noise * a + 0.5 * (end - a - 1) + (1.0 - noise) * (n - end)
            a = end


def subtract_inflow(cells: Any, ties: Any, noise: float, x: Floats, flow: Floats) -> None:
    """From below comes 1 − noise, from above the noise, from equals a half."""
    for line in range(cells.shape[0]):
        n = cells.shape[1]
        total = 0.0
        for a in range(n):
            total += x[cells[line, a]]
        below = 0.0
        a = 0
        while a < n:
            end = ties[line, a]
            here = 0.0
            for b in range(a, end):
                here += x[cells[line, b]]
            come = (1.0 - noise) * below + noise * (total - below - here) + 0.5 * here
            for b in range(a, end):
                flow[cells[line, b]] -= come - 0.5 * x[cells[line, b]]
            below += here
            a = end


def solve_lines(
    cells: Any, ties: Any, noise: float, leaving: Floats, flow: Floats, x: Floats, fixed: Floats, slope: Floats
) -> None:
    """Solve each line: every sum along it is a number plus another number times the whole sum, which is found last."""
    for line in range(cells.shape[0]):
        n = cells.shape[1]
        below = 0.0
        below_slope = 0.0
        a = 0
        while a < n:
            end = ties[line, a]
            weights = 0.0
            flows = 0.0
            for b in range(a, end):
                w = 1.0 / (leaving[cells[line, b]] + 0.5)
                weights += w
                flows += w * flow[cells[line, b]]
            scale = 1.0 / (1.0 - (0.5 - noise) * weights)
            here = scale * (flows + weights * (1.0 - 2.0 * noise) * below)
            here_slope = scale * weights * ((1.0 - 2.0 * noise) * below_slope + noise)
            common = (1.0 - 2.0 * noise) * below + (0.5 - noise) * here
            common_slope = (1.0 - 2.0 * noise) * below_slope + (0.5 - noise) * here_slope + noise
            for b in range(a, end):
                w = 1.0 / (leaving[cells[line, b]] + 0.5)
                fixed[b] = w * (flow[cells[line, b]] + common)
                slope[b] = w * common_slope
            below += here
            below_slope += here_slope
            a = end
        total = below / (1.0 - below_slope)
        for b in range(n):
            x[cells[line, b]] = fixed[b] + slope[b] * total
