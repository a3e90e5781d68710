"""Meta-solvers on random general-sum two-player games: seconds, what deviations gain, and others beside us.

Each is run on `--rounds` games of each size, with uniform payoffs; figures are medians. A failure is an exception, a
note, a gain by deviation above 1e-6, or more seconds than allowed (1 at n = 50, 15 at 112, 40 for the entropy and Gini
CE).

Of each size the first games, as many as `--asked` says, are given to others too (`meta_peers.py`): OpenSpiel's
replicator dynamics and regret matching (as many iterations), α-rank, and its JPSRO's Gini and welfare equilibria; and,
for everything that is a convex program, conic solvers through CVXPY. That one is no dependency: `python -m pip install
cvxpy ecos`; without it, what needs it is left out. It is a failure of ours if OpenSpiel's dynamics end elsewhere by
1e-6, or if our objective falls short by 1e-4 of that of a solver whose answer breaks no constraint by more than 1e-8,
as ours do (where equilibria are few, an answer that breaks them by 1e-6 can be better by 1e-3). What others cannot
answer, not within `--limit` seconds, or not within 1e-6, is counted as theirs; who was too slow is not asked again.

`python benchmarks/meta_solvers.py [--sizes 20 50 112] [--rounds 3] [--asked 3 2 1] [--limit 60] [--no-peers]`; the last
line is JSON.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from meta_peers import CONIC, DYNAMICS, JPSRO, ask, constraints, objective, random_game
from rich.console import Console
from rich.table import Table

from parlor.policies.mixture import Array, Mixture, coarse_gains, normalised
from parlor.population.meta import META_SOLVERS, solve

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


@dataclass
class Beside:
    """What a peer made of the games of one size."""

    seconds: list[float] = field(default_factory=list)  # of answers
    better: list[float] = field(default_factory=list)  # by how much ours is
    gains: list[float] = field(default_factory=list)  # by deviations from theirs
    silent: list[str] = field(default_factory=list)  # why there is no answer

    def row(self) -> tuple[str, str, str, str]:
        """Answers, seconds, by how much ours is better, the largest gain."""
        answers = f"{len(self.seconds)} of {len(self.seconds) + len(self.silent)}"
        if not self.seconds:
            return answers, "", f"no answer: {self.silent[0]}", ""
        low, high = (f"{edge(self.better):+.1e}" for edge in (min, max))
        between = low if low == high else f"{low} to {high}"
        return answers, f"{statistics.median(self.seconds):.2f}", between, f"{max(self.gains):.1e}"


class Comparison:
    """The table on the screen and the numbers for the last line."""

    def __init__(self, limit: float, engines: Sequence[str], peers: bool) -> None:
        self.limit = limit
        self.engines = engines if peers and importlib.util.find_spec("cvxpy") else ()
        self.openspiel = peers and importlib.util.find_spec("open_spiel") is not None
        self.table = Table(
            "solver", "n", "seconds", "largest gain", "beside us", "answers", "seconds", "ours is better by", "gain"
        )
        self.seconds: dict[str, dict[int, float]] = {}
        self.gains: dict[str, dict[int, float]] = {}
        self.others: dict[str, dict[str, dict[int, float]]] = {}
        self.least_better: dict[str, dict[int, float]] = {}  # beside answers that break no constraint
        self.compared = 0
        self.failures: list[str] = []
        self.their_failures: list[str] = []
        self.too_slow: set[tuple[str, str]] = set()

    def ours(self, name: str, n: int, rounds: int, asked: int) -> None:
        """Solve so many games; the first ones are asked of others, too."""
        taken, worst, notes = [], 0.0, ""
        found: dict[int, Array] = {}
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
            found[seed] = mixture.joint
        median = statistics.median(taken) if taken else float("nan")
        self.seconds.setdefault(name, {})[n] = round(median, 4)
        if name == "nash" or name.endswith("ce"):
            self.gains.setdefault(name, {})[n] = float(f"{worst:.1e}")
        if notes or worst > BROKEN or not median <= allowed(name, n):
            self.failures.append(f"{name} {n}: {median:.2f} s, gain {worst:.1e} {notes}".strip())
        self.table.add_row(name, str(n), f"{median:.3f}", f"{worst:.1e}", "", "", "", notes, "")
        for peer in self.peers(name):
            beside = Beside()
            for seed in [one for one in found if one < asked]:
                self.ask(peer, name, n, seed, found[seed], beside)
            if beside.seconds or beside.silent:
                self.table.add_row("", "", "", "", peer, *beside.row())
            if beside.seconds:
                median = statistics.median(beside.seconds)
                self.others.setdefault(peer, {}).setdefault(name, {})[n] = round(median, 3)

    def peers(self, name: str) -> list[str]:
        """Who else can be asked."""
        own = self.openspiel and (name in DYNAMICS or (name in JPSRO and self.engines))
        return (["OpenSpiel"] if own else []) + [engine for engine in self.engines if name in CONIC]

    def ask(self, peer: str, name: str, n: int, seed: int, joint: Array, beside: Beside) -> None:
        """Compare with what another answers to one game."""
        if (peer, name) in self.too_slow:
            beside.silent.append("not asked again")
            return
        answer = ask(peer, name, n, seed, self.limit)
        print(f"{peer} {name} {n}, game {seed}: {answer.seconds:.1f} s {answer.said}", file=sys.stderr, flush=True)
        if answer.joint is None:
            if answer.seconds >= self.limit:
                self.too_slow.add((peer, name))
            beside.silent.append(answer.said)
            self.their_failures.append(f"{peer} {name} {n}, game {seed}: {answer.said}")
            return
        payoffs = random_game(n, seed)
        broken = largest_gain(name, answer.joint, payoffs)
        if name in DYNAMICS:
            better = -float(np.abs(joint - answer.joint).max())
            failed = -better > SAME
        else:
            better = objective(name, joint, payoffs) - objective(name, answer.joint, payoffs)
            failed = better < -WORSE and broken <= EXACT
        beside.seconds.append(answer.seconds)
        beside.better.append(better)
        beside.gains.append(broken)
        self.compared += 1
        if broken <= EXACT:
            sizes = self.least_better.setdefault(name, {})
            sizes[n] = min(sizes.get(n, np.inf), float(f"{better:.1e}"))
        if failed:
            self.failures.append(f"{name} {n}, game {seed}: {better:.1e} from {peer}'s")
        if broken > BROKEN or better > WORSE:
            self.their_failures.append(f"{peer} {name} {n}, game {seed}: worse by {better:.1e}, gain {broken:.1e}")


def measure(
    sizes: Sequence[int],
    rounds: int,
    asked: Sequence[int] = (),
    limit: float = 0.0,
    engines: Sequence[str] = (),
    peers: bool = False,
) -> tuple[Table, dict[str, Any]]:
    """The table, and the numbers by name; of each size so many games are `asked` of others."""
    for name in META_SOLVERS:  # compile, import
        solve(name, random_game(3, 0))
    c = Comparison(limit, engines, peers)
    for k, n in enumerate(sizes):
        for name in META_SOLVERS:
            c.ours(name, n, rounds, asked[min(k, len(asked) - 1)] if asked else 0)
    numbers = {
        "meta_seconds": c.seconds, "meta_gains": c.gains, "meta_failures": c.failures,
        "peer_answers": c.compared, "least_better": c.least_better,
        "peer_seconds": c.others, "peer_failures": c.their_failures,
    }  # fmt: skip
    return c.table, numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 50, 112])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--asked", type=int, nargs="+", default=[3, 2, 1], help="games of each size for the others")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds that others may take for an answer")
    parser.add_argument("--conic", nargs="*", default=list(ENGINES), help="solvers of CVXPY to ask")
    parser.add_argument("--no-peers", action="store_true", help="leave the others out")
    chosen = parser.parse_args()
    table, numbers = measure(chosen.sizes, chosen.rounds, chosen.asked, chosen.limit, chosen.conic, not chosen.no_peers)
    Console(width=150).print(table)
    print(json.dumps(numbers))


if __name__ == "__main__":
    main()
