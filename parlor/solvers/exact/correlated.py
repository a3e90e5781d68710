"""Correlated equilibria of extensive games, by linear programs over correlation plans.

A mediator draws a plan for everybody and tells each player its recommendation as it goes. The concepts differ by when
a player may leave, on its own and for good: in an EFCE after it has heard a recommendation (von Stengel and Forges,
2008), in an EFCCE when it comes to an information set, before it hears the one there (Farina, Bianchi and Sandholm,
2020), in a CCE only at the beginning. A deviation's worth is a maximum over trees of information sets, so that it has a
variable for each of them, as in `linear_program.py`.

The plans themselves: between two players whose hidden knowledge does not come from chance alone, a plan is a number for
each pair of relevant sequences, under flow constraints (von Stengel and Forges, 2008; exact wherever the game is
triangle-free, Farina and Sandholm, 2020). Other games, with any number of players, get a number for each combination of
their reduced pure strategies, as long as there are not too many.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.policies.plans import tree_policy
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import Floats, Ints, Tree, tree
from parlor.solvers.exact.correlation_plans import CorrelationPlans, plans_of
from parlor.solvers.exact.sequence_program import TIGHT, need_scipy

CONCEPTS: Mapping[str, str] = {
    "efce": "extensive-form correlated equilibrium",
    "efcce": "extensive-form coarse correlated equilibrium",
    "cce": "coarse correlated equilibrium of strategies",
}
WELFARE = "welfare"


@dataclass(frozen=True)
class CorrelatedEquilibrium:
    """The equilibrium of a concept with the most of something."""

    game: Game
    concept: str
    maximised: str
    values: tuple[float, ...]  # of the players who follow their recommendations
    gain: float  # the largest by a deviation: what the arithmetic has left
    endings: Ints  # [E, P] sequences in which the game can end
    likely: Floats  # [E] how likely the recommendations are to lead there, but for chance
    plans: tuple[Floats, ...]  # of each player, how likely each of its sequences is recommended

    @property
    def welfare(self) -> float:
        """The sum of the values."""
        return float(sum(self.values))

    def marginal(self) -> Policy:
        """The marginal of each player's recommendations as a policy; the correlation between players is lost."""
        t = tree(self.game)
        return tree_policy(t, np.concatenate(self.plans)).with_about(concept=self.concept)

    def __repr__(self) -> str:
        values = ", ".join(f"{v:.6g}" for v in self.values)
        return f"<{self.concept} of {self.game.name} with the most {self.maximised}: values {values}>"


def correlated_equilibrium(
    game: Game | str, concept: str = "efce", maximise: str | int = WELFARE
) -> CorrelatedEquilibrium:
    """The equilibrium with the most welfare, or that is best for the player of a number."""
    game = as_game(game)
    need_scipy("A correlated equilibrium")
    if concept not in CONCEPTS:
        raise GameError(f"There is no concept {concept!r}; there are {', '.join(CONCEPTS)}.")
    t = tree(game)
    program = _Program(t, plans_of(t))
    for player in range(game.players):
        for trigger in _triggers(t, player, concept):
            program.resist(player, *trigger)
    x = program.solve(program.weights(_whose(game, maximise)))
    values = tuple(float(program.weights([p]) @ x) for p in range(game.players))
    likely = program.plans.likely
    return CorrelatedEquilibrium(
        game=game,
        concept=concept,
        maximised=WELFARE if maximise == WELFARE else f"for player {maximise}",
        values=values,
        gain=program.violation(x),
        endings=program.ends,
        likely=likely(x, program.ends),
        plans=tuple(likely(x, _alone(t, p)) for p in range(game.players)),
    )


def _whose(game: Game, maximise: str | int) -> list[int]:
    if maximise == WELFARE:
        return list(range(game.players))
    if str(maximise).isdecimal() and int(maximise) < game.players:
        return [int(maximise)]
    raise GameError(f"What is maximised must be {WELFARE} or the number of a player, not {maximise!r}.")


def _alone(t: Tree, player: int) -> Ints:
    """Each sequence of a player, with the empty ones of the others."""
    found = np.tile(t.bounds[:-1], (int(t.bounds[player + 1] - t.bounds[player]), 1))
    found[:, player] = np.arange(t.bounds[player], t.bounds[player + 1])
    return found


def _triggers(t: Tree, player: int, concept: str) -> Iterator[tuple[int, Sequence[int], int]]:
    """When a player may leave: what it was recommended until then, the infosets it then plays from, where it would be.

    The last is a sequence if it would have followed that, or the infoset itself, as ~i, or all, as the empty sequence.
    """
    empty = int(t.bounds[player])
    mine = range(*t.infoset_bounds[player : player + 2].tolist())
    if concept == "cce":
        yield empty, [i for i in mine if t.parent[i] == empty], empty
        return
    for i in mine:
        if concept == "efcce":
            yield int(t.parent[i]), [i], ~i
        else:
            for sequence in range(int(t.first[i]), int(t.first[i]) + int(t.count[i])):
                yield sequence, [i], sequence


