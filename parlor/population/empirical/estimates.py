"""Payoffs of an empirical game with their errors, and payoffs as they might as well have been measured.

Anything computed from estimated payoffs is uncertain: a mixture, a ranking. How much, is seen by drawing the payoffs
anew within their errors, many times, and computing it again (a parametric bootstrap; Efron and Tibshirani, 1993).
The mean of many games is nearly normal. What players get in one cell varies together: in a zero-sum game one
gets more when the other gets less. That is one correlation a cell, known from the variance of the sum.

A game can be derived from the payoffs, such as the one in which everybody gets the product of all: then it is derived
from the payoffs that are drawn anew, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from parlor.game.errors import GameError
from parlor.policies.mixture import Array
from parlor.population.empirical.empirical_game import EXACT, EmpiricalGame, symmetrised

WIDE = 1.959963984540054  # standard errors: half a 95 % interval
LARGE_GAME = 400  # cells: with more of them, fewer resamples
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
    derive: Callable[[Array], Array] | None = None  # from mean payoffs to those of the game that is analysed

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.means)

    @property
    def uncertain(self) -> bool:
        """Whether payoffs have errors, all of them known."""
        return bool(np.isfinite(self.errors).all() and self.errors.any())

    @property
    def enough(self) -> int:
        """The default number of times that payoffs are drawn anew."""
        return 100 if self.means[0].size <= LARGE_GAME else 20

    @property
    def payoffs(self) -> Array:
        """The means, or what is derived from them; of a shared list of strategies, with seats drawn."""
        return self._analysed(self.means)

    @property
    def half_widths(self) -> Array:
        """Of the 95 % intervals around the payoffs."""
        if (self.derive or (self.shared and not self.mirrored)) and self.uncertain:
            return np.asarray(WIDE * np.std(list(self.resampled(200)), axis=0))
        return WIDE * self.errors

    def resampled(self, times: int, seed: int = 0) -> Iterator[Array]:
        """Payoffs drawn anew within their errors."""
        if not self.uncertain:
            return
        stream = np.random.default_rng([seed, 16])
        first, _ = _same_agents(self.means.shape, self.mirrored)
        groups = first.sum(axis=0)
        apart, together = np.sqrt(1.0 - self.correlation), np.sqrt(1.0 + (groups - 1) * self.correlation)
        source = _sources(self.means.shape) if self.mirrored else None
        for _ in range(times):
            draws = stream.standard_normal(self.means.shape)
            middle = (first * draws).sum(axis=0) / groups
            noise = self.errors * (apart * (draws - middle) + together * middle)
            yield self._analysed(self.means + (noise if source is None else noise.reshape(-1)[source]))

    def _analysed(self, means: Array) -> Array:
        payoffs = symmetrised(means) if self.shared and not self.mirrored else means
        return payoffs if self.derive is None else self.derive(payoffs)


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
        game.game,
        game.labels,
        game.payoffs,
        errors,
        _correlation(game, total, mirrored),
        shared or mirrored,
        mirrored,
    )


def complete_part(game: EmpiricalGame, shared: bool = False) -> list[list[int]]:
    """The strategies of each player that are left if those with the most unknown cells are dropped, until none is."""
    chosen = [list(range(n)) for n in game.shape]
    while True:
        unknown = game.counts[np.ix_(*chosen)] == 0
        if not unknown.any():
            return chosen
        players = range(game.players)
        shares = [unknown.mean(axis=tuple(q for q in players if q != p)) for p in players]  # of each strategy's cells
        if shared:
            worst = int(np.argmax(np.sum(shares, axis=0)))
            chosen = [[one for k, one in enumerate(some) if k != worst] for some in chosen]
        else:
            player = int(np.argmax([part.max(initial=0.0) for part in shares]))
            del chosen[player][int(np.argmax(shares[player]))]
        if not all(chosen):
            return [[] for _ in players]


def _errors(game: EmpiricalGame) -> Array:
    """Errors as wide as the intervals; a cell of one game is taken to vary as much as the others do."""
    errors = game.half_widths() / WIDE
    known, once = (game.counts > 1) & (game.counts != EXACT), game.counts == 1
    for p in range(game.players):
        errors[p][once] = np.sqrt((errors[p][known] ** 2 * game.counts[known]).mean()) if known.any() else np.inf
    return errors


def _standard_errors(game: EmpiricalGame) -> Array:
    """As they were seen: 0 where all games of a cell were equal."""
    n = np.where(game.counts == EXACT, 1, game.counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.maximum(game.squares - game.sums**2 / n, 0.0) / (n - 1)
    known, once = (n > 1) & (game.counts != EXACT), game.counts == 1
    for p in range(game.players):
        variance[p][once] = variance[p][known].mean() if known.any() else np.inf
    return np.where(game.counts == EXACT, 0.0, np.sqrt(variance / n))


def _correlation(game: EmpiricalGame, total: EmpiricalGame | None, mirrored: bool) -> Array:
    """The correlation that the errors of different players have on average, from the error of their sum."""
    payoffs, errors = game.payoffs, _standard_errors(game)
    scale = SAME * max(float(np.abs(payoffs).max()), 1e-300)
    if (np.abs(payoffs - payoffs[0]) <= scale).all():
        return np.ones(game.shape)
    constant = total is None and bool(np.ptp(payoffs.sum(axis=0)) <= scale)
    if (total is None and not constant) or not np.isfinite(errors).all():
        return np.zeros(game.shape)
    error = np.zeros(game.shape) if total is None else _standard_errors(total)[0]
    first, sizes = _same_agents(payoffs.shape, mirrored)
    weighed = first * sizes * errors
    own = (weighed**2).sum(axis=0)
    cross = weighed.sum(axis=0) ** 2 - own
    different = first.sum(axis=0)
    opposed = np.where(different > 1, -1.0 / np.maximum(different - 1, 1), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(cross > 0.0, (error**2 - own) / cross, np.where(error == 0.0, opposed, 0.0))
    return np.clip(found, -1.0 / np.maximum(different - 1, 1), 1.0)


def _same_agents(shape: tuple[int, ...], mirrored: bool) -> tuple[Array, Array]:
    """For each entry [player, cell], whether the player is the first of its agent there, and how many have it."""
    if not mirrored:
        return np.ones(shape), np.ones(shape)
    agents = np.indices(shape[1:])
    same = agents[:, None] == agents[None, :]  # [player, other, cell]
    before = [same[p, :p].any(axis=0) for p in range(len(agents))]
    return 1.0 - np.array(before), same.sum(axis=1).astype(np.float64)


def _sources(shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """For each entry [player, cell] that of the same agent in the cell with the same agents in ascending order."""
    players, *counts = shape
    found = np.zeros(shape, np.int64)
    for cell in itertools.product(*map(range, counts)):
        ascending = sorted(cell)
        for p in range(players):
            found[(p, *cell)] = np.ravel_multi_index((ascending.index(cell[p]), *ascending), shape)
    return found
