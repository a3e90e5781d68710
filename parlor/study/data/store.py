"""Reading and writing the rows of a study.

Everything that moves somebody on is one transaction, and such transactions follow one another: SQLite has one writer,
and PostgreSQL a lock for it. Each changes a row only if it is as expected, so of several servers that want the same
one does it, and the others find that it is done.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Select, func, insert, select, text, update
from sqlalchemy.engine import Connection

from parlor.agents.registry import concrete_game
from parlor.compile import version
from parlor.game import GameError
from parlor.game.loading import load_once
from parlor.server.tables.session import aware
from parlor.server.tables.store import (
    ADD_MOVES,
    ADD_SEATS,
    ADD_TABLE,
    AWAY,
    Conflict,
    MoveRow,
    Row,
    Store,
    TableRow,
    now,
    reason,
)
from parlor.study.data.rows import STUDY, EpisodeRow, GroupRow, ParticipantRow, StudyRow
from parlor.study.design.description import Description
from parlor.study.design.files import read_study

LOCK = 7203156  # of PostgreSQL: one transaction of a study at a time

T = TypeVar("T")
TableRows = tuple[Row, list[Row], list[Row]]  # a table, its seats, its first moves


class RecordStore:
    """The rows of the study of a database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def one(self, statement: Select[*tuple[object, ...]]) -> Row | None:
        """The first row that is found."""
        found = await self.store.read(lambda connection: connection.execute(statement).mappings().first())
        return _plain(found) if found else None

    async def all(self, statement: Select[*tuple[object, ...]]) -> list[Row]:
        """All rows that are found."""
        return [_plain(row) for row in await self.store.read(lambda c: c.execute(statement).mappings().all())]

    async def whole(self, work: Callable[[Connection], T]) -> T:
        """Do this all or not at all, while no other server does such a thing."""
        return await whole(self.store, work)


async def whole(store: Store, work: Callable[[Connection], T]) -> T:
    """Do this all or not at all, while no other server does such a thing."""

    def alone(connection: Connection) -> T:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"select pg_advisory_xact_lock({LOCK})"))
        return work(connection)

    return await store.run(alone, whole=True)


def found(connection: Connection, statement: Select[*tuple[object, ...]]) -> list[Row]:
    """All rows that a statement finds, within a transaction."""
    return [_plain(row) for row in connection.execute(statement).mappings().all()]


def _plain(row: object) -> Row:
    """A row with its times in UTC, which SQLite forgets."""
    plain = dict(row)  # type: ignore[call-overload]
    return {name: aware(value) if isinstance(value, datetime) else value for name, value in plain.items()}


# --------------------------------------------------------------------------------------------------- the study


async def open_study(store: Store, description: Description, rules: str, speed: float = 1.0) -> Row:
    """The row of this study, made if it is new; GameError if the database has another, with participants."""

    def work(connection: Connection) -> Row:
        rows, people = found(connection, THE_STUDY), connection.execute(COUNT).scalar_one()
        told: Row = {"title": description.title, "hash": description.hash, "game": description.game, "rules": rules}
        told |= {"seed": description.seed, "speed": speed}
        if not rows:
            made = told | {"id": STUDY, "state": "running", "secret": secrets.token_hex(32), "created": now()}
            connection.execute(insert(StudyRow).values(**made))
            return made
        [row] = rows
        if row["hash"] != description.hash and people:
            raise GameError(
                f"The database has the data of {people} participants of another study, or of this one before its file "
                "was changed: use the file as it was, or another --database-url."
            )
        if row["speed"] != speed and people:
            raise GameError(
                f"The study in the database runs at speed {row['speed']:g}, not {speed:g}: use another --database-url."
            )
        if row["rules"] != rules and people:
            raise GameError(
                f"The rules of {description.game} have changed since the study began (version {row['rules']}, now "
                f"{rules}): go on with the version of Parlor, or of the game's file, that it began with."
            )
        connection.execute(update(StudyRow).where(StudyRow.id == STUDY).values(**told))
        return row | told

    return await RecordStore(store).whole(work)


async def check_study(store: Store, path: str, speed: float = 1.0) -> Row:
    """Read a study file and find it in the database, or make it there; returns its row."""
    description = read_study(path)
    return await open_study(store, description, version(concrete_game(load_once(description.game))), speed)


async def study_row(store: Store) -> Row | None:
    """The study of a database, if it has one."""
    return await RecordStore(store).one(THE_STUDY)


def seat_token(secret: str, table: str, seat: int, player: str) -> str:
    """The token of a seat of a study's table for the token that its player has: it need not be kept."""
    return hmac.new(bytes.fromhex(secret), f"seat {table} {seat} {player}".encode(), hashlib.sha256).hexdigest()


def signature(secret: str, platform: str) -> str:
    """Return the signature that a participant's link must carry, if the study asks for it."""
    return hmac.new(bytes.fromhex(secret), f"link {platform}".encode(), hashlib.sha256).hexdigest()[:24]


# --------------------------------------------------------------------------------------------------- statements

