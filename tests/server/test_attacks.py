"""A server that is attacked goes on answering everybody else, and what it says about it is a sentence."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Opcode
from websockets.protocol import State
from websockets.sync.client import connect
from websockets.typing import Origin

from parlor.server.api import connections
from parlor.server.operations.settings import ServerSettings
from tests.server.people import Person, client_of, sit

pytestmark = pytest.mark.slow

HALF = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{"


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """One server for all attacks."""
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path_factory.mktemp('attacked')}/parlor.db", rate=0)
    with client_of(settings) as client:
        yield client


def line(http: httpx.Client) -> socket.socket:
    """A connection on which anything can be said."""
    where = urlsplit(str(http.base_url))
    made = socket.create_connection((where.hostname or "", where.port or 0))
    made.settimeout(20)
    return made


def live(person: Person) -> str:
    return str(person.http.base_url).replace("http", "ws", 1) + f"{person.path}/live"


def heard(attacker: socket.socket) -> bytes:
    """Everything until the server hangs up."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while part := attacker.recv(65536):
            found += part
    return found


# --------------------------------------------------------------------------------------------------- requests


@pytest.mark.parametrize("beginning", [b"GET /api/health HTTP/1.1\r\nX: ", b"GET /api/health?", b"GET / HTTP/1.1\r\n"])
def test_an_endless_head_is_cut_off(http: httpx.Client, beginning: bytes) -> None:
    more = b"a: b\r\n" * 11_000 if beginning.endswith(b"\n") else b"a" * 65_536
    with line(http) as attacker:
        attacker.sendall(beginning)
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 20_000_000:
                attacker.sendall(more)
                sent += len(more)
        assert sent < 20_000_000, "everything was taken"
    assert http.get("/api/health").status_code == 200


def test_a_long_head_gets_a_sentence(http: httpx.Client) -> None:
    answer = http.get("/api/health", headers={"X-Long": "x" * connections.HEAD})
    assert answer.status_code == 431
    assert answer.json() == {"detail": f"The head of a request may have at most {connections.HEAD:,} bytes."}
    assert http.get("/api/health", headers={"X-Long": "x" * (connections.HEAD - 1000)}).status_code == 200


def test_half_requests_are_hung_up_on(http: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "TIMEOUT", 1.0)
    for said in (b"", b"GET /api/he", HALF):
        with line(http) as attacker:
            attacker.sendall(said)
            answer = heard(attacker)
            assert (b"408" in answer.partition(b"\r\n")[0]) == bool(said), answer


def test_new_connections_take_the_place_of_half_requests(tmp_path: Path) -> None:
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0, connections=40)
    with client_of(settings) as http, contextlib.ExitStack() as attackers:
        for _ in range(100):
            attackers.enter_context(line(http)).sendall(HALF)
        person = sit(http, "kuhn")
        assert person.get().status_code == 200
        began = time.monotonic()
    assert time.monotonic() - began < 9, "half requests hold up the shutdown"


# --------------------------------------------------------------------------------------------------- WebSockets


def test_frames_after_the_token_end_a_watch(http: httpx.Client) -> None:
    person = sit(http, seat=0)
    with connect(live(person)) as watcher:
        watcher.send(json.dumps({"token": person.token}))
        watcher.recv(60)
        watcher.send("more")
        with pytest.raises(ConnectionClosed) as caught:
            watcher.recv(60)
    assert caught.value.rcvd is not None
    assert (caught.value.rcvd.code, caught.value.rcvd.reason) == (4400, "Nothing is expected after the token.")


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.TEXT])
def test_a_flood_of_frames_is_cut_off(http: httpx.Client, opcode: Opcode) -> None:
    person = sit(http, seat=0)
    with connect(live(person), ping_interval=None) as watcher:
        watcher.send(json.dumps({"token": person.token}))
        watcher.recv(60)
        frame = bytes([0x80 | opcode, 0x80, 0, 0, 0, 0])  # masked and empty
        sent = 0
        with contextlib.suppress(OSError):  # the client closes it too
            while sent < 20_000_000:
                watcher.socket.sendall(frame * 10_000)
                sent += 60_000
        assert sent < 20_000_000, "everything was taken"
    assert person.get().status_code == 200


def test_a_frame_that_is_not_utf8_is_refused_without_a_traceback(
    http: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    person = sit(http, seat=0)
    with caplog.at_level(logging.INFO), connect(live(person)) as watcher:
        watcher.send(b"\xff\xfe", text=True)
        with pytest.raises(ConnectionClosed) as caught:
            watcher.recv(60)
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 1007
    assert "Traceback" not in caplog.text
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "http://a:b:c"])
def test_an_origin_that_is_none_is_refused(http: httpx.Client, origin: str) -> None:
    person = sit(http, seat=0)
    with pytest.raises(InvalidStatus) as caught:
        connect(live(person), origin=Origin(origin))
    assert caught.value.response.status_code == 403


# --------------------------------------------------------------------------------------------------- words


@pytest.mark.parametrize("number", ["²", "٣", "-1", "1e1", "", "9" * 5000])
def test_a_number_that_is_none_is_refused(http: httpx.Client, number: str) -> None:
    wanted = {"game": "monopoly-deal", "agent": f"look-ahead(rollouts={number})"}
    answer = http.post("/api/tables", json=wanted)
    assert answer.status_code == 422, answer.text


def test_games_with_very_long_lists_of_moves_are_not_offered(http: httpx.Client) -> None:
    """Listing and naming 50,000 bets took a second and more, in which nobody else was answered."""
    for wanted in ({"game": "holdem", "options": {"stack": 50_000}}, {"game": "holdem(stack=50000)"}):
        answer = http.post("/api/tables", json={"agent": "random"} | wanted)
        assert answer.status_code == 422
        assert "50,002 moves" in answer.json()["detail"]
    assert http.post("/api/tables", json={"game": "holdem(stack=2000)", "agent": "fish"}).status_code == 201


# --------------------------------------------------------------------------------------------------- ends


@pytest.mark.parametrize("state", [State.CONNECTING, State.OPEN, State.CLOSING, State.CLOSED])
def test_a_connection_that_is_being_closed_does_not_keep_the_server_from_ending(state: State) -> None:
    """Uvicorn raised at its end, and what the application leaves to its end was not done."""

    class Transport(asyncio.Transport):
        closed = False

        def write(self, data: Any) -> None:
            assert state is not State.CLOSED

        def close(self) -> None:
            self.closed = True

        def is_closing(self) -> bool:
            return self.closed

    async def ended() -> bool:
        config = connections.uvicorn_config(app=nobody, settings=ServerSettings())
        config.load()
        socket = connections.BoundedWebSocket(config, ServerState(), {})
        socket.transport = Transport()
        socket.conn.state = state
        socket.handshake_complete = state is not State.CONNECTING
        socket.shutdown()
        return socket.transport.is_closing()

    async def nobody(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("asked")

    assert asyncio.run(ended())
