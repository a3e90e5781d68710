"""Nash's bargaining solution of an empirical game: the mixture with the largest product of gains.

A gain is what a player gets above its disagreement payoff. The logarithm of the product is concave in a joint
distribution, so that the best one is found exactly (`nbs-joint`), also among equilibria (`equilibria.py`). Players who
mix on their own (`nbs`) make it a product of polynomials: the players take turns, each solving its own concave problem,
from several starts. `gradient` is the algorithm 4 of Li et al. (2023), projected gradient ascent, for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from parlor.game.errors import GameError
from parlor.game.parameters import Settings, setting
from parlor.policies.mixture import Array, Mixture, correlated, independent, normalised, own_rows, product, ranges
from parlor.population.meta.program import ConvexProgram, Deviations, ProgramAnswer, solve

TURNS = 1000  # of each player, at most


@dataclass(frozen=True)
class Disagreement(Settings):
    """The disagreement point: the payoffs of players who do not agree."""

    disagreement: str = setting(
        "minimum",
        "a little below the least that each can get, or what each can secure alone",
        words=("minimum", "maximin"),
    )
    margin: float = setting(0.01, "how far below, as a share of the range of its payoffs", low=0.0, high=100.0)
    points: tuple[float, ...] = setting((), "the disagreement payoffs themselves, one a player", items=float)


@dataclass(frozen=True)
class Bargaining(Disagreement):
    """Settings of the solvers that only bargain."""

    method: str = setting("fast", "how it is solved", words=("fast", "gradient"))
    steps: int = setting(5000, "of the gradient method", low=1, high=10_000_000)


def disagreement_payoffs(payoffs: Array, settings: Disagreement) -> Array:
    """The disagreement payoff of each player."""
    if settings.points:
        if len(settings.points) != len(payoffs):
            raise GameError(f"points must be {len(payoffs)} numbers, one a player, not {len(settings.points)}.")
        return np.array(settings.points, np.float64)
    players = range(len(payoffs))
    if settings.disagreement == "minimum":
        return payoffs.reshape(len(payoffs), -1).min(axis=1) - settings.margin * ranges(payoffs)
    return np.array([_secure(own_rows(payoffs[i], i)) for i in players]) - settings.margin * ranges(payoffs)


def _secure(matrix: Array) -> float:
    """Return the maximin payoff of the row player against all others together."""
    from parlor.population.meta.nash import maximin

    return maximin(matrix)[1]


def gains_table(payoffs: Array, settings: Disagreement) -> Array:
    """Gains in shares of the range of payoffs, [players, cells], of those players who have something to gain."""
    flat = payoffs.reshape(len(payoffs), -1)
    above = flat - disagreement_payoffs(payoffs, settings)[:, None]
    matters = normalised(payoffs).reshape(len(payoffs), -1).max(axis=1) > 0
    return np.asarray(above[matters] / ranges(payoffs)[matters, None])


def nash_program(gains: Array) -> ConvexProgram:
    """Minimise −Σ log t, where tᵢ is at most the gain of player i."""
    players, cells = gains.shape
    zeros = np.zeros(cells + players)
    rows = np.hstack([-gains, np.eye(players)])
    return ConvexProgram(cells, lambda x: zeros, lambda x: zeros, players, 1.0, rows, np.zeros(players))


def least_program(gains: Array) -> ConvexProgram:
    """Maximise the least gain: the last variable is at most each gain, raised so that it is positive."""
    players, cells = gains.shape
    raised = gains - gains.min() + 1.0
    slope = np.concatenate([np.zeros(cells), [-1.0]])
    zeros = np.zeros(cells + 1)
    rows = np.hstack([-raised, np.ones((players, 1))])
    return ConvexProgram(cells, lambda x: slope, lambda x: zeros, 1, 0.0, rows, np.zeros(players))


def bargain(gains: Array, deviations: Deviations | None = None, epsilon: float = 0.0) -> tuple[ProgramAnswer, str]:
    """The best joint distribution, and a sentence if no agreement is good for all."""
    if not len(gains):  # nobody minds
        return solve(least_program(np.zeros((1, gains.shape[1]))), deviations, epsilon), ""
    if gains.min() <= 0:
        answer = solve(least_program(gains), deviations, epsilon)
        if (gains @ answer.x).min() <= 1e-7:
            return answer, "No mixture gives everybody more than disagreement: the least gain is as large as possible."
    return solve(nash_program(gains), deviations, epsilon), ""


def nbs_joint(payoffs: Array, settings: Bargaining) -> Mixture:
    """The joint distribution with the largest Nash product."""
    gains = gains_table(payoffs, settings)
    if settings.method == "gradient":
        parts, note = by_gradient(gains, [np.full(gains.shape[1], 1.0 / gains.shape[1])], settings.steps)
        return correlated(parts[0].reshape(payoffs.shape[1:]), note)
    answer, note = bargain(gains)
    return correlated(answer.x.reshape(payoffs.shape[1:]), note)


def nbs(payoffs: Array, settings: Bargaining) -> Mixture:
    """Independent mixtures with the largest Nash product that was found."""
    gains = gains_table(payoffs, settings)
    sizes = payoffs.shape[1:]
    table = gains.reshape(-1, *sizes)
    uniform = [np.full(n, 1.0 / n) for n in sizes]
    if settings.method == "gradient":
        return independent(*by_gradient(table, uniform, settings.steps))
    if not len(gains):
        return independent(uniform)
    together, note = bargain(gains)
    joint = correlated(together.x.reshape(sizes))
    pure = np.unravel_index(int(np.argmax(np.prod(np.maximum(gains, 0.0), axis=0))), sizes)
    corner = [np.eye(n)[a] for n, a in zip(sizes, pure, strict=True)]
    ends = [in_turn(table, start) for start in (joint.marginals, corner, uniform)]
    best = max(ends, key=lambda one: log_product(table, one))
    if log_product(table, best) == -np.inf and not note:
        note = "No independent mixture was found that gives everybody more than disagreement."
    return independent(best, note)


def log_product(table: Array, parts: Sequence[Array]) -> float:
    """The logarithm of the Nash product of gains [players, …]; −∞ if somebody gains nothing."""
    get = table.reshape(len(table), -1) @ product(parts).ravel()
    return float(np.log(get).sum()) if (get > 0).all() else -np.inf


def against_others(table: Array, parts: Sequence[Array], part: int) -> Array:
    """The gains [players, own strategies] if the others mix as they do."""
    others = product([p for j, p in enumerate(parts) if j != part]).ravel() if len(parts) > 1 else np.ones(1)
    return np.array([own_rows(one, part) @ others for one in table])


def in_turn(table: Array, start: Sequence[Array]) -> list[Array]:
    """Each player in turn mixes best for the product, until nothing gets better."""
    parts = [np.asarray(p) for p in start]
    value = log_product(table, parts)
    for _ in range(TURNS):
        for i in range(len(parts)):
            mine = against_others(table, parts, i)
            answer, _note = bargain(mine)
            moved = [answer.x if j == i else p for j, p in enumerate(parts)]
            if log_product(table, moved) > log_product(table, parts):
                parts = moved
        before, value = value, log_product(table, parts)
        if not value > before + 1e-10:
            break
    return parts


def by_gradient(table: Array, start: Sequence[Array], steps: int) -> tuple[list[Array], str]:
    """Algorithm 4: the best of all iterates, each a gradient step projected back; steps shrink as in theorem B.4."""
    from parlor.population.meta.dynamics import onto_simplex

    if not len(table):
        return list(start), ""
    parts = list(start)
    if log_product(table, parts) == -np.inf:
        return parts, "Uniform play gives somebody no more than disagreement, where the gradient method cannot begin."
    best, best_value = parts, log_product(table, parts)
    diameter = np.sqrt(max(1.0 - 1.0 / max(p.size for p in parts), 1e-12))
    for t in range(steps):
        get = table.reshape(len(table), -1) @ product(parts).ravel()
        slopes = [(1.0 / get) @ against_others(table, parts, i) for i in range(len(parts))]
        norm = np.sqrt(sum(float(g @ g) for g in slopes))
        size = diameter / (norm * np.sqrt(t + 1))
        while True:
            moved = [onto_simplex(p + size * g) for p, g in zip(parts, slopes, strict=True)]
            value = log_product(table, moved)
            if value > -np.inf:
                break
            size /= 2
        parts = moved
        if value > best_value:
            best, best_value = parts, value
    return best, ""
