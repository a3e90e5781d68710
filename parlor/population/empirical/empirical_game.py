"""An empirical game: what each combination of strategies pays, as far as it is known, with counts.

It is a tensor that grows. Each player has a list of strategies, a *cell* is one strategy of each player. A cell is
known exactly, or from a number of games with the sums and the sums of squares of their payoffs, or not yet.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.arena.statistics import Bounds, reaches
from parlor.game.errors import GameError
from parlor.policies.mixture import MAX_PLAYERS, Array

EXACT = 2**62  # games of a cell that is known exactly: its sums are the payoffs themselves
Cell = tuple[int, ...]


class EmpiricalGame:
    """Payoffs by combinations of strategies."""

    def __init__(self, game: str, players: int) -> None:
        if not 2 <= players <= MAX_PLAYERS:
            raise GameError(f"An empirical game has 2 to {MAX_PLAYERS} players; {game} has {players}.")
        self.game = game  # its name
        self.labels: list[list[str]] = [[] for _ in range(players)]  # of each player's strategies
        empty = (0,) * players
        self.counts: npt.NDArray[np.int64] = np.zeros(empty, np.int64)
        self.sums: Array = np.zeros((players, *empty))
        self.squares: Array = np.zeros((players, *empty))
        self.limits: Bounds | None = None  # the least and the most that a payoff can be, if that is known
        self.exact_alike = False  # players of the same strategy are known to get the mean of all that are possible

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.labels)

    @property
    def shape(self) -> Cell:
        """The number of strategies of each player."""
        return self.counts.shape

    @property
    def payoffs(self) -> Array:
        """The mean payoffs [players, n1, …, nk]; nan where a cell is not known yet."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.counts == EXACT, self.sums, self.sums / self.counts)

    @property
    def complete(self) -> bool:
        """Whether every cell is known."""
        return bool((self.counts > 0).all())

    @property
    def games(self) -> int:
        """Games played in all, not counting exact cells."""
        return int(self.counts[self.counts != EXACT].sum())

    @property
    def bounds(self) -> Bounds:
        """Bounds of the payoffs: the known ones, or minus and plus the largest that the squares allow."""
        if self.limits is not None:
            return self.limits
        n = np.where(self.counts == EXACT, 1, np.maximum(self.counts, 1))
        largest = float(np.maximum(np.abs(self.sums) / n, np.sqrt(self.squares / n)).max(initial=0.0)) or 1.0
        return -largest, largest

    def half_widths(self) -> Array:
        """Of the 95 % intervals around the mean payoffs: 0 for an exact cell, infinite for one of fewer than two games.

        Equal games leave a width, too: see `parlor.arena.statistics.reaches`.
        """
        n = np.where(self.counts == EXACT, 1, self.counts)
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = np.maximum(self.squares - self.sums**2 / n, 0.0) / (n - 1)
            below, above = reaches(self.sums / n, variance, n, self.bounds)
        widths = np.where(self.counts < 2, np.inf, np.maximum(below, above))
        exact = (self.counts == EXACT) | (self._same_agents() if self.exact_alike else False)
        return np.where(exact, 0.0, widths)

    def _same_agents(self) -> npt.NDArray[np.bool_]:
        """The cells in which all players have the same strategy, by its name."""
        names = np.meshgrid(*(np.array(some, object) for some in self.labels), indexing="ij")
        return np.all([one == names[0] for one in names], axis=0)

    def add(self, player: int, label: str) -> int:
        """One more strategy of a player; its cells are not known yet. Returns its number."""
        self.labels[player].append(label)
        self.counts = _grown(self.counts, player)
        self.sums, self.squares = _grown(self.sums, player + 1), _grown(self.squares, player + 1)
        return len(self.labels[player]) - 1

    def missing(self, games: int = 1) -> list[Cell]:
        """The cells with fewer games, in order."""
        return [tuple(map(int, cell)) for cell in np.argwhere(self.counts < games)]

    def record(self, cell: Cell, count: int, sums: Sequence[float] | Array, squares: Sequence[float] | Array) -> None:
        """More games of a cell: how many, and the sums of each player's payoffs and of their squares."""
        if self.counts[cell] == EXACT:
            raise GameError(f"The cell {cell} is known exactly; no games can be added to it.")
        self.counts[cell] += count
        everybody: Any = (slice(None), *cell)
        self.sums[everybody] += sums
        self.squares[everybody] += squares

    def set_exact(self, cells: Any, payoffs: Array) -> None:
        """Fill cells exactly: `cells` is an index of the tensor [n1, …, nk], or a tuple of slices."""
        self.counts[cells] = EXACT
        self.sums[(slice(None), *cells)] = payoffs
        self.squares[(slice(None), *cells)] = 0.0

    def symmetrised(self) -> Array:
        """The payoffs if seats are drawn at random: for players who share one list of strategies."""
        if len(set(self.shape)) != 1:
            raise GameError(f"Players who share their strategies have as many each, not {self.shape}.")
        return symmetrised(self.payoffs)

    def restricted(self, chosen: Sequence[Sequence[int]]) -> EmpiricalGame:
        """The game of some of each player's strategies."""
        part = EmpiricalGame(self.game, self.players)
        part.limits, part.exact_alike = self.limits, self.exact_alike
        part.labels = [[self.labels[p][i] for i in some] for p, some in enumerate(chosen)]
        part.counts = self.counts[np.ix_(*chosen)]
        part.sums, part.squares = (tensor[np.ix_(range(self.players), *chosen)] for tensor in (self.sums, self.squares))
        return part

    def data(self) -> dict[str, Any]:
        """Everything, as arrays, names and lists of names."""
        names = {"game": self.game, "labels": [list(some) for some in self.labels]}
        return names | {"counts": self.counts, "sums": self.sums, "squares": self.squares}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> EmpiricalGame:
        """From what `data` gave, or a file that keeps it."""
        labels = [[str(one) for one in some] for some in data["labels"]]
        made = EmpiricalGame(str(data["game"]), len(labels))
        made.labels = labels
        made.counts = np.asarray(data["counts"], np.int64)
        made.sums, made.squares = np.asarray(data["sums"], np.float64), np.asarray(data["squares"], np.float64)
        shape = tuple(map(len, labels))
        if made.counts.shape != shape or {made.sums.shape, made.squares.shape} != {(len(labels), *shape)}:
            raise GameError(f"The arrays of an empirical game must fit its {shape} strategies.")
        return made

    def __repr__(self) -> str:
        size = " × ".join(map(str, self.shape))
        known = int((self.counts > 0).sum())
        return f"<empirical game of {self.game}: {size} strategies, {known:,} of {self.counts.size:,} cells known>"


def symmetrised(payoffs: Array) -> Array:
    """A tensor [players, n, …, n] averaged over all orders of the players."""
    players = len(payoffs)
    orders = list(itertools.permutations(range(players)))
    # player i of the average sits in seat order[i]: its payoff there, with the axes in the players' order
    return np.stack(
        [np.mean([np.transpose(payoffs[order[i]], order) for order in orders], axis=0) for i in range(players)]
    )


def _grown(tensor: Any, axis: int) -> Any:
    return np.pad(tensor, [(0, int(at == axis)) for at in range(tensor.ndim)])
