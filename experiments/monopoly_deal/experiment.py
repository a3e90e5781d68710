"""Monopoly Deal: the paper's results anew, on its rules and on ours, and what lies beyond them.

Wolf, *Monopoly Deal: a benchmark environment for bounded one-sided response games* (2025), section 7. The parts:

    a  the paper's training run on the paper's rules: win rates
    b  the same on our standard rules
    c  figures 2 to 5, from the runs of a and b
    d  other abstractions against the paper's, finer ones among them, and a cross table
    e  how far from an equilibrium, exactly, on a tiny deck
    f  ablations: no decay, no clamping, other rings

`python -m experiments monopoly_deal` writes report.md and the figures beside this file.
What has been measured is kept in runs/experiments/monopoly_deal, so that the work can be interrupted; `--only a e` does
some parts, and the others stay in the report as far as they are there. `--quick` is a smoke test with tiny numbers.
"""

from __future__ import annotations

import dataclasses
import itertools
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tyro

import parlor
from experiments.lab import Lab, LabOptions, Trained, digest, run_experiment
from experiments.monopoly_deal.report import report
from parlor.agents.registry import make_agent
from parlor.arena.match import STARTS, play_match
from parlor.arena.tournament import Tournament
from parlor.compile import version
from parlor.runs.config import Config, usual
from parlor.runs.figures import convergence, training_figures
from parlor.runs.metrics import read_metrics
from parlor.runs.run import load_checkpoint
from parlor.runs.training import exploitability
from parlor.solvers.sampling.rollout_cfr import RolloutCfr
from parlor.solvers.sampling.rollouts import RolloutSettings, Threads

RULES = {"paper": "monopoly-deal(preset=paper)", "standard": "monopoly-deal"}
OPPONENTS = dict(zip(("random", "risk-aware"), parlor.load("monopoly-deal").training.against, strict=True))
FINER = ("counts", "counts+careful")
FINER_SETTINGS: dict[str, Any] = {"decay": 1.0, "ring": 30}  # a set is met too rarely to forget what it has seen
TINY = "monopoly-deal(preset=tiny)"
LOOK_AHEAD = "look-ahead(rollouts=20,policy=risk-aware)"
CHUNK = 100  # games between two looks at the clock
DEALS = 1_000_000  # added to a run's seed: the deals of evaluations are not those of training
ABLATIONS: dict[str, dict[str, Any]] = {
    "no decay": {"decay": 1.0},
    "no clamping": {"clamp": False},
    "ring of 1": {"ring": 1},
    "ring of 100": {"ring": 100},
}
#: name -> abstraction, settings
TINY_LEARNERS: dict[str, tuple[str, dict[str, Any]]] = {
    "rollout-CFR, concrete": ("", {}),
    "rollout-CFR, intent": ("/intent", {}),
    "rollout-CFR, concrete, bare": ("", {"decay": 1.0, "clamp": False, "ring": 100}),
}


@dataclass(frozen=True)
class Options(LabOptions):
    """The paper's results on Monopoly Deal anew, and what lies beyond them."""

    seeds: int = 5
    """Training runs of each kind, with seeds 1, 2, …"""
    games: int = 1000
    """Self-play games of a training run."""
    rollouts: int = 20
    """For each action of each decision."""
    evaluate: int = 20_000
    """Games of a final evaluation."""
    evaluate_during: int = 1000
    """Games of each evaluation while training, for the figures."""
    finer_games: int = 500_000
    """Self-play games for the finer abstractions, at most."""
    finer_rollouts: int = 5
    """Rollouts for each action, for the finer abstractions."""
    finer_minutes: float = 5.0
    """Minutes for each of the finer abstractions, at most."""
    look_ahead_games: int = 4000
    """Games of look-ahead, which is slow, against each of the others."""
    tiny_games: tuple[int, ...] = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
    """After how many games exploitability is measured."""
    tiny_iterations: int = 1000
    """Of CFR+."""

    def small(self) -> Options:
        """A smoke test."""
        return dataclasses.replace(
            self, seeds=2, games=40, rollouts=2, evaluate=64, evaluate_during=16, finer_games=40, finer_minutes=0.2,
            look_ahead_games=2, tiny_games=(10, 30), tiny_iterations=20,
        )  # fmt: skip


