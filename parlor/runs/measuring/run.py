"""Measuring exactly as a run: the walk through the information sets of a large game, stopped and resumed."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parlor.agents.policy_table import in_order
from parlor.compile import version
from parlor.game import Game, GameError
from parlor.game.parameters import Settings, setting
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.runs.files.container import UNREADABLE, content_hash, environment, read_arrays, write_arrays
from parlor.runs.run import CHECKPOINTS, Damaged, Run, check_head, checkpoints
from parlor.runs.saved_agents import read_policy
from parlor.runs.workers import WorkerOptions
from parlor.solvers.best_response import of_each_player
from parlor.solvers.large import MEMORY
from parlor.solvers.large.measurement import Measurement

CHECKPOINT_SECONDS = 30.0  # between two checkpoints, at least
BY = "tasks"


@dataclass(frozen=True)
class MeasureConfig(Settings):
    """The configuration of a measurement: everything that its result depends on."""

    game: str = setting("", "the game, with its options")
    policy: str = setting("", "the file of the policy that everybody follows; empty for uniform play")
    content: str = setting("", "the hash of what is in that file")
    memory: float = setting(MEMORY, "GiB of memory for all threads", low=0.01)


class MeasureRun(Run[MeasureConfig, Measurement]):
    """An exact measurement in its folder."""

    kind = "measuring"
    config_type = MeasureConfig
    by = BY
    ends = ("memory",)

    def make(self, workers: WorkerOptions, stack: ExitStack, going: Callable[[], bool]) -> Measurement:
        """The measurement, cut into its tasks."""
        self._going, self._saved = going, time.perf_counter()
        if self.config.policy and content_of(self.config.policy) != self.config.content:
            raise GameError(f"{self.config.policy} is not what it was when the measurement was begun.")
        strategy = strategy_in(self.game, self.config.policy)
        strategies = of_each_player(self.game, strategy)
        return Measurement(self.game, strategies, workers.workers, self.config.memory)

    def restore(self, work: Measurement, loaded: Any, stack: ExitStack) -> None:
        """Restore the results of tasks."""
        if loaded is not None:
            work.restore(loaded[1])

    def done(self, work: Measurement) -> int:
        """Tasks so far."""
        return work.done

    def over(self, work: Measurement) -> bool:
        """Whether everything is known."""
        return work.finished

    @property
    def goal(self) -> int:
        """The number of tasks is not known before the game is cut into them."""
        return 1 << 62

    def step(self, work: Measurement) -> None:
        """All that is left, with checkpoints on the way."""
        began = time.perf_counter()
        work.run(lambda measurement: self._between(measurement, began))
        row: dict[str, float] = {BY: work.done, "histories": work.histories, "infosets": work.infosets}
        if work.finished:
            found = work.evaluation()
            row |= {"nash_conv": found.nash_conv, "exploitability": found.exploitability}
        self.log(row)

    def checkpoint(self, work: Measurement) -> None:
        """Save the results of tasks; the checkpoint before remains."""
        path = self.folder / CHECKPOINTS / f"{work.done:08d}.npz"
        head = {"format": "parlor measurement", **self.head(work), "made": environment()}
        head |= {"game": self.game.name, "rules": version(self.game)}
        write_arrays(path, head, work.entries())
        self.last, self._saved = path, time.perf_counter()
        for older in checkpoints(self.folder)[2:]:
            older.unlink(missing_ok=True)

    def read_checkpoint(self, path: Path) -> tuple[dict[str, Any], Any]:
        """The header and the results."""
        try:
            head, arrays = read_arrays(path)
            check_head(path, head, BY)
        except UNREADABLE as error:
            raise Damaged(f"{path} is not a checkpoint, or it is damaged ({type(error).__name__}).") from None
        return head, arrays

    def _between(self, work: Measurement, began: float) -> bool:
        """Between two tasks."""
        self.seconds = time.perf_counter() - began
        if time.perf_counter() - self._saved >= CHECKPOINT_SECONDS:
            self.checkpoint(work)
        return self._going()


def content_of(policy: str) -> str:
    """The hash of a policy's file."""
    path = Path(policy)
    return content_hash(checkpoints(path)[0] if path.is_dir() else path)


def strategy_in(game: Game, policy: str) -> Strategy:
    """The strategy in a file or in a run's folder, as its game reads it; uniform play without one."""
    if not policy:
        return Policy.uniform(game)
    strategy = read_policy(policy)
    return in_order(game, dataclasses.replace(strategy, game=game.name)) if isinstance(strategy, Policy) else strategy
