"""The server under load: 100 games of Monopoly Deal in progress against a trained agent, on SQLite and on PostgreSQL.

Two measurements on each database. Sustained: as many moves as it can do, 8 people waiting for answers at any time; a
person's move and each move of the agent counts as one, draws do not. Paced: 100 people who move once a second each;
from these comes the time a move and the agent's answer take. The same again with two people and no agent at half
of the tables. Then every game is read from the database and played again: a move that was acknowledged and
is not there is lost, one that is there twice is doubled.

The people share the cores with the server, and so may others: so the processor time that the server itself takes for a
move is told too, which tells what it could do if it were alone.

The last line is JSON. `page_kb` is null until there is a page.

    python benchmarks/server.py [--seconds 10]
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvloop

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from parlor.game.loading import load  # noqa: E402
from parlor.game.seats.play import replay  # noqa: E402
from parlor.runs.files.strategy_files import save  # noqa: E402
from parlor.server.tables.store import Store  # noqa: E402
from parlor.solvers.sampling.rollout_cfr import RolloutCfr  # noqa: E402
from tests.server.databases import postgres  # noqa: E402

GAMES, AT_ONCE, EACH = 100, 8, 1.0  # games in progress; requests at a time; seconds between a person's moves


class Line:
    """A kept-alive connection; a client library would cost as much as the server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        """The status and the JSON of an answer."""
        if self.writer is None or self.reader is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        data = json.dumps(body).encode() if body is not None else b""
        head = f"{method} {path} HTTP/1.1\r\nHost: parlor\r\nContent-Type: application/json\r\n"
        head += f"Authorization: Bearer {token}\r\nContent-Length: {len(data)}\r\n\r\n"
        self.writer.write(head.encode() + data)
        status = int((await self.reader.readline()).split()[1])
        length = 0
        while (line := await self.reader.readline()).strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return status, json.loads(await self.reader.readexactly(length))


@dataclass
class Person:
    """Somebody who plays one game after the other at the same connection."""

    line: Line
    dice: random.Random
    agent: str
    table: str = ""
    token: str = ""
    state: dict[str, Any] = field(default_factory=dict)
    acknowledged: dict[tuple[str, int], str] = field(default_factory=dict)
    moves: int = 0  # by the person and by the agent
    times: list[float] = field(default_factory=list)

    async def sit(self) -> None:
        """A new game."""
        wanted = {"game": "monopoly-deal", "agent": self.agent, "seat": self.dice.randrange(2)}
        status, seated = await self.line.ask("POST", "/api/tables", wanted)
        assert status == 201, seated
        self.token, self.state = seated["token"], seated["state"]
        self.table = self.state["id"]

    async def move(self) -> None:
        """Anything legal."""
        if self.state["turn"] == "over":
            await self.sit()
        ply, name = self.state["ply"], self.dice.choice(self.state["legal"])["name"]
        began = time.perf_counter()
        path = f"/api/tables/{self.table}/moves?since={ply}"
        status, state = await self.line.ask("POST", path, {"ply": ply, "move": name}, self.token)
        self.times.append(1000.0 * (time.perf_counter() - began))
        assert status == 200, state
        self.acknowledged[(self.table, ply)] = name
        self.moves += sum(event["by"] != "chance" for event in state["history"])
        self.state = state


@dataclass
class Pair(Person):
    """Two people at one table, who move in turn."""

    tokens: list[str] = field(default_factory=list)

    async def sit(self) -> None:
        """A new game: one opens the table, the other joins by its link."""
        wanted = {"game": "monopoly-deal", "seats": [{"kind": "you"}, {"kind": "open"}]}
        status, host = await self.line.ask("POST", "/api/tables", wanted)
        assert status == 201, host
        self.table = host["state"]["id"]
        status, guest = await self.line.ask("POST", f"/api/tables/{self.table}/join", {})
        assert status == 201, guest
        self.tokens = [host["token"], guest["token"]]
        self.state = guest["state"]

    async def move(self) -> None:
        """Whoever's turn it is looks at the table and moves."""
        if self.state["turn"] == "over":
            await self.sit()
        self.token = self.tokens[self.state["player"]]
        status, self.state = await self.line.ask("GET", f"/api/tables/{self.table}?since=0", token=self.token)
        assert status == 200, self.state
        await super().move()


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


