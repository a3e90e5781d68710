"""The database: tables, their seats and their moves, in SQLite or PostgreSQL.

Moves are only ever added, keyed by table and ply, in the transaction that accepts them; of two moves at the same ply
only one is accepted, whoever sends them. A state is never stored: it is rebuilt from the moves.

Whatever else changes at a table (who sits where, the pace, who may watch) counts its `version` up. Moves and changes
are accepted only at the version that whoever sends them knows: otherwise `Conflict`, and they look again.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
from sqlalchemy import (
    BigInteger,
    Boolean,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    make_url,
    select,
    text,
    union_all,
    update,
)
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import DBAPIError, DisconnectionError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.sql.dml import Insert
from sqlalchemy.sql.elements import BindParameter
from sqlalchemy.types import JSON

from parlor.runs.files.container import sync_folder

TIMEOUT = 10  # seconds to wait for the database
LOCKED = 5  # seconds to wait while another process writes to SQLite
DRIVERS = {"sqlite": "sqlite+pysqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}
#: Errors of a database that is not reachable, from all layers.
AWAY = (DBAPIError, PoolTimeout, OSError, asyncio.TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)


class Conflict(Exception):
    """Somebody was faster: another move was made at this ply, or the table has changed or ended."""


class Base(DeclarativeBase):
    """The database schema; migrations/ creates it."""


class TableRow(Base):
    """A table: game and settings; and the result, if it is over."""

    __tablename__ = "tables"
    __table_args__ = (
        Index("ix_tables_root", "root"),
        Index("ix_tables_created", "created"),
        Index("ix_tables_client", "client"),
        Index("ix_tables_study", "study", "ended"),
        Index("ix_tables_match", "match"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    game: Mapped[str] = mapped_column(String(2000))
    rules: Mapped[str] = mapped_column(String(64))
    players: Mapped[int] = mapped_column(Integer)
    mind: Mapped[str] = mapped_column(String(16))
    pace: Mapped[str] = mapped_column(String(16))
    seed: Mapped[int] = mapped_column(BigInteger)
    root: Mapped[str] = mapped_column(String(32))  # the first of a family of branches
    parent: Mapped[str | None] = mapped_column(String(32))
    parent_ply: Mapped[int | None] = mapped_column(Integer)
    imported: Mapped[bool] = mapped_column(Boolean)
    ended: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    payoffs: Mapped[list[float] | None] = mapped_column(JSON(none_as_null=True))
    host: Mapped[int] = mapped_column(Integer)  # the seat of whoever made the table
    watch: Mapped[bool] = mapped_column(Boolean)
    clock: Mapped[int | None] = mapped_column(Integer)  # seconds for a decision
    undo: Mapped[bool] = mapped_column(Boolean)  # whether moves may be taken back
    undone: Mapped[int] = mapped_column(Integer)  # how often one was
    seed_chosen: Mapped[bool] = mapped_column(Boolean)
    version: Mapped[int] = mapped_column(Integer)  # counts changes of seats and settings
    resigned_by: Mapped[int | None] = mapped_column(Integer)
    replaced_by: Mapped[str | None] = mapped_column(String(32))  # after an undo
    client: Mapped[str | None] = mapped_column(String(64))  # while it runs, the SHA-256 of whose address made it
    study: Mapped[int | None] = mapped_column(Integer)  # whose table it is: only its players see it and move there
    deadline: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # no move is accepted from then on
    # what chance and agents draw from, 128 bits in hexadecimal digits; null: from the seed, which somebody chose
    secret: Mapped[str | None] = mapped_column(String(32))
    match: Mapped[str | None] = mapped_column(String(32))  # of the arena, in which it was played by agents


class SeatRow(Base):
    """A seat and its occupant: a person, an agent, or nobody yet.

    A person's token stays while an agent plays there, so that the person can come back.
    """

    __tablename__ = "seats"

    table_id: Mapped[str] = mapped_column(String(32), ForeignKey("tables.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(16))  # person, agent or open
    name: Mapped[str] = mapped_column(String(80))  # of the person
    token: Mapped[str | None] = mapped_column(String(64))  # its SHA-256
    agent: Mapped[str | None] = mapped_column(String(200))
    agent_version: Mapped[str | None] = mapped_column(String(64))
    code: Mapped[str | None] = mapped_column(String(64))  # its SHA-256
    code_expires: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    joined: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    left: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class MoveRow(Base):
    """A move or an outcome of chance."""

    __tablename__ = "moves"

    table_id: Mapped[str] = mapped_column(String(32), ForeignKey("tables.id"), primary_key=True)
    ply: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    player: Mapped[int] = mapped_column(Integer)  # -1: chance
    move: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    ms: Mapped[float | None] = mapped_column(Float)  # taken to decide
    agent_version: Mapped[str | None] = mapped_column(String(64))  # null also in files, which are not believed
    agent: Mapped[str | None] = mapped_column(String(200))  # who decided; null for people and chance


class HeartbeatRow(Base):
    """One row, written to find out whether writing works."""

    __tablename__ = "heartbeat"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


class EndedCookieRow(Base):
    """A cookie of somebody who has signed out: it is good no more."""

    __tablename__ = "ended_cookies"

    mark: Mapped[str] = mapped_column(String(64), primary_key=True)  # its signature
    until: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970: then it would end anyway


Row = dict[str, Any]
T = TypeVar("T")

# Statements for every move, built once.
_ID: BindParameter[str] = bindparam("id")
_LAST = select(func.max(MoveRow.ply)).where(MoveRow.table_id == _ID).scalar_subquery()
TABLE = select(TableRow.__table__).where(TableRow.id == _ID)
MOVES = (
    select(MoveRow.__table__).where(MoveRow.table_id == _ID, MoveRow.ply >= bindparam("first")).order_by(MoveRow.ply)
)
#: What may change at a table, besides its seats.
CHANGING = ("ended", "payoffs", "pace", "watch", "version", "resigned_by", "replaced_by")
PULSE = select(_LAST.label("last"), *(getattr(TableRow, name) for name in CHANGING)).where(TableRow.id == _ID)
SEATS = select(SeatRow.__table__).where(SeatRow.table_id == _ID).order_by(SeatRow.seat)
RUNNING = select(
    TableRow.id,
    TableRow.created,
    TableRow.host,
    select(func.max(MoveRow.at))
    .where(MoveRow.table_id == TableRow.id)
    .correlate(TableRow)
    .scalar_subquery()
    .label("at"),
).where(TableRow.root == bindparam("root"), TableRow.ended.is_(None))
RUNNING_OF = select(func.count()).where(
    TableRow.client == bindparam("client"), TableRow.ended.is_(None), TableRow.created > bindparam("after")
)
COUNTS = select(func.count(), func.count() - func.count(TableRow.ended)).select_from(TableRow)
ADD_TABLE = insert(TableRow)
ADD_SEATS = insert(SeatRow)
ADD_MOVES = insert(MoveRow)
_COLUMNS = MoveRow.__table__.columns


@functools.cache
def add_moves_if_open(count: int) -> Insert:
    """Add so many moves in one statement, or none of them: only if the table goes on and is at the expected version.

    The row of the table is locked, so that whoever ends the game or changes a seat waits, or is waited for: on
    PostgreSQL the condition would otherwise be true of a moment ago. SQLite has one writer, and no such locks.
    """
    in_time = TableRow.deadline.is_(None) | (TableRow.deadline > bindparam("now", type_=TableRow.deadline.type))
    goes_on = (TableRow.id == _ID) & TableRow.ended.is_(None) & (TableRow.version == bindparam("version")) & in_time
    held = select(TableRow.id).where(goes_on).with_for_update(key_share=True)
    rows = [
        select(*(bindparam(f"{c.name}{i}", type_=c.type) for c in _COLUMNS)).select_from(held.subquery(f"held{i}"))
        for i in range(count)
    ]
    return insert(MoveRow).from_select([c.name for c in _COLUMNS], union_all(*rows))


def database_url(text: str) -> URL:
    """A database URL as people write it, with the driver that is used here."""
    url = make_url(text)
    kind = url.get_backend_name()
    if url.drivername.partition("+")[0] not in DRIVERS:
        raise ValueError(f"The database must be SQLite or PostgreSQL, not {kind}.")
    url = url.set(drivername=DRIVERS[url.drivername.partition("+")[0]])
    if "sslmode" in url.query:
        url = url.difference_update_query(["sslmode"]).update_query_dict({"ssl": str(url.query["sslmode"])})
    return url


class Store:
    """The database.

    A piece of work is a plain function of a connection: one statement, or several that must be done together. With
    PostgreSQL it runs on the event loop, with SQLite in a thread of its own, which waits for the disk and is the one
    writer SQLite can have; another thread reads, which never waits for whoever writes.
    """

    def __init__(self, url: str, durable: bool = False) -> None:
        """Nothing is opened yet. What is `durable` survives the machine: SQLite then waits for the disk each time."""
        self.url = database_url(url)
        self.kind = "sqlite" if self.url.get_backend_name() == "sqlite" else "postgresql"
        self._remote = _postgresql(self.url) if self.kind == "postgresql" else None
        self._local = _sqlite(self.url, durable) if self.kind == "sqlite" else None
        # the same connections, for single statements that are their own transactions
        self._remote_alone = self._remote and self._remote.execution_options(isolation_level="AUTOCOMMIT")
        self._local_alone = self._local and self._local.execution_options(alone=True)
        self._thread = ThreadPoolExecutor(1, "parlor-sqlite")
        in_memory = self.url.database in (None, "", ":memory:")  # which only one thread can see
        self._reader = self._thread if in_memory else ThreadPoolExecutor(1, "parlor-sqlite-read")

    async def run(self, work: Callable[[Connection], T], whole: bool = False, patience: float | None = TIMEOUT) -> T:
        """Execute one statement; or several in a transaction, with `whole`."""
        if self._remote is not None and self._remote_alone is not None:
            async with self._remote.begin() if whole else self._remote_alone.connect() as remote:
                return await remote.run_sync(work)
        async with asyncio.timeout(patience):  # also for what waits in line
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._here, work, whole)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Execute one statement that only reads."""
        if self._remote is not None:
            return await self.run(work)
        return await asyncio.get_running_loop().run_in_executor(self._reader, self._here, work, False)

    def _here(self, work: Callable[[Connection], T], whole: bool) -> T:
        assert self._local is not None
        assert self._local_alone is not None
        with self._local.begin() if whole else self._local_alone.connect() as connection:
            return work(connection)

    async def open(self) -> None:
        """Create or upgrade the schema."""
        from parlor.server.tables.migrate import upgrade

        if self.kind == "sqlite" and self.url.database and self.url.database != ":memory:":
            _make_private(Path(self.url.database))

        def work(connection: Connection) -> None:
            if self.kind == "postgresql":  # several servers may start at once
                connection.execute(text("select pg_advisory_xact_lock(7203155)"))
            upgrade(connection)

        await self.run(work, whole=True, patience=None)

    async def close(self) -> None:
        """Close the connections."""
        if self._remote is not None:
            await self._remote.dispose()
        if self._local is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._local.dispose)
        self._reader.shutdown()
        self._thread.shutdown()

    async def ping(self) -> None:
        """Check that the database can be written."""
        beat = update(HeartbeatRow).values(at=now())
        await self.run(lambda connection: connection.execute(beat).rowcount)

    # ----------------------------------------------------------------------------------------------- reading

    async def table(self, id: str) -> Row | None:
        """The row of a table."""
        found = await self.read(lambda connection: connection.execute(TABLE, {"id": id}).mappings().first())
        return dict(found) if found else None

    async def tables(self) -> list[Row]:
        """All tables, oldest first, but for those of a study and of the arena."""
        peoples = TableRow.study.is_(None) & TableRow.match.is_(None)
        order = select(TableRow.__table__).where(peoples).order_by(TableRow.created, TableRow.id)
        return [dict(row) for row in await self.read(lambda connection: connection.execute(order).mappings().all())]

    async def moves(self, id: str, first: int = 0) -> list[Row]:
        """The moves at a table from a ply on, in order."""
        values = {"id": id, "first": first}
        return [dict(row) for row in await self.read(lambda c: c.execute(MOVES, values).mappings().all())]

    async def seats(self, id: str) -> list[Row]:
        """The seats of a table, in order."""
        return [dict(row) for row in await self.read(lambda c: c.execute(SEATS, {"id": id}).mappings().all())]

    async def pulse(self, id: str) -> Row | None:
        """Read the number of moves, the result and the version of a table, by which changes are noticed."""
        found = await self.read(lambda connection: connection.execute(PULSE, {"id": id}).mappings().first())
        if found is None:
            return None
        row = dict(found)
        last = row.pop("last")
        return row | {"plies": 0 if last is None else last + 1}

    async def running(self, root: str) -> list[Row]:
        """The games that share their cards and go on: when they were made, their host, and when the last move was."""
        return [dict(row) for row in await self.read(lambda c: c.execute(RUNNING, {"root": root}).mappings().all())]

    async def counts(self) -> dict[str, tuple[str, int]]:
        """Count all tables and the running games: name -> (description, number)."""
        all, running = await self.read(lambda connection: connection.execute(COUNTS).one())
        return {"tables": ("Tables in the database.", all), "tables_running": ("Games in progress.", running)}

    async def running_of(self, client: str, after: datetime) -> int:
        """Count the games in progress that were made from an address after some time."""
        values = {"client": client, "after": after}
        return int(await self.read(lambda connection: connection.execute(RUNNING_OF, values).scalar_one()))

    async def ended_cookies(self) -> set[str]:
        """The signatures of cookies that were ended."""
        order = select(EndedCookieRow.mark)
        return set(await self.read(lambda connection: connection.execute(order).scalars().all()))

    # ----------------------------------------------------------------------------------------------- writing

    async def end_cookie(self, mark: str, until: int) -> None:
        """Let a cookie be good no more, and forget those that have ended by themselves."""

        def work(connection: Connection) -> None:
            connection.execute(delete(EndedCookieRow).where(EndedCookieRow.until < int(time.time())))
            if connection.execute(select(EndedCookieRow.mark).where(EndedCookieRow.mark == mark)).first() is None:
                connection.execute(insert(EndedCookieRow).values(mark=mark, until=until))

        with contextlib.suppress(IntegrityError):  # it was ended twice at once
            await self.run(work, whole=True)

    async def add_table(
        self, row: Row, seats: Sequence[Row], moves: Sequence[Row], instead_of: Row | None = None
    ) -> None:
        """A new table with the moves it begins with; `instead_of` a game that ends with it, if that still goes on."""

        def work(connection: Connection) -> None:
            if instead_of is not None:
                _change(connection, instead_of, {"ended": row["created"], "replaced_by": row["id"]})
            connection.execute(ADD_TABLE, [_over(row)])
            connection.execute(ADD_SEATS, list(seats))
            if moves:
                connection.execute(ADD_MOVES, list(moves))

        await self.run(work, whole=True)

    async def add_moves(self, id: str, version: int, moves: Sequence[Row], ended: Row | None) -> None:
        """Add moves, and the result if the game is over.

        Everything or, if a ply is taken or the table has changed, nothing: `Conflict`.
        """
        values = {f"{name}{i}": value for i, move in enumerate(moves) for name, value in move.items()}

        def work(connection: Connection) -> None:
            expected = {"id": id, "version": version, "now": now()}
            added = connection.execute(add_moves_if_open(len(moves)), values | expected)
            if added.rowcount != len(moves):
                raise Conflict
            if ended:
                goes_on = (TableRow.id == id) & TableRow.ended.is_(None)
                if connection.execute(update(TableRow).where(goes_on).values(**_over(ended))).rowcount != 1:
                    raise Conflict

        try:
            await self.run(work, whole=ended is not None)
        except IntegrityError:
            raise Conflict from None

    async def end(self, id: str, ended: Row) -> bool:
        """End a game without a move; False if it had ended."""
        change = update(TableRow).where(TableRow.id == id, TableRow.ended.is_(None)).values(**_over(ended))
        return await self.run(lambda connection: connection.execute(change).rowcount > 0)

    async def change(self, table: Row, values: Row, seat: int | None = None, seat_values: Row | None = None) -> None:
        """Change settings of a table and one of its seats, at the version that is known; else `Conflict`."""

        def work(connection: Connection) -> None:
            _change(connection, table, values, over=table["ended"] is not None)
            if seat_values:
                where = (SeatRow.table_id == table["id"]) & (SeatRow.seat == seat)
                connection.execute(update(SeatRow).where(where).values(**seat_values))

        await self.run(work, whole=True)


