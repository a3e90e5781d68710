"""Logit equilibria of extensive games: everybody plays better moves more often, σ(a) ∝ exp(λ · what a is worth here).

McKelvey and Palfrey, *Quantal response equilibria for extensive form games* (1998). At each information set its player
is an agent of its own, who knows that all others, its later selves among them, err as it does. λ is the rationality: at
0 everything is equally likely; along the branch of equilibria from there towards infinity a Nash equilibrium is
approached. With log σ as unknowns, what an action is worth is a mean over the endings behind it, weighted by how likely
they are if it is played, and so is the derivative of that: both are products of sparse matrices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.game import Game, GameError
from parlor.game.parameters import Settings, setting
from parlor.policies.plans import sequence_policy
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import Endings, Floats, Tree, endings, tree
from parlor.solvers.exact.branch import Branch
from parlor.solvers.exact.sequence_program import need_scipy
from parlor.solvers.solver import SolverRow

MAX_SEQUENCES = 4000  # a step solves a dense system of so many equations


@dataclass(frozen=True)
class LogitSettings(Settings):
    """Settings of the logit solver."""

    rationality: float = setting(100.0, "λ, by which payoffs are multiplied; 0 is uniform play", low=0.0, high=1e9)


class LogitCurve:
    """Points (logits, λ) with logits = λ · worth of the actions; a `HomotopyCurve`."""

    def __init__(self, t: Tree) -> None:
        from scipy.sparse import csr_array

        need_scipy("logit")
        if t.sequences > MAX_SEQUENCES:
            raise GameError(
                f"{t.game.name} has {t.sequences:,} sequences; logit equilibria are followed in games of up to "
                f"{MAX_SEQUENCES:,}."
            )
        self.tree = t
        found = endings(t)
        self.starts = np.cumsum(t.counts) - t.counts
        place = np.full(t.sequences, -1)  # of a sequence among the unknowns
        place[t.rows] = np.arange(len(t.rows))
        ending, unknown = _paths(t, found, place)
        self.through = csr_array((np.ones(len(ending)), (ending, unknown)), (len(found.last), len(t.rows)))
        by_action = np.argsort(unknown, kind="stable")
        self.at, self.ending = unknown[by_action], ending[by_action]
        self.bounds = np.searchsorted(self.at, np.arange(len(t.rows) + 1))
        owner = np.repeat(t.player, t.counts)
        self.gains = found.payoffs[self.ending, owner[self.at]]
        self.chance = np.log(found.chance)
        blocks = [np.indices((n, n)).reshape(2, -1) + start for n, start in zip(t.counts, self.starts, strict=True)]
        self.together = np.hstack(blocks) if blocks else np.zeros((2, 0), np.int64)  # pairs of actions of an infoset

    def log_strategy(self, logits: Floats) -> Floats:
        """The logarithms of the probabilities of all actions."""
        counts = self.tree.counts
        level = logits - np.repeat(np.maximum.reduceat(logits, self.starts), counts)
        return np.asarray(level - np.repeat(np.log(np.add.reduceat(np.exp(level), self.starts)), counts))

    def worth(self, logs: Floats) -> tuple[Floats, Floats]:
        """The value of each action at its information set; and for each pair of action and ending, its likelihood."""
        likely = (self.chance + self.through @ logs)[self.ending]
        top = np.maximum.reduceat(likely, self.bounds[:-1])
        weight = np.exp(likely - top[self.at])
        weight /= np.add.reduceat(weight, self.bounds[:-1])[self.at]
        return np.add.reduceat(weight * self.gains, self.bounds[:-1]), weight

    def residual(self, point: Floats) -> Floats:
        """Logits less what they should be."""
        worth, _ = self.worth(self.log_strategy(point[:-1]))
        return np.asarray(point[:-1] - point[-1] * worth)

    def jacobian(self, point: Floats) -> Floats:
        """Of the residual, by logits and λ: [n, n + 1]."""
        from scipy.sparse import csr_array, eye_array

        logs = self.log_strategy(point[:-1])
        worth, weight = self.worth(logs)
        n = len(worth)
        excess = csr_array((weight * (self.gains - worth[self.at]), (self.at, self.ending)), (n, self.through.shape[0]))
        rows, columns = self.together
        spread = eye_array(n) - csr_array((np.exp(logs)[columns], (rows, columns)), (n, n))
        slope = (excess @ self.through @ spread).toarray()
        return np.hstack([np.eye(n) - point[-1] * slope, -worth[:, None]])


def _paths(t: Tree, found: Endings, place: Any) -> tuple[Any, Any]:
    """Pairs of an ending and an action on the way to it, whoever's, as unknowns."""
    owner = np.repeat(np.arange(t.infosets), t.counts)  # of unknowns: the infoset
    pairs = []
    for p in range(t.game.players):
        at, sequence = np.arange(len(found.last)), found.last[:, p]
        while True:
            kept = place[sequence] >= 0
            at, sequence = at[kept], sequence[kept]
            if not len(at):
                break
            pairs.append((at, place[sequence]))
            sequence = t.parent[owner[place[sequence]]].astype(np.int64)
    return np.concatenate([at for at, _ in pairs]), np.concatenate([unknown for _, unknown in pairs])


class Logit:
    """A solver whose iterations are steps along the branch, until λ is reached."""

    def __init__(self, game: Game, settings: LogitSettings) -> None:
        need_scipy("logit")
        self.game, self.tree = game, tree(game)
        self.curve = LogitCurve(self.tree)
        self.branch = Branch(self.curve, len(self.tree.rows), settings.rationality)
        self.iterations, self._stopped = 0, False

    def run(self, iterations: int) -> None:
        """So many steps along the branch."""
        for _ in range(iterations):
            if self._stopped or self.branch.reached or self.branch.lost:
                return
            self.branch.step()
            self.iterations += 1

    def policy(self) -> Policy:
        """The equilibrium that the branch has come to."""
        return policy_at(self.curve, self.branch.point)

    def facts(self) -> dict[str, str]:
        """The point on the branch that was reached."""
        found, goal = float(self.branch.point[-1]), self.branch.goal
        return {"rationality": f"{found:.6g}" + ("" if self.branch.reached else f" of {goal:g}: no farther step yet")}

    def stop(self) -> None:
        """Stop after this step."""
        self._stopped = True

    def go_on(self) -> None:
        """Undo a `stop`."""
        self._stopped = False


def policy_at(curve: LogitCurve, point: Floats) -> Policy:
    """A point of the branch as a policy."""
    strategy = np.ones(curve.tree.sequences)
    strategy[curve.tree.rows] = np.exp(curve.log_strategy(point[:-1]))
    return sequence_policy(curve.tree, strategy).with_about(rationality=float(point[-1]))


ROW = SolverRow(
    "the logit quantal response equilibrium on the branch from uniform play",
    lambda game, seed, threads, settings: Logit(game, settings),
    settings=LogitSettings,
    made="A logit equilibrium, in which everybody errs",
)
