"""PSRO on the twelve benchmark games of the paper, with each of its sixteen meta-solvers.

Li et al., *Combining tree-search, generative models, and Nash bargaining concepts in game-theoretic reinforcement
learning* (2023), section 5.1, figures 3 and 7 to 10. The parts:

    figure7    two-player zero-sum games: Kuhn poker, Leduc poker, liar's dice
    figure8    zero-sum games of three and four players: Kuhn poker, Leduc poker
    figure9    common-payoff games: trade comm, tiny bridge
    figure10   general-sum games: battleship, Goofspiel, sheriff

`python -m experiments psro` runs all of them with exact oracles and writes report.md and the figures beside this file.
`--oracle dqn` adds runs with DQN oracles; `--only figure7`, `--games leduc` and `--solvers prd adidas` do some of them,
and the others stay in the report as far as they are there. Each run is kept in runs/experiments/psro as soon as it is
over, so that the work can be interrupted. `--threads 8` makes so many runs at a time.
"""

from __future__ import annotations

import os

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # before NumPy: a run is one process, and BLAS threads wait for others

import dataclasses
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import tyro

import parlor
from experiments.lab import Lab, LabOptions, MissingError, loaded, run_experiment
from experiments.psro.figures import draw, draw_sample
from experiments.psro.games import PSRO_GAMES, BenchmarkGame
from experiments.psro.report import report
from parlor.game.loading import GAMES
from parlor.population.meta import META_SOLVERS, solve
from parlor.population.psro import Psro, PsroSettings
from parlor.solvers.best_response import expected

PARTS = ("figure7", "figure8", "figure9", "figure10")
#: In the order of the paper's legends.
SOLVERS = (
    *("adidas", "uniform", "prd", "mgce", "mgcce", "alpha-rank", "nbs", "nbs-joint", "social-welfare"),
    *("regret-matching", "mnce", "mncce", "mwce", "mwcce", "mece", "mecce"),
)
ORACLES = ("exact", "dqn")
MARKS = (1, 2, 5, 10, 20, 30, 50, 100, 200)  # iterations after which a fixed meta-solver is asked, too
NASH = 1e-9  # a NashConv that is none
LONG = 30  # times the seconds of other runs: three-player Leduc, with solvers whose work does not grow with all cells


@dataclass(frozen=True)
class Options(LabOptions):
    """PSRO on the twelve games of the paper, with each of its sixteen meta-solvers."""

    oracle: str = "exact"
    """Who answers a mixture: exact, or dqn; the report has both, as far as they are there."""
    games: tuple[str, ...] = ()
    """Games to run, by their names in psro_games.py; all if not given."""
    solvers: tuple[str, ...] = SOLVERS
    """Meta-solvers to run."""
    iterations: int = 100
    """The most; where the paper's figure ends before, as many as there."""
    seconds: float = 20.0
    """Processor time of a run, after which it stops; thirty times as much for solvers other than equilibria on
    three-player Leduc."""
    dqn_seconds: float = 30.0
    """The same with DQN oracles."""
    response_games: int = 10_000
    """Games that a DQN oracle learns a response from."""
    seeds: int = 3
    """Runs of ADIDAS, which draws samples, and of all solvers with DQN oracles."""

    def small(self) -> Options:
        """A smoke test."""
        return dataclasses.replace(
            self, games=("kuhn",), solvers=("mgcce", "adidas"), iterations=3, seconds=20.0, seeds=2, threads=1
        )


@dataclass(frozen=True)
class Question:
    """One run."""

    game: str
    solver: str
    oracle: str
    seed: int
    iterations: int
    seconds: float
    oracle_settings: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Of its measurement."""
        return f"{self.game}-{self.oracle}-{self.solver}-{self.seed}"

    def ask(self, lab: Lab) -> Any:
        """The run, from before if it is there."""
        if PSRO_GAMES[self.game].game.partition("(")[0] not in GAMES:
            raise MissingError(self.game)
        game, rules = loaded(PSRO_GAMES[self.game].game)
        about = dataclasses.asdict(self) | {"rules": rules}
        if not self.oracle_settings:
            del about["oracle_settings"]
        return lab.keep(self.name, about, partial(measured, self, game))


def measured(question: Question, game: parlor.Game) -> dict[str, Any]:
    """The curves of a run: each column has a number for each iteration.

    It ends after the last iteration, when its time is up, or at an equilibrium, where nothing new would come.
    """
    q = question
    values: dict[str, Any] = {"seed": q.seed} if META_SOLVERS[q.solver].samples else {}
    settings = PsroSettings(meta=q.solver, oracle=q.oracle, iterations=q.iterations, seed=q.seed, evaluate=q.solver)
    if q.oracle != "exact":
        compile_oracle(q.game, q.oracle)
    psro = Psro(game, settings, meta_settings=values, oracle_settings=q.oracle_settings)
    fixed = "nash" if game.players == 2 else "regret-matching"
    columns: dict[str, list[Any]] = {"nash_conv": [], "social_welfare": [], "seconds": []}
    marks: dict[str, float] = {}
    notes: dict[str, int] = {}
    seconds = dict.fromkeys(("oracle", "cells", "meta", "measure"), 0.0)
    began = time.process_time()
    found = last = False
    while not last:
        row = psro.step()
        found = row["nash_conv"] < NASH
        columns["nash_conv"].append(row["nash_conv"])
        columns["social_welfare"].append(row["social_welfare"])
        columns["seconds"].append(round(time.process_time() - began, 3))
        if "note" in row:
            notes[row["note"]] = notes.get(row["note"], 0) + 1
        for part, took in psro.seconds.items():
            seconds[part] += took
        last = found or psro.iteration == q.iterations or time.process_time() - began >= q.seconds
        if psro.iteration in MARKS or last:
            assert psro.plans is not None
            asked = psro.mixture if fixed == q.solver else solve(fixed, psro.empirical.payoffs)
            marks[str(psro.iteration)] = expected(psro.plans.tree, psro.plans.average(asked.marginals)).nash_conv
    return {
        "columns": columns, "fixed": marks, "notes": notes, "parts": seconds, "found": found,
        "over": found or psro.iteration == q.iterations,
        "cells": int(psro.empirical.counts.size), "players": game.players,
    }  # fmt: skip


@cache
def compile_oracle(name: str, oracle: str) -> None:
    """Let it answer once in this process, so that no run's time has its compilation in it."""
    settings = PsroSettings(meta="uniform", oracle=oracle, iterations=1)
    Psro(PSRO_GAMES[name].game, settings, oracle_settings={"games": 512}).step()


