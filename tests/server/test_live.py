"""A table live: what happens there arrives, and only for those who may see it."""

from __future__ import annotations

import json
from contextlib import ExitStack, suppress
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from parlor.server.api.live import WATCHERS
from parlor.server.operations.settings import ServerSettings
from parlor.server.schemas.tables import TableState
from tests.server.people import Person, client_of, serving, sit


def socket(person: Person, **wanted: Any) -> ClientConnection:
    return connect(str(person.http.base_url).replace("http", "ws", 1) + f"{person.path}/live", **wanted)


def heard(line: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(line.recv(60))
    TableState.model_validate(message)
    return message


@pytest.mark.slow
def test_changes_arrive_and_join_up(http: httpx.Client) -> None:
    person = sit(http, seat=0, pace="step")
    with socket(person) as line:
        line.send(json.dumps({"token": person.token}))
        first = heard(line)
        assert first == person.get().json()
        history = first["history"]
        for _ in range(8):
            person.move() if person.state["turn"] == "you" else person.advance()
            news = heard(line)
            assert news["since"] == len(history)
            history += news["history"]
            assert news["picture"] == person.state["picture"]
        assert history == person.get().json()["history"]
        person.post("/resign", {})
        assert heard(line)["open"]


@pytest.mark.slow
def test_changes_made_at_another_server_arrive(two: list[httpx.Client]) -> None:
    first, second = two
    person = sit(first, seat=0)
    with socket(person) as line:
        line.send(json.dumps({"token": person.token}))
        heard(line)
        person.http = second
        person.move()
        assert heard(line)["ply"] == person.state["ply"]


def closed(line: ClientConnection) -> tuple[int, str]:
    with pytest.raises(ConnectionClosed) as caught:
        line.recv(60)
    assert caught.value.rcvd is not None
    return caught.value.rcvd.code, caught.value.rcvd.reason


def test_strangers_hear_nothing(tmp_path: Any) -> None:
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=600) as http:
        person = sit(http, seat=0)
        for said, code in (
            ('{"token": "wrong"}', 4403),
            ('{"token": 5}', 4401),
            ("[1]", 4401),
            ("garbage", 4401),
            ('{"token": ""}', 4403),
        ):
            with socket(person) as line:
                line.send(said)
                found, reason = closed(line)
                assert (found, bool(reason)) == (code, True)
        with socket(person) as line:
            line.send("x" * 10_000)
            assert closed(line)[0] == 1009
        with connect(address.replace("http", "ws") + "/api/tables/aaaaaaaaaaaaaaaaaaaaaa/live") as line:
            line.send('{"token": "x"}')
            assert closed(line)[0] == 4404
        with pytest.raises(InvalidStatus):
            socket(person, origin="https://elsewhere.example")
        with pytest.raises(InvalidStatus):
            connect(address.replace("http", "ws") + "/nowhere")
        with socket(person, origin=address) as line:
            line.send(json.dumps({"token": person.token}))
            heard(line)


def test_watchers_are_bounded_and_forgotten(tmp_path: Any) -> None:
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)
    with client_of(settings) as http:
        person = sit(http, seat=0)
        with ExitStack() as lines:
            for _ in range(WATCHERS):
                line = lines.enter_context(socket(person))
                line.send(json.dumps({"token": person.token}))
                heard(line)
            with socket(person) as extra:
                extra.send(json.dumps({"token": person.token}))
                assert closed(extra)[0] == 4429
        for _ in range(1000):  # the server learns that they were closed a moment later
            with socket(person) as line, suppress(ConnectionClosed):
                line.send(json.dumps({"token": person.token}))
                heard(line)
                break
        else:
            raise AssertionError("there is no room again")
