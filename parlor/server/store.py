"""What is kept: tables and the moves made at them, in SQLite or PostgreSQL.

Moves are only ever added, keyed by table and ply, in the transaction that accepts them; two that want the same ply
cannot both get it, whoever sends them. A state is never stored: it is the moves, played again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

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
    event,
    func,
    insert,
    make_url,
    select,
    text,
    update,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import JSON

PATIENCE = 10  # seconds to wait for the database
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}
#: What a database that is away, going or coming raises, through whichever layer.
AWAY = (DBAPIError, PoolTimeout, OSError, asyncio.TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)


class Taken(Exception):
    """Somebody else has made a move at this ply."""


class Base(DeclarativeBase):
    """The schema; migrations/ has the way to it."""


class TableRow(Base):
    """A table: what is played and by whom; and how it ended, if it has."""

    __tablename__ = "tables"
    __table_args__ = (Index("ix_tables_root", "root"), Index("ix_tables_created", "created"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    game: Mapped[str] = mapped_column(String(2000))
    rules: Mapped[str] = mapped_column(String(64))
    players: Mapped[int] = mapped_column(Integer)
    seat: Mapped[int] = mapped_column(Integer)
    player_name: Mapped[str] = mapped_column(String(80))
    token: Mapped[str] = mapped_column(String(64))  # its SHA-256
    agent: Mapped[str] = mapped_column(String(200))
    agent_version: Mapped[str] = mapped_column(String(64))
    mind: Mapped[str] = mapped_column(String(16))
    pace: Mapped[str] = mapped_column(String(16))
    seed: Mapped[int] = mapped_column(BigInteger)
    root: Mapped[str] = mapped_column(String(32))  # the first of a family of branches
    parent: Mapped[str | None] = mapped_column(String(32))
    parent_ply: Mapped[int | None] = mapped_column(Integer)
    imported: Mapped[bool] = mapped_column(Boolean)
    ended: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    resigned: Mapped[bool] = mapped_column(Boolean)
    payoffs: Mapped[list[float] | None] = mapped_column(JSON(none_as_null=True))


class MoveRow(Base):
    """A move or an outcome of chance."""

    __tablename__ = "moves"

    table_id: Mapped[str] = mapped_column(String(32), ForeignKey("tables.id"), primary_key=True)
    ply: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    player: Mapped[int] = mapped_column(Integer)  # -1: chance
    move: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    ms: Mapped[float | None] = mapped_column(Float)  # taken to decide
    agent_version: Mapped[str | None] = mapped_column(String(64))  # who decided; null for people and chance


Row = dict[str, Any]

# Made once: what every move asks.
_LAST = select(func.max(MoveRow.ply)).where(MoveRow.table_id == bindparam("id")).scalar_subquery()
PULSE = select(_LAST.label("last"), TableRow.ended, TableRow.resigned, TableRow.payoffs, TableRow.pace).where(
    TableRow.id == bindparam("id")
)
STANDING = select(TableRow.ended, TableRow.pace).where(TableRow.id == bindparam("id"))
ADD_MOVES = insert(MoveRow)


def database_url(text: str) -> URL:
    """A database as people write it, with the driver that is used here."""
    url = make_url(text)
    kind = url.get_backend_name()
    if url.drivername.partition("+")[0] not in DRIVERS:
        raise ValueError(f"The database must be SQLite or PostgreSQL, not {kind}.")
    url = url.set(drivername=DRIVERS[url.drivername.partition("+")[0]])
    if "sslmode" in url.query:
        url = url.difference_update_query(["sslmode"]).update_query_dict({"ssl": str(url.query["sslmode"])})
    return url


class Store:
    """The database."""

    def __init__(self, url: str) -> None:
        """Nothing is opened yet."""
        self.url = database_url(url)
        self.kind = "sqlite" if self.url.get_backend_name() == "sqlite" else "postgresql"
        self.engine = _engine(self.url, self.kind)
        self._writing = asyncio.Lock()  # SQLite has one writer at a time: wait here rather than there

    async def open(self) -> None:
        """Make the schema what it should be."""
        from parlor.server.migrate import upgrade

        if self.kind == "sqlite" and self.url.database and self.url.database != ":memory:":
            Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
        async with self.engine.begin() as connection:
            if self.kind == "postgresql":  # several servers may start at once
                await connection.execute(text("select pg_advisory_xact_lock(7203155)"))
            await connection.run_sync(upgrade)

    async def close(self) -> None:
        """Let go of the connections."""
        await self.engine.dispose()

    async def ping(self) -> None:
        """Whether it answers."""
        async with self.engine.connect() as connection:
            await connection.execute(text("select 1"))

    @contextlib.asynccontextmanager
    async def _write(self) -> AsyncIterator[AsyncConnection]:
        alone = self._writing if self.kind == "sqlite" else contextlib.nullcontext()
        async with alone, self.engine.begin() as connection:
            yield connection

    # ----------------------------------------------------------------------------------------------- reading

    async def table(self, id: str) -> Row | None:
        """The row of a table."""
        async with self.engine.connect() as connection:
            found = (await connection.execute(select(TableRow.__table__).where(TableRow.id == id))).mappings().first()
            return dict(found) if found else None

    async def moves(self, id: str, first: int = 0) -> list[Row]:
        """The moves at a table from a ply on, in order."""
        wanted = select(MoveRow.__table__).where(MoveRow.table_id == id, MoveRow.ply >= first).order_by(MoveRow.ply)
        async with self.engine.connect() as connection:
            return [dict(row) for row in (await connection.execute(wanted)).mappings()]

    async def pulse(self, id: str) -> Row | None:
        """What may have changed at a table: how many moves there are, how it ended, its pace."""
        async with self.engine.connect() as connection:
            found = (await connection.execute(PULSE, {"id": id})).mappings().first()
        if found is None:
            return None
        row = dict(found)
        last = row.pop("last")
        return row | {"plies": 0 if last is None else last + 1}

    async def running(self, root: str) -> bool:
        """Whether any game of a family of branches is still going on."""
        async with self.engine.connect() as connection:
            wanted = select(TableRow.id).where(TableRow.root == root, TableRow.ended.is_(None)).limit(1)
            return (await connection.execute(wanted)).first() is not None

    async def each_table(self) -> AsyncIterator[Row]:
        """All tables, oldest first."""
        async with self.engine.connect() as connection:
            order = select(TableRow.__table__).order_by(TableRow.created, TableRow.id)
            async for row in await connection.stream(order):
                yield dict(row._mapping)

    # ----------------------------------------------------------------------------------------------- writing

    async def add_table(self, row: Row, moves: Sequence[Row]) -> None:
        """A new table with the moves it begins with."""
        async with self._write() as connection:
            await connection.execute(insert(TableRow), [row])
            if moves:
                await connection.execute(insert(MoveRow), list(moves))

    async def add_moves(self, id: str, pace: str, moves: Sequence[Row], ended: Row | None) -> None:
        """More moves, and how the game ended if it did.

        All of it or, if a ply is taken or the table is not what was thought, nothing: `Taken`.
        """
        try:
            async with self._write() as connection:
                now = (await connection.execute(STANDING, {"id": id})).first()
                if now is None or now[0] is not None or now[1] != pace:
                    raise Taken
                await connection.execute(ADD_MOVES, list(moves))
                if ended:
                    await connection.execute(update(TableRow).where(TableRow.id == id).values(**ended))
        except IntegrityError:
            raise Taken from None

    async def end(self, id: str, ended: Row) -> bool:
        """End a game without a move; False if it had ended."""
        async with self._write() as connection:
            change = update(TableRow).where(TableRow.id == id, TableRow.ended.is_(None)).values(**ended)
            return (await connection.execute(change)).rowcount > 0

    async def set_pace(self, id: str, pace: str) -> None:
        """How the agent answers."""
        async with self._write() as connection:
            await connection.execute(update(TableRow).where(TableRow.id == id).values(pace=pace))


def now() -> datetime:
    """In universal time; SQLite forgets the zone, so readers put it back."""
    return datetime.now(UTC)


def _engine(url: URL, kind: str) -> AsyncEngine:
    if kind == "postgresql":
        arguments = {"timeout": PATIENCE, "command_timeout": PATIENCE}
        return create_async_engine(
            url, pool_pre_ping=True, pool_size=10, max_overflow=10, pool_timeout=PATIENCE, connect_args=arguments
        )
    engine = create_async_engine(url, pool_size=5, max_overflow=5, pool_timeout=PATIENCE)

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        cursor = connection.cursor()
        for line in (f"busy_timeout={PATIENCE * 1000}", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {line}")
        cursor.close()

    return engine
