"""`ppo`, `mmd`, `a2c`, `qpg`, `rpg`, `rmpg`: networks that learn by policy gradients, see `parlor.learn.gradient`."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from parlor.agents.agent import CompiledAgent
from parlor.agents.as_opponent import against_agent
from parlor.agents.registry import is_path
from parlor.game import GameError
from parlor.learn.gradient.actors import GamesAgainst
from parlor.learn.gradient.learner import PolicyGradient
from parlor.learn.gradient.updates import ROWS
from parlor.policies.network import NetworkPolicy
from parlor.policies.strategy import Strategy
from parlor.runs.files.container import FileError
from parlor.runs.learners.abr import fingerprint
from parlor.runs.learners.learner import ORDERED, Entry, Job, LearnerRow, NetworkLearner
from parlor.runs.measures import MetricColumn
from parlor.runs.saved_agents import load_agent


class GradientLearner(NetworkLearner):
    """Policy gradients in a run, where a round counts as a game."""

    learned: PolicyGradient

    def __init__(self, name: str, job: Job) -> None:
        self.name = name
        names = job.settings.rivals
        saved = [one for one in names if _is_saved(one)]
        rivals = [_rival(job, one) for one in saved]
        agents = [_against(job, one) for one in names if one not in saved]
        self.learned = PolicyGradient(
            job.game, name, job.settings, job.seed, threads=job.workers, rivals=rivals, progress=job.progress,
            against=agents,
        )  # fmt: skip
        self._rivals = fingerprint(self.learned.past.members()) if rivals else np.zeros(0, np.uint8)

    @property
    def games(self) -> int:
        """Rounds so far."""
        return self.learned.rounds

    def policy(self) -> NetworkPolicy:
        """The network as it is now."""
        return self.learned.network(algorithm=self.name)

    def statistics(self) -> dict[str, Any]:
        """Measurements of the last update, and decisions so far."""
        return {**self.learned.measured, "decisions": self.learned.decisions, "finished": self.learned.finished}

    def work(self) -> dict[str, int]:
        """Decisions of the learner, and gradient steps."""
        return {"decisions": self.learned.decisions, "updates": self.learned.trainer.steps}

    def entries(self) -> Iterator[Entry]:
        """All arrays, as one entry."""
        yield self.learned.state() | {"rivals": self._rivals}

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Restore the arrays, if the rivals are the same."""
        [state] = entries
        if "rivals" in state and not np.array_equal(state["rivals"], self._rivals):
            raise FileError(
                "The run cannot go on against other rivals: a file of theirs has changed, or a folder has a newer "
                "checkpoint. Start a new run; rivals that are files of checkpoints stay the same."
            )
        super().restore([state], games)

    def close(self) -> None:
        """Stop the threads."""
        self.learned.close()


def _is_saved(name: str) -> bool:
    """Whether it names a file, or the folder of a run."""
    return is_path(name.partition("(")[0]) or os.path.exists(name)


def _against(job: Job, name: str) -> GamesAgainst:
    """The share of the games in which an agent has the other seats."""
    agent, share = load_agent(name, job.game), job.settings.rivals_share / len(job.settings.rivals)
    if not isinstance(agent, CompiledAgent):
        raise GameError(f"Nothing can be trained against {name}: it is not compiled.")
    against_agent(job.game, agent, job.seed)  # refuses what cannot be
    return GamesAgainst(share, functools.partial(against_agent, job.game, agent, job.seed))


def _rival(job: Job, name: str) -> Strategy:
    """A saved strategy to learn against."""
    if job.read is None:
        raise GameError("This run reads no files, so it has no rivals.")
    return job.read(name)


MEASURES = {
    "loss": MetricColumn("Loss"),
    "entropy": MetricColumn("Entropy of the policy"),
    "value_error": MetricColumn("Error of values"),
    "change": MetricColumn("Change in an update"),
    "decisions": MetricColumn("Decisions"),
    "finished": MetricColumn("Games"),
}
USUAL = {
    "games": 0, "minutes": 10.0, "evaluate_every": 0, "checkpoint_every": 0, "checkpoint_minutes": 1.0,
    "evaluate_games": 500,
}  # fmt: skip


def _row(name: str) -> LearnerRow:
    row = ROWS[name]
    return LearnerRow(
        f"a network that learns in self-play: {row.summary}; needs JAX; any size",
        row.settings,
        functools.partial(GradientLearner, name),
        (ORDERED,),
        usual=USUAL,
        measures=MEASURES,
        concrete=True,
    )


GRADIENTS = {name: _row(name) for name in ROWS}
