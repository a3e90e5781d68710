"""Convex programs over distributions, by one primal-dual interior-point method.

    minimise Σⱼ fⱼ(xⱼ) − Σⱼ logs·log xⱼ   subject to   A x ≤ b,   x ≥ 0,   and the first `cells` of the x sum to 1.

Entropy, Gini impurity, welfare and the Nash product are all sums of functions of one variable each (the Nash product
with one more variable a player: its gain), so that the second derivative is diagonal and a Newton step costs one linear
system with as many unknowns as there are rows. A logarithm in the objective is what the method itself adds to keep x
positive, only that it stays: the multiplier z of x ≥ 0 tends to x z = 1 instead of 0. Where several x are best, the
method ends in the middle of them, whatever the order of the strategies. Of a game's many rows few bind: `solve` begins
with none, and adds those that its answers violate.

The gains of players who deviate from a joint distribution x, as linear functions of x.

A distribution is a correlated equilibrium (CE) if nobody gains by playing another strategy than told, and a coarse
one (CCE) if nobody gains by a strategy chosen before being told. Both are A x ≤ 0. The matrix A of a CE has
Σ nᵢ² rows, each with zeros outside of one strategy of one player, so that A x and Aᵀλ are products of small
matrices; only the rows that matter are ever written down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

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


LOOSE, TIGHT = 1e-2, 1e-9  # of residuals, and of what is lost in the objective: while rows are added, and at the end
VIOLATION = 1e-8  # of a row that is not kept; payoffs go from 0 to 1
ROUNDS = 200
STEPS = 300  # of Newton's method
START, FARTHER, FARTHEST = 10.0, 100.0, 1e5  # how large multipliers are at first, and if that leads to short steps
RESTART_STEPS = 60  # steps, after which one begins anew
MAX_STALLED, NEAR = 10, 1e-6  # steps without progress, where that is rounding
EACH, EACH_COARSE = 4, 16  # rows added of each block, of which a CCE has one a player


@dataclass(frozen=True)
class ConvexProgram:
    """A separable convex program: the objective by its derivatives, and linear constraints that always hold."""

    cells: int
    slope: Callable[[Array], Array]
    curvature: Callable[[Array], Array]
    more: int = 0  # variables beyond the cells
    logs: float = 0.0  # the weight of their logarithms
    rows: Any = None  # [rows, cells + more]
    limits: Any = ()


@dataclass(frozen=True)
class ProgramAnswer:
    """A distribution over the cells, and how good it is."""

    x: Array
    loss: float  # in the objective, against the bound that the multipliers prove
    violation: float  # of the worst row


def solve(program: ConvexProgram, deviations: Deviations | None = None, epsilon: float = 0.0) -> ProgramAnswer:
    """The best distribution in which no deviation gains more than epsilon."""
    kept: Ints = np.zeros(0, np.int64)
    tolerance = TIGHT if deviations is None else LOOSE
    each = EACH_COARSE if deviations is not None and deviations.coarse else EACH
    start = START
    for _ in range(ROUNDS):
        rows, limits = _together(program, deviations, kept, epsilon)
        x, loss = InteriorPoint(program, rows, limits, start).run(tolerance, RESTART_STEPS)
        while loss > max(tolerance, NEAR) and start < FARTHEST:  # multipliers of the answer are larger by far
            start *= FARTHER
            x, loss = InteriorPoint(program, rows, limits, start).run(tolerance, STEPS)
        cells = x[: program.cells] / x[: program.cells].sum()
        if deviations is None:
            return ProgramAnswer(cells, loss, 0.0)
        violations = deviations.gains(cells) - epsilon
        worst = max(float(violations.max()), 0.0)
        violations[kept] = 0.0
        added = deviations.worst(violations, VIOLATION, each)
        if not len(added) and tolerance == TIGHT:
            break
        tolerance = LOOSE if len(added) > each and tolerance == LOOSE else TIGHT
        kept = np.sort(np.concatenate([kept, added]))
    return ProgramAnswer(cells, loss, worst)


def _together(program: ConvexProgram, deviations: Deviations | None, kept: Ints, epsilon: float) -> tuple[Any, Array]:
    """The rows of deviations that are kept, and those of the program."""
    own = np.zeros((0, program.cells + program.more)) if program.rows is None else program.rows
    limits = np.concatenate([np.full(len(kept), epsilon), program.limits])
    if not len(kept) or deviations is None:
        return own, limits
    rows = deviations.rows(kept)
    if isinstance(rows, np.ndarray):
        return np.vstack([np.hstack([rows, np.zeros((len(kept), program.more))]), own]), limits
    from scipy.sparse import csr_array, hstack, vstack

    wide = hstack([rows, csr_array((len(kept), program.more))]) if program.more else rows
    return (vstack([wide, csr_array(own)], format="csr") if len(own) else wide), limits


class Step(NamedTuple):
    """A change of everything."""

    x: Array
    z: Array
    slack: Array
    multipliers: Array
    level: float


class InteriorPoint:
    """Mehrotra's predictor-corrector method (1992) in progress."""

    def __init__(self, program: ConvexProgram, rows: Any, limits: Array, start: float) -> None:
        self.program, self.rows, self.limits = program, rows, limits
        self.total = np.arange(program.cells + program.more) < program.cells  # what sums to 1
        self.goal = np.where(self.total, 0.0, program.logs)  # of x z
        self.x = np.where(self.total, 1.0 / program.cells, 1.0)
        self.z = start * (np.maximum(np.abs(program.slope(self.x)), 0.1) + self.goal)  # multipliers of x ≥ 0
        self.slack = np.maximum(limits - rows @ self.x, 0.1)
        self.multipliers = np.full(len(limits), 0.1 * start)
        self.level = 0.0  # the multiplier of the sum
        self.gap = np.inf

    def run(self, tolerance: float, steps: int) -> tuple[Array, float]:
        """The x, when everything is within the tolerance, and what is left."""
        each = len(self.x) + len(self.limits)
        best, since = np.inf, 0
        for _ in range(steps):
            left = self._measure()
            best, since = (left, 0) if left < 0.9 * best else (best, since + 1)
            if left <= tolerance or (since > MAX_STALLED and best < NEAR):
                break
            self._factorise()
            first = self._step(0.0)
            after = self._products(first, self._longest(first))
            centre = max(self.gap * min(1.0, after / self.gap) ** 3, tolerance / 10) / each
            step = self._step(centre, first.x * first.z, first.slack * first.multipliers)
            length = 0.995 * self._longest(step)
            if length < 0.1:  # the correction leads astray: back towards the centre
                step = self._step(0.5 * self.gap / each)
                length = 0.9 * self._longest(step)
            self.x, self.z = self.x + length * step.x, self.z + length * step.z
            self.slack = self.slack + length * step.slack
            self.multipliers = self.multipliers + length * step.multipliers
            self.level += length * step.level
        return self.x, left

    def _measure(self) -> float:
        """By how much the conditions of the best x do not hold."""
        self.dual = self.program.slope(self.x) + self.rows.T @ self.multipliers + self.level * self.total - self.z
        self.primal = self.rows @ self.x + self.slack - self.limits
        self.missing = float(self.x[self.total].sum()) - 1.0
        self.gap = float(np.abs(self.x * self.z - self.goal).sum() + self.slack @ self.multipliers)
        left = float(np.abs(self.primal).max(initial=0.0))
        return max(left, abs(self.missing), self.gap, float(self.x @ np.abs(self.dual)))

    def _factorise(self) -> None:
        """The linear system of this step, in the multipliers only."""
        self.weight = 1.0 / (self.program.curvature(self.x) + self.z / self.x)
        share = self.total * self.weight
        self.mean, self.mass = self.rows @ share, float(share.sum())
        matrix = (self.rows * self.weight[None, :]) @ self.rows.T
        matrix = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
        matrix -= np.outer(self.mean, self.mean) / self.mass
        matrix[np.diag_indices(len(matrix))] += self.slack / self.multipliers
        self.inverse = _inverse(matrix)

    def _step(self, centre: float, xz: Any = 0.0, sm: Any = 0.0) -> Step:
        """Towards x z − goal = slack · multipliers = centre, less the products of an earlier step."""
        x, z, slack, multipliers = self.x, self.z, self.slack, self.multipliers
        products = (centre + self.goal - xz) / x
        margins = (centre - sm) / multipliers
        slope = self.dual + z - products
        lead = self.missing - float((self.total * self.weight) @ slope)
        right = self.primal - slack + margins - self.rows @ (self.weight * slope) - self.mean * lead / self.mass
        d_multipliers = self.inverse(right)
        d_level = (lead - float(self.mean @ d_multipliers)) / self.mass
        d_x = -self.weight * (slope + self.rows.T @ d_multipliers + d_level * self.total)
        d_slack = margins - slack - slack * d_multipliers / multipliers
        return Step(d_x, products - z - z * d_x / x, d_slack, d_multipliers, d_level)

    def _longest(self, step: Step) -> float:
        """Return the longest step, at most 1, before something positive becomes negative."""
        values = (self.x, self.z, self.slack, self.multipliers)
        pairs = zip(values, step[:4], strict=True)
        return min(float((-value[d < 0] / d[d < 0]).min(initial=1.0)) for value, d in pairs)

    def _products(self, step: Step, length: float) -> float:
        """The gap after a step."""
        x, z = self.x + length * step.x, self.z + length * step.z
        slack, multipliers = self.slack + length * step.slack, self.multipliers + length * step.multipliers
        return float(np.abs(x * z - self.goal).sum() + slack @ multipliers)


def _inverse(matrix: Array) -> Callable[[Array], Array]:
    """Return a solver for a positive matrix, with a little more on the diagonal if it is nearly singular."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    if not len(matrix):
        return lambda right: right
    more = 1e-14 * float(np.trace(matrix)) / len(matrix)
    while True:
        helped = matrix.copy()
        helped[np.diag_indices(len(matrix))] += more
        try:
            factor = cho_factor(helped, check_finite=False)
        except LinAlgError:
            more *= 100
            continue
        break

    def refined(right: Array) -> Array:
        """Solved, and once more for what is left."""
        first = cho_solve(factor, right, check_finite=False)
        return np.asarray(first + cho_solve(factor, right - matrix @ first, check_finite=False))

    return refined
