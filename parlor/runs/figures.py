"""Figures of runs. Matplotlib is loaded only when one is drawn; the same numbers give the same .svg file.

A training run is drawn from its metrics: first maximum expected regret, win rates, updates for each information set,
and the probability of each action, as in figures 2 to 5 of Wolf (2025); then everything else it has measured. One run
is drawn with the intervals it has measured; several, of different seeds, as their mean and range at the games
where all of them were measured.
"""

from __future__ import annotations

import contextlib
import functools
import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from parlor.game import Game, GameError
from parlor.game.loading import load
from parlor.runs.config import Config
from parlor.runs.files.container import FIGURES, FileError, ending, write
from parlor.runs.measures import MetricColumn, lines_of, measure
from parlor.runs.metrics import Row, read_metrics
from parlor.runs.run import load_config

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#555555")  # Okabe and Ito
SHADES = ("#440154", "#404688", "#2A788E", "#22A884", "#7AC143", "#C9B800")  # viridis, dark to light, on white paper
DASHED = (0, (4, 1.6))
STARTS: dict[str, tuple[str, Any]] = {"first": ("agent first", "-"), "alternating": ("alternating start", DASHED)}
MAX_LINES = 10  # lines in a panel
WIDTH, HEIGHT = 7.0, 4.2
LABEL, GREY = 8.5, "#555555"  # small print, in points


def convergence(
    curves: Mapping[str, Sequence[tuple[int, float]]], title: str, path: str | Path, against: str = "iterations"
) -> Path:
    """Draw exploitability against iterations, both logarithmic, one line for each name; .svg, .png or .pdf."""
    with new_sheet(Path(path)) as [axes]:
        for name, curve in curves.items():
            axes.loglog([i for i, _ in curve], [max(e, 1e-16) for _, e in curve], label=name, linewidth=1.8)
        axes.set(title=title, xlabel=against, ylabel="exploitability")
        axes.legend(frameon=False)
    return Path(path)


def win_shares(
    curves: Mapping[str, Mapping[int, Mapping[str, float]]], title: str, path: str | Path, even: float, against: str
) -> Path:
    """Draw win shares with their intervals, one line for each opponent; dashed: what everybody gets among equals."""
    with new_sheet(Path(path)) as [axes]:
        for colour, (name, points) in zip(COLOURS, curves.items(), strict=False):
            middle, low, high = ([point[side] for point in points.values()] for side in ("value", "low", "high"))
            draw_curve(axes, Curve(list(points), middle, low, high, 1), colour, name=name)
        axes.axhline(even, color=GREY, linestyle=DASHED, linewidth=1.0)
        axes.set_xscale("log")
        axes.set_ylim(0.0, 1.0)
        axes.set(xlabel=against, ylabel="win share")
        axes.set_title(title, loc="left", fontsize=12)
        axes.legend(frameon=False, fontsize=LABEL)
    return Path(path)


def training_figures(folders: Sequence[str | Path], out: str | Path, suffix: str = ".svg") -> list[Path]:
    """Draw everything that the runs have measured, a file for each column; returns the files written."""
    check_figures(folders, suffix)
    runs = [_measured(Path(folder)) for folder in folders]
    game, measures = _about(Path(folders[0]))
    drawings: dict[str, Callable[[Sequence[list[Row]], Path], Path | None]] = {
        **TRAINING,
        "payoffs": functools.partial(payoffs, unit=game.unit if game else ("payoff", 1.0)),
        "policy": functools.partial(policy, panels=game.training.panels if game else {}),
    }
    for name in dict.fromkeys(name for rows in runs for row in rows for name in lines_of(row)):
        if name not in drawings:
            drawings[name] = functools.partial(column, name=name, known=measure(name, measures))
    drawn = [draw(runs, Path(out) / f"{name}{suffix}") for name, draw in drawings.items()]
    paths = [path for path in drawn if path]
    if not paths:
        raise FileError(f"{', '.join(map(str, folders))} measured nothing that could be drawn together.")
    return paths


