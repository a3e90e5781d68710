"""The server under load, while everything thinks, among nonsense and under fire.

moves     100 games in progress on SQLite and on PostgreSQL: moves a second, how long a move takes, what is lost
thinking  moves at 50 quick tables while every slow agent and every mind that we have works
fuzz      so many requests that are right, nearly right and nonsense: no answer of 500, and others do not wait
beside    moves a second of this checkout beside those of others, older ones perhaps, round after round
kills     two servers, their processes for agents and their database are killed again and again during games

The last line is JSON. `page_kb` is null until there is a page.

    python benchmarks/server.py [--seconds 10]
    python benchmarks/server.py --only thinking
    python benchmarks/server.py --only beside --checkouts /tmp/old /tmp/older --rounds 5
    python benchmarks/server.py --only fuzz --requests 100000
    python benchmarks/server.py --only kills --kills 1000
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
os.environ["PYTHONPATH"] = str(ROOT)

from benchmarks.serving import beside, fuzz, kills, moves, thinking  # noqa: E402
from benchmarks.serving.people import trained  # noqa: E402
from tests.server.databases import Missing, postgres  # noqa: E402


def moves_part(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Both databases, one after the other."""
    agents, found = trained(folder), {}
    with postgres() as cluster:
        for name, url in (("sqlite", f"sqlite:///{folder}/parlor.db"), ("postgres", cluster.create("bench"))):
            found[name] = asyncio.run(moves.measure(url, agents, folder / "server.log", given.seconds or 10.0))
            print(moves.sentence(name, found[name]), flush=True)
    return moves.summary(found)


def thinking_part(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """On SQLite."""
    found = asyncio.run(thinking.measure(folder, given.seconds or 60.0))
    print(thinking.sentence(found), flush=True)
    return found


def fuzz_part(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """An ordinary server, then one with a study."""
    found = asyncio.run(fuzz.measure(folder, given.requests, given.seed))
    print(fuzz.sentence(found), flush=True)
    return found


def beside_part(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """On both databases."""
    with postgres() as cluster:
        found = beside.measure(folder, cluster, given.checkouts, given.rounds, given.seconds or 10.0)
    print(beside.sentence(found), flush=True)
    return found


def kills_part(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Two servers with one database: PostgreSQL where it is installed, else SQLite."""
    try:
        with postgres() as cluster:
            found = asyncio.run(kills.measure(folder, cluster, given.kills, given.minutes, given.seed))
    except Missing as error:
        print(f"{error}; so only on SQLite", flush=True)
        found = asyncio.run(kills.measure(folder, None, given.kills, given.minutes, given.seed))
    print(kills.sentence(found), flush=True)
    return found


PARTS: dict[str, Callable[[Path, argparse.Namespace], dict[str, Any]]] = {
    "moves": moves_part, "thinking": thinking_part, "fuzz": fuzz_part, "kills": kills_part,
    "beside": beside_part,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, help="only these parts; without it: moves and thinking")
    parser.add_argument("--seconds", type=float, help="of each measurement; 10 for moves, 60 for thinking if omitted")
    parser.add_argument("--requests", type=int, default=100_000, help="of fuzz")
    parser.add_argument("--checkouts", type=Path, nargs="*", default=[], help="folders with others, for beside")
    parser.add_argument("--rounds", type=int, default=5, help="of beside")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=120.0, help="after which no more is killed")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    result: dict[str, Any] = {}
    for name in given.only or ("moves", "thinking"):
        with tempfile.TemporaryDirectory() as folder:
            result |= PARTS[name](Path(folder), given)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
