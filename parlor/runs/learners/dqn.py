"""`dqn` and `boltzmann-dqn`: a network that learns the values of actions in self-play, see `parlor.learn.dqn`."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from parlor.game import GameError
from parlor.learn.dqn import BoltzmannSettings, Dqn, DqnSettings
from parlor.policies.network import NetworkPolicy
from parlor.runs.learners.learner import NONE, Entry, Job, LearnerRow
from parlor.runs.measures import MetricColumn


class DqnLearner:
    """DQN in a run."""

    def __init__(self, name: str, job: Job) -> None:
        self.name = name
        self.dqn = Dqn(job.game, job.settings, job.seed)

    @property
    def games(self) -> int:
        """Games played so far."""
        return self.dqn.games

    def run_to(self, games: int) -> None:
        """Continue until so many games have been played."""
        self.dqn.run_to(games)

    def policy(self) -> NetworkPolicy:
        """The network as it is now."""
        return self.dqn.network(algorithm=self.name)

    def statistics(self) -> dict[str, Any]:
        """The loss of the last training, and how much the learner explores."""
        return {"loss": self.dqn.loss, "decisions": self.dqn.decisions} | self.dqn.exploration

    def work(self) -> dict[str, int]:
        """Decisions of all players, and gradient steps."""
        return {"decisions": self.dqn.decisions, "updates": self.dqn.trainer.steps}

    def entries(self) -> Iterator[Entry]:
        """All arrays, as one entry."""
        yield self.dqn.state()

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Restore the arrays."""
        [state] = entries
        if not state:
            raise GameError("It is only a network: what training needs to go on was removed when newer ones came.")
        self.dqn.restore(state, games)

    def close(self) -> None:
        """Do nothing: it has no workers."""


MEASURES = {
    "loss": MetricColumn("Loss"),
    "explore": MetricColumn("Random moves", scale="share"),
    "temperature": MetricColumn("Temperature"),
    "decisions": MetricColumn("Decisions"),
}
USUAL = {"games": 200_000, "evaluate_every": 10_000, "checkpoint_every": 50_000}


def _row(name: str, summary: str, settings: type[DqnSettings]) -> LearnerRow:
    return LearnerRow(summary, settings, functools.partial(DqnLearner, name), (NONE,), usual=USUAL, measures=MEASURES)


DQN = _row("dqn", "a network of the values of actions, which plays the best; needs JAX; any size", DqnSettings)
BOLTZMANN = _row(
    "boltzmann-dqn", "a network of the values of actions, which plays a softmax; needs JAX; any size", BoltzmannSettings
)
