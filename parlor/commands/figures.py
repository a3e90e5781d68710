"""Draw what training runs have measured: regret, win rates, payoffs, updates, policy; and how tuning runs went.

Examples:
  parlor figures runs/monopoly-deal
  parlor figures runs/seed-1 runs/seed-2 runs/seed-3 --out figures      their mean and range
  parlor figures runs/monopoly-deal --ending .png
  parlor figures runs/tune-monopoly-deal-careful        scores, and where each option went

A run that is still in progress can be drawn too.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from parlor.commands.screen import print_json
from parlor.runs.checkpoints import CONFIG, load_config, run_kind
from parlor.runs.figures import training_figures
from parlor.runs.policy_files import FileError
from parlor.runs.tuning.best import KIND
from parlor.runs.tuning.figures import tuning_figures
from parlor.runs.tuning.run import load_tuning


@dataclass(frozen=True)
class Options:
    """Options of `parlor figures`."""

    runs: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="RUN [RUN ...]")]
    """The folders of one or more runs; several of training are drawn as their mean and range."""
    out: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")] = None
    """The folder for the figures; if omitted, RUN/figures for one run, figures for several."""
    ending: Annotated[str, tyro.conf.arg(metavar=".svg|.png|.pdf")] = ".svg"
    """The kind of file."""
    json: bool = False
    """Print the result as JSON."""


def run(options: Options) -> int:
    """Draw and print where the figures are."""
    _alike(options.runs)
    out = options.out or (options.runs[0] / "figures" if len(options.runs) == 1 else Path("figures"))
    draw = tuning_figures if _tuned(options.runs) else training_figures
    paths = [str(path) for path in draw(options.runs, out, options.ending)]
    if options.json:
        print_json({"figures": paths})
    else:
        print("\n".join(paths))
    return 0


def _tuned(runs: tuple[Path, ...]) -> bool:
    return any(run_kind(folder) == KIND for folder in runs)


def _alike(runs: tuple[Path, ...]) -> None:
    """Raise GameError for runs of different kinds, whose mean would be meaningless."""
    configs = {}
    for folder in runs:
        if _tuned(runs):
            config = load_tuning(folder)[0]
            configs[folder] = {"game": config.game, "agent": config.agent, "measure": config.measure}
        elif (folder / CONFIG).exists():
            configs[folder] = load_config(folder)[0].data()
    for (one, first), (other, second) in itertools.pairwise(configs.items()):
        different = [name for name in first if name not in ("seed", "games") and first[name] != second[name]]
        if different:
            name = different[0]
            raise FileError(
                f"{one} and {other} are not runs of one kind, so they have no mean: {name} is {first[name]} in one, "
                f"{second[name]} in the other."
            )
