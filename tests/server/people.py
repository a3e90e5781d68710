"""Whoever talks to a server in the tests: a server in a thread, and a person at a table."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from parlor.server.api.connections import uvicorn_config
from parlor.server.operations.settings import ServerSettings
from parlor.server.thinking.thinking import FULL, STILL
from parlor.study.api.app import create_app
from tests.server.databases import without_games


class PromptServer(uvicorn.Server):
    """It says when it has started, and ends when it is told to; the usual one looks ten times a second."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()  # it has started, or it cannot
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told = asyncio.Event()

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            super().run(sockets)
        finally:
            self.ready.set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        ticking = asyncio.create_task(super().main_loop())
        await self._told.wait()
        ticking.cancel()

    def end(self) -> None:
        """From another thread."""
        self.should_exit = True
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended already
                self._loop.call_soon_threadsafe(self._told.set)


@contextlib.contextmanager
def serving(settings: ServerSettings) -> Iterator[str]:
    """Within this, a server answers at the address."""
    file = Path(settings.database_url.removeprefix("sqlite:///"))
    if settings.database_url.startswith("sqlite:///") and not file.exists():
        without_games(file)  # as the server would make it
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(256)
    server = PromptServer(uvicorn_config(create_app(settings), settings, log_level="error", grace=2))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        assert server.ready.wait(60)
        assert server.started
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.end()
        thread.join(10)
        listener.close()


@contextlib.contextmanager
def client_of(settings: ServerSettings) -> Iterator[httpx.Client]:
    """Within this, a client of a server of its own."""
    with serving(settings) as address, httpx.Client(base_url=address, timeout=600, verify=False) as client:
        yield client


def unfinished(what: str, status: int, answer: bytes) -> bool:
    """Whether the server still works on an answer, so that it must be asked again for all of it."""
    if status == 503:
        return json.loads(answer).get("detail") in (STILL, FULL)
    return "/mind/" in what and status == 200 and not json.loads(answer)["done"]


@dataclass
class Person:
    """Somebody with a seat; without a token, a spectator."""

    http: httpx.Client
    state: dict[str, Any]
    token: str
    sent: list[tuple[int, str | int]] = field(default_factory=list)

    @property
    def path(self) -> str:
        return f"/api/tables/{self.state['id']}"

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, what: str = "") -> httpx.Response:
        """What is there; of what is worked out, the end."""
        while True:
            answer = self.http.get(self.path + what, headers=self.headers)
            if not unfinished(what, answer.status_code, answer.content):
                return answer

    def post(self, what: str, body: Any) -> httpx.Response:
        return self.http.post(self.path + what, headers=self.headers, json=body)

    def move(self, name: str | int | None = None, ply: int | None = None) -> httpx.Response:
        """Move, by default now this and now that, but no hand of hold'em is folded; remember what came of it."""
        legal = [m["name"] for m in self.state["legal"] if m["verb"] != "fold"]
        name = legal[self.state["ply"] % len(legal)] if name is None else name
        ply = self.state["ply"] if ply is None else ply
        response = self.post("/moves", {"ply": ply, "move": name})
        if response.status_code == 200:
            self.sent.append((ply, name))
            self.state = response.json()
        return response

    def advance(self) -> httpx.Response:
        response = self.post("/advance", {"ply": self.state["ply"]})
        if response.status_code == 200:
            self.state = response.json()
        return response

    def play(self, plies: int = 100_000) -> None:
        """Play on, stepping the agent where it waits, until the game is over or has come so far."""
        while self.state["turn"] != "over" and self.state["ply"] < plies:
            response = self.move() if self.state["turn"] == "you" else self.advance()
            assert response.status_code == 200, response.text


def sit(http: httpx.Client, game: str = "monopoly-deal", agent: str = "random", **wanted: Any) -> Person:
    """Sit down to a deal that gives a game of Monopoly Deal some length, unless another is wanted."""
    response = http.post("/api/tables", json={"game": game, "agent": agent, "seed": 10} | wanted)
    assert response.status_code == 201, response.text
    seated = response.json()
    return Person(http, seated["state"], seated["token"])
