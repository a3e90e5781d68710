"""Moves at quick tables while every agent and every mind that there is works.

At 50 tables people play Monopoly Deal against a trained agent, a move a second each. At one more table for every game
and every agent that plays it (searches, estimates, solvers, those made from files) somebody from an address of its own
moves, asks for the minds of all decisions, for notes and for what was possible, resigns, asks for the review, and
begins again. Somebody else looks at one of the quick tables
twenty times a second. What counts is how long the quick moves took, and the longest that any quick answer took.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.serving.people import Line, Person, Server, paced, percentile, trained
from parlor.game.loading import GAMES

QUICK, EACH = 50, 1.0  # tables; seconds between a person's moves
LOOK = 0.05  # seconds between two looks
WARM = 10.0  # seconds in which those who ask for much begin
UNTIL_OVER = 12  # moves after which somebody resigns and has the game reviewed
MIND, REVIEW = 10.0, 20.0  # seconds for which somebody waits for a mind, for a review
SIMPLE = ("random",)  # agents that nobody needs to explain


@dataclass
class Asker:
    """Somebody who plays one game against one agent, and wants to know everything."""

    line: Line
    game: str
    agent: str
    dice: random.Random
    statuses: Counter[int] = field(default_factory=Counter)
    minds: int = 0  # that were told to the end
    reviews: int = 0
    moves: int = 0
    refused: str = ""

    async def ask(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        """Ask, and count what comes."""
        status, answer = await self.line.ask(method, path, body, token)
        self.statuses[status] += 1
        return status, answer

    async def play(self) -> None:
        """One game after the other, until it is cancelled."""
        while True:
            wanted = {"game": self.game, "agent": self.agent, "seat": 0, "mind": "always"}
            status, seated = await self.ask("POST", "/api/tables", wanted)
            if status != 201:
                self.refused = str(seated.get("detail"))
                await asyncio.sleep(5.0 if status in (409, 503) else 60.0)
                continue
            await self._one_game(f"/api/tables/{seated['state']['id']}", seated["token"], seated["state"])

    async def _one_game(self, path: str, token: str, state: dict[str, Any]) -> None:
        for _ in range(UNTIL_OVER):
            if state["turn"] == "over":
                break
            if state["turn"] == "you":
                wanted = {"ply": state["ply"], "move": self.dice.choice(state["legal"])["name"]}
                status, answer = await self.ask("POST", f"{path}/moves", wanted, token)
                self.moves += status == 200
            else:
                status, answer = await self.ask("GET", path, token=token)
            state = answer if status == 200 else state
            await self._minds(path, token)
        await self.ask("POST", f"{path}/resign", {}, token)
        until = time.monotonic() + REVIEW
        while time.monotonic() < until:
            status, review = await self.ask("GET", f"{path}/review", token=token)
            if status != 200 or review["done"]:
                self.reviews += status == 200
                break
        await self.ask("GET", f"{path}/frontier", token=token)

    async def _minds(self, path: str, token: str) -> None:
        _, listed = await self.ask("GET", f"{path}/mind", token=token)
        for ply in listed.get("plies", [])[-2:]:
            until = time.monotonic() + MIND
            while time.monotonic() < until:
                status, mind = await self.ask("GET", f"{path}/mind/{ply}", token=token)
                if status != 200 or mind["done"]:
                    self.minds += status == 200
                    break
        await self.ask("GET", f"{path}/notes/0", token=token)


async def looking(port: int, person: Person, times: list[float]) -> None:
    """Look at a table again and again; milliseconds that it took."""
    line = Line(port, "10.255.0.1")
    while True:
        began = time.perf_counter()
        status, _ = await line.ask("GET", f"/api/tables/{person.table}/preview")
        times.append(1000.0 * (time.perf_counter() - began))
        assert status == 200
        await asyncio.sleep(LOOK)


async def askers(port: int) -> list[Asker]:
    """One for every game and agent, each from an address of its own."""
    line, found, number = Line(port), [], itertools.count(1)
    for game in GAMES:
        status, agents = await line.ask("GET", f"/api/agents?game={game}")
        assert status == 200, agents
        for agent in agents:
            if agent["id"] not in SIMPLE:
                n = next(number)
                found.append(Asker(Line(port, f"10.{n // 200}.{n % 200}.1"), game, agent["id"], random.Random(n)))
    line.close()
    return found


async def measure(folder: Path, seconds: float) -> dict[str, Any]:
    """Everything on SQLite."""
    url = f"sqlite:///{folder}/thinking.db"
    with Server(url, trained(folder), folder / "server.log").running() as server:
        await server.start()
        people = [Person(Line(server.port, f"10.254.0.{i}"), random.Random(i), "trained") for i in range(QUICK)]
        for person in people:
            await person.sit()
        alone = await paced(people, seconds / 3, EACH)
        many, looks = await askers(server.port), list[float]()
        tasks = [asyncio.create_task(one.play()) for one in many]
        await asyncio.sleep(WARM)
        tasks.append(asyncio.create_task(looking(server.port, people[0], looks)))
        times = await paced(people, seconds, EACH)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        failed = [repr(one) for one in ended if one is not None and not isinstance(one, asyncio.CancelledError)]
    statuses = sum((one.statuses for one in many), Counter[int]())
    return {
        "p99_ms_alone": percentile(alone, 0.99),
        "p50_ms_thinking": percentile(times, 0.5),
        "p99_ms_thinking": percentile(times, 0.99),
        "longest_stall_ms": max([*times, *looks]),
        "quick_moves": len(times),
        "askers": len(many),
        "slow_moves": sum(one.moves for one in many),
        "minds": sum(one.minds for one in many),
        "reviews": sum(one.reviews for one in many),
        "refused": sorted({one.refused for one in many if one.refused}),
        "statuses": dict(sorted(statuses.items())),
        "failed": failed,
    }


def sentence(row: dict[str, Any]) -> str:
    """One line about it."""
    return (
        f"{row['quick_moves']} moves at {QUICK} quick tables: p99 {row['p99_ms_alone']:.1f} ms alone; "
        f"while {row['askers']} ask for everything ({row['slow_moves']} moves, {row['minds']} minds, "
        f"{row['reviews']} reviews): p50 {row['p50_ms_thinking']:.1f} ms, p99 {row['p99_ms_thinking']:.1f} ms, "
        f"longest answer {row['longest_stall_ms']:.0f} ms; answers {row['statuses']}"
    )
