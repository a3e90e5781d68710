"""Moves a second of this checkout and of others, older ones perhaps, one after the other, round after round.

What else runs on the machine meets all of them alike. Each trains its own agent in the same way; people and wire are
the same, so that only what answers differs.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.serving.moves import GAMES, sustained
from benchmarks.serving.people import ROOT, Line, Person, Server, environment, processor_ms
from tests.server.databases import Postgres

#: An agent as `people.trained` makes it, wherever a checkout has what it takes.
TRAIN = """
import importlib, pathlib, sys

def first(*names):
    for module, name in names:
        try:
            return getattr(importlib.import_module(module), name)
        except ImportError:
            continue
    raise SystemExit("this checkout is too old")

load = first(("parlor.game.loading", "load"), ("parlor.games", "load"))
save = first(("parlor.runs.files.strategy_files", "save"), ("parlor.runs.policy_files", "save"))
Learner = first(("parlor.solvers.sampling.rollout_cfr", "RolloutCfr"), ("parlor.solvers.rollout_cfr", "RolloutCfr"))
learner = Learner(load("monopoly-deal/intent"))
learner.run(100)
pathlib.Path(sys.argv[1]).mkdir(parents=True)
save(learner.policy(), pathlib.Path(sys.argv[1], "trained.json"))
"""


def flags(root: Path) -> list[str]:
    """The flags of a checkout's server that lift its limits."""
    words = [sys.executable, "-m", "parlor", "serve", "--help"]
    told = subprocess.run(words, cwd=root, env=environment(root), capture_output=True, text=True, check=True).stdout
    rate = "--requests" if "--requests" in told else "--rate"
    return [rate, "0", *(("--tables", "0") if "--tables" in told else ())]


async def once(server: Server, seconds: float) -> tuple[float, float]:
    """Moves a second, and milliseconds of processor time for one."""
    with server.running():
        await server.start()
        people = [Person(Line(server.port), random.Random(i), "trained") for i in range(GAMES)]
        for person in people:
            await person.sit()
        await sustained(people, 1.0)  # warm
        moves, spent = sum(p.moves for p in people), processor_ms(server.pid)
        rate = await sustained(people, seconds)
        return rate, (processor_ms(server.pid) - spent) / (sum(p.moves for p in people) - moves)


def measure(folder: Path, cluster: Postgres, others: list[Path], rounds: int, seconds: float) -> dict[str, Any]:
    """Each round: every checkout on both databases; then medians."""
    roots, found = [ROOT, *(other.resolve() for other in others)], dict[tuple[str, str], list[tuple[float, float]]]()
    for number, root in enumerate(roots):
        words = [sys.executable, "-c", TRAIN, str(folder / f"agents-{number}")]
        subprocess.run(words, cwd=root, env=environment(root), check=True)
    limits = [flags(root) for root in roots]
    for turn in range(rounds):
        for number, root in enumerate(roots):
            urls = {
                "sqlite": f"sqlite:///{folder}/{number}-{turn}.db",
                "postgres": cluster.create(f"beside{number}x{turn}", schema=False),
            }
            for database, url in urls.items():
                server = Server(url, folder / f"agents-{number}", folder / "server.log", root=root)
                server.command[server.command.index("--requests") :] = limits[number]
                rate, cpu = asyncio.run(once(server, seconds))
                found.setdefault((root.name, database), []).append((rate, cpu))
                print(f"{root.name:12} {database:9} {rate:6.0f} moves/s, {cpu:.2f} ms of processor each", flush=True)
    return {
        "beside": [
            {
                "checkout": name,
                "database": database,
                "moves_per_s": round(statistics.median(rate for rate, _ in rows), 1),
                "cpu_ms_per_move": round(statistics.median(cpu for _, cpu in rows), 3),
                "rounds": len(rows),
            }
            for (name, database), rows in found.items()
        ]
    }


def sentence(found: dict[str, Any]) -> str:
    """A line for each checkout and database."""
    return "\n".join(
        f"{row['checkout']:12} {row['database']:9} {row['moves_per_s']:6.0f} moves/s, "
        f"{row['cpu_ms_per_move']:.2f} ms of processor each (medians of {row['rounds']})"
        for row in found["beside"]
    )
