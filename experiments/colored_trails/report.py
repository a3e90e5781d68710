"""The report of PSRO on Colored Trails, and its figures. Every number of ours comes from `results`."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.lab import assemble, command, versions
from experiments.markdown import table, text
from experiments.psro.figures import COLOURS
from parlor.games.colored_trails.frontier import frontier, outcomes
from parlor.runs.figures import DASHED, new_sheet

Runs = Mapping[str, Sequence[Mapping[str, Any]]]  # solver -> runs
PAPERS_BEST = 22.0


def mean_gaps(runs: Sequence[Mapping[str, Any]], one: str) -> list[float]:
    """The gap after each iteration, over seeds."""
    return [
        math.fsum(rows) / len(rows)
        for rows in zip(*([row[one]["value"] for row in run["rows"]] for run in runs), strict=True)
    ]


def draw(folder: Path, oracle: str, runs: Runs) -> None:
    """Figures 5 and 11: the gap on boards of training and of the test, a line for each solver."""
    folder.mkdir(parents=True, exist_ok=True)
    with new_sheet(folder / f"gap-{oracle}.svg", 2) as sheet:
        for axes, one in zip(sheet, ("training", "test"), strict=True):
            for solver, some in runs.items():
                colour = COLOURS.get(solver) or COLOURS[solver[:2]]
                style = DASHED if solver.endswith(("cce", "joint")) else "-"
                axes.plot(mean_gaps(some, one), color=colour, linestyle=style, linewidth=1.1, label=solver)
            axes.set_title(f"{oracle} oracles, {one} boards", loc="left", fontsize=10)
            axes.set(xlabel="iteration", ylabel="Pareto gap", ylim=(0, None))
        sheet[0].legend(frameon=False, fontsize=5.5, ncols=2)


def draw_ways(folder: Path, oracle: str, runs: Runs) -> None:
    """Figure 12: on single boards, the rational outcomes, the frontier, and the way of the expected outcome."""
    solver = "social-welfare" if "social-welfare" in runs else next(iter(runs))
    [run, *_] = runs[solver]
    with new_sheet(folder / f"ways-{oracle}.svg", len(run["boards"])) as sheet:
        for i, (axes, board) in enumerate(zip(sheet, run["boards"], strict=True)):
            possible, corners = outcomes(tuple(board)), frontier(tuple(board))
            axes.scatter(*zip(*sorted(possible), strict=True), s=14, facecolors="none", edgecolors="#888888")
            axes.plot(*zip(*corners, strict=True), color="#D55E00", linewidth=1.2)
            way = [row["way"][i] for row in run["rows"]]
            axes.plot(*zip(*way, strict=True), color="#0072B2", marker=".", linewidth=1.2)
            axes.annotate("0", way[0], fontsize=7, textcoords="offset points", xytext=(3, 3))
            axes.annotate(str(len(way) - 1), way[-1], fontsize=7, textcoords="offset points", xytext=(3, 3))
            axes.set_title(f"{solver}, test board {i}", loc="left", fontsize=9)
            axes.set(xlabel="the proposer gains", ylabel="the responder gains")


def report(options: Any, results: dict[str, Any], codes: Sequence[str]) -> str:
    """All of it."""
    sections = {part: section(part) for part in ("dqn", "boltzmann-dqn")}
    first = [*head(options, codes), *summary(results)]
    return assemble(first, sections, options, results)


def head(options: Any, codes: Sequence[str]) -> list[str]:
    """What this is, and how it was made."""
    o = options.numbers()
    plain = dataclasses.replace(options, solvers=type(options)().solvers) if not options.quick else options
    warning = ["**A smoke test with tiny numbers: nothing below means anything.**"] if options.quick else []
    return ["# PSRO on Colored Trails", *warning, text(
        "Section 5.2 of Li et al., *Combining tree-search, generative models, and Nash bargaining concepts in "
        "game-theoretic reinforcement learning* (2023), anew. The Pareto gap is the distance from the expected outcome "
        "on a board (what the proposer whose offer is accepted gains, what the responder gains) to the board's Pareto "
        "frontier, averaged over boards; intervals are over boards.",
    ), text(
        f"Made by `{command('colored_trails', plain)}`, with Parlor {', '.join(codes)}; {versions()}. "
        f"{o.iterations} iterations of PSRO; a response is learned from {o.response_games:,} games on {o.boards:,} "
        f"boards, with layers of {', '.join(map(str, o.layers))}; {o.cell_games} games for each cell of the empirical "
        f"game; trades of at most {o.chips} chips a side; {o.seeds} seed{'s' if o.seeds > 1 else ''}. The gap "
        f"is measured on {o.measured} boards of training and {o.measured} that are never used in it, with "
        f"{o.samples} games a board on average; strategies are drawn together from the mixture, as the meta-solver has "
        "it. The frontier counts all trades, with any number of chips.",
    ), text(
        "Unlike in the paper, those who see an offer see what it would bring both sides: it can be computed from what "
        "they see anyhow, and a responder does not have to learn to find paths. Proposers do: their networks have a "
        "value for each trade, as in the paper, learned from what came of it. `--paper` has the paper's sizes; it was "
        "not run here.",
    )]  # fmt: skip


def summary(results: Mapping[str, Any]) -> list[str]:
    """The bar, and simple agents."""
    lines: list[str] = []
    ends = sorted(
        (last(some, "test")["value"], solver, oracle)
        for oracle, result in results.items()
        for solver, some in result["runs"].items()
    )
    if ends:
        gap, solver, oracle = ends[0]
        below = sum(end < PAPERS_BEST for end, _, _ in ends)
        lines.append(text(
            f"The smallest gap on test boards is **{gap:.1f}**, of `{solver}` with {oracle} oracles, and {below} of "
            f"{len(ends)} runs end below {PAPERS_BEST:g}, where about the paper's best, joint NBS, ends; its curves go "
            f"from 22 to 30. Intervals overlap: these runs do not say in which order the solvers are, and the smallest "
            f"of {len(ends)} gaps is in part luck.",
        ))  # fmt: skip
    for result in list(results.values())[:1]:
        rows = [
            [name, *(shown(found[one]) for one in ("training", "test")), gained(found["test"])]
            for name, found in result["references"].items()
        ]
        lines += [
            "## Simple agents",
            table(("agents", "gap, training", "gap, test", "proposer and responder gain, test"), rows),
        ]
    return lines


def section(part: str) -> Any:
    """A part: its figures and a table, the best solver first."""

    def write(options: Any, result: Mapping[str, Any]) -> list[str]:
        runs: Runs = result["runs"]
        order = sorted(runs, key=lambda solver: last(runs[solver], "test")["value"])
        rows = [solver_row(solver, runs[solver]) for solver in order]
        notes = sorted({note for some in runs.values() for run in some for note in run["notes"]})
        columns = (
            "solver",
            "gap, test",
            "gap, training",
            "proposer and responder gain, test",
            "smallest, test",
            "processor time",
        )
        return [
            f"## Responses by {part}",
            f"![The Pareto gap along the iterations](gap-{part}.svg)",
            table(columns, rows),
            *(["Notes of meta-solvers: " + " ".join(notes)] if notes else []),
            "The way of the expected outcome on three test boards, with the rational outcomes and the frontier:",
            f"![Expected outcomes and the frontier](ways-{part}.svg)",
        ]

    return write


def solver_row(solver: str, runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line of the table."""
    test, training = last(runs, "test"), last(runs, "training")
    least, seconds = min(mean_gaps(runs, "test")), runs[0]["rows"][-1]["seconds"]
    return [f"`{solver}`", shown(test), shown(training), gained(test), f"{least:.1f}", f"{seconds:.0f} s"]


def last(runs: Sequence[Mapping[str, Any]], one: str) -> dict[str, Any]:
    """The gap at the end: the mean over seeds, with the interval over boards of the first seed."""
    found = dict(runs[0]["rows"][-1][one])
    shift = mean_gaps(runs, one)[-1] - found["value"]
    return found | {name: found[name] + shift for name in ("value", "low", "high")}


def shown(found: Mapping[str, Any]) -> str:
    """A gap with its interval."""
    return f"{found['value']:.1f} ({found['low']:.1f} to {found['high']:.1f})"


def gained(found: Mapping[str, Any]) -> str:
    """What both gain."""
    return ", ".join(f"{gain:.1f}" for gain in found["outcome"])
