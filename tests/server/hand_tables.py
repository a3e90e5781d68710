"""Tables without a server, for tests: the tables of a new database, and a clock that stands still until it is moved."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.schemas.tables import (
    MoveRequest,
    NewTable,
    Open,
    Seated,
    You,
)
from parlor.server.tables import table_moves, table_queries, table_seats
from parlor.server.tables.session import Session
from parlor.server.tables.store import Row, Store
from parlor.server.tables.tables import Tables
from parlor.server.thinking.thinking import Thinking
from tests.server.databases import without_games

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Watch:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time

    def after(self, **passed: float) -> None:
        self.time += timedelta(**passed)


def at_tables(tmp_path: Path, work: Callable[[Tables], Awaitable[None]], most: int = 0) -> None:
    """Work at the tables of a new database."""
    file = tmp_path / "parlor.db"
    if not file.exists():
        without_games(file)

    async def run() -> None:
        kept = Store(f"sqlite:///{file}")
        try:
            await work(Tables(kept, Catalogue([]), Thinking(), most))
        finally:
            await kept.close()

    asyncio.run(run())


async def host(at: Tables, game: str = "goofspiel(cards=6)", **wishes: Any) -> Seated:
    """A table with an open seat, unless other wishes are given."""
    usual: dict[str, Any] = {"seed": 5}
    if not wishes.keys() & {"seats", "seat", "agent"}:
        usual["seats"] = [You(kind="you"), Open(kind="open")]
    return await table_seats.create(at, NewTable(game=game, **(usual | wishes)))


async def moved(at: Tables, sat: Seated, token: str = "") -> Any:
    """The first legal move of whoever holds the token."""
    shown = await table_queries.state(at, sat.state.id, token or sat.token)
    first = shown.legal[0].name
    return await table_moves.move(at, sat.state.id, token or sat.token, MoveRequest(ply=shown.ply, move=first), 0)


async def stored(at: Tables, id: str) -> Row:
    """The table in the database."""
    row = await at.store.table(id)
    assert row is not None
    return row


def kept(at: Tables, id: str) -> Session:
    """The table in memory."""
    return at._sessions[id]
