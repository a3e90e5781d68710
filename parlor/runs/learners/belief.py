"""`belief`: what is hidden in a game, learned from games of given agents; see `parlor.learn.belief.training`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from parlor.agents.searching.searching import self_play_policy
from parlor.game.parameters import setting
from parlor.learn.belief.training import FieldBeliefLearner, FieldBeliefSettings
from parlor.policies.field_belief import FieldBelief
from parlor.runs.learners.learner import NONE, Entry, Job, LearnerRow, NetworkLearner
from parlor.runs.measures import MetricColumn
from parlor.runs.saved_agents import load_compiled_agent


@dataclass(frozen=True)
class BeliefSettings(FieldBeliefSettings):
    """The same, and whose games they are."""

    of: tuple[str, ...] = setting(("random",), "agents and files whose games it learns from, in all seats in turn")


class BeliefLearner(NetworkLearner):
    """A belief in a run."""

    def __init__(self, job: Job) -> None:
        players = [self_play_policy(job.game, load_compiled_agent(name, job.game)) for name in job.settings.of]
        self.learned = FieldBeliefLearner(job.game, job.settings, job.seed, players)
        self.of = list(job.settings.of)

    def policy(self) -> FieldBelief:
        """The belief as it is now."""
        return self.learned.trainer.belief(algorithm="belief", games=self.games, of=self.of)

    def statistics(self) -> dict[str, Any]:
        """The loss, and how much better the true world is recognized than by chance alone, in games held out."""
        belief = self.policy()
        found = {"loss": self.learned.trainer.loss, "decisions": self.learned.decisions}
        return found | {"gain": belief.about["gain"], "trust": belief.trust}

    def work(self) -> dict[str, int]:
        """Decisions of all players, and gradient steps."""
        return {"decisions": self.learned.decisions, "updates": self.learned.trainer.network.steps}

    def entries(self) -> Iterator[Entry]:
        """All arrays, as one entry."""
        yield self.learned.state()


MEASURES = {
    "loss": MetricColumn("Loss"),
    "gain": MetricColumn("Nats above chance, in games held out", "higher"),
    "trust": MetricColumn("Power of its weights", scale="share"),
    "decisions": MetricColumn("Decisions"),
}
USUAL = {"games": 20_000, "evaluate_every": 2_000, "checkpoint_every": 10_000, "against": ()}

ROW = LearnerRow(
    "a belief of what is hidden, from games of the agents that it is given; for searches; needs JAX",
    BeliefSettings,
    BeliefLearner,
    (NONE,),
    usual=USUAL,
    measures=MEASURES,
    opponents="nobody: it watches those that it learns from",
    concrete=True,
)
