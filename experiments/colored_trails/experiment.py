"""PSRO on Colored Trails, with each of the sixteen meta-solvers of the paper.

Li et al., *Combining tree-search, generative models, and Nash bargaining concepts in game-theoretic reinforcement
learning* (2023), section 5.2 and appendix E.1: the Pareto gap on boards of training and on others (figures 5 and 11),
and the way of the expected outcome toward the frontier of single boards (figure 12). The parts:

    dqn             responses learned by DQN
    boltzmann-dqn   responses learned by Boltzmann DQN

`python -m experiments colored_trails` runs both and writes report.md and the figures beside this file. Each run is kept
in runs/experiments/colored_trails as soon as it is over, so that the work can be interrupted. `--solvers nbs-joint
uniform` makes some runs first; `--paper` has the paper's numbers.
"""

from __future__ import annotations

import os

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # before NumPy: a run is one process, and BLAS threads wait for others

import dataclasses
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import tyro

import parlor
from experiments.colored_trails.report import draw, draw_ways, report
from experiments.lab import Lab, LabOptions, MissingError, loaded, run_experiment
from experiments.psro.experiment import SOLVERS
from parlor.agents.registry import make_agent, policy_agent
from parlor.games.colored_trails.gap import ParetoGap, moved, no_deal, pareto_gap
from parlor.population.meta import META_SOLVERS
from parlor.population.oracles import ORACLES, Task
from parlor.population.psro import Psro, PsroSettings
from parlor.population.run.asking import CellSimulator

PARTS = ("dqn", "boltzmann-dqn")
SETS = ("training", "test")
REFERENCES = {
    "random, random, random": ("random", "random", "random"),
    "random proposers, best answers": ("random", "random", "fair-trader"),
    "greedy traders": ("greedy-trader",) * 3,
    "fair traders": ("fair-trader",) * 3,
    "generous traders": ("generous-trader",) * 3,
}
WAYS = 3  # boards whose outcomes are drawn


@dataclass(frozen=True)
class Options(LabOptions):
    """PSRO on Colored Trails, with each of sixteen meta-solvers."""

    solvers: tuple[str, ...] = SOLVERS
    """Meta-solvers to run."""
    iterations: int = 4
    """Of PSRO."""
    response_games: int = 10_000
    """Games that a response is learned from."""
    cell_games: int = 100
    """Games of each cell of the empirical game."""
    layers: tuple[int, ...] = (64, 32)
    """Of the networks."""
    chips: int = 2
    """The most chips that either side of a trade gives."""
    boards: int = 1000
    """For training."""
    measured: int = 100
    """Boards of each set on which the gap is measured."""
    samples: int = 20
    """Games on each of them, on average."""
    seeds: int = 1
    """Runs of each solver."""
    paper: bool = False
    """The numbers of the paper's table 5: 10,000 episodes, 2,000 games a cell, layers of 1024, 512 and 256, a value for
    each action, batches of 128, 20 iterations; but trades have up to 3 chips a side, instead of 8."""

    def small(self) -> Options:
        """A smoke test."""
        return dataclasses.replace(
            self, solvers=("uniform", "nbs-joint"), iterations=1, response_games=600, cell_games=4, boards=10,
            measured=5, samples=4, layers=(8,),
        )  # fmt: skip

    def numbers(self) -> Options:
        """With the paper's numbers, if they are asked for."""
        if not self.paper:
            return self
        return dataclasses.replace(
            self, iterations=20, response_games=10_000, cell_games=2000, layers=(1024, 512, 256),
            chips=3, boards=10_000, samples=100,
        )  # fmt: skip


@dataclass(frozen=True)
class Question:
    """One run."""

    oracle: str
    solver: str
    seed: int
    iterations: int
    response_games: int
    cell_games: int
    layers: tuple[int, ...]
    batch: int
    chips: int
    boards: int
    measured: int
    samples: int

    @property
    def name(self) -> str:
        """Of its measurement."""
        return f"{self.oracle}-{self.solver}-{self.seed}"

    @property
    def game(self) -> str:
        """With the boards of training."""
        return f"colored-trails(chips={self.chips},boards={self.boards})"

    def ask(self, lab: Lab) -> Any:
        """The run, from before if it is there."""
        return lab.keep(self.name, dataclasses.asdict(self) | {"rules": loaded(self.game)[1]}, partial(measured, self))


def boards_of(chips: int, boards: int) -> dict[str, parlor.Game]:
    """The boards on which the gap is measured; those of training are the first ones there."""
    return {one: loaded(f"colored-trails(chips={chips},boards={boards},set={one})")[0] for one in SETS}


