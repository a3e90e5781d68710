"""Hold'em: the table of Mendes da Luz (2025) anew, by our rules and inside PyPokerEngine, and how good a blueprint is.

He let seven players meet, 100,000 hands a pair, with fixed seats. The parts:

    ours         everyone against everyone by our rules, on duplicate deals with both seatings, with a blueprint
    engine       the same inside PyPokerEngine, whose blueprint was trained for the order in which that engine plays
    strength     the blueprint against the bots after so many minutes of training
    checkpoints  its checkpoints against the last of them
    lbr          what a local best response wins from blueprints with more and fewer buckets and iterations
    endgame      the same when rivers are solved anew, and what that wins from the blueprint
    luck         how much narrower intervals become when luck is taken off

`python -m experiments holdem` writes report.md beside this file. What has been measured is kept, cell by cell, in
runs/experiments/holdem, so that the work can be interrupted; `--only lbr` does some parts, and the others stay in the
report as far as they are there. `--quick` is a smoke test with tiny numbers.
"""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro

import parlor
from experiments.holdem.report import report
from experiments.lab import Lab, LabOptions, Trained, run_experiment
from parlor.arena.match import play_match
from parlor.compile import version
from parlor.games.holdem.engine.match import play_in_engine
from parlor.poker.measures.aivat import AIVAT
from parlor.poker.measures.local_best_response import local_best_response
from parlor.runs.config import Config
from parlor.runs.saved_agents import load_compiled_agent

OURS, ENGINE = "holdem(preset=dissertation)", "holdem(preset=dissertation,order=engine)"
TWO_STREETS = {rules: f"{rules[:-1]},streets=2)" for rules in (OURS, ENGINE)}
LBR = "holdem(preset=hunl-100bb)"
DEALS = 1_000_000  # the seed of evaluations, whose deals are not those of training
BOTS = {
    "Fish": "fish",
    "Honest": "honest(simulations=0)",
    "Random": "wild",
    "Rule-based": "rule-based",
    "Monte-Carlo": "monte-carlo(simulations=0)",
}
#: Monte-Carlo as published.
SIMULATING = "monte-carlo(simulations=10000)"
#: CFRv1 and CFRv2: two streets of blueprint, then simulations; so slow that they play fewer hands.
HYBRIDS = {"CFRv1": "cfr-v1(blueprint={})", "CFRv2": "cfr-v2(blueprint={})"}
BLUEPRINT = "Blueprint"
#: A blueprint that solves rivers anew.
SOLVING = "endgame(iterations={},blueprint={})"
PARTS = ("ours", "engine", "strength", "checkpoints", "lbr", "endgame", "luck")


@dataclass(frozen=True)
class Options(LabOptions):
    """The results of Mendes da Luz (2025) on hold'em anew, and what lies beyond them."""

    minutes: float = 30.0
    """Of training, for each of the two blueprints that meet the bots."""
    bets: str = "half-pot"
    """Their betting tree."""
    cards: str = "kmeans"
    """Their card abstraction, and that of the blueprints of part lbr."""
    buckets: int = 200
    """Of each street after the first."""
    stops: int = 6
    """Checkpoints of their training."""
    hybrid_iterations: int = 10_000_000
    """Of the blueprint of CFRv1 and CFRv2."""
    hands: int = 1_000_000
    """A pair, by our rules."""
    slow_hands: int = 20_000
    """A pair, by our rules, of those that simulate."""
    engine_hands: int = 20_000
    """A pair, inside PyPokerEngine."""
    lbr_bets: str = "fcpa"
    """The betting tree of part lbr."""
    lbr_buckets: tuple[int, ...] = (20, 100, 500, 2000)
    """Of each street after the first."""
    lbr_iterations: tuple[int, ...] = (1_000_000, 5_000_000, 25_000_000)
    """Of training: multiples of the first."""
    lbr_hands: int = 200_000
    """Of the responder, on turn and river."""
    lbr_hands_all: int = 40_000
    """Of the responder, on all streets and with other bets, against the best of those with most iterations."""
    endgame_iterations: int = 100
    """For each river that is solved anew."""
    endgame_hands: int = 20_000
    """Of the responder and of the blueprint, against one who solves rivers."""
    endgame_hands_all: int = 10_000
    """Of the responder, on all streets and with other bets."""
    luck_hands: int = 100_000
    """A pair, with and without luck."""

    def small(self) -> Options:
        """A smoke test."""
        return dataclasses.replace(
            self, minutes=0.01, bets="pot", cards="ehs", buckets=20, stops=2, hybrid_iterations=2000, hands=2000,
            slow_hands=20, engine_hands=20, lbr_bets="pot", lbr_buckets=(10, 20), lbr_iterations=(1000, 2000),
            lbr_hands=64, lbr_hands_all=32, endgame_iterations=2, endgame_hands=64,
            endgame_hands_all=32, luck_hands=2000,
        )  # fmt: skip


