"""Oracles at work: in other processes if they are slow, and none is asked twice.

To another process goes a task without the rules of the game and the plans, which do not travel. In a run, every answer
is kept in `answers/` as soon as it is there, until its iteration is complete: what took an oracle minutes is not
computed again if another one fails, or if the run is killed.

Payoffs of cells from games: every member of a cell sits in its own seat, and nobody changes seats.

The games of a cell are named by the seed and the cell, so that they are the same whoever plays them, in whatever order.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from parlor.agents.registry import policy_agent
from parlor.game import Game, GameError
from parlor.game.loading import as_game, load
from parlor.game.loading.registry import check_files, files_of
from parlor.game.rng import mix
from parlor.policies.strategy import Strategy
from parlor.population.empirical import cells
from parlor.population.empirical.empirical_game import Cell
from parlor.population.oracles import ORACLES, Task
from parlor.population.psro import OpponentArrays
from parlor.runs.files.container import FileError, environment
from parlor.runs.files.strategy_files import load_strategy, write_strategy
from parlor.runs.workers import Pool, ThreadPool

CELLS = 2  # names the random streams of cells
SHARES = 4  # of the cells, for each worker

Played = tuple[int, list[float], list[float]]  # games, sums, sums of squares


@dataclass(frozen=True)
class Share:
    """Some cells for one worker, with the members in them by player and number."""

    game: Game | str
    members: dict[tuple[int, int], Strategy]
    cells: Sequence[Cell]
    games: int
    seed: int


class CellSimulator:
    """Plays cells; `done` of `total` are played."""

    def __init__(self, game: Game, games: int, seed: int, pool: Pool | None = None) -> None:
        self.game, self.games, self.seed = game, games, mix(mix(0, seed), CELLS)
        self.pool: Pool = pool or ThreadPool(1)
        self.done = self.total = 0

    def __call__(self, cells: Sequence[Cell], members: OpponentArrays) -> list[Played]:
        """For each cell, how many games were played, and the sums of the payoffs and of their squares."""
        here = isinstance(self.pool, ThreadPool)
        size = max(1, -(-len(cells) // (SHARES * self.pool.workers)))
        shares = [
            Share(
                self.game if here else self.game.name,
                {(p, i): members[p][i] for cell in some for p, i in enumerate(cell)},
                some,
                self.games,
                self.seed,
            )
            for some in (cells[at : at + size] for at in range(0, len(cells), size))
        ]
        self.done, self.total = 0, len(cells)
        played: list[Played] = []
        for some in self.pool.map(play_share, shares):
            played += some
            self.done = len(played)
        return played


def play_share(share: Share) -> list[Played]:
    """Play the cells of a share."""
    game = loaded(share.game) if isinstance(share.game, str) else share.game
    agents = {place: policy_agent(one, game, name_of(*place)) for place, one in share.members.items()}
    played: list[Played] = []
    for cell in share.cells:
        names = [name_of(*place) for place in enumerate(cell)]
        seated = [agents[place] for place in enumerate(cell)]
        try:
            tally = cells.play_cell(game, seated, names, share.games, functools.reduce(mix, cell, share.seed))
        except GameError as error:
            raise GameError(f"The games between {', '.join(names)} could not be played: {error}") from None
        played.append((tally.games, tally.sums["payoff"].tolist(), tally.squares["payoff"].tolist()))
    return played


def name_of(player: int, number: int) -> str:
    """A member, for people; strategy 0 is uniform play."""
    return f"strategy {number} of player {player}"


@functools.lru_cache(maxsize=4)
def loaded(name: str) -> Game:
    """One game for each worker process, so that nothing is compiled twice."""
    return as_game(load(name))


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
