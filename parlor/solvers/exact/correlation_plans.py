"""Correlation plans: how likely a mediator is to recommend that all players go certain ways, as variables of a program.

`Pairs` has a variable for each pair of relevant sequences of two players, `Profiles` one for each combination of
reduced pure strategies of any number of players. See `correlated.py`.
"""

from __future__ import annotations

import itertools
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from parlor.game import GameError
from parlor.sequence_form.tree import Floats, Ints, Tree

MAX_VARIABLES = 400_000


class CorrelationPlans(Protocol):
    """The variables of plans, and the linear constraints that hold of them."""

    @property
    def variables(self) -> int:
        """The number of variables."""
        ...

    @property
    def equal(self) -> Any:
        """The matrix of the constraints, [rows, variables], sparse."""
        ...

    @property
    def right(self) -> Floats:
        """The right-hand side of the constraints."""
        ...

    def expanded(self, tuples: Ints, weights: Floats) -> tuple[Ints, Floats]:
        """A weighted sum over tuples of sequences [n, P] as variables and their coefficients."""
        ...

    def likely(self, x: Floats, tuples: Ints) -> Floats:
        """The probability that the sequences of each tuple are recommended together."""
        ...


def plans_of(t: Tree) -> CorrelationPlans:
    """The smaller of the two where it is exact."""
    if t.game.players == 2:
        pairs = Pairs(t)
        if pairs.triangle_free:
            return pairs
    return Profiles(t)


class Pairs:
    """Of two players: a variable for each pair of relevant sequences."""

    def __init__(self, t: Tree) -> None:
        self.tree = t
        self.connected = _connected(t)  # [n, 2] infosets of the players that lie on one path
        self.sizes = np.diff(t.bounds)

    @cached_property
    def triangle_free(self) -> bool:
        """Whether flow constraints are all there is to plans."""
        t = self.tree
        groups = [t.parent[self.connected[:, p]].astype(np.int64) for p in range(2)]
        several = np.ones(len(self.connected), bool)
        for p in range(2):  # does this infoset meet several of the other player's with the same past?
            code = self.connected[:, p] * t.sequences + groups[1 - p]
            _, at, counts = np.unique(code, return_inverse=True, return_counts=True)
            several &= counts[at] > 1
        return not several.any()

    @cached_property
    def codes(self) -> Ints:
        """The relevant pairs, each as one number, in ascending order."""
        t = self.tree
        first, second = (np.arange(*t.bounds[p : p + 2]) for p in range(2))
        found = [first * t.sequences + t.bounds[1], t.bounds[0] * t.sequences + second]
        a, b = self.connected.T
        n, m = t.counts[a], t.counts[b]
        steps = np.arange((n * m).sum()) - np.repeat(np.cumsum(n * m) - n * m, n * m)
        rows = np.repeat(t.first[a].astype(np.int64), n * m) + steps // np.repeat(m, n * m)
        columns = np.repeat(t.first[b].astype(np.int64), n * m) + steps % np.repeat(m, n * m)
        codes = np.unique(np.concatenate([*found, rows * t.sequences + columns]))
        if len(codes) > MAX_VARIABLES:
            raise GameError(
                f"{t.game.name} has {len(codes):,} relevant pairs of sequences; correlated equilibria are computed "
                f"for up to {MAX_VARIABLES:,}."
            )
        return codes

    @property
    def variables(self) -> int:
        """The number of pairs."""
        return len(self.codes)

    def places(self, tuples: Ints) -> Ints:
        """The indices of pairs among the variables."""
        codes = tuples[:, 0] * self.tree.sequences + tuples[:, 1]
        found = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        assert (self.codes[found] == codes).all(), "a pair is not relevant"
        return found

    def expanded(self, tuples: Ints, weights: Floats) -> tuple[Ints, Floats]:
        """A variable each."""
        return self.places(tuples), weights

    def likely(self, x: Floats, tuples: Ints) -> Floats:
        """The variables themselves."""
        return np.asarray(x[self.places(tuples)])

    @cached_property
    def equal(self) -> Any:
        """For each infoset and each relevant sequence of the other: the actions are what has led there."""
        from scipy.sparse import csr_array

        t = self.tree
        rows, columns, values = [np.zeros(1, np.int64)], [self.places(t.bounds[None, :2])], [np.ones(1)]
        done = 1
        for p in range(2):
            infosets, theirs = self._against(p)
            parents = t.parent[infosets].astype(np.int64)
            n = t.counts[infosets]
            at = done + np.arange(len(infosets))
            steps = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
            actions = np.repeat(t.first[infosets].astype(np.int64), n) + steps
            above, below = (parents, theirs, at, -1.0), (actions, np.repeat(theirs, n), np.repeat(at, n), 1.0)
            for own, other, row, sign in (above, below):
                pair = np.column_stack([own, other] if p == 0 else [other, own])
                rows.append(row)
                columns.append(self.places(pair))
                values.append(np.full(len(row), sign))
            done += len(infosets)
        cells = (np.concatenate(rows), np.concatenate(columns))
        return csr_array((np.concatenate(values), cells), (done, self.variables))

    @property
    def right(self) -> Floats:
        """The first row: the empty sequences are certain."""
        return np.append(1.0, np.zeros(self.equal.shape[0] - 1))

    def _against(self, player: int) -> tuple[Ints, Ints]:
        """Each infoset of a player with each relevant sequence of the other, the empty one too."""
        t = self.tree
        mine, others = self.connected[:, player], self.connected[:, 1 - player]
        n = t.counts[others]
        steps = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        alone = np.arange(*t.infoset_bounds[player : player + 2])
        infosets = np.concatenate([alone, np.repeat(mine, n)])
        empty = np.full(len(alone), t.bounds[1 - player])
        return infosets, np.concatenate([empty, np.repeat(t.first[others].astype(np.int64), n) + steps])


