"""An equilibrium in fractions: the vertex that HiGHS has found, computed again exactly, and proved to be optimal.

Where plans and slacks are positive, and where prices are not, tells which columns of the program make the vertex: its
basis. Their system is solved exactly, by Newton's steps on integers with a factorisation in floating point (Wan, *An
algorithm to solve integer linear systems exactly using numerical methods*, 2006): every step adds some binary digits to
the answer, until fractions can be read from them and fit. The proof does not rely on any of that: best responses to
both plans, computed in fractions, must be worth the same.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Any

import numpy as np

from parlor.game import GameError
from parlor.sequence_form.tree import Floats, Tree
from parlor.solvers.exact.sequence_program import SequenceProgram

LARGEST = 10**6  # denominator of a payoff times its chance
NEAR = 1e-12  # of a fraction, in proportion to the largest
POSITIVE = 1e-8  # of a plan or a slack
PRIME = (1 << 61) - 1
DIGITS = 30  # binary ones, added by a step
BOUND = 20_000  # binary digits: an answer that needs more is given up

Column = dict[int, int]


@dataclass(frozen=True)
class PayoffFractions:
    """Chance times payoff of player 0, entry by entry, as whole numbers over one denominator."""

    numbers: list[int]
    denominator: int

    @staticmethod
    def of(t: Tree) -> PayoffFractions:
        """Read from the numbers of a tree; GameError if they are no fractions of moderate size."""
        weights = t.weight[t.entries_of(0)[0]].tolist()
        near = NEAR * max(1.0, max(map(abs, weights), default=1.0))
        found = [Fraction(w).limit_denominator(LARGEST) for w in weights]
        if any(abs(float(f) - w) > near for f, w in zip(found, weights, strict=True)):
            raise GameError(
                f"{t.game.name} has payoffs or chances that are no fractions with denominators up to {LARGEST:,}, so "
                f"it cannot be solved in fractions; without rational it is solved to nine digits."
            )
        whole = reduce(lcm, {f.denominator for f in found}, 1)
        return PayoffFractions([int(f * whole) for f in found], whole)


def exact_plans(
    t: Tree, program: SequenceProgram, payoffs: PayoffFractions, plan: Floats, other: Floats, slack: Floats, price: Any
) -> tuple[list[list[Fraction]], Fraction]:
    """The plans of both players and the value of player 0, proved."""
    first, second = len(plan), len(other)
    equal, free = program.plans.shape[0], program.responses.shape[1]
    columns: list[Column] = [{} for _ in range(first + free + second)]
    for row, column, sign in _cells(program.plans):
        columns[column][row] = int(sign)
    for row, column, sign in _cells(program.responses):
        columns[first + column][equal + row] = int(sign)
    for p, q, n in _entries(t, payoffs):
        columns[p][equal + q] = -n
    for q in range(second):
        columns[first + free + q][equal + q] = 1
    sure = [*range(first, first + free), *_largest_first(plan, 0), *_largest_first(slack, first + free)]
    idle = np.concatenate([np.abs(price), np.full(free, np.inf), other])  # at 0 in a vertex, and worth nothing more
    basis = _basis(columns, [*sure, *np.argsort(idle, kind="stable").tolist()], equal + second)
    right, cost = [1] + [0] * (equal + second - 1), [0] * len(columns)
    cost[first] = 1
    x, y = _solve_exactly([columns[j] for j in basis], right, [cost[j] for j in basis])
    mine = [Fraction(0)] * first
    for j, value in zip(basis, x, strict=True):
        if j < first:
            mine[j] = value
    plans = [mine, y[equal:]]
    low, high = _worth(t, payoffs, plans[0], 0), _worth(t, payoffs, plans[1], 1)
    if low != high or not all(_is_plan(t, p, plans[p]) for p in range(2)):
        raise GameError(f"The vertex that HiGHS found for {t.game.name} is not optimal in fractions.")
    return plans, low


def _cells(matrix: Any) -> list[tuple[int, int, float]]:
    cells = matrix.tocoo()
    return list(zip(cells.row.tolist(), cells.col.tolist(), cells.data.tolist(), strict=True))


def _entries(t: Tree, payoffs: PayoffFractions) -> list[tuple[int, int, int]]:
    """The sequences of both players, counted from their empty ones, and the payoff; where it is not 0."""
    second = int(t.bounds[1])
    at, own = t.entries_of(0)
    there = (t.other[at, 0].astype(np.int64) - second).tolist()
    return [(p, q, n) for p, q, n in zip(own.tolist(), there, payoffs.numbers, strict=True) if n]


def _largest_first(values: Floats, base: int) -> list[int]:
    order = np.argsort(-values, kind="stable")
    return [base + int(j) for j in order if values[j] > POSITIVE]


def _basis(columns: Sequence[Column], order: Sequence[int], rows: int) -> list[int]:
    """The first columns in an order that are independent, as many as there are rows; by elimination modulo a prime."""
    chosen: list[int] = []
    seen: set[int] = set()
    pivots: dict[int, int] = {}  # row -> which pivot
    reduced: list[tuple[int, Column]] = []  # the row of a pivot, and its column with 1 there
    width = np.bincount([row for column in columns for row in column], minlength=rows)
    for j in order:
        if len(chosen) == rows:
            break
        if j in seen:
            continue
        seen.add(j)
        left = dict(columns[j])
        due = sorted(pivots[row] for row in left if row in pivots)
        while due:
            row, pivot = reduced[heapq.heappop(due)]
            factor = left.get(row, 0)
            if not factor:
                continue
            for other, value in pivot.items():
                now = (left.get(other, 0) - factor * value) % PRIME
                if now:
                    if other not in left and other in pivots:
                        heapq.heappush(due, pivots[other])
                    left[other] = now
                else:
                    left.pop(other, None)
        if left:
            row = min(left, key=lambda one: width[one])
            inverse = pow(left[row], -1, PRIME)
            pivots[row] = len(reduced)
            reduced.append((row, {other: value * inverse % PRIME for other, value in left.items()}))
            chosen.append(j)
    return chosen


def _solve_exactly(
    columns: Sequence[Column], right: Sequence[int], cost: Sequence[int]
) -> tuple[list[Fraction], list[Fraction]]:
    """The x with B x = right, and the y with Bᵀ y = cost, for the matrix B of these columns."""
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import splu

    n = len(columns)
    rows: list[Column] = [{} for _ in range(n)]
    for j, column in enumerate(columns):
        for row, value in column.items():
            rows[row][j] = value
    indices = np.concatenate([np.fromiter(column, np.int64, len(column)) for column in columns])
    data = np.concatenate([np.fromiter(map(float, column.values()), float, len(column)) for column in columns])
    starts = np.cumsum([0, *map(len, columns)])
    factor = splu(csc_array((data, indices, starts), (n, n)))
    return _lifted(rows, right, factor, "N"), _lifted(columns, cost, factor, "T")


def _lifted(rows: Sequence[Column], right: Sequence[int], factor: Any, how: str) -> list[Fraction]:
    """The solution of one system, by digits."""
    solution, residual = [0] * len(rows), [int(b) for b in right]
    digits, look = 0, 4 * DIGITS
    while digits < BOUND:
        size = max(map(abs, residual))
        if not size:
            return [Fraction(s, 1 << digits) for s in solution]
        shift = max(size.bit_length() - 900, 0)  # so that it is a floating-point number
        scale = max(size >> shift, 1)
        step = factor.solve(np.array([(r >> shift) / scale for r in residual]), trans=how)
        added = [_rounded(float(s), scale << shift, DIGITS) for s in step]
        solution = [(s << DIGITS) + a for s, a in zip(solution, added, strict=True)]
        residual = [
            (r << DIGITS) - sum(value * added[j] for j, value in row.items())
            for r, row in zip(residual, rows, strict=True)
        ]
        digits += DIGITS
        if digits >= look:
            look *= 2
            if (found := _read(rows, right, solution, digits)) is not None:
                return found
    raise GameError("The fractions of the solution are too long to be computed.")


def _rounded(number: float, scale: int, digits: int) -> int:
    """The number, times a scale and 2 to the power of digits."""
    top, bottom = number.as_integer_ratio()
    return (top * scale << digits) // bottom


def _read(rows: Sequence[Column], right: Sequence[int], solution: Sequence[int], digits: int) -> list[Fraction] | None:
    """Fractions near the digits, if they solve the system."""
    bound, common, found = 1 << (digits // 2 - 2), 1, list[Fraction]()
    for number in solution:
        one = Fraction(number * common, 1 << digits).limit_denominator(max(bound // common, 1)) / common
        common = lcm(common, one.denominator)
        if common > bound:
            return None
        found.append(one)
    whole = [int(one * common) for one in found]
    fits = all(
        sum(value * whole[j] for j, value in row.items()) == b * common for row, b in zip(rows, right, strict=True)
    )
    return found if fits else None


def _worth(t: Tree, payoffs: PayoffFractions, plan: Sequence[Fraction], player: int) -> Fraction:
    """The value for player 0 of a player's plan against a best response."""
    responder, base = 1 - player, t.bounds.tolist()
    values = [Fraction(0)] * (base[responder + 1] - base[responder])
    for p, q, n in _entries(t, payoffs):
        mine, theirs = (p, q) if player == 0 else (q, p)
        if plan[mine]:
            values[theirs] += plan[mine] * n
    best = max if responder == 0 else min
    for i in range(int(t.infoset_bounds[responder + 1]) - 1, int(t.infoset_bounds[responder]) - 1, -1):
        first = int(t.first[i]) - base[responder]
        values[int(t.parent[i]) - base[responder]] += best(values[first : first + int(t.count[i])])
    return values[0] / payoffs.denominator


def _is_plan(t: Tree, player: int, plan: Sequence[Fraction]) -> bool:
    base = int(t.bounds[player])
    flows = all(
        sum(plan[int(t.first[i]) - base : int(t.first[i]) - base + int(t.count[i])]) == plan[int(t.parent[i]) - base]
        for i in range(*t.infoset_bounds[player : player + 2].tolist())
    )
    return plan[0] == 1 and min(plan) >= 0 and flows


def plans_in_fractions(t: Tree, plans: Sequence[Sequence[Fraction]]) -> dict[int, list[Fraction]]:
    """The probabilities at each information set, by key; uniform where the player itself never goes."""
    weights = [x for plan in plans for x in plan]
    found = {}
    columns = (t.keys, t.parent, t.first, t.count)
    for key, parent, first, count in zip(*(column.tolist() for column in columns), strict=True):
        before = weights[parent]
        found[key] = [w / before if before else Fraction(1, count) for w in weights[first : first + count]]
    return found
