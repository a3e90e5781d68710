"""The paper's training run of Monopoly Deal: how long it takes, and what threads, Ray and compilation make of it.

1,000 games of self-play with 20 rollouts for each action of each decision, the paper's rules and abstraction. All of it
is timed after compilation, in rounds: each goes once through all ways to run it, so that what else the machine does
falls on all alike; numbers are medians over the rounds. CPU seconds are those of this process with all its threads;
what Ray's processes spend is not among them, so of Ray there is only the time on the clock. Plain Python plays the
first games only, the same ones the compiled code is then timed on, move for move.

`python benchmarks/monopoly_deal.py [--games N] [--rounds N] [--quick]`; the last line is JSON.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import parlor
from parlor.runs.config import Config, usual
from parlor.runs.learners.rollout_cfr import start_workers
from parlor.runs.training import TrainingRun
from parlor.solvers.sampling.rollout_cfr import RolloutCfr
from parlor.solvers.sampling.rollouts import RolloutSettings, RolloutWorkers, Threads

GAME = "monopoly-deal(preset=paper)/intent"
CONFIG = Config.of(GAME, "rollout-cfr", **usual(parlor.load(GAME), "rollout-cfr", {}))
BATCH = 10  # games from the same table, when batch-ordered
WARM_UP = 4  # games, so that everything is compiled and every worker has begun
MIN_SECONDS = 0.5  # seconds that a measurement should take

QUOTED = (
    "Quoted, not measured here: the paper reports about 19 minutes for this run on 8 cores of an Apple M1; its "
    "public code was seen to take 25 to 30 CPU-seconds for a single training game on 2 cores."
)


@dataclass
class Mode:
    """A way to run it, and what each round took."""

    name: str
    workers: RolloutWorkers
    batch: int | None
    cpu: list[float] = field(default_factory=list)  # seconds
    wall: list[float] = field(default_factory=list)
    rollouts: list[int] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    counts_cpu: bool = True  # whether all of its work is done in this process

    def row(self, games: int) -> dict[str, float | None]:
        """Medians over the rounds."""
        wall = statistics.median(self.wall)
        return {
            "cpu_s": statistics.median(self.cpu) if self.counts_cpu else None,
            "least_cpu_s": min(self.cpu) if self.counts_cpu else None,
            "wall_s": wall,
            "games_per_s": games / wall,
            "rollouts_per_s": statistics.median(n / t for n, t in zip(self.rollouts, self.wall, strict=True)),
            "steps_per_s": statistics.median(n / t for n, t in zip(self.steps, self.wall, strict=True)),
        }


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """CPU seconds of this process, and seconds on the clock."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - cpu, time.perf_counter() - wall


def measure(game: parlor.Game, learning: RolloutSettings, mode: Mode, games: int) -> None:
    """A training run from an empty table."""
    learner = RolloutCfr(game, learning, CONFIG.seed)
    cpu, wall = timed(lambda: learner.run(games, mode.batch, mode.workers))
    mode.cpu.append(cpu)
    mode.wall.append(wall)
    mode.rollouts.append(learner.rollouts)
    mode.steps.append(learner.steps)


def native_over_plain(game: parlor.Game, learning: RolloutSettings, games: int, rounds: int) -> dict[str, float]:
    """The same first games of the run, interpreted and compiled: steps a CPU second of each."""
    plain = RolloutCfr(game, learning, CONFIG.seed, compiled=False)
    slow, _ = timed(lambda: plain.run(games))
    times = []
    for _ in range(rounds):
        spent, again = 0.0, 0
        while spent < MIN_SECONDS:
            native = RolloutCfr(game, learning, CONFIG.seed)
            spent, again = spent + timed(lambda learner=native: learner.run(games))[0], again + 1  # type: ignore[misc]
        times.append(spent / again)
    assert native.steps == plain.steps, "plain and compiled games should be the same, move for move"
    fast = statistics.median(times)
    return {
        "plain_games": games,
        "plain_cpu_s": slow,
        "plain_steps_per_s": plain.steps / slow,
        "native_cpu_s": fast,
        "native_steps_per_s": plain.steps / fast,
        "native_over_plain": slow / fast,
    }


@contextlib.contextmanager
def modes(game: parlor.Game, learning: RolloutSettings, screen: Console) -> Iterator[list[Mode]]:
    """The ways to run it: threads, and Ray if it is there."""
    simulator = RolloutCfr(game, learning, CONFIG.seed).simulator
    one, two = Threads(simulator, 1), Threads(simulator, 2)
    pools: list[RolloutWorkers] = [one, two]
    found = [
        Mode("none", one, 1),
        Mode("batch-ordered, 1 thread", one, BATCH),
        Mode("batch-ordered, 2 threads", two, BATCH),
        Mode("unordered, 2 threads", two, None),
    ]
    try:
        try:
            for workers in (2, 1):  # the first one starts Ray, for both
                pools.append(start_workers("ray", workers, None, simulator))
            for n, pool in ((1, pools[-1]), (2, pools[-2])):
                words = f"ray, batch-ordered, {n} worker{'s' if n > 1 else ''}"
                found.append(Mode(words, pool, BATCH, counts_cpu=False))
        except parlor.GameError as error:
            screen.print(f"Without Ray: {error}")
        yield found
    finally:
        for pool in reversed(pools):
            pool.close()


