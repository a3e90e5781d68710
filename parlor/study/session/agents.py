"""Agents of a study: their answers are computed in other processes, while the delay before the answer passes.

An agent that searches takes seconds of a processor; in the server's own process it would hold up everybody's moves.
There, nothing needs to be limited or left uncompiled either: an agent plays as it does in matches. Everything that an
answer depends on is in the database (the game so far, the seed), and so is the time from which its delay is counted: a
server that is killed has forgotten nothing, and of two servers that compute the same answer one will write it.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import parlor
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import concrete_game, is_path
from parlor.game import CHANCE, Game
from parlor.game.loading import load_once
from parlor.game.loading.registry import is_python, source_hash
from parlor.game.seats.python_agent import PythonAgent
from parlor.page.seated_agent import AgentRef
from parlor.runs.saved_agents import load_agent
from parlor.server.tables.pending import PendingMoves, Source, drawn, source_of
from parlor.server.tables.session import aware
from parlor.server.tables.store import AWAY, Conflict, now
from parlor.study.session import schedule
from parlor.study.session.engine import Study

AGAIN, SOON = 5.0, 0.5  # seconds until an answer that failed is tried again; if only the database was away
PRACTICE_DELAY = 1.0  # seconds before an agent answers in the tutorial

log = logging.getLogger(__name__)


class AgentAnswer(NamedTuple):
    """A move of an agent, which version of it moved, and how long it took to decide."""

    move: str
    version: str
    ms: float


# --------------------------------------------------------------------------------------------------- in a process


def decide(agent: str, game: str, moves: tuple[str, ...], source: Source) -> AgentAnswer:
    """Draw an agent's move after these moves, from what the table draws from and the ply: it can be repeated."""
    began = time.perf_counter()
    seated, version = _seated(agent, game)
    position = _game(game).start()
    for move in moves:
        position = position.after(move)
    chosen = drawn(source, len(moves), seated(position))
    return AgentAnswer(chosen, version, 1000.0 * (time.perf_counter() - began))


@functools.cache
def _game(name: str) -> Game:
    return concrete_game(load_once(name))


@functools.cache
def _seated(agent: str, game: str) -> tuple[CompiledAgent | PythonAgent, str]:
    seated = load_agent(agent, _game(game))
    if is_python(agent):
        return seated, source_hash(agent)
    if is_path(agent) and Path(agent).is_file():
        return seated, hashlib.sha256(Path(agent).read_bytes()).hexdigest()[:16]
    return seated, parlor.__version__


def _exit_with_parent(parent: int) -> None:
    """In a new process: yield to the server, leave Ctrl-C to it, and end when it has been killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


class AgentWorkers:
    """Processes that compute answers."""

    def __init__(self, count: int | None = None) -> None:
        """As many as there are processors besides the server's, but not more than four."""
        self.count = count or max(1, min(4, (os.cpu_count() or 2) - 1))
        self._pool: ProcessPoolExecutor | None = None

    async def decide(self, agent: str, game: str, moves: tuple[str, ...], source: Source) -> AgentAnswer:
        """An agent's answer."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._workers(), decide, agent, game, moves, source)
        except BrokenProcessPool:
            self._pool = None  # somebody has killed a process: begin anew next time
            raise

    def _workers(self) -> ProcessPoolExecutor:
        if self._pool is None:
            anew = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.count, anew, _exit_with_parent, (os.getpid(),))
        return self._pool

    def close(self) -> None:
        """End them."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


# --------------------------------------------------------------------------------------------------- in the server


class Agents:
    """The agents of a study: looks at every game that has moved on, and answers where it is an agent's turn."""

    def __init__(self, study: Study, workers: AgentWorkers | None = None) -> None:
        self.study = study
        self.workers = workers or AgentWorkers()
        self._looked: dict[str, int] = {}  # how far each game had come when it was last looked at
        self._tasks: set[asyncio.Task[None]] = set()

    def warm_up(self) -> None:
        """Let every agent that will be met decide once: what it must load or compile takes its time now."""
        told = self.study.description
        met = {name for one in told.conditions if one.partners == "agents" for name in self.study.agents_of(one)}
        for name in sorted(met):
            self._begin(self._first_decision(name))

    async def _first_decision(self, name: str) -> None:
        pending = PendingMoves("", self.study.game.start(), [])
        pending.deal(0)
        try:
            for _ in range(self.workers.count):
                moves = pending.position.history
                await self.workers.decide(self.study.agents[name], self.study.description.game, moves, 0)
        except Exception as error:
            log.error("the agent %s of the study cannot play: %s", name, error)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def look(self, games: dict[str, int]) -> None:
        """Games that run, by id, with the number of moves: those that have moved on are looked at."""
        self._looked = {id: plies for id, plies in self._looked.items() if id in games}
        for id, plies in games.items():
            if self._looked.get(id) != plies:
                self._looked[id] = plies
                self._begin(self._answer(id))

    async def _answer(self, id: str) -> None:
        try:
            await self.answer(id)
        except AWAY:
            await asyncio.sleep(SOON)
            self._looked.pop(id, None)
        except Exception as error:
            log.error("an agent of the study cannot move: %s", type(error).__name__)
            await asyncio.sleep(AGAIN)
            self._looked.pop(id, None)

    async def answer(self, id: str) -> None:
        """If it is an agent's turn in a game, move when its delay is over."""
        study = self.study
        async with study.tables.locked(id, study=True) as session:
            turn, moves, row = session.position.turn, session.moves, session.row
            if not session.runs or turn == CHANCE or not session.is_agents(turn):
                return
            name, due = session.seats[turn]["agent"], self._due(session.since, row["deadline"], id, len(moves))
        answer = await self.workers.decide(study.agents[name], study.description.game, moves, source_of(row))
        await asyncio.sleep(max(0.0, (due - now()).total_seconds()))
        async with study.tables.locked(id, look=False, study=True) as session:
            if session.moves != moves or not session.runs:
                return
            pending = session.pending()
            pending.play(answer.move, answer.ms, AgentRef(id=name, name=name, version=answer.version))
            pending.deal(source_of(row))
            with contextlib.suppress(Conflict):  # another server has moved for the agent
                await study.tables.write(session, pending)

    def _due(self, since: datetime, deadline: datetime | None, id: str, ply: int) -> datetime:
        """When an agent answers: counted from the move before."""
        told = self.study.description
        practice = deadline is None
        seconds = PRACTICE_DELAY if practice else schedule.delay(self.study.draws, id, ply, told.delay)
        return min(aware(since), now()) + self.study.clock.lasting(seconds)  # a clock may have been set back

    async def close(self) -> None:
        """Stop what is being computed."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.workers.close()
