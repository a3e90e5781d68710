"""Solving as a run: the same as `parlor.solve`, in a folder that can be stopped, killed and resumed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Self

from parlor.game import GameError
from parlor.game.loading.registry import files_of
from parlor.game.parameters import Settings, declared, setting
from parlor.policies.policy import Policy
from parlor.runs.files.strategy_files import load_policy
from parlor.runs.measures import EXPLOITABILITY
from parlor.runs.run import Run, save_checkpoint
from parlor.runs.workers import WorkerOptions
from parlor.solvers.solve import Solve
from parlor.solvers.solver import ResumableSolver
from parlor.solvers.tree_cfr.iteration import Lock

CHECKPOINT_SECONDS = 60.0  # between two checkpoints, at least
BY = "iterations"
MEASURES = {"exploitability": EXPLOITABILITY}


@dataclass(frozen=True)
class SolveConfig(Settings):
    """The configuration of a solve: everything that its result depends on, but the contents of its policies."""

    game: str = setting("", "the game, with its options and its abstraction")
    algorithm: str = setting("cfr+", "the algorithm")
    iterations: int = setting(0, "iterations in all; 0 for no such limit", low=0)
    until: float = setting(0.0, "stop when the exploitability is at most this; 0 for no such limit", low=0.0)
    seed: int = setting(0, "the seed of the sampling algorithms", low=0, high=2**63 - 1)
    lock: str = setting("", "the file of a policy that is kept", names="file")
    lock_weight: float = setting(1.0, "in which share of games it is kept", low=0.0, high=1.0)
    lock_players: tuple[int, ...] = setting((), "the players that keep it", items=int)
    warm: str = setting("", "the file of a policy to begin with", names="file")
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the algorithm, by name
    files: Any = None  # name -> hash of the file, of code outside Parlor

    def __post_init__(self) -> None:
        """Refuse invalid settings."""
        super().__post_init__()
        if self.files is None:
            object.__setattr__(self, "files", files_of([self.algorithm]))

    def data(self) -> dict[str, Any]:
        """As it goes to JSON."""
        return super().data() | {"settings": dict(self.settings)} | ({"files": self.files} if self.files else {})

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """As it comes from JSON."""
        values: dict[str, Any] = {name: dict(data.get(name, {})) for name in ("settings", "files")}
        return cls(**values, **{one.name: one.read(data[one.name]) for one in declared(cls) if one.name in data})


def policies_of(given: SolveConfig) -> tuple[Lock | None, Policy | None]:
    """The lock and the policy to begin with, read from their files."""
    if not given.lock and (given.lock_weight != 1.0 or given.lock_players):
        raise GameError("lock_weight and lock_players belong to a lock, and there is none.")
    lock = Lock(load_policy(given.lock), given.lock_weight, tuple(given.lock_players)) if given.lock else None
    return lock, load_policy(given.warm) if given.warm else None


class SolveRun(Run[SolveConfig, Solve]):
    """A solve in its folder; a step is a tenth of a second or so, and the exploitability is measured now and then."""

    kind = "solving"
    config_type = SolveConfig
    by = BY
    ends = ("iterations", "until")

    def make(self, workers: WorkerOptions, stack: ExitStack, going: Callable[[], bool]) -> Solve:
        """The solve."""
        c = self.config
        work = Solve(
            self.game, c.algorithm, c.iterations or None, c.until or None, c.seed, workers.workers, c.settings,
            *policies_of(c),
        )  # fmt: skip
        if not isinstance(work.solver, ResumableSolver):
            raise GameError(f"{c.algorithm} cannot be resumed, so it needs no folder: it has no entries and restore.")
        self._solver: ResumableSolver = work.solver
        return work

    def restore(self, work: Solve, loaded: Any, stack: ExitStack) -> None:
        """Restore the numbers of the solver."""
        if loaded is not None:
            head, entries = loaded
            self._solver.restore(entries, head[BY])

    def done(self, work: Solve) -> int:
        """Iterations so far."""
        return work.done

    def over(self, work: Solve) -> bool:
        """Whether there are enough iterations, or the exploitability is low enough."""
        return work.finished

    @property
    def goal(self) -> int:
        """The number of iterations at which the run ends."""
        return self.config.iterations or 1 << 62

    def start(self, work: Solve) -> None:
        """Go on with the curve."""
        work.curve = [(row[BY], row["exploitability"]) for row in self.rows if "exploitability" in row]
        self._steps, self._saved = work.steps(), time.perf_counter()

    def step(self, work: Solve) -> None:
        """Iterate for a moment; where the exploitability is measured, log it."""
        measured = len(work.curve)
        next(self._steps, None)
        self.seconds = work.seconds
        if len(work.curve) == measured:
            return
        self.log({BY: work.done, "exploitability": work.curve[-1][1]})
        self.metrics.log_timing({BY: work.done, "seconds": self.seconds})
        if time.perf_counter() - self._saved >= CHECKPOINT_SECONDS:
            self.checkpoint(work)

    def checkpoint(self, work: Solve) -> None:
        """Save the policy with the numbers of the solver."""
        entries = self._solver.entries()
        self.last = save_checkpoint(self.folder, self.head(work), self.game, work.policy(), entries, BY)
        self._saved = time.perf_counter()
