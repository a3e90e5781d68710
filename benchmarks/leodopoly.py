"""Leodopoly: games a second of three heuristic players on one core, beside the published decisions in plain Python.

The peer is `benchmarks/leodopoly_published.py`, a port of the dissertation's code that values copies of states as the
code does. It also announces deals, as published; ours does not where deals change nothing, so it is measured without
them, too. Times are CPU time of one thread. A tuning run is one of `parlor tune` with its usual settings.
`python benchmarks/leodopoly.py [--games N] [--plain N] [--no-tune]`; the last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from pathlib import Path

from leodopoly_published import series
from rich.console import Console

from parlor.agents.registry import make_agent
from parlor.arena.match import play_match
from parlor.game.loading import load
from parlor.tuning.run import TuneRun
from parlor.tuning.search import TuneConfig

PLAYERS = ("greedy", "tight", "optimal")
CLASSIC = (*PLAYERS, "random-tester-1")
screen = Console(highlight=False, soft_wrap=True)


def native_speed(preset: str, names: tuple[str, ...], games: int) -> float:
    """Games a second in a compiled match."""
    game = load("leodopoly", preset=preset, players=len(names))
    agents = [make_agent(name, game) for name in names]
    play_match(game, agents, len(names))  # the first time it may have to be compiled
    begin = time.process_time()
    match = play_match(game, agents, games)
    speed = match.games / (time.process_time() - begin)
    screen.print(f"{preset}, {', '.join(names)}: [bold]{speed:,.0f}[/] games a second")
    return speed


def plain_speed(games: int, deals: bool) -> float:
    """Games a second of the published decisions."""
    begin = time.process_time()
    series(PLAYERS, games, random.Random(0), deals)
    speed = games / (time.process_time() - begin)
    screen.print(f"the published decisions{'' if deals else ' without deals'}: [bold]{speed:,.1f}[/] games a second")
    return speed


def tuning_minutes() -> float:
    """How long a tuning run takes with its usual settings, on one core."""
    with tempfile.TemporaryDirectory() as folder:
        config = TuneConfig(game=load("leodopoly", preset="published").name, agent="strategy")
        begin = time.process_time()
        tuner = TuneRun.begin(Path(folder) / "run", config).run()
        minutes = (time.process_time() - begin) / 60
    screen.print(f"tuning a strategy with {tuner.games:,} games: [bold]{minutes:.1f}[/] minutes")
    return minutes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=90_000, help="compiled games in preset published")
    parser.add_argument("--plain", type=int, default=40, help="games of the published decisions")
    parser.add_argument("--tune", action=argparse.BooleanOptionalAction, default=True, help="measure a tuning run")
    chosen = parser.parse_args()
    published = native_speed("published", PLAYERS, chosen.games)
    for preset in ("text", "corrected"):
        native_speed(preset, PLAYERS, chosen.games // 6)
    plain = plain_speed(chosen.plain, deals=True)
    without = plain_speed(chosen.plain, deals=False)
    screen.print(
        f"ours is {published / plain:,.0f} times as fast, {published / without:,.0f} times without their deals"
    )
    classic = native_speed("classic", CLASSIC, chosen.games // 300)
    result = {"games_per_s": published, "ratio_to_plain": published / plain, "classic_games_per_s": classic}
    if chosen.tune:
        result["tune_minutes"] = tuning_minutes()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
