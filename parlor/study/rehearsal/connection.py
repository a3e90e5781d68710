"""A bot's connection to the server: requests that are sent again until there is an answer, and news by WebSocket.

The server may be killed at any time; a page would send again what was not answered, and so do bots.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Any

import httpx
import websockets

TIMEOUT = 120.0  # seconds that a server may be away
PAUSE = 0.1  # seconds before another try
AGAIN = {429, 502, 503}  # statuses that say: later


class Refused(Exception):
    """The server has answered no: the status, and the sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(f"{status}: {sentence}")
        self.status, self.sentence = status, sentence


class Silence(Exception):
    """The server does not answer for long; says what."""


class Connection:
    """To a server, shared by all bots of a process."""

    def __init__(self, address: str) -> None:
        self.address = address
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        self.http = httpx.AsyncClient(base_url=address, timeout=30.0, limits=limits, trust_env=False)
        self.retries = 0
        self.again: dict[int, int] = {}  # status -> how often it was answered instead of an answer

    async def close(self) -> None:
        """Hang up."""
        await self.http.aclose()

    async def ask(self, method: str, path: str, token: str = "", body: Any = None) -> tuple[Any, float, bool]:
        """The answer, how many milliseconds it took, and whether it came at the first try; Refused if it is no."""
        until, first = time.monotonic() + TIMEOUT, True
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        while True:
            began = time.perf_counter()
            try:
                answer = await self.http.request(method, path, headers=headers, json=body)
                if answer.status_code not in AGAIN:
                    break
                self.again[answer.status_code] = self.again.get(answer.status_code, 0) + 1
            except httpx.TransportError:
                self.again[0] = self.again.get(0, 0) + 1
            if time.monotonic() > until:
                raise Silence(f"the server has not answered {method} {path} for {TIMEOUT:g} seconds")
            first = False
            self.retries += 1
            await asyncio.sleep(PAUSE)
        took = 1000.0 * (time.perf_counter() - began)
        if answer.status_code >= 400:
            raise Refused(answer.status_code, _sentence(answer))
        return answer.json(), took, first

    async def news(self, path: str, token: str, beat: float = 0.0) -> AsyncGenerator[dict[str, Any], None]:
        """States as they come; connects again when the connection breaks. `beat`: seconds between signs of life."""
        address = self.address.replace("http", "ws", 1) + path
        while True:
            try:
                async with websockets.connect(address, proxy=None, open_timeout=10, ping_interval=None) as socket:
                    await socket.send(json.dumps({"token": token}))
                    async with _beating(socket.send, beat):
                        with contextlib.suppress(websockets.ConnectionClosedError):
                            async for message in socket:
                                yield json.loads(message)
                    if 4400 <= (socket.close_code or 0) < 4500 and socket.close_code != 4429:
                        return  # there is a reason to give no more news
            except (OSError, TimeoutError, websockets.WebSocketException):
                self.again[0] = self.again.get(0, 0) + 1
            await asyncio.sleep(PAUSE)


@contextlib.asynccontextmanager
async def _beating(send: Callable[[str], Any], beat: float) -> AsyncIterator[None]:
    """Within this, a sign of life is sent now and then."""

    async def work() -> None:
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                await asyncio.sleep(beat)
                await send("{}")

    task = asyncio.create_task(work()) if beat > 0 else None
    try:
        yield
    finally:
        if task is not None:
            task.cancel()


def _sentence(answer: httpx.Response) -> str:
    try:
        detail = answer.json()["detail"]
    except (ValueError, KeyError, TypeError):
        return answer.text[:200]
    return detail if isinstance(detail, str) else json.dumps(detail)[:200]
