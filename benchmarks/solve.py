"""Trees solved on every processor, and what each variant of CFR reaches; OpenSpiel's C++ and its LP beside.

    python benchmarks/solve.py                    # liar's dice with 7 faces, two threads
    python benchmarks/solve.py --only processors --threads 2 4 8 16 --games "liars-dice(faces=8)" leduc

All in one run on one machine, us and the peer in turn; times are medians over the rounds. Without a GPU its numbers are
null; so are those of peers that are not installed. The last line is JSON: the numbers of the first game, and those of
each. `gpu_over_core` is of the faster precision, which `gpu_precision` tells.
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

import parlor
from parlor.game.loading import load
from parlor.sequence_form.tree import tree
from parlor.solvers.cfr import Cfr, GpuCfr
from parlor.solvers.tree_cfr.iteration import VARIANTS
from parlor.solvers.tree_cfr.jax_iteration import BLOCK, has_gpu

try:
    import pyspiel
except ImportError:
    pyspiel = None

#: The value of Leduc to its first player, proved by `parlor solve leduc --exact --rational`.
LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
ROW_GAMES, ITERATIONS = ("kuhn", "goofspiel", "leduc"), 1000
COMPARED = 2 * BLOCK  # iterations after which exploitability is compared

#: OpenSpiel's names of games.
PEERS = {
    "leduc": "leduc_poker",
    "battleship(width=3,height=2,ships=2,values=1,shots=2)":
        "battleship(board_width=3,board_height=2,ship_sizes=[2],ship_values=[1.0],num_shots=2)",
} | {f"liars-dice(faces={faces})": f"liars_dice(dice_sides={faces})" for faces in range(2, 11)}  # fmt: skip

Found = dict[str, Any]


def main() -> None:
    """Measure, print, and print again as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=["liars-dice(faces=7)"], help="whose iterations are timed")
    parser.add_argument("--threads", type=int, nargs="+", default=[2], help="besides one")
    parser.add_argument("--rounds", type=int, default=7, help="how often everything is timed")
    parser.add_argument("--no-peer", action="store_true", help="leave OpenSpiel's iteration out, which takes long")
    parser.add_argument("--only", nargs="+", choices=["rows", "exact", "processors"], help="parts of it")
    a = parser.parse_args()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} before this began\n")
    found: Found = {"processors": os.cpu_count(), "load": os.getloadavg()[0]}
    if "rows" in (a.only or "rows"):
        found |= rows()
    if "exact" in (a.only or "exact"):
        found |= exact()
    if "processors" in (a.only or "processors"):
        games = {name: processors(name, a.threads, a.rounds, not a.no_peer) for name in a.games}
        found |= games[a.games[0]] | {"games": games}
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
        import pyspiel
        from open_spiel.python.algorithms import sequence_form_lp

        leduc = pyspiel.load_game("leduc_poker")
        peer = seconds(lambda: sequence_form_lp.solve_zero_sum_game(leduc))
    except ImportError as missing:
        print(f"OpenSpiel's linear program needs {missing.name}, which is not installed")
    told = "not measured" if peer is None else f"{peer:.1f} s"
    print(f"\nexact Leduc: {spent:.2f} s, wrong by {error:.1e}; OpenSpiel's linear program: {told}\n")
    return {"exact_leduc_error": error, "exact_leduc_s": spent, "openspiel_lp_leduc_s": peer}


def processors(name: str, threads: list[int], rounds: int, with_peer: bool) -> Found:
    """An iteration on one core, on several threads, in JAX, and in OpenSpiel's C++."""
    game = load(name)
    enumerated = seconds(lambda: tree(game))
    entries = len(tree(game).weight)
    one = Cfr(game, "cfr+")
    crews = {count: Cfr(game, "cfr+", threads=count) for count in threads}
    many = max(10, int(2e7 / entries))  # of a call: threads take a moment to begin
    for solver in (one, *crews.values()):
        solver.run(2)
    times: dict[int, list[float]] = {count: [] for count in (1, *threads)}
    for _ in range(rounds):
        for count, solver in ((1, one), *crews.items()):
            times[count].append(seconds(partial(solver.run, many)) / many)
    core = statistics.median(times[1])
    found: Found = {"entries": entries, "enumeration_s": enumerated, "core_ms": core * 1e3}
    print(f"{name}: {entries:,} entries in {enumerated:.1f} s; an iteration: {core * 1e3:.3f} ms on one core")
    equal = {count: bool(np.array_equal(crew.learned.total, one.learned.total)) for count, crew in crews.items()}
    for count, same in equal.items():
        crew = statistics.median(times[count])
        print(f"  {count} threads {crew * 1e3:.3f} ms: {core / crew:.2f} times as fast; same tables: {same}")
        found |= {f"threads_{count}_ms": crew * 1e3, f"speedup_{count}_threads": core / crew,
                  f"threads_{count}_same": same}  # fmt: skip
    theirs = peer(name) if with_peer else None
    if theirs is not None:
        print(f"  OpenSpiel's C++: {theirs:.3f} s an iteration, {theirs / core:,.0f} times as long as one core")
    found |= {"openspiel_s": theirs, "core_over_openspiel": theirs and theirs / core}
    return found | gpu(game, core, theirs, rounds)


def peer(name: str) -> float | None:
    """Seconds of an iteration of CFR+ in OpenSpiel's C++."""
    if pyspiel is None or name not in PEERS:
        return None
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(PEERS[name]))
    first = seconds(solver.evaluate_and_update_policy)
    return first if first > 1.0 else statistics.median(seconds(solver.evaluate_and_update_policy) for _ in range(5))


def gpu(game: parlor.Game, core: float, theirs: float | None, rounds: int) -> Found:
    """The same in JAX: on a GPU if there is one.

    Kim and Sandholm's noregret is no peer: what PyPI has of it, 0.0.0.dev3, computes on the CPU only, in Python.
    """
    names = ("gpu_over_core", "gpu_over_openspiel", "gpu_over_noregret", "gpu_exploitability_difference")
    found: Found = dict.fromkeys(names)
    if not has_gpu():
        print("  no GPU here: its numbers are null")
        return found
    ours = Cfr(game, "cfr+")
    ours.run(COMPARED)
    for double in (True, False):
        card = GpuCfr(game, "cfr+", double)
        compiled = seconds(partial(card.run, COMPARED))
        difference = abs(card.nash_conv() - ours.nash_conv()) / game.players
        many = BLOCK * max(1, int(0.1 / seconds(partial(card.run, BLOCK))))
        spent = statistics.median(seconds(partial(card.run, many)) for _ in range(rounds)) / many
        kind = "double" if double else "single"
        print(f"  {card.processor}: {spent * 1e3:.4f} ms an iteration, {core / spent:.1f} times one core; compiled in "
              f"{compiled:.0f} s; after {COMPARED} iterations exploitability differs by {difference:.1e}")  # fmt: skip
        found |= {f"gpu_{kind}_ms": spent * 1e3, f"gpu_{kind}_difference": difference,
                  f"gpu_{kind}_over_core": core / spent, f"gpu_{kind}_compile_s": compiled}  # fmt: skip
        if double:
            found["gpu_exploitability_difference"] = difference
    best = "double" if found["gpu_double_ms"] <= found["gpu_single_ms"] else "single"
    ratio = theirs and theirs / found[f"gpu_{best}_ms"] * 1e3
    found |= {"gpu_precision": best, "gpu_over_core": found[f"gpu_{best}_over_core"], "gpu_over_openspiel": ratio}
    return found


if __name__ == "__main__":
    main()