def measured(question: Question) -> dict[str, Any]:
    """The gaps before the first iteration and after each one, what is gained, and the outcomes on some boards."""
    q = question
    game = loaded(q.game)[0]
    learning = {"games": q.response_games, "schedule": q.response_games, "layers": q.layers, "batch": q.batch}
    psro = Psro(
        game,
        PsroSettings(meta=q.solver, oracle=q.oracle, iterations=q.iterations, seed=q.seed, evaluate=q.solver),
        meta_settings={"seed": q.seed} if META_SOLVERS[q.solver].samples else {},
        oracle_settings=learning,
        simulate=CellSimulator(game, q.cell_games, q.seed),
        respond_all=answers(q.oracle, q.game, tuple(sorted(learning.items()))),
    )
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    began = time.process_time()
    for iteration in range(q.iterations + 1):
        if iteration:
            row = psro.step()
            notes += [row["note"]] if "note" in row and row["note"] not in notes else []
        there = boards_of(q.chips, q.measured)
        found = {one: gap_of(psro, boards, q.samples * q.measured) for one, boards in there.items()}
        rows.append(
            {one: vars(gap.estimate) | {"outcome": gap.outcome} for one, gap in found.items()}
            | {"way": [board.outcome for board in found["test"].boards[:WAYS]]}
            | {"seconds": round(time.process_time() - began, 1)}
        )
    return {"rows": rows, "notes": notes, "boards": [board.board for board in found["test"].boards[:WAYS]]}


@cache
def answers(oracle: str, game: str, learning: Any) -> Callable[[Sequence[Task]], list[Any]]:
    """The oracle; in the first iteration all solvers have the same mixture, and get the same answers."""
    respond, known = ORACLES.row(oracle).respond, dict[int, Any]()

    def answer(task: Task) -> Any:
        if task.iteration > 1:
            return respond(task)
        if task.seed not in known:
            known[task.seed] = respond(task)
        return known[task.seed]

    return lambda tasks: [answer(task) for task in tasks]


def gap_of(psro: Psro, game: parlor.Game, games: int) -> ParetoGap:
    """Of the population as it is mixed, on other boards: strategies are drawn together, as the mixture has them."""
    joint = psro.mixture.joint
    drawn = np.random.default_rng(psro.iteration).choice(joint.size, games, p=joint.ravel() / joint.sum())
    cells = np.stack(np.unravel_index(drawn, joint.shape), axis=1)
    used = {place: i for i, place in enumerate(sorted({(p, int(k)) for cell in cells for p, k in enumerate(cell)}))}
    agents = [policy_agent(moved(psro.members[p][k], game), game) for p, k in used]
    lineups = np.array([[used[p, int(k)] for p, k in enumerate(cell)] for cell in cells])
    return pareto_gap(game, agents, lineups)


class Experiment:
    """The parts, each a method; what a part returns goes to the report."""

    def __init__(self, options: Options, lab: Lab, folder: Path) -> None:
        self.options, self.lab, self.folder = options.numbers(), lab, folder

    def __getattr__(self, name: str) -> Any:
        if name not in PARTS:
            raise AttributeError(name)
        part = partial(self.part, name)
        part.__doc__ = f"responses by {name}"
        return part

    def part(self, name: str) -> Any:
        """The runs that are asked for, and those that are there."""
        if not self.lab.closed:
            for question in self.questions(name, self.options.solvers):
                question.ask(self.lab)
        closed = Lab(self.lab.folder, 1, closed=True, codes=self.lab.codes)
        found: dict[str, list[Any]] = {}
        for question in self.questions(name, SOLVERS):
            try:
                found.setdefault(question.solver, []).append(question.ask(closed))
            except MissingError:
                continue
        runs = {solver: some for solver, some in found.items() if some}
        if not runs:
            raise MissingError(name)
        draw(self.folder, name, runs)
        draw_ways(self.folder, name, runs)
        return {"runs": runs, "references": self.references()}

    def references(self) -> dict[str, Any]:
        """What simple agents come to on the same boards."""
        o = self.options
        about = {"chips": o.chips, "boards": o.measured, "samples": o.samples}
        rules = loaded(f"colored-trails(chips={o.chips})")[1]
        return self.lab.keep("references", about | {"rules": rules}, partial(references, **about))

    def questions(self, oracle: str, solvers: Sequence[str]) -> list[Question]:
        """The runs of a part."""
        o = self.options
        return [
            Question(
                oracle, solver, seed, o.iterations, o.response_games, o.cell_games, o.layers,
                128 if o.paper else 256, o.chips, o.boards, o.measured, o.samples,
            )
            for seed in range(1, o.seeds + 1)
            for solver in solvers
        ]  # fmt: skip


def references(chips: int, boards: int, samples: int) -> dict[str, Any]:
    """The gaps of simple agents on the boards of both sets, and that of no deal."""
    found: dict[str, Any] = {}
    for one, game in boards_of(chips, boards).items():
        for name, names in REFERENCES.items():
            agents = [make_agent(agent, game) for agent in names]
            gap = pareto_gap(game, agents, np.tile(np.arange(3), (samples * boards, 1)))
            found.setdefault(name, {})[one] = vars(gap.estimate) | {"outcome": gap.outcome}
        nobody = no_deal([board.board for board in gap.boards])
        found.setdefault("no deal", {})[one] = vars(nobody.estimate) | {"outcome": nobody.outcome}
    return found


def main() -> None:
    """Check what is asked for, run it, report."""
    options = tyro.cli(Options, description=__doc__)
    if strange := set(options.solvers) - set(SOLVERS):
        raise SystemExit(f"There is no solver {', '.join(sorted(strange))}; there are {', '.join(SOLVERS)}.")
    run_experiment(options, "colored_trails", Experiment, PARTS, report)
