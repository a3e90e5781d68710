"""Players who learn: projected replicator dynamics and regret matching; the answer is what they played on average.

Both start at uniform play, and both move all players at once, as OpenSpiel's do, with the same numbers. The loops are
compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from parlor.compile import native
from parlor.game import Floats, Ints
from parlor.game.parameters import Settings, setting
from parlor.policies.mixture import Array, Mixture, independent, ranges

LARGE = 300_000  # payoffs, of all players
INITIAL_REGRET = 1e-6  # of every strategy, so that the first step is uniform


@dataclass(frozen=True)
class ReplicatorDynamics(Settings):
    """Settings of projected replicator dynamics."""

    iterations: int = setting(100_000, "steps in time", low=1, high=1_000_000_000)
    step: float = setting(1e-3, "the length of one, in units of payoffs", low=1e-12, high=1e3)
    least: float = setting(1e-6, "the least probability of a strategy", low=0.0, high=0.5)


@dataclass(frozen=True)
class RegretMatching(Settings):
    """Settings of exploratory regret matching."""

    iterations: int = setting(100_000, "rounds", low=1, high=1_000_000_000)
    exploration: float = setting(1e-6, "the share of uniform play", low=0.0, high=1.0)


def replicator_dynamics(payoffs: Array, settings: ReplicatorDynamics) -> Mixture:
    """Strategies that earn more than the average grow; each keeps a least probability."""
    notes = []
    fastest = 1.0 / max(float(ranges(payoffs).max()), 1e-300)
    step, iterations = settings.step, settings.iterations
    if step > fastest:
        step = fastest
        notes.append(f"Payoffs are so large that steps of {step:.1e} were made instead of {settings.step:g}.")
    elif payoffs.size > LARGE and step < fastest / 10:  # the same time in fewer steps
        iterations = max(1, round(iterations * 10 * step / fastest))
        step = fastest / 10
        notes.append(f"The game is so large that {iterations:,} steps of {step:.1e} were made.")
    most = 1.0 / max(payoffs.shape[1:])
    least = min(settings.least, most)
    if least < settings.least:
        notes.append(f"There are too many strategies for a least probability of {settings.least:g}: it is {most:.2e}.")
    return independent(_average(payoffs, iterations, LearningRule(True, step, least)), " ".join(notes))


def regret_matching(payoffs: Array, settings: RegretMatching) -> Mixture:
    """Strategies are played in proportion to how much they are regretted."""
    scale = max(float(ranges(payoffs).max()), 1e-300)
    tame = payoffs if scale < 1e12 else payoffs / scale
    return independent(_average(tame, settings.iterations, LearningRule(False, 0.0, settings.exploration)))


class LearningRule(NamedTuple):
    """The learning rule of the players."""

    replicates: bool  # by replicator dynamics, else by regret matching
    step: float
    least: float  # the least probability of a strategy, or the share of uniform play


class LearningState(NamedTuple):
    """The players' strategies and statistics; [P, n] if nothing else is said."""

    strategies: Any
    regrets: Any
    total: Any  # of the strategies of all rounds
    values: Any  # of each strategy against what the others play
    played: Any  # [P, n + 1] the strategies above the least probability
    shares: Any  # [P, n + 1] by how much
    counts: Any  # [P] how many there are
    place: Any  # [P] scratch


def _average(payoffs: Array, iterations: int, rule: LearningRule) -> list[Array]:
    """The mean strategies of `iterate`."""
    sizes = np.array(payoffs.shape[1:], np.int64)
    players = len(sizes)
    by_others = np.concatenate([_with_sums(payoffs[i], i).ravel() for i in range(players)])
    most = int(sizes.max())
    strategies = np.array([np.where(np.arange(most) < n, 1.0 / n, 0.0) for n in sizes])
    total = strategies.copy()
    state = LearningState(
        strategies,
        np.full((players, most), INITIAL_REGRET),
        total,
        np.zeros((players, most)),
        np.zeros((players, most + 1), np.int64),
        np.zeros((players, most + 1)),
        np.zeros(players, np.int64),
        np.zeros(players, np.int64),
    )
    native(iterate)(by_others, sizes, iterations, rule, state)
    return [total[i, :n] / (iterations + 1) for i, n in enumerate(sizes)]


def _with_sums(payoffs: Array, player: int) -> Array:
    """A player's payoffs with its own strategies last, and the sum over each other's strategies as one more of them."""
    tensor = np.moveaxis(payoffs, player, -1)
    for axis in range(tensor.ndim - 1):
        tensor = np.concatenate([tensor, tensor.sum(axis=axis, keepdims=True)], axis=axis)
    return np.ascontiguousarray(tensor)


def iterate(payoffs: Floats, sizes: Ints, iterations: int, rule: LearningRule, state: LearningState) -> None:
    """Run the dynamics or regret matching; payoffs are those of `_with_sums`, player by player.

    Most strategies soon have the least probability that is allowed. So each player is taken to play all strategies with
    its least probability at once (the sums), and some of them more often: only these are gone through.
    """
    players = len(sizes)
    for _ in range(iterations):
        for j in range(players):
            state.counts[j] = list_played(state.strategies[j], sizes[j], state.played[j], state.shares[j])
        first = 0
        for i in range(players):
            first += evaluate_player(i, payoffs[first:], sizes, state)
        for i in range(players):
            n = sizes[i]
            mine = state.values[i]
            now = state.strategies[i]
            average = dot(mine, now, n)
            if rule.replicates:
                for a in range(n):
                    now[a] += rule.step * now[a] * (mine[a] - average)
                project(now, n, rule.least)
            else:
                match_regrets(now, state.regrets[i], mine, n, average, rule.least)
            for a in range(n):
                state.total[i][a] += now[a]


