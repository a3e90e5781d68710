"""WebSockets that send a state now and whenever something changes, to whoever has sent a token first."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from urllib.parse import urlsplit

from fastapi import WebSocket, WebSocketDisconnect

from parlor.server.refusal import Refusal
from parlor.server.tables.store import AWAY

TIMEOUT = 10.0  # seconds for the token to come
TOKEN = 200  # characters it may have

#: Returns a text, if there is something new to send, and the seconds until the next look without news.
Look = Callable[[], Awaitable[tuple[str | None, float]]]
#: Within the context of a token, an event is set when something has changed.
Feed = Callable[[str], AbstractAsyncContextManager[tuple[asyncio.Event, Look]]]


async def send_changes(socket: WebSocket, feed: Feed, may_speak: bool = False) -> None:
    """Send what is new until the client goes away; after the token it says nothing, unless it `may_speak`."""
    if not same_origin(socket):
        await socket.close(4403, "Only pages of this server may watch.")
        return
    await socket.accept()
    try:
        async with feed(await token_of(socket)) as (changed, look):
            gone = asyncio.create_task(_gone(socket, may_speak))
            try:
                await _send_until(gone, socket, changed, look)
            finally:
                gone.cancel()
    except Refusal as refusal:
        await close(socket, 4000 + refusal.status, refusal.sentence)
    except AWAY:
        await close(socket, 4503, "The database cannot be reached at the moment.")
    except WebSocketDisconnect:
        pass


async def _send_until(gone: asyncio.Task[bool], socket: WebSocket, changed: asyncio.Event, look: Look) -> None:
    while not gone.done():
        changed.clear()
        text, seconds = await look()
        if text is not None:
            await socket.send_text(text)
        news = asyncio.create_task(changed.wait())
        await asyncio.wait({news, gone}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        news.cancel()
    if not gone.result():
        raise Refusal(400, "Nothing is expected after the token.")


async def _gone(socket: WebSocket, may_speak: bool) -> bool:
    """Wait until the client disconnects; False if it says something that it may not."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (await socket.receive())["type"] == "websocket.receive":
            if not may_speak:
                return False
    return True


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


async def close(socket: WebSocket, code: int, reason: str) -> None:
    """Close with a sentence, unless the client has gone."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code, reason.encode(errors="replace")[:120].decode(errors="ignore"))  # of 123 bytes at most
