"""Parlor against OpenSpiel's C++ solvers: CFR, CFR+, external sampling, NashConv.

Both run in this process, on one thread unless said, in alternating rounds; figures are medians over the rounds. Times of
this machine are noisy, ratios are not. `python benchmarks/cfr_vs_openspiel.py [--rounds N]`; the last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

import pyspiel
from rich.console import Console
from rich.table import Table

import parlor
from parlor.solvers.tree import tree

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    screen = Console()
    table = Table("measure", "game", "Parlor", "OpenSpiel C++", "ratio", box=None, pad_edge=False)
    result: dict[str, float] = {}
    gaps = []

    def row(measure: str, name: str, ours: float, theirs: float, unit: str, scale: float, key: str) -> None:
        result[key] = theirs / ours if unit != "it/s" else ours / theirs
        table.add_row(
            measure, name, f"{ours * scale:,.4g} {unit}", f"{theirs * scale:,.4g} {unit}", f"{result[key]:.1f}×"
        )

    for name, spiel_name in PAIRS.items():
        short = name.replace("-", "_")
        game, spiel = parlor.load(name), pyspiel.load_game(spiel_name)
        few = 20 if name == "leduc" else 2  # OpenSpiel's iterations a round
        for variant, solver_class in SOLVERS.items():
            solver, cfr = solver_class(spiel), parlor.Cfr(game, variant)
            # the same number of iterations first, to compare what is reached
            same = 100 if name == "leduc" else 20
            repeat(solver.evaluate_and_update_policy, same)()
            cfr.run(same)
            gaps.append(abs(pyspiel.nash_conv(spiel, solver.average_policy()) - cfr.nash_conv()) / 2)
            many = 100 * few
            ours, theirs = compare(
                lambda c=cfr, n=many: c.run(n),  # type: ignore[misc]
                repeat(solver.evaluate_and_update_policy, few),
                rounds,
            )
            key = f"{variant.replace('+', '_plus')}_ratio_{short}"
            row(f"{variant} iteration", name, ours / many, theirs / few, "µs", 1e6, key)

        sampler = pyspiel.ExternalSamplingMCCFRSolver(spiel, 1)
        external = parlor.Mccfr(game, "external", seed=1)
        few = 4000 if name == "leduc" else 800
        external.run(10 * few)  # both tables warm: the game has been seen
        repeat(sampler.run_iteration, few)()
        ours, theirs = compare(lambda e=external, n=10 * few: e.run(n), repeat(sampler.run_iteration, few), rounds)  # type: ignore[misc]
        row("external sampling", name, 10 * few / ours, few / theirs, "it/s", 1.0, f"external_ratio_{short}")
        two = parlor.Mccfr(game, "external", seed=1, threads=2)
        two.run(10 * few)
        alone, together = compare(lambda e=external, n=20 * few: e.run(n), lambda e=two, n=20 * few: e.run(n), rounds)  # type: ignore[misc]
        speedup = alone / together
        result["external_speedup_2_threads"] = min(speedup, result.get("external_speedup_2_threads", 9.0))
        table.add_row("  on two threads", name, f"{20 * few / together:,.0f} it/s", "", f"{speedup:.2f}× of one thread")
        if name == "liars-dice":
            result["table_bytes_per_infoset"] = external.table.bytes / len(external.table)

        cfr = parlor.Cfr(game, "cfr+")
        cfr.run(100)
        policy, average = cfr.policy(), solver.average_policy()

        def whole(game: parlor.Game = game, policy: parlor.Policy = policy) -> None:
            game.cache.pop("tree")  # as OpenSpiel does, start from the game
            parlor.nash_conv(game, policy)

        ours, theirs = compare(whole, lambda s=spiel, a=average: pyspiel.nash_conv(s, a), min(rounds, 3))  # type: ignore[misc]
        row("NashConv, with enumeration", name, ours, theirs, "ms", 1e3, f"nashconv_ratio_{short}")
        again = statistics.median(seconds(lambda: parlor.nash_conv(game, policy)) for _ in range(rounds))
        table.add_row("  enumerated before", name, f"{again * 1e3:,.4g} ms", "", f"{theirs / again:,.0f}×")

    game = parlor.load("liars-dice")
    tree(game)
    times = []
    for _ in range(rounds):
        game.cache.pop("tree")
        times.append(seconds(lambda: tree(game)))
    result["enumerate_liars_dice_s"] = statistics.median(times)
    result["max_exploitability_difference"] = max(gaps)
    screen.print(table)
    screen.print(f"\nenumerating liars-dice: {result['enumerate_liars_dice_s'] * 1e3:.1f} ms for 294,883 histories")
    screen.print("largest difference in exploitability after the same iterations (leduc 100, liars-dice 20): ", end="")
    screen.print(f"{max(gaps):.1e}")
    screen.print(f"sampling table: {result['table_bytes_per_infoset']:.0f} bytes an information set of liars-dice")
    print(json.dumps({key: float(f"{value:.6g}") for key, value in result.items()}))


if __name__ == "__main__":
    main()
