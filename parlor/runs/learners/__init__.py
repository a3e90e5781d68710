"""The learners, by name, and which one suits a game.

A new learner is a module with its settings and its row, and a line here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from parlor.game import Game, GameError
from parlor.runs.learners import mccfr, mccfr_public, rollout_cfr
from parlor.runs.learners.learner import PARALLEL, Entry, Job, Learner, LearnerRow, Plan
from parlor.settings import declared
from parlor.solvers.mccfr import traversal

__all__ = ["LEARNERS", "PARALLEL", "Entry", "Job", "Learner", "LearnerRow", "Plan", "choose_learner", "learner_row"]

LEARNERS: Mapping[str, LearnerRow] = {
    "rollout-cfr": rollout_cfr.ROW,
    "mccfr-external": mccfr.EXTERNAL,
    "mccfr-outcome": mccfr.OUTCOME,
    "mccfr-public": mccfr_public.ROW,
}

QUICK_LINES = 1e5  # in a traversal: a tenth of a second or so


def learner_row(name: str) -> LearnerRow:
    """The learner of that name, or a sentence."""
    if name not in LEARNERS:
        raise GameError(f"There is no algorithm {name!r}; there are {', '.join(LEARNERS)}.")
    return LEARNERS[name]


def choose_learner(game: Game, asked: Collection[str] = ()) -> tuple[str, str]:
    """A learner for a game, if nobody names one, and why; `asked` are settings that it must have."""
    if game.training.algorithm:
        return game.training.algorithm, f"as {game.name} declares"
    able = [name for name, row in LEARNERS.items() if set(asked) <= {one.name for one in declared(row.settings)}]
    if asked and able:
        return able[0], f"which has the setting {next(iter(asked))}"
    if game.players > 1 and traversal(game) <= QUICK_LINES:
        return "mccfr-external", "which converges, and its traversals of this game are quick"
    return "mccfr-outcome", "for the game is too large for the traversals of mccfr-external"