class Experiment:
    """The parts, each a method; what a part returns goes to the report."""

    def __init__(self, options: Options, lab: Lab, out: Path) -> None:
        self.options, self.lab = options, lab
        self.out = out  # for figures
        self.seeds = range(1, options.seeds + 1)

    def trained(self, rules: str, seed: int, abstraction: str = "intent", **changes: Any) -> Trained:
        """A training run with the paper's settings, in a mode that can be repeated."""
        o = self.options
        paper = usual(parlor.load(RULES["paper"]), "rollout-cfr", {})
        settings = {**paper, "parallel": "batch-ordered", "games": o.games, "rollouts": o.rollouts,
                    "evaluate_every": min(50, o.games // 2), "evaluate_games": o.evaluate_during,
                    "checkpoint_every": 0, "seed": seed, **changes}  # fmt: skip
        name = "-".join([rules, abstraction, *(f"{key}-{value}" for key, value in changes.items()), f"seed-{seed}"])
        return self.lab.train(name, Config.of(f"{RULES[rules]}/{abstraction}", "rollout-cfr", **settings))

    def match(self, rules: str, first: Player, second: Player, start: str, games: int, seed: int) -> Any:
        """A match, as plain numbers."""
        table = parlor.load(RULES[rules])
        about = {"first": str(first), "second": str(second), "start": start, "games": games, "seed": seed,
                 "rules": version(table)}  # fmt: skip
        name = f"{rules}-{first.name}-{second.name.partition('(')[0]}-{start}"

        def work() -> dict[str, Any]:
            agents = [player.sit(table) for player in (first, second)]
            return play_match(table, agents, games, seed, start, threads=self.lab.threads).row()

        return self.lab.keep(name, about, work)

    def win_rates(self, rules: str, **changes: Any) -> dict[str, list[float]]:
        """opponent/start -> the rate of each seed."""
        runs = {seed: self.trained(rules, seed, **changes) for seed in self.seeds}
        rates: dict[str, list[float]] = {}
        for (name, text), start in itertools.product(OPPONENTS.items(), STARTS):
            for seed, run in runs.items():
                agent, other = Player(f"intent-{seed}", run.checkpoint), Player(text)
                row = self.match(rules, agent, other, start, self.options.evaluate, DEALS + seed)
                rates.setdefault(f"{name}/{start}", []).append(row["rate"]["value"])
        return rates

    def a(self) -> Any:
        """Win rates on the paper's rules."""
        return self.win_rates("paper")

    def b(self) -> Any:
        """Win rates on our standard rules."""
        return self.win_rates("standard")

    def c(self) -> Any:
        """Figures 2 to 5."""
        told = {}
        for rules in RULES:
            runs = [self.trained(rules, seed) for seed in self.seeds]
            training_figures([run.folder for run in runs], self.out / rules)
            learned = [load_checkpoint(run.checkpoint)[1] for run in runs]
            told[rules] = {"metrics": [read_metrics(run.folder) for run in runs], "infosets": learned}
        return told

    def d(self) -> Any:
        """Other abstractions against the paper's, and a cross table."""
        o, rules = self.options, "standard"
        coarse = [Player(f"intent-{seed}", self.trained(rules, seed).checkpoint) for seed in self.seeds]
        careful = self.trained(rules, 1, "intent+careful")
        found = {"intent+careful": vars(careful) | {"rollouts": o.rollouts}}
        found |= {abstraction: self.trained_by_the_clock(rules, abstraction) for abstraction in FINER}
        others = []
        for abstraction, told in found.items():
            other = Player(abstraction, Path(told.pop("checkpoint")))
            matches = [self.match(rules, other, p, "alternating", o.evaluate, DEALS + i) for i, p in enumerate(coarse)]
            told["against_intent"] = [match["rate"] for match in matches]
            others.append(other)
        players = [Player(name) for name in ("random", "risk-aware", "careful", LOOK_AHEAD)]
        players += [dataclasses.replace(coarse[0], name="intent"), *others]
        return {"finer": found, "cross": self.cross_table(rules, players)}

    def trained_by_the_clock(self, rules: str, abstraction: str) -> dict[str, Any]:
        """A large table: for so many games or minutes, whichever come first; only its policy is kept."""
        o, game = self.options, parlor.load(f"{RULES[rules]}/{abstraction}")
        settings = RolloutSettings(rollouts=o.finer_rollouts, **FINER_SETTINGS)
        about = {"game": game.name, "rules": version(game), "settings": vars(settings), "games": o.finer_games,
                 "minutes": o.finer_minutes, "threads": o.threads}  # fmt: skip
        path = self.lab.folder / "policies" / f"{rules}-{abstraction}-{digest(about)}.npz"

        def work() -> dict[str, Any]:
            learner = RolloutCfr(game, settings, seed=1)
            pool = Threads(learner.simulator, o.threads)
            learner.run(1, None, pool)  # compiles
            began = time.perf_counter()
            while learner.games < o.finer_games and time.perf_counter() - began < 60.0 * o.finer_minutes:
                learner.run(min(CHUNK, o.finer_games - learner.games), None, pool)
            seconds = time.perf_counter() - began
            pool.close()
            parlor.save(learner.policy(), path)
            return {"checkpoint": str(path), "games": learner.games, "seconds": seconds, "rollouts": o.finer_rollouts,
                    "infosets": len(learner.table), "unknown": unknown(learner, min(200, o.finer_games))}  # fmt: skip

        told: dict[str, Any] = self.lab.keep(f"train-{rules}-{abstraction}", about, work)
        return told

    def cross_table(self, rules: str, players: list[Player]) -> Any:
        """Everyone against everyone; look-ahead plays fewer games."""
        o, table = self.options, parlor.load(RULES[rules])
        about = {"players": list(map(str, players)), "games": o.evaluate, "few": o.look_ahead_games,
                 "rules": version(table)}  # fmt: skip

        def work() -> Any:
            agents = [player.sit(table) for player in players]
            matches = {}
            for i, j in itertools.combinations(range(len(agents)), 2):
                games = o.look_ahead_games if agents[i].slow or agents[j].slow else o.evaluate
                matches[i, j] = play_match(table, [agents[i], agents[j]], games, DEALS, threads=self.lab.threads)
            cross = Tournament(table.name, tuple(player.name for player in players), matches)
            rates = {f"{i} {j}": vars(m.rate) for i in range(len(agents)) for j in range(len(agents))
                     if (m := cross.match(i, j)) is not None}  # fmt: skip
            return cross.row() | {"rates": rates}

        return self.lab.keep(f"{rules}-cross-table", about, work)

    def e(self) -> Any:
        """Exploitability on the tiny deck."""
        o, game = self.options, parlor.load(TINY)
        curves: dict[str, Any] = {}
        for name, (abstraction, settings) in TINY_LEARNERS.items():
            curves[name] = [self.learned_tiny(abstraction, settings, seed) for seed in self.seeds]
        exact = self.lab.keep("tiny-cfr+", {"rules": version(game), "iterations": o.tiny_iterations}, self.solved_tiny)
        lines = {name: means(runs) for name, runs in curves.items()}
        title = f"{TINY}: exploitability"
        convergence(lines | {"CFR+": exact["curve"]}, title, self.out / "tiny.svg", "games or iterations")
        return exact | {"games": list(o.tiny_games), "learners": curves}

    def learned_tiny(self, abstraction: str, changes: dict[str, Any], seed: int) -> Any:
        """Exploitability in the concrete game after so many games."""
        o, game = self.options, parlor.load(TINY + abstraction)
        settings = RolloutSettings(rollouts=o.rollouts, **changes)
        about = {"game": game.name, "rules": version(game), "settings": vars(settings), "games": o.tiny_games,
                 "seed": seed}  # fmt: skip

        def work() -> list[tuple[int, float]]:
            learner = RolloutCfr(game, settings, seed)
            curve = []
            for games in o.tiny_games:
                learner.run(games - learner.games)
                curve.append((games, exploitability(game, learner.policy()) or 0.0))
            return curve

        words = "-".join(["tiny", abstraction[1:] or "concrete", *(f"{k}-{v}" for k, v in changes.items())])
        return self.lab.keep(f"{words}-seed-{seed}", about, work)

    def solved_tiny(self) -> dict[str, Any]:
        """The same of CFR+, the value of the game, and its size."""
        game = parlor.load(TINY)
        tree, nobody = parlor.tree(game), parlor.Cfr(game).policy()
        measured = parlor.solve(game, "cfr+", iterations=self.options.tiny_iterations).report
        assert measured.evaluation is not None
        return {"value": measured.evaluation.values[0], "iterations": measured.iterations, "curve": measured.curve,
                "infosets": tree.infosets, "uniform": exploitability(game, nobody)}  # fmt: skip

    def f(self) -> Any:
        """Ablations, on the paper's rules."""
        changed = {name: self.win_rates("paper", evaluate_every=0, **change) for name, change in ABLATIONS.items()}
        return {"the paper's settings": self.win_rates("paper"), **changed}


@dataclass(frozen=True)
class Player:
    """An agent by name, or a trained one."""

    name: str
    checkpoint: Path | None = None

    def sit(self, table: parlor.Game) -> parlor.CompiledAgent:
        """At a table."""
        if self.checkpoint is None:
            return make_agent(self.name, table)
        return parlor.policy_agent(parlor.load_policy(self.checkpoint), table, self.name)

    def __str__(self) -> str:
        return "/".join(self.checkpoint.parts[-3:]) if self.checkpoint else self.name


def unknown(learner: RolloutCfr, games: int) -> float:
    """The share of decisions in games of self-play that the learner comes to for the first time."""
    table, keys = learner.snapshot(), learner.policy().keys
    met = [learner.simulator.play(table, learner.games + i).decided[:, 0] for i in range(games)]
    return float(1.0 - np.isin(np.concatenate(met), keys).mean())


def means(runs: list[list[tuple[int, float]]]) -> list[tuple[int, float]]:
    """The mean of curves that were measured at the same places."""
    return [(column[0][0], sum(y for _, y in column) / len(column)) for column in zip(*runs, strict=True)]


def main() -> None:
    """Do what is asked for, and write the report."""
    run_experiment(tyro.cli(Options, description=__doc__), "monopoly_deal", Experiment, "abcdef", report)