async def sustained(people: list[Person], seconds: float) -> float:
    """Moves a second."""
    until, before, began = time.perf_counter() + seconds, sum(p.moves for p in people), time.perf_counter()

    async def some(mine: list[Person]) -> None:
        while time.perf_counter() < until:
            for person in mine:
                await person.move()

    await asyncio.gather(*(some(people[i::AT_ONCE]) for i in range(AT_ONCE)))
    return (sum(p.moves for p in people) - before) / (time.perf_counter() - began)


async def paced(people: list[Person], seconds: float) -> list[float]:
    """Milliseconds that moves took."""
    for person in people:
        person.times.clear()
    began = time.perf_counter()

    async def one(person: Person) -> None:
        due = began + EACH * person.dice.random()
        while due < began + seconds:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await person.move()
            due += EACH

    await asyncio.gather(*(one(person) for person in people))
    return [ms for person in people for ms in person.times]


async def examine(url: str, people: list[Person]) -> tuple[int, int]:
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


def processor_ms(pid: int) -> float:
    """Milliseconds that a process has computed so far, for itself and in the kernel."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return 1000.0 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(url: str, port: int, pid: int, seconds: float) -> dict[str, float]:
    people = [Person(Line(port), random.Random(i), "trained") for i in range(GAMES)]
    for person in people:
        await person.sit()
    await sustained(people, 1.0)  # warm
    moves, spent = sum(p.moves for p in people), processor_ms(pid)
    rate = await sustained(people, seconds)
    moves, spent = sum(p.moves for p in people) - moves, processor_ms(pid) - spent
    times = await paced(people, seconds)
    pairs: list[Person] = [Pair(Line(port), random.Random(i), "") for i in range(GAMES // 2)]
    for pair in pairs:
        await pair.sit()
    together = await paced([*people[: GAMES - len(pairs)], *pairs], seconds)
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
    }


def run(url: str, agents: Path, seconds: float) -> dict[str, float]:
    """Start a server, measure it, stop it."""
    port = 20_000 + os.getpid() % 20_000
    command = [sys.executable, "-m", "parlor", "serve", "--port", str(port), "--database-url", url]
    began = time.perf_counter()
    server = subprocess.Popen(
        [*command, "--agents", str(agents), "--requests", "0"], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    try:
        start = uvloop.run(first_page(port, began))
        return uvloop.run(measure(url, port, server.pid, seconds)) | {"start_s": start}
    finally:
        server.terminate()
        server.wait()


async def first_page(port: int, began: float) -> float:
    """Seconds until the page comes."""
    while time.perf_counter() - began < 60:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.02)
            continue
        writer.write(b"GET / HTTP/1.0\r\n\r\n")
        if (await _.read()).startswith(b"HTTP/1.1 200"):
            return time.perf_counter() - began
    raise SystemExit("the server does not start")


def page_kb() -> float | None:
    """Compressed JavaScript and CSS that the page loads first: what its index asks for."""
    static = ROOT / "parlor" / "server" / "static"
    if not (static / "index.html").is_file():
        return None
    asked = re.findall(r"(?:src|href)=\"/(assets/[^\"]+\.(?:js|css))\"", (static / "index.html").read_text())
    return sum(len(gzip.compress((static / name).read_bytes())) for name in asked) / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=10.0)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as folder, postgres() as cluster:
        learner = RolloutCfr(load("monopoly-deal/intent"))
        learner.run(100)
        agents = Path(folder) / "agents"
        save(learner.policy(), agents / "trained.json")
        found = {}
        for name, url in (("sqlite", f"sqlite:///{folder}/parlor.db"), ("postgres", cluster.create("bench"))):
            found[name] = run(url, agents, seconds)
            row = found[name]
            print(
                f"{name:9} {row['moves_per_s']:6.0f} moves/s sustained, {row['cpu_ms_per_move']:.2f} ms of processor "
                f"each; {row['people_per_s']:.0f} people a second: "
                f"p50 {row['p50_ms']:.1f} ms, p99 {row['p99_ms']:.1f} ms, with two people at half of the tables p99 "
                f"{row['p99_ms_together']:.1f} ms; lost {row['lost']}, "
                f"doubled {row['doubled']}; first page after {row['start_s']:.2f} s"
            )
    result = {
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
    print(json.dumps(result))


if __name__ == "__main__":
    main()
