"""An outage is a pause: what time is counted from moves on by as long as nothing of the study ran.

The clockwork beats every second, whichever server it runs on. Whoever finds that the last beat is long ago, because no
server ran or because the clock was set forward, moves the times of everybody who waits or plays; if the clock was set
back, they are moved back. So nobody is sent home, loses a game or time for the server's fault.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.engine import Connection

from parlor.server.tables.session import aware
from parlor.server.tables.store import TableRow, now
from parlor.study.data.deletion import record
from parlor.study.data.records import FINAL
from parlor.study.data.rows import STUDY, EpisodeRow, GroupRow, ParticipantRow, StudyRow
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
