"""Programs that connect to a server by themselves: the line protocol over a WebSocket."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

Message = dict[str, Any]
#: Returns what is sent for an `act`: an answer, or any text.
Answers = Callable[[Message], Message | str]


def first(message: Message) -> Message:
    """The first legal move."""
    return {"id": message["id"], "move": message["observation"]["legal"][0]}


def last(message: Message) -> Message:
    """The last legal move, by its id."""
    return {"id": message["id"], "action": message["observation"]["actions"][-1]}


def evenly(message: Message) -> Message:
    """All moves with the same probability."""
    legal = message["observation"]["legal"]
    return {"id": message["id"], "probabilities": {move: 1 / len(legal) for move in legal}}


@dataclass
class Remote:
    """A program at the other end of a WebSocket: all that it was sent, and why it ended."""

    url: str
    token: str
    answers: Answers = first
    ready: Message = field(default_factory=lambda: {"type": "ready", "protocol": 1})
    got: list[Message] = field(default_factory=list)
    closed: tuple[int, str] = (0, "")
    socket: ClientConnection | None = None

    def run(self) -> None:
        """Play until the server closes the connection."""
        try:
            with connect(self.url.replace("http", "ws", 1), max_size=1 << 22) as self.socket:
                self.socket.send(json.dumps({"token": self.token}))
                while True:
                    self.take(json.loads(self.socket.recv()))
        except ConnectionClosed as closed:
            if closed.rcvd is not None:
                self.closed = (closed.rcvd.code, closed.rcvd.reason)

    def take(self, message: Message) -> None:
        """Take a message, and answer it if it wants that."""
        assert self.socket is not None
        self.got.append(message)
        if message["type"] == "hello":
            self.socket.send(json.dumps(self.ready))
        elif message["type"] == "act":
            said = self.answers(message)
            self.socket.send(said if isinstance(said, str) else json.dumps(said))

    def of(self, kind: str) -> list[Message]:
        """The messages of a type."""
        return [message for message in self.got if message["type"] == kind]


@contextlib.contextmanager
def running(*programs: Remote) -> Iterator[None]:
    """Within this, programs play in threads."""
    threads = [threading.Thread(target=program.run, daemon=True) for program in programs]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for program in programs:
            if program.socket is not None:
                program.socket.close()
        for thread in threads:
            thread.join(10)
