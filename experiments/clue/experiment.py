"""Clue: the experiment of the thesis anew, everybody against everybody, and exact exploitability on a tiny deck.

Martin, *Monte Carlo counterfactual regret minimization applied to Clue* (2020), sections IV and V. The parts:

    a  the curve: one trained player against two of each kind, over the games it was trained for (figures 5 to 7)
    b  at its end: 10,000 games from each seat
    c  everybody against everybody, three players, seat by seat
    d  the same with four to six players, where counting takes long: fewer agents and fewer games
    e  the tiny deck: NashConv of the trained player, of greedy counting, and of CFR+

`python -m experiments clue` writes report.md and the figures beside this file. What has been measured is kept
in runs/experiments/clue, so that the work can be interrupted; `--only a e` does some parts, and the others stay in the
report as far as they are there. `--quick` is a smoke test with tiny numbers. The options of Monte-Carlo CFR are
compared on the tiny deck by `mccfr_options.py`.
"""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tyro

import parlor
from experiments.clue.report import report
from experiments.lab import Lab, LabOptions, Trained, run_experiment
from parlor.agents.registry import make_agent
from parlor.arena.match import play_match
from parlor.compile import version
from parlor.runs.config import Config, usual
from parlor.runs.figures import win_shares
from parlor.runs.files.strategy_files import load_strategy
from parlor.solvers.sampling.mccfr import Mccfr

GAME, TINY = "clue", "clue(preset=tiny)"
ALGORITHM = "mccfr-robust"
TRAINED = "trained"  # the player that was trained
OPPONENTS = ("stateless", "stateful", "model-counting", "believer", "detective")
AGENTS = (
    *("stateless", "stateful", "model-counting", "exploiter"),
    *("believer", "bluffer", "detective", "endgame-detective", TRAINED),
)
MANY = ("model-counting", "detective", TRAINED)  # with more players
DEALS = 1_000_000  # added to a run's seed: the deals of evaluations are not those of training


@dataclass(frozen=True)
class Options(LabOptions):
    """The experiment of the thesis on Clue anew, and what lies beyond it."""

    trained: tuple[int, ...] = (300, 1000, 3000, 10_000, 30_000, 100_000)
    """After how many games of training the player is measured; one traversal for each player is a game."""
    seed: int = 1
    """Of training; matches have their own."""
    curve_games: int = 3000
    """Games against each opponent, for each point of the curve."""
    games: int = 30_000
    """Games against each opponent at its end, a third from each seat."""
    cross_games: int = 1200
    """Games of each pair in the cross table of three players."""
    many_games: int = 120
    """The same with four to six players."""
    many_trained: int = 10_000
    """Games of training with four to six players."""
    tiny_games: int = 30_000
    """Games of training on the tiny deck."""
    tiny_iterations: int = 300
    """Of CFR+."""

    def small(self) -> Options:
        """A smoke test."""
        return dataclasses.replace(
            self, trained=(20, 40), curve_games=6, games=9, cross_games=3, many_games=6, many_trained=20,
            tiny_games=50, tiny_iterations=5,
        )  # fmt: skip


