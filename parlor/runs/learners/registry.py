"""The learners, by name, and which one suits a game.

A new learner is a module with its settings and its row, and a line here.
"""

from __future__ import annotations

from collections.abc import Collection

from parlor.game import Game
from parlor.game.loading.registry import Registry
from parlor.game.parameters import declared
from parlor.runs.learners import abr, belief, dqn, gradient, mccfr, mccfr_public, rollout_cfr
from parlor.runs.learners.learner import PARALLEL, Entry, Job, Learner, LearnerRow, from_outside
from parlor.solvers.sampling.mccfr import traversal

__all__ = [
    "LEARNERS",
    "PARALLEL",
    "Entry",
    "Job",
    "Learner",
    "LearnerRow",
    "choose_learner",
]

LEARNERS = Registry("algorithm", "dqn", "parlor.learners", LearnerRow, from_outside)
LEARNERS |= {
    "rollout-cfr": rollout_cfr.ROW,
    "abr": abr.ROW,
    "belief": belief.ROW,
    "boltzmann-dqn": dqn.BOLTZMANN,
    "dqn": dqn.DQN,
    "mccfr-external": mccfr.EXTERNAL,
    "mccfr-outcome": mccfr.OUTCOME,
    "mccfr-robust": mccfr.ROBUST,
    "mccfr-public": mccfr_public.ROW,
    **gradient.GRADIENTS,
}

QUICK_LINES = 1e5  # in a traversal: a tenth of a second or so


def choose_learner(game: Game, requested: Collection[str] = ()) -> tuple[str, str]:
    """A learner for a game and why it was chosen; `requested` are settings that it must have."""
    if game.training.algorithm:
        return game.training.algorithm, f"as {game.name} declares"
    choice, why = "mccfr-outcome", "because the game is too large for the traversals of mccfr-external"
    if game.players > 1 and traversal(game) <= QUICK_LINES:
        good = game.players == 2 and game.kind == "zero-sum"
        choice, why = "mccfr-external", f"{'which converges, and its' if good else 'whose'} traversals are quick here"
    anywhere = {name: row for name, row in LEARNERS.items() if row.plan is None}  # others need a game that names them
    able = [name for name, row in anywhere.items() if set(requested) <= {one.name for one in declared(row.settings)}]
    if not able or choice in able:
        return choice, why
    return able[-1], f"which has the setting {next(iter(requested))}"
