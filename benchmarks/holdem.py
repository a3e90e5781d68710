"""Hold'em: how fast hands are evaluated, beside pkrbot, and equity is sampled.

All run in this process, on one thread, by its CPU time; figures are medians over rounds, ours and the peer's in turn.
`python benchmarks/holdem.py [--rounds N] [--only NAME …]`; the last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

import numpy as np
import pkrbot
from rich.console import Console

from parlor.games.holdem.cards import DECK
from parlor.games.holdem.equity import equity
from parlor.games.holdem.strength import strengths

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


MEASUREMENTS: dict[str, Callable[[int], Numbers]] = {"evaluator": evaluator, "equities": equities}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is measured (default: 5)")
    parser.add_argument("--only", nargs="+", choices=list(MEASUREMENTS), default=list(MEASUREMENTS))
    options = parser.parse_args()
    numbers: Numbers = {}
    for which in options.only:
        numbers |= MEASUREMENTS[which](options.rounds)
    print(json.dumps({key: float(f"{value:.4g}") for key, value in numbers.items()}))


if __name__ == "__main__":
    main()
