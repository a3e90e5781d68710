"""Strategies as realisation plans, and what follows from them exactly: payoffs, averages, best responses.

A realisation plan has a number for each sequence of a player: the product of its own probabilities up to there. A
payoff is a sum over endings of products of plans, so it is linear in each of them: the average of a mixture of
strategies is the mixture of their plans, and a new strategy's payoffs against all others are a few matrix products.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.compile.kernel import FloatArray, IntArray
from parlor.game import GameError
from parlor.policies.mixture import Array, Mixture
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.sequence_form.tree import Floats, Tree

Ints = npt.NDArray[np.int64]

TINY = 1e-12  # two actions whose values differ by less, in proportion to all payoffs, are equally good


class Plans:
    """The plans of all strategies of a population, over the tree of its game."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.endings, self.payoffs = distinct_endings(tree)  # [Z, P] own sequences; [Z, P], times chance
        self.sizes = np.diff(tree.bounds).tolist()
        self._plans: list[Array] = [np.zeros((size, 0)) for size in self.sizes]  # [sequences, room for strategies]
        self.counts = [0] * tree.game.players

    def of(self, player: int) -> Array:
        """The plans of a player: [sequences, strategies]."""
        return self._plans[player][:, : self.counts[player]]

    def add_plan(self, player: int, plan: Array) -> None:
        """One more strategy."""
        room = self._plans[player]
        if self.counts[player] == room.shape[1]:
            more = np.zeros((self.sizes[player], max(8, 2 * room.shape[1])))
            more[:, : room.shape[1]] = room
            self._plans[player] = room = more
        room[:, self.counts[player]] = plan
        self.counts[player] += 1

    def add(self, player: int, plan: Array) -> Array:
        """One more strategy: what everybody gets with it, [players, n1, …, 1, …, nk] with a 1 for this player."""
        self.add_plan(player, plan)
        reached = np.flatnonzero(plan[self.endings[:, player]])
        weights = self.payoffs[reached] * plan[self.endings[reached, player]][:, None]
        others = [p for p in range(len(self.sizes)) if p != player]
        return np.expand_dims(self._cells(weights, self.endings[reached], others), player + 1)

    def _cells(self, weights: Array, endings: Ints, others: Sequence[int]) -> Array:
        """The sums of weights [Z, P] over endings, for all combinations of the others' strategies."""
        players = weights.shape[1]
        if not all(self.counts[p] for p in others):
            return np.zeros((players, *(self.counts[p] for p in others)))
        if len(others) > 2:
            plans = self.of(others[0])
            parts = []
            for one in range(plans.shape[1]):
                here = plans[endings[:, others[0]], one]
                kept = np.flatnonzero(here)
                parts.append(self._cells(weights[kept] * here[kept, None], endings[kept], others[1:]))
            return np.stack(parts, axis=1)
        last = others[-1]
        first = self.of(others[0]) if len(others) == 2 else np.ones((1, 1))
        at = endings[:, others[0]] if len(others) == 2 else np.zeros(len(endings), np.int64)
        columns, place = np.unique(endings[:, last], return_inverse=True)
        sums = np.zeros((len(columns), players, first.shape[1]))
        compiler.native(add_up)(np.ascontiguousarray(weights), at, place, first, sums)
        cells = sums.reshape(len(columns), players * first.shape[1]).T @ self.of(last)[columns]
        shape = [players, first.shape[1], cells.shape[1]] if len(others) == 2 else [players, cells.shape[1]]
        return cells.reshape(shape)

    def average(self, marginals: Sequence[Array]) -> Array:
        """The aggregate of a mixture for each player: the probability of each sequence's last action.

        Where none of the mixed strategies goes, it is uniform.
        """
        t = self.tree
        reach = np.concatenate([self.of(p) @ weights for p, weights in enumerate(marginals)])
        strategy = np.ones(t.sequences)
        before = np.repeat(reach[t.parent], t.counts)
        uniform = np.repeat(1.0 / t.counts, t.counts)
        with np.errstate(divide="ignore", invalid="ignore"):
            strategy[t.rows] = np.where(before > 0.0, reach[t.rows] / before, uniform)
        return strategy

    def respond(self, player: int, mixture: Mixture) -> tuple[Policy, float]:
        """A best response to the others, who play together as in the mixture, and its value.

        Where a mixture is joint, so are the others: they are not taken as independent of each other.
        """
        t = self.tree
        others = [p for p in range(len(self.sizes)) if p != player]
        if mixture.independent or len(others) == 1:
            weights = self.payoffs[:, player].copy()
            for p in others:
                weights *= (self.of(p) @ mixture.marginals[p])[self.endings[:, p]]
        else:
            weights = self.payoffs[:, player] * self._together(mixture.others(player), others)
        value = np.bincount(self.endings[:, player], weights, self.sizes[player])
        low, high = t.infoset_bounds[player : player + 2]
        strategy = np.zeros(self.sizes[player])
        base = int(t.bounds[player])
        compiler.native(choose_best)(
            t.parent[low:high].astype(np.int64) - base,
            t.first[low:high].astype(np.int64) - base,
            t.counts[low:high],
            value,
            strategy,
            TINY * float(np.abs(self.payoffs[:, player]).sum()),
        )
        policy = Policy.from_rows(t.game, t.keys[low:high], t.counts[low:high], strategy[1:])
        return policy, float(value[0])

    def _together(self, joint: Array, others: Sequence[int]) -> Array:
        """The probability that the others let each ending happen, if they draw their strategies together."""
        if len(others) > 2:
            total = np.zeros(len(self.endings))
            for one in np.flatnonzero(joint.reshape(len(joint), -1).any(axis=1)).tolist():
                here = self.of(others[0])[self.endings[:, others[0]], one]
                total += here * self._together(joint[one], others[1:])
            return total
        used = np.flatnonzero(joint.any(axis=1))  # strategies of the first that are played at all
        first = np.ascontiguousarray(self.of(others[0])[:, used])
        second = np.ascontiguousarray(self.of(others[1]) @ joint[used].T)
        found = np.zeros(len(self.endings))
        compiler.native(dot_rows)(first, second, self.endings[:, others[0]], self.endings[:, others[1]], found)
        return found


