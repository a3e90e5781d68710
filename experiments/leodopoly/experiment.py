"""Leodopoly: the tests of the dissertation anew, a tuned strategy against all of its strategies, and search.

Khan, *AI for Board Games* (University of Leeds, 2019), chapter 7 and appendix C. The parts:

    tables   its five tables of three strategies each (figure 7.14, C.1.6 and after)
    round1   its first round: four alike, and two against two (figures 7.1 to 7.3)
    rounds   its rounds 2 to 9: one parameter after the other (figures 7.4 to 7.13, C.1.1 to C.1.5)
    tuning   the dissertation's search, one parameter after the other, beside CMA-ES on the same number of games
    tuned    the tuned strategy at one table with each two of the published ones
    search   search at one table with the tuned strategy and the published optimum

`python -m experiments leodopoly` writes report.md beside this file. What has been measured is kept in
runs/experiments/leodopoly, so that the work can be interrupted; `--only tables tuned` does some parts, and the others
stay in the report as far as they are there. `--quick` is a smoke test with tiny numbers.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import tyro

import parlor
from experiments.lab import Lab, LabOptions, loaded, run_experiment
from experiments.leodopoly.report import report
from parlor.agents.registry import make_agent
from parlor.arena.match import play_match
from parlor.arena.statistics import rate
from parlor.compile import version
from parlor.tuning.run import tune

PARTS = ("tables", "round1", "rounds", "tuning", "tuned", "search")
PRESETS = ("published", "text", "corrected")
PUBLISHED = ("tight", "greedy", "irrational", "random-tester-1", "random-tester-2", "random-tester-3", "optimal")
#: line-up -> percent of wins in the dissertation
TABLES: Mapping[tuple[str, ...], tuple[int, ...]] = {
    ("greedy", "tight", "optimal"): (29, 25, 46),
    ("optimal", "random-tester-1", "tight"): (45, 39, 16),
    ("optimal", "random-tester-1", "greedy"): (53, 24, 23),
    ("optimal", "random-tester-1", "random-tester-2"): (48, 11, 41),
    ("optimal", "random-tester-3", "random-tester-1"): (55, 20, 25),
}
ROUND1 = {
    "7.1": (("irrational",) * 4, ("greedy",) * 4, ("tight",) * 4),
    "7.2": (("tight", "tight", "irrational", "irrational"), ("greedy", "greedy", "irrational", "irrational")),
    "7.3": (("tight", "tight", "greedy", "greedy"),),
}
NAMES = (
    *("rent", "opponent_money", "opponent_rent", "buy_margin", "sell_margin"),
    *("reserve", "reserve_penalty", "jeopardy"),
)
#: search -> the part of the games that it plays: those that take long play a tenth, in the corrected rules alone
SEARCHES = {
    "max-n(depth=3,nodes=3000,worlds=1,policy=tuned,moves=6)": 1.0,
    "mcts(simulations=240,policy=tuned,moves=8)": 0.1,
    "look-ahead(rollouts=30,policy=tuned,moves=8)": 0.1,
}
THOUSANDS = tuple(range(10_000, 20_001, 1000))
PENALTIES = tuple(range(0, 1201, 100))


@dataclass(frozen=True)
class Sweep:
    """One parameter is varied; two players with it sit against two of another strategy."""

    figures: str
    name: str
    base: tuple[float, ...]  # the strategy, with the values taken forward so far
    values: tuple[float, ...]
    against: str
    forward: float  # the value that the dissertation took forward

    def agent(self, value: float) -> str:
        """The strategy with this value."""
        numbers = dict(zip(NAMES, self.base, strict=True)) | {self.name: value}
        return f"strategy({','.join(f'{name}={number:g}' for name, number in numbers.items())})"


SWEEPS = (
    Sweep("7.4", "rent", (0, 0.5, 2, 50, 50, 0, 1200, 20000), tuple(range(11)), "tight", 3),
    Sweep("7.5", "opponent_money", (3, 0, 2, 50, 50, 0, 1200, 20000), (0, 0.2, 0.4, 0.6, 0.8, 1), "tight", 0),
    Sweep("7.6, C.1.1", "opponent_rent", (3, 0, 0, 50, 50, 0, 1200, 20000), tuple(range(11)), "tight", 1),
    Sweep("7.7", "opponent_rent", (3, 0, 0, 50, 50, 0, 1200, 20000), (0, 1, 3), "greedy", 1),
    Sweep("7.8, C.1.2", "buy_margin", (3, 0, 1, 0, 50, 0, 1200, 20000), tuple(range(0, 101, 10)), "tight", 10),
    Sweep("7.9, C.1.3", "sell_margin", (3, 0, 1, 10, 0, 0, 1200, 20000), tuple(range(0, 51, 5)), "tight", 10),
    Sweep("7.10", "sell_margin", (3, 0, 1, 10, 0, 0, 1200, 20000), (5, 10, 15), "greedy", 10),
    Sweep("7.11", "reserve", (3, 0, 1, 10, 10, 0, 1200, 20000), tuple(range(0, 501, 100)), "tight", 0),
    Sweep("7.12, C.1.4", "reserve_penalty", (3, 0, 1, 10, 10, 0, 0, 20000), PENALTIES, "tight", 900),
    Sweep("C.1.5", "reserve_penalty", (3, 0, 1, 10, 10, 0, 0, 20000), (0, 100, 900), "greedy", 900),
    Sweep("7.13, C.1.5", "jeopardy", (3, 0, 1, 10, 10, 0, 900, 0), THOUSANDS, "tight", 20_000),
)


@dataclass(frozen=True)
class Options(LabOptions):
    """The tests of the dissertation on Leodopoly anew, and what lies beyond them."""

    games: int = 60_000
    """Games for each line-up of the tables."""
    sweep_games: int = 6000
    """Games for each value of a parameter."""
    pair_games: int = 20_000
    """Games of the tuned strategy with each two of the published ones."""
    tune_games: int = 300_000
    """Games of each search for better numbers."""
    search_games: int = 1500
    """Games of search at one table with two heuristics; of searches that take long, a tenth."""
    published_games: int = 1000
    """Games as in the dissertation: the same readings with as few games as it had."""
    seed: int = 20_000
    """Of all matches; the tuner has used others."""

    def small(self) -> Options:
        """A smoke test."""
        return dataclasses.replace(
            self, games=12, sweep_games=24, pair_games=12, tune_games=8000, search_games=6, published_games=12,
        )  # fmt: skip


class Experiment:
    """The parts, each a method; what a part returns goes to the report."""

    def __init__(self, options: Options, lab: Lab) -> None:
        self.options, self.lab = options, lab

    def shares(self, preset: str, lineup: Sequence[str], games: int, shift: int = 0) -> Any:
        """The wins of each player, from all seats and in all orders around the table, on duplicate dice.

        Wins are counted as the preset counts them: a tie is nobody's, or shared. `shift` makes other dice.
        """
        table, rules = loaded(f"leodopoly(preset={preset},players={len(lineup)})")
        seed = self.options.seed + shift
        about = {"preset": preset, "lineup": list(lineup), "games": games, "seed": seed, "rules": rules}

        def work() -> Any:
            agents = [make_agent(name, table) for name in lineup]
            wins: list[list[Any]] = [[] for _ in lineup]
            seconds = 0.0
            orders = list(dict.fromkeys(itertools.permutations(range(1, len(lineup)))))
            for number, order in enumerate(orders):
                match = play_match(
                    table, [agents[i] for i in (0, *order)], -(-games // len(orders)), seed + number,
                    threads=self.lab.threads,
                )  # fmt: skip
                for place, i in enumerate((0, *order)):
                    wins[i].append(match.values("payoff", place))
                seconds += match.seconds
            found = [np.concatenate(mine) for mine in wins]
            rows = [vars(rate(mine, len(lineup))) for mine in found]
            pair = vars(rate(found[0] + found[1], len(lineup)))  # where the first two are alike
            return {"players": rows, "first two": pair, "games": len(found[0]), "seconds": seconds}

        return self.lab.keep(f"{preset}-{lineup[0].partition('(')[0]}-{len(lineup)}p-{games}", about, work)

    def tables(self) -> Any:
        """Five tables of three strategies; a smoke test has one preset, for each of which everything is compiled."""
        o, found = self.options, {}
        presets = PRESETS[:1] if o.quick else PRESETS
        for lineup in TABLES:
            row = {preset: self.shares(preset, lineup, o.games) for preset in presets}
            row["as few"] = self.shares("published", lineup, o.published_games, 1000)
            if "greedy" in lineup and not o.quick:
                row["other greedy"] = self.shares("published,greedy=text", lineup, o.games)
            found[" / ".join(lineup)] = row
        return found

    def round1(self) -> Any:
        """Four alike, and two against two."""
        o = self.options
        return {
            figure: {
                " / ".join(lineup): {preset: self.shares(preset, lineup, o.sweep_games) for preset in PRESETS}
                for lineup in lineups
            }
            for figure, lineups in ROUND1.items()
        }

    def rounds(self) -> Any:
        """One parameter after the other."""
        o, found = self.options, []
        for sweep in SWEEPS:
            rows = {}
            for value in sweep.values:
                lineup = (*[sweep.agent(value)] * 2, *[sweep.against] * 2)
                row = {preset: self.shares(preset, lineup, o.sweep_games) for preset in PRESETS}
                row["as few"] = self.shares("published", lineup, o.published_games, 1000)
                rows[f"{value:g}"] = row
            found.append(dataclasses.asdict(sweep) | {"rows": rows})
        return found

    def tuning(self) -> Any:
        """CMA-ES and one parameter after the other, from the published optimum."""
        return self.lab.all_there(
            {preset: partial(self.lab.keep, f"tune-{preset}", *self.search_for_numbers(preset)) for preset in PRESETS}
        )

    def search_for_numbers(self, preset: str) -> tuple[dict[str, Any], Callable[[], Any]]:
        """What a tuning run depends on, and the run."""
        o, table = self.options, parlor.load("leodopoly", preset=preset)
        settings: dict[str, Any] = {
            "against": PUBLISHED, "method": ("cma-es", "coordinate"), "games": o.tune_games,
            "final_games": max(100, min(o.pair_games, o.tune_games // 4)), "seed": o.seed,
        }  # fmt: skip
        about = {"preset": preset, "rules": version(table)} | settings

        def work() -> Any:
            return tune(table, "strategy", threads=self.lab.threads, **settings).report

        return about, work

    def tuned(self) -> Any:
        """The tuned strategy with each two of the published ones."""
        pairs = list(itertools.combinations(PUBLISHED, 2))
        return {
            preset: {" / ".join(pair): self.shares(preset, ("tuned", *pair), self.options.pair_games) for pair in pairs}
            for preset in PRESETS
        }

    def search(self) -> Any:
        """Search at one table with two of the tuned strategy, and with it and the published optimum."""
        found = {}
        for agent, part in SEARCHES.items():
            games = max(6, round(self.options.search_games * part))
            for preset in PRESETS if part == 1.0 else PRESETS[-1:]:
                for others in (("tuned", "tuned"), ("tuned", "optimal")):
                    lineup = (agent, *others)
                    found[f"{preset}: {' / '.join(lineup)}"] = partial(self.shares, preset, lineup, games)
        return self.lab.all_there(found)


def main() -> None:
    """Do what is asked for, and write the report."""
    run_experiment(
        tyro.cli(Options, description=__doc__), "leodopoly", lambda o, lab, _: Experiment(o, lab), PARTS, report
    )
