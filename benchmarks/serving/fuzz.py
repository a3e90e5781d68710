"""Very many requests, most of them wrong, to an ordinary server and to one with a study: none may be answered by 500.

Meanwhile somebody else plays ten moves a second at a quick table, from another address and undisturbed. Of what that
one waits for too long it is told how much the server, and this program, waited for a processor of a busy machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import sys
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.serving.nonsense import Nonsense
from benchmarks.serving.people import ROOT, Line, Person, Server, percentile, trained, waited_ms
from parlor.study.api.app import schema as written_schema

AT_ONCE = 6  # connections of those who send nonsense
STALL = 500.0  # milliseconds that nobody else should wait
EACH = 0.1  # seconds between the other client's moves
ALLOWED = (501, 503)  # what is not known, and what is full, is said so
ANSWER = 150.0  # seconds until an answer counts as missing: solving a game may take two minutes
AGAIN = 400  # requests after which new tables are asked about
STUDY_SHARE = 0.15  # of all requests, to the server with a study
GAMES = (
    "kuhn",
    "leduc",
    "monopoly-deal",
    "deal-or-no-deal",
    "phantom-tic-tac-toe",
    "clue",
    "holdem",
)
STUDY = ROOT / "parlor" / "study" / "examples" / "paper.toml"


@dataclass
class Outcome:
    """The answers so far."""

    statuses: Counter[int] = field(default_factory=Counter)
    hung_up: int = 0  # bytes that are no request are answered by hanging up
    missing: int = 0
    errors: list[str] = field(default_factory=list)  # requests that were answered by 500
    times: list[float] = field(default_factory=list)  # milliseconds, of the other client
    recent: deque[str] = field(default_factory=lambda: deque(maxlen=AT_ONCE))  # what was asked last
    stalls: list[str] = field(default_factory=list)  # what had been asked when the other client waited for long
    own_stalls: int = 0  # that are as long without the time in which there was no processor

    async def watch(self, server: Server, ask: Callable[[], Awaitable[object]]) -> None:
        """The other client asks."""
        pids = (server.pid, os.getpid())
        before, began = [waited_ms(pid) for pid in pids], time.perf_counter()
        await ask()
        ms = 1000.0 * (time.perf_counter() - began)
        self.times.append(ms)
        if ms > STALL:
            there, here = (waited_ms(pid) - old for pid, old in zip(pids, before, strict=True))
            self.own_stalls += ms - there - here > STALL
            why = f"{there:.0f} of them without a processor for the server, {here:.0f} for this program"
            self.stalls.append(f"{ms:.0f} ms, {why}, after {list(self.recent)}")


async def nonsense(port: int, made: Nonsense, count: int, outcome: Outcome) -> None:
    """Send so many requests, one after the other."""
    line, before = Line(port), b""
    for number in range(count):
        if number % AGAIN == 0:
            await learn(port, made)
        request = made.request()
        outcome.recent.append(repr(request[:160]))
        head = request.startswith((b"HEAD ", b"head "))
        try:
            async with asyncio.timeout(ANSWER):
                status, body = await line.send(request, bodyless=head)
        except TimeoutError:
            outcome.missing += 1
            outcome.errors.append(f"no answer: {request[:300]!r} after {before[:300]!r}")
            line.close()
            continue
        except (OSError, ValueError, IndexError, EOFError):
            outcome.hung_up += 1
            line.close()
            continue
        before = request
        outcome.statuses[status] += 1
        if status >= 500 and status not in ALLOWED:
            outcome.errors.append(f"{status} {body[:200]!r}: {request[:600]!r}")
        if not head and status == 101:
            line.close()  # it speaks another protocol from here on
    line.close()


async def learn(port: int, made: Nonsense) -> None:
    """What there is: agents and games, and new tables to ask about."""
    known, line = made.known, Line(port, f"10.9.{made.dice.randrange(250)}.9")
    status, agents = await line.ask("GET", "/api/agents")
    if status == 200:
        known.agents = [agent["id"] for agent in agents]
        known.games = [game["name"] for game in (await line.ask("GET", "/api/games"))[1]]
        known.tables.clear()
        for game in GAMES:
            status, seated = await line.ask("POST", "/api/tables", {"game": game, "mind": "always", "seat": 0})
            if status == 201:
                state = seated["state"]
                known.tables.append((state["id"], seated["token"]))
                known.plies[state["id"]] = state["ply"]
                known.legal[state["id"]] = [move["name"] for move in state["legal"]]
    else:
        status, entered = await line.ask("POST", "/api/study/enter", {"participant": f"p{made.dice.randrange(10**9)}"})
        known.participants = [*known.participants[-5:], entered["token"]] if status < 300 else known.participants
    line.close()


async def moving(server: Server, outcome: Outcome) -> None:
    """Somebody else, who plays."""
    person = Person(Line(server.port, "10.200.0.1"), random.Random(0), "trained")
    await person.sit()
    while True:
        if person.state["turn"] == "over":
            await outcome.watch(server, person.sit)
        await outcome.watch(server, person.move)
        await asyncio.sleep(EACH)


async def looking(server: Server, outcome: Outcome) -> None:
    """Somebody else, who looks at a study."""
    line = Line(server.port, "10.200.0.1")
    while True:
        await outcome.watch(server, lambda: line.ask("GET", "/api/study"))
        await asyncio.sleep(EACH)


async def one(server: Server, count: int, seed: int, study: bool) -> Outcome:
    """So many requests to one server."""
    outcome, schema = Outcome(), json.loads(written_schema())
    with server.running():
        await server.start()
        other = asyncio.create_task(looking(server, outcome) if study else moving(server, outcome))
        parts = [count // AT_ONCE + (i < count % AT_ONCE) for i in range(AT_ONCE)]
        made = [Nonsense(schema, seed * 1000 + i) for i in range(AT_ONCE)]
        many = (nonsense(server.port, own, part, outcome) for own, part in zip(made, parts, strict=True))
        await asyncio.gather(*many)
        other.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await other
    return outcome


async def measure(folder: Path, requests: int, seed: int) -> dict[str, Any]:
    """Both servers, one after the other."""
    began, at_study = time.perf_counter(), int(STUDY_SHARE * requests)
    agents = trained(folder)
    ordinary = Server(f"sqlite:///{folder}/fuzz.db", agents, folder / "server.log")
    found = [await one(ordinary, requests - at_study, seed, False)]
    (folder / "passwords").write_text("researcher:a long password\n")
    words = ["study", "serve", str(STUDY), "--port", "PORT", "--database-url", f"sqlite:///{folder}/study.db"]
    server = Server("", agents, folder / "study.log")
    words[words.index("PORT")] = str(server.port)
    words += ["--requests", "0", "--password-file", str(folder / "passwords")]
    server.command = [sys.executable, "-m", "parlor", *words]
    found.append(await one(server, at_study, seed + 1, True))
    logs = [(folder / name).read_text(errors="replace") for name in ("server.log", "study.log")]
    errors = [error for outcome in found for error in outcome.errors]
    stalls = [stall for outcome in found for stall in outcome.stalls]
    for line in [*errors[:20], *stalls[:20]]:
        print(f"  {line}", flush=True)
    for log in logs:
        if "Traceback" in log:
            print(log[log.index("Traceback") :][:3000], flush=True)
    statuses = sum((outcome.statuses for outcome in found), Counter[int]())
    return {
        "fuzzed": requests,
        "answers_of_500": sum(count for status, count in statuses.items() if status >= 500 and status not in ALLOWED),
        "answers_of_503": statuses[503],
        "unanswered": sum(outcome.missing for outcome in found),
        "hung_up": sum(outcome.hung_up for outcome in found),
        "tracebacks": sum(log.count("Traceback") for log in logs),
        "others_p99_ms": percentile([ms for outcome in found for ms in outcome.times], 0.99),
        "others_longest_ms": max(ms for outcome in found for ms in outcome.times),
        "others_stalls": len(stalls),
        "others_stalls_with_a_processor": sum(outcome.own_stalls for outcome in found),
        "others_answers": sum(len(outcome.times) for outcome in found),
        "fuzz_statuses": {str(status): count for status, count in sorted(statuses.items())},
        "fuzz_minutes": round((time.perf_counter() - began) / 60, 2),
    }


def sentence(row: dict[str, Any]) -> str:
    """One line about it."""
    return (
        f"{row['fuzzed']:,} requests in {row['fuzz_minutes']} minutes: {row['answers_of_500']} answers of 500, "
        f"{row['answers_of_503']} of 503, {row['unanswered']} without an answer, {row['tracebacks']} tracebacks; "
        f"{row['others_answers']} answers to somebody else: p99 {row['others_p99_ms']:.0f} ms, "
        f"longest {row['others_longest_ms']:.0f} ms, {row['others_stalls']} over {STALL:.0f} ms "
        f"({row['others_stalls_with_a_processor']} of them with processors); {row['fuzz_statuses']}"
    )
