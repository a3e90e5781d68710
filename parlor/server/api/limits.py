"""Limits and headers: the size and number of requests, and security headers for browsers."""

from __future__ import annotations

import functools
import ipaddress
import json
import math
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlor.server.operations.settings import ServerSettings
from parlor.server.thinking.thinking import asker

CLIENTS = 10_000  # whose rates are remembered
CREATING = 10  # a new table, participant or agent counts as this many requests
CREATES = re.compile(r"/api/(tables(/import|/[^/]*/(branch|undo))?|study/enter|arena/agents)/?")
LONG = ("/api/tables/import", "/api/study/answer")  # a game, or many texts

HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'self'",
            "script-src 'self'",
            "style-src 'self' 'unsafe-inline'",  # charts and progress bars set sizes in style attributes
            "img-src 'self' data:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
PAGE_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
API_HEADERS = [*PAGE_HEADERS, (b"cache-control", b"no-store")]


class Headers:
    """Every response has the security headers; those of the API are not cached."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add headers to the start of the response."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        wanted = API_HEADERS if scope["path"].startswith("/api") else PAGE_HEADERS

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = message.setdefault("headers", [])
                names = {name.lower() for name, _ in given}
                message["headers"] = [*given, *(pair for pair in wanted if pair[0] not in names)]
            await send(message)

        await self.app(scope, receive, with_headers)


class Names:
    """Refuse requests for a name that is not this server's.

    A page somewhere may let its own name point to this machine and so read what only this machine should: the browser
    then says that name.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app = app
        self.names = {name.lower() for name in settings.names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Compare the header Host without its port."""
        if scope["type"] not in ("http", "websocket") or not self.names or self._known(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": "This server has another name."})
        else:
            names = " or ".join(sorted(self.names))
            await refuse(send, 421, f"This server is {names}; parlor serve --names NAME lets it have another name.")

    def _known(self, scope: Scope) -> bool:
        said = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1").lower()
        bare = said.rpartition("]")[0].lstrip("[") if said.startswith("[") else said.partition(":")[0]
        return bare in self.names


class SizeLimits:
    """Refuse bodies that are too large, whatever their header says."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count while reading."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most = self.settings.largest_import if scope["path"] in LONG else self.settings.largest
        sentence = f"A request may have at most {most:,} bytes here."
        declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if not declared.isdigit() or int(declared) > most:
            await refuse(send, 413, sentence)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise HTTPException(413, sentence)  # which the application turns into an answer
            return message

        await self.app(scope, counted, send)


class Rates:
    """The number of requests a second from one address: a token bucket."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app = app
        self.rate = settings.rate
        self.burst = float(settings.burst)
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # address -> (what is left, when)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take from the bucket, or refuse."""
        asker.set(address_of(scope))
        if self.rate <= 0.0 or scope["type"] not in ("http", "websocket") or not scope["path"].startswith("/api"):
            await self.app(scope, receive, send)
            return
        wait = self.take(address_of(scope), CREATING if is_creating(scope) else 1)
        if wait <= 0.0:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4429, "reason": "Too many requests."})
        else:
            headers = {"retry-after": str(math.ceil(wait))}
            await refuse(send, 429, f"Too many requests; try again in {math.ceil(wait)} s.", headers)

    def take(self, address: str, cost: int) -> float:
        """Seconds to wait; 0: go ahead."""
        now = time.monotonic()
        left, then = self.buckets.pop(address, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.rate)
        enough = left >= cost
        self.buckets[address] = (left - cost if enough else left, now)
        while len(self.buckets) > CLIENTS:
            self.buckets.popitem(last=False)
        return 0.0 if enough else (cost - left) / self.rate


class Sockets:
    """The number of WebSockets from one address at a time."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app = app
        self.most = settings.sockets
        self.open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count while it is open, or refuse."""
        if self.most <= 0 or scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        address = address_of(scope)
        if self.open[address] >= self.most:
            await receive()
            await send({"type": "websocket.accept"})  # a browser is told the reason only then
            reason = f"From your address {self.most} windows are open: close one."
            await send({"type": "websocket.close", "code": 4429, "reason": reason})
            return
        self.open[address] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.open[address] -= 1
            if not self.open[address]:
                del self.open[address]


def address_of(scope: Scope) -> str:
    """Return the address that a request counts for; empty if it is unknown.

    Of IPv6 that is the network of 64 bits: whoever has one address there has all of them.
    """
    return network_of(str((scope.get("client") or ("", 0))[0]))


@functools.lru_cache(CLIENTS)
def network_of(address: str) -> str:
    """An IPv4 address as it is, an IPv6 address as its /64; what is no address, as it is."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address) or found.is_loopback:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(found) >> 64 << 64, 64)))


def is_creating(scope: Scope) -> bool:
    """Whether a request is for a new table or agent, or of somebody who comes to a study."""
    return scope.get("method") == "POST" and CREATES.fullmatch(scope["path"]) is not None


async def refuse(send: Send, status: int, sentence: str, headers: Mapping[str, str] | None = None) -> None:
    """Respond with a sentence."""
    body = json.dumps({"detail": sentence}).encode()
    given = {"content-type": "application/json", "content-length": str(len(body))} | dict(headers or {})
    listed = [(name.encode(), value.encode()) for name, value in given.items()]
    await send({"type": "http.response.start", "status": status, "headers": listed})
    await send({"type": "http.response.body", "body": body})