def check_figures(folders: Sequence[str | Path], suffix: str) -> None:
    """Raise FileError for no runs, or another kind of file."""
    if suffix not in FIGURES:
        *some, last = FIGURES
        raise FileError(f"A figure ends in {', '.join(some)} or {last}, not {suffix!r}.")
    if not folders:
        raise FileError("There is no run to draw: name the folder of at least one.")


def regret(runs: Sequence[list[Row]], path: Path) -> Path | None:
    """Maximum expected regret against games: figure 2 of the paper. None if it was not measured."""
    curve = bundle(runs, "regret", "max_expected")
    if not curve:
        return None
    with new_sheet(path) as [axes]:
        draw_curve(axes, curve, COLOURS[0])
        axes.set_ylim(bottom=0.0)
        _games(axes, "Maximum expected regret", [curve])
    return path


def win_rates(runs: Sequence[list[Row]], path: Path) -> Path | None:
    """Win rates, a panel for each baseline; solid: the agent starts, dashed: they alternate. Figure 3 of the paper."""
    return _against(runs, path, "Win rate", "rate", ends=(0.0, 1.0))


def payoffs(runs: Sequence[list[Row]], path: Path, unit: tuple[str, float] = ("", 1.0)) -> Path | None:
    """The same for payoffs, if games have points; in a unit, of which a point has so many."""
    return _against(runs, path, "Payoff", "payoff", "value", unit=unit)


def _against(
    runs: Sequence[list[Row]],
    path: Path,
    what: str,
    *keys: str,
    ends: tuple[Any, Any] = (None, None),
    unit: tuple[str, float] = ("", 1.0),
) -> Path | None:
    panels = {}
    for who in _names(runs, "wins"):
        curves = {start: bundle(runs, "wins", who, start, *keys) for start in STARTS}
        if found := {start: curve for start, curve in curves.items() if curve}:
            panels[who] = found
    if not panels:
        return None
    with new_sheet(path, len(panels)) as sheet:
        for i, (axes, (who, part)) in enumerate(zip(sheet, panels.items(), strict=True)):
            for start, curve in part.items():
                name, style = STARTS[start]
                draw_curve(axes, curve * unit[1], COLOURS[i % len(COLOURS)], style, name)
            axes.set_ylim(*ends)
            axes.set_ylabel(unit[0])
            axes.legend(frameon=False, loc="best", fontsize=LABEL, handlelength=2.6)
            _games(axes, f"{what} against {who}", list(part.values()), "shaded: 95 % interval")
    return path


def updates(runs: Sequence[list[Row]], path: Path) -> Path | None:
    """Quantiles of the number of updates an information set has had: figure 4 of the paper.

    A quantile that is 0 has no place on the logarithmic axis.
    """
    quantiles = sorted((q for q in _names(runs, "updates") if q.isdigit()), key=int, reverse=True)
    found = {q: curve for q in quantiles if (curve := bundle(runs, "updates", q, positive=True))}
    if not found:
        return None
    words = {"100": "most", "50": "median", "0": "least"}
    with new_sheet(path) as [axes]:
        axes.set_yscale("log")
        ends = {}
        for i, (q, curve) in enumerate(found.items()):
            colour = SHADES[i * (len(SHADES) - 1) // max(len(found) - 1, 1)]
            draw_curve(axes, curve, colour)
            ends[words.get(q, f"{q} %")] = (curve.middle[-1], colour)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}")
        _games(axes, "Updates per information set", list(found.values()))
        _label(axes, ends)
    return path


def column(runs: Sequence[list[Row]], path: Path, name: str, known: MetricColumn) -> Path | None:
    """A column that has no figure of its own: a line for each of its names."""
    lines = [[{"games": row["games"], "lines": lines_of(row).get(name, {})} for row in rows] for rows in runs]
    log = known.scale.startswith("log")
    curves = {line: bundle(lines, "lines", line, positive=log) for line in _names(lines, "lines")}
    found = {known.called(line): curve for line, curve in curves.items() if curve}
    if not found:
        return None
    with new_sheet(path) as [axes]:
        if log:
            axes.set_yscale("log")
        for i, (line, curve) in enumerate(found.items()):
            draw_curve(axes, curve, COLOURS[i % len(COLOURS)], "-" if i < len(COLOURS) else DASHED, line)
        if known.scale == "share":
            axes.set_ylim(0.0, 1.0)
        if len(found) > 1:
            axes.legend(frameon=False, loc="best", fontsize=LABEL)
        _games(axes, known.title, list(found.values()))
    return path