def _change(connection: Connection, table: Row, values: Row, over: bool = False) -> None:
    """Change a table at the version that is known, and count it up; only a game that goes on, unless it is `over`."""
    same = (TableRow.id == table["id"]) & (TableRow.version == table["version"])
    where = same if over else same & TableRow.ended.is_(None)
    change = update(TableRow).where(where).values(**_over(values), version=table["version"] + 1)
    if connection.execute(change).rowcount != 1:
        raise Conflict


def _over(values: Row) -> Row:
    """Return the changes to a table; those that end the game also erase its maker's address."""
    return values | {"client": None} if values.get("ended") else values


def reason(error: BaseException) -> str:
    """Why the database failed, without the values of the statement, which may be secret."""
    error = getattr(error, "orig", None) or error
    code = getattr(error, "sqlstate", None) or ""
    said = str(error) if isinstance(error, sqlite3.Error | OSError) else ""
    return " ".join(part for part in (type(error).__name__, code, said) if part)


def now() -> datetime:
    """The time in UTC; SQLite forgets the zone, so readers put it back."""
    return datetime.now(UTC)


def _postgresql(url: URL) -> AsyncEngine:
    """Lost connections are noticed by asyncpg itself; checking each time would cost a round trip."""
    arguments = {"timeout": TIMEOUT, "command_timeout": TIMEOUT}
    engine = create_async_engine(
        url, pool_size=10, max_overflow=10, pool_timeout=TIMEOUT, connect_args=arguments, hide_parameters=True
    )

    @event.listens_for(engine.sync_engine, "checkout")
    def check(connection: Any, record: Any, proxy: Any) -> None:
        if connection.driver_connection.is_closed():
            raise DisconnectionError

    return engine


def _sqlite(url: URL, durable: bool) -> Engine:
    """With a write-ahead log, so that readers do not wait, and explicit transactions."""
    synchronous = "FULL" if durable else "NORMAL"
    engine = create_engine(url, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        for line in (f"busy_timeout={LOCKED * 1000}", f"synchronous={synchronous}", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {line}").close()
        _log_ahead(connection)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        if not connection.get_execution_options().get("alone"):
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _make_private(file: Path) -> None:
    """Make the file of a new database so that only its owner reads it, and write to the disk that it is there."""
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return
    sync_folder(file.parent)


def _log_ahead(connection: Any) -> None:
    """Let the database have a write-ahead log; here SQLite itself does not wait for somebody else who writes."""
    deadline = time.monotonic() + LOCKED
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