class _Program:
    """Rows of the linear program, as they come: over the plans, and over what deviations are worth."""

    def __init__(self, t: Tree, plans: CorrelationPlans) -> None:
        self.tree, self.plans = t, plans
        self.variables = plans.variables
        self.rows: list[tuple[Ints, Floats]] = []  # of sums that must not be above 0
        self.below: list[list[int]] = [[] for _ in range(t.sequences)]  # the infosets that a sequence leads to
        for i, parent in enumerate(t.parent.tolist()):
            self.below[parent].append(i)
        at, own = t.entries_of(0)
        self.ends = np.column_stack([own, t.other[at].astype(np.int64)])

    def entries(self, player: int, sequence: int, told: int) -> tuple[Ints, Floats]:
        """The payoff of ending in a sequence while another was recommended: variables and coefficients."""
        t = self.tree
        at = slice(int(t.entry_bounds[sequence]), int(t.entry_bounds[sequence + 1]))
        others = t.other[at].astype(np.int64)
        return self.plans.expanded(np.insert(others, player, told, axis=1), t.weight[at])

    def after(self, infosets: Sequence[int]) -> list[int]:
        """These infosets and all that follow."""
        found = list(infosets)
        for i in found:
            for q in range(int(self.tree.first[i]), int(self.tree.first[i]) + int(self.tree.count[i])):
                found += self.below[q]
        return found

    def followed(self, player: int, where: int) -> tuple[Ints, Floats]:
        """The expected payoff of a player from some place on if it follows its recommendations."""
        t = self.tree
        sequences = [where] if where >= 0 else []
        infosets = self.after(self.below[where] if where >= 0 else [~where])
        for i in infosets:
            sequences += range(int(t.first[i]), int(t.first[i]) + int(t.count[i]))
        return _joined([self.entries(player, q, q) for q in sequences])

    def resist(self, player: int, told: int, infosets: Sequence[int], where: int) -> None:
        """Leaving, when `told` was all that was recommended, must not be worth more than following."""
        t = self.tree
        reached = self.after(infosets)
        worth = {i: self.variables + k for k, i in enumerate(reached)}
        self.variables += len(reached)
        for i in reached:
            for q in range(int(t.first[i]), int(t.first[i]) + int(t.count[i])):
                then = np.array([worth[j] for j in self.below[q]] + [worth[i]], np.int64)
                signs = np.append(np.ones(len(then) - 1), -1.0)
                self.rows.append(_joined([self.entries(player, q, told), (then, signs)]))
        tops = np.array([worth[i] for i in infosets], np.int64)
        at, gets = self.followed(player, where)
        parts = [(tops, np.ones(len(tops))), (at, -gets)]
        if where == told and where == int(t.bounds[player]):  # endings before any choice happen either way
            parts.append(self.entries(player, where, told))
        self.rows.append(_joined(parts))

    def weights(self, players: Sequence[int]) -> Floats:
        """The sum of some players' expected payoffs if all follow, as coefficients of the variables."""
        at, gets = _joined([self.followed(p, int(self.tree.bounds[p])) for p in players])
        return np.bincount(at, gets, self.variables).astype(float)

    def matrix(self) -> Any:
        """All rows."""
        from scipy.sparse import csr_array

        at = np.repeat(np.arange(len(self.rows)), [len(columns) for columns, _ in self.rows])
        columns, values = _joined(self.rows)
        return csr_array((values, (at, columns)), (len(self.rows), self.variables))

    def solve(self, weights: Floats) -> Floats:
        """The best point."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_array, hstack

        equal = self.plans.equal
        wide = csr_array((equal.shape[0], self.variables - equal.shape[1]))
        bounds = [(0.0, None)] * self.plans.variables + [(None, None)] * (self.variables - self.plans.variables)
        found = linprog(
            -weights / (np.abs(weights).max(initial=0.0) or 1.0), self.matrix(), np.zeros(len(self.rows)),
            hstack([equal, wide], format="csr"), self.plans.right, bounds, method="highs", options=TIGHT,
        )  # fmt: skip
        if found.status != 0:
            raise GameError(f"HiGHS did not solve the linear program: {str(found.message).split(chr(10))[0]}")
        return np.asarray(found.x)

    def violation(self, x: Floats) -> float:
        """The largest of what must not be above 0."""
        return float((self.matrix() @ x).max(initial=0.0))


def _joined(parts: Sequence[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    if not parts:
        return np.zeros(0, np.int64), np.zeros(0)
    return np.concatenate([at for at, _ in parts]), np.concatenate([values for _, values in parts])
