"""Convex programs over distributions, by one primal-dual interior-point method.

    minimise Σⱼ fⱼ(xⱼ) − Σⱼ logs·log xⱼ   subject to   A x ≤ b,   x ≥ 0,   and the first `cells` of the x sum to 1.

Entropy, Gini impurity, welfare and the Nash product are all sums of functions of one variable each (the Nash product
with one more variable a player: its gain), so that the second derivative is diagonal and a Newton step costs one linear
system with as many unknowns as there are rows. A logarithm in the objective is what the method itself adds to keep x
positive, only that it stays: the multiplier z of x ≥ 0 tends to x z = 1 instead of 0. Where several x are best, the
method ends in the middle of them, whatever the order of the strategies. Of a game's many rows few bind: `solve` begins
with none, and adds those that its answers violate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.solvers.population.meta.deviations import Deviations, Ints
from parlor.solvers.population.meta.mixture import Array

LOOSE, TIGHT = 1e-4, 1e-9  # of residuals, and of what is lost in the objective: while rows are added, and at the end
VIOLATION = 1e-8  # of a row that is not kept; payoffs go from 0 to 1
ROUNDS = 200
STEPS = 100  # of Newton's method
EACH = 4  # rows added of each block


@dataclass(frozen=True)
class Program:
    """What is minimised, by its derivatives by each variable; and rows that always hold."""

    cells: int
    slope: Callable[[Array], Array]
    curvature: Callable[[Array], Array]
    more: int = 0  # variables beyond the cells
    logs: float = 0.0  # the weight of their logarithms
    rows: Any = None  # [rows, cells + more]
    limits: Any = ()


@dataclass(frozen=True)
class Answer:
    """A distribution over the cells, the other variables, and how good they are."""

    x: Array  # of the cells
    more: Array
    loss: float  # in the objective, against the bound that the multipliers prove
    violation: float  # of the worst row


def solve(program: Program, deviations: Deviations | None = None, epsilon: float = 0.0) -> Answer:
    """The best distribution in which no deviation gains more than epsilon."""
    kept: Ints = np.zeros(0, np.int64)
    tolerance = TIGHT if deviations is None else LOOSE
    for _ in range(ROUNDS):
        x, loss = interior_point(program, *_together(program, deviations, kept, epsilon), tolerance)
        cells, more = x[: program.cells] / x[: program.cells].sum(), x[program.cells :]
        if deviations is None:
            return Answer(cells, more, loss, 0.0)
        violations = deviations.gains(cells) - epsilon
        worst = max(float(violations.max()), 0.0)
        violations[kept] = 0.0
        added = deviations.worst(violations, VIOLATION, EACH)
        if not len(added) and tolerance == TIGHT:
            break
        tolerance = LOOSE if len(added) > EACH and tolerance == LOOSE else TIGHT
        kept = np.sort(np.concatenate([kept, added]))
    return Answer(cells, more, loss, worst)


def _together(program: Program, deviations: Deviations | None, kept: Ints, epsilon: float) -> tuple[Any, Array]:
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


def interior_point(program: Program, rows: Any, limits: Array, tolerance: float) -> tuple[Array, float]:
    """The x and the loss, by Mehrotra's predictor and corrector (1992), which share a matrix in every step."""
    size, count = program.cells + program.more, len(limits)
    total = np.arange(size) < program.cells  # what sums to 1
    x = np.where(total, 1.0 / program.cells, 1.0)
    slack, multipliers = np.maximum(limits - rows @ x, 0.1), np.full(count, 0.1)
    goal = np.where(total, 0.0, program.logs)  # of x z
    z = np.maximum(np.abs(program.slope(x)), 0.1) + goal  # multipliers of x ≥ 0
    level = 0.0  # the multiplier of the sum
    for _ in range(STEPS):
        dual = program.slope(x) + rows.T @ multipliers + level * total - z
        primal = rows @ x + slack - limits
        missing = float(x[total].sum()) - 1.0
        gap = float(np.abs(x * z - goal).sum() + slack @ multipliers)
        if max(np.abs(primal).max(initial=0.0), abs(missing), gap, x @ np.abs(dual)) <= tolerance:
            break
        w = 1.0 / (program.curvature(x) + z / x)
        share = total * w
        mean, mass = rows @ share, share.sum()
        matrix = (rows * w[None, :]) @ rows.T
        matrix = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
        matrix -= np.outer(mean, mean) / mass
        matrix[np.diag_indices(count)] += slack / multipliers
        inverse = _inverse(matrix)

        def step(centre: float, xz: Any, sm: Any) -> tuple[Array, Array, Array, Array, float]:
            """Towards x z − goal = slack · multipliers = centre, less the products of the predictor's steps."""
            xz = xz - goal
            rho = dual + z - (centre - xz) / x  # noqa: B023
            lead = missing - share @ rho  # noqa: B023
            right = primal - slack + (centre - sm) / multipliers - rows @ (w * rho) - mean * lead / mass  # noqa: B023
            d_multipliers = inverse(right)  # noqa: B023
            d_level = (lead - mean @ d_multipliers) / mass  # noqa: B023
            d_x = -w * (rho + rows.T @ d_multipliers + d_level * total)  # noqa: B023
            d_z = (centre - xz - z * d_x) / x - z  # noqa: B023
            d_slack = (centre - sm - slack * d_multipliers) / multipliers - slack  # noqa: B023
            return d_x, d_slack, d_multipliers, d_z, d_level

        d_x, d_slack, d_multipliers, d_z, _level = step(0.0, 0.0, 0.0)
        length = _length((x, d_x), (slack, d_slack), (multipliers, d_multipliers), (z, d_z))
        after = np.abs((x + length * d_x) * (z + length * d_z) - goal).sum()
        after += (slack + length * d_slack) @ (multipliers + length * d_multipliers)
        centre = max(gap * min(1.0, float(after) / gap) ** 3, tolerance / 10) / (size + count)
        d_x, d_slack, d_multipliers, d_z, d_level = step(centre, d_x * d_z, d_slack * d_multipliers)
        length = 0.995 * _length((x, d_x), (slack, d_slack), (multipliers, d_multipliers), (z, d_z))
        if length < 0.1:  # the correction leads astray: back towards the centre
            d_x, d_slack, d_multipliers, d_z, d_level = step(0.5 * gap / (size + count), 0.0, 0.0)
            length = 0.9 * _length((x, d_x), (slack, d_slack), (multipliers, d_multipliers), (z, d_z))
        x, slack, multipliers = x + length * d_x, slack + length * d_slack, multipliers + length * d_multipliers
        z, level = z + length * d_z, level + length * d_level
    return x, gap


def _inverse(matrix: Array) -> Callable[[Array], Array]:
    """How to solve with a positive matrix; a nearly singular one is helped by a little more on the diagonal."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    if not len(matrix):
        return lambda right: right
    more = 1e-14 * float(np.trace(matrix)) / len(matrix)
    while True:
        matrix[np.diag_indices(len(matrix))] += more
        try:
            factor = cho_factor(matrix, check_finite=False)
        except LinAlgError:
            more *= 100
            continue
        return lambda right: np.asarray(cho_solve(factor, right, check_finite=False))


def _length(*pairs: tuple[Array, Array]) -> float:
    """How far one can go, at most 1, before something positive becomes negative."""
    return min(float((-value[step < 0] / step[step < 0]).min(initial=1.0)) for value, step in pairs)
