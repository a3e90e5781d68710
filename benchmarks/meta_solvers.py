"""Meta-solvers on random general-sum two-player games: seconds, what deviations gain, and OpenSpiel beside us.

Each is run `--rounds` times on games with uniform payoffs; figures are medians. A failure is an exception, a note, a
gain by deviation above 1e-6, or more seconds than allowed (1 at n = 50, 15 at 112, 40 for the entropy and Gini CE).
OpenSpiel's replicator dynamics, regret matching (as many iterations) and α-rank run in the same process on the smallest
games, and how far our answers are from theirs is told; its other solvers need packages that it does not install.
`python benchmarks/meta_solvers.py [--sizes 20 50 112] [--rounds N]`; the last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from parlor.solvers.population.meta import META_SOLVERS, solve
from parlor.solvers.population.meta.mixture import Mixture, coarse_gains, gains, normalised, product

SLOW = ("mece", "mgce")


def allowed(name: str, n: int) -> float:
    """The most seconds."""
    return 1.0 if n <= 50 else 40.0 if name in SLOW else 15.0


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    answer = work()
    return time.perf_counter() - begin, answer


def largest_gain(name: str, mixture: Mixture, payoffs: Any) -> float:
    """By a deviation, in shares of the range of payoffs; 0 for solvers that promise no equilibrium."""
    scaled = normalised(payoffs)
    if name.endswith("cce") or name == "nash":
        return max(float(one.max()) for one in coarse_gains(mixture, scaled))
    return max(float(one.max()) for one in gains(mixture, scaled)) if name.endswith("ce") else 0.0


def peers() -> dict[str, Callable[[Any], Any]]:
    """OpenSpiel's solvers, where they can be imported."""
    sys.modules.setdefault("networkx", ModuleType("networkx"))  # α-rank imports it for drawings only
    try:
        from open_spiel.python.algorithms import projected_replicator_dynamics, regret_matching
        from open_spiel.python.egt import alpharank
    except ImportError:
        return {}
    noise = META_SOLVERS["alpha-rank"].settings().data()["noise"]

    def ranked(payoffs: Any) -> Any:
        found = alpharank.compute(list(payoffs), use_inf_alpha=True, inf_alpha_eps=noise)
        return found[2].reshape(payoffs.shape[1:])

    return {
        "prd": lambda payoffs: product(projected_replicator_dynamics.projected_replicator_dynamics(list(payoffs))),
        "regret-matching": lambda payoffs: product(regret_matching.regret_matching(list(payoffs))),
        "alpha-rank": ranked,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 50, 112])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--no-peers", action="store_true", help="leave OpenSpiel out")
    chosen = parser.parse_args()
    for name in META_SOLVERS:  # compile, import
        solve(name, np.random.default_rng(0).random((2, 3, 3)))
    table = Table("solver", "n", "seconds", "largest gain", "OpenSpiel", "differ by", "note")
    times: dict[str, dict[int, float]] = {}
    theirs: dict[str, dict[int, float]] = {}
    failures: list[str] = []
    others = {} if chosen.no_peers else peers()
    for n in chosen.sizes:
        games = [np.random.default_rng(seed).random((2, n, n)) for seed in range(chosen.rounds)]
        for name in META_SOLVERS:
            taken, worst, notes = [], 0.0, ""
            for payoffs in games:
                try:
                    took, mixture = seconds(partial(solve, name, payoffs))
                except Exception as error:
                    failures.append(f"{name} {n}: {error}")
                    continue
                taken.append(took)
                worst, notes = max(worst, largest_gain(name, mixture, payoffs)), mixture.note or notes
            median = statistics.median(taken) if taken else float("nan")
            times.setdefault(name, {})[n] = round(median, 4)
            if notes or worst > 1e-6 or not median <= allowed(name, n):
                failures.append(f"{name} {n}: {median:.2f} s, gain {worst:.1e} {notes}".strip())
            beside = ["", ""]
            if name in others and n == min(chosen.sizes):
                took, answer = seconds(partial(others[name], games[0]))
                theirs.setdefault(name, {})[n] = round(took, 2)
                differ = float(np.abs(solve(name, games[0]).joint - answer).max())
                beside = [f"{took:.1f}", f"{differ:.1e}"]
                if differ > 1e-6:
                    failures.append(f"{name} {n}: {differ:.1e} from OpenSpiel's")
            table.add_row(name, str(n), f"{median:.3f}", f"{worst:.1e}", *beside, notes)
    Console().print(table)
    print(json.dumps({"meta_seconds": times, "openspiel_seconds": theirs, "meta_failures": failures}))


if __name__ == "__main__":
    main()