THE_STUDY = select(StudyRow.__table__).where(StudyRow.id == STUDY)
COUNT = select(func.count()).select_from(ParticipantRow)
WAITING = (
    select(ParticipantRow.__table__)
    .where(ParticipantRow.study == STUDY, ParticipantRow.stage == "waiting", ParticipantRow.group_id.is_(None))
    .order_by(ParticipantRow.since, ParticipantRow.id)
)
#: The games that run, and how far they have come.
_LAST = select(func.max(MoveRow.ply)).where(MoveRow.table_id == TableRow.id).correlate(TableRow).scalar_subquery()
PLAYING = select(TableRow.id, TableRow.deadline, _LAST.label("last")).where(
    TableRow.study == STUDY, TableRow.ended.is_(None)
)
#: Episodes whose game is over, which has not been said in their rows.
UNSETTLED = (
    select(EpisodeRow.id)
    .join(TableRow, TableRow.id == EpisodeRow.id)
    .where(EpisodeRow.status.is_(None), TableRow.ended.is_not(None))
    .distinct()
)


def participant(**values: object) -> Select[*tuple[object, ...]]:
    """The participant with these values."""
    return select(ParticipantRow.__table__).where(*(getattr(ParticipantRow, n) == value for n, value in values.items()))


def episodes(**values: object) -> Select[*tuple[object, ...]]:
    """The episodes with these values, in order."""
    where = (getattr(EpisodeRow, name) == value for name, value in values.items())
    return select(EpisodeRow.__table__).where(*where).order_by(EpisodeRow.round, EpisodeRow.id, EpisodeRow.seat)


def due_groups(at: datetime, here: datetime, lost: datetime) -> Select[*tuple[object, ...]]:
    """Tournaments that go on now.

    Agents wait for whoever was not heard of since `here`, but not for those who were not heard of since `lost` either.
    """
    silent = (ParticipantRow.heard < here) & (ParticipantRow.heard >= lost)
    member = select(ParticipantRow.id).where(ParticipantRow.group_id == GroupRow.id, silent)
    goes_on = (GroupRow.size > 1) | (GroupRow.round + 1 == GroupRow.rounds) | ~member.correlate(GroupRow).exists()
    return select(GroupRow.__table__).where(GroupRow.study == STUDY, GroupRow.next_at <= at, goes_on)


def changed_since(at: datetime, slack: timedelta) -> Select[*tuple[object, ...]]:
    """Those for whom something has changed lately."""
    return select(ParticipantRow.id, ParticipantRow.changed).where(ParticipantRow.changed >= at - slack)


def move_on(connection: Connection, row: Row, **values: object) -> bool:
    """Change a participant's row if it still is at the stage and step that were read."""
    at = now()
    same = (ParticipantRow.id == row["id"]) & (ParticipantRow.stage == row["stage"])
    same &= ParticipantRow.step == row["step"]
    told = {"changed": at} | ({"since": at} if "stage" in values or "step" in values else {}) | values
    return connection.execute(update(ParticipantRow).where(same).values(**told)).rowcount == 1


def add_table(connection: Connection, rows: TableRows, deadline: datetime | None = None) -> None:
    """Add a table that begins now."""
    table, seats, moves = rows
    at = now()
    connection.execute(ADD_TABLE, [table | {"created": at, "deadline": deadline}])
    connection.execute(ADD_SEATS, [seat | {"joined": at} for seat in seats])
    if moves:
        connection.execute(ADD_MOVES, [move | {"at": at} for move in moves])


def end_practice(connection: Connection, participant: str) -> None:
    """End the game that somebody tries things in: nobody does so any more."""
    table = select(ParticipantRow.practice).where(ParticipantRow.id == participant).scalar_subquery()
    connection.execute(update(TableRow).where(TableRow.id == table, TableRow.ended.is_(None)).values(ended=now()))


def must(done: bool) -> None:
    """Undo the transaction if somebody was faster."""
    if not done:
        raise Conflict


# --------------------------------------------------------------------------------------------------- beside its server


def url_for(file: str | Path, given: str | None = None) -> str:
    """Return the database of a study: the given URL, DATABASE_URL, or a file in parlor-data/ named like the study."""
    return given or os.environ.get("DATABASE_URL") or f"sqlite:///parlor-data/{Path(file).stem}.db"


@contextlib.asynccontextmanager
async def opened(file: Path, url: str | None, begun: bool = True) -> AsyncIterator[Store]:
    """Within this, the database of a study; unless the study must have `begun`, it is made if it is not there."""
    try:
        store = Store(url_for(file, url), durable=True)
    except Exception as error:  # drivers raise all kinds of errors
        raise GameError(f"This is not the address of a database: {str(error).rstrip('.')}.") from None
    try:
        if begun and store.kind == "sqlite" and not Path(store.url.database or "").is_file():
            raise GameError(f"There is no database {store.url.database}; `parlor study serve` makes it.")
        await store.open()
        yield store
    except AWAY as error:
        raise GameError(f"The database cannot be used: {reason(error)}.") from None
    finally:
        await store.close()