def evaluate_player(i: int, payoffs: Floats, sizes: Ints, state: LearningState) -> int:
    """Fill the values of a player's strategies against what the others play; returns how many payoffs are its own."""
    players, n = len(sizes), sizes[i]
    mine = state.values[i]
    place = state.place  # of each of the others, in its list of strategies that are played
    for a in range(n):
        mine[a] = 0.0
    cells = n
    for j in range(players):
        place[j] = 0
        if j != i:
            cells *= sizes[j] + 1
    going = True
    while going:
        weight = 1.0
        row = 0
        for j in range(players):
            if j != i:
                weight *= state.shares[j][place[j]]
                row = row * (sizes[j] + 1) + state.played[j][place[j]]
        line = payoffs[row * n : row * n + n]
        for a in range(n):
            mine[a] += weight * line[a]
        going = False
        for j in range(players - 1, -1, -1):  # the next combination, the last player's strategy first
            if j != i:
                place[j] += 1
                if place[j] < state.counts[j]:
                    going = True
                    break
                place[j] = 0
    return int(cells)


def list_played(strategy: Floats, n: int, played: Ints, shares: Floats) -> int:
    """List the strategies above the least probability and by how much; last all together, with the least one."""
    lowest = least_of(strategy, n)
    count = 0
    for a in range(n):
        if strategy[a] > lowest:
            played[count] = a
            shares[count] = strategy[a] - lowest
            count += 1
    played[count] = n
    shares[count] = lowest
    return count + 1


def match_regrets(played: Floats, regrets: Floats, values: Floats, n: int, average: float, exploration: float) -> None:
    """Add the regrets of one round, and play in proportion to those that are positive."""
    for a in range(n):
        regrets[a] += values[a] - average
        played[a] = max(regrets[a], 0.0)
    positive = add_up(played, n)
    if positive > 0.0:
        scale = (1.0 - exploration) / positive
        for a in range(n):
            played[a] = exploration / n + scale * played[a]
    else:
        for a in range(n):
            played[a] = 1.0 / n


def dot(v: Floats, w: Floats, n: int) -> float:
    """The sum of products, in four sums, which a processor adds at once."""
    s0 = s1 = s2 = s3 = 0.0
    four = n - n % 4
    for a in range(0, four, 4):
        s0 += v[a] * w[a]
        s1 += v[a + 1] * w[a + 1]
        s2 += v[a + 2] * w[a + 2]
        s3 += v[a + 3] * w[a + 3]
    for a in range(four, n):
        s0 += v[a] * w[a]
    return (s0 + s1) + (s2 + s3)


def add_up(v: Floats, n: int) -> float:
    """The sum, likewise."""
    s0 = s1 = s2 = s3 = 0.0
    four = n - n % 4
    for a in range(0, four, 4):
        s0 += v[a]
        s1 += v[a + 1]
        s2 += v[a + 2]
        s3 += v[a + 3]
    for a in range(four, n):
        s0 += v[a]
    return (s0 + s1) + (s2 + s3)


def least_of(v: Floats, n: int) -> float:
    """The least number, likewise."""
    m0 = m1 = m2 = m3 = v[0]
    four = n - n % 4
    for a in range(0, four, 4):
        m0 = v[a] if v[a] < m0 else m0
        m1 = v[a + 1] if v[a + 1] < m1 else m1
        m2 = v[a + 2] if v[a + 2] < m2 else m2
        m3 = v[a + 3] if v[a + 3] < m3 else m3
    for a in range(four, n):
        m0 = v[a] if v[a] < m0 else m0
    return min(min(m0, m1), min(m2, m3))


def project(v: Floats, n: int, least: float) -> None:
    """Move n numbers to the nearest distribution in which each is at least `least`; most often no bound is met."""
    excess = add_up(v, n) - 1.0
    lowest = least_of(v, n)
    if lowest - excess / n >= least:
        for a in range(n):
            v[a] -= excess / n
        return
    bound = 0  # how many are known to be at the bound: a number that falls below it stays there
    shift = excess / n
    while True:
        free = 0
        mass = 1.0
        for a in range(n):
            if v[a] - shift > least:
                free += 1
                mass -= v[a]
            else:
                mass -= least
        if n - free == bound or free == 0:
            break
        bound = n - free
        shift = -mass / free
    for a in range(n):
        v[a] = max(v[a] - shift, least)


def onto_simplex(v: Array) -> Array:
    """The nearest distribution."""
    ordered = np.sort(v)[::-1]
    shifts = (np.cumsum(ordered) - 1.0) / np.arange(1, len(v) + 1)
    return np.asarray(np.maximum(v - shifts[np.flatnonzero(ordered > shifts)[-1]], 0.0))
