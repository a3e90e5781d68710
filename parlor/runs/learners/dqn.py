"""`dqn` and `boltzmann-dqn`: a network that learns the values of actions in self-play, see `parlor.learn.dqn`."""

from __future__ import annotations

import functools
from typing import Any

from parlor.learn.dqn import BoltzmannSettings, Dqn, DqnSettings
from parlor.policies.network import NetworkPolicy
from parlor.runs.learners.learner import NONE, Job, LearnerRow, NetworkLearner
from parlor.runs.measures import MetricColumn


class DqnLearner(NetworkLearner):
    """DQN in a run."""

    def __init__(self, name: str, job: Job) -> None:
        self.name = name
        self.learned = Dqn(job.game, job.settings, job.seed)

    def policy(self) -> NetworkPolicy:
        """The network as it is now."""
        return self.learned.network(algorithm=self.name)

    def statistics(self) -> dict[str, Any]:
        """The loss of the last training, and how much the learner explores."""
        return {"loss": self.learned.loss, "decisions": self.learned.decisions} | self.learned.exploration

    def work(self) -> dict[str, int]:
        """Decisions of all players, and gradient steps."""
        return {"decisions": self.learned.decisions, "updates": self.learned.trainer.steps}


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
