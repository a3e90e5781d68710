"""`abr`: an approximate best response with search to the opponents of the run, see `parlor.learn.abr`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from parlor.game import GameError
from parlor.learn.abr import Abr
from parlor.learn.abr_settings import AbrSettings
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import OpponentArrays, against_all
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.runs.files.container import FileError
from parlor.runs.learners.learner import NONE, Entry, Job, LearnerRow, NetworkLearner
from parlor.runs.measures import MetricColumn

RANDOM = "random"


class AbrLearner(NetworkLearner):
    """An approximate best response in a run."""

    def __init__(self, job: Job) -> None:
        opponents = [opponent(job, name) for name in job.against or (RANDOM,)]
        self.learned = Abr(job.game, job.settings, job.seed, against_all(job.game, opponents))
        self.opponents = fingerprint(self.learned.members)

    def policy(self) -> NetworkPolicy:
        """The current policy."""
        return self.learned.strategy(algorithm="abr")

    def statistics(self) -> dict[str, Any]:
        """The payoff by search in the last round of training, and the losses of the networks."""
        found = {"training_payoff": self.learned.payoff, "loss": self.learned.loss, "decisions": self.learned.decisions}
        return found | ({"belief_loss": self.learned.belief_loss} if self.learned.belief is not None else {})

    def work(self) -> dict[str, int]:
        """Searches, and gradient steps."""
        return {"decisions": self.learned.decisions, "updates": self.learned.network.steps}

    def entries(self) -> Iterator[Entry]:
        """All arrays, as one entry."""
        yield self.learned.state() | {"opponents": self.opponents}

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Restore the arrays, if the opponents are the same."""
        [state] = entries
        if "opponents" in state and not np.array_equal(state["opponents"], self.opponents):
            raise FileError(
                "The run cannot go on against other opponents: a file of theirs has changed, or a folder has a newer "
                "checkpoint. Start a new run; opponents that are files of checkpoints stay the same."
            )
        super().restore([state], games)


def fingerprint(members: OpponentArrays) -> Any:
    """A hash of all that opponents do."""
    found = hashlib.sha256()
    for array in members:
        found.update(np.ascontiguousarray(array).tobytes())
    return np.frombuffer(found.digest(), np.uint8)


def opponent(job: Job, name: str) -> Strategy:
    """An opponent of the run as a strategy that can be learned against."""
    if name.partition("(")[0] == RANDOM:
        return Policy.uniform(job.game)
    try:
        if job.read is None:
            raise FileError("This run reads no files.")
        return job.read(name)
    except (GameError, FileError) as error:
        raise GameError(
            f"abr learns against {RANDOM}, or against saved strategies: files, and folders of runs. {error}"
        ) from None


MEASURES = {
    "training_payoff": MetricColumn("Payoff in training, by search", "higher"),
    "loss": MetricColumn("Loss"),
    "belief_loss": MetricColumn("Loss of the belief network"),
    "decisions": MetricColumn("Searches"),
}
USUAL = {"games": 10_000, "evaluate_every": 1_000, "checkpoint_every": 5_000, "against": (RANDOM,)}

ROW = LearnerRow(
    "a best response to the opponents of the run, from search with networks that learn; needs JAX",
    AbrSettings,
    AbrLearner,
    (NONE,),
    usual=USUAL,
    measures=MEASURES,
    step=lambda settings, parallel: int(settings.round),
    opponents="others, who do not learn",
)
