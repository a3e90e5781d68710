"""The interface between a learner and a training run: run to a game, report statistics, save and restore."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from parlor.game import Game, GameError
from parlor.game.loading.registry import Outside, values_of
from parlor.game.parameters import Settings
from parlor.policies.strategy import Strategy
from parlor.runs.measures import MetricColumn

#: Numbers about one information set, as in a checkpoint; `key` is among them.
Entry = dict[str, Any]

NONE, ORDERED, UNORDERED = PARALLEL = ("none", "batch-ordered", "unordered")


class Learner(Protocol):
    """The interface of an algorithm to a training run."""

    @property
    def games(self) -> int:
        """Games learned from so far."""
        ...

    def run_to(self, games: int) -> None:
        """Continue until so many games have been learned from."""
        ...

    def policy(self) -> Strategy:
        """The current policy."""
        ...

    def statistics(self) -> dict[str, Any]:
        """Columns of metrics."""
        ...

    def work(self) -> dict[str, int]:
        """Amounts of work since the program began, in units that make sense per second."""
        ...

    def entries(self) -> Iterator[Entry]:
        """Everything that must be saved, in the order of the keys."""
        ...

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Restore the state in which the entries were saved."""
        ...

    def close(self) -> None:
        """Stop the workers, if there are any."""
        ...


class SolverLearner:
    """A learner that is a solver: a game is an iteration. Subclasses say what its policy and its statistics are."""

    solver: Any  # see `parlor.solvers.solver.ResumableSolver`

    @property
    def games(self) -> int:
        """Iterations so far."""
        return int(self.solver.iterations)

    def run_to(self, games: int) -> None:
        """Continue until so many iterations are done."""
        self.solver.run(games - self.games)

    def work(self) -> dict[str, int]:
        """No other work is counted than iterations."""
        return {}

    def entries(self) -> Iterator[Entry]:
        """Everything that must be saved."""
        found: Iterator[Entry] = self.solver.entries()
        return found

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Restore the state in which the entries were saved."""
        self.solver.restore(entries, games)

    def close(self) -> None:
        """Do nothing: threads of a solver end with every call."""


class NetworkLearner:
    """A learner whose networks play and learn: `parlor.learn.dqn.Dqn`, `parlor.learn.abr.Abr`."""

    learned: Any

    @property
    def games(self) -> int:
        """Games played so far."""
        return int(self.learned.games)

    def run_to(self, games: int) -> None:
        """Continue until so many games have been played."""
        self.learned.run_to(games)

    def entries(self) -> Iterator[Entry]:
        """All arrays, as one entry."""
        yield self.learned.state()

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Restore the arrays."""
        [state] = entries
        if not state:
            raise GameError("It is only a network: what training needs to go on was removed when newer ones came.")
        self.learned.restore(state, games)

    def close(self) -> None:
        """Do nothing: it has no workers."""


class ResourcePlan(Protocol):
    """A description of the training with its costs, made before it begins."""

    @property
    def advice(self) -> str:
        """Advice for a run without enough memory or disk space."""
        ...

    @property
    def memory(self) -> int:
        """Bytes that training takes."""
        ...

    @property
    def disk(self) -> int:
        """Bytes that checkpoints take."""
        ...

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Job:
    """The parts of a run that a learner needs."""

    game: Game
    settings: Any  # of the learner's settings class
    seed: int = 1
    parallel: str = NONE
    plan: Any = None  # what the learner's `plan` has made, if it has one
    workers: int = 1
    backend: str = "threads"
    address: str | None = None
    against: tuple[str, ...] = ()  # the opponents of its evaluations
    read: Callable[[str], Strategy] | None = None  # a saved strategy by its name
    progress: Callable[[], float] | None = None  # the share of the run that is done


def _one(settings: Any, parallel: str) -> int:
    return 1


@dataclass(frozen=True)
class LearnerRow:
    """A learner as the rest of Parlor sees it."""

    summary: str
    settings: type[Settings]
    make: Callable[[Job], Learner]
    parallel: tuple[str, ...]  # the modes it runs in, the usual one first
    backends: tuple[str, ...] = ("threads",)
    usual: Mapping[str, Any] = field(default_factory=dict)  # settings of every run with other defaults
    step: Callable[[Any, str], int] = _one  # by settings and mode: a run can stop at multiples of this
    plan: Callable[[Game, Any], ResourcePlan] | None = None
    measures: Mapping[str, MetricColumn] = field(default_factory=dict)  # the columns of its statistics
    opponents: str = "itself"  # whom it plays against
    concrete: bool = False  # it learns from all that players see: no abstraction, unless one is asked for


def from_outside(code: Outside) -> LearnerRow:
    """A class of a job as a learner, which runs alone."""

    def make(job: Job) -> Learner:
        learner: Learner = code(job, **values_of(job.settings))
        if missing := [name for name in METHODS if not hasattr(learner, name)]:
            raise GameError(f"{code.name} makes no learner: {type(learner).__name__} has no {', '.join(missing)}.")
        return learner

    return LearnerRow(code.summary, code.settings("job", makes=True), make, (NONE,))


METHODS = tuple(name for name in vars(Learner) if not name.startswith("_"))
