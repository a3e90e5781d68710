"""Figures of tuning runs: the scores of the generations, and where each option went."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

from parlor.agents.registry import concrete_game
from parlor.game.loading import load
from parlor.runs.figures import COLOURS, DASHED, GREY, LABEL, Curve, check_figures, draw_curve, new_sheet
from parlor.runs.files.container import FileError
from parlor.runs.metrics import Row, read_metrics
from parlor.tuning.options import tuned_agent
from parlor.tuning.run import TuneRun

COLUMNS = 3


def tuning_figures(folders: Sequence[str | Path], out: str | Path, suffix: str = ".svg") -> list[Path]:
    """Draw runs of one agent: `score` and `options`; returns the files written."""
    check_figures(folders, suffix)
    searches = {label: rows for folder in folders for label, rows in _searches(Path(folder), len(folders) > 1).items()}
    if not searches:
        raise FileError(f"{', '.join(map(str, folders))}: no generation has been played yet.")
    config = TuneRun.load_config(Path(folders[0]))[0]
    paths = [Path(out) / f"{name}{suffix}" for name in ("score", "options")]
    _scores(searches, config.measure, paths[0])
    agent = tuned_agent(config.agent, concrete_game(load(config.game)), config.options)
    with new_sheet(paths[1], len(agent.options), COLUMNS) as sheet:
        for axes, option in zip(sheet, agent.options, strict=True):
            for colour, (label, rows) in zip(COLOURS * len(searches), searches.items(), strict=False):
                found = [row["option"][option.name] for row in rows]
                axes.plot([row["generation"] for row in rows], found, color=colour, linewidth=1.6, label=label)
            axes.axhline(option.start, color=GREY, linestyle=DASHED, linewidth=1.0)
            if option.log:
                axes.set_yscale("symlog" if option.low == 0.0 else "log")
            axes.set_title(option.name, loc="left", fontsize=12)
            axes.set_xlabel("generation", fontsize=LABEL)
        sheet[0].legend(frameon=False, fontsize=LABEL)
    return paths


def _searches(folder: Path, several: bool) -> dict[str, list[Row]]:
    """The generations of each search, by its method; of several runs also by the folder."""
    found: dict[str, list[Row]] = {}
    for row in read_metrics(folder):
        found.setdefault(f"{folder.name}, {row['method']}" if several else row["method"], []).append(row)
    return found


def _scores(searches: dict[str, list[Row]], measure: str, path: Path) -> None:
    with new_sheet(path) as [axes]:
        for colour, (label, rows) in zip(COLOURS * len(searches), searches.items(), strict=False):
            games = [row["search_games"] for row in rows]
            middle, low, high = ([row["score"][side] for row in rows] for side in ("value", "low", "high"))
            draw_curve(axes, Curve(games, middle, low, high, 1), colour, name=label)
            for before, row in itertools.pairwise(rows):
                if row["champions"] > before["champions"]:
                    axes.axvline(before["search_games"], color=colour, linestyle=DASHED, linewidth=0.8)
        axes.set_title(f"{measure} of a generation, against the pool of its time", loc="left", fontsize=12)
        axes.set_title("dashed: the pool has grown", loc="right", fontsize=LABEL, color=GREY)
        axes.set_xlabel("games")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.legend(frameon=False, fontsize=LABEL)
