"""A small pool of processes for one kind of work that takes long, so that the server itself always answers.

A job has a limit in seconds; then its process is killed, and what it has found so far is the result. Of one address
only one job is worked on at a time, so that nobody takes all processes. A job that nobody wants any more is cancelled.
The processes are copies of one that has imported everything already, and end when they have been idle for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import forkserver
from typing import Any, Literal

from parlor.runs.workers import LOST, POLITE, RETRIES, TaskAnswer, WorkerError, WorkerProcess

IDLE = 60.0  # seconds after which a process that has nothing to do ends
MAX_JOBS = 500  # of a process; then another takes its place, so that nothing piles up
JOBS = "parlor.server.explain.jobs"  # what processes do, with all that it imports
METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"

log = logging.getLogger("parlor.server")

if METHOD == "forkserver":
    forkserver.set_forkserver_preload([JOBS])


class PoolFullError(Exception):
    """There are too many jobs already, of everybody or of one address."""


@dataclass(eq=False)
class QueuedJob:
    """Something to be worked out, and how far it has come."""

    function: Callable[[Any], Any]
    task: Any
    asker: str  # the address that it is for; empty: unknown
    state: Literal["waiting", "working", "done", "late", "failed", "cancelled"] = "waiting"
    best: Any = None  # the result, or what has been found so far
    error: Exception | None = None
    over: asyncio.Event = field(default_factory=asyncio.Event)
    process: WorkerProcess | None = None
    timer: asyncio.TimerHandle | None = None

    @property
    def finished(self) -> bool:
        """Whether nothing more will be found: what was cancelled can be asked for again."""
        return self.over.is_set() and self.state != "cancelled"

    async def wait(self, seconds: float) -> None:
        """Wait until it is over, but not longer than so many seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.over.wait()

    def end(self, state: Literal["done", "late", "failed", "cancelled"]) -> None:
        """It is over."""
        if not self.over.is_set():
            self.state = state
            self.over.set()


