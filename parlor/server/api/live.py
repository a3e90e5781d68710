"""A table live: a WebSocket that sends its state whenever something changes.

A browser cannot send headers with a WebSocket, and addresses end up in logs: so the token of the seat
is the first message, {"token": "…"}; a spectator sends {"token": ""}. Every message that comes back is a `TableState`
whose history begins where the one before ended. When it closes, the reason is a sentence; codes are 4000 + the HTTP
status.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import datetime

from fastapi import APIRouter, WebSocket

from parlor.server.api.sockets import Look, send_changes
from parlor.server.schemas.tables import TableState
from parlor.server.tables import table_queries
from parlor.server.tables.store import now
from parlor.server.tables.tables import Tables

LOOK = 5.0  # seconds between checks without news: another process may have moved
WATCHERS, SPECTATORS = 8, 40  # of one seat; of one table, besides

router = APIRouter()


@router.websocket("/api/tables/{table}/live")
async def live(socket: WebSocket, table: str) -> None:
    """Send the state now and after every change."""
    await send_changes(socket, lambda token: _feed(socket.app.state.tables, table, token))


@contextlib.asynccontextmanager
async def _feed(tables: Tables, table: str, token: str) -> AsyncIterator[tuple[asyncio.Event, Look]]:
    async with tables.seen(table, token, study=True) as (_, viewer, _):
        most = SPECTATORS if viewer is None else WATCHERS
    sent: tuple[object, ...] | None = None
    since = 0

    async def look() -> tuple[str | None, float]:
        nonlocal sent, since
        state = await table_queries.state(tables, table, token, since)
        settings = (state.pace, state.watch, state.seats, state.undo, state.replaced_by)
        mark = (state.ply, state.turn, state.open, state.trouble, state.thinking, settings)
        text = state.model_dump_json() if mark != sent else None
        sent, since = mark, state.ply
        return text, _seconds_until_look(state)

    with tables.watchers.watching(table, viewer, most) as changed:
        yield changed, look


def _seconds_until_look(state: TableState) -> float:
    """Sooner, if somebody's time is up before."""
    if state.clock is None or state.clock.deadline is None:
        return LOOK
    left = (datetime.fromisoformat(state.clock.deadline) - now()).total_seconds()
    return min(LOOK, max(left, 0.0) + 0.01)
