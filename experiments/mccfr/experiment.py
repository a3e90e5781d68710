"""What the options of Monte-Carlo CFR bring: exploitability after as many nodes of the game, and after as much time.

External, outcome and robust sampling, alone and with linear weights, baselines and pruning, each from several seeds on
one thread. Time is the processor's while a solver runs; measuring does not count. Any game works that is small enough
to be enumerated:

    python -m experiments mccfr                            writes report.md beside this file
    python -m experiments mccfr 'kuhn(players=3)' --out .  writes ./report.md about another game
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro

import parlor
from parlor.arena.statistics import Estimate, mean
from parlor.solvers.sampling.mccfr import Mccfr

HERE = Path(__file__).parent
LINEAR, BASELINE, PRUNE = {"linear": True}, {"baseline": 0.1}, {"prune": 1000.0}
ROWS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("external", {}),
    ("external", LINEAR),
    ("external", PRUNE),
    ("external", LINEAR | PRUNE),
    ("external", LINEAR | BASELINE),
    ("outcome", {}),
    ("outcome", LINEAR),
    ("outcome", BASELINE),
    ("outcome", LINEAR | BASELINE),
    ("robust", {"keep": 1}),
    ("robust", {"keep": 1} | LINEAR | BASELINE),
    ("robust", {"keep": 2}),
    ("robust", {"keep": 2} | LINEAR),
    ("robust", {"keep": 2} | LINEAR | BASELINE),
    ("robust", {"keep": 2} | LINEAR | BASELINE | PRUNE),
)


REMARKS = """## What it says

- Linear weights help most in Clue, whichever way one samples (a fifth for external sampling, after the same nodes); in
  Leduc they help outcome sampling.
- Baselines help where the learner's own actions are sampled. After the same nodes they take more than a quarter off
  outcome sampling in Leduc, with and without linear weights, but only 4 % in Clue. A node takes up to half as long
  again: by the clock a tenth is left in Leduc, with linear weights, and in Clue outcome sampling is better without
  them. External sampling gains nothing.
- Robust sampling with two actions lies between outcome and external sampling. It is meant for games in which external
  sampling is too slow; these two are not.
- Pruning visits fewer nodes in Leduc (37 instead of 45 an iteration), and what is reached after as many stays within
  the intervals; by the clock nothing is won. In Clue hardly any regret falls that low in so short a run.
- External sampling with linear weights is the best choice, or within the intervals of the best, in both games.
"""


@dataclass(frozen=True)
class Options:
    """Options of the experiment."""

    games: Annotated[tuple[str, ...], tyro.conf.Positional] = ("leduc", "clue(preset=tiny)")
    """The games."""
    nodes: float = 5e6
    """Nodes after which exploitability is measured."""
    seconds: float = 0.5
    """Seconds after which it is measured."""
    seeds: int = 5
    """How many seeds, from 1."""
    out: Path = HERE
    """The folder for report.md."""


@dataclass(frozen=True)
class Outcome:
    """A run: exploitability after so many nodes and after so many seconds, and the pace."""

    after_nodes: float
    after_seconds: float
    nodes_per_second: float
    nodes_per_iteration: float


def measured(game: parlor.Game, solve: Mccfr, options: Options) -> Outcome:
    """Run a solver until both goals are reached."""
    seconds, found = 0.0, dict[str, float]()
    progress: dict[str, Callable[[], float]] = {
        "nodes": lambda: solve.nodes / options.nodes,
        "seconds": lambda: seconds / options.seconds,
    }
    while len(found) < len(progress):
        shares = [progress[name]() for name in progress if name not in found]
        nearest = max(shares)
        more = solve.iterations * (1.0 - nearest) / nearest if nearest else 1.0
        few = max(1, min(int(more), solve.iterations))  # at most twice as many as before, and never past a goal
        began = time.process_time()
        solve.run(few)
        seconds += time.process_time() - began
        for name, share in progress.items():
            if name not in found and share() > 0.995:
                found[name] = parlor.exploitability(game, solve.policy())
    return Outcome(found["nodes"], found["seconds"], solve.nodes / seconds, solve.nodes / solve.iterations)


def shown(estimate: Estimate, best: bool) -> str:
    """With its interval; the best one in bold."""
    text = f"{estimate.value:.4f} ± {estimate.high - estimate.value:.4f}"
    return f"**{text}**" if best else text


def table(name: str, options: Options) -> list[str]:
    """All rows for a game."""
    game = parlor.load(name)
    uniform = parlor.exploitability(game, parlor.Policy.uniform(game))
    rows: list[tuple[str, list[Outcome]]] = []
    for sampling, settings in ROWS:
        words = [key if value is True else f"{key} {value:g}" for key, value in settings.items()]
        label = ", ".join([sampling, *words])
        seeds = range(1, options.seeds + 1)
        runs = [measured(game, Mccfr(game, sampling, seed, **settings), options) for seed in seeds]
        rows.append((label, runs))
        print(name, label, runs[0], flush=True)
    columns = [[mean(np.array([getattr(run, what) for run in runs])) for _, runs in rows]
               for what in ("after_nodes", "after_seconds")]  # fmt: skip
    lines = [
        f"## {name}\n",
        f"Uniform play has an exploitability of {uniform:.3f}.\n",
        f"| sampling | after {options.nodes:,.0f} nodes | after {options.seconds:g} s | nodes an iteration "
        "| nodes a second |",
        "|---|---|---|---|---|",
    ]
    for i, (label, runs) in enumerate(rows):
        cells = [shown(column[i], column[i].value == min(each.value for each in column)) for column in columns]
        pace = np.mean([run.nodes_per_second for run in runs]) / 1e6
        lines.append(
            f"| {label} | {cells[0]} | {cells[1]} | {np.mean([run.nodes_per_iteration for run in runs]):.1f} "
            f"| {pace:.1f} M |"
        )
    return [*lines, ""]


def main() -> None:
    """Measure, and write the report."""
    options = tyro.cli(Options)
    lines = [line for name in options.games for line in table(name, options)]
    text = (
        "# Options of Monte-Carlo CFR\n\n"
        f"Exploitability, lower is better: means over {options.seeds} seeds with 95 % intervals, one thread. Made by "
        "`python -m experiments mccfr`.\n[docs/training.md](../../docs/training.md#options-of-monte-carlo-cfr) "
        "says what the options do. Seconds are the processor's, and differ between machines.\n\n"
    )
    remarks = "\n" + REMARKS if options == Options() else ""
    (options.out / "report.md").write_text(text + "\n".join(lines) + remarks)