def _connected(t: Tree) -> Ints:
    """Pairs of infosets of the two players on one path: those of every ending, and all before them."""
    owner = np.full(t.sequences, -1)
    owner[t.rows] = np.repeat(np.arange(t.infosets), t.counts)
    at, own = t.entries_of(0)
    pairs = np.column_stack([owner[own], owner[t.other[at, 0].astype(np.int64)]])
    found, pending = set[tuple[int, int]](), set(map(tuple, pairs.tolist()))
    before = owner[t.parent.astype(np.int64)].tolist()
    while pending:
        found |= pending
        steps = {(before[a], b) for a, b in pending if a >= 0} | {(a, before[b]) for a, b in pending if b >= 0}
        pending = steps - found
    both = sorted(pair for pair in found if min(pair) >= 0)
    return np.array(both, np.int64).reshape(-1, 2)


class Profiles:
    """Of any number of players: a variable for each combination of reduced pure strategies."""

    def __init__(self, t: Tree) -> None:
        self.tree = t
        players = range(t.game.players)
        sizes = [_count(t, p) for p in players]
        self.variables = int(np.prod([float(n) for n in sizes]))
        if self.variables > MAX_VARIABLES:
            raise GameError(
                f"{t.game.name} has {' × '.join(f'{n:,}' for n in sizes)} reduced strategies; correlated equilibria of "
                f"such a game, with more than two players or with hands dealt by chance, are computed for up to "
                f"{MAX_VARIABLES:,} combinations."
            )
        self.plays = [_reduced(t, p) for p in players]  # of each player [strategies, sequences]

    @property
    def equal(self) -> Any:
        """Probabilities sum to 1."""
        from scipy.sparse import csr_array

        return csr_array(np.ones((1, self.variables)))

    @property
    def right(self) -> Floats:
        """Probabilities sum to 1."""
        return np.ones(1)

    def together(self, sequences: Ints) -> Ints:
        """The combinations in which all sequences of one tuple are played."""
        found = np.zeros(1, np.int64)
        for p, sequence in enumerate(sequences.tolist()):
            who = np.flatnonzero(self.plays[p][:, sequence - int(self.tree.bounds[p])])
            found = (found[:, None] * len(self.plays[p]) + who).ravel()
        return found

    def expanded(self, tuples: Ints, weights: Floats) -> tuple[Ints, Floats]:
        """All combinations in which each tuple is played; equal ones are summed."""
        if not len(tuples):
            return np.zeros(0, np.int64), np.zeros(0)
        found = [self.together(row) for row in tuples]
        at = np.concatenate(found)
        columns, place = np.unique(at, return_inverse=True)
        values = np.bincount(place, np.repeat(weights, list(map(len, found))))
        return columns, values.astype(float)

    def likely(self, x: Floats, tuples: Ints) -> Floats:
        """The sum of all combinations in which they are."""
        return np.array([x[self.together(row)].sum() for row in tuples])


def _count(t: Tree, player: int) -> int:
    """The number of a player's reduced pure strategies."""
    low, high = t.infoset_bounds[player : player + 2].tolist()
    ways = [1] * t.sequences
    for i in range(high - 1, low - 1, -1):
        first = int(t.first[i])
        ways[int(t.parent[i])] *= sum(ways[first : first + int(t.count[i])])
    return ways[int(t.bounds[player])]


def _reduced(t: Tree, player: int) -> Any:
    """The reduced pure strategies of a player, [strategies, sequences]: which sequences each plays."""
    low, high = t.infoset_bounds[player : player + 2].tolist()
    base, size = int(t.bounds[player]), int(t.bounds[player + 1] - t.bounds[player])
    below: list[list[int]] = [[] for _ in range(size)]
    for i in range(low, high):
        below[int(t.parent[i]) - base].append(i)

    def ways(sequence: int) -> list[frozenset[int]]:
        parts = [
            [way for q in range(int(t.first[i]), int(t.first[i]) + int(t.count[i])) for way in ways(q - base)]
            for i in below[sequence]
        ]
        return [frozenset({sequence}).union(*chosen) for chosen in itertools.product(*parts)]

    found = ways(0)
    plays = np.zeros((len(found), size), bool)
    for row, way in zip(plays, found, strict=True):
        row[list(way)] = True
    return plays
