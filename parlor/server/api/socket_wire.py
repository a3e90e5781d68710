"""A WebSocket as the wire to a program: it is read all the time, so that it is known when the program has gone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect

from parlor.agents.programs import messages
from parlor.agents.programs.process import ProgramFailure
from parlor.game import GameError
from parlor.server.api.sockets import close, same_origin, token_of
from parlor.server.refusal import Refusal
from parlor.server.tables.store import AWAY

AHEAD = 16  # messages that may come without having been asked for

GONE = ProgramFailure("crash", "has gone")
FLOOD = ProgramFailure("garbage", f"sent more than {AHEAD} messages without being asked")


class SocketWire:
    """Messages over a WebSocket."""

    def __init__(self, socket: WebSocket) -> None:
        self.gone = asyncio.Event()  # the program has gone, or is sent away
        self.why = GONE
        self._socket = socket
        self._come: asyncio.Queue[str] = asyncio.Queue(AHEAD)

    async def read(self) -> None:
        """Read until the program goes."""
        try:
            while True:
                self._come.put_nowait(await self._socket.receive_text())
        except asyncio.QueueFull:
            self.end(FLOOD)
        except (WebSocketDisconnect, RuntimeError, KeyError):  # KeyError: bytes instead of text
            self.end(GONE)

    def end(self, why: ProgramFailure) -> None:
        """Nothing goes over this wire any more."""
        if not self.gone.is_set():
            self.why = why
            self.gone.set()

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        if self.gone.is_set():
            raise self.why
        try:
            await self._socket.send_text(messages.line(message).decode())
        except (WebSocketDisconnect, RuntimeError):
            self.end(GONE)
            raise GONE from None

    async def receive(self, seconds: float) -> dict[str, Any]:
        """The next message."""
        if self._come.empty():
            come, gone = asyncio.ensure_future(self._come.get()), asyncio.ensure_future(self.gone.wait())
            await asyncio.wait({come, gone}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            gone.cancel()
            if not come.done():
                come.cancel()
                if self.gone.is_set():
                    raise self.why
                raise ProgramFailure("timeout", "wrote nothing in the time it had")
            return messages.parsed(come.result().encode())
        return messages.parsed(self._come.get_nowait().encode())


@contextlib.asynccontextmanager
async def connected(socket: WebSocket) -> AsyncIterator[tuple[SocketWire, str]]:
    """Within this, the wire to a program and the token that it sent first; when it ends, the reason is a sentence."""
    if not same_origin(socket):
        await socket.close(4403, "Only programs and pages of this server may connect.")
        return
    await socket.accept()
    wire, reading = SocketWire(socket), None
    try:
        token = await token_of(socket)
        reading = asyncio.create_task(wire.read())
        yield wire, token
        await close(socket, 1000, "The game is over.")
    except Refusal as refusal:
        await close(socket, 4000 + refusal.status, refusal.sentence)
    except ProgramFailure as failure:
        await close(socket, 4400, f"The program {failure}.")
    except GameError as error:
        await close(socket, 4409, str(error))
    except AWAY:
        await close(socket, 4503, "The database cannot be reached at the moment.")
    except WebSocketDisconnect:
        pass
    finally:
        if reading is not None:
            reading.cancel()
