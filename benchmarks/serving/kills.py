"""Two servers, their processes for agents and their database are killed (-9) again and again during games.

Tables have several people, agents that answer at once and agents that think in processes of their own. Each move goes
to one of the two servers, and again to either of them until it is acknowledged. At the end every table is read from the
database and replayed: an acknowledged move that is not there is lost, two at one ply are doubled, and a game that
cannot be finished when nothing is killed any more is stuck. Servers are forked from a process that has imported what
they need: to start Python for each of them would take most of the time.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from benchmarks.serving.people import ROOT, Line, Server, trained
from parlor.game.loading import load
from parlor.game.seats.play import replay
from parlor.server.tables.store import Store
from tests.server.databases import Postgres
from tests.server.processes import forked

YOU, OPEN = {"kind": "you"}, {"kind": "open"}


def agent(id: str) -> dict[str, str]:
    return {"kind": "agent", "agent": id}


#: Games with who sits there: people, agents that answer at once, and agents in processes of their own.
TABLES: Sequence[tuple[str, list[dict[str, str]]]] = (
    ("monopoly-deal", [YOU, OPEN]),
    ("monopoly-deal", [YOU, agent("trained")]),
    ("monopoly-deal", [YOU, agent("careful")]),
    ("leduc(players=3)", [YOU, OPEN, agent("random")]),
    ("leduc(players=3)", [YOU, OPEN, OPEN]),
    ("leduc", [YOU, agent("look-ahead(rollouts=2)")]),
    ("clue(preset=small)", [YOU, OPEN, agent("stateful")]),
    ("leodopoly(rounds=3)", [YOU, OPEN, agent("tight")]),
)
COPIES = 2  # of each of these at a time
KINDS = {"server": 3, "agents": 6, "database": 1}  # how often each is killed
CALM = (0.05, 0.5)  # seconds between two kills, and until the next when enough moves were made
BETWEEN = 4  # moves between two kills
STILL = 5.0  # seconds after which the next comes without them
TOLD = 50  # kills after which it is said how far it has come
LAST = 240.0  # seconds in which all games must come to an end when nothing is killed any more
ANSWER = 60.0  # seconds until a server that says nothing is asked again


@dataclass
class Table:
    """A table that several people play at, one game after the other."""

    game: str
    seats: list[dict[str, str]]
    lines: list[Line]
    dice: random.Random
    id: str = ""
    tokens: dict[int, str] = field(default_factory=dict)
    acknowledged: dict[tuple[str, int], str] = field(default_factory=dict)
    finished: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    async def ask(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        """Ask one of the servers; status 0 if it does not answer."""
        line = self.dice.choice(self.lines)
        try:
            async with asyncio.timeout(ANSWER):
                return await line.ask(method, path, body, token)
        except (OSError, EOFError, ValueError, IndexError, TimeoutError):
            line.close()
            await asyncio.sleep(0.05)
            return 0, None

    async def sit(self) -> bool:
        """A new game with everybody."""
        self.id, self.tokens = "", {}
        status, host = await self.ask("POST", "/api/tables", {"game": self.game, "seats": self.seats})
        if status != 201:
            self.refused[str(host)[:100]] += status not in (0, 503)
            return False
        id, tokens = host["state"]["id"], {host["state"]["seat"]: host["token"]}
        while len(tokens) < sum(seat != OPEN for seat in self.seats if seat == YOU) + self.seats.count(OPEN):
            status, guest = await self.ask("POST", f"/api/tables/{id}/join", {})
            if status == 201:
                tokens[guest["state"]["seat"]] = guest["token"]
            elif status not in (0, 503):
                return False  # the seat was taken, and the answer was lost
        self.id, self.tokens = id, tokens
        return True

    async def play(self, stop: asyncio.Event) -> None:
        """One game after the other; the last one to its end."""
        while not (stop.is_set() and not self.id):
            if not self.id and not await self.sit():
                continue
            status, state = await self.ask("GET", f"/api/tables/{self.id}", token=next(iter(self.tokens.values())))
            if status != 200:
                continue
            if state["turn"] == "over":
                self.finished, self.id = self.finished + 1, ""
            elif state["player"] in self.tokens:
                await self._move(self.tokens[state["player"]])
            else:
                await asyncio.sleep(0.1)  # an agent thinks

    async def _move(self, token: str) -> None:
        path = f"/api/tables/{self.id}"
        status, state = await self.ask("GET", path, token=token)
        if status != 200 or state["turn"] != "you":
            return
        ply, name = state["ply"], self.dice.choice(state["legal"])["name"]
        while True:
            status, answer = await self.ask("POST", f"{path}/moves", {"ply": ply, "move": name}, token)
            if status == 200:
                self.acknowledged[(self.id, ply)] = name
                return
            if status not in (0, 503):
                self.refused[str(answer)[:100]] += 1
                return


class ForkedServer(Server):
    """A server that is started again sooner; the commands of one that is started from the command line."""

    child: ForkServerProcess | None = None

    @property
    def pid(self) -> int:
        """Its number."""
        assert self.child is not None
        assert self.child.pid is not None
        return self.child.pid

    def begin(self) -> None:
        """Start it, without waiting for it."""
        self.child = forked(self.command[3:], ROOT, self.log)

    def runs(self) -> bool:
        """Whether it has not ended."""
        return self.child is not None and self.child.is_alive()

    def stop(self) -> None:
        """End it, as one that is stopped by those who run it."""
        if self.child is not None:
            self.child.terminate()
            self.child.join(30)
            self.kill()

    def kill(self) -> None:
        """Without a warning."""
        if self.child is not None:
            self.child.kill()
            self.child.join()


@dataclass
class Killer:
    """Kills one thing after the other, and starts it again."""

    servers: list[ForkedServer]
    cluster: Postgres | None
    tables: list[Table]
    dice: random.Random
    killed: Counter[str] = field(default_factory=Counter)
    restarts: list[float] = field(default_factory=list)
    starting: set[asyncio.Task[None]] = field(default_factory=set)
    down: set[int] = field(default_factory=set)  # servers that start just now

    async def run(self, kills: int, until: float) -> None:
        """So many kills, or as many as there is time for."""
        while self.killed.total() < kills and time.monotonic() < until:
            if self.killed.total() % TOLD == 0:
                print(f"  {self.killed.total()} kills, {self.moves} moves", flush=True)
            enough, latest = self.moves + BETWEEN, time.monotonic() + STILL
            while self.moves < enough and time.monotonic() < latest:
                await asyncio.sleep(CALM[0])
            await asyncio.sleep(self.dice.uniform(*CALM))
            up = [server for number, server in enumerate(self.servers) if number not in self.down]
            agents = [pid for server in up for pid in server.children()]
            there = {"server": up, "agents": agents, "database": self.cluster is not None and up}
            kinds = [kind for kind in KINDS if there[kind]]
            if not kinds:
                continue  # both servers start
            [kind] = self.dice.choices(kinds, [KINDS[one] for one in kinds])
            if kind == "server":
                self._server(self.servers.index(self.dice.choice(up)))
            elif kind == "agents":
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.dice.choice(agents), signal.SIGKILL)
            elif self.cluster is not None:
                await asyncio.to_thread(self.cluster.kill)
            self.killed[kind] += 1
        await asyncio.gather(*self.starting)

    @property
    def moves(self) -> int:
        """Acknowledged so far."""
        return sum(len(table.acknowledged) for table in self.tables)

    def _server(self, number: int) -> None:
        self.servers[number].kill()
        self.down.add(number)
        task = asyncio.create_task(self._start(number))
        self.starting.add(task)
        task.add_done_callback(self.starting.discard)

    async def _start(self, number: int) -> None:
        while True:
            with contextlib.suppress(SystemExit):  # the database was away
                self.restarts.append(await self.servers[number].start())
                break
        self.down.discard(number)


async def examine(url: str, tables: Sequence[Table]) -> dict[str, int]:
    """Read every table from the database, and replay it."""
    store, promised = Store(url), dict[str, dict[int, str]]()
    found = {"lost": 0, "doubled": 0, "not_replayed": 0, "acknowledged": 0}
    for table in tables:
        for (id, ply), name in table.acknowledged.items():
            promised.setdefault(id, {})[ply] = name
    for id, moves in promised.items():
        row, rows = await store.table(id), await store.moves(id)
        names = [one["move"] for one in rows]
        found["acknowledged"] += len(moves)
        found["lost"] += sum(ply >= len(names) or names[ply] != name for ply, name in moves.items())
        found["doubled"] += len(rows) - len({one["ply"] for one in rows})
        try:
            assert row is not None
            replay(load(row["game"]), names)
        except Exception as error:
            print(f"  {id} cannot be replayed: {error}", flush=True)
            found["not_replayed"] += 1
    await store.close()
    return found


async def measure(folder: Path, cluster: Postgres | None, kills: int, minutes: float, seed: int) -> dict[str, Any]:
    """Play, kill, wait for the last games, read everything."""
    began, dice = time.monotonic(), random.Random(seed)
    url = cluster.create("kills", schema=False) if cluster else f"sqlite:///{folder}/kills.db"
    agents = trained(folder)
    servers = [ForkedServer(url, agents, folder / f"server-{i}.log") for i in range(2)]
    with contextlib.ExitStack() as stack:
        for server in servers:
            stack.enter_context(server.running())
            await server.start()
        lines = [server.port for server in servers]
        tables = [
            Table(game, seats, [Line(port) for port in lines], random.Random(f"{seed} {game} {i} {copy}"))
            for i, (game, seats) in enumerate(TABLES)
            for copy in range(COPIES)
        ]
        stop, killer = asyncio.Event(), Killer(servers, cluster, tables, dice)
        playing = [asyncio.create_task(table.play(stop)) for table in tables]
        await killer.run(kills, began + 60.0 * minutes)
        stop.set()
        _, stuck = await asyncio.wait(playing, timeout=LAST)
        for task in stuck:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
        found = await examine(url, tables)
    failed = [repr(one) for one in ended if one is not None and not isinstance(one, asyncio.CancelledError)]
    return found | {
        "kills": killer.killed.total(),
        "kills_of": dict(killer.killed),
        "database": "postgresql" if cluster else "sqlite",
        "stuck": len(stuck),
        "stuck_tables": [table.game for table, task in zip(tables, playing, strict=True) if task in stuck],
        "failed": failed,
        "games": sum(table.finished for table in tables),
        "refused": dict(sum((table.refused for table in tables), Counter[str]()).most_common(5)),
        "restart_s": round(sorted(killer.restarts)[len(killer.restarts) // 2], 2) if killer.restarts else None,
        "kill_minutes": round((time.monotonic() - began) / 60, 2),
    }


def sentence(row: dict[str, Any]) -> str:
    """One line about it."""
    return (
        f"{row['kills']} kills ({row['kills_of']}) in {row['kill_minutes']} minutes, {row['acknowledged']} moves in "
        f"{row['games']} games and more on {row['database']}: lost {row['lost']}, doubled {row['doubled']}, "
        f"not replayed {row['not_replayed']}, stuck {row['stuck']}"
    )
