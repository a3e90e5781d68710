"""Oracles in other processes: a task without what does not travel, the rules of the game and the plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from parlor.runs.population.cells import loaded
from parlor.runs.workers import Pool, ThreadPool
from parlor.solvers.population.oracles import Task, oracle_row
from parlor.strategy import Strategy


@dataclass(frozen=True)
class Question:
    """A task on its way."""

    oracle: str
    game: str
    task: Task  # without its game


class Asker:
    """Asks an oracle about several tasks at once; one that is exact takes milliseconds, and is asked here."""

    def __init__(self, oracle: str, pool: Pool) -> None:
        self.oracle, self.pool = oracle, pool

    def __call__(self, tasks: Sequence[Task]) -> list[Strategy]:
        """The answers in the order of the tasks."""
        row = oracle_row(self.oracle)
        if row.exact:
            return [row.respond(task) for task in tasks]
        if isinstance(self.pool, ThreadPool):
            return list(self.pool.map(row.respond, tasks))
        nothing: Any = None
        questions = [Question(self.oracle, task.game.name, replace(task, game=nothing)) for task in tasks]
        return list(self.pool.map(answer, questions))


def answer(question: Question) -> Strategy:
    """Ask the oracle, in a worker."""
    return oracle_row(question.oracle).respond(replace(question.task, game=loaded(question.game)))
