"""A study on a server: what its file says, its row in the database, its clock, and who waits for news.

The clock of a study: as fast as ours, or faster in a rehearsal.

Times are stored as they were, in UTC; durations, as the study file has them and as they are told to participants,
are divided by the speed before they are added to a time.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.engine import Connection

from parlor.compile import version
from parlor.game import Game
from parlor.server.catalogue.displays import play_a_little
from parlor.server.operations.threads import in_thread
from parlor.server.operations.watchers import Watchers
from parlor.server.tables.pending import PendingMoves, source_of
from parlor.server.tables.session import hashed
from parlor.server.tables.store import Row, SeatRow, Store, TableRow, now
from parlor.server.tables.table_seats import new_row, person, seat_row
from parlor.server.tables.tables import Tables
from parlor.study.data.rows import STUDY
from parlor.study.data.store import RecordStore, TableRows, open_study, seat_token, study_row
from parlor.study.design.description import Condition, Description
from parlor.study.session import schedule
from parlor.study.session.entrance import Arrivals

SHORTEST_ABSENCE = 3.0  # real seconds: a network does not get faster in a rehearsal


@dataclass(frozen=True)
class StudyClock:
    """So many seconds of the study pass in one second."""

    speed: float = 1.0

    def lasting(self, seconds: float) -> timedelta:
        """Return the real time that a duration of the study takes."""
        return timedelta(seconds=seconds / self.speed)

    def between(self, first: datetime, last: datetime) -> float:
        """Return the seconds of study time between two times."""
        return (last - first).total_seconds() * self.speed

    def absence(self, seconds: float) -> timedelta:
        """After how long without a word somebody has left, if the study says `seconds`."""
        return timedelta(seconds=max(seconds / self.speed, SHORTEST_ABSENCE))


REMEMBERED = 10_000  # seats of which it is known to whom they were given


class Study:
    """A study that is run."""

    game: Game
    row: Row

    def __init__(self, description: Description, store: Store, tables: Tables, speed: float = 1.0) -> None:
        """Nothing is read or written before `open`."""
        self.description = description
        self.store = store
        self.records = RecordStore(store)
        self.tables = tables
        self.clock = StudyClock(speed)
        self.opened = now()
        self.arrivals = Arrivals(description.entry.hourly)
        self._seated: OrderedDict[tuple[str, int], str] = OrderedDict()  # to whom seats were given last
        self.watchers = Watchers("The study is open in too many windows: close some of them.")

    async def open(self) -> None:
        """Find the study in the database, or make it there."""
        self.game = await in_thread(lambda: self.tables.catalogue.game(self.description.game))
        await in_thread(lambda: play_a_little(self.game))
        rules = await in_thread(lambda: version(self.game))
        self.row = await open_study(self.store, self.description, rules, self.clock.speed)

    async def look(self) -> None:
        """Read whether it runs, which the researcher may have changed."""
        self.row = await study_row(self.store) or self.row

    # ----------------------------------------------------------------------------------------------- what the file says

    def condition(self, name: str) -> Condition:
        """The condition of that name."""
        return next(condition for condition in self.description.conditions if condition.name == name)

    def agents_of(self, condition: Condition) -> list[str]:
        """The names of the agents that are met in a condition."""
        return list(condition.agents) or [agent.name for agent in self.description.agents]

    def rounds_of(self, condition: Condition) -> int:
        """Return the number of games that a participant plays in a condition."""
        partners = condition.group - 1 if condition.partners == "people" else len(self.agents_of(condition))
        return min(self.description.episodes, partners)

    @functools.cached_property
    def agents(self) -> dict[str, str]:
        """The agents by their names in the study; those of the tutorial that have none, by their own."""
        practised = [screen.practice.agent for screen in self.description.screens if screen.practice]
        return {name: name for name in practised} | {agent.name: agent.agent for agent in self.description.agents}

    def gone(self, at: datetime) -> datetime:
        """Return the time since which a participant must have been heard of to count as present."""
        return at - self.clock.absence(self.description.waiting.gone)

    def may_return(self, heard: datetime, at: datetime) -> bool:
        """Whether somebody who seems to have left may only not have reached this server since it was started."""
        absence = self.clock.absence(self.description.waiting.gone)
        return heard < self.gone(at) and heard < self.opened and at < self.opened + absence

    @property
    def draws(self) -> schedule.Key:
        """The key of all draws that nobody may foresee: the seed of the file and the database's secret."""
        return schedule.key(self.description.seed, self.row["secret"])

    # ----------------------------------------------------------------------------------------------- tables

    def token(self, table: str, seat: int, player: Row) -> str:
        """The token of a seat for who sits there: another one whenever it comes in again, on another device."""
        return seat_token(self.row["secret"], table, seat, player["token"])

    async def seat_for(self, table: str, seat: int, player: Row) -> str:
        """The token of a seat, which is given to the device that the player came in with last."""
        token = self.token(table, seat, player)
        right, own = hashed(token), (SeatRow.table_id == table) & (SeatRow.seat == seat)
        if self._seated.get((table, seat)) != right:
            [known] = await self.records.all(select(SeatRow.token).where(own)) or [{"token": right}]
            if known["token"] != right:

                def work(connection: Connection) -> None:
                    connection.execute(update(SeatRow).where(own).values(token=right))
                    changed = update(TableRow).where(TableRow.id == table)
                    connection.execute(changed.values(version=TableRow.version + 1))

                await self.records.whole(work)
                self.tables.watchers.notify(table)
            self._seated[table, seat] = right
            while len(self._seated) > REMEMBERED:
                self._seated.popitem(last=False)
        return token

    async def new_table(
        self,
        id: str,
        agents: Sequence[str | None],
        players: Mapping[int, Row],
        seed: int | None = None,
        secret: str | None = None,
    ) -> TableRows:
        """The rows of a table with these agents; elsewhere `players` sit. What chance deals first is dealt.

        Every table of a study looks the same from outside, whoever sits there.
        """
        row = await new_row(self.game, None)
        row |= {"id": id, "root": id, "mind": "never", "pace": "step", "undo": False, "study": STUDY}
        row |= {} if seed is None else {"seed": seed, "secret": None}
        row |= {} if secret is None else {"secret": secret}
        seats = [
            person(row, p, "", self.token(id, p, players[p]))
            if agent is None
            else seat_row(row, p, kind="agent", agent=agent)
            for p, agent in enumerate(agents)
        ]
        pending = PendingMoves(id, self.game.start(), [])
        await in_thread(lambda: pending.deal(source_of(row)))
        return row | (pending.ending() or {}), seats, pending.moves
