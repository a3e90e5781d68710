"""Quantal response: everybody plays better strategies more often, σᵢ ∝ exp(payoffs against the others / temperature).

At an infinite temperature all play uniformly; from there the branch of equilibria is followed, by steps along it and
Newton's method, to the temperature that was asked for (McKelvey and Palfrey, 1995; Turocy, 2005). Its end at
temperature zero is a Nash equilibrium, the limiting logit equilibrium. Temperatures are shares of the range of a
player's payoffs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from parlor.game.parameters import Settings, setting
from parlor.policies.mixture import Array, Mixture, deviation_payoffs, independent, normalised, product
from parlor.solvers.exact.branch import Branch


@dataclass(frozen=True)
class QuantalResponse(Settings):
    """Settings of quantal response."""

    temperature: float = setting(0.1, "how much worse strategies are played, 0.01 is little", low=1e-4, high=1e6)
    steps: int = setting(2000, "along the branch, at most", low=1, high=10_000_000)


def softmax(logits: Array) -> Array:
    """Probabilities in proportion to the exponentials."""
    weights = np.exp(logits - logits.max())
    return np.asarray(weights / weights.sum())


class Mixtures:
    """Points (logits, rationality) with logits = rationality · payoffs against the others' softmax."""

    def __init__(self, payoffs: Array) -> None:
        self.payoffs = payoffs
        self.cuts = np.cumsum(payoffs.shape[1:])[:-1]
        self.players = range(len(payoffs))

    def strategies(self, point: Array) -> list[Array]:
        """The mixtures of the players."""
        return [softmax(part) for part in np.split(point[:-1], self.cuts)]

    def pair(self, i: int, j: int, strategies: list[Array]) -> Array:
        """Return player i's expected payoffs for its own strategies (rows) and those of j, the rest mixing."""
        rest = [q for q in self.players if q not in (i, j)]
        table = np.moveaxis(self.payoffs[i], (i, j), (0, 1))
        weights = product([strategies[q] for q in rest]).ravel() if rest else np.ones(1)
        return np.asarray(table.reshape(*table.shape[:2], -1) @ weights)

    def residual(self, point: Array) -> Array:
        """Logits less what they should be."""
        strategies = self.strategies(point)
        return np.asarray(point[:-1] - point[-1] * self.values(strategies))

    def values(self, strategies: list[Array]) -> Array:
        """Return the expected payoff of each strategy, player after player."""
        return np.concatenate([deviation_payoffs(strategies, self.payoffs, i) for i in self.players])

    def jacobian(self, point: Array) -> Array:
        """Of the residual, by logits and rationality: [n, n + 1]."""
        strategies = self.strategies(point)
        spread = [np.diag(p) - np.outer(p, p) for p in strategies]
        sizes = self.payoffs.shape[1:]
        blocks = [
            [np.eye(sizes[i]) if i == j else -point[-1] * self.pair(i, j, strategies) @ spread[j] for j in self.players]
            for i in self.players
        ]
        return np.hstack([np.block(blocks), -self.values(strategies)[:, None]])


def quantal_response(payoffs: Array, settings: QuantalResponse) -> Mixture:
    """The equilibrium on the branch that begins at uniform play."""
    curve = Mixtures(normalised(payoffs))
    branch = Branch(curve, sum(payoffs.shape[1:]), 1.0 / settings.temperature)
    for _ in range(settings.steps):
        if branch.reached or branch.lost:
            break
        branch.step()
    point = branch.point
    if branch.reached:
        return independent(curve.strategies(point))
    reached = f"temperature {1.0 / point[-1]:.3g}" if point[-1] > 0 else "uniform play"
    note = f"The branch was followed only to {reached}, not to {settings.temperature:g}."
    return independent(curve.strategies(point), note)
