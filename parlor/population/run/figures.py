"""Figures of PSRO runs: curves by iteration, the payoff matrix, and who was played when.

Several runs of one game are drawn as lines side by side: so meta-solvers are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from parlor.game.loading.registry import short_name
from parlor.policies.mixture import Array
from parlor.population.run.checkpoints import load_empirical
from parlor.population.run.run import BY, MEASURES, PsroRun
from parlor.runs.figures import COLOURS, DASHED, LABEL, check_figures, new_sheet
from parlor.runs.files.container import FileError
from parlor.runs.metrics import Row, read_metrics
from parlor.runs.run import newest

#: file -> column of the metrics, and whether it is drawn logarithmically
CURVES = {
    "nash-conv": ("nash_conv", True),
    "meta-nash-conv": ("meta_nash_conv", True),
    "welfare": ("social_welfare", False),
}
COLUMNS = 2
MIN_NASH_CONV = 1e-12  # NashConv below is rounding


def psro_figures(folders: Sequence[str | Path], out: str | Path, suffix: str = ".svg") -> list[Path]:
    """Draw runs of one game: curves, `payoffs` and `mixture`; returns the files written."""
    check_figures(folders, suffix)
    runs = {_label(Path(folder), len(folders) > 1): Path(folder) for folder in folders}
    rows = {label: _measured(folder) for label, folder in runs.items()}
    paths = []
    for name, (column, logarithmic) in CURVES.items():
        found = {
            label: [(row[BY], row[column]) for row in some if column in row and (row[BY] or not logarithmic)]
            for label, some in rows.items()
        }
        if any(found.values()):
            paths.append(_curves(found, MEASURES[column].title, Path(out) / f"{name}{suffix}", logarithmic))
    if any(newest(folder) for folder in runs.values()):
        paths.append(_payoffs(runs, Path(out) / f"payoffs{suffix}"))
    paths.append(_mixtures(rows, Path(out) / f"mixture{suffix}"))
    return paths


def _label(folder: Path, several: bool) -> str:
    config = PsroRun.load_config(folder)[0]
    meta = short_name(config.meta)
    return f"{meta}, {folder.name}" if several else meta


def _measured(folder: Path) -> list[Row]:
    rows = read_metrics(folder, BY)
    if len(rows) < 2:
        raise FileError(f"{folder} has no iteration yet; a curve needs one.")
    return rows


def _curves(found: Mapping[str, list[tuple[int, float]]], title: str, path: Path, logarithmic: bool) -> Path:
    with new_sheet(path) as [axes]:
        for i, (label, points) in enumerate(found.items()):
            values = [max(value, MIN_NASH_CONV) if logarithmic else value for _, value in points]
            style: Any = DASHED if i >= len(COLOURS) else "-"
            colour = COLOURS[i % len(COLOURS)]
            axes.plot([at for at, _ in points], values, color=colour, linestyle=style, linewidth=1.8, label=label)
        if logarithmic:
            axes.set_xscale("log")
            axes.set_yscale("log")
        axes.set_title(title, loc="left", fontsize=12)
        axes.set_xlabel("iteration")
        axes.legend(frameon=False, fontsize=LABEL)
    return path


def _payoffs(runs: Mapping[str, Path], path: Path) -> Path:
    """The payoffs of the empirical game, a panel for each player of each run."""
    panels: list[tuple[str, str, Array]] = []
    for label, folder in runs.items():
        checkpoint = newest(folder)
        if checkpoint is None:
            continue
        payoffs = load_empirical(checkpoint)[1].payoffs
        mixture = next(row["mixture"] for row in read_metrics(folder, BY) if row[BY] == int(checkpoint.stem))
        chosen = [int(np.argmax(weights)) for weights in mixture[2:]]
        others = ", ".join(f"player {p} plays {i}" for p, i in enumerate(chosen, 2))
        opposite = len(payoffs) == 2 and np.allclose(payoffs[0], -payoffs[1])
        for player in range(1 if opposite else len(payoffs)):
            at: Any = (player, slice(None), slice(None), *chosen)
            matrix = payoffs[at]
            panels.append((f"{label}: payoff of player {player}", others, matrix))
    most = max(float(np.nanmax(np.abs(matrix))) for _, _, matrix in panels) or 1.0
    with new_sheet(path, len(panels), COLUMNS) as sheet:
        for axes, (title, others, matrix) in zip(sheet, panels, strict=True):
            image = axes.imshow(matrix, cmap="RdBu", vmin=-most, vmax=most, interpolation="nearest", aspect="auto")
            axes.set_title(title, loc="left", fontsize=12)
            axes.set_xlabel("strategy of player 1" + (f"; {others}" if others else ""), fontsize=LABEL)
            axes.set_ylabel("strategy of player 0", fontsize=LABEL)
            axes.grid(False)
            axes.locator_params(integer=True)
        _key(image, sheet, "payoff")
    return path


def _mixtures(rows: Mapping[str, list[Row]], path: Path) -> Path:
    """Draw the mixture over strategies, iteration by iteration: a panel for each player of each run."""
    panels = [
        (f"{label}: player {player}", [(row[BY], row["mixture"][player]) for row in some])
        for label, some in rows.items()
        for player in range(len(some[-1]["mixture"]))
    ]
    with new_sheet(path, len(panels), COLUMNS) as sheet:
        for axes, (title, mixtures) in zip(sheet, panels, strict=True):
            last = mixtures[-1][0]
            played = np.full((len(mixtures[-1][1]), last + 1), np.nan)
            for at, weights in mixtures:
                played[: len(weights), at] = weights
            shade = np.sqrt(played)  # so that rare ones are seen
            image = axes.imshow(shade, vmin=0.0, vmax=1.0, origin="lower", interpolation="nearest", aspect="auto")
            axes.set_title(title, loc="left", fontsize=12)
            axes.set_xlabel("iteration", fontsize=LABEL)
            axes.set_ylabel("strategy", fontsize=LABEL)
            axes.grid(False)
            axes.locator_params(integer=True)
        shares = (0.0, 0.01, 0.05, 0.2, 0.5, 1.0)
        key = _key(image, sheet, "how often it is played")
        key.set_ticks(np.sqrt(shares), labels=[f"{share:.0%}" for share in shares])
    return path


def _key(image: Any, sheet: Sequence[Any], what: str) -> Any:
    """One key to the colours of all panels."""
    key = sheet[0].figure.colorbar(image, ax=list(sheet), shrink=0.85)
    key.set_label(what, fontsize=LABEL)
    return key
