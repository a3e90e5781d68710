"""PSRO with exact oracles, and what belongs to it: the loop, meta-solvers, DQN, the enumeration of a large game.

The loop runs on Leduc poker with regret matching, 120 iterations, once everything is compiled; NashConv is that of the
exact average policy, and measuring it is part of the time; processor time is told, too, for machines that are busy.
Kuhn poker shows how soon NashConv is close to 0.

Beside it runs the fastest loop that we could make of OpenSpiel's parts, from Python (`psro_peer.py`). Both add the same
number of strategies, from 1 to `--peer-iterations`, so that the populations have the same sizes; the ratio is of the
seconds of all these iterations, and ours measures NashConv besides. Another ratio leaves the meta-solvers out.

`python benchmarks/psro.py [--rounds N] [--peer-iterations 20] [--no-peers]`; the last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from typing import Any

import meta_solvers
import psro_peer
from rich.console import Console
from rich.table import Table

import parlor
from parlor.population.psro import Psro, PsroSettings
from parlor.sequence_form.tree import tree

LONG, SHORT = 120, 30  # iterations on Leduc and on Kuhn poker
LARGE = "trade-comm(items=10)"  # 1e8 histories


def ours(game: str, iterations: int) -> dict[str, Any]:
    """The loop with regret matching: seconds by part, and NashConv by iteration."""
    psro = Psro(game, PsroSettings(iterations=iterations))
    parts: dict[str, float] = {}
    curve = []
    began, worked = time.perf_counter(), time.process_time()
    for _ in range(iterations):
        curve.append(psro.step()["nash_conv"])
        for part, took in psro.seconds.items():
            parts[part] = parts.get(part, 0.0) + took
    processor = time.process_time() - worked
    return {"seconds": time.perf_counter() - began, "processor": processor, "curve": curve, "parts": parts}


def enumerate_large(game: str) -> tuple[float, int]:
    """Seconds to enumerate a game, once it is compiled, and its information sets."""
    large = parlor.load(game)
    tree(large)
    large.cache.pop("tree")
    began = time.perf_counter()
    found = tree(large)
    return time.perf_counter() - began, len(found.keys)


class Comparison:
    """The table on the screen and the numbers for the last line."""

    def __init__(self) -> None:
        self.table = Table("measure", "Parlor", "OpenSpiel", "ratio", box=None, pad_edge=False)
        self.result: dict[str, Any] = {}

    def loop(self, rounds: int) -> None:
        """Leduc and Kuhn poker."""
        runs = [ours("leduc", LONG) for _ in range(rounds)]
        seconds = statistics.median(run["seconds"] for run in runs)
        reached = runs[0]["curve"][-1]
        kuhn = ours("kuhn", SHORT)["curve"]
        self.result |= {
            f"psro_leduc_{LONG}_s": seconds, f"psro_leduc_{LONG}_nashconv": reached,
            f"psro_leduc_{LONG}_processor_s": statistics.median(run["processor"] for run in runs),
            f"psro_kuhn_{SHORT}_nashconv": kuhn[-1],
            "psro_leduc_parts_s": {part: round(took, 3) for part, took in runs[0]["parts"].items()},
        }  # fmt: skip
        self.table.add_row(f"Leduc, {LONG} iterations", f"{seconds:.1f} s, NashConv {reached:.4f}", "", "")
        first = next(k + 1 for k, gap in enumerate(kuhn) if gap <= 0.01)
        self.table.add_row(
            f"Kuhn, {SHORT} iterations", f"NashConv {kuhn[-1]:.4f}, ≤ .01 from iteration {first}", "", ""
        )

    def peer(self, iterations: int, rounds: int) -> None:
        """Both loops at the same sizes of the population."""
        pairs = [(ours("leduc", iterations), psro_peer.run("leduc_poker", iterations)) for _ in range(rounds)]
        a, b = (statistics.median(pair[side]["seconds"] for pair in pairs) for side in (0, 1))
        without = [statistics.median(sum(pair[side]["parts"][p] for p in ("oracle", "cells")) for pair in pairs)
                   for side in (0, 1)]  # fmt: skip
        self.result |= {
            "ratio_to_openspiel": b / a, "ratio_to_openspiel_without_meta": without[1] / without[0],
            "openspiel_leduc_s": b, "openspiel_iterations": iterations,
            "openspiel_parts_s": {part: round(took, 3) for part, took in pairs[0][1]["parts"].items()},
            "openspiel_nashconv": pairs[0][1]["curve"][-1],
        }  # fmt: skip
        self.table.add_row(f"Leduc, {iterations} iterations", f"{a:.2f} s", f"{b:.2f} s", f"{b / a:.0f}×")
        self.table.add_row(
            "  without the meta-solver", f"{without[0]:.3f} s", f"{without[1]:.2f} s", f"{without[1] / without[0]:.0f}×"
        )

    def meta(self, sizes: list[int]) -> Table:
        """The meta-solvers; `meta_solvers.py` compares them with others."""
        table, numbers = meta_solvers.measure(sizes, 1)
        self.result |= {key: numbers[key] for key in ("meta_seconds", "meta_failures")}
        return table

    def enumerate(self) -> None:
        """The game with the most histories."""
        seconds, infosets = enumerate_large(LARGE)
        self.result["enumerate_trade_comm_s"] = seconds
        self.table.add_row(f"enumerate {LARGE}", f"{seconds:.3f} s for {infosets:,} information sets", "cannot", "")

    def dqn(self) -> None:
        """Steps of training a second; `dqn.py` says of what."""
        import dqn

        found = dqn.measure(games=0)
        self.result |= {"dqn_note" if key == "note" else key: value for key, value in found.items()}
        ratio = found["ratio_to_openspiel_dqn"]
        self.table.add_row("DQN", f"{found['dqn_steps_per_s']:,.0f} steps/s", "", f"{ratio:.0f}×" if ratio else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1, help="how often the loops are timed; medians are told")
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 50, 112], help="of the meta-games")
    parser.add_argument("--peer-iterations", type=int, default=20)
    parser.add_argument("--no-peers", action="store_true", help="leave OpenSpiel out")
    parser.add_argument("--no-dqn", action="store_true", help="leave networks out, which need the extra learn")
    chosen = parser.parse_args()
    ours("leduc", 2), ours("kuhn", 2)  # compile
    comparison = Comparison()
    comparison.loop(chosen.rounds)
    if not chosen.no_peers:
        comparison.peer(chosen.peer_iterations, chosen.rounds)
    comparison.enumerate()
    if not chosen.no_dqn:
        comparison.dqn()
    screen = Console(width=140)
    screen.print(comparison.meta(chosen.sizes))
    screen.print(comparison.table)
    rounded = {
        key: float(f"{value:.4g}") if isinstance(value, float) else value for key, value in comparison.result.items()
    }
    print(json.dumps(rounded))


if __name__ == "__main__":
    main()
