"""A table live: a WebSocket that sends its state whenever something changes.

A browser cannot send headers with a WebSocket, and addresses end up in logs: so the token of the seat
is the first message, {"token": "…"}; a spectator sends {"token": ""}. Every message that comes back is a `TableState`
whose history begins where the one before ended. When it closes, the reason is a sentence; codes are 4000 + the HTTP
status.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from datetime import datetime
from urllib.parse import urlsplit

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from parlor.server.refusal import Refusal
from parlor.server.schemas.tables import TableState
from parlor.server.tables import table_queries
from parlor.server.tables.session import Viewer
from parlor.server.tables.store import AWAY, now
from parlor.server.tables.tables import Tables

TIMEOUT = 10.0  # seconds for the token to come
LOOK = 5.0  # seconds between checks without news: another process may have moved
WATCHERS, SPECTATORS = 8, 40  # of one seat; of one table, besides
TOKEN = 200  # characters it may have

router = APIRouter()


@router.websocket("/api/tables/{table}/live")
async def live(socket: WebSocket, table: str) -> None:
    """Send the state now and after every change."""
    tables: Tables = socket.app.state.tables
    if not same_origin(socket):
        await socket.close(4403, "Only pages of this server may watch.")
        return
    await socket.accept()
    try:
        token = await token_of(socket)
        async with tables.seen(table, token, study=True) as (_, seat, _):
            viewer: Viewer = seat
        with tables.watching(table, viewer, SPECTATORS if viewer is None else WATCHERS) as changed:
            gone = asyncio.create_task(_gone(socket))
            try:
                await _send_changes(socket, tables, table, token, changed, gone)
            finally:
                gone.cancel()
    except Refusal as refusal:
        await close(socket, 4000 + refusal.status, refusal.sentence)
    except AWAY:
        await close(socket, 4503, "The database cannot be reached at the moment.")
    except WebSocketDisconnect:
        pass


def same_origin(socket: WebSocket) -> bool:
    """Whether the request, if it is from a page, is from ours: browsers let any page open a WebSocket."""
    origin = socket.headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == socket.headers.get("host")
    except ValueError:
        return False


async def token_of(socket: WebSocket) -> str:
    """The token that a client sends first."""
    try:
        said = json.loads(await asyncio.wait_for(socket.receive_text(), TIMEOUT))
        token = said["token"]
    except (ValueError, KeyError, TypeError, RecursionError):
        token = None
    except TimeoutError:
        raise Refusal(401, "The token of the seat was not received in time.") from None
    if not isinstance(token, str) or len(token) > TOKEN:
        raise Refusal(401, 'The first message must be {"token": "…"}, the token of the seat.')
    return token


async def _gone(socket: WebSocket) -> bool:
    """Wait until the client disconnects; False if it says something instead."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        return (await socket.receive())["type"] != "websocket.receive"
    return True


async def _send_changes(
    socket: WebSocket, tables: Tables, table: str, token: str, changed: asyncio.Event, gone: asyncio.Task[bool]
) -> None:
    sent, since = None, 0
    while not gone.done():
        changed.clear()
        state = await table_queries.state(tables, table, token, since)
        settings = (state.pace, state.watch, state.seats, state.undo, state.replaced_by)
        mark = (state.ply, state.turn, state.open, state.trouble, settings)
        if mark != sent:
            await socket.send_text(state.model_dump_json())
            sent, since = mark, state.ply
        waiting = asyncio.create_task(changed.wait())
        await asyncio.wait({waiting, gone}, timeout=_patience(state), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
    if not gone.result():
        raise Refusal(400, "Nothing is expected after the token.")


def _patience(state: TableState) -> float:
    """Seconds until the next look: sooner, if somebody's time is up before."""
    if state.clock is None or state.clock.deadline is None:
        return LOOK
    left = (datetime.fromisoformat(state.clock.deadline) - now()).total_seconds()
    return min(LOOK, max(left, 0.0) + 0.01)


async def close(socket: WebSocket, code: int, reason: str) -> None:
    """Close with a sentence, unless the client has gone."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code, reason[:120])