class Experiment:
    """The parts, each a method; what a part returns goes to the report."""

    def __init__(self, options: Options, lab: Lab) -> None:
        self.options, self.lab = options, lab

    # ------------------------------------------------------------------------------------------ who plays

    def blueprint(self, rules: str) -> Trained:
        """The one that meets the bots, trained by the clock."""
        o = self.options
        name = f"{'engine' if rules == ENGINE else 'ours'}-{o.bets}-{o.cards}-{o.buckets}-{o.minutes:g}-minutes"
        return self.lab.train(name, Config.of(
            f"{rules}/{o.bets}", "mccfr-public", games=0, minutes=o.minutes, checkpoint_minutes=o.minutes / o.stops,
            parallel="unordered", evaluate_every=0, evaluate_games=2, checkpoint_every=0, against=("fish",),
            cards=o.cards, buckets=(o.buckets,),
        ))  # fmt: skip

    def bucketed(self, buckets: int) -> Trained:
        """One for part lbr, trained for so many iterations."""
        o = self.options
        return self.lab.train(f"lbr-{o.lbr_bets}-{o.cards}-{buckets}", Config.of(
            f"{LBR}/{o.lbr_bets}", "mccfr-public", games=max(o.lbr_iterations), checkpoint_every=o.lbr_iterations[0],
            parallel="unordered", evaluate_every=0, cards=o.cards, buckets=(buckets,),
        ))  # fmt: skip

    def hybrids(self, rules: str) -> dict[str, str]:
        """CFRv1 and CFRv2."""
        run = self.lab.train("engine-dissertation" if rules == ENGINE else "dissertation", Config.of(
            f"{TWO_STREETS[rules]}/dissertation", "mccfr-public", games=self.options.hybrid_iterations,
            checkpoint_every=0, parallel="unordered", evaluate_every=0, cards="suitless",
        ))  # fmt: skip
        return {name: text.format(run.checkpoint) for name, text in HYBRIDS.items()}

    # ------------------------------------------------------------------------------------------ what is measured

    def match(self, rules: str, one: str, other: str, hands: int, engine: bool = False, aivat: bool = False) -> Any:
        """A match, as plain numbers."""
        table = parlor.load(rules)
        about = {"rules": version(table), "one": marked(one), "other": marked(other), "hands": hands,
                 "engine": engine, "calm": aivat, "seed": DEALS}  # fmt: skip
        where = "engine" if engine else "ours"

        def work() -> dict[str, Any]:
            agents = [load_compiled_agent(text, table) for text in (one, other)]
            if engine:
                return play_in_engine(agents, hands, DEALS).row()
            return play_match(
                table, agents, hands, DEALS, threads=self.lab.threads, variance_reduction=AIVAT if aivat else None
            ).row()

        return self.lab.keep(f"{where}-{short(one)}-{short(other)}{'-calm' if aivat else ''}", about, work)

    def response(self, agent: str, hands: int, streets: str = "late", bets: str = "tree") -> Any:
        """What a local best response wins, as plain numbers."""
        table = parlor.load(LBR)
        about = {"rules": version(table), "agent": marked(agent), "hands": hands, "streets": streets,
                 "bets": bets, "seed": DEALS}  # fmt: skip

        def work() -> dict[str, Any]:
            seated = load_compiled_agent(agent, table)
            return local_best_response(seated, hands, DEALS, streets, bets, self.lab.threads).row()

        return self.lab.keep(f"lbr-{short(agent)}-{streets}-{bets}", about, work)

    def cross_table(self, rules: str, engine: bool) -> Any:
        """Everyone against everyone."""
        o = self.options
        run = self.blueprint(rules)
        hybrids = self.hybrids(rules)
        players = {**BOTS, **hybrids, BLUEPRINT: str(run.checkpoint)}
        cells = {}
        for one, other in itertools.combinations(players, 2):
            slow = one in hybrids or other in hybrids
            hands = o.engine_hands if engine else o.slow_hands if slow else o.hands
            cells[f"{one}/{other}"] = self.match(rules, players[one], players[other], hands, engine)
        return {"players": list(players), "cells": cells, "run": told(run)}

    # ------------------------------------------------------------------------------------------ the parts

    def ours(self) -> Any:
        """The cross table by our rules."""
        found = self.cross_table(OURS, engine=False)
        found["simulating"] = self.match(
            OURS, str(self.blueprint(OURS).checkpoint), SIMULATING, self.options.slow_hands
        )
        return found

    def engine(self) -> Any:
        """The cross table inside PyPokerEngine."""
        return self.cross_table(ENGINE, engine=True)

    def strength(self) -> Any:
        """The blueprint against the bots, checkpoint by checkpoint."""
        run = self.blueprint(OURS)
        rows = {path.stem: {bot: self.match(OURS, str(path), text, self.options.hands) for bot, text in BOTS.items()}
                for path in stops(run)}  # fmt: skip
        return {"rows": rows, "run": told(run)}

    def checkpoints(self) -> Any:
        """Checkpoints against the last one."""
        run = self.blueprint(OURS)
        *early, last = stops(run)
        return {path.stem: self.match(OURS, str(path), str(last), self.options.hands) for path in early}

    def lbr(self) -> Any:
        """Local best response, by buckets and iterations."""
        o = self.options
        runs = {buckets: self.bucketed(buckets) for buckets in o.lbr_buckets}
        cells = {f"{buckets}/{n}": self.response(str(checkpoint_at(run, n)), o.lbr_hands)
                 for buckets, run in runs.items() for n in o.lbr_iterations}  # fmt: skip
        last = {buckets: cells[f"{buckets}/{max(o.lbr_iterations)}"] for buckets in runs}  # with few, see the report
        best = lowest(last)
        more = self.other_ways(str(runs[best].checkpoint), o.lbr_hands_all)
        return {"cells": cells, "best": best, "more": more, "runs": {b: told(run) for b, run in runs.items()}}

    def endgame(self) -> Any:
        """Rivers solved anew."""
        o = self.options
        players = {buckets: SOLVING.format(o.endgame_iterations, self.bucketed(buckets).checkpoint)
                   for buckets in o.lbr_buckets}  # fmt: skip
        cells = {buckets: self.response(agent, o.endgame_hands) for buckets, agent in players.items()}
        best = lowest(cells)
        duel = self.match(LBR, players[best], str(self.bucketed(best).checkpoint), o.endgame_hands)
        return {"cells": cells, "best": best, "more": self.other_ways(players[best], o.endgame_hands_all),
                "duel": duel}  # fmt: skip

    def other_ways(self, agent: str, hands: int) -> dict[str, Any]:
        """What responders win who do more than bet as its tree has it on turn and river."""
        ways = [("late", "pot"), ("all", "tree"), ("all", "pot")]
        return {f"{streets}/{bets}": self.response(agent, hands, streets, bets) for streets, bets in ways}

    def luck(self) -> Any:
        """Intervals with and without luck."""
        run = self.blueprint(OURS)
        first, *_, last = map(str, stops(run))
        others = {"an early checkpoint": first, **BOTS}
        return {name: [self.match(OURS, last, text, self.options.luck_hands, aivat=aivat) for aivat in (False, True)]
                for name, text in others.items()}  # fmt: skip


