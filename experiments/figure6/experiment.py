"""What search wins with good and bad beliefs: figure 6 of Li et al. (2023), section 5.3.1.

Approximate best responses are trained at Deal or No Deal against three opponents, each with six beliefs of what the
items are worth to the other, and so is DQN, which neither searches nor believes. The parts:

    random     against uniform play
    response   against DQN's best response to uniform play
    self-play  against DQN trained in self-play

`python -m experiments figure6` trains everything and writes report.md and the figures beside this file. A
run that is over is kept in runs/experiments/figure6, so that the work can be interrupted; `--only random`, `--beliefs
exact learned` and `--seeds 1` do some of it. `--threads 8` makes so many runs at a time. With `--paper` everything
but the belief has the settings of table 5.
"""

from __future__ import annotations

import os

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # before NumPy: a run is one process, and BLAS threads wait for others

import dataclasses
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import tyro

from experiments.lab import Lab, LabOptions, assemble, command, digest, loaded, run_experiment, versions
from parlor.arena.statistics import student
from parlor.game import Game
from parlor.learn.abr import Abr
from parlor.learn.abr_settings import AbrSettings
from parlor.learn.batched_games import play_batched_match
from parlor.learn.dqn import Dqn, DqnSettings
from parlor.policies.opponents import against_all
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.runs.figures import new_sheet
from parlor.runs.files.strategy_files import load_strategy, save
from parlor.runs.workers import start_pool

GAME = "deal-or-no-deal"
PARTS = ("random", "response", "self_play")
TITLES = {"random": "uniform play", "response": "DQN's response to uniform play", "self_play": "DQN in self-play"}
#: the paper's name of each belief, and its colour
BELIEFS = {
    "uniform": ("uniform", "#555555"), "first": ("bad1", "#E69F00"), "last": ("bad2", "#D55E00"),
    "true": ("cheat", "#CC79A7"), "exact": ("exact", "#0072B2"), "learned": ("simple_learn", "#009E73"),
    "heads": ("simple_learn by heads", "#56B4E9"), "dqn": ("DQN", "#000000"),
}  # fmt: skip
MARKS = (250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000)  # episodes
OPPONENT, EVALUATION = 7, 101  # seeds: of the opponents, and of the deals that all are measured with


@dataclass(frozen=True)
class Options(LabOptions):
    """What search wins with good and bad beliefs."""

    game: str = GAME
    """The game."""
    beliefs: tuple[str, ...] = tuple(BELIEFS)
    """Those to train; dqn is DQN without search."""
    episodes: int = 10_000
    """Games that a best response learns from."""
    dqn_episodes: int = 200_000
    """Games that DQN learns from, which takes no longer."""
    simulations: int | None = None
    """Of a search: 64, with --paper 300."""
    paper: bool = False
    """Best responses learn with the settings of table 5 of the paper."""
    seeds: int = 3
    """Runs of each."""
    games: int = 2_000
    """Games of a measurement, half of them in each seat; the same deals for everybody."""
    opponent_games: int = 100_000
    """Games that the opponents were trained with."""

    def __post_init__(self) -> None:
        """Fill in what is not given."""
        if self.simulations is None:
            object.__setattr__(self, "simulations", AbrSettings(paper=self.paper).simulations)

    def small(self) -> Options:
        """A smoke test."""
        return dataclasses.replace(
            self, game="kuhn", beliefs=("exact", "learned", "dqn"), episodes=500, dqn_episodes=500, simulations=8,
            seeds=2, games=200, opponent_games=512, threads=1,
        )  # fmt: skip


@dataclass(frozen=True)
class Question:
    """One run."""

    game: str
    opponent: str
    belief: str
    seed: int
    episodes: int
    simulations: int
    games: int
    opponent_games: int
    paper: bool = False

    @property
    def name(self) -> str:
        """Of its measurement."""
        return f"{self.opponent}-{self.belief}-{self.seed}"

    @property
    def settings(self) -> Any:
        """Of the learner."""
        if self.belief == "dqn":
            return DqnSettings(schedule=min(self.episodes, 100_000))
        return AbrSettings(belief=self.belief, simulations=self.simulations, paper=self.paper)

    def ask(self, lab: Lab) -> Any:
        """The run, from before if it is there."""
        about = dataclasses.asdict(self) | {"rules": loaded(self.game)[1], "settings": self.settings.data()}
        about |= {"opponent_settings": opponent_settings(self.opponent_games).data()}
        return lab.keep(self.name, about, partial(measured, self, lab.folder))


