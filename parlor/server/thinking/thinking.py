"""Computations in progress and recent results: each kind in its own pool of processes.

A request waits for a moment and then gets what has been found so far; whoever wants more asks again. The newest
question of a viewer takes the place of the one before, and what nobody has asked for lately is cancelled.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeVar

from parlor.server.refusal import Refusal
from parlor.server.thinking import pool
from parlor.server.thinking.pool import PoolFullError, QueuedJob, WorkerPool

Kind = Literal["decisions", "minds", "reviews", "pages"]
Task = TypeVar("Task")

#: The address that a request comes from; empty if it is unknown.
asker: ContextVar[str] = ContextVar("asker", default="")


class Limits(NamedTuple):
    """Of one kind of work: seconds for a job, seconds in the queue, waiting jobs of an address, and politeness."""

    seconds: float
    queue: float
    each: int
    nice: int


DECISION: Final = 10.0  # seconds for an agent's decision at a table
LIMITS: Mapping[Kind, Limits] = {
    "decisions": Limits(DECISION, 20.0, 200, 10),
    "minds": Limits(20.0, 60.0, 8, 15),
    "reviews": Limits(30.0, 120.0, 8, 19),
    "pages": Limits(30.0, 60.0, 16, 15),  # notes, what was possible, strategies, the quiz
}
WAIT = 1.0  # seconds that a request waits for what grows
ANSWER = 10.0  # seconds that it waits for what comes at once or not at all
LEFT = 5.0  # seconds without a question after which something is cancelled
KEPT = 512  # things that were worked out
AGAIN = 60.0  # seconds after which what took too long is tried again
FULL = "The server is working on many such things already; try again in a few seconds."
STILL = "This is still being worked out; ask again in a moment."


@dataclass(eq=False)
class Thought:
    """A job, and who asks for it."""

    job: QueuedJob
    viewer: Hashable
    asked: float = 0.0  # when the last request ended
    requests: int = 0  # that wait for it

    @contextlib.contextmanager
    def request(self) -> Iterator[None]:
        """Within this, a request waits for it."""
        self.requests += 1
        try:
            yield
        finally:
            self.requests -= 1
            self.asked = time.monotonic()


class Thinking:
    """All pools, and the results that are kept."""

    def __init__(self) -> None:
        """Processes are started when they are needed."""
        two = 2 if (os.cpu_count() or 2) < 8 else 4
        count: Mapping[Kind, int] = {"decisions": two, "minds": two, "reviews": 1, "pages": 1}
        self.pools: Mapping[Kind, WorkerPool] = {
            kind: WorkerPool(kind, count[kind], *limits) for kind, limits in LIMITS.items()
        }
        self._thoughts: OrderedDict[tuple[Kind, Hashable], Thought] = OrderedDict()
        self._prepared = False
        self._replaced: set[tuple[Kind, Hashable]] = set()

    def prepare(self) -> None:
        """Somebody plays: what processes need is imported already when the first is wanted."""
        if not self._prepared:
            self._prepared = True
            asyncio.get_running_loop().run_in_executor(None, pool.prepare)

    def submit(self, kind: Kind, function: Callable[[Task], Any], task: Task) -> QueuedJob:
        """Begin a job that nobody else asks for; Refusal if there is no place."""
        try:
            return self.pools[kind].submit(function, task, asker.get())
        except PoolFullError:
            raise Refusal(503, FULL) from None

    async def grown(
        self,
        kind: Kind,
        key: Hashable,
        function: Callable[[Task], Any],
        task: Task,
        viewer: Hashable = None,
        wait: float = WAIT,
    ) -> QueuedJob:
        """A job that several may ask for, after a moment; one that a newer one replaced is not finished."""
        thought = self._thought(kind, key, function, task, viewer)
        with thought.request():
            await thought.job.wait(wait)
        asyncio.get_running_loop().call_later(LEFT, self._leave, (kind, key))
        job = thought.job
        if job.error is not None:
            raise job.error
        return job

    async def answer(self, kind: Kind, key: Hashable, function: Callable[[Task], Any], task: Task) -> Any:
        """The result of a job; Refusal if it is not there in time."""
        job = await self.grown(kind, key, function, task, wait=ANSWER)
        if job.state == "late":
            seconds = self.pools[kind].seconds
            raise Refusal(409, f"This takes longer than the {seconds:.0f} seconds that the server gives to it.")
        if not job.finished:
            raise Refusal(503, STILL)
        return job.best

    def _thought(
        self, kind: Kind, key: Hashable, function: Callable[[Task], Any], task: Task, viewer: Hashable
    ) -> Thought:
        at = (kind, key)
        thought = self._thoughts.get(at)
        if thought is not None and not self._is_stale(thought):
            self._thoughts.move_to_end(at)
            return thought
        if viewer is not None and at not in self._replaced:
            self._replace(kind, viewer)
        thought = self._thoughts[at] = Thought(self.submit(kind, function, task), viewer)
        self._thoughts.move_to_end(at)
        for old in [old for old, other in self._thoughts.items() if other.job.over.is_set()]:
            if len(self._thoughts) <= KEPT:
                break
            del self._thoughts[old]
        return thought

    def _is_stale(self, thought: Thought) -> bool:
        """Whether it must be worked out again."""
        state = thought.job.state
        late = state == "late" and time.monotonic() - thought.asked > AGAIN
        return late or state in ("cancelled", "failed")

    def _replace(self, kind: Kind, viewer: Hashable) -> None:
        """Cancel what the viewer wanted to know before; asked for again it waits its turn, and replaces nothing."""
        if len(self._replaced) > KEPT:
            self._replaced.clear()
        for at, other in self._thoughts.items():
            if at[0] == kind and other.viewer == viewer and not other.job.over.is_set():
                self._replaced.add(at)
                self.pools[kind].cancel(other.job)

    def _leave(self, at: tuple[Kind, Hashable]) -> None:
        """Cancel what nobody wants to know any more."""
        thought = self._thoughts.get(at)
        gone = thought and not thought.requests and time.monotonic() - thought.asked >= LEFT - 0.1
        if thought and gone and not thought.job.over.is_set():
            self.pools[at[0]].cancel(thought.job)

    def full(self) -> list[str]:
        """The kinds of work whose processes are all taken while others wait."""
        return [kind for kind, pool in self.pools.items() if pool.waiting]

    def gauges(self) -> dict[str, tuple[str, float]]:
        """Numbers for monitoring: name -> (help, value)."""
        found = {}
        for kind, own in self.pools.items():
            found[f"parlor_working_{kind}"] = (f"Jobs that are worked on: {kind}.", float(own.working))
            found[f"parlor_waiting_{kind}"] = (f"Jobs that wait for a process: {kind}.", float(own.waiting))
        return found

    async def close(self) -> None:
        """End everything."""
        for own in self.pools.values():
            await own.close()
