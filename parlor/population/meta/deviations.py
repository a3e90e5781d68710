"""The gains of players who deviate from a joint distribution x, as linear functions of x.

A distribution is a correlated equilibrium (CE) if nobody gains by playing another strategy than told, and a coarse
one (CCE) if nobody gains by a strategy chosen before being told. Both are A x ≤ 0. The matrix A of a CE has
Σ nᵢ² rows, each with zeros outside of one strategy of one player, so that A x and Aᵀλ are products of small
matrices; only the rows that matter are ever written down.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlor.policies.mixture import Array, own_rows

Ints = NDArray[np.int64]


class Deviations:
    """The gains A x of a game with payoffs from 0 to 1; rows are in the order of players, told, played."""

    def __init__(self, payoffs: Array, coarse: bool) -> None:
        self.coarse = coarse
        self.sizes = payoffs.shape[1:]
        self.players = range(len(payoffs))
        self.flat = payoffs.reshape(len(payoffs), -1)  # [players, cells]
        self.own = [np.ascontiguousarray(own_rows(payoffs[i], i)) for i in self.players]  # [ni, others]
        cells = np.arange(self.flat.shape[1]).reshape(self.sizes)
        self.cells = [np.ascontiguousarray(own_rows(cells, i)) for i in self.players]
        lengths = [n if coarse else n * n for n in self.sizes]
        self.starts = np.cumsum([0, *lengths])  # of each player's rows
        #: The block of a row: the player, or the player and what it is told.
        each = [np.zeros(n) if coarse else np.repeat(np.arange(n), n) for n in self.sizes]
        offsets = np.cumsum([0, *(1 if coarse else n for n in self.sizes)])
        self.block = np.concatenate([one + offset for one, offset in zip(each, offsets, strict=False)]).astype(np.int64)

    @property
    def count(self) -> int:
        """The number of rows."""
        return int(self.starts[-1])

    def gains(self, x: Array) -> Array:
        """A x for x over the cells."""
        parts = []
        for i in self.players:
            mine = x[self.cells[i]]
            if self.coarse:
                parts.append(self.own[i] @ mine.sum(axis=0) - self.flat[i] @ x)
            else:
                get = mine @ self.own[i].T
                parts.append((get - np.diag(get)[:, None]).ravel())
        return np.concatenate(parts)

    def costs(self, multipliers: Array) -> Array:
        """Aᵀλ for λ over the rows."""
        total = np.zeros(self.flat.shape[1])
        for i in self.players:
            mine = multipliers[self.starts[i] : self.starts[i + 1]]
            if self.coarse:
                change = (mine @ self.own[i])[None, :] - mine.sum() * self.own[i]
            else:
                by_told = mine.reshape(self.sizes[i], -1)
                change = by_told @ self.own[i] - by_told.sum(axis=1)[:, None] * self.own[i]
            total[self.cells[i]] += change
        return total

    def rows(self, chosen: Ints) -> Any:
        """Some rows of A, in increasing order: an array, or a sparse one."""
        if self.coarse:
            return self._coarse_rows(chosen)
        from scipy.sparse import csr_array

        data, indices, lengths = [], [], []
        for i in self.players:
            mine = chosen[(chosen >= self.starts[i]) & (chosen < self.starts[i + 1])] - self.starts[i]
            told, played = np.divmod(mine, self.sizes[i])
            data.append((self.own[i][played] - self.own[i][told]).ravel())
            indices.append(self.cells[i][told].ravel())
            lengths.append(np.full(len(mine), self.own[i].shape[1]))
        ends = np.cumsum(np.concatenate([[0], *lengths]))
        shape = (len(chosen), self.flat.shape[1])
        return csr_array((np.concatenate(data), np.concatenate(indices), ends), shape=shape)

    def _coarse_rows(self, chosen: Ints) -> Array:
        out = np.empty((len(chosen), self.flat.shape[1]))
        for k, row in enumerate(chosen):
            i = int(np.searchsorted(self.starts, row, "right")) - 1
            out[k, self.cells[i]] = self.own[i][row - self.starts[i]] - self.own[i]
        return out

    def worst(self, violations: Array, least: float, each: int) -> Ints:
        """The rows with the largest violations, above `least`: at most so many of each block."""
        candidates = np.flatnonzero(violations > least)
        order = candidates[np.lexsort((-violations[candidates], self.block[candidates]))]
        blocks = self.block[order]
        first = np.searchsorted(blocks, blocks)  # where its block begins
        chosen = order[np.arange(len(order)) - first < each]
        return np.asarray(np.sort(chosen), np.int64)
