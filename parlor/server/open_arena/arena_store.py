"""Reading and writing the arena's rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from parlor.server.open_arena.arena_rows import ArenaAgentRow, ArenaMatchRow
from parlor.server.tables.session import aware
from parlor.server.tables.store import ADD_MOVES, ADD_SEATS, ADD_TABLE, Conflict, MoveRow, Row, SeatRow, Store, TableRow

AGENTS = select(ArenaAgentRow.__table__).order_by(ArenaAgentRow.created, ArenaAgentRow.id)
MATCHES = select(ArenaMatchRow.__table__).order_by(ArenaMatchRow.created.desc(), ArenaMatchRow.id)
#: Games that count: of people with agents, played to the end, with a deal that nobody chose, no move taken back.
COUNTING = (
    TableRow.match.is_(None)
    & TableRow.study.is_(None)
    & TableRow.parent.is_(None)
    & TableRow.ended.is_not(None)
    & TableRow.resigned_by.is_(None)
    & (TableRow.undone == 0)
    & TableRow.replaced_by.is_(None)
    & ~TableRow.imported
    & ~TableRow.seed_chosen
)
#: An agent has moved in a person's seat, though the person may have come back.
STOOD_IN = (
    select(MoveRow.ply)
    .join(SeatRow, (SeatRow.table_id == MoveRow.table_id) & (SeatRow.seat == MoveRow.player))
    .where(MoveRow.table_id == TableRow.id, MoveRow.agent.is_not(None), SeatRow.token.is_not(None))
    .correlate(TableRow)
    .exists()
)
PEOPLES = 10_000  # of their games, the newest are counted


class ArenaStore:
    """The agents and matches of a database."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def _all(self, statement: Select[Any]) -> list[Row]:
        rows = await self.store.read(lambda connection: connection.execute(statement).mappings().all())
        return [{name: aware(v) if isinstance(v, datetime) else v for name, v in row.items()} for row in rows]

    # ----------------------------------------------------------------------------------------------- agents

    async def agents(self, game: str | None = None) -> list[Row]:
        """All agents, or those of a game, oldest first."""
        return await self._all(AGENTS if game is None else AGENTS.where(ArenaAgentRow.game == game))

    async def agent_of(self, token: str) -> Row | None:
        """The agent with a token, by the token's hash."""
        return next(iter(await self._all(AGENTS.where(ArenaAgentRow.token == token))), None)

    async def add_agent(self, row: Row) -> None:
        """A new agent; `Conflict` if there is one of this name for the game."""
        try:
            await self.store.run(lambda connection: connection.execute(insert(ArenaAgentRow).values(**row)).rowcount)
        except IntegrityError:
            raise Conflict from None

    async def see(self, id: str, at: datetime) -> None:
        """Remember when an agent last came."""
        change = update(ArenaAgentRow).where(ArenaAgentRow.id == id).values(seen=at)
        await self.store.run(lambda connection: connection.execute(change).rowcount)

    # ----------------------------------------------------------------------------------------------- matches

    async def matches(self, game: str, agent: str | None = None, most: int | None = None) -> list[Row]:
        """The matches of a game, or those of an agent, newest first."""
        chosen = MATCHES.where(ArenaMatchRow.game == game)
        if agent is not None:
            chosen = chosen.where((ArenaMatchRow.one == agent) | (ArenaMatchRow.other == agent))
        return await self._all(chosen if most is None else chosen.limit(most))

    async def match(self, id: str) -> Row | None:
        """A match."""
        return next(iter(await self._all(MATCHES.where(ArenaMatchRow.id == id))), None)

    async def add_match(self, row: Row) -> None:
        """A new match, of which nothing has been dealt."""
        await self.store.run(lambda connection: connection.execute(insert(ArenaMatchRow).values(**row)).rowcount)

    async def change_match(self, id: str, **values: Any) -> None:
        """Change what is known of a match."""
        change = update(ArenaMatchRow).where(ArenaMatchRow.id == id).values(**values)
        await self.store.run(lambda connection: connection.execute(change).rowcount)

    async def add_deal(self, id: str, games: Sequence[tuple[Row, Sequence[Row], Sequence[Row]]], **values: Any) -> None:
        """The games of a deal, each a table with its seats and moves, and what the match has come to, all at once.

        `Conflict` if the match has ended: its secret has been told.
        """
        goes_on = (ArenaMatchRow.id == id) & ArenaMatchRow.ended.is_(None)
        change = update(ArenaMatchRow).where(goes_on).values(**values)

        def work(connection: Connection) -> None:
            if connection.execute(change).rowcount != 1:
                raise Conflict
            for row, seats, moves in games:
                connection.execute(ADD_TABLE, [row])
                connection.execute(ADD_SEATS, list(seats))
                if moves:
                    connection.execute(ADD_MOVES, list(moves))

        await self.store.run(work, whole=True)

    async def beat(self, ids: Collection[str], at: datetime) -> None:
        """Write that some matches are still being played."""
        if ids:
            running = ArenaMatchRow.id.in_(tuple(ids)) & ArenaMatchRow.ended.is_(None)
            change = update(ArenaMatchRow).where(running).values(at=at)
            await self.store.run(lambda connection: connection.execute(change).rowcount)

    async def give_up(self, before: datetime, at: datetime, why: str) -> None:
        """End the matches of which nothing was written since some time: their server has gone."""
        left = ArenaMatchRow.ended.is_(None) & (ArenaMatchRow.at < before)
        change = update(ArenaMatchRow).where(left).values(ended=at, why=why)
        await self.store.run(lambda connection: connection.execute(change).rowcount)

    async def played(self) -> dict[str, int]:
        """The number of games that agents have played, by game."""
        order = select(TableRow.game, func.count()).where(TableRow.match.is_not(None)).group_by(TableRow.game)
        rows = await self.store.read(lambda connection: connection.execute(order).all())
        return {game: int(count) for game, count in rows}

    async def games(self, match: str) -> list[Row]:
        """The tables of a match, in the order in which they were played."""
        order = select(TableRow.__table__).where(TableRow.match == match)
        return await self._all(order.order_by(TableRow.created, TableRow.id))

    async def moves(self, match: str) -> dict[str, list[Row]]:
        """The moves of all games of a match, by table."""
        order = select(MoveRow.__table__).join(TableRow, TableRow.id == MoveRow.table_id)
        found: dict[str, list[Row]] = {}
        for row in await self._all(order.where(TableRow.match == match).order_by(MoveRow.table_id, MoveRow.ply)):
            found.setdefault(row["table_id"], []).append(row)
        return found

    # ----------------------------------------------------------------------------------------------- people

    async def peoples(self, game: str) -> list[Row]:
        """The seats of people's games that count, with their payoffs: those of the newest."""
        newest = select(TableRow.id, TableRow.payoffs).where(COUNTING, ~STOOD_IN, TableRow.game == game)
        tables = newest.order_by(TableRow.created.desc()).limit(PEOPLES).subquery()
        columns = (SeatRow.seat, SeatRow.kind, SeatRow.agent, SeatRow.token, SeatRow.left)
        return await self._all(
            select(tables.c.id, tables.c.payoffs, *columns).join(SeatRow, SeatRow.table_id == tables.c.id)
        )

    async def registered(self, client: str) -> tuple[int, int]:
        """The number of registered agents: from an address, and in all."""
        own = func.count().filter(ArenaAgentRow.client == client)
        order = select(own, func.count()).where(ArenaAgentRow.token.is_not(None))
        mine, all = await self.store.read(lambda connection: connection.execute(order).one())
        return int(mine), int(all)