def measured(q: Question, folder: Path) -> dict[str, Any]:
    """The curve of a run: at each mark, the mean payoff and how far from it the truth may be."""
    game = loaded(q.game)[0]
    opponent = the_opponent(q.game, q.opponent, q.opponent_games, folder)
    members, points = against_all(game, [opponent]), []
    began, learning = time.process_time(), 0.0
    step = 1 if q.belief == "dqn" else q.settings.round
    marks = [mark for mark in MARKS if mark <= q.episodes and mark % step == 0]
    learner: Any
    if q.belief == "dqn":
        learner = Dqn(game, q.settings, q.seed, members)
    else:
        learner = Abr(game, q.settings, q.seed, members)
    for mark in marks:
        began = time.process_time()
        learner.run_to(mark)
        learning += time.process_time() - began
        value, error = payoff(game, as_player(learner), opponent, q.games)
        points.append({"episodes": mark, "payoff": value, "error": error, "seconds": round(learning, 2)})
    return {"points": points}


def as_player(learner: Any) -> Strategy:
    """What a learner would play now: DQN greedily, a best response by search."""
    if isinstance(learner, Dqn):
        return learner.network()
    return dataclasses.replace(learner.strategy(), search_networks=learner.latest(learner.members))


def payoff(game: Game, player: Strategy, opponent: Strategy, games: int) -> tuple[float, float]:
    """What the player gets on average, half of the games in each seat, and the standard error."""
    half = games // 2
    first = play_batched_match(game, [player, opponent], half, EVALUATION)[:, 0]
    second = play_batched_match(game, [opponent, player], half, EVALUATION + 1)[:, 1]
    both = np.concatenate([first, second])
    return float(both.mean()), float(both.std(ddof=1) / math.sqrt(len(both)))


def opponent_settings(games: int) -> DqnSettings:
    """With which opponents are trained."""
    return DqnSettings(schedule=games)


def the_opponent(of: str, name: str, games: int, folder: Path) -> Strategy:
    """An opponent, trained once."""
    game, rules = loaded(of)
    uniform = Policy.uniform(game)
    if name == "random":
        return uniform
    settings = opponent_settings(games)
    about = {"games": games, "rules": rules, "settings": settings.data(), "seed": OPPONENT}
    path = folder / "opponents" / f"{name}-{digest(about)}.npz"
    if not path.exists():
        members = against_all(game, [uniform]) if name == "response" else None
        dqn = Dqn(game, settings, OPPONENT, members)
        dqn.run_to(games)
        save(dqn.network(), path)
    return load_strategy(path)


class Experiment:
    """The parts."""

    def __init__(self, options: Options, lab: Lab, figures: Path) -> None:
        self.options, self.lab, self.figures = options, lab, figures

    def random(self) -> Any:
        """Against uniform play."""
        return self._runs("random")

    def response(self) -> Any:
        """Against DQN's best response to uniform play."""
        return self._runs("response")

    def self_play(self) -> Any:
        """Against DQN trained in self-play."""
        return self._runs("self_play")

    def _runs(self, opponent: str) -> Any:
        o = self.options
        if not self.lab.closed:
            the_opponent(o.game, opponent, o.opponent_games, self.lab.folder)
        questions = [
            Question(
                o.game, opponent, belief, seed, o.dqn_episodes if belief == "dqn" else o.episodes,
                0 if belief == "dqn" else o.simulations or 0, o.games, o.opponent_games,
                o.paper and belief != "dqn",
            )
            for belief in o.beliefs
            for seed in range(1, o.seeds + 1)
        ]  # fmt: skip
        if o.threads > 1 and not self.lab.closed:
            with start_pool("processes", o.threads) as pool:
                list(pool.map(partial(_ask, lab=self.lab), questions))
        found = self.lab.all_there({q.name: partial(q.ask, self.lab) for q in questions})
        runs: dict[str, list[Any]] = {}
        for q in questions:
            if q.name in found:
                runs.setdefault(q.belief, []).append(found[q.name]["points"])
        draw(self.figures / f"{opponent}.svg", opponent, runs)
        return runs


def _ask(question: Question, lab: Lab) -> None:
    question.ask(lab)