def policy(
    runs: Sequence[list[Row]], path: Path, panels: Mapping[str, tuple[str, ...]] = MappingProxyType({})
) -> Path | None:
    """Median probability of each action, in the panels that the game declares: figure 5 of the paper."""
    curves = {name: bundle(runs, "policy", name) for name in _names(runs, "policy")}
    found = {name: curve for name, curve in curves.items() if curve}
    named = {name for names in panels.values() for name in names}
    titled = any(name in found for name in named)
    parts = {
        title: {name: found[name] for name in names or found if name in found and (names or name not in named)}
        for title, names in (panels.items() if titled else {"Median probability of an action": ()}.items())
    }
    parts = {title: part for title, part in parts.items() if part}
    if not parts:
        return None
    with new_sheet(path, len(parts)) as sheet:
        for axes, (title, part) in zip(sheet, parts.items(), strict=True):
            most = sorted(part, key=lambda name: -part[name].middle[-1])[:MAX_LINES]
            ends = {}
            for i, name in enumerate(name for name in part if name in most):
                draw_curve(axes, part[name], COLOURS[i % len(COLOURS)], "-" if i < len(COLOURS) else DASHED)
                ends[name] = (part[name].middle[-1], COLOURS[i % len(COLOURS)])
            axes.set_ylim(0.0, 1.0)
            some = f"the {MAX_LINES} most probable of {len(part)}" if len(part) > MAX_LINES else ""
            _games(axes, title, [part[name] for name in most], some)
            _label(axes, ends)
        if titled:
            sheet[0].set_ylabel("median probability")
    return path


TRAINING = {"regret": regret, "win-rates": win_rates, "payoffs": payoffs, "updates": updates, "policy": policy}


# ------------------------------------------------------------------------------------------------------- what is drawn


@dataclass(frozen=True)
class Curve:
    """A line and the band around it."""

    games: list[int]
    middle: list[float]
    low: list[float]
    high: list[float]
    runs: int

    def __mul__(self, scale: float) -> Curve:
        """The same in another unit."""
        middle, low, high = ([scale * y for y in part] for part in (self.middle, self.low, self.high))
        return Curve(self.games, middle, low, high, self.runs)


def _measured(folder: Path) -> list[Row]:
    rows = read_metrics(folder)
    if len(rows) < 2:
        raise FileError(f"{folder} has {'one evaluation' if rows else 'no evaluation yet'}; a curve needs two.")
    return rows


def _about(folder: Path) -> tuple[Game | None, Mapping[str, MetricColumn]]:
    """The game of a run, if it can be loaded, and the measures of its learner."""
    with contextlib.suppress(GameError, FileError):
        config = load_config(Config, folder, "training")[0]
        return load(config.game), config.measures
    return None, {}


def _names(runs: Sequence[list[Row]], key: str) -> list[str]:
    """The names under a key, in order of appearance."""
    parts = (row[key] for rows in runs for row in rows if isinstance(row.get(key), dict))
    return list(dict.fromkeys(name for part in parts for name in part))


def _values(rows: list[Row], *keys: str, positive: bool = False) -> dict[int, float]:
    """A number of each row that has it, by games."""
    found = {}
    for row in rows:
        value: Any = row
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, (int, float)) and math.isfinite(value) and (value > 0 or not positive):
            found[int(row["games"])] = float(value)
    return found


