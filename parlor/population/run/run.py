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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from parlor.compile import version
from parlor.game import Game, GameError
from parlor.game.loading import as_game, load
from parlor.game.loading.registry import check_files
from parlor.policies.mixture import MAX_PLAYERS, Mixture
from parlor.policies.network import remember
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.population.empirical.empirical_game import EmpiricalGame
from parlor.population.meta import META_SOLVERS
from parlor.population.oracles import ORACLES
from parlor.population.psro import MAX_CELLS, Members, Psro, Row
from parlor.population.run.asking import Answers, Asker
from parlor.population.run.cells import CellSimulator
from parlor.population.run.checkpoints import (
    STRATEGIES,
    Saved,
    check_saved,
    load_newest,
    population_of,
    save_population,
)
from parlor.population.run.config import PsroConfig
from parlor.runs.checkpoints import CHECKPOINTS, CONFIG, code_version, load_config_as, locked_folder, run_kind
from parlor.runs.checkpoints import save_config as write_config
from parlor.runs.files.policy_files import FileError
from parlor.runs.measures import MetricColumn
from parlor.runs.metrics import Metrics, read_metrics
from parlor.runs.run import available_memory
from parlor.runs.workers import Pool, start_pool

KIND = "psro"
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


class PsroRun:
    """A PSRO run; `grow` goes on to the last iteration, or until `on_progress` returns false."""

    def __init__(self, folder: Path, config: PsroConfig) -> None:
        self.folder, self.config = folder, config
        self.game = load(config.game)
        self.code = code_version()
        self.remarks: list[str] = []
        self.rows: list[Row] = []  # the metrics
        self.last: Path | None = None  # the newest checkpoint
        self.simulator: CellSimulator | None = None
        self.seconds = 0.0
        self._begun: PsroConfig | None = None  # as it is in the folder
        self._saved: Saved | None = None
        self._answers = Answers(folder)

    @staticmethod
    def begin(folder: str | Path, config: PsroConfig) -> PsroRun:
        """A new run."""
        for name in filter(None, (config.meta, config.evaluate)):
            META_SOLVERS.check_lasting(name, "a run in a folder")
        ORACLES.check_lasting(config.oracle, "a run in a folder")
        folder = Path(folder)
        _check_vacant(folder)
        return PsroRun(folder, config)

    @staticmethod
    def resume(folder: str | Path, iterations: int | None = None) -> PsroRun:
        """A run that exists already, perhaps with more iterations."""
        folder = Path(folder)
        begun, head = load_psro(folder)
        run = PsroRun(folder, replace(begun, iterations=iterations or begun.iterations))
        run._begun = begun
        if head.get("rules") != version(run.game):
            raise FileError(
                f"The run in {folder} was made with other rules of {begun.game} (version {head.get('rules')}, "
                f"now {version(run.game)}); it cannot continue. Start a new one."
            )
        check_files(begun.files)
        if head.get("code") != run.code:
            run.remarks.append(f"The run was started with version {head.get('code')}, this is {run.code}.")
        run._saved, remark = load_newest(folder)
        if remark:
            run.remarks.append(remark)
        if run._saved is not None:
            run.last = run._saved.path
            done = int(run.last.stem)
            if done > run.config.iterations:
                raise GameError(f"The run has {done:,} iterations already, more than {run.config.iterations:,}.")
        return run

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do."""
        return self.last is not None and int(self.last.stem) >= self.config.iterations

    def grow(
        self,
        *,
        backend: str = "threads",
        workers: int = 1,
        address: str | None = None,
        wandb: str | None = None,
        tensorboard: bool = False,
        on_progress: Callable[[PsroRun, Psro], bool] = lambda run, psro: True,
    ) -> Psro:
        """Go on; `on_progress` is told of every iteration, and stops the run by returning false."""
        with start_pool(backend, workers, address) as pool:
            psro = self._made(pool)
            with locked_folder(self.folder):
                self._restore(psro)
                resumed = self._begun is not None
                self._write_config()
                try:
                    with Metrics(
                        self.folder,
                        keep=psro.iteration if resumed else None,
                        wandb=wandb,
                        tensorboard=tensorboard,
                        config=self.config.data() | {"code": self.code},
                        by=BY,
                        untracked=("mixture",),
                    ) as metrics:
                        self.rows = read_metrics(self.folder, BY)
                        self._loop(psro, metrics, on_progress)
                except (GameError, FileError) as error:
                    raise type(error)(f"{error} {self._what_is_left()}") from None
                except Exception as error:
                    error.add_note(self._what_is_left())
                    raise
        return psro

    def _made(self, pool: Pool) -> Psro:
        """The loop with its workers; GameError if the configuration does not suit the game."""
        self.simulator = CellSimulator(self.game, self.config.games, self.config.seed, pool)
        _check_memory(self.game, self.config.iterations)
        return made(self.game, self.config, self.simulator, Asker(self.config.oracle, pool, self._answers))

    def _restore(self, psro: Psro) -> None:
        for folder in (CHECKPOINTS, STRATEGIES):
            for draft in (self.folder / folder).glob(".*.draft"):
                draft.unlink(missing_ok=True)  # of a run that was killed while writing
        if self._saved is not None:
            check_saved(self._saved, psro, self.config)
            psro.restore(self._saved.state, [list(some) for some in self._saved.population.members])
            self._saved = None
        self._answers.clear(but=psro.iteration + 1)

    def _write_config(self) -> None:
        """Write the configuration, once nothing can be wrong with it any more."""
        if self._begun is None:
            _check_vacant(self.folder)
        if self._begun != self.config:
            code = load_psro(self.folder)[1]["code"] if self._begun else self.code
            write_config(self.folder, self.game, self.config, code, KIND)
            self._begun = self.config

    def _loop(self, psro: Psro, metrics: Metrics, on_progress: Callable[[PsroRun, Psro], bool]) -> None:
        began = time.perf_counter()
        if not self.rows:
            self._log(psro.measure(), metrics)
        going = on_progress(self, psro)
        while going and psro.iteration < self.config.iterations:
            row = psro.step()
            self.seconds = time.perf_counter() - began
            self._log(row, metrics)
            metrics.log_timing({BY: psro.iteration, "seconds": self.seconds, **psro.seconds})
            self._save(psro)
            going = on_progress(self, psro)
        if self.last is None or int(self.last.stem) != psro.iteration:
            self._save(psro)

    def _log(self, row: Row, metrics: Metrics) -> None:
        metrics.log(row)
        self.rows.append(row)

    def _save(self, psro: Psro) -> None:
        self.last = save_population(self.folder, psro, self.config, self.code)
        self._answers.clear()

    def _what_is_left(self) -> str:
        how = f"`parlor psro --resume {self.folder}`"
        if self.last is None:
            return f"There is no checkpoint yet; {how} starts again from the first iteration."
        return f"Everything up to {self.last} is saved; {how} continues from there."


def _check_memory(game: Game, iterations: int) -> None:
    """Raise GameError, before anything begins, if there is too little memory for the empirical game."""
    cells = (iterations + 1) ** game.players
    need, free = cells * (8 + 24 * game.players), available_memory()  # counts; sums, squares and means by player
    if game.players <= MAX_PLAYERS and cells <= MAX_CELLS and need > free:
        raise GameError(
            f"After {iterations:,} iterations the empirical game of {game.name} would have {cells:,} cells, which need "
            f"{need / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free: ask for fewer iterations."
        )


def _check_vacant(folder: Path) -> None:
    if (folder / CONFIG).exists():
        how = f"`parlor psro --resume {folder}` continues it, or c" if run_kind(folder) == KIND else "c"
        raise FileError(f"{folder} holds a run already; {how}hoose another folder.")


def load_psro(folder: Path) -> tuple[PsroConfig, dict[str, Any]]:
    """The configuration of the PSRO run in a folder, and the whole content of its file."""
    if run_kind(folder) != KIND:
        raise FileError(f"There is no PSRO run in {folder}.")
    return load_config_as(PsroConfig, folder)


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


@dataclass(frozen=True)
class PsroResult:
    """The result of PSRO."""

    population: Population  # a strategy: the members with their mixture
    empirical: EmpiricalGame = field(repr=False)
    rows: list[Row] = field(repr=False)  # the metrics, iteration by iteration

    @property
    def average(self) -> Policy | None:
        """The exact average policy, where the game is small enough."""
        return self.population.average

    @property
    def members(self) -> Members:
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

    The settings are those of `parlor.population.run.config.PsroConfig`, which `parlor psro --help` lists; those of the
    meta-solver and of the oracle stand in their names, `meta="prd(iterations=1000)"`. Both may be your own: a name,
    `meta="my_file.py:f"`, or a function or class itself.
    """
    game = as_game(game)
    config = PsroConfig.of(game.name, **settings)
    if folder is not None:
        run = PsroRun.begin(folder, config)
        loop = run.grow(backend=backend, workers=workers)
        return PsroResult(population_of(loop), loop.empirical, run.rows)
    with start_pool(backend, workers) as pool:
        loop = made(game, config, CellSimulator(game, config.games, config.seed, pool), Asker(config.oracle, pool))
        rows = [loop.measure()]
        while loop.iteration < config.iterations:
            rows.append(loop.step())
    return PsroResult(population_of(loop), loop.empirical, rows)
