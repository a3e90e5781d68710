"""Connections: what a client may send and how long it may take, before any request reaches the application.

Uvicorn bounds neither the head of a request, nor the time in which it must arrive and its answer must be read, nor what
comes over a WebSocket. These protocols do, and otherwise are Uvicorn's. When nearly all connections are taken, a new
one takes the place of the one that has been sending its request for the longest time.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import OPEN

from parlor.server.operations.settings import ServerSettings

HEAD = 32_768  # bytes of the head of a request: its address and its headers
REQUEST = 4_000_000  # bytes of a request in all; the application is stricter about its body
TIMEOUT = 10.0  # seconds in which a request must arrive
EXCHANGE = 120.0  # seconds in which it must be answered and the answer be read
QUEUE = 16  # requests that may be sent before the first is answered
MESSAGE = 4096  # bytes of a message over a WebSocket: the token of a seat, the answer of a program
MESSAGES = 8192  # bytes over a WebSocket at once,
MESSAGES_RATE = 64.0  # and in the long run per second: answers to pings,
ANSWERS_RATE = 65_536.0  # or the answers of a program
PROGRAMS = re.compile(r"/api/(tables/[^/]*/program|arena/play)")  # where programs answer
GRACE = 5  # seconds for requests in progress when the server stops
SPARE = 16  # connections that are free for new ones
FILES = 100  # open files that are not connections


def uvicorn_config(
    app: ASGIApp, settings: ServerSettings, log_level: str = "warning", grace: int = GRACE
) -> uvicorn.Config:
    """Return Uvicorn's configuration, with bounds on connections and messages."""
    return uvicorn.Config(
        app,
        http=BoundedHttp,
        ws=BoundedWebSocket,
        ws_max_size=MESSAGE,
        ws_ping_interval=20.0,
        limit_concurrency=max(2 * SPARE, min(settings.connections, _open_files() - FILES)),
        server_header=False,
        access_log=False,  # Parlor writes its own, without what must not be in a log
        log_config=None,  # Uvicorn's own would close the log handlers of everybody else in this process
        log_level=log_level,
        timeout_graceful_shutdown=grace,
    )


def _open_files() -> int:
    """Raise this process's limit on open files, to 8,192 at most, and return it."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 512
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 8192 if hard == resource.RLIM_INFINITY else min(8192, hard)
    if soft < most:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return soft


class BoundedHttp(HttpToolsProtocol):
    """HTTP with bounds."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room if there is none, and look after it from now on."""
        super().connection_made(transport)
        self.received = 0  # bytes of the request so far
        self.in_head = self.arriving = True
        self.upgraded = False
        self.since = self.loop.time()
        self.watch = self.loop.call_later(TIMEOUT, self._look)
        if self.limit_concurrency and len(self.connections) > self.limit_concurrency - SPARE:
            waiting = [c for c in self.connections if isinstance(c, BoundedHttp) and c.arriving]
            min(waiting, key=lambda one: one.since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is left to look after."""
        self.watch.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """A WebSocket is looked after by its pings."""
        self.watch.cancel()
        self.upgraded = True
        super().handle_websocket_upgrade()

    def _look(self) -> None:
        """Hang up if it takes too long."""
        late = self.loop.time() - self.since
        if self.arriving and self.received and late >= TIMEOUT and not self.transport.is_closing():
            self._refuse(408, f"The request did not arrive within {TIMEOUT:g} s.")
        elif late >= (TIMEOUT if self.arriving else EXCHANGE) or self.transport.is_closing():
            self.transport.abort()  # even if something is left to be written
            return
        self.watch = self.loop.call_later(TIMEOUT, self._look)

    def data_received(self, data: bytes) -> None:
        """Parse no more of a head than it may have."""
        while data and not self.upgraded and not self.transport.is_closing():
            size = HEAD - self.received if self.in_head else len(data)
            part, data = data[:size], data[size:]
            self.received += len(part)
            super().data_received(part)
            if self.in_head and self.received >= HEAD:
                self._refuse(431, f"The head of a request may have at most {HEAD:,} bytes.")
            elif self.received > REQUEST:
                self.transport.abort()

    def on_message_begin(self) -> None:
        """A request arrives."""
        if len(self.pipeline) >= QUEUE:
            raise ValueError("too many requests are waiting")  # which the parser makes a bad request
        self.arriving, self.since = True, self.loop.time()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Note that the head is complete: the body follows."""
        self.in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """It has arrived."""
        self.in_head, self.arriving, self.received, self.since = True, False, 0, self.loop.time()
        super().on_message_complete()

    def _refuse(self, status: int, sentence: str) -> None:
        """Say why, unless an answer is on its way, and hang up."""
        body = json.dumps({"detail": sentence}).encode()
        head = f"content-type: application/json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(STATUS_LINE[status] + head.encode() + body)
        self.transport.close()


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose client has little to say, unless it is a program."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Nothing has been said yet."""
        super().connection_made(transport)
        self.left, self.then = float(MESSAGES), self.loop.time()

    def data_received(self, data: bytes) -> None:
        """Count before anything is parsed: a frame of six bytes costs as much as a long one."""
        if self.handshake_initiated:  # what comes first is the request, which has been bounded
            now = self.loop.time()
            rate = ANSWERS_RATE if PROGRAMS.fullmatch(self.scope["path"]) else MESSAGES_RATE
            self.left = min(MESSAGES, self.left + (now - self.then) * rate) - len(data)
            self.then = now
            if self.left < 0:
                self._hang_up(1008, "Too much was sent.")
                return
        super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        """A text that is not UTF-8 ends it, without a word in the log."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self._hang_up(1007, "Text must be UTF-8.")
                return
        super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        """Whoever does not answer pings does not read what is left to be written either."""
        super().keepalive_timeout()
        self.transport.abort()

    def shutdown(self) -> None:
        """End with the server; one that is being closed already would stop Uvicorn from ending."""
        if self.handshake_complete and self.conn.state is not OPEN:
            self.stop_keepalive()
            self.transport.close()
        else:
            super().shutdown()

    def _hang_up(self, code: int, reason: str) -> None:
        if self.close_sent or self.conn.state is not OPEN:
            self.transport.abort()
        else:
            self.conn.fail(code, reason)
            self.handle_parser_exception()