def plan(tree: Tree, strategy: Strategy, player: int) -> Array:
    """A strategy of one player as a realisation plan."""
    table = strategy.table
    if table is None:
        raise GameError(f"A {strategy.kind} for {strategy.game} cannot be measured exactly: it is no table.")
    low, high = tree.infoset_bounds[player : player + 2]
    counts = tree.counts[low:high]
    base = int(tree.bounds[player])
    made = np.ones(int(tree.bounds[player + 1]) - base)
    compiler.native(fill_plan)(
        tree.parent[low:high].astype(np.int64) - base,
        tree.first[low:high].astype(np.int64) - base,
        counts,
        table.rows(tree.keys[low:high], counts),
        made,
    )
    return made


def uniform_strategy(t: Tree) -> Floats:
    """Every action of an infoset with the same probability."""
    strategy = np.ones(t.sequences)
    strategy[t.rows] = np.repeat(1.0 / t.counts, t.counts)
    return strategy


def normalised(t: Tree, total: Floats) -> Floats:
    """Weights of sequences as probabilities within their infosets; uniform where nothing was ever played."""
    starts = np.cumsum(t.counts) - t.counts
    sums = np.repeat(np.add.reduceat(total[t.rows], starts), t.counts) if t.infosets else np.zeros(0)
    strategy = uniform_strategy(t)
    played = t.rows[sums > 0.0]
    strategy[played] = total[played] / sums[sums > 0.0]
    return strategy


def tree_policy(t: Tree, weights: Floats) -> Policy:
    """The policy that plays each action in proportion to its weight, such as a realisation plan or a sum of plans."""
    return sequence_policy(t, normalised(t, weights))


def sequence_policy(t: Tree, strategy: Floats) -> Policy:
    """A strategy, the probability of each sequence's last action, as a policy for all players."""
    return Policy.from_rows(t.game, t.keys, t.counts, strategy[t.rows])


def distinct_endings(tree: Tree) -> tuple[Ints, Array]:
    """The last own sequences of all players in each ending [Z, P], and the payoffs times chance [Z, P]."""
    players = tree.game.players
    found: Ints | None = None
    payoffs = []
    for p in range(players):
        low, high = (int(tree.entry_bounds[tree.bounds[at]]) for at in (p, p + 1))
        ends = tree.entry_bounds[tree.bounds[p] : tree.bounds[p + 1] + 1].astype(np.int64)
        own = np.repeat(np.arange(tree.bounds[p], tree.bounds[p + 1]), ends[1:] - ends[:-1])
        columns = np.insert(tree.other[low:high].astype(np.int64), p, own, axis=1) - tree.bounds[:-1]
        order = np.lexsort(columns.T[::-1])
        if found is None:
            found = columns[order]
        assert np.array_equal(found, columns[order])
        payoffs.append(tree.weight[low:high][order])
    assert found is not None
    return np.ascontiguousarray(found), np.stack(payoffs, axis=1)


# ------------------------------------------------------------------------------------------------------ kernels


def add_up(weights: FloatArray, at: IntArray, place: IntArray, plans: FloatArray, sums: FloatArray) -> None:
    """sums[place, player, strategy] += weight · plan, ending by ending."""
    for z in range(len(weights)):
        row = plans[at[z]]
        out = sums[place[z]]
        for p in range(weights.shape[1]):
            w = weights[z, p]
            if w != 0.0:
                for b in range(len(row)):
                    out[p, b] += w * row[b]


def dot_rows(first: FloatArray, second: FloatArray, at: Sequence[int], to: Sequence[int], found: FloatArray) -> None:
    """The products of a row of each, ending by ending."""
    for z in range(len(found)):
        total = 0.0
        for b in range(first.shape[1]):
            total += first[at[z], b] * second[to[z], b]
        found[z] = total


def fill_plan(
    parent: Sequence[int], first: Sequence[int], count: Sequence[int], rows: Sequence[float], made: FloatArray
) -> None:
    """Parents come before children."""
    at = 0
    for i in range(len(parent)):
        for k in range(count[i]):
            made[first[i] + k] = made[parent[i]] * rows[at]
            at += 1


def choose_best(
    parent: Sequence[int],
    first: Sequence[int],
    count: Sequence[int],
    value: FloatArray,
    strategy: FloatArray,
    tiny: float,
) -> None:
    """The best actions of each information set, from the last to the first; `value` of the sequences becomes theirs.

    Actions that are equally good, such as all of them where the others never let the game go, are played equally often.
    """
    for i in range(len(parent) - 1, -1, -1):
        best = value[first[i]]
        for q in range(first[i], first[i] + count[i]):
            best = max(best, value[q])
        ties = 0
        for q in range(first[i], first[i] + count[i]):
            if value[q] >= best - tiny:
                ties += 1
        for q in range(first[i], first[i] + count[i]):
            if value[q] >= best - tiny:
                strategy[q] = 1.0 / ties
        value[parent[i]] += best
