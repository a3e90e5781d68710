"""Oracles at work: in other processes if they are slow, and none is asked twice.

To another process goes a task without the rules of the game and the plans, which do not travel. In a run, every answer
is kept in `answers/` as soon as it is there, until its iteration is complete: what took an oracle minutes is not
computed again if another one fails, or if the run is killed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from parlor.game.loading.registry import check_files, files_of
from parlor.policies.strategy import Strategy
from parlor.population.oracles import ORACLES
from parlor.population.run.cells import loaded
from parlor.population.task import Task
from parlor.runs.files.policy_files import FileError
from parlor.runs.files.strategy_files import load_strategy, write_strategy
from parlor.runs.provenance import environment
from parlor.runs.workers import Pool, ThreadPool

ANSWERS = "answers"


class Answers:
    """The answers of an iteration that is not complete, in the folder of a run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / ANSWERS

    def _path(self, task: Task) -> Path:
        return self.folder / f"{task.iteration:08d}-{task.player}.npz"

    def find(self, task: Task) -> Strategy | None:
        """Return the stored answer to a task; None if there is none."""
        path = self._path(task)
        with contextlib.suppress(FileError):
            return load_strategy(path) if path.exists() else None
        return None

    def keep(self, task: Task, strategy: Strategy) -> None:
        """Keep an answer; it is on the disk when this returns."""
        write_strategy(strategy, self._path(task), {"made": environment()})

    def clear(self, but: int = -1) -> None:
        """Remove all, except those of one iteration."""
        for path in self.folder.glob("*.npz"):
            if not path.name.startswith(f"{but:08d}-"):
                path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self.folder.rmdir()  # if it is empty


@dataclass(frozen=True)
class OracleQuestion:
    """A task on its way to another process."""

    oracle: str
    files: Mapping[str, str]  # of its code, if that lies outside Parlor
    game: str
    task: Task  # without its game


class Asker:
    """Asks an oracle about several tasks at once; an exact one takes milliseconds, and is asked here."""

    def __init__(self, oracle: str, pool: Pool, answers: Answers | None = None) -> None:
        self.oracle, self.pool, self.answers = oracle, pool, answers
        self.row, self.files = ORACLES.row(oracle), files_of([oracle])
        if not isinstance(pool, ThreadPool):
            ORACLES.check_lasting(oracle, "another process")

    def __call__(self, tasks: Sequence[Task]) -> list[Strategy]:
        """The answers in the order of the tasks."""
        if self.row.exact:
            return [self.row.respond(task) for task in tasks]
        kept = {task.player: self.answers.find(task) if self.answers else None for task in tasks}
        known = {player: one for player, one in kept.items() if one is not None}
        missing = [task for task in tasks if task.player not in known]
        nothing: Any = None
        if isinstance(self.pool, ThreadPool):
            found = self.pool.as_completed(self.row.respond, missing)
        else:
            questions = [
                OracleQuestion(self.oracle, self.files, task.game.name, replace(task, game=nothing)) for task in missing
            ]
            found = self.pool.as_completed(answer, questions)
        for number, strategy in found:
            if self.answers:
                self.answers.keep(missing[number], strategy)
            known[missing[number].player] = strategy
        return [known[task.player] for task in tasks]


def answer(question: OracleQuestion) -> Strategy:
    """Ask the oracle, in a worker."""
    check_files(question.files)
    return ORACLES.row(question.oracle).respond(replace(question.task, game=loaded(question.game)))
