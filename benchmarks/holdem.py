"""Hold'em: how fast hands are evaluated, beside pkrbot, equity is sampled, blueprints are trained, play, and solve.

Figures are medians over rounds, ours and the peer's in turn, by CPU time: on one thread; in training and in play on two
threads, whose CPU time is taken as that of two cores working side by side.
`python benchmarks/holdem.py [--rounds N] [--only NAME …]`; the last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pkrbot
from rich.console import Console

from parlor.agents.registry import policy_agent
from parlor.arena.match import play_match
from parlor.game.loading import load
from parlor.games.holdem.agents import endgame
from parlor.poker.blueprint import blueprint
from parlor.poker.hands.cards import DECK
from parlor.poker.hands.equity import equity
from parlor.poker.hands.hand_strength import strengths
from parlor.poker.public_mccfr import PublicMccfr
from parlor.runs.learners.learner import Job
from parlor.runs.learners.mccfr_public import PublicLearner, PublicSettings

Numbers = dict[str, float]
screen = Console(highlight=False, soft_wrap=True)


def seconds(work: Callable[[], object]) -> float:
    begin = time.thread_time()
    work()
    return time.thread_time() - begin


def evaluator(rounds: int) -> Numbers:
    """Random hands of seven cards: one array call, and pkrbot's fastest call, which takes a hand as bytes."""
    count, fewer = 2_000_000, 100_000
    deck = np.tile(np.arange(DECK, dtype=np.uint8), (count, 1))
    hands = np.ascontiguousarray(np.random.default_rng(0).permuted(deck, axis=1)[:, :7])
    their_hands = [(bytes(hand // 4), bytes(hand % 4)) for hand in hands[:fewer]]

    def pkrbots() -> list[int]:
        return [pkrbot.evaluate_raw(ranks, suits, 7) for ranks, suits in their_hands]

    in_order = np.array(pkrbots())[np.argsort(strengths(hands[:fewer]), kind="stable")]
    assert (np.diff(in_order) >= 0).all(), "both should rank hands alike"
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(count / seconds(lambda: strengths(hands)))
        theirs.append(fewer / seconds(pkrbots))
    rate, their_rate = statistics.median(ours), statistics.median(theirs)
    screen.print(
        f"seven-card hands: {rate / 1e6:.0f} million a second; pkrbot {their_rate / 1e6:.1f} million: "
        f"[bold]{rate / their_rate:.0f}×[/]"
    )
    return {"evals_per_s": rate, "pkrbot_evals_per_s": their_rate, "eval_ratio_pkrbot": rate / their_rate}


def equities(rounds: int) -> Numbers:
    """A hand against any hand: sampled before the flop, and exactly after it."""
    sampled = statistics.median(_milliseconds(lambda: equity("AsKd", samples=10_000)) for _ in range(rounds))
    exact = statistics.median(_milliseconds(lambda: equity("AsKd", board="Qs7s2h")) for _ in range(rounds))
    versus = statistics.median(_milliseconds(lambda: equity("AsKd", "QhJh")) for _ in range(rounds))
    screen.print(
        f"equity: 10,000 samples in {sampled:.2f} ms; exactly, on a flop against any hand in {exact:.1f} ms, "
        f"hand against hand before it in {versus:.1f} ms"
    )
    return {"equity_10k_ms": sampled, "equity_flop_ms": exact, "equity_hands_ms": versus}


def _milliseconds(work: Callable[[], object]) -> float:
    work()  # the first time it may have to be compiled
    return 1000 * seconds(work)


THREADS = 2
BUCKETS = 1000


def solver(bets: str) -> PublicMccfr:
    settings = PublicSettings("ehs", (BUCKETS,))
    return PublicLearner(Job(load(f"holdem/{bets}"), settings, parallel="unordered", workers=THREADS)).solver


def rate(solve: PublicMccfr, iterations: int) -> float:
    begin = time.process_time()
    solve.run(iterations)
    return THREADS * iterations / (time.process_time() - begin)


def small(rounds: int) -> Numbers:
    """Iterations of training on fold, call, pot and all-in, and hands of the result against itself as it was before."""
    solve = solver("fcpa")
    table, agents = load("holdem"), []
    for name in ("before", "after"):
        solve.run(100_000)
        agents.append(policy_agent(blueprint(solve, "ehs", (BUCKETS,), {}), table, name))
    trained = statistics.median(rate(solve, 300_000) for _ in range(rounds))
    hands = 500_000
    play_match(table, agents, 1000, threads=THREADS)  # the first time it may have to be compiled
    speeds = []
    for _ in range(rounds):
        begin = time.process_time()
        play_match(table, agents, hands, threads=THREADS)
        speeds.append(THREADS * hands / (time.process_time() - begin))
    played = statistics.median(speeds)
    screen.print(
        f"{solve.layout.infosets:,} information sets: [bold]{trained:,.0f}[/] iterations a second; "
        f"two blueprints play [bold]{played:,.0f}[/] hands a second"
    )
    return {"it_per_s_small": trained, "infosets_small": solve.layout.infosets, "hands_per_s": played}


def large(rounds: int) -> Numbers:
    """Iterations of training on half pot, pot and all-in; in a process of its own, whose memory is its memory."""
    command = [sys.executable, __file__, "--only", "large-alone", "--rounds", str(rounds)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    screen.print("\n".join(told[:-1]))
    numbers: Numbers = json.loads(told[-1])
    return numbers


def large_alone(rounds: int) -> Numbers:
    solve = solver("half-pot")
    solve.run(300_000)  # until the table is spread out in memory
    trained = statistics.median(rate(solve, 100_000) for _ in range(rounds))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    screen.print(
        f"{solve.layout.infosets:,} information sets: [bold]{trained:,.0f}[/] iterations a second in {memory:,.0f} MB"
    )
    return {"it_per_s_large": trained, "infosets_large": solve.layout.infosets, "rss_mb_large": memory}


def rivers(rounds: int) -> Numbers:
    """A river solved anew in 100 iterations, after a flop and a turn without a bet: the most that `fcpa` has left."""
    solve, table = solver("fcpa"), load("holdem")
    solve.run(100_000)
    native = endgame.make(table, "endgame", blueprint(solve, "ehs", (BUCKETS,), {}), 100)
    agents, times = (native, replace(native, slow=False)), np.zeros((rounds + 1, 2))
    for i in range(rounds + 1):  # the first time it may have to be compiled
        deal = np.random.default_rng(i).permutation(DECK)[:9].tolist()
        river = table.start().after(*deal[:4], 1, 1, *deal[4:7], 1, 1, deal[7], 1, 1, deal[8])
        times[i] = [1000 * seconds(partial(agent, river)) for agent in agents]
    ours, slower = np.median(times[1:], axis=0).tolist()
    screen.print(f"a river solved anew: [bold]{ours:.0f}[/] ms; in plain Python {slower:,.0f} ms")
    return {"river_ms": ours, "river_plain_ms": slower}


MEASUREMENTS: dict[str, Callable[[int], Numbers]] = {
    "evaluator": evaluator, "equities": equities, "small": small, "large": large, "rivers": rivers,
}  # fmt: skip
ALONE = {"large-alone": large_alone}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is measured (default: 5)")
    parser.add_argument("--only", nargs="+", choices=[*MEASUREMENTS, *ALONE], default=list(MEASUREMENTS))
    options = parser.parse_args()
    numbers: Numbers = {}
    for which in options.only:
        numbers |= (MEASUREMENTS | ALONE)[which](options.rounds)
    print(json.dumps({key: float(f"{value:.4g}") for key, value in numbers.items()}))


if __name__ == "__main__":
    main()