def bundle(runs: Sequence[list[Row]], *keys: str, positive: bool = False) -> Curve | None:
    """For one run the number, with its own interval if it has one; for several, mean and range where all have it."""
    measured = [(rows, values) for rows in runs if (values := _values(rows, *keys, positive=positive))]
    games = sorted(set.intersection(*(set(values) for _, values in measured))) if measured else []
    if len(games) < 2:
        return None
    if len(measured) > 1:
        columns = [[values[g] for _, values in measured] for g in games]
        middle, low, high = [sum(c) / len(c) for c in columns], [min(c) for c in columns], [max(c) for c in columns]
    else:
        [(rows, values)] = measured
        lows, highs = _values(rows, *keys[:-1], "low"), _values(rows, *keys[:-1], "high")
        middle = [values[g] for g in games]
        low, high = ([side.get(g, values[g]) for g in games] for side in (lows, highs))
    return Curve(games, middle, low, high, len(measured))


# ------------------------------------------------------------------------------------------------------ how it is drawn


@contextlib.contextmanager
def new_sheet(
    path: Path, panels: int = 1, columns: int = 0, size: tuple[float, float] | None = None
) -> Iterator[list[Any]]:
    """Axes to draw on, side by side, or so many in a row; at the end the file is written. The size is in inches."""
    ending(path, FIGURES)
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise FileError("Figures need Matplotlib: pip install 'parlor-games[figures]'.") from None
    settings: Any = {
        "svg.hashsalt": "parlor",
        "svg.fonttype": "none",
    }  # the same curve, the same file; letters as letters
    with matplotlib.rc_context(settings):
        columns = min(columns, panels) or panels
        lines = -(-panels // columns)
        usual = WIDTH if panels == 1 else 0.75 * WIDTH * columns, HEIGHT if lines == 1 else 0.6 * HEIGHT * lines
        figure = Figure(figsize=size or usual, layout="constrained")
        sheet = list(figure.subplots(lines, columns, squeeze=False).flat)
        for axes in sheet[panels:]:
            axes.set_visible(False)
        for axes in sheet:
            axes.grid(True, which="major", alpha=0.35)
            axes.spines[["top", "right"]].set_visible(False)
        yield sheet[:panels]
        buffer = io.BytesIO()
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(buffer, format=path.suffix[1:], dpi=150, metadata=metadata)
    write(path, buffer.getvalue())


def _games(axes: Any, title: str, curves: Sequence[Curve], about_one: str = "") -> None:
    """Title and horizontal axis: self-play games, from 0 to the last."""
    runs = max(curve.runs for curve in curves)
    axes.set_title(title, loc="left", fontsize=12)
    axes.set_title(f"mean and range of {runs} runs" if runs > 1 else about_one, loc="right", fontsize=LABEL, color=GREY)
    axes.set_xlabel("games of self-play")
    axes.set_xlim(0, max(curve.games[-1] for curve in curves))
    axes.locator_params(axis="x", nbins=5)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")


def draw_curve(axes: Any, curve: Curve, colour: str, style: Any = "-", name: str = "") -> None:
    """Draw a line and the band around it."""
    axes.fill_between(curve.games, curve.low, curve.high, color=colour, alpha=0.13, linewidth=0)
    line = {"color": colour, "linestyle": style, "linewidth": 1.8, "solid_capstyle": "round", "label": name}
    axes.plot(curve.games, curve.middle, clip_on=False, **line)  # a line along the edge is seen in full


def _label(axes: Any, ends: Mapping[str, tuple[float, str]]) -> None:
    """Write the names of lines beside their ends, name -> (value, colour), without overlaps."""
    gap = 1.3 * LABEL / (72 * HEIGHT * 0.8)  # of the height of the axes
    to_axes = axes.transData + axes.transAxes.inverted()
    places = sorted((float(to_axes.transform((axes.get_xlim()[1], y))[1]), name) for name, (y, _) in ends.items())
    heights = [y for y, _ in places]
    for _ in range(100):  # push neighbours apart until none are too close
        for i in range(len(heights) - 1):
            short = gap - (heights[i + 1] - heights[i])
            if short > 1e-6:
                heights[i] -= short / 2
                heights[i + 1] += short / 2
    for (_, name), y in zip(places, heights, strict=True):
        axes.annotate(
            name,
            (1.0, y),
            xycoords="axes fraction",
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            fontsize=LABEL,
            color=ends[name][1],
            annotation_clip=False,
        )
