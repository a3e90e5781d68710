"""`rollout-cfr`: regret minimisation by rollouts, see `parlor.solvers.sampling.rollout_cfr`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from parlor.game.parameters import setting
from parlor.policies.policy import Policy
from parlor.runs.learners.executors import BACKENDS, start_workers
from parlor.runs.learners.learner import NONE, ORDERED, UNORDERED, Entry, Job, LearnerRow
from parlor.runs.measures import INFOSETS, POLICY, REGRET, MetricColumn
from parlor.solvers.sampling.rollout_cfr import RolloutCfr, Row
from parlor.solvers.sampling.rollouts import RolloutSettings, Simulator


@dataclass(frozen=True)
class RolloutCfrSettings(RolloutSettings):
    """The settings of the solver, and the size of batches."""

    batch: int = setting(10, "games that start from the same table, when batch-ordered", low=1)


class RolloutLearner:
    """Plays its games with workers of its own."""

    def __init__(self, job: Job) -> None:
        simulator = Simulator(job.game, job.settings, job.seed)
        self.workers = start_workers(job.backend, job.workers, job.address, simulator)
        self.solver = RolloutCfr(job.game, job.settings, job.seed)
        self.batch = {NONE: 1, ORDERED: job.settings.batch, UNORDERED: None}[job.parallel]

    @property
    def games(self) -> int:
        """Games learned from so far."""
        return self.solver.games

    def run_to(self, games: int) -> None:
        """Continue until so many games have been learned from."""
        self.solver.run(games - self.games, self.batch, self.workers)

    def policy(self) -> Policy:
        """The average of the recent policies."""
        return self.solver.policy()

    def statistics(self) -> dict[str, Any]:
        """Regrets, updates and probabilities."""
        found = self.solver.statistics()
        names: dict[int, str] = {}
        if (read := self.solver.game.words.decode_key) is not None:
            for row in self.solver.rows():
                names |= dict(zip(row.actions, read(row.key)["actions"], strict=True))
        return found | {"policy": {names.get(a, str(a)): share for a, share in found["policy"].items()}}

    def work(self) -> dict[str, int]:
        """Rollouts and steps."""
        return {"rollouts": self.solver.rollouts, "steps": self.solver.steps}

    def entries(self) -> Iterator[Entry]:
        """The rows of the table."""
        return (dict(vars(row)) for row in self.solver.rows())

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Restore the rows."""
        names = Row.__dataclass_fields__
        rows = ({name: entry[name] for name in names} for entry in entries)
        self.solver.restore((Row(**row) for row in rows), games)

    def close(self) -> None:
        """Stop the workers."""
        self.workers.close()


def _step(settings: RolloutCfrSettings, parallel: str) -> int:
    return settings.batch if parallel == ORDERED else 1


ROW = LearnerRow(
    "evaluates every action of every decision by rollouts; for games too large for anything else",
    RolloutCfrSettings,
    RolloutLearner,
    (ORDERED, UNORDERED, NONE),
    BACKENDS,
    step=_step,
    measures={
        "regret": REGRET,
        "infosets": INFOSETS,
        "updates": MetricColumn(
            "Quantiles of updates per information set",
            scale="log",
            lines={"100": "most", "90": "90 %", "75": "75 %", "50": "median", "25": "25 %", "0": "least"},
        ),
        "policy": POLICY,
    },
)
