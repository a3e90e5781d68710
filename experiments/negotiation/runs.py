"""What the tournament of negotiators is made of: PSRO runs, each in its folder, and empirical games in their files.

All of it can be interrupted: a run goes on from its newest checkpoint, an empirical game from the games it has.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from experiments.lab import Lab, MissingError, digest, loaded
from parlor.game.errors import GameError
from parlor.policies.mixture import independent
from parlor.policies.population import Population
from parlor.population.empirical.empirical_game_files import load_empirical_game
from parlor.population.empirical.empirical_games import SimulatedGame, add_agents
from parlor.population.run.checkpoints import PsroConfig
from parlor.population.run.run import PsroRun
from parlor.runs.files.population_files import load_everybody
from parlor.runs.files.strategy_files import save
from parlor.runs.run import CONFIG, newest
from parlor.runs.workers import start_pool

PARTS = ("oracle", "cells", "meta", "measure")  # of an iteration, each with its seconds
PAUSE = 5.0  # seconds between two times that a file is written
SILENCE = 60.0  # seconds between two lines that say how far it is


@dataclass(frozen=True)
class Workers:
    """Who does the work."""

    count: int = 1
    backend: str = "processes"  # or ray
    address: str | None = None  # of a Ray cluster


# ------------------------------------------------------------------------------------------------------------ training


@dataclass(frozen=True)
class Training:
    """A PSRO run, kept in a folder."""

    solver: str
    backup: str
    config: PsroConfig
    label: str = ""  # what tells it from others of the same solver and value

    @property
    def name(self) -> str:
        """Of the run."""
        return "-".join(filter(None, (self.solver, self.backup, self.label)))

    @property
    def about(self) -> dict[str, Any]:
        """All that its result depends on."""
        return {"config": self.config.data(), "rules": loaded(self.config.game)[1]}

    def folder(self, lab: Lab) -> Path:
        """Of the run."""
        return lab.folder / "runs" / f"{self.name}-{digest(self.about)}"

    def ask(self, lab: Lab) -> dict[str, Any]:
        """What came of the run, from before if it is over."""
        found: dict[str, Any] = lab.keep(f"train-{self.name}", self.about, lambda: self._grow(self.folder(lab)))
        return found

    def _grow(self, folder: Path) -> dict[str, Any]:
        run = PsroRun.resume(folder) if (folder / CONFIG).exists() else PsroRun.begin(folder, self.config)
        run.run()
        timing = [json.loads(line) for line in (folder / "timing.jsonl").read_text().splitlines()]
        last = run.rows[-1]
        return {
            "iterations": last["iteration"],
            "seconds": {part: sum(row.get(part, 0.0) for row in timing) for part in PARTS},
            "values": last["values"],
            "welfare": [row["social_welfare"] for row in run.rows],
            "support": last["support"],
            "notes": sorted({row["note"] for row in run.rows if "note" in row}),
        }


def train(lab: Lab, trainings: Sequence[Training], workers: Workers) -> dict[str, str]:
    """Make these runs, each in one process: this one, if there is no other. Those that failed, and why."""
    alone = workers.backend == "processes" and workers.count == 1
    with start_pool("threads" if alone else workers.backend, workers.count, workers.address) as pool:
        failed = pool.map(_ask, [(training, lab) for training in trainings])
        return {training.name: said for training, said in zip(trainings, failed, strict=True) if said}


def _ask(task: tuple[Training, Lab]) -> str:
    training, lab = task
    try:
        training.ask(lab)
    except GameError as error:
        print(f" {error}", flush=True)
        return str(error)
    return ""


def newest_of(run: Path, path: Path) -> str:
    """A population of the newest strategy of each player of a run, written to a file."""
    checkpoint = newest(run)
    assert checkpoint is not None
    members = tuple((some[-1],) for some in load_everybody(checkpoint).members)
    save(Population(members, independent([np.ones(1)] * len(members))), path)
    return str(path)


# ------------------------------------------------------------------------------------------------------ empirical games


@dataclass(frozen=True)
class Pairs:
    """Every pair of some agents, in drawn seats."""

    name: str
    game: str
    agents: tuple[str, ...]
    games: int  # of each pair
    seed: int

    @property
    def about(self) -> dict[str, Any]:
        """All that the result depends on; what agents are made from is in their names."""
        names = [Path(agent).as_posix() for agent in self.agents]
        rules = loaded(self.game)[1]
        return {"game": self.game, "agents": names, "games": self.games, "seed": self.seed, "rules": rules}

    def file(self, lab: Lab) -> Path:
        """In which they are kept; more games of each pair are added to the same one."""
        return lab.folder / f"{self.name}-{digest({**self.about, 'games': 0})}.npz"

    def ask(self, lab: Lab, workers: Workers) -> SimulatedGame:
        """The empirical game with all its games, or with all that could be played."""
        file = self.file(lab)
        made = load_empirical_game(file) if file.exists() else SimulatedGame.of(self.game, self.seed, symmetric=True)
        add_agents(made, self.agents, known=True)
        if lab.closed and not made.payoffs.complete:
            raise MissingError(self.name)
        played = (made.orders(cell) * int(made.payoffs.counts[cell]) for cell in made.cells())
        if not lab.closed and min(played) < self.games:
            with clocked(lab, self.name, self.about):
                self._play(made, file, workers)
        return made

    def _play(self, made: SimulatedGame, file: Path, workers: Workers) -> None:
        saved = told = time.perf_counter()

        def keep() -> None:
            nonlocal saved
            if time.perf_counter() - saved > PAUSE:
                made.save(file)
                saved = time.perf_counter()

        def show(done: int, total: int) -> bool:
            nonlocal told
            if time.perf_counter() - told > SILENCE:
                print(f"  {self.name}: {done:,} of {total:,} games", flush=True)
                told = time.perf_counter()
            return True

        try:
            # agents are compiled, and compiled code runs in threads
            backend = workers.backend if workers.backend == "ray" else ""
            made.play(self.games, 0.0, 0, workers.count, backend, workers.address, show, keep)
        finally:
            made.save(file)
        for sentence in dict.fromkeys(made.failures.values()):
            print(f"  {self.name}: {sentence}", flush=True)


# ---------------------------------------------------------------------------------------------------------------- time


@contextmanager
def clocked(lab: Lab, name: str, about: Mapping[str, Any]) -> Iterator[None]:
    """Within this, wall-clock time is added to what a part has taken before."""
    began = time.perf_counter()
    try:
        yield
    finally:
        path = _clock(lab, name, about)
        seconds = taken(lab, name, about) + time.perf_counter() - began
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"seconds": round(seconds, 1)}) + "\n")


def taken(lab: Lab, name: str, about: Mapping[str, Any]) -> float:
    """The wall-clock seconds of a part, all times together that it was begun."""
    path = _clock(lab, name, about)
    return float(json.loads(path.read_text())["seconds"]) if path.exists() else 0.0


def _clock(lab: Lab, name: str, about: Mapping[str, Any]) -> Path:
    return lab.folder / "seconds" / f"{name}-{digest(about)}.json"
