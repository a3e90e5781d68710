"""Payoffs of an empirical game with their errors, and payoffs as they might as well have been measured.

Anything computed from estimated payoffs is uncertain: a mixture, a ranking. How much, is seen by drawing the payoffs
anew within their errors, many times, and computing it again (a parametric bootstrap; Efron and Tibshirani, 1993).
The mean of many games is nearly normal. What players get in one cell varies together: in a zero-sum game one
gets more when the other gets less. That is one correlation a cell, known from the variance of the sum.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from parlor.errors import GameError
from parlor.solvers.population.empirical_game import EXACT, EmpiricalGame, symmetrised
from parlor.solvers.population.meta.mixture import Array

WIDE = 1.959963984540054  # standard errors: half a 95 % interval
SAME = 1e-9  # of the largest payoff: a smaller difference is rounding


@dataclass(frozen=True)
class Estimates:
    """Mean payoffs of a complete empirical game, and their standard errors."""

    game: str
    labels: list[list[str]]
    means: Array  # [players, n1, …, nk]
    errors: Array  # the same; infinite where nothing is known of them
    correlation: Array  # [n1, …, nk] of the errors of any two players
    shared: bool = False  # the players share one list of strategies, and seats are drawn
    mirrored: bool = False  # cells that differ only by the order of the players come from the same games

    @property
    def players(self) -> int:
        """How many there are."""
        return len(self.means)

    @property
    def uncertain(self) -> bool:
        """Whether payoffs have errors, all of them known."""
        return bool(np.isfinite(self.errors).all() and self.errors.any())

    @property
    def payoffs(self) -> Array:
        """The means; of a shared list of strategies, with seats drawn."""
        return symmetrised(self.means) if self.shared and not self.mirrored else self.means

    @property
    def half_widths(self) -> Array:
        """Of the 95 % intervals around the payoffs."""
        if self.shared and not self.mirrored and self.uncertain:
            return np.asarray(WIDE * np.std(list(self.resampled(200)), axis=0))
        return WIDE * self.errors

    def resampled(self, times: int, seed: int = 0) -> Iterator[Array]:
        """Payoffs drawn anew within their errors."""
        if not self.uncertain:
            return
        stream = np.random.default_rng([seed, 16])
        apart, together = np.sqrt(1.0 - self.correlation), np.sqrt(1.0 + (self.players - 1) * self.correlation)
        source = _sources(self.means.shape) if self.mirrored else None
        for _ in range(times):
            draws = stream.standard_normal(self.means.shape)
            middle = draws.mean(axis=0)
            noise = self.errors * (apart * (draws - middle) + together * middle)
            payoffs = self.means + (noise if source is None else noise.reshape(-1)[source])
            yield symmetrised(payoffs) if self.shared and not self.mirrored else payoffs


def estimates(
    game: EmpiricalGame, total: EmpiricalGame | None = None, shared: bool = False, mirrored: bool = False
) -> Estimates:
    """The estimates of a complete game; `total`, if it is known, has the sum of all players' payoffs, for each."""
    if not game.complete:
        raise GameError(f"{game.missing()[0]} and other cells of the empirical game have not been played yet.")
    if (shared or mirrored) and any(some != game.labels[0] for some in game.labels):
        raise GameError("Seats can be drawn only where all players have the same strategies.")
    errors = _errors(game)
    return Estimates(
        game.game, game.labels, game.payoffs, errors, _correlation(game, errors, total), shared or mirrored, mirrored
    )


def complete_part(game: EmpiricalGame, shared: bool = False) -> list[list[int]]:
    """The strategies of each player that are left if those with the most unknown cells are dropped, until none is."""
    chosen = [list(range(n)) for n in game.shape]
    while True:
        unknown = game.counts[np.ix_(*chosen)] == 0
        if not unknown.any():
            return chosen
        most = [
            np.array([np.take(unknown, k, axis=p).sum() for k in range(len(chosen[p]))]) for p in range(game.players)
        ]
        if shared:
            worst = int(np.argmax(sum(most)))
            chosen = [[one for k, one in enumerate(some) if k != worst] for some in chosen]
        else:
            player = int(np.argmax([(part / part.size).max(initial=0.0) for part in most]))
            del chosen[player][int(np.argmax(most[player]))]


def _errors(game: EmpiricalGame) -> Array:
    """Standard errors; a cell of one game is taken to vary as much as the others do."""
    n = np.where(game.counts == EXACT, 1, game.counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.maximum(game.squares - game.sums**2 / n, 0.0) / (n - 1)
    known, once = (n > 1) & (game.counts != EXACT), game.counts == 1
    for p in range(game.players):
        variance[p][once] = variance[p][known].mean() if known.any() else np.inf
    return np.where(game.counts == EXACT, 0.0, np.sqrt(variance / n))


def _correlation(game: EmpiricalGame, errors: Array, total: EmpiricalGame | None) -> npt.NDArray[np.float64]:
    """The correlation that the players' errors have on average, from the error of their sum."""
    payoffs, players = game.payoffs, game.players
    scale = SAME * max(float(np.abs(payoffs).max()), 1e-300)
    if np.ptp(payoffs.sum(axis=0)) <= scale:
        return np.full(game.shape, -1.0 / (players - 1))
    if (np.abs(payoffs - payoffs[0]) <= scale).all():
        return np.ones(game.shape)
    if total is None or not np.isfinite(errors).all():
        return np.zeros(game.shape)
    own = (errors**2).sum(axis=0)
    cross = errors.sum(axis=0) ** 2 - own
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(cross > 0.0, (_errors(total)[0] ** 2 - own) / cross, 0.0)
    return np.clip(found, -1.0 / (players - 1), 1.0)


def _sources(shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """For each entry [player, cell] the one of the cell in ascending order that comes from the same games."""
    players, *counts = shape
    found = np.zeros(shape, np.int64)
    for cell in itertools.product(*map(range, counts)):
        order = sorted(range(players), key=lambda p: (cell[p], p))
        for place, p in enumerate(order):
            found[(p, *cell)] = np.ravel_multi_index((place, *(cell[q] for q in order)), shape)
    return found
