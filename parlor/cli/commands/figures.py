"""Draw what runs have measured: regret, win rates, payoffs, updates, policy; how tuning and PSRO runs went.

Examples:
  parlor figures runs/monopoly-deal
  parlor figures runs/seed-1 runs/seed-2 runs/seed-3 --out figures      their mean and range
  parlor figures runs/monopoly-deal --format .png
  parlor figures runs/tune-monopoly-deal-careful        scores, and where each option went
  parlor figures runs/psro-leduc-nash runs/psro-leduc-prd --out figures    NashConv, welfare, payoffs, who was played

A run that is still in progress can be drawn too.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from parlor.cli.flags import Folder, JsonFlag
from parlor.cli.screen import print_json
from parlor.population.run.figures import psro_figures
from parlor.population.run.run import PsroRun
from parlor.runs.figures import check_figures, convergence, training_figures
from parlor.runs.files.container import FileError
from parlor.runs.metrics import read_metrics
from parlor.runs.run import CONFIG, run_kind
from parlor.runs.solving import BY, SolveRun
from parlor.runs.training import TrainingRun
from parlor.tuning.figures import tuning_figures
from parlor.tuning.run import TuneRun


def _tuned(folder: Path) -> dict[str, Any]:
    config = TuneRun.load_config(folder)[0]
    return {"game": config.game, "agent": config.agent, "measure": config.measure}


def solving_figures(folders: Sequence[Path], out: Path, suffix: str = ".svg") -> list[Path]:
    """Draw the exploitability of solves of one game."""
    check_figures(folders, suffix)
    curves, config = {}, SolveRun.load_config(folders[0])[0]
    for folder in folders:
        name = SolveRun.load_config(folder)[0].algorithm
        rows = read_metrics(folder, BY)
        curves[name if len(folders) == 1 else f"{name}, {folder.name}"] = [(r[BY], r["exploitability"]) for r in rows]
    return [convergence(curves, config.game, out / f"exploitability{suffix}")]


def _trained(folder: Path) -> dict[str, Any]:
    return TrainingRun.load_config(folder)[0].data() if (folder / CONFIG).exists() else {}


#: kind of run -> what draws several of them, and what of a configuration must be the same in all
KINDS: Mapping[str, tuple[Callable[..., list[Path]], Callable[[Path], dict[str, Any]]]] = {
    TrainingRun.kind: (training_figures, _trained),
    SolveRun.kind: (solving_figures, lambda folder: {"game": SolveRun.load_config(folder)[0].game}),
    TuneRun.kind: (tuning_figures, _tuned),
    PsroRun.kind: (psro_figures, lambda folder: {"game": PsroRun.load_config(folder)[0].game}),
}


@dataclass(frozen=True, kw_only=True)
class Options(JsonFlag):
    """Options of `parlor figures`."""

    runs: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="RUN …")]
    """The folders of one or more runs; several of training are drawn as their mean and range."""
    out: Folder = None
    """The folder for the figures; if omitted, RUN/figures for one run, figures for several."""
    format: Annotated[str, tyro.conf.arg(metavar=".svg|.png|.pdf")] = ".svg"
    """The kind of file."""


def run(options: Options) -> int:
    """Draw and print where the figures are."""
    draw, alike = KINDS[next(filter(None, map(run_kind, options.runs)), TrainingRun.kind)]
    _check_alike({folder: alike(folder) for folder in options.runs})
    out = options.out or (options.runs[0] / "figures" if len(options.runs) == 1 else Path("figures"))
    paths = [str(path) for path in draw(options.runs, out, options.format)]
    if options.json:
        print_json({"figures": paths})
    else:
        print("\n".join(paths))
    return 0


def _check_alike(runs: Mapping[Path, dict[str, Any]]) -> None:
    """Raise FileError for runs of different kinds, which cannot be drawn together."""
    configs = {folder: config for folder, config in runs.items() if config}
    for (one, first), (other, second) in itertools.pairwise(configs.items()):
        different = [name for name in first if name not in ("seed", "games") and first[name] != second[name]]
        if different:
            name = different[0]
            raise FileError(
                f"{one} and {other} are not runs of one kind, so they have no mean: {name} is {first[name]} in one, "
                f"{second[name]} in the other."
            )
