"""Parlor against OpenSpiel's C++ solvers: CFR, CFR+, external sampling, NashConv.

Both run in this process, on one thread unless said, in alternating rounds; figures are medians over the rounds.
Parlor's NashConv includes the enumeration of the game, as OpenSpiel's does. Exploitability is compared after 100
iterations on Leduc and 20 on Liar's dice. `python benchmarks/cfr_vs_openspiel.py [--rounds N]`; the last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pyspiel
from rich.console import Console
from rich.table import Table

import parlor
from parlor.sequence_form.tree import tree
from parlor.solvers.sampling.infoset_table import InfosetTable, crowded, find

PAIRS = {"leduc": "leduc_poker", "liars-dice": "liars_dice"}
SOLVERS = {"cfr": pyspiel.CFRSolver, "cfr+": pyspiel.CFRPlusSolver}


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def repeat(function: Callable[[], object], times: int) -> Callable[[], None]:
    def work() -> None:
        for _ in range(times):
            function()

    return work


def compare(ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Median seconds of each, run in turn."""
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(rounds)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def whole(game: parlor.Game, policy: parlor.Policy) -> float:
    """NashConv from the game alone, as OpenSpiel computes it: nothing is enumerated yet."""
    game.cache.pop("tree")
    return parlor.nash_conv(game, policy)


class Comparison:
    """The table on the screen and the numbers for the last line."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.table = Table("measure", "game", "Parlor", "OpenSpiel C++", "ratio", box=None, pad_edge=False)
        self.result: dict[str, float] = {}
        self.gaps: list[float] = []

    def row(self, measure: str, name: str, ours: float, theirs: float, unit: str, key: str) -> None:
        """Add a row; rates are better when higher, times when lower."""
        ratio = ours / theirs if unit == "it/s" else theirs / ours
        self.result[key] = ratio
        self.table.add_row(measure, name, f"{ours:,.4g} {unit}", f"{theirs:,.4g} {unit}", f"{ratio:.1f}×")

    def cfr(self, name: str, game: parlor.Game, spiel: Any) -> None:
        """CFR and CFR+: what is reached after the same iterations, then the time of one."""
        same, few = (100, 20) if name == "leduc" else (20, 2)
        for variant, solver_class in SOLVERS.items():
            theirs, ours = solver_class(spiel), parlor.Cfr(game, variant)
            repeat(theirs.evaluate_and_update_policy, same)()
            ours.run(same)
            self.gaps.append(abs(pyspiel.nash_conv(spiel, theirs.average_policy()) - ours.nash_conv()) / 2)
            many = 100 * few
            a, b = compare(partial(ours.run, many), repeat(theirs.evaluate_and_update_policy, few), self.rounds)
            key = f"{variant.replace('+', '_plus')}_ratio_{name.replace('-', '_')}"
            self.row(f"{variant} iteration", name, a / many * 1e6, b / few * 1e6, "µs", key)

    def external(self, name: str, game: parlor.Game, spiel: Any) -> None:
        """External sampling on one thread against OpenSpiel, on two threads against one; all tables warm."""
        few = 4000 if name == "leduc" else 800
        many = 10 * few
        theirs = pyspiel.ExternalSamplingMCCFRSolver(spiel, 1)
        one, two = (parlor.Mccfr(game, "external", seed=1, threads=n) for n in (1, 2))
        repeat(theirs.run_iteration, few)()
        one.run(many)
        two.run(many)
        a, b = compare(partial(one.run, many), repeat(theirs.run_iteration, few), self.rounds)
        self.row("external sampling", name, many / a, few / b, "it/s", f"external_ratio_{name.replace('-', '_')}")
        long = 8 * many
        a, b = compare(partial(one.run, long), partial(two.run, long), self.rounds)
        self.table.add_row("  on two threads", name, f"{long / b:,.4g} it/s", "", f"{a / b:.2f}× of one")
        worst = self.result.get("external_speedup_2_threads", 9.0)
        self.result["external_speedup_2_threads"] = min(a / b, worst)

    def nash_conv(self, name: str, game: parlor.Game, spiel: Any) -> None:
        """NashConv of a given policy."""
        solver, ours = pyspiel.CFRPlusSolver(spiel), parlor.Cfr(game, "cfr+")
        repeat(solver.evaluate_and_update_policy, 3)()
        ours.run(3)
        policy, average = ours.policy(), solver.average_policy()
        a, b = compare(partial(whole, game, policy), partial(pyspiel.nash_conv, spiel, average), min(self.rounds, 3))
        self.row("NashConv", name, a * 1e3, b * 1e3, "ms", f"nashconv_ratio_{name.replace('-', '_')}")
        again = statistics.median(seconds(partial(parlor.nash_conv, game, policy)) for _ in range(self.rounds))
        self.table.add_row("  enumerated before", name, f"{again * 1e3:,.4g} ms", "", f"{b / again:,.0f}×")

    def enumerate(self) -> None:
        """Enumeration of Liar's dice, and the memory of the sampling table at three actions an infoset."""
        game = parlor.load("liars-dice")
        tree(game)
        times = []
        for _ in range(self.rounds):
            game.cache.pop("tree")
            times.append(seconds(partial(tree, game)))
        self.result["enumerate_liars_dice_s"] = statistics.median(times)
        table, worst = InfosetTable(7), 0.0
        for k in range(1 << 16):
            if crowded(table.slots, table.ints, table.counters):
                table.grow()
                if k > 10_000:  # the worst moment: the table has just grown
                    worst = max(worst, table.bytes / len(table))
            find(table.slots, table.ints, table.counters, k, 3, 7)
        self.result["table_bytes_per_infoset"] = worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is timed")
    comparison = Comparison(parser.parse_args().rounds)
    for name, spiel_name in PAIRS.items():
        game, spiel = parlor.load(name), pyspiel.load_game(spiel_name)
        comparison.cfr(name, game, spiel)
        comparison.external(name, game, spiel)
        comparison.nash_conv(name, game, spiel)
    comparison.enumerate()
    result = comparison.result
    result["max_exploitability_difference"] = max(comparison.gaps)
    screen = Console()
    screen.print(comparison.table)
    screen.print(f"\nenumerating liars-dice: {result['enumerate_liars_dice_s'] * 1e3:.1f} ms for 294,883 histories")
    screen.print(
        f"sampling table: {result['table_bytes_per_infoset']:.0f} bytes an information set of three actions, at worst"
    )
    screen.print(f"largest difference in exploitability after the same iterations: {max(comparison.gaps):.1e}")
    print(json.dumps({key: float(f"{value:.6g}") for key, value in result.items()}))


if __name__ == "__main__":
    main()
