"""A participant is told nothing of what the seat does not see: neither the partner's values nor who the partner is."""

from __future__ import annotations

import json
import logging
import random
import sqlite3
from pathlib import Path

import pytest
from websockets.sync.client import connect

from parlor.game.loading import load
from parlor.server.operations.settings import ServerSettings
from tests.server.people import client_of
from tests.server.test_secrets import ALIKE, another_world, rewrite, written
from tests.study.people import AGENTS, PEOPLE, Participant, study_file
from tests.study.test_tournaments import people, rows, write

pytestmark = pytest.mark.slow


def answers(somebody: Participant) -> dict[str, bytes]:
    """All that a participant can ask for without changing anything; times are left out."""
    seat = somebody.seat()
    asked = {
        "table": somebody.table().content,
        "wrong": somebody.table("/moves", "POST", {"ply": 0, "move": 0}).content,
    }
    asked["stranger"] = somebody.http.get(f"/api/tables/{seat['table']}").content
    state = somebody.look() | {"now": ""}
    asked["state"] = json.dumps(state).encode()
    base = str(somebody.http.base_url).replace("http", "ws", 1)
    with connect(f"{base}/api/tables/{seat['table']}/live") as socket:
        socket.send(json.dumps({"token": seat["token"]}))
        asked["live table"] = str(socket.recv(60)).encode()
    with connect(f"{base}/api/study/live") as socket:
        socket.send(json.dumps({"token": somebody.token}))
        asked["live"] = json.dumps(json.loads(socket.recv(60)) | {"now": ""}).encode()
    return asked


def test_answers_do_not_depend_on_what_is_hidden(tmp_path: Path) -> None:
    """Nor when the game is over: what the other's items were worth is never told."""
    database, dice = f"sqlite:///{tmp_path}/study.db", random.Random(1)
    file = study_file(tmp_path, PEOPLE.format(group=2), episodes=1, game=ALIKE, pause=600)
    settings = ServerSettings(database_url=database, study=str(file), rate=0)
    with client_of(settings) as http:
        two = people(http, 2)
        for one in two:
            one.until("episode")
        assert any(one.move() for one in two)  # whoever begins has proposed something
        running = [answers(one) for one in two]
        table = two[0].seat()["table"]
        before = written(database, table)
        states = [one.state for one in two]
    worlds = [another_world(load(ALIKE), before, int(rows_seat(tmp_path, one)), dice) for one in two]
    assert any(world != before for world in worlds), "nothing was hidden, so nothing was tested"
    for one, told, world, state in zip(two, running, worlds, states, strict=True):
        rewrite(database, table, world)
        with client_of(settings) as http:
            one.http, one.state = http, state
            assert answers(one) == told
    rewrite(database, table, before)
    with client_of(settings) as http:
        for one in two:
            one.http = http
        while playing := [one for one in two if one.look()["stage"] == "episode"]:
            for one in playing:
                one.move()
        ended = [answers_at(one, table, state) for one, state in zip(two, states, strict=True)]
    finished = written(database, table)
    changed = 0
    for one, said, state in zip(two, ended, states, strict=True):
        world = another_world(load(ALIKE), finished, int(rows_seat(tmp_path, one)), dice)
        changed += world != finished
        rewrite(database, table, world, replaced=True)
        with client_of(settings) as http:
            one.http = http
            assert answers_at(one, table, state) == said
    assert changed, "nothing was hidden, so nothing was tested"


def answers_at(somebody: Participant, table: str, state: dict[str, object]) -> bytes:
    """The table of a game that is over, and where one is."""
    now = json.dumps(somebody.look() | {"now": ""}).encode()
    somebody.state = dict(state)
    assert somebody.seat()["table"] == table
    return somebody.table().content + now


def rows_seat(folder: Path, somebody: Participant) -> int:
    found = "select seat from episodes join participants p on p.id = participant where platform = '{}'"
    return int(rows(folder, found.format(somebody.platform))[0]["seat"])


def test_answers_do_not_depend_on_who_the_partner_is(tmp_path: Path) -> None:
    file, database = study_file(tmp_path, AGENTS), f"sqlite:///{tmp_path}/study.db"
    settings = ServerSettings(database_url=database, study=str(file), rate=0)
    with client_of(settings) as http:
        ann = Participant(http, "ann")
        ann.enter()
        ann.until("episode")
        told, state = answers(ann), ann.state
    for name in ("Fair", "Greedy", "conceding", "stubborn", "agent"):
        for answer in told.values():
            assert name not in answer.decode().replace('"agent":null', "").replace('"agent": null', ""), name
    table = state["episode"]["table"]
    token = f"'{'0' * 64}'"
    write(tmp_path, f"update seats set kind = 'person', agent = null, token = {token} where agent is not null")
    write(tmp_path, f"update episodes set partner = 'x', partner_kind = 'person' where id = '{table}'")
    with client_of(settings) as http:
        ann.http, ann.state = http, state
        assert answers(ann) == told


def test_logs_have_neither_ids_of_the_platform_nor_tokens(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = study_file(tmp_path, PEOPLE.format(group=2), episodes=1)
    log, database = tmp_path / "access.jsonl", tmp_path / "study.db"
    settings = ServerSettings(database_url=f"sqlite:///{database}", study=str(file), rate=0, access_log=str(log))
    with caplog.at_level(logging.DEBUG), client_of(settings) as http:
        two = [Participant(http, f"5f0c1a2b{number}") for number in range(2)]
        for one in two:
            http.get(f"/study?PROLIFIC_PID={one.platform}")
            one.enter()
            one.until("waiting", "episode")
        seat = two[0].until("episode")["episode"]
        http.post("/api/study/answer", headers=two[0].headers, json={"stage": two[0].platform})
        connection = sqlite3.connect(database)
        with connection:
            connection.execute("alter table participants rename to gone")
        connection.close()
        assert http.get("/api/study/state", headers=two[0].headers).status_code == 503
        assert http.post("/api/study/enter", json={"participant": two[0].platform}).status_code == 503
    ours = (record for record in caplog.records if not record.name.startswith(("httpx", "httpcore", "websockets")))
    said = "\n".join(logging.Formatter().format(record) for record in ours) + log.read_text()
    assert "/api/study/enter" in said
    assert "client" not in json.loads(log.read_text().splitlines()[0])  # addresses are personal
    for secret in (*(one.platform for one in two), *(one.token for one in two), seat["token"], seat["table"]):
        assert secret not in said