class WorkerPool:
    """Processes for one kind of work, and the jobs that wait for them."""

    def __init__(self, name: str, processes: int, seconds: float, queue: float, each: int, nice: int = POLITE) -> None:
        """A job may take so many `seconds` and wait for as many as `queue`; at most so many wait of `each` address."""
        self.name, self.processes, self.seconds, self.queue, self.each, self.nice = (
            name, processes, seconds, queue, each, nice,
        )  # fmt: skip
        self._waiting: list[QueuedJob] = []
        self._working: dict[QueuedJob, asyncio.Task[None]] = {}
        self._idle: list[tuple[WorkerProcess, int]] = []  # with the number of jobs they have done
        self._threads = ThreadPoolExecutor(processes, f"parlor-{name}")  # which wait for answers
        self._retiring: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def working(self) -> int:
        """The number of jobs that are worked on."""
        return len(self._working)

    @property
    def waiting(self) -> int:
        """The number of jobs that wait."""
        return len(self._waiting)

    def submit(self, function: Callable[[Any], Any], task: Any, asker: str = "") -> QueuedJob:
        """Begin a job as soon as there is a process for it; PoolFullError if too many wait."""
        mine = sum(job.asker == asker for job in self._waiting)
        if self._closed or len(self._waiting) >= 8 * self.each or (asker and mine >= self.each):
            raise PoolFullError
        job = QueuedJob(function, task, asker)
        job.timer = asyncio.get_running_loop().call_later(self.queue, self._give_up, job)
        self._waiting.append(job)
        self._begin()
        return job

    def cancel(self, job: QueuedJob) -> None:
        """Nobody wants it any more."""
        if job in self._waiting:
            self._waiting.remove(job)
        job.end("cancelled")
        if job.process is not None:
            job.process.stop()

    async def close(self) -> None:
        """End everything."""
        self._closed = True
        for job in [*self._waiting, *self._working]:
            self.cancel(job)
        await asyncio.gather(*self._working.values(), return_exceptions=True)
        self._retire()
        self._threads.shutdown(wait=False)

    # ----------------------------------------------------------------------------------------------- in turn

    def _begin(self) -> None:
        """Give processes to the jobs that waited longest, but of each address only to one."""
        busy = {job.asker for job in self._working if job.asker}
        for job in list(self._waiting):
            if len(self._working) >= self.processes:
                return
            if job.asker in busy:
                continue
            self._waiting.remove(job)
            if job.timer is not None:
                job.timer.cancel()
            job.state = "working"
            busy |= {job.asker} - {""}
            self._working[job] = asyncio.get_running_loop().create_task(self._work(job))

    def _give_up(self, job: QueuedJob) -> None:
        """It has waited for too long."""
        if job in self._waiting:
            self._waiting.remove(job)
            job.end("late")

    async def _work(self, job: QueuedJob) -> None:
        try:
            for _ in range(RETRIES):
                if job.over.is_set() or await self._try(job):
                    return
            job.error = WorkerError(LOST)
            job.end("failed")
        except Exception as error:
            log.exception("a job of the pool %s failed", self.name)
            job.error = error
            job.end("failed")
        finally:
            self._working.pop(job, None)
            job.end("cancelled")  # unless it has ended otherwise
            self._begin()

    async def _try(self, job: QueuedJob) -> bool:
        """Let a process work on it; False if that has died."""
        loop = asyncio.get_running_loop()
        process, jobs = await self._process()
        job.process = process
        deadline, kept = loop.time() + self.seconds, False
        unread = loop.call_later(self.seconds, process.stop)
        try:
            await loop.run_in_executor(self._threads, _send, process, (job.function, job.task))
            unread.cancel()
            while not job.over.is_set():
                answer = await loop.run_in_executor(self._threads, _next, process, deadline - loop.time())
                if answer is None:
                    return job.over.is_set()
                if isinstance(answer, str):
                    job.end("late")
                elif answer.error is not None:
                    job.error, kept = answer.error, True
                    job.end("failed")
                elif not answer.last:
                    job.best = answer.value
                else:
                    job.best, kept = job.best if answer.value is None else answer.value, True
                    job.end("done")
            return True
        finally:
            job.process = None
            unread.cancel()
            if kept and not self._closed and jobs < MAX_JOBS:
                self._keep(process, jobs + 1)
            else:
                await loop.run_in_executor(self._threads, process.kill)

    # ----------------------------------------------------------------------------------------------- processes

    async def _process(self) -> tuple[WorkerProcess, int]:
        if self._idle:
            return self._idle.pop()
        return await asyncio.get_running_loop().run_in_executor(self._threads, ready, self.nice), 0

    def _keep(self, process: WorkerProcess, jobs: int) -> None:
        self._idle.append((process, jobs))
        if self._retiring is not None:
            self._retiring.cancel()
        self._retiring = asyncio.get_running_loop().call_later(IDLE, self._retire)

    def _retire(self) -> None:
        """End the processes that have nothing to do."""
        if self._retiring is not None:
            self._retiring.cancel()
        for process, _ in self._idle:
            process.stop()
            threading.Thread(target=process.kill, daemon=True).start()  # which waits for its end
        self._idle.clear()


def started(nice: int) -> WorkerProcess:
    """A new process."""
    return WorkerProcess(nice, METHOD)


def ready(nice: int) -> WorkerProcess:
    """A new process that has begun to work: the time of a job is its own."""
    process = started(nice)
    with contextlib.suppress(OSError):
        process.pipe.send((len, ()))
        process.answer()
    return process


def prepare() -> None:
    """Start the process of which the others are copies: it imports what they need."""
    if METHOD == "forkserver":
        forkserver.ensure_running()


def _send(process: WorkerProcess, work: Any) -> None:
    """Send it, which may take as long as the process does not get to read what is larger than the pipe."""
    with contextlib.suppress(OSError):  # it has died: there will be no answer
        process.pipe.send(work)


def _next(process: WorkerProcess, seconds: float) -> TaskAnswer | str | None:
    """The next answer; a text if none comes in time, None if the process has died."""
    try:
        if not process.pipe.poll(max(0.0, seconds)):
            return "late"
    except (EOFError, OSError):
        return None
    return process.answer()