def whole_run(games: int) -> float:
    """Seconds on the clock of all that `parlor train` does, evaluations and checkpoints too: unordered, two threads."""
    evaluate_every, checkpoint_every = min(CONFIG.evaluate_every, games), min(250, games)
    config = replace(CONFIG, games=games, evaluate_every=evaluate_every, checkpoint_every=checkpoint_every)
    with tempfile.TemporaryDirectory() as folder:
        TrainingRun.begin(Path(folder) / "warm", replace(config, games=min(10, games))).run(workers=2)
        run = TrainingRun.begin(Path(folder) / "run", config)
        return timed(lambda: run.run(workers=2))[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=CONFIG.games, help="training games of a run")
    parser.add_argument("--rounds", type=int, default=3, help="how often everything is timed")
    parser.add_argument("--plain-games", type=int, default=2, help="games that plain Python plays")
    parser.add_argument("--quick", action="store_true", help="small numbers, to see that it works")
    options = parser.parse_args()
    if options.quick:
        options.games, options.rounds, options.plain_games = min(options.games, 50), 1, 1
    games, screen = options.games, Console()
    game, learning = parlor.load(GAME), CONFIG.settings
    RolloutCfr(game, learning, CONFIG.seed).run(WARM_UP)
    result: dict[str, Any] = {"games": games, "rollouts_per_action": learning.rollouts, "rounds": options.rounds}
    result |= native_over_plain(game, learning, options.plain_games, options.rounds)
    with modes(game, learning, screen) as found:
        for mode in found:
            RolloutCfr(game, learning, CONFIG.seed).run(WARM_UP * BATCH, mode.batch, mode.workers)
        for _ in range(options.rounds):
            for mode in found:
                measure(game, learning, mode, games)
        rows = {mode.name: mode.row(games) for mode in found}
        ordered = [mode for mode in found if mode.name.startswith("batch-ordered")]
        on_ray = [mode for mode in found if mode.name.startswith("ray")]
        assert len({tuple(mode.steps) for mode in ordered + on_ray}) == 1, "batch-ordered runs should be the same"
    none = found[0]
    cpu = statistics.median(none.cpu)
    result |= {
        "paper_run_cpu_s": cpu * CONFIG.games / games,
        "steps_per_s": none.steps[0] / cpu,
        "rollouts_per_s": none.rollouts[0] / cpu,
        "speedup_2_threads": speedup(*ordered),
        "speedup_2_ray_workers": speedup(*on_ray) if on_ray else None,
        "wall_s_all_included": whole_run(games),
        "modes": rows,
    }
    show(screen, result)
    print(json.dumps(rounded(result)))


def speedup(one: Mode, two: Mode) -> float:
    """How much faster the second is: the median over the rounds, in each of which they ran one after the other."""
    return statistics.median(a / b for a, b in zip(one.wall, two.wall, strict=True))


def rounded(value: object) -> object:
    """Six digits."""
    if isinstance(value, dict):
        return {name: rounded(entry) for name, entry in value.items()}
    return float(f"{value:.6g}") if isinstance(value, float) else value


def show(screen: Console, result: dict[str, Any]) -> None:
    """The table and what it means."""
    r, games = result, f"{result['games']:,} games"
    first = f"{r['plain_games']} game{'s' if r['plain_games'] > 1 else ''}"
    table = Table(box=None, pad_edge=False)
    table.add_column("mode")
    for column in ("CPU s", "wall s", "games/s", "rollouts/s", "steps/s"):
        table.add_column(column, justify="right")
    for name in ("plain", "native"):
        spent, steps = r[f"{name}_cpu_s"], r[f"{name}_steps_per_s"]
        words = {"plain": f"plain Python, {first}", "native": f"native, the same {first}"}[name]
        table.add_row(words, f"{spent:,.3g}", "", f"{r['plain_games'] / spent:,.3g}", "", f"{steps:,.0f}")
    for name, row in r["modes"].items():
        cells = [row[key] for key in ("cpu_s", "wall_s", "games_per_s", "rollouts_per_s", "steps_per_s")]
        table.add_row(name, *("–" if x is None else f"{x:,.1f}" if x < 1000 else f"{x:,.0f}" for x in cells))
    say = partial(screen.print, soft_wrap=True, highlight=False)
    say(f"[bold]{GAME}[/], {games}, {r['rollouts_per_action']} rollouts an action; rates by the clock, of the first "
        "two rows by the CPU second")  # fmt: skip
    say(table)
    scaled = "" if r["games"] == CONFIG.games else f" (scaled from {games})"
    hours = r["paper_run_cpu_s"] * r["native_over_plain"] / 3600
    say(
        f"\nThe paper's run of {CONFIG.games:,} games: {r['paper_run_cpu_s']:.1f} CPU seconds of training{scaled}, "
        f"{r['steps_per_s'] / 1e6:.1f} million steps and {r['rollouts_per_s']:,.0f} rollouts a CPU second; in plain "
        f"Python it would be {hours:.1f} hours."
    )
    say(
        f"With evaluations, metrics and checkpoints, on two threads, unordered: {r['wall_s_all_included']:.1f} s on "
        f"the clock for {games}."
    )
    say(
        f"Compiled code is {r['native_over_plain']:,.0f}× as fast as plain Python; two threads are "
        f"{r['speedup_2_threads']:.2f}× as fast as one."
    )
    say(QUOTED, style="dim")


if __name__ == "__main__":
    main()
