"""A rehearsal: the real server, bots who come one after the other, and what came of it.

Participants come as a recruiting platform sends them: whoever declines, fails the test or leaves before it frees the
place for another, until so many have passed the test as the study wants.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from sqlalchemy import select

from parlor.server.tables.store import Store
from parlor.study.data.rows import GroupRow
from parlor.study.data.store import RecordStore, signature, study_row
from parlor.study.rehearsal.browser import BrowserWalker, chromium
from parlor.study.rehearsal.connection import Connection
from parlor.study.rehearsal.journal import RehearsalJournal
from parlor.study.rehearsal.people import Habits, draw_person
from parlor.study.rehearsal.server_process import ServerProcess
from parlor.study.rehearsal.walker import ENDS, Visit, Walker
from parlor.study.session.flow import STAGES

CALLED_OFF = "called off"
FINISHED = ENDS | {"left", CALLED_OFF}
MAX_STUCK = 10  # bots that are stuck: nobody comes any more
FIRST_BROWSER = 100_000  # number of the first person with a browser
WILLING = Habits(declines=0, fails=0, silent=0, leaves=0)
LAST = 30.0  # seconds of real time that the last tournaments may need on top of the study's
SHOWN = 0.5  # seconds between two progress lines


@dataclass(frozen=True)
class RehearsalPlan:
    """The plan of a rehearsal: who comes, and what happens to the server."""

    participants: int = 346  # who pass the test
    seed: int = 0
    gap: float = 8.0  # seconds of study time between two who come, on average
    habits: Habits = field(default_factory=Habits)
    kills: int = 0  # of the server, while games are played; people come until there were so many
    calm: tuple[float, float] = (2.0, 6.0)  # seconds of real time between them
    minutes: float = math.inf  # of real time, after which everybody is called off
    browsers: int = 0  # bots that use a real browser, besides

    @property
    def grace(self) -> float:
        """Seconds of real time that a bot may need on top of the study's."""
        return 120.0 + 30.0 * self.kills


@dataclass
class RehearsalReport:
    """The outcome of a rehearsal."""

    journal: RehearsalJournal
    seconds: float  # of real time
    people: int  # who came
    passed: int
    where: Counter[str]  # where their ways ended
    at_once: int  # the most bots at a time
    retries: int

    @property
    def stuck(self) -> int:
        """The number of people who came to no end."""
        return sum(count for stage, count in self.where.items() if stage not in FINISHED)


