"""An agent's decision: at once, if it is a quick one, else in another process and within a limit.

Past the limit the best that it has found counts: a search has a first answer from less work. Without any, the quickest
agent that plays the game moves in its place.
"""

from __future__ import annotations

import time

from parlor.game import GameError, Position
from parlor.page.seated_agent import SeatedAgent
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.explain import jobs, mind
from parlor.server.refusal import Refusal
from parlor.server.tables.session import Session
from parlor.server.thinking.pool import QueuedJob
from parlor.server.thinking.thinking import DECISION, Thinking


class Deciding:
    """Decides for agents at tables."""

    def __init__(self, thinking: Thinking, catalogue: Catalogue) -> None:
        self.thinking = thinking
        self.catalogue = catalogue

    async def choices(self, session: Session, position: Position, agent: SeatedAgent) -> tuple[dict[str, float], float]:
        """The distribution over the moves, and the milliseconds it took; GameError if the agent cannot decide."""
        began = time.perf_counter()
        if agent.quick:
            return mind.decide(agent, position), 1000.0 * (time.perf_counter() - began)
        played = jobs.Played(self.catalogue.offered, session.row["game"], position.history)
        try:
            job = self.thinking.submit("decisions", jobs.decide, jobs.Decided(played, agent.id))
        except Refusal:  # too many wait already
            return self._quickly(position), 1000.0 * DECISION
        found = await self._decided(job)
        if found is None:
            return self._quickly(position), 1000.0 * max(DECISION, time.perf_counter() - began)
        late = job.state == "late"
        return found, 1000.0 * (DECISION if late else min(time.perf_counter() - began, DECISION - 0.001))

    async def _decided(self, job: QueuedJob) -> dict[str, float] | None:
        """The result of a job; None if there was no time for anything."""
        try:
            await job.over.wait()
        finally:
            if not job.over.is_set():
                self.thinking.pools["decisions"].cancel(job)
        if job.error is not None:
            raise job.error
        if job.state == "cancelled":
            raise GameError("The server is stopping.")
        found: dict[str, float] | None = job.best
        return found

    def _quickly(self, position: Position) -> dict[str, float]:
        """The decision of a quick agent."""
        return mind.decide(self.catalogue.quickest(position.game), position)