class Experiment:
    """The parts, each a method; what a part returns goes to the report."""

    def __init__(self, options: Options, lab: Lab, out: Path) -> None:
        self.options, self.lab = options, lab
        self.out = out  # for figures
        self.tiny = TINY if not options.quick else f"{TINY[:-1]},suspects=2,weapons=1,rooms=3,cap=3)"

    def trained(self, games: int, game: str = GAME) -> Trained:
        """A training run with the usual settings of the game; a longer one begins as a shorter one does."""
        settings = usual(parlor.load(game), ALGORITHM, {"games": games})
        settings |= {"evaluate_every": 0, "checkpoint_every": 0, "seed": self.options.seed, "parallel": "none"}
        name = f"{game.replace('clue', 'plans')}-{games}"
        return self.lab.train(name, Config.of(f"{game}/plans", ALGORITHM, **settings))

    def agent(self, name: str, table: parlor.Game, games: int) -> parlor.CompiledAgent:
        """An agent by name; the trained one with so many games of training."""
        if name != TRAINED:
            return make_agent(name, table)
        path = self.trained(games, table.name).checkpoint
        return make_agent(f"planner(policy={path})", table, load_strategy)

    def match(self, first: str, second: str, games: int, trained: int, players: int = 3) -> Any:
        """One against all others of a kind, on duplicate deals from every seat, as plain numbers."""
        table = parlor.load(GAME, players=players)
        about = {"first": first, "second": second, "games": games, "players": players, "rules": version(table),
                 "seed": DEALS + self.options.seed}  # fmt: skip
        if TRAINED in (first, second):
            self.trained(trained, table.name)
            about |= {"trained": trained, "plans": version(table.abstract("plans"))}

        def work() -> dict[str, Any]:
            agents = [self.agent(name, table, trained) for name in (first, second)]
            return play_match(table, agents, games, DEALS + self.options.seed, threads=self.lab.threads).row()

        row = self.lab.keep(f"{first}-v-{second}-{players}p-{games}", about, work)
        keep = ("value", "low", "high")
        share = row["measures"]["win-share"]
        return {"share": {k: share[k] for k in keep}, "games": row["games"], "ties": row["ties"],
                "seats": [{k: seat[k] for k in keep} for seat in share["by_seat"].values()]}  # fmt: skip

    def a(self) -> Any:
        """The curve over games of training."""
        o = self.options
        found = {
            other: {str(n): self.match(TRAINED, other, o.curve_games, n) for n in o.trained} for other in OPPONENTS
        }
        curves = {other: {int(n): row["share"] for n, row in rows.items()} for other, rows in found.items()}
        title = "One trained player against two others"
        win_shares(curves, title, self.out / "curve.svg", 1.0 / 3.0, "games of training")
        told = {str(n): {"infosets": (t := self.trained(n)).infosets, "seconds": t.seconds} for n in o.trained}
        return {"curve": found, "trained": told}

    def b(self) -> Any:
        """One against two of each kind, 10,000 games from each seat."""
        o = self.options
        return {other: self.match(TRAINED, other, o.games, o.trained[-1]) for other in (*OPPONENTS, "bluffer")}

    def c(self) -> Any:
        """Everybody against everybody."""
        o = self.options
        pairs = itertools.product(AGENTS, AGENTS)
        return {f"{a} {b}": self.match(a, b, o.cross_games, o.trained[-1]) for a, b in pairs}

    def d(self) -> Any:
        """The same with four to six players."""
        o = self.options
        found = {}
        for players in (4, 5, 6):
            pairs = itertools.permutations(MANY, 2)
            found[str(players)] = {
                f"{a} {b}": self.match(a, b, o.many_games, o.many_trained, players) for a, b in pairs
            }
        return found

    def e(self) -> Any:
        """NashConv on the tiny deck."""
        o, game = self.options, parlor.load(self.tiny)
        about = {"rules": version(game), "iterations": o.tiny_iterations, "games": o.tiny_games, "seed": o.seed}
        return self.lab.keep(f"tiny-{o.tiny_iterations}", about, self.measured_tiny)

    def measured_tiny(self) -> dict[str, Any]:
        """Everybody in the tiny game, up to the names of cards, where values and best responses are the same."""
        o, game = self.options, parlor.load(self.tiny)
        symmetric, plans = game.abstract("symmetric"), game.abstract("plans")
        solved = parlor.solve(symmetric, "cfr+", iterations=o.tiny_iterations).policy
        sampled, planned = (Mccfr(abstract, "external", o.seed, linear=True) for abstract in (symmetric, plans))
        sampled.run(o.tiny_games)
        planned.run(o.tiny_games)
        trained = parlor.policy_agent(planned.policy(), game)
        counting, detective = (make_agent(name, game) for name in ("model-counting", "detective"))
        if o.quick:  # too few decisions to compile anything for
            counting, detective = (dataclasses.replace(agent, slow=False) for agent in (counting, detective))
        policies = {
            "uniform": up_to_names(symmetric, make_agent("random", game)),
            "greedy counting": up_to_names(symmetric, counting),
            "detective": up_to_names(symmetric, detective),
            "MCCFR, plans": up_to_names(symmetric, trained),
            "MCCFR, symmetric": sampled.policy(),
            "CFR+, symmetric": solved,
        }
        found = {}
        for name, policy in policies.items():
            measured = parlor.evaluate(symmetric, policy)
            found[name] = {"nash_conv": measured.nash_conv, "values": measured.values, "best": measured.best_responses}
        infosets = {"full": parlor.tree(game).infosets, "symmetric": parlor.tree(symmetric).infosets,
                    "plans": len(planned.policy())}  # fmt: skip
        return {"agents": found, "infosets": infosets, "histories": parlor.tree(game).histories}


def up_to_names(symmetric: parlor.Game, agent: parlor.CompiledAgent) -> parlor.Policy:
    """An agent of the full game as a policy of the symmetric one: what it does with cards that are alike is added."""
    t, game = parlor.tree(symmetric), agent.concrete_game
    assert symmetric.abstraction.concrete_actions is not None
    moves, alike, rows = [0] * symmetric.actions, [0] * game.actions, []
    for i in range(t.infosets):
        state = symmetric.new_state()
        symmetric.rules.start(state)
        for move in t.history(i):
            symmetric.rules.play(state, move)
        shares = dict.fromkeys(range(game.actions), 0.0)
        for a, chance in agent.action_probabilities(parlor.Position(game, state, ())):
            shares[agent.game.abstraction.resolve(state, a)] += chance
        for a in moves[: symmetric.rules.legal(state, moves)]:
            rows.append(sum(shares[move] for move in alike[: symmetric.abstraction.concrete_actions(state, a, alike)]))
    return parlor.Policy.from_rows(symmetric, t.keys, t.counts, np.array(rows))


def main() -> None:
    """Do what is asked for, and write the report."""
    run_experiment(tyro.cli(Options, description=__doc__), "clue", Experiment, "abcde", report)
