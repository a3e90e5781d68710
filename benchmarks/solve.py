"""Trees solved on every processor, and what each variant of CFR reaches; OpenSpiel's C++ and its LP beside.

    python benchmarks/solve.py                    # liar's dice with 7 faces
    python benchmarks/solve.py --faces 8 --threads 16

All in one run on one machine, us and the peer in turn; times are medians over the rounds. Where other programs use the
same cores, threads wait for each other: so beside the time on the clock stands the processor time of the thread that
takes longest (`speedup_by_processor_time`), which is what free cores would give. Without a GPU its numbers are null; so
are those of peers that are not installed. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pyspiel

import parlor
from parlor.game.loading import load
from parlor.sequence_form.tree import tree
from parlor.solvers.cfr import Cfr, GpuCfr
from parlor.solvers.tree_cfr.iteration import VARIANTS
from parlor.solvers.tree_cfr.jax_iteration import has_gpu
from parlor.solvers.tree_cfr.threads import Crew, WorkShare

#: The value of Leduc to its first player, proved by `parlor solve leduc --exact --rational`.
LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
ROW_GAMES, ITERATIONS = ("kuhn", "goofspiel", "leduc"), 1000

Found = dict[str, Any]


def main() -> None:
    """Measure, print, and print again as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faces", type=int, default=7, help="of the dice of liar's dice")
    parser.add_argument("--threads", type=int, default=2, help="besides one")
    parser.add_argument("--rounds", type=int, default=7, help="how often everything is timed")
    a = parser.parse_args()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} before this began\n")
    found: Found = {"processors": os.cpu_count(), "load": os.getloadavg()[0]}
    found |= rows()
    found |= exact()
    found |= processors(f"liars-dice(faces={a.faces})", f"liars_dice(dice_sides={a.faces})", a.threads, a.rounds)
    print(json.dumps(found))


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def rows() -> Found:
    """Exploitability after the same iterations of every variant."""
    found: Found = {}
    print(f"exploitability after {ITERATIONS:,} iterations\n{'':18}" + "".join(f"{name:>12}" for name in ROW_GAMES))
    reached: dict[str, dict[str, float]] = {name: {} for name in ROW_GAMES}
    for variant in VARIANTS:
        for name in ROW_GAMES:
            solver = Cfr(load(name), variant)
            solver.run(ITERATIONS)
            reached[name][variant] = max(solver.nash_conv(), 0.0) / solver.game.players
        print(f"{variant:18}" + "".join(f"{reached[name][variant]:12.1e}" for name in ROW_GAMES))
    for name, by_row in reached.items():
        best = min(by_row, key=lambda row, of=by_row: of[row])  # type: ignore[misc]
        found |= {f"best_row_{name}": by_row[best], f"best_row_{name}_name": best}
    return found


def exact() -> Found:
    """The linear program, on Leduc against the known value, and against OpenSpiel's where that is there."""
    solved: list[parlor.SolveResult] = []
    spent = seconds(lambda: solved.append(parlor.solve("leduc", "exact")))
    error = abs(solved[0].report.values[0] - float(LEDUC))
    peer = None
    try:
        from open_spiel.python.algorithms import sequence_form_lp

        leduc = pyspiel.load_game("leduc_poker")
        peer = seconds(lambda: sequence_form_lp.solve_zero_sum_game(leduc))
    except ImportError as missing:
        print(f"OpenSpiel's linear program needs {missing.name}, which is not installed")
    told = "not measured" if peer is None else f"{peer:.1f} s"
    print(f"\nexact Leduc: {spent:.2f} s, wrong by {error:.1e}; OpenSpiel's linear program: {told}\n")
    return {"exact_leduc_error": error, "exact_leduc_s": spent, "openspiel_lp_leduc_s": peer}


