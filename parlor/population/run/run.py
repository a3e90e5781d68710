"""A PSRO run in its folder, which can be stopped, killed and resumed.

    config.json               the configuration, written before it begins
    strategies/0-12.npz       the members of the population, each in its file: player, number
    checkpoints/00000012.npz  after so many iterations: all that is needed to go on, and a strategy
    metrics.jsonl             a row for each iteration, see `parlor.population.psro`
    timing.jsonl              how long its parts took: the one file that is never the same twice
    answers/                  of slow oracles, until their iteration is complete

A run that was killed continues from its newest checkpoint. With exact oracles the result is the same to the byte, also
with simulated payoffs: games are named by the seed and their cell.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.game.words import html_table
from parlor.policies.mixture import MAX_PLAYERS, Mixture
from parlor.policies.network import remember
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.population.empirical.empirical_game import EmpiricalGame
from parlor.population.meta import META_SOLVERS
from parlor.population.oracles import ORACLES
from parlor.population.psro import MAX_CELLS, OpponentArrays, Psro, Row
from parlor.population.run.asking import Answers, Asker, CellSimulator
from parlor.population.run.checkpoints import PsroConfig, load_saved, population_of, save_population
from parlor.runs.measures import MetricColumn
from parlor.runs.run import Run
from parlor.runs.training import available_memory
from parlor.runs.workers import WorkerOptions, start_pool

BY = "iteration"  # the key that orders the metrics

#: How the columns of the metrics are drawn.
MEASURES = {
    "nash_conv": MetricColumn("NashConv of the average policy", "lower", "log-log"),
    "meta_nash_conv": MetricColumn("NashConv under the fixed meta-solver", "lower", "log-log"),
    "social_welfare": MetricColumn("Social welfare of the average policy", "higher"),
    "joint_welfare": MetricColumn("Social welfare of the joint mixture", "higher"),
    "values": MetricColumn("Values of the average policy"),
    "gains": MetricColumn("What each player could gain", "lower"),
    "empirical_gap": MetricColumn("NashConv of the mixture inside the empirical game", "lower"),
    "support": MetricColumn("Strategies that are played"),
    "strategies": MetricColumn("Strategies"),
    "cells": MetricColumn("Cells of the empirical game"),
}


class PsroRun(Run[PsroConfig, Psro]):
    """A PSRO run; a step is an iteration."""

    kind = "psro"
    config_type = PsroConfig
    by = BY
    ends = ("iterations",)
    untracked = ("mixture",)

    def __init__(self, folder: str | Path, config: PsroConfig) -> None:
        for name in filter(None, (config.meta, config.evaluate)):
            META_SOLVERS.check_lasting(name, "a run in a folder")
        ORACLES.check_lasting(config.oracle, "a run in a folder")
        super().__init__(folder, config)
        self.simulator: CellSimulator | None = None
        self._answers = Answers(self.folder)

    def make(self, workers: WorkerOptions, stack: ExitStack, going: Callable[[], bool]) -> Psro:
        """The loop with its workers; GameError if the configuration does not suit the game."""
        pool = stack.enter_context(workers.start())
        self.simulator = CellSimulator(self.game, self.config.games, self.config.seed, pool)
        _check_memory(self.game, self.config.iterations)
        return made(self.game, self.config, self.simulator, Asker(self.config.oracle, pool, self._answers))

    def read_checkpoint(self, path: Path) -> tuple[dict[str, Any], Any]:
        """The header of a checkpoint and its content."""
        return load_saved(path)

    def restore(self, work: Psro, loaded: Any, stack: ExitStack) -> None:
        """Restore the population."""
        if loaded is not None:
            head, (empirical, population) = loaded
            state = {BY: head[BY], "empirical": empirical.data(), "mixture": population.mixture}
            work.restore(state, [list(some) for some in population.members])
        self._answers.clear(but=work.iteration + 1)

    def done(self, work: Psro) -> int:
        """Iterations so far."""
        return work.iteration

    def over(self, work: Psro) -> bool:
        """Whether there are enough iterations."""
        return work.iteration >= self.goal

    def start(self, work: Psro) -> None:
        """Measure uniform play."""
        self._began = time.perf_counter()
        if not self.rows:
            self.log(work.measure())

    def step(self, work: Psro) -> None:
        """Do an iteration, and save it."""
        row = work.step()
        self.seconds = time.perf_counter() - self._began
        self.log(row)
        self.metrics.log_timing({BY: work.iteration, "seconds": self.seconds, **work.seconds})
        self.checkpoint(work)

    def checkpoint(self, work: Psro) -> None:
        """Save the population; what slow oracles have answered is in it now."""
        self.last = save_population(self.folder, work, self.config, self.head(work))
        self._answers.clear()


def _check_memory(game: Game, iterations: int) -> None:
    """Raise GameError, before anything begins, if there is too little memory for the empirical game."""
    cells = (iterations + 1) ** game.players
    need, free = cells * (8 + 24 * game.players), available_memory()  # counts; sums, squares and means by player
    if game.players <= MAX_PLAYERS and cells <= MAX_CELLS and need > free:
        raise GameError(
            f"After {iterations:,} iterations the empirical game of {game.name} would have {cells:,} cells, which need "
            f"{need / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free: ask for fewer iterations."
        )


def made(game: Game, config: PsroConfig, simulate: CellSimulator, asker: Asker) -> Psro:
    """The loop of a configuration."""
    remember(game)  # networks that are read from files use its tree
    return Psro(
        game,
        config,
        meta_settings=config.meta_settings.data(),
        oracle_settings=config.oracle_settings.data(),
        simulate=simulate,
        respond_all=asker,
    )


#: The metrics that a notebook shows.
SHOWN = ("iteration", "nash_conv", "meta_nash_conv", "social_welfare", "empirical_gap", "games")


@dataclass(frozen=True)
class PsroResult:
    """The result of PSRO."""

    population: Population  # a strategy: the members with their mixture
    empirical: EmpiricalGame = field(repr=False)
    rows: list[Row] = field(repr=False)  # the metrics, iteration by iteration

    def __repr__(self) -> str:
        return f"<PSRO: {self.population.describe()}, {len(self.rows) - 1} iterations>"

    def _repr_html_(self) -> str:
        names = [name for name in SHOWN if isinstance(self.rows[-1].get(name), int | float)]
        rows = [[f"{row[name]:.4g}" if name in row else "" for name in names] for row in self.rows]
        return html_table(repr(self)[1:-1], names, rows)

    @property
    def average(self) -> Policy | None:
        """The exact average policy, where the game is small enough."""
        return self.population.average

    @property
    def members(self) -> OpponentArrays:
        """The strategies of each player."""
        return [list(some) for some in self.population.members]

    @property
    def mixture(self) -> Mixture:
        """The mixture over the members."""
        return self.population.mixture


def psro(
    game: Game | str,
    *,
    folder: str | Path | None = None,
    backend: str = "threads",
    workers: int = 1,
    **settings: Any,
) -> PsroResult:
    """Grow a population: `psro("leduc", meta="nash", iterations=50)`; with a folder, as a run that can be resumed.

    The settings are those of `PsroConfig`, which `parlor psro --help` lists; those of the meta-solver and of the oracle
    stand in their names, `meta="prd(iterations=1000)"`. Both may be your own: a name, `meta="my_file.py:f"`, or a
    function or class itself.
    """
    game = as_game(game)
    config = PsroConfig.of(game.name, **settings)
    if folder is not None:
        run = PsroRun.begin(folder, config)
        loop = run.run(backend=backend, workers=workers)
        return PsroResult(population_of(loop), loop.empirical, run.rows)
    with start_pool(backend, workers) as pool:
        loop = made(game, config, CellSimulator(game, config.games, config.seed, pool), Asker(config.oracle, pool))
        rows = [loop.measure()]
        while loop.iteration < config.iterations:
            rows.append(loop.step())
    return PsroResult(population_of(loop), loop.empirical, rows)
