"""Cells of empirical games as tasks for workers: threads, other processes, or Ray."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from parlor.agents.registry import concrete_game
from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.game.seats.play import Agent
from parlor.population.empirical.cells import Tally, play_cell
from parlor.runs.saved_agents import load_agent
from parlor.runs.workers import Pool, WorkerError


@dataclass(frozen=True)
class CellTask:
    """Some deals of a cell."""

    game: Game | str
    agents: tuple[Agent | str, ...]
    labels: tuple[str, ...]
    deals: int
    seed: int
    first: int
    drawn: bool


def play_task(task: CellTask) -> Tally | str:
    """Play, here or in another process; a sentence if that is impossible."""
    try:
        agents = [_loaded(one, str(task.game)) if isinstance(one, str) else one for one in task.agents]
        return play_cell(as_game(task.game), agents, task.labels, task.deals, task.seed, task.first, task.drawn)
    except Exception as error:  # whatever somebody's agent does
        said = str(error) or "no message"
        return said if isinstance(error, GameError) else f"{type(error).__name__}: {said.rstrip('.')}."


def results_of(pool: Pool, tasks: Sequence[CellTask]) -> Generator[Tally | str, None, None]:
    """The results of tasks; if a worker dies again and again, one task at a time, to see which one it dies of."""
    done = 0
    try:
        for result in pool.map(play_task, tasks):
            yield result
            done += 1
    except WorkerError:
        for task in tasks[done:]:
            try:
                yield from pool.map(play_task, [task])
            except WorkerError:
                yield "The process that played it died, and so did others that tried."


@lru_cache(maxsize=1024)
def _loaded(text: str, game: str) -> Agent:
    return load_agent(text, concrete_game(as_game(game)))
