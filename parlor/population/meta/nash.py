"""Exact Nash equilibria of two-player games.

Zero-sum games are a linear program. In others, supports are tried from the smallest to larger ones, equal sizes first
(Porter, Nudelman and Shoham, 2008), and after a number of them the Lemke–Howson method follows a path to one
equilibrium.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from parlor.game.errors import GameError
from parlor.game.parameters import Settings, setting
from parlor.policies.mixture import Array, Mixture, independent, nash_gap, normalised

EXACT = 1e-9  # the largest gap, in payoffs from 0 to 1
MAX_SUPPORTS = 5000  # supports that are tried


@dataclass(frozen=True)
class Nash(Settings):
    """Settings of the exact equilibrium."""

    supports: int = setting(5000, "pairs of supports that are tried, if the game is not zero-sum", low=1, high=10**9)
    pivots: int = setting(20_000, "steps of the Lemke–Howson method after that", low=1, high=10**9)


def maximin(matrix: Array) -> tuple[Array, float]:
    """The mixture over rows with the best worst column, and its value: a linear program."""
    from scipy.optimize import linprog

    rows, columns = matrix.shape
    low = float(matrix.min())
    scale = float(matrix.max()) - low or 1.0
    cost = np.append(np.zeros(rows), -1.0)
    above = np.hstack([-(matrix.T - low) / scale, np.ones((columns, 1))])
    total = np.append(np.ones(rows), 0.0)[None, :]
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(cost, above, np.zeros(columns), total, [1.0], method="highs", options=tight)
    x = np.maximum(found.x[:rows], 0.0)
    x /= x.sum()
    return x, float((x @ matrix).min())


def nash(payoffs: Array, settings: Nash) -> Mixture:
    """One equilibrium."""
    if len(payoffs) != 2:
        raise GameError(f"nash is for two players, and this game has {len(payoffs)}; adidas is for more.")
    scaled = normalised(payoffs)
    constant = payoffs.sum(axis=0)
    if np.ptp(constant) <= 1e-12 * max(np.abs(payoffs).max(), 1e-300):
        return _judged([maximin(payoffs[0])[0], maximin(np.ascontiguousarray(payoffs[1].T))[0]], scaled)
    best, best_gap = [np.ones(n) / n for n in scaled.shape[1:]], np.inf
    mine, theirs = scaled
    for pair in itertools.chain(
        _by_supports(mine, theirs, settings.supports), _by_pivots(mine, theirs, settings.pivots)
    ):
        gap = nash_gap(independent(pair), scaled)
        if gap <= EXACT:
            return independent(pair)
        if gap < best_gap:
            best, best_gap = pair, gap
    return _judged(best, scaled)


def _judged(pair: list[Array], scaled: Array) -> Mixture:
    gap = nash_gap(independent(pair), scaled)
    note = f"No exact equilibrium was found: both together could gain {gap:.1e} of the range of payoffs."
    return independent(pair, note if gap > 1e-7 else "")


def all_equilibria(payoffs: Array) -> list[Mixture]:
    """Those with supports of equal size, of a small game: all there are, unless it is degenerate."""
    mine, theirs = scaled = normalised(payoffs)
    found: list[Mixture] = []
    for pair in _by_supports(mine, theirs, MAX_SUPPORTS, equal=True):
        one = independent(pair)
        if nash_gap(one, scaled) <= EXACT and not any(np.allclose(one.joint, two.joint) for two in found):
            found.append(one)
    return found


def symmetric_equilibria(payoffs: Array) -> Iterator[Array]:
    """Yield the symmetric equilibria of a symmetric game of two players: by supports, small ones first."""
    mine = normalised(payoffs)[0]
    n = len(mine)
    supports = (some for size in range(1, n + 1) for some in itertools.combinations(range(n), size))
    found: list[Array] = []
    for some in itertools.islice(supports, MAX_SUPPORTS):
        x = indifferent(mine[np.ix_(some, some)])
        if x is not None:
            p = np.zeros(n)
            p[list(some)] = np.maximum(x, 0.0)
            p /= p.sum()
            if (mine @ p).max() - p @ mine @ p <= EXACT and not any(np.allclose(p, q) for q in found):
                found.append(p)
                yield p


def _by_supports(mine: Array, theirs: Array, limit: int, equal: bool = False) -> Iterator[list[Array]]:
    """Yield strategies that make the other player indifferent, for pairs of supports in order of size."""
    n, m = mine.shape
    sizes = sorted(itertools.product(range(1, n + 1), range(1, m + 1)), key=lambda s: (abs(s[0] - s[1]), s[0] + s[1]))
    pure = (mine == mine.max(axis=0)) & (theirs == theirs.max(axis=1, keepdims=True))
    for a, b in np.argwhere(pure):
        yield [np.eye(n)[a], np.eye(m)[b]]
    pairs = (
        (rows, columns)
        for some, many in sizes
        if some + many > 2 and (some == many or not equal)
        for rows in itertools.combinations(range(n), some)
        for columns in itertools.combinations(range(m), many)
    )
    for rows, columns in itertools.islice(pairs, limit):
        y = indifferent(mine[np.ix_(rows, columns)])
        x = indifferent(theirs[np.ix_(rows, columns)].T)
        if x is not None and y is not None:
            p, q = np.zeros(n), np.zeros(m)
            p[list(rows)], q[list(columns)] = x, y
            yield [p, q]


def indifferent(matrix: Array) -> Array | None:
    """The distribution over columns under which all rows pay the same, if there is one."""
    rows, columns = matrix.shape
    system = np.zeros((rows + 1, columns + 1))
    system[:rows, :columns], system[:rows, columns], system[rows, :columns] = matrix, -1.0, 1.0
    right = np.append(np.zeros(rows), 1.0)
    found, *_ = np.linalg.lstsq(system, right, rcond=None) if rows != columns else (_solved(system, right),)
    return found[:columns] if found is not None and (found[:columns] >= -1e-12).all() else None


def _solved(system: Array, right: Array) -> Array | None:
    try:
        return np.asarray(np.linalg.solve(system, right))
    except np.linalg.LinAlgError:
        return None


def _by_pivots(mine: Array, theirs: Array, limit: int) -> Iterator[list[Array]]:
    """The Lemke–Howson path from each strategy in turn, until the pivots are used up."""
    n, m = mine.shape
    for dropped in range(n + m):
        ended, used = lemke_howson(mine + 1.0, theirs + 1.0, dropped, limit)
        limit -= used
        if ended is not None:
            yield ended
        if limit <= 0:
            return


def lemke_howson(mine: Array, theirs: Array, dropped: int, limit: int) -> tuple[list[Array] | None, int]:
    """The end of the path along which one label is missing, and its length; payoffs are positive.

    Tableaux of theirsᵀ x ≤ 1 and mine y ≤ 1: labels below n are strategies of the rows' player, others of the columns'.
    Ties are broken by the lexicographic rule, so that degenerate games do not cycle.
    """
    n, m = mine.shape
    tableaux = [  # columns: n labels of rows, m labels of columns, 1
        np.hstack([theirs.T, np.eye(m), np.ones((m, 1))]),
        np.hstack([np.eye(n), mine, np.ones((n, 1))]),
    ]
    bases = [np.arange(n, n + m), np.arange(n)]
    side, entering = (0 if dropped < n else 1), dropped
    for used in range(1, limit + 1):
        tableau, basis = tableaux[side], bases[side]
        column = tableau[:, entering]
        candidates = np.flatnonzero(column > 1e-10)
        if not len(candidates):
            return None, used
        slack = range(n, n + m) if side == 0 else range(n)
        for key in (-1, *slack):
            ratios = tableau[candidates, key] / column[candidates]
            candidates = candidates[ratios <= ratios.min() + 1e-12]
            if len(candidates) == 1:
                break
        row = int(candidates[0])
        leaving = int(basis[row])
        tableau[row] /= tableau[row, entering]
        factors = tableau[:, entering].copy()
        factors[row] = 0.0
        tableau -= np.outer(factors, tableau[row])
        basis[row] = entering
        if leaving == dropped:
            break
        side, entering = 1 - side, leaving
    else:
        return None, limit
    x, y = np.zeros(n + m), np.zeros(n + m)
    x[bases[0]], y[bases[1]] = tableaux[0][:, -1], tableaux[1][:, -1]
    p, q = np.maximum(x[:n], 0.0), np.maximum(y[n:], 0.0)
    if p.sum() <= 0 or q.sum() <= 0:
        return None, used
    return [p / p.sum(), q / q.sum()], used
