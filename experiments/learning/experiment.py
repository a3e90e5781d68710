"""Networks that learn, beside each other: the same number of decisions, from three seeds, in self-play.

The parts:

    leduc  how far from an equilibrium policy gradients and DQN are, measured exactly
    dice   the same in liar's dice
    deal   what PPO wins from the agents of Monopoly Deal that were written by hand

`python -m experiments learning` writes report.md and a figure for each part beside this file. Runs are kept in
runs/experiments/learning and go on from their newest checkpoint; `--only leduc` does some parts. `--share 3/16` makes
every sixteenth run from the third on, and no report: sixteen processes, here or elsewhere, make all of them; the folder
`measured` of each, laid together, is all that the report needs. `--quick` is a smoke test with tiny numbers.
OpenSpiel's learners are not beside ours: its DQN, NFSP and PPO need Flax or PyTorch, which it does not install.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tyro

from experiments.lab import Lab, LabOptions, assemble, command, loaded, run_experiment, versions
from experiments.markdown import table, text
from parlor.policies.features import sample
from parlor.runs.config import Config, usual
from parlor.runs.figures import new_sheet
from parlor.runs.metrics import read_metrics

PARTS = {"leduc": "leduc", "dice": "liars-dice", "deal": "monopoly-deal"}  # part -> its game
POINTS = 16  # of a curve
#: Small games need many small steps and much entropy, see docs/learning.md.
STEPS: Mapping[str, Any] = {
    "lockstep": 128, "window": 32, "minibatches": 4, "rate": 0.003, "rate_end": 0.0003,
}  # fmt: skip
#: learner -> its settings in the small games
SMALL: Mapping[str, Mapping[str, Any]] = {
    "mmd": {**STEPS, "entropy": 0.1, "entropy_end": 0.01},
    "ppo": {**STEPS, "entropy": 0.1, "entropy_end": 0.01},
    "a2c": {"entropy": 0.1, "entropy_end": 0.01},
    **{name: {"entropy": 0.1, "entropy_end": 0.01} for name in ("qpg", "rpg", "rmpg")},
    "dqn": {},
    "boltzmann-dqn": {},
}
BY_HAND = ("random", "risk-aware", "careful")


@dataclass(frozen=True)
class Options(LabOptions):
    """Learning curves of networks."""

    decisions: int = 1_000_000
    """Decisions of each run in the small games."""
    large: int = 2_000_000
    """Decisions of each run in Monopoly Deal."""
    games: int = 1000
    """Games against each agent, for each point of a curve."""
    seeds: int = 3
    """Seeds, from 1."""
    share: str = ""
    """Make only these runs, and no report: 3/16 is every sixteenth from the third on."""

    def small(self) -> Options:
        """A smoke test."""
        return dataclasses.replace(self, decisions=4096, large=16_384, games=20, seeds=2)


class Planned(NamedTuple):
    """A run."""

    name: str
    learner: str
    config: Config


class Experiment:
    """The parts, each a method; what a part returns goes to the report."""

    def __init__(self, options: Options, lab: Lab, out: Path) -> None:
        self.options, self.lab, self.out = options, lab, out

    def leduc(self) -> dict[str, Any]:
        """NashConv in Leduc."""
        return self._nash_conv("leduc")

    def dice(self) -> dict[str, Any]:
        """NashConv in liar's dice."""
        return self._nash_conv("dice")

    def deal(self) -> dict[str, Any]:
        """PPO's share of games against each agent of Monopoly Deal."""
        runs = [self._run(one) for one in self.runs("deal")]
        found = {
            name: [[[row["decisions"], row["wins"][name]["alternating"]["rate"]] for row in rows] for rows in runs]
            for name in BY_HAND
        }
        return self._drawn("monopoly-deal", found, "share of games won")

    def _nash_conv(self, part: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for one in self.runs(part):
            curve = [[row["decisions"], 2.0 * row["exploitability"]] for row in self._run(one)]
            found.setdefault(one.learner, []).append(curve)
        return self._drawn(PARTS[part], found, "NashConv")

    def runs(self, part: str) -> list[Planned]:
        """What a part needs, learner by learner, seed by seed."""
        o, game = self.options, PARTS[part]
        learners: Mapping[str, Mapping[str, Any]] = SMALL
        decisions, more = o.decisions, {"evaluate_games": 2}
        if part == "deal":
            learners, decisions, more = {"ppo": {"against": BY_HAND}}, o.large, {"evaluate_games": o.games}
        return [
            Planned(
                f"{learner}-{game}-{seed}", learner, config_of(game, learner, decisions, {**settings, **more}, seed)
            )
            for learner, settings in learners.items()
            for seed in range(1, o.seeds + 1)
        ]

    def make_share(self) -> None:
        """The runs of this process."""
        for one in share_of(
            self.options.share, [run for part in self.options.only or PARTS for run in self.runs(part)]
        ):
            self._run(one)

    def _run(self, one: Planned) -> Any:
        """The metrics of a run."""
        trained = self.lab.train(one.name, one.config)
        return self.lab.keep(
            f"curve-{one.name}", {"config": one.config.data()}, functools.partial(read_metrics, trained.folder)
        )

    def _drawn(self, name: str, found: dict[str, Any], told: str) -> dict[str, Any]:
        draw(self.out / f"{name}.svg", found, told)
        return found


def share_of(text: str, runs: Sequence[Planned]) -> Sequence[Planned]:
    """Every n-th run from the k-th on, of k/n."""
    k, _, n = text.partition("/")
    if not (k.isdecimal() and n.isdecimal() and 1 <= int(k) <= int(n)):
        raise SystemExit(f"share must be like 3/16, the third of sixteen, not {text}.")
    return runs[int(k) - 1 :: int(n)]


def config_of(name: str, learner: str, decisions: int, settings: Mapping[str, Any], seed: int) -> Config:
    """The configuration of a run of so many decisions: rounds of policy gradients, games of the others."""
    game, _ = loaded(name)
    found = Config.of(name, learner, **usual(game, learner, {"games": 1, **settings}))
    if hasattr(found.settings, "lockstep"):
        step, unit = found.settings.lockstep * found.settings.window, 1
    else:
        step, unit = sample(game).decisions * found.settings.round, found.settings.round
    games = max(1, round(decisions / step)) * unit
    every = -(-games // (POINTS * unit)) * unit
    own = {"schedule": games} if unit > 1 else {"decisions": decisions}
    values = {"games": games, "seed": seed, "evaluate_every": every, "checkpoint_every": games, **own, **settings}
    return Config.of(name, learner, **usual(game, learner, values))


def draw(path: Path, found: Mapping[str, Any], told: str) -> None:
    """A curve for each row: the mean of the seeds, and each of them thin."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_sheet(path) as [axes]:
        for name, runs in found.items():
            points = np.array([run[: min(map(len, runs))] for run in runs])  # [seeds, points, 2]
            [line] = axes.plot(points[0, :, 0], points[:, :, 1].mean(axis=0), label=name)
            for run in points:
                axes.plot(run[:, 0], run[:, 1], color=line.get_color(), linewidth=0.5, alpha=0.6)
        axes.set(xlabel="decisions", ylabel=told)
        axes.legend(frameon=False)


def report(options: Options, results: dict[str, Any], codes: Sequence[str]) -> str:
    """All of it: numbers in, Markdown out."""
    warning = ["**A smoke test with tiny numbers: nothing below means anything.**"] if options.quick else []
    about = text(
        f"Self-play from {options.seeds} seeds, the same number of decisions for all learners of a game; means, and in "
        f"brackets the lowest and the highest seed. Made by `{command('learning', options)}`, with Parlor "
        f"{', '.join(codes)}; {versions()}. The settings are those in experiments/learning/experiment.py. OpenSpiel's "
        "DQN, NFSP and PPO are not beside ours: they need Flax or PyTorch, which it does not install."
    )
    parts = ["# Networks that learn", *warning, about]
    sections = {part: functools.partial(section, game) for part, game in PARTS.items()}
    return assemble(parts, sections, options, results)


def section(name: str, options: Options, found: Mapping[str, Any]) -> list[str]:
    """A part: its figure, and what each curve ends with."""
    exact = name != "monopoly-deal"
    what = "NashConv" if exact else "games won"
    rows = []
    for row, runs in found.items():
        last, best = [run[-1][1] for run in runs], [(min if exact else max)(y for _, y in run) for run in runs]
        rows.append([f"`{row}`", f"{runs[0][-1][0]:,}", _shown(last, exact), _shown(best, exact)])
    columns = ["learner" if exact else "against", "decisions", f"{what} at the end", "at its best"]
    return [f"## {name}", f"![{what} along the decisions]({name}.svg)", table(columns, rows)]


def _shown(values: Sequence[float], exact: bool) -> str:
    """The mean, and the lowest and the highest seed."""
    factor, digits, unit = (1.0, 3, "") if exact else (100.0, 1, " %")
    value, low, high = (f"{factor * one:.{digits}f}" for one in (np.mean(values), min(values), max(values)))
    return f"{value} ({low}–{high}){unit}"


def main() -> None:
    """Run the parts and write the report."""
    options = tyro.cli(Options, description=__doc__)
    if options.share:
        numbers = options.small() if options.quick else options
        kept = (options.kept or Path("runs/experiments/learning")) / ("quick" if options.quick else "")
        Experiment(numbers, Lab(kept, options.threads), kept).make_share()
        return
    run_experiment(options, "learning", Experiment, tuple(PARTS), report)


if __name__ == "__main__":
    main()
