"""A server as a process of its own, connections to it, and people who play there."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parlor.game.loading import load
from parlor.runs.files.strategy_files import save
from parlor.solvers.sampling.rollout_cfr import RolloutCfr
from parlor.study.rehearsal.server_process import bound_socket

ROOT = Path(__file__).parents[2]
START = 120.0  # seconds that a server may take to start


class Line:
    """A kept-alive connection; a client library would cost as much as the server."""

    def __init__(self, port: int, address: str = "") -> None:
        """To a port of this machine; from an `address`, which a proxy here may tell."""
        self.port = port
        self.address = f"X-Forwarded-For: {address}\r\n" if address else ""
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        """The status and the JSON of an answer."""
        data = json.dumps(body).encode() if body is not None else b""
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{self.address}"
        head += f"Authorization: Bearer {token}\r\nContent-Length: {len(data)}\r\n\r\n"
        status, answer = await self.send(head.encode() + data)
        return status, json.loads(answer)

    async def send(self, request: bytes, bodyless: bool = False) -> tuple[int, bytes]:
        """The status and the body of an answer to any bytes; `bodyless` answers have a length and nothing else."""
        if self.writer is None or self.reader is None or self.reader.at_eof():  # it was idle for too long
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writer.write(request)
        line = await self.reader.readline()
        if not line:
            raise ConnectionResetError("the server has hung up")
        status, length, chunked, closes = int(line.split()[1]), 0, False, False
        while (line := await self.reader.readline()).strip():
            name, _, value = line.lower().partition(b":")
            if name == b"content-length":
                length = int(value)
            chunked = chunked or (name == b"transfer-encoding" and b"chunked" in value)
            closes = closes or (name == b"connection" and b"close" in value)
        body = b""
        if chunked and not bodyless:
            while size := int(await self.reader.readline(), 16):
                body += (await self.reader.readexactly(size + 2))[:-2]
            await self.reader.readline()
        elif not bodyless:
            body = await self.reader.readexactly(length)
        if closes:
            self.close()
        return status, body

    def close(self) -> None:
        """Hang up; the next request makes a new connection."""
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


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


async def paced(people: Sequence[Person], seconds: float, each: float) -> list[float]:
    """Milliseconds that moves took, of people who move once in `each` seconds."""
    for person in people:
        person.times.clear()
    began = time.perf_counter()

    async def one(person: Person) -> None:
        due = began + each * person.dice.random()
        while due < began + seconds:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await person.move()
            due += each

    await asyncio.gather(*(one(person) for person in people))
    return [ms for person in people for ms in person.times]


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def trained(folder: Path) -> Path:
    """A folder with a policy for Monopoly Deal that has been trained for a moment."""
    learner = RolloutCfr(load("monopoly-deal/intent"))
    learner.run(100)
    save(learner.policy(), folder / "agents" / "trained.json")
    return folder / "agents"


class Server:
    """`parlor serve` on a port of this machine; it can be killed and started again."""

    def __init__(self, url: str, agents: Path, log: Path, *more: str, root: Path = ROOT) -> None:
        """Of a database, with the agents of a folder; that of this checkout, or of another one at `root`."""
        self._held, self.root = bound_socket(), root
        self.port, self.log = int(self._held.getsockname()[1]), log
        words = ["serve", "--port", str(self.port), "--database-url", url, "--agents", str(agents), "--requests", "0"]
        self.command = [sys.executable, "-m", "parlor", *words, "--tables", "0", *more]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Its number."""
        assert self.process is not None
        return self.process.pid

    async def start(self) -> float:
        """Start it; seconds until the page comes."""
        began = time.perf_counter()
        self.begin()
        while time.perf_counter() - began < START and self.runs():
            line = Line(self.port)
            with contextlib.suppress(OSError):
                if (await line.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))[0] == 200:
                    return time.perf_counter() - began
            line.close()
            await asyncio.sleep(0.02)
        raise SystemExit(f"the server does not start: {self.log.read_text()[-2000:]}")

    def begin(self) -> None:
        """Start it, without waiting for it."""
        with self.log.open("ab") as log:
            env = environment(self.root)
            self.process = subprocess.Popen(self.command, cwd=self.root, env=env, stdout=log, stderr=log)

    def runs(self) -> bool:
        """Whether it has not ended."""
        return self.process is not None and self.process.poll() is None

    def stop(self) -> None:
        """End it, as one that is stopped by those who run it."""
        if self.process is not None and self.runs():
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """Without a warning."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def children(self) -> list[int]:
        """The processes that it has started, and those that these have."""
        return descendants(self.pid)

    @contextlib.contextmanager
    def running(self) -> Iterator[Server]:
        """Within this it may run; afterwards it is stopped."""
        try:
            yield self
        finally:
            self._held.close()
            self.stop()


def environment(root: Path) -> dict[str, str]:
    """Of a process that is to use the code of a checkout."""
    return os.environ | {"PYTHONPATH": str(root)}


def descendants(pid: int) -> list[int]:
    """All processes below another one."""
    direct = list[int]()
    with contextlib.suppress(OSError):  # it has ended
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            direct += map(int, task.read_text().split())
    return direct + [one for child in direct for one in descendants(child)]


def waited_ms(pid: int) -> float:
    """Milliseconds for which the main thread of a process could have computed, but had no processor; 0 if unknown."""
    try:
        return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[1]) / 1e6
    except (OSError, IndexError):
        return 0.0


def processor_ms(pid: int) -> float:
    """Milliseconds that a process has computed so far, for itself and in the kernel."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return 1000.0 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