def mean_of(values: Sequence[float]) -> tuple[float, float]:
    """The mean over seeds, and half of its 95 % interval."""
    n = len(values)
    if n < 2:
        return values[0], math.inf
    return float(np.mean(values)), float(student(n - 1) * np.std(values, ddof=1) / math.sqrt(n))


def draw(path: Path, opponent: str, runs: Mapping[str, Sequence[Any]]) -> None:
    """A panel of the figure: means over seeds with their range."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_sheet(path) as [axes]:
        for belief, some in runs.items():
            title, colour = BELIEFS[belief]
            at = [point["episodes"] for point in some[0]]
            curves = np.array([[point["payoff"] for point in points] for points in some])
            axes.plot(at, curves.mean(axis=0), color=colour, label=title, marker="o", markersize=2.5, linewidth=1.2)
            axes.fill_between(at, curves.min(axis=0), curves.max(axis=0), color=colour, alpha=0.15, linewidth=0)
        axes.set_xscale("log")
        axes.set_title(f"against {TITLES[opponent]}", loc="left", fontsize=10)
        axes.set(xlabel="episodes of training", ylabel="payoff")
        axes.legend(frameon=False, fontsize=7)


def section(opponent: str, o: Options, runs: Mapping[str, Sequence[Any]]) -> list[str]:
    """The table of one opponent, and how far beliefs are from the exact one."""
    marks = sorted({point["episodes"] for some in runs.values() for points in some for point in points})
    lines = [
        "| belief | " + " | ".join(f"{mark:,}" for mark in marks) + " | seconds |",
        "|---" * (len(marks) + 2) + "|",
    ]
    for belief, some in runs.items():
        cells = []
        for mark in marks:
            at = [point["payoff"] for points in some for point in points if point["episodes"] == mark]
            value, width = mean_of(at) if at else (0.0, 0.0)
            cells.append(f"{value:.2f}" + (f" ± {width:.2f}" if math.isfinite(width) else "") if at else "–")
        seconds = np.mean([points[-1]["seconds"] for points in some])
        lines.append(f"| {BELIEFS[belief][0]} | " + " | ".join(cells) + f" | {seconds:.0f} |")
    return [
        f"## Against {TITLES[opponent]}",
        f"![figure 6]({opponent}.svg)",
        "\n".join(lines),
        *reading(runs),
    ]


def reading(runs: Mapping[str, Sequence[Any]]) -> list[str]:
    """Learned beliefs against the exact one, after as many episodes, seed by seed."""
    said = []
    for belief in ("learned", "heads"):
        if belief in runs and "exact" in runs:
            pairs = list(zip(runs[belief], runs["exact"], strict=False))
            short = [1.0 - one[-1]["payoff"] / (two[-1]["payoff"] or 1.0) for one, two in pairs]
            value, width = mean_of(short)
            interval = f" ± {100 * width:.1f}" if math.isfinite(width) else ""
            at = pairs[0][0][-1]["episodes"]
            said.append(
                f"After {at:,} episodes {BELIEFS[belief][0]} is {100 * value:.1f}{interval} % short of exact "
                f"({len(pairs)} seed{'s' if len(pairs) > 1 else ''}, the same deals)."
            )
    return [" ".join(said)] if said else []


def report(options: Options, results: dict[str, Any], codes: Sequence[str]) -> str:
    """The report of all that is there."""
    o = options
    head = [
        "# Figure 6: what search wins with good and bad beliefs",
        f"`{command('figure6', o)}` made this report ({', '.join(codes)}; {versions()}).",
        f"Approximate best responses (`parlor.learn.abr`) at {loaded(o.game)[0].words.title}, {o.simulations} "
        f"simulations of a search, all other settings {'those of table 5' if o.paper else 'as usual'}; what they win "
        f"by search after so many episodes, in {o.games:,} games, half of them in each seat. Means over seeds with "
        "95 % intervals of these means; seconds are processor time of the training. The opponents that were trained "
        f"learned from {o.opponent_games:,} games. The figures show means and ranges over seeds.",
    ]
    return assemble(head, {name: partial(section, name) for name in PARTS}, o, results)


def main() -> None:
    """Do what is asked for, and write the report."""
    run_experiment(tyro.cli(Options, description=__doc__), "figure6", Experiment, PARTS, report)
