"""100 games of Monopoly Deal in progress against a trained agent, on SQLite and on PostgreSQL.

Two measurements on each database. Sustained: as many moves as it can do, 8 people waiting for answers at any time; a
person's move and each move of the agent counts as one, draws do not. Paced: 100 people who move once a second each;
from these comes the time a move and the agent's answer take. The same again with two people and no agent at half
of the tables. Then every game is read from the database and played again: a move that was acknowledged and
is not there is lost, one that is there twice is doubled.

The people share the cores with the server, and so may others: so the processor time that the server itself takes for a
move is told too, which tells what it could do if it were alone.
"""

from __future__ import annotations

import asyncio
import gzip
import random
import re
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.serving.people import (
    ROOT,
    Line,
    Pair,
    Person,
    Server,
    paced,
    percentile,
    processor_ms,
)
from parlor.game.loading import load
from parlor.game.seats.play import replay
from parlor.server.tables.store import Store

GAMES, AT_ONCE, EACH = 100, 8, 1.0  # games in progress; requests at a time; seconds between a person's moves


async def sustained(people: list[Person], seconds: float) -> float:
    """Moves a second."""
    until, before, began = time.perf_counter() + seconds, sum(p.moves for p in people), time.perf_counter()

    async def some(mine: list[Person]) -> None:
        while time.perf_counter() < until:
            for person in mine:
                await person.move()

    await asyncio.gather(*(some(people[i::AT_ONCE]) for i in range(AT_ONCE)))
    return (sum(p.moves for p in people) - before) / (time.perf_counter() - began)


async def examine(url: str, people: Sequence[Person]) -> tuple[int, int]:
    """Moves lost and doubled, after playing every game again."""
    store, game = Store(url), load("monopoly-deal")
    lost = doubled = 0
    promised: dict[str, dict[int, str]] = {}
    for person in people:
        for (table, ply), name in person.acknowledged.items():
            promised.setdefault(table, {})[ply] = name
    for table, moves in promised.items():
        rows = await store.moves(table)
        names = [row["move"] for row in rows]
        lost += sum(ply >= len(names) or names[ply] != name for ply, name in moves.items())
        doubled += len(rows) - len({row["ply"] for row in rows})
        replay(game, names)  # raises if they do not make a game
    await store.close()
    return lost, doubled


async def measure(url: str, agents: Path, log: Path, seconds: float) -> dict[str, float]:
    """Everything on one database."""
    with Server(url, agents, log).running() as server:
        start = await server.start()
        people = [Person(Line(server.port), random.Random(i), "trained") for i in range(GAMES)]
        for person in people:
            await person.sit()
        await sustained(people, 1.0)  # warm
        moves, spent = sum(p.moves for p in people), processor_ms(server.pid)
        rate = await sustained(people, seconds)
        moves, spent = sum(p.moves for p in people) - moves, processor_ms(server.pid) - spent
        times = await paced(people, seconds, EACH)
        pairs: list[Person] = [Pair(Line(server.port), random.Random(i), "") for i in range(GAMES // 2)]
        for pair in pairs:
            await pair.sit()
        together = await paced([*people[: GAMES - len(pairs)], *pairs], seconds, EACH)
        lost, doubled = await examine(url, [*people, *pairs])
    return {
        "moves_per_s": rate,
        "cpu_ms_per_move": spent / moves,
        "p50_ms": percentile(times, 0.5),
        "p99_ms": percentile(times, 0.99),
        "p99_ms_together": percentile(together, 0.99),
        "people_per_s": len(times) / seconds,
        "lost": lost,
        "doubled": doubled,
        "start_s": start,
    }


def page_kb() -> float | None:
    """Compressed JavaScript and CSS that the page loads first: what its index asks for."""
    static = ROOT / "parlor" / "server" / "static"
    if not (static / "index.html").is_file():
        return None
    asked = re.findall(r"(?:src|href)=\"/(assets/[^\"]+\.(?:js|css))\"", (static / "index.html").read_text())
    return sum(len(gzip.compress((static / name).read_bytes())) for name in asked) / 1000


def sentence(name: str, row: dict[str, float]) -> str:
    """One line about a database."""
    return (
        f"{name:9} {row['moves_per_s']:6.0f} moves/s sustained, {row['cpu_ms_per_move']:.2f} ms of processor "
        f"each; {row['people_per_s']:.0f} people a second: "
        f"p50 {row['p50_ms']:.1f} ms, p99 {row['p99_ms']:.1f} ms, with two people at half of the tables p99 "
        f"{row['p99_ms_together']:.1f} ms; lost {row['lost']}, "
        f"doubled {row['doubled']}; first page after {row['start_s']:.2f} s"
    )


def summary(found: dict[str, dict[str, float]]) -> dict[str, float | None]:
    """The numbers of both databases."""
    return {
        "moves_per_s_sqlite": round(found["sqlite"]["moves_per_s"], 1),
        "moves_per_s_postgres": round(found["postgres"]["moves_per_s"], 1),
        "p99_ms": round(max(row["p99_ms"] for row in found.values()), 2),
        "p99_ms_together": round(max(row["p99_ms_together"] for row in found.values()), 2),
        "lost": sum(row["lost"] for row in found.values()),
        "doubled": sum(row["doubled"] for row in found.values()),
        "page_kb": page_kb(),
        "cpu_ms_per_move": round(max(row["cpu_ms_per_move"] for row in found.values()), 2),
        "start_s": round(max(row["start_s"] for row in found.values()), 2),
    }