class Experiment:
    """The parts, each a method; what a part returns goes to the report: game -> oracle -> solver -> runs."""

    def __init__(self, options: Options, lab: Lab, folder: Path) -> None:
        self.options, self.lab, self.folder = options, lab, folder
        self.found: dict[str, Any] = {}  # of all figures

    def figure7(self) -> Any:
        """Two-player zero-sum games."""
        return self.figure(7)

    def figure8(self) -> Any:
        """Zero-sum games of three and four players."""
        return self.figure(8)

    def figure9(self) -> Any:
        """Common-payoff games."""
        return self.figure(9)

    def figure10(self) -> Any:
        """General-sum games."""
        return self.figure(10)

    def figure(self, number: int) -> Any:
        """The runs of a figure's games: those that are asked for, and those that are there."""
        if not self.lab.closed:
            self.work([q for q in self.questions(number, self.options.oracle) if self.asked(q)])
        found: dict[str, Any] = {}
        closed = Lab(self.lab.folder, 1, closed=True, codes=self.lab.codes)
        for oracle in ORACLES:
            for question in self.questions(number, oracle):
                try:
                    run = question.ask(closed)
                except MissingError:
                    continue
                found.setdefault(question.game, {}).setdefault(oracle, {}).setdefault(question.solver, []).append(run)
        if not found:
            raise MissingError(f"figure{number}")
        draw(self.folder, number, found)
        self.found |= found
        draw_sample(self.folder, self.found)
        return found

    def asked(self, question: Question) -> bool:
        """Whether the run is to be made."""
        known = PSRO_GAMES[question.game].game.partition("(")[0] in GAMES
        return known and question.solver in self.options.solvers and question.game in (self.options.games or PSRO_GAMES)

    def questions(self, number: int, oracle: str) -> Iterator[Question]:
        """All runs of a figure; solvers whose work grows fast come last."""
        o = self.options
        for name, game in PSRO_GAMES.items():
            if game.figure != number:
                continue
            for solver in sorted(SOLVERS, key=lambda one: one.startswith("m")):
                random = META_SOLVERS[solver].samples or oracle != "exact"
                learning = {} if oracle == "exact" else {"games": o.response_games, "schedule": o.response_games}
                for seed in range(1, (o.seeds if random else 1) + 1):
                    about = self.iterations(game, oracle), self.limit(name, solver, oracle), learning
                    yield Question(name, solver, oracle, seed, *about)

    def iterations(self, game: BenchmarkGame, oracle: str) -> int:
        """As many as in the paper's figure, but not more than asked for."""
        return min(self.options.iterations, game.exact if oracle == "exact" else game.dqn)

    def limit(self, name: str, solver: str, oracle: str) -> float:
        """Processor seconds of a run."""
        if oracle == "dqn":
            return self.options.dqn_seconds
        long = name == "leduc-3" and not solver.endswith("ce")
        return self.options.seconds * (LONG if long else 1)

    def work(self, questions: Sequence[Question]) -> None:
        """Make the runs that are not there."""
        if self.options.threads == 1:
            for question in questions:
                question.ask(self.lab)
            return
        with ProcessPoolExecutor(self.options.threads) as pool:
            for future in [pool.submit(question.ask, self.lab) for question in questions]:
                future.result()


def main() -> None:
    """Check what is asked for, run it, report."""
    options = tyro.cli(Options, description=__doc__)
    checks: dict[str, tuple[Sequence[str], Sequence[str]]] = {
        "game": (options.games, tuple(PSRO_GAMES)),
        "solver": (options.solvers, SOLVERS),
        "oracle": ((options.oracle,), ORACLES),
    }
    for what, (asked, known) in checks.items():
        if strange := set(asked) - set(known):
            raise SystemExit(f"There is no {what} {', '.join(sorted(strange))}; there are {', '.join(known)}.")
    run_experiment(options, "psro", Experiment, PARTS, report)
