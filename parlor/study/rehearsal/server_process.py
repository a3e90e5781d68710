"""The study's server as a process of its own, which can be killed and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import httpx

from parlor.game import GameError

START = 300.0  # seconds that it may take to start


@dataclass
class ServerProcess:
    """`parlor study serve` with a database of its own."""

    study: Path
    database_url: str
    speed: float
    log: Path  # what it prints
    port: int = 0
    process: subprocess.Popen[bytes] | None = None
    away: list[tuple[datetime, datetime]] = field(default_factory=list)  # when it was killed, when it answered again
    _held: socket.socket | None = None

    @property
    def address(self) -> str:
        """The URL of the server."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start, and wait until it answers."""
        if self.port == 0:
            self._held = bound_socket()
            self.port = int(self._held.getsockname()[1])
        command = [sys.executable, "-m", "parlor", "study", "serve", str(self.study), "--port", str(self.port)]
        # all bots come from one address
        command += ["--database-url", self.database_url, "--speed", f"{self.speed:g}", "--requests", "0"]
        passwords = self.log.with_name("passwords")
        if not passwords.exists():
            passwords.write_text(f"researcher:{secrets.token_urlsafe(16)}\n")
        command += ["--password-file", str(passwords)]
        with self.log.open("ab") as log:
            # not in the group of this process: Ctrl-C must reach the bots before the server goes
            self.process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        until = time.monotonic() + START
        async with httpx.AsyncClient(trust_env=False) as client:
            while time.monotonic() < until:
                if self.process.poll() is not None:
                    raise GameError(f"The server does not start: {self.last_words()}")
                with contextlib.suppress(httpx.TransportError):
                    if (await client.get(f"{self.address}/api/study")).status_code == 200:
                        return
                await asyncio.sleep(0.05)
        raise GameError(f"The server has not answered for {START:g} seconds: {self.last_words()}")

    async def kill(self) -> None:
        """Kill it without a warning, and start it again."""
        assert self.process is not None
        at = datetime.now(UTC)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGKILL)
        await asyncio.to_thread(self.process.wait)
        await self.start()
        self.away.append((at, datetime.now(UTC)))

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Within this it may run; afterwards it is stopped, also if this process is asked to end."""

        def end(number: int, frame: object) -> None:
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGTERM, end)
        try:
            yield
        finally:
            signal.signal(signal.SIGTERM, before)
            self.stop()

    def stop(self) -> None:
        """Stop it, politely."""
        if self._held is not None:
            self._held.close()
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()

    def last_words(self) -> str:
        """The last line that it printed."""
        lines = self.log.read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing."


def bound_socket() -> socket.socket:
    """A socket at a free port: while it is open, the system gives the port to nobody who asks for any free one.

    It does not listen, and a server that names the port can.
    """
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    return held