class Rehearsal:
    """Bots on their way."""

    def __init__(
        self,
        visit: Visit,
        plan: RehearsalPlan,
        server: ServerProcess,
        kill: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        """`kill(n)` does the n-th kill; if omitted, the server is killed and started again."""
        self.visit, self.plan, self.server = visit, plan, server
        self.kill = kill or (lambda n: server.kill())
        self.journal = RehearsalJournal()
        self.walkers: list[Walker] = []
        self.browsing: list[BrowserWalker] = []
        self.ended: dict[int, str] = {}
        self.at_once = 0
        self.killed = 0
        self._closed = False  # nobody comes any more

    async def run(self, show: Callable[[str], None] = lambda line: None) -> RehearsalReport:
        """Send them all, and wait for the last."""
        began = time.perf_counter()
        connection = Connection(self.server.address)
        showing = asyncio.create_task(self._show(show, began))
        try:
            async with asyncio.timeout(60 * self.plan.minutes if math.isfinite(self.plan.minutes) else None):
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._kill())
                    if self.plan.browsers:
                        group.create_task(self._browse())
                    await self._recruit(group, connection)
                    self._closed = True
        except TimeoutError:
            for walker in self._all():
                self.ended.setdefault(walker.person.number, CALLED_OFF)
        finally:
            showing.cancel()
            await connection.close()
        seconds = time.perf_counter() - began
        if CALLED_OFF not in self.ended.values():
            await self._last_tournaments()
        return RehearsalReport(
            journal=self.journal,
            seconds=seconds,
            people=len(self._all()),
            passed=sum(walker.passed for walker in self._all()),
            where=Counter(self.ended.values()),
            at_once=self.at_once,
            retries=connection.retries,
        )

    async def _recruit(self, group: asyncio.TaskGroup, connection: Connection) -> None:
        plan, dice = self.plan, random.Random(f"arrivals {self.plan.seed}")
        while True:
            going = self._going()
            filled = sum(walker.passed for walker in self.walkers)
            hoping = sum(not walker.passed for walker in going)
            if sum(where == "stuck" for where in self.ended.values()) >= MAX_STUCK:
                return
            if self.killed < plan.kills:  # somebody must be playing
                wanted = len(going) < plan.participants
            elif filled >= plan.participants and not hoping:
                return
            else:
                wanted = filled + hoping < plan.participants
            if wanted:
                person = draw_person(plan.seed, len(self.walkers), self.visit.game, plan.habits)
                walker = Walker(person, self.visit, connection, self.journal)
                self.walkers.append(walker)
                self.at_once = max(self.at_once, len(going) + 1)
                group.create_task(self._note(walker, walker.walk(self.plan.grace)))
            await asyncio.sleep(dice.expovariate(1.0) * plan.gap / self.visit.speed)

    async def _browse(self) -> None:
        """Those who use a browser come all at once."""
        numbers = range(FIRST_BROWSER, FIRST_BROWSER + self.plan.browsers)
        people = [draw_person(self.plan.seed, number, self.visit.game, WILLING) for number in numbers]
        self.browsing = [BrowserWalker(person, self.visit, self.server.address, self.journal) for person in people]
        async with chromium() as browser, asyncio.TaskGroup() as group:
            for walker in self.browsing:
                group.create_task(self._note(walker, walker.walk(browser, self.plan.grace)))

    async def _last_tournaments(self) -> None:
        """Tournaments whose players have left go on by themselves until they end; wait for that, but not for ever."""
        study, running = self.visit.study, select(GroupRow.id).where(GroupRow.ended.is_(None)).limit(1)
        longest = study.waiting.longest + study.waiting.gone + study.episodes * (study.seconds + study.waiting.pause)
        until = time.monotonic() + longest / self.visit.speed + LAST
        store = Store(self.server.database_url)
        try:
            while await RecordStore(store).one(running) and time.monotonic() < until:
                await asyncio.sleep(SHOWN)
        finally:
            await store.close()

    def _going(self) -> list[Walker]:
        return [walker for walker in self.walkers if walker.person.number not in self.ended]

    async def _note(self, walker: Walker | BrowserWalker, way: Awaitable[str]) -> None:
        self.ended[walker.person.number] = await way

    async def _kill(self) -> None:
        """Kill the server now and then, while games are played."""
        dice = random.Random(f"kills {self.plan.seed}")
        for _ in range(self.plan.kills):
            await asyncio.sleep(dice.uniform(*self.plan.calm))
            while not any(walker.stage == "episode" for walker in self._going()):
                if self._closed:
                    return
                await asyncio.sleep(0.1)
            await self.kill(self.killed)
            self.killed += 1

    def _all(self) -> list[Walker | BrowserWalker]:
        return [*self.walkers, *self.browsing]

    async def _show(self, show: Callable[[str], None], began: float) -> None:
        while True:
            show(self.line(time.perf_counter() - began))
            await asyncio.sleep(SHOWN)

    def line(self, seconds: float) -> str:
        """Return the progress in a line: the number of people at each stage, of moves and of kills."""
        here = Counter(self.ended.get(walker.person.number) or walker.stage for walker in self._all())
        going = (stage for stage in STAGES if stage not in FINISHED)
        order = ("coming", *going, *sorted(FINISHED), "stuck")
        where = ", ".join(f"{here[stage]} {stage}" for stage in order if here[stage])
        killed = f", {self.killed} kills" if self.plan.kills else ""
        return f"{seconds / 60:.1f} min: {where or 'nobody yet'}; {len(self.journal.moves)} moves{killed}"


async def signer(url: str) -> Callable[[str], str]:
    """Return a function that signs the links of the study in a database."""
    store = Store(url)
    try:
        row = await study_row(store)
    finally:
        await store.close()
    return lambda participant: signature(row["secret"], participant) if row else ""
