"""The clockwork of a study: many times a second, everything that is due is done.

Any number of servers may do it. Nothing is remembered here that is needed: who is due is read from the database.

An outage is a pause: what time is counted from moves on by as long as nothing of the study ran.

The clockwork beats every second, whichever server it runs on. Whoever finds that the last beat is long ago, because no
server ran or because the clock was set forward, moves the times of everybody who waits or plays; if the clock was set
back, they are moved back. So nobody is sent home, loses a game or time for the server's fault.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.engine import Connection

from parlor.server.tables.session import aware
from parlor.server.tables.store import AWAY, TableRow, now, reason
from parlor.study.data.deletion import record
from parlor.study.data.records import FINAL
from parlor.study.data.rows import STUDY, EpisodeRow, GroupRow, ParticipantRow, StudyRow
from parlor.study.data.store import PLAYING, UNSETTLED, changed_since
from parlor.study.session import tournaments
from parlor.study.session.agents import Agents
from parlor.study.session.engine import Study

BEAT = 1.0  # seconds between beats
STALL = 5.0  # seconds that may pass between two of them without an outage


class Beats:
    """The beats of one server."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._at, self._ticks = now(), time.monotonic()
        self._next = float("-inf")

    async def beat(self) -> None:
        """Beat if it is time, and make up for an outage."""
        ticks = time.monotonic()
        if ticks < self._next:
            return
        self._next = ticks + BEAT
        at = now()
        jump = (at - self._at).total_seconds() - (ticks - self._ticks)  # of this machine's clock
        self._at, self._ticks = at, ticks
        await self.study.records.whole(lambda connection: make_up(connection, at, jump))


def make_up(connection: Connection, at: datetime, jump: float) -> float:
    """Write a beat; if the last one was long ago or is yet to come, move all times. Returns by how many seconds.

    A beat that is yet to come is that of a server whose clock is ahead, unless our own clock has just been set back.
    """
    last = connection.execute(select(StudyRow.beat).where(StudyRow.id == STUDY)).scalar_one_or_none()
    gap = 0.0 if last is None else (at - aware(last)).total_seconds()
    if -STALL <= gap < 0.0 or (gap < -STALL and jump > -STALL / 2):
        return 0.0
    moved = gap if abs(gap) > STALL else 0.0
    connection.execute(update(StudyRow).where(StudyRow.id == STUDY).values(beat=at))
    if moved:
        _move(connection, timedelta(seconds=moved))
        what = f"nothing ran for {moved:,.0f} s" if moved > 0 else f"the clock was set back by {-moved:,.0f} s"
        record(connection, f"{what}: all times were moved")
    return moved


def _move(connection: Connection, by: timedelta) -> None:
    """Move what waiting, playing and reading are counted from, and when games end."""
    here = ParticipantRow.stage.not_in(FINAL)
    for id, since, heard in connection.execute(
        select(ParticipantRow.id, ParticipantRow.since, ParticipantRow.heard).where(here)
    ).all():
        values = {"since": aware(since) + by, "heard": aware(heard) + by, "changed": now()}
        connection.execute(update(ParticipantRow).where(ParticipantRow.id == id).values(**values))
    for id, then in connection.execute(
        select(GroupRow.id, GroupRow.next_at).where(GroupRow.ended.is_(None), GroupRow.next_at.is_not(None))
    ).all():
        connection.execute(update(GroupRow).where(GroupRow.id == id).values(next_at=_moved(then, by)))
    going = select(TableRow.id, TableRow.deadline).where(TableRow.study == STUDY, TableRow.ended.is_(None))
    for id, then in connection.execute(going.where(TableRow.deadline.is_not(None))).all():
        connection.execute(update(TableRow).where(TableRow.id == id).values(deadline=_moved(then, by)))
        connection.execute(update(EpisodeRow).where(EpisodeRow.id == id).values(deadline=_moved(then, by)))


def _moved(then: datetime | None, by: timedelta) -> datetime | None:
    return None if then is None else aware(then) + by


EVERY = 0.1  # seconds; half of it where the study's time passes fast
SLACK = timedelta(seconds=2.0)  # by which other servers' clocks may differ, and their writing may take
AWAY_FOR = 0.2  # seconds to wait when the database cannot be reached

log = logging.getLogger(__name__)


class Scheduler:
    """Does what is due, until it is stopped."""

    def __init__(self, study: Study, agents: Agents) -> None:
        self.study = study
        self.agents = agents
        self.every = EVERY if study.clock.speed <= 5.0 else EVERY / 2.0
        self._task: asyncio.Task[None] | None = None
        self._seen: dict[str, datetime] = {}  # whose pages have been told of which change
        self._looked = now()
        self.beats = Beats(study)
        self._failed: set[str] = set()  # games that could not be settled

    def start(self) -> None:
        """Begin."""
        self.agents.warm_up()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self.agents.close()

    async def _run(self) -> None:
        while True:
            for part in (self.beats.beat, self._rows, self._games, self._tournaments, self._news):
                await self._try(part)
            await asyncio.sleep(self.every)

    async def _try(self, part: Callable[[], Awaitable[None]]) -> None:
        """One thing that fails does not stop the others."""
        try:
            await part()
        except AWAY as error:
            log.warning("the database cannot be reached: %s", reason(error))
            await asyncio.sleep(AWAY_FOR)
        except Exception as error:
            log.error("the study cannot go on: %s", type(error).__name__, exc_info=True)
            await asyncio.sleep(AWAY_FOR)

    async def _rows(self) -> None:
        await self.study.look()

    async def _games(self) -> None:
        """Games whose time is up end; agents answer in the others."""
        at, going = now(), {}
        for row in await self.study.records.all(PLAYING):
            if row["deadline"] is not None and at >= row["deadline"]:
                await self._settle(row["id"])
            else:
                going[row["id"]] = 0 if row["last"] is None else row["last"] + 1
        self.agents.look(going)
        for row in await self.study.records.all(UNSETTLED):
            await self._settle(row["id"])

    async def _settle(self, id: str) -> None:
        """A game that cannot be settled does not keep the others from it; that is said once."""
        try:
            await tournaments.settle(self.study, id)
        except AWAY:
            raise
        except Exception as error:
            if id not in self._failed:
                log.error("a game of the study cannot be ended: %s", type(error).__name__, exc_info=True)
            self._failed.add(id)

    async def _tournaments(self) -> None:
        if self.study.row["state"] == "stopped":
            await tournaments.stop(self.study)
        await tournaments.match(self.study)
        await tournaments.go_on(self.study)

    async def _news(self) -> None:
        """Tell the pages of whoever something has changed for, whichever server has changed it."""
        at = now()
        for row in await self.study.records.all(changed_since(self._looked, SLACK)):
            if self._seen.get(row["id"]) != row["changed"]:
                self._seen[row["id"]] = row["changed"]
                self.study.watchers.notify(row["id"])
        self._looked = at
        self._seen = {id: changed for id, changed in self._seen.items() if changed >= at - 2 * SLACK}
