"""The researcher's side of a study: watch it, pause or stop it, look at results, get pay list and data.

Results are hidden while the study runs, so that nobody peeks by accident; whoever asks for them, or for data, is
recorded with the time.
"""

from __future__ import annotations

import asyncio
import io
import re
import time
import zipfile
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Literal

from sqlalchemy import func, insert, select, update
from sqlalchemy.engine import Connection

from parlor.server.refusal import Refusal
from parlor.server.tables.session import aware
from parlor.server.tables.store import Store, now
from parlor.study.data.data import collect, replay, start_of
from parlor.study.data.folder import StudyData, files_of, pay_list, pay_text
from parlor.study.data.reading import read
from parlor.study.data.records import FINAL, Records
from parlor.study.data.rows import STUDY, ParticipantRow, StudyEventRow, StudyRow
from parlor.study.data.store import WAITING, found, whole
from parlor.study.design.description import Description
from parlor.study.schemas import Overview, ResultsSoFar, StudyRuns
from parlor.study.session.overview import overview, results

FRESH = 1.0  # seconds for which an overview is good
DONE: dict[StudyRuns, str] = {
    "paused": "paused the study",
    "running": "went on with the study",
    "stopped": "stopped the study",
}


class Researcher:
    """A study for its researcher."""

    def __init__(self, store: Store, about: Description, changed: Callable[[], Awaitable[None]] | None = None) -> None:
        """`changed` is called when the study was paused or stopped, or goes on."""
        self.store, self.about, self.changed = store, about, changed
        self._deals: dict[str, bool | None] = {}  # of games that are over, by table: whether there was an agreement
        self._seen: Overview | None = None
        self._at = float("-inf")
        self._lock = asyncio.Lock()

    async def overview(self) -> Overview:
        """Return the overview of the study: the same for everybody who asks within a second."""
        async with self._lock:
            if self._seen is None or time.monotonic() - self._at > FRESH:
                records = await read(self.store, self.about, answers=False, known=self._deals)
                self._seen = await asyncio.to_thread(self._look, records, now())
                self._at = time.monotonic()
            return self._seen

    def _look(self, records: Records, moment: datetime) -> Overview:
        start = start_of(self.about.game)
        for episode in records.episodes:
            if episode.status is not None and episode.id not in self._deals:
                self._deals[episode.id] = replay(start, episode).deal
        can_agree = start.game.agreed is not None
        deals = sum(bool(deal) for deal in self._deals.values()) if can_agree else None
        database: Literal["sqlite", "postgresql"] = "sqlite" if self.store.kind == "sqlite" else "postgresql"
        return overview(records, moment, deals, database)

    async def results(self, reveal: bool) -> ResultsSoFar:
        """Means so far: hidden while anybody may still play, unless it is asked for, which is recorded."""
        records = await read(self.store, self.about, answers=False, moves=False)
        if records.goes_on and not reveal:
            return ResultsSoFar(hidden=True, results=[])
        if records.goes_on:
            await self._record("looked at results")
        data = await self._data(False)
        return ResultsSoFar(hidden=False, results=results(data.episodes))

    async def set_state(self, wanted: StudyRuns) -> None:
        """Pause, go on or stop; a study that was stopped stays so."""

        def work(connection: Connection) -> str | None:
            state = connection.execute(select(StudyRow.state).with_for_update()).scalar_one()
            if state == "stopped":
                return None if wanted == "stopped" else "The study was stopped, and stays so."
            if state != wanted:
                connection.execute(update(StudyRow).values(state=wanted))
                here = ParticipantRow.stage.not_in(FINAL)
                connection.execute(update(ParticipantRow).where(here).values(changed=now()))  # their pages must be told
                if (state, wanted) == ("paused", "running"):
                    _leave_out_pause(connection)
                connection.execute(insert(StudyEventRow).values(study=STUDY, at=now(), what=DONE[wanted]))
            return None

        if refused := await whole(self.store, work):
            raise Refusal(409, refused)
        if self.changed is not None:
            await self.changed()
        self._at = float("-inf")

    async def pay_list(self) -> str:
        """The pay list as CSV; it has the platform's ids."""
        records = await read(self.store, self.about, answers=False, moves=False)
        await self._record("downloaded the pay list")
        return pay_text(pay_list(records.people))

    async def data(self, platform_ids: bool) -> tuple[str, bytes]:
        """The data as a ZIP file, with its name."""
        await self._record(f"downloaded the data{' with platform ids' if platform_ids else ''}")
        data = await self._data(platform_ids)
        return await asyncio.to_thread(_zipped, self.about.title, data)

    async def _data(self, platform_ids: bool) -> StudyData:
        records = await read(self.store, self.about)
        return await asyncio.to_thread(collect, records, now(), platform_ids)

    async def _record(self, what: str) -> None:
        event = insert(StudyEventRow).values(study=STUDY, at=now(), what=what)
        await self.store.run(lambda connection: connection.execute(event).rowcount)
        self._at = float("-inf")


def _leave_out_pause(connection: Connection) -> None:
    """The pause that ends now does not count as waiting."""
    paused = select(func.max(StudyEventRow.at)).where(StudyEventRow.what == DONE["paused"])
    began, at = connection.execute(paused).scalar_one(), now()
    for row in found(connection, WAITING):
        since = row["since"] + (at - max(row["since"], aware(began)))
        connection.execute(update(ParticipantRow).where(ParticipantRow.id == row["id"]).values(since=since))


def _zipped(title: str, data: StudyData) -> tuple[str, bytes]:
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or "study"
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w", zipfile.ZIP_DEFLATED) as file:
        for path, text in files_of(data).items():
            file.writestr(f"{name}-data/{path}", text)
    return f"{name}-data.zip", box.getvalue()
