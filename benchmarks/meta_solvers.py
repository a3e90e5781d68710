"""Meta-solvers on random general-sum two-player games: seconds, what deviations gain, and others beside us.

Each is run `--rounds` times on games with uniform payoffs; figures are medians. A failure is an exception, a note, a
gain by deviation above 1e-6, or more seconds than allowed (1 at n = 50, 15 at 112, 40 for the entropy and Gini CE).

On the first game of each size the same is asked of others (`meta_peers.py`): OpenSpiel's replicator dynamics and regret
matching (as many iterations), α-rank, and its JPSRO's Gini and welfare equilibria; and, for everything that is a convex
program, conic solvers through CVXPY. That one is no dependency: `python -m pip install cvxpy ecos`; without it, what
needs it is left out. It is a failure of ours if OpenSpiel's dynamics end elsewhere by 1e-6, or if our objective falls
short by 1e-4 of that of a solver whose answer breaks no constraint by more than 1e-8, as ours do (where equilibria are
few, an answer that breaks them by 1e-6 can be better by 1e-3). What others cannot answer, not within `--limit` seconds,
or not within 1e-6, is counted as theirs; who was too slow is not asked about larger games.

`python benchmarks/meta_solvers.py [--sizes 20 50 112] [--rounds N] [--limit 30] [--no-peers]`; the last line is JSON.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from meta_peers import CONIC, DYNAMICS, JPSRO, Answer, ask, constraints, objective, random_game
from rich.console import Console
from rich.table import Table

from parlor.solvers.population.meta import META_SOLVERS, solve
from parlor.solvers.population.meta.mixture import Array, Mixture, coarse_gains, normalised

SLOW = ("mece", "mgce")
SAME, WORSE = 1e-6, 1e-4  # answers of dynamics; objectives
BROKEN, EXACT = 1e-6, 1e-8  # constraints
ENGINES = ("CLARABEL", "ECOS", "SCS")


def allowed(name: str, n: int) -> float:
    """The most seconds."""
    return 1.0 if n <= 50 else 40.0 if name in SLOW else 15.0


def largest_gain(name: str, joint: Array, payoffs: Array) -> float:
    """By a deviation, in shares of the range of payoffs; 0 for solvers that promise no equilibrium."""
    scaled = normalised(payoffs)
    if name == "nash":
        mixture = Mixture(joint, (joint.sum(axis=1), joint.sum(axis=0)), False)
        return max(float(one.max()) for one in coarse_gains(mixture, scaled))
    matrix = constraints(name, scaled)
    return 0.0 if matrix is None else max(0.0, float((matrix @ joint.ravel()).max()))


class Comparison:
    """The table on the screen and the numbers for the last line."""

    def __init__(self, limit: float, engines: Sequence[str], peers: bool) -> None:
        self.limit = limit
        self.engines = engines if peers and importlib.util.find_spec("cvxpy") else ()
        self.openspiel = peers and importlib.util.find_spec("open_spiel") is not None
        self.table = Table(
            "solver", "n", "seconds", "largest gain", "beside us", "seconds", "ours is better by", "gain"
        )
        self.seconds: dict[str, dict[int, float]] = {}
        self.others: dict[str, dict[str, dict[int, float]]] = {}
        self.failures: list[str] = []
        self.their_failures: list[str] = []
        self.too_slow: set[tuple[str, str]] = set()

    def ours(self, name: str, n: int, rounds: int) -> None:
        """Solve so many games; the first is asked of others, too."""
        taken, worst, notes, first = [], 0.0, "", None
        for seed in range(rounds):
            payoffs = random_game(n, seed)
            began = time.perf_counter()
            try:
                mixture = solve(name, payoffs)
            except Exception as error:
                self.failures.append(f"{name} {n}: {error}")
                continue
            taken.append(time.perf_counter() - began)
            worst, notes = max(worst, largest_gain(name, mixture.joint, payoffs)), mixture.note or notes
            first = first if seed else mixture.joint
        median = statistics.median(taken) if taken else float("nan")
        self.seconds.setdefault(name, {})[n] = round(median, 4)
        if notes or worst > BROKEN or not median <= allowed(name, n):
            self.failures.append(f"{name} {n}: {median:.2f} s, gain {worst:.1e} {notes}".strip())
        self.table.add_row(name, str(n), f"{median:.3f}", f"{worst:.1e}", "", "", "", notes)
        if first is not None:
            for peer in self.peers(name):
                if (peer, name) in self.too_slow:
                    continue
                self.beside(name, n, first, ask(peer, name, n, 0, self.limit))

    def peers(self, name: str) -> list[str]:
        """Who else can be asked."""
        own = self.openspiel and (name in DYNAMICS or (name in JPSRO and self.engines))
        return (["OpenSpiel"] if own else []) + [engine for engine in self.engines if name in CONIC]

    def beside(self, name: str, n: int, joint: Array, answer: Answer) -> None:
        """Compare with what another answered."""
        self.others.setdefault(answer.peer, {}).setdefault(name, {})[n] = round(answer.seconds, 3)
        if answer.joint is None:
            if answer.seconds >= self.limit:
                self.too_slow.add((answer.peer, name))
            self.their_failures.append(f"{answer.peer} {name} {n}: {answer.said}")
            self.table.add_row("", "", "", "", answer.peer, f"{answer.seconds:.2f}", answer.said, "")
            return
        payoffs = random_game(n, 0)
        broken = largest_gain(name, answer.joint, payoffs)
        if name in DYNAMICS:
            better = -float(np.abs(joint - answer.joint).max())
            failed = -better > SAME
        else:
            better = objective(name, joint, payoffs) - objective(name, answer.joint, payoffs)
            failed = better < -WORSE and broken <= EXACT
        if failed:
            self.failures.append(f"{name} {n}: {better:.1e} from {answer.peer}'s")
        if broken > BROKEN or better > WORSE:
            self.their_failures.append(f"{answer.peer} {name} {n}: worse by {better:.1e}, gain {broken:.1e}")
        row = f"{answer.seconds:.2f}", f"{better:+.1e}", f"{broken:.1e}"
        self.table.add_row("", "", "", "", answer.peer, *row)


def measure(
    sizes: Sequence[int], rounds: int, limit: float = 0.0, engines: Sequence[str] = (), peers: bool = False
) -> tuple[Table, dict[str, Any]]:
    """The table, and the numbers by name."""
    for name in META_SOLVERS:  # compile, import
        solve(name, random_game(3, 0))
    comparison = Comparison(limit, engines, peers)
    for n in sizes:
        for name in META_SOLVERS:
            comparison.ours(name, n, rounds)
    c = comparison
    numbers = {
        "meta_seconds": c.seconds, "meta_failures": c.failures,
        "peer_seconds": c.others, "peer_failures": c.their_failures,
    }  # fmt: skip
    return c.table, numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 50, 112])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--limit", type=float, default=30.0, help="seconds that others may take for an answer")
    parser.add_argument("--conic", nargs="*", default=list(ENGINES), help="solvers of CVXPY to ask")
    parser.add_argument("--no-peers", action="store_true", help="leave the others out")
    chosen = parser.parse_args()
    table, numbers = measure(chosen.sizes, chosen.rounds, chosen.limit, chosen.conic, not chosen.no_peers)
    Console(width=140).print(table)
    print(json.dumps(numbers))


if __name__ == "__main__":
    main()
