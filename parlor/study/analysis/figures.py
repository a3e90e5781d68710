"""The figures of a report: returns with their intervals, both returns at once, orientation, and residuals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import probplot

from parlor.arena.statistics import Estimate
from parlor.runs.figures import new_sheet
from parlor.study.analysis.findings import AGENT, COMBINED, HUMAN, RETURNS, StudyFindings, WithAgents
from parlor.study.analysis.folder import StudyTables

COLOURS = {HUMAN: "#0072b2", AGENT: "#d55e00", COMBINED: "#333333"}  # told apart by the colour-blind too
MARKS = {HUMAN: "o", AGENT: "s", COMBINED: "D"}
DOTS: dict[str, Any] = {  # many of them are an image, else the report is large
    "linestyle": "", "marker": ".", "markersize": 3, "color": COLOURS[HUMAN], "alpha": 0.6, "rasterized": True,
}  # fmt: skip


def draw_returns(found: WithAgents, people: float | None, path: Path) -> Path:
    """The mean returns with each agent, and what people get among themselves."""
    with new_sheet(path) as (axes,):
        for offset, name in zip((-0.2, 0.0, 0.2), RETURNS, strict=True):
            at = np.arange(len(found.agents)) + offset
            _interval(axes.vlines, at, found.means[name], COLOURS[name])
            value = [one.value for one in found.means[name]]
            axes.plot(at, value, MARKS[name], color=COLOURS[name], label=f"{name} return")
        if people is not None:
            axes.axhline(people, color="#888888", linestyle="--", linewidth=1, label="people among themselves")
        axes.set_xticks(range(len(found.agents)), found.agents)
        axes.set_ylabel("points a game")
        axes.legend(frameon=False, fontsize=9)
    return path


def draw_plane(found: WithAgents, people: float | None, path: Path) -> Path:
    """Draw people's return against the agent's, with lines of equal Nash bargaining score."""
    with new_sheet(path) as (axes,):
        human, agent = (found.means[name] for name in (HUMAN, AGENT))
        for name, x, y in zip(found.agents, human, agent, strict=True):
            _interval(axes.hlines, y.value, [x], COLOURS[HUMAN])
            _interval(axes.vlines, x.value, [y], COLOURS[HUMAN])
            axes.plot(x.value, y.value, "o", color=COLOURS[HUMAN])
            axes.annotate(name, (x.value, y.value), xytext=(5, 5), textcoords="offset points")
        if people is not None:
            axes.plot(people, people, "x", color="#888888")
            axes.annotate("people", (people, people), xytext=(5, 5), textcoords="offset points", color="#666666")
        _nash_lines(axes)
        axes.set_xlabel("return of the person")
        axes.set_ylabel("return of the agent")
    return path


def _interval(draw: Any, at: Any, estimates: Sequence[Estimate], colour: str) -> None:
    """From the low end to the high one, which need not be on two sides of the value."""
    draw(at, [one.low for one in estimates], [one.high for one in estimates], color=colour, linewidth=1.5)


def _nash_lines(axes: Any) -> None:
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    if left <= 0 or bottom <= 0:
        return
    x, y = np.meshgrid(np.linspace(left, right, 100), np.linspace(bottom, top, 100))
    lines = axes.contour(x, y, x * y, levels=6, colors="#bbbbbb", linewidths=0.7)
    axes.clabel(lines, fontsize=7)


def draw_residuals(findings: StudyFindings, path: Path) -> Path:
    """For every model, residuals against fitted values, and against the quantiles of a normal distribution."""
    models = [(f"{one.condition}: {name}", one.fits[name]) for one in findings.with_agents for name in RETURNS]
    models += [(one.condition, one.fit) for one in findings.with_people]
    with new_sheet(path, 2 * len(models), 2, size=(9.0, 2.6 * len(models))) as sheet:
        for (title, model), left, right in zip(models, sheet[::2], sheet[1::2], strict=True):
            left.plot(model.fitted, model.residuals, **DOTS)
            left.axhline(0.0, color="#888888", linewidth=0.8)
            left.set_title(title, loc="left", fontsize=10)
            left.set_xlabel("fitted", fontsize=8)
            left.set_ylabel("residual", fontsize=8)
            quantiles, ordered = probplot(model.residuals, fit=False)
            right.plot(quantiles, ordered, **DOTS)
            spread = float(np.std(model.residuals))
            ends = np.array([quantiles[0], quantiles[-1]])
            right.plot(ends, spread * ends, color="#888888", linewidth=0.8)
            right.set_title("normal plot", loc="left", fontsize=10)
            right.set_xlabel("quantile of a normal distribution", fontsize=8)
    return path


def draw_orientation(data: StudyTables, path: Path) -> Path:
    """The mean return of each participant against the angle of Social Value Orientation, by condition."""
    angles = data.participants.set_index("participant")["svo_angle"].dropna()
    conditions = [name for name in data.conditions if not data.of_condition(name).empty]
    with new_sheet(path, len(conditions)) as sheet:
        for axes, condition in zip(sheet, conditions, strict=True):
            mean = data.of_condition(condition).groupby("participant")["points"].mean()
            both = mean[mean.index.isin(angles.index)]
            axes.plot(angles.loc[both.index], both, "o", markersize=4, color=COLOURS[HUMAN], alpha=0.6)
            axes.set_title(condition, loc="left", fontsize=12)
            axes.set_xlabel("Social Value Orientation, degrees")
            axes.set_ylabel("mean points a game")
    return path
