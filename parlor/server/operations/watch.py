"""Monitoring for those who run the server: numbers for Prometheus at /metrics, and a log of all requests.

Neither has secrets: no tokens, no queries, no bodies, and of a table only the beginning of its id, since whoever knows
an id may take an open seat there.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from bisect import bisect_left
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

import parlor
from parlor.game import GameError

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # bounds of the histogram
STOPPING = [(b"content-type", b"application/json"), (b"retry-after", b"1")]
SHOWN = 6  # characters of a table's id
BEAT = 0.1  # seconds between two looks at whether requests are answered
STALLS = 3000  # looks after which a stall is forgotten, at most twice as many


class Watch:
    """Counts of everything that was asked since the start."""

    def __init__(self, access_log: str = "", addresses: bool = True) -> None:
        """With `access_log`, the file of the log, or - for the standard output; with or without clients' addresses."""
        self.requests: Counter[tuple[str, str, int]] = Counter()  # method, route, status
        self.buckets = [0] * (len(SECONDS) + 1)
        self.seconds = 0.0
        self.sockets = 0  # WebSockets that are open
        self.write_failed: float | None = None  # when a write failed, if none has succeeded since
        self.stalls = [0.0, 0.0]  # the longest lately, and before, in seconds
        self._addresses = addresses
        self._print = access_log == "-"
        self._file = _opened(access_log) if access_log and not self._print else None

    async def beat(self) -> None:
        """Notice how long nothing can be answered, since something else works where all requests are answered."""
        while True:
            for _ in range(STALLS):
                began = time.perf_counter()
                await asyncio.sleep(BEAT)
                self.stalls[0] = max(self.stalls[0], time.perf_counter() - began - BEAT)
            self.stalls = [0.0, self.stalls[0]]

    def took(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self.requests[(method, route, status)] += 1
        self.buckets[bisect_left(SECONDS, seconds)] += 1
        self.seconds += seconds
        if method != "GET" and status == 503:
            self.write_failed = time.monotonic()
        elif method != "GET" and status < 300:
            self.write_failed = None

    def log(self, scope: Scope, route: str, status: int, seconds: float, size: int) -> None:
        """Write a line."""
        file = sys.stdout if self._print else self._file
        if file is None:
            return
        line: dict[str, Any] = {"time": datetime.now(UTC).isoformat(timespec="milliseconds")}
        if self._addresses:
            line["client"] = (scope.get("client") or ("",))[0]
        line |= {
            "method": scope.get("method", "WEBSOCKET"),
            "path": route,
            "status": status,
            "ms": round(1000 * seconds, 1),
            "bytes": size,
        }
        if table := scope.get("path_params", {}).get("table"):
            line["table"] = str(table)[:SHOWN]
        if user := scope.get("user_name"):
            line["user"] = user
        file.write(json.dumps(line) + "\n")
        file.flush()

    def close(self) -> None:
        """Close the log, if it is a file of its own."""
        if self._file is not None:
            self._file.close()

    def text(self, gauges: dict[str, tuple[str, float]]) -> str:
        """Everything in the text format of Prometheus, with further gauges: name -> (help, value)."""
        lines = ["# HELP parlor_info The version.", "# TYPE parlor_info gauge"]
        lines.append(f'parlor_info{{version="{parlor.__version__}"}} 1')
        lines += ["# HELP parlor_requests_total Requests answered.", "# TYPE parlor_requests_total counter"]
        for (method, route, status), count in sorted(self.requests.items()):
            labels = f'method="{method}",route="{route}",status="{status}"'
            lines.append(f"parlor_requests_total{{{labels}}} {count}")
        lines += ["# HELP parlor_request_seconds Time to answer a request."]
        lines += ["# TYPE parlor_request_seconds histogram"]
        total = 0
        for bound, count in zip((*map(str, SECONDS), "+Inf"), self.buckets, strict=True):
            total += count
            lines.append(f'parlor_request_seconds_bucket{{le="{bound}"}} {total}')
        lines += [f"parlor_request_seconds_sum {self.seconds:.6f}", f"parlor_request_seconds_count {total}"]
        stall = ("The longest time of the last minutes in which nothing was answered.", max(self.stalls))
        sockets = ("WebSockets that are open.", float(self.sockets))
        known = {"parlor_websockets": sockets, "parlor_longest_stall_seconds": stall} | gauges
        for name, (help, value) in (known | _process()).items():
            kind = "counter" if name.endswith("_total") else "gauge"
            lines += [f"# HELP {name} {help}", f"# TYPE {name} {kind}", f"{name} {value:.15g}"]
        return "\n".join(lines) + "\n"


class Watched:
    """Counts and logs what passes through."""

    def __init__(self, app: ASGIApp, watch: Watch) -> None:
        self.app = app
        self.watch = watch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Time a request, or a WebSocket from its beginning to its end."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        watch, began, status, size = self.watch, time.perf_counter(), 0, 0

        async def counted(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "websocket.close":
                status = message.get("code", 1000)
            size += len(message.get("body", b"") or message.get("text") or b"")
            await send(message)

        live = scope["type"] == "websocket"
        watch.sockets += live
        try:
            await self.app(scope, receive, counted)
        except asyncio.CancelledError:  # the server stops, and has waited for long enough
            if scope["type"] == "http" and not status:
                await counted({"type": "http.response.start", "status": 503, "headers": STOPPING})
                await counted(
                    {"type": "http.response.body", "body": b'{"detail": "The server is stopping; try again."}'}
                )
        except Exception:
            status = status or 500
            raise
        finally:
            watch.sockets -= live
            seconds = time.perf_counter() - began
            route = _route(scope)
            if not live:
                watch.took(_method(scope), route, status, seconds)
            watch.log(scope, route, status, seconds, size)


def _route(scope: Scope) -> str:
    """The address without what is particular: `/api/tables/{table}/moves`."""
    parameters = {str(value): name for name, value in scope.get("path_params", {}).items()}
    if not scope["path"].startswith("/api"):
        return scope["path"] if scope["path"] in ("/", "/metrics") else "page"
    if "route" not in scope and "endpoint" not in scope:
        return "/api/nothing"
    return "/".join(f"{{{parameters[part]}}}" if part in parameters else part for part in scope["path"].split("/"))


def _method(scope: Scope) -> str:
    known = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
    return scope["method"] if scope["method"] in known else "OTHER"


def _opened(where: str) -> IO[str]:
    try:
        return Path(where).open("a", encoding="utf-8")
    except OSError as error:
        raise GameError(f"The access log {where} cannot be written: {error.strerror or error}.") from None


def _process() -> dict[str, tuple[str, float]]:
    """Return the process's CPU time, memory and number of open files."""
    found = {"process_cpu_seconds_total": ("Processor time.", time.process_time())}
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        found["process_resident_memory_bytes"] = ("Memory.", float(pages * os.sysconf("SC_PAGE_SIZE")))
        found["process_open_fds"] = ("Open files.", float(len(os.listdir("/proc/self/fd"))))
    except OSError:
        pass  # not on this system
    return found
