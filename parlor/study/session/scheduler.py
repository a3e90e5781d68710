"""The clockwork of a study: many times a second, everything that is due is done.

Any number of servers may do it. Nothing is remembered here that is needed: who is due is read from the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from parlor.server.tables.store import AWAY, now, reason
from parlor.study.data.store import PLAYING, UNSETTLED, changed_since
from parlor.study.session import tournaments
from parlor.study.session.agents import Agents
from parlor.study.session.engine import Study
from parlor.study.session.outages import Beats

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