def stops(run: Trained) -> list[Path]:
    """All checkpoints of a run, in order."""
    return sorted((run.folder / "checkpoints").glob("*.npz"), key=lambda path: int(path.stem))


def lowest(cells: dict[int, Any]) -> int:
    """Whose responder wins least."""
    return min(cells, key=lambda buckets: float(cells[buckets]["payoff"]["value"]))


def checkpoint_at(run: Trained, iterations: int) -> Path:
    """The checkpoint after so many iterations."""
    return next(path for path in stops(run) if int(path.stem) == iterations)


def told(run: Trained) -> dict[str, Any]:
    """A training run for the report."""
    return {"iterations": run.games, "seconds": run.seconds, "infosets": run.infosets}


def marked(text: str) -> str:
    """An agent as its results depend on it: a file by its run and its name, wherever the runs are kept."""
    name, equals, path = text.rpartition("=")
    return name + equals + "/".join(Path(path).parts[-3:]) if "/" in path else text


def short(text: str) -> str:
    """A few letters for the name of a measurement."""
    if text.endswith(".npz"):
        path = Path(text)
        return f"{path.parent.parent.name.rpartition('-')[0]}-{path.stem}"
    return text.partition("(")[0]


def main() -> None:
    """Do what is asked for, and write the report."""
    run_experiment(
        tyro.cli(Options, description=__doc__), "holdem", lambda o, lab, _: Experiment(o, lab), PARTS, report
    )
