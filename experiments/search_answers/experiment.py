"""How much of a best response a search finds: in small games, exactly.

A fixed policy sits in the other seat; the search knows it and holds the exact posterior. At every information set to
which it comes it decides once, so that what it plays is a policy, and its value can be computed, as that of a best
response.
The share is of the sums over both seats.

`python -m experiments search_answers [--games leduc] [--simulations 1000 30000] [--seeds 2]`
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable

import numpy as np
from rich.console import Console

import parlor
from parlor.game import Game
from parlor.policies.opponents import opponent_arrays
from parlor.policies.policy import Policy
from parlor.search.posterior import opponent_model
from parlor.search.search_policy import searched_policy
from parlor.search.searches import SearchSettings
from parlor.sequence_form.tree import tree
from parlor.solvers.best_response import evaluate


def uniform(game: Game) -> Policy:
    """Every move alike."""
    t = tree(game)
    return Policy.from_rows(game, t.keys, t.counts, np.repeat(1.0 / t.counts, t.counts))


FIXED: dict[str, Callable[[Game], Policy]] = {
    "uniform": uniform,
    "CFR, 2 iterations": lambda game: parlor.solve(game, "cfr", iterations=2).policy,
}


def shares(game: Game, policy: Policy, how: SearchSettings, seed: int) -> tuple[list[float], list[float]]:
    """What a search wins in each seat, and what a best response does."""
    members = opponent_arrays(game, np.zeros((1, 2), np.int64), np.ones(1), [policy])
    answer = searched_policy(game, opponent_model(game, members), how, seed)
    won = [evaluate(game, [answer, policy]).values[0], evaluate(game, [policy, answer]).values[1]]
    return won, list(evaluate(game, policy).best_responses)


def main() -> None:
    """Print a row for each game, policy and number of simulations."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=["leduc", "liars-dice"])
    parser.add_argument("--simulations", nargs="*", type=int, default=[300, 3000, 30_000])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--belief", default="exact")
    parser.add_argument("--c", type=float, default=0.0, help="of PUCT; 0: the distance of values seen")
    parser.add_argument("--operators", nargs="*", default=["mean", "max"], help="what a decision passes up")
    options = parser.parse_args()
    console = Console(width=120)
    console.print("| game | the other plays | operator | simulations | best response | search | share | seconds |")
    console.print("|---|---|---|---|---|---|---|---|")
    for name in options.games:
        game = parlor.load(name)
        for who, make in FIXED.items():
            policy = make(game)
            for operator, simulations in itertools.product(options.operators, options.simulations):
                how = SearchSettings(simulations, options.c, belief=options.belief, operator=operator)
                found, begun = [], time.perf_counter()
                for seed in range(options.seeds):
                    won, best = shares(game, policy, how, seed)
                    found.append(sum(won) / sum(best))
                wins, most = (" and ".join(f"{x:.3f}" for x in some) for some in (won, best))
                share = ", ".join(f"{100 * x:.1f} %" for x in found)
                took = f"{time.perf_counter() - begun:.0f}"
                console.print(f"| {name} | {who} | {operator} | {simulations:,} | {most} | {wins} | {share} | {took} |")
