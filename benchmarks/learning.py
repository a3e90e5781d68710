"""How fast networks learn by policy gradients on this machine, and how strong they get.

    python benchmarks/learning.py                                  # Monopoly Deal: speed, and strength after a minute
    python benchmarks/learning.py --minutes 15 --threads 2         # the bar for two cores
    python benchmarks/learning.py --large --minutes 10 --threads 16 --keep kept/monopoly-deal.npz   # on a GPU
    python benchmarks/learning.py --game 'leodopoly' --against tuned optimal …
    python benchmarks/learning.py --only shipped                   # the players that come with Parlor: shipped.py

A run like any other (`parlor train GAME --algorithm ppo`), whose metrics are printed as they come. `--large` is the
size for a GPU: 8,192 games side by side and layers of 512. The network is measured on fresh deals at the end, with 95 %
intervals. The last line is JSON: decisions a second with learning included (`decisions_per_s_cpu` or `_gpu`), and the
win share against each opponent, `GAME_v_OPPONENT` (among several players: alone against all others).
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from shipped import shipped

from parlor.agents.registry import make_agent, policy_agent
from parlor.arena.match import Match, play_match
from parlor.game import Game
from parlor.game.loading import load
from parlor.game.parameters import declared
from parlor.learn.gradient.updates import ROWS
from parlor.learn.gradients import libraries
from parlor.runs.config import Config, usual
from parlor.runs.files.strategy_files import save
from parlor.runs.learners.learner import Learner
from parlor.runs.training import TrainingRun

GAME, AGAINST = "monopoly-deal", ("careful", "risk-aware")
LARGE = {"lockstep": 8192, "layers": (512, 512), "window": 64, "minibatches": 16}
FRESH = 77  # the seed of the deals of the last measurement


def main() -> None:
    """Train, measure, print."""
    a = arguments()
    if a.only:
        print(json.dumps(shipped([a.game] if a.game else [], a.games, a.threads)), flush=True)
        return
    a.game = a.game or GAME
    game = load(a.game)
    against = tuple(a.against) if a.against is not None else AGAINST if a.game == GAME else ("random",)
    with tempfile.TemporaryDirectory() as temporary:
        run = TrainingRun.begin(Path(a.folder or temporary) / f"run-{a.seed}", config(a, against))
        began = time.perf_counter()
        learner = run.run(workers=a.threads, on_progress=printed(began))
        policy = learner.policy()
        if a.keep:
            Path(a.keep).parent.mkdir(parents=True, exist_ok=True)
            save(policy, a.keep)
    found = speed(learner)
    for name in against:
        match = play_match(
            game, [policy_agent(policy, game, "network"), make_agent(name, game)], a.games, FRESH, "alternating",
            threads=a.threads,
        )  # fmt: skip
        found |= told(game, name, match)
    print(json.dumps(found), flush=True)


def config(a: argparse.Namespace, against: tuple[str, ...]) -> Config:
    """The configuration of the run."""
    settings: dict[str, Any] = LARGE if a.large else {}
    known = {one.name: one for one in declared(ROWS[a.algorithm].settings)}
    for text in a.set:
        name, _, value = text.partition("=")
        settings = settings | {name: known[name].parse(value)}
    values = {
        "minutes": a.minutes, "games": a.rounds, "seed": a.seed, "against": against, "evaluate_games": a.look,
        "checkpoint_minutes": a.every,
    }  # fmt: skip
    if a.rounds:
        values |= {"minutes": 0.0, "checkpoint_minutes": 0.0, "evaluate_every": max(1, a.rounds // 10)}
    return Config.of(a.game, a.algorithm, **usual(load(a.game), a.algorithm, {**values, **settings}))


def printed(began: float) -> Any:
    """Called at every step of the run: print the speed every ten seconds, and new measurements."""
    seen = {"rows": 0, "decisions": 0, "at": time.perf_counter(), "steps": 0}

    def on_progress(run: TrainingRun, learner: Learner) -> bool:
        now, decisions = time.perf_counter(), learner.work()["decisions"]
        new = len(run.rows) > seen["rows"]
        if new or now - seen["at"] > 10.0:
            rate = (decisions - seen["decisions"]) / (now - seen["at"])
            line = f"{now - began:7.1f} s  {decisions:13,} decisions  {rate:11,.0f}/s"
            seen.update(decisions=decisions, at=now)
            print(line + (f"  {_shown(run.rows[-1])}" if new else ""), flush=True)
        seen["rows"] = len(run.rows)
        return True

    return on_progress


def _shown(row: Any) -> str:
    numbers = [f"{name} {value:.4g}" for name, value in row.items() if isinstance(value, float)]
    wins = [f"{name} {100 * starts['alternating']['rate']:.1f} %" for name, starts in row.get("wins", {}).items()]
    return "  ".join([*wins, *numbers])


def speed(learner: Any) -> dict[str, Any]:
    """Decisions a second of some more rounds, learning included."""
    jax, _ = libraries()
    learned, rounds = learner.learned, 0
    began = time.perf_counter()
    before = learned.decisions
    playing = 0.0
    while rounds < 3 or time.perf_counter() - began < 5.0:
        at = time.perf_counter()
        learned.play()
        playing += time.perf_counter() - at
        learned.learn()
        rounds += 1
    seconds = time.perf_counter() - began
    device = "cpu" if jax.default_backend() == "cpu" else "gpu"
    return {
        f"decisions_per_s_{device}": round((learned.decisions - before) / seconds),
        "decisions": before,
        "share_of_time_playing": round(playing / seconds, 3),
        "cores": os.cpu_count(),
        "device": str(jax.devices()[0]),
    }


def told(game: Game, name: str, match: Match) -> dict[str, Any]:
    """The result against an opponent, and its interval."""
    key = f"{game.name}_v_{name}".replace("-", "_")
    score = match.score
    return {key: round(score.value, 4), f"{key}_interval": [round(score.low, 4), round(score.high, 4)]}


def arguments() -> argparse.Namespace:
    """From the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["shipped"], help="measure the players that come with Parlor, train nothing")
    parser.add_argument("--game", help=f"{GAME}, unless told; with --only, all that have such players")
    parser.add_argument("--algorithm", default="ppo", choices=list(ROWS))
    parser.add_argument("--minutes", type=float, default=1.0, help="of training")
    parser.add_argument("--rounds", type=int, default=0, help="of training, instead of minutes")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--large", action="store_true", help="the size for a GPU")
    parser.add_argument("--against", nargs="*", help="opponents")
    parser.add_argument("--set", nargs="*", default=[], help="settings of the algorithm: layers=256,256 rate=0.001")
    parser.add_argument("--every", type=float, default=1.0, help="minutes between measurements")
    parser.add_argument("--look", type=int, default=500, help="games of a measurement while it learns")
    parser.add_argument("--games", type=int, default=4000, help="games of the last measurement")
    parser.add_argument("--keep", help="a file for the network")
    parser.add_argument("--folder", help="for the run; if omitted, it is not kept")
    return parser.parse_args()


if __name__ == "__main__":
    main()
