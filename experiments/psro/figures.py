"""The figures of the PSRO experiment: NashConv and social welfare along the iterations, a line for each meta-solver."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.psro.games import PSRO_GAMES, TITLED
from parlor.runs.figures import DASHED, new_sheet

Runs = Sequence[Mapping[str, Any]]
#: A colour for each family; the coarse equilibria, and the joint bargaining solution, are dashed.
COLOURS = {
    "uniform": "#555555", "prd": "#0072B2", "regret-matching": "#56B4E9", "adidas": "#009E73",
    "alpha-rank": "#000000", "nbs": "#CC79A7", "nbs-joint": "#CC79A7", "social-welfare": "#8B4513",
    "me": "#E69F00", "mg": "#D55E00", "mw": "#7A52C7", "mn": "#B8B000",
}  # fmt: skip
#: Panels of figure 3: game, oracle, column.
SAMPLE = (
    ("leduc-3", "dqn", "nash_conv"), ("sheriff", "dqn", "nash_conv"), ("tiny-bridge", "dqn", "nash_conv"),
    ("leduc-3", "exact", "nash_conv"), ("sheriff", "dqn", "social_welfare"), ("tiny-bridge", "dqn", "social_welfare"),
    ("sheriff", "exact", "nash_conv"), ("tiny-bridge", "exact", "nash_conv"),
    ("sheriff", "exact", "social_welfare"), ("tiny-bridge", "exact", "social_welfare"),
)  # fmt: skip
TITLES = {"nash_conv": "NashConv", "social_welfare": "social welfare"}
FLOOR = 1e-6  # of NashConv on paper
POINTS = 50  # of a curve, at most, evenly in the logarithm


def draw(folder: Path, number: int, found: Mapping[str, Any]) -> Path:
    """A figure of the paper: NashConv of each game by each oracle, and welfare where it is not constant."""
    columns = ("nash_conv", "social_welfare") if number in (9, 10) else ("nash_conv",)
    panels = [(game, oracle, column) for game in found for oracle in found[game] for column in columns]
    return sheet(folder / f"figure{number}.svg", panels, found)


def draw_sample(folder: Path, found: Mapping[str, Any]) -> Path | None:
    """Figure 3: a sample of the games, as far as they were run."""
    panels = [panel for panel in SAMPLE if found.get(panel[0], {}).get(panel[1])]
    return sheet(folder / "figure3.svg", panels, found) if panels else None


def sheet(path: Path, panels: Sequence[tuple[str, str, str]], found: Mapping[str, Any]) -> Path:
    """The panels, two in a row, and below them the names of the lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_sheet(path, len(panels), columns=2) as all_axes:
        for axes, (game, oracle, column) in zip(all_axes, panels, strict=True):
            for solver, runs in found[game][oracle].items():
                line(axes, solver, runs, column)
            axes.set_xscale("log")
            if column == "nash_conv":
                axes.set_yscale("log")
            axes.set_title(f"{PSRO_GAMES[game].title}, {TITLED[oracle]} oracles", loc="left", fontsize=10)
            axes.set(xlabel="iteration", ylabel=TITLES[column])
        lines = {line.get_label(): line for axes in all_axes for line in axes.get_lines()}
        all_axes[0].figure.legend(lines.values(), lines, loc="outside lower center", frameon=False, fontsize=8, ncols=8)
    return path


def line(axes: Any, solver: str, runs: Runs, column: str) -> None:
    """The mean over seeds, and their range."""
    curves = [run["columns"][column] for run in runs]
    length = min(map(len, curves))
    at = sorted({min(length, round(length ** (k / (POINTS - 1)))) for k in range(POINTS)})
    low = [min(curve[i - 1] for curve in curves) for i in at]
    high = [max(curve[i - 1] for curve in curves) for i in at]
    mean = [math.fsum(curve[i - 1] for curve in curves) / len(curves) for i in at]
    if column == "nash_conv":
        low, high, mean = ([max(value, FLOOR) for value in values] for values in (low, high, mean))
    colour = COLOURS.get(solver) or COLOURS[solver[:2]]
    style = DASHED if solver.endswith(("cce", "joint")) else "-"
    axes.plot(at, mean, color=colour, linestyle=style, linewidth=1.1, label=solver)
    if len(curves) > 1:
        axes.fill_between(at, low, high, color=colour, alpha=0.15, linewidth=0)