def processors(name: str, spiel_name: str, threads: int, rounds: int) -> Found:
    """An iteration on one core, on several threads, in JAX, and in OpenSpiel's C++."""
    game = load(name)
    entries = len(tree(game).weight)
    one, several = Cfr(game, "cfr+"), Cfr(game, "cfr+", threads=threads)
    many = max(1, int(2e7 / entries))
    for solver in (one, several):
        solver.run(2)
    times = [(seconds(lambda: one.run(many)), seconds(lambda: several.run(many))) for _ in range(rounds)]
    core, crew = (statistics.median(column) / many for column in zip(*times, strict=True))
    same = bool(np.array_equal(one.learned.total, several.learned.total))
    by_time = processor_time(one, game, threads)
    print(f"{name}: {entries:,} entries; an iteration: {core * 1e3:.2f} ms, {threads} threads {crew * 1e3:.2f} ms")
    print(f"{core / crew:.2f} times as fast on the clock, {by_time:.2f} by processor time; same tables: {same}")
    spiel = pyspiel.CFRPlusSolver(pyspiel.load_game(spiel_name))
    theirs = seconds(spiel.evaluate_and_update_policy)
    print(f"OpenSpiel's C++: {theirs:.2f} s an iteration, {theirs / core:,.0f} times as long as one core")
    found: Found = {
        "entries": entries, "core_ms": core * 1e3, f"speedup_{threads}_threads": core / crew,
        "speedup_by_processor_time": by_time, "threads_equal_one": same, "core_over_openspiel": theirs / core,
    }  # fmt: skip
    return found | gpu(game, core, theirs, rounds)


def processor_time(one: Cfr, game: parlor.Game, threads: int) -> float:
    """What several free cores would gain: one core's processor time over that of the longest share in each step."""
    longest, spent = [0.0], [0.0]

    class Measured(Crew):
        """Shares one after the other, each timed."""

        def _together(self, work: Callable[..., None], shares: list[WorkShare], *given: Any) -> None:  # type: ignore[override]
            each = []
            for share in shares:
                begin = time.thread_time()
                work(share, *given)
                each.append(time.thread_time() - begin)
            longest[0] += max(each)
            spent[0] += sum(each)

    crew, solver = Measured(tree(game), threads), Cfr(game, "cfr+")
    ratios = []
    for round_ in range(6):
        longest[0] = spent[0] = 0.0
        begin = time.thread_time()
        crew.iterate(solver.learned, solver._lock_arrays, solver.variant, 2 * round_, 2)
        whole = time.thread_time() - begin
        begin = time.thread_time()
        one.run(2)
        alone = time.thread_time() - begin
        ratios.append(alone / (whole - spent[0] + longest[0]))
    return statistics.median(ratios[1:])


def gpu(game: parlor.Game, core: float, theirs: float, rounds: int) -> Found:
    """The same in JAX: on a GPU if there is one. Kim and Sandholm's noregret is no peer here: it is not installed."""
    names = ("gpu_over_core", "gpu_over_openspiel", "gpu_over_noregret", "gpu_exploitability_difference")
    none: Found = dict.fromkeys(names)
    if not has_gpu():
        print("no GPU here: its numbers are null")
        return none
    found = dict(none)
    ours = Cfr(game, "cfr+")
    ours.run(100)
    for double in (True, False):
        card = GpuCfr(game, "cfr+", double)
        card.run(100)
        difference = abs(card.nash_conv() - ours.nash_conv()) / game.players
        spent = statistics.median(seconds(partial(card.run, 200)) for _ in range(rounds)) / 200
        kind = "double" if double else "single"
        print(f"{card.processor}: {spent * 1e3:.3f} ms an iteration, {core / spent:.1f} times one core; "
              f"exploitability differs by {difference:.1e}")  # fmt: skip
        found |= {f"gpu_{kind}_ms": spent * 1e3, f"gpu_{kind}_difference": difference}
        if double:
            found["gpu_exploitability_difference"] = difference
        else:
            found |= {"gpu_over_core": core / spent, "gpu_over_openspiel": theirs / spent}
    return found


if __name__ == "__main__":
    main()
