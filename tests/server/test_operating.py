"""What whoever runs a server relies on: health, logs, numbers, backups, sign-in, caps, and sentences at the start."""

from __future__ import annotations

import asyncio
import functools
import io
import json
import logging
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from parlor.cli.main import main
from parlor.game import GameError
from parlor.runs.files.strategy_files import save
from parlor.server.api.routes import health
from parlor.server.api.sign_in import COOKIE, LASTS, Passwords
from parlor.server.operations.settings import ServerSettings
from parlor.server.operations.watch import Watch
from parlor.server.tables.store import Store, reason
from tests.blueprints import tiny_blueprint
from tests.server.people import Person, client_of, serving, sit
from tests.server.test_crashes import free_port

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent


class Served:
    """A server with everything switched on that its operator may want."""

    def __init__(self, folder: Path, address: str) -> None:
        self.file, self.log, self.address = folder / "parlor.db", folder / "access.jsonl", address
        self.http = httpx.Client(base_url=address, timeout=600)

    def logged(self, path: str, status: int) -> dict[str, Any]:
        """The last line about such a request; it may be written after the answer was received."""
        for _ in range(1000):
            lines = [json.loads(line) for line in self.log.read_text().splitlines()]
            if found := [line for line in lines if (line["path"], line["status"]) == (path, status)]:
                return found[-1]
            time.sleep(0.01)
        raise AssertionError(f"{path} was not logged")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("operated")
    settings = ServerSettings(
        database_url=f"sqlite:///{folder}/parlor.db", rate=0, tables=30, access_log=f"{folder}/access.jsonl"
    )
    with serving(settings) as address:
        one = Served(folder, address)
        with one.http:
            yield one


@pytest.fixture(autouse=True)
def checked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH", 0.0)


# --------------------------------------------------------------------------------------------------- the database


def test_moves_can_only_be_added(database: str) -> None:
    with client_of(ServerSettings(database_url=database, rate=0)) as http:
        sit(http, "kuhn")

        def execute(statement: str, connection: Connection) -> None:
            connection.execute(text(statement))

        async def change() -> None:
            store = Store(database)
            for statement in ("update moves set move = 'bet'", "delete from moves"):
                with pytest.raises(DBAPIError, match="moves are only ever added"):
                    await store.run(functools.partial(execute, statement), whole=True)
            await store.close()

        asyncio.run(change())


def test_a_server_that_cannot_write_is_not_healthy(served: Served) -> None:
    person = sit(served.http, seat=0)
    assert served.http.get("/api/health").status_code == 200
    with sqlite3.connect(served.file) as other:
        other.execute("create trigger full before insert on moves begin insert into nowhere values (1); end")
        other.commit()
        try:
            assert person.move().status_code == 503
            answer = served.http.get("/api/health")
            assert (answer.status_code, answer.json()["detail"]) == (
                503,
                "The last change could not be written to the database.",
            )
        finally:
            other.execute("drop trigger full")
            other.commit()
        assert person.move().status_code == 200
        assert served.http.get("/api/health").status_code == 200
        other.execute("alter table heartbeat rename to gone")
        other.commit()
        try:
            assert served.http.get("/api/health").status_code == 503
        finally:
            other.execute("alter table gone rename to heartbeat")
            other.commit()
    assert served.http.get("/api/health").status_code == 200


def test_reads_do_not_wait_for_another_writer(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    people = [sit(served.http, "kuhn") for _ in range(4)]
    with sqlite3.connect(served.file, isolation_level=None) as other:
        other.execute("begin immediate")
        try:
            writers = [threading.Thread(target=people[0].post, args=("/resign", {}))]
            writers[0].start()
            assert all(person.get().status_code == 200 for person in people[1:])
            assert writers[0].is_alive(), "it waits, and the others did not"
        finally:
            other.execute("rollback")
        writers[0].join()


def test_the_log_of_a_failure_holds_no_secrets(database: str, caplog: pytest.LogCaptureFixture) -> None:
    with client_of(ServerSettings(database_url=database, rate=0)) as http:
        person = sit(http, "goofspiel", seed=987654321)

        async def drop() -> None:
            store = Store(database)
            await store.run(lambda c: c.execute(text("alter table moves rename to gone")))
            await store.close()

        asyncio.run(drop())
        with caplog.at_level(logging.DEBUG, "parlor"):
            move = person.state["legal"][0]["name"]
            assert person.move(move).status_code == 503
    said = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("parlor"))
    assert "cannot be reached" in said
    for secret in (repr(move), "987654321", person.state["id"], "insert into", "INSERT"):
        assert secret not in said, said
    assert "secret" not in reason(DBAPIError("insert", {"x": "secret"}, Exception("value: secret")))


# --------------------------------------------------------------------------------------------------- logs and numbers


def test_requests_are_logged_without_secrets(served: Served) -> None:
    person = sit(served.http, "kuhn")
    person.get("/replay/0?since=0&token=" + person.token)
    served.http.get(f"/api/{person.token}?{person.token}")
    served.http.get(f"/table/{person.state['id']}")
    line = served.logged("/api/tables/{table}/replay/{ply}", 200)
    assert set(line) == {"time", "client", "method", "path", "status", "ms", "bytes", "table"}
    assert line["method"] == "GET"
    assert person.state["id"].startswith(line["table"])
    assert len(line["table"]) == 6
    assert line["bytes"] > 100
    assert served.logged("/api/nothing", 404)
    assert served.logged("page", 200)
    assert person.token not in served.log.read_text()
    assert person.state["id"] not in served.log.read_text()


def test_a_log_on_the_standard_output_closes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    first, then = io.StringIO(), io.StringIO()
    monkeypatch.setattr("sys.stdout", first)
    watch = Watch("-")
    monkeypatch.setattr("sys.stdout", then)  # replaced, as Rich does while it shows progress
    watch.log({"method": "GET"}, "/api/health", 200, 0.001, 2)
    watch.close()
    assert not first.closed
    assert not then.closed
    assert json.loads(then.getvalue())["path"] == "/api/health"


def test_the_numbers_are_in_the_format_of_prometheus(served: Served) -> None:
    sit(served.http, "kuhn")
    answer = served.http.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    sample = re.compile(r'[a-z_]+(\{[a-z_]+="[^"\\]*"(,[a-z_]+="[^"\\]*")*\})? [0-9.e+-]+')
    lines = answer.text.splitlines()
    assert all(line.startswith("# ") or sample.fullmatch(line) for line in lines), answer.text
    names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(names) == len(set(names))
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert float(values['parlor_requests_total{method="POST",route="/api/tables",status="201"}']) >= 1
    assert float(values["parlor_tables_running"]) >= 1
    assert values['parlor_request_seconds_bucket{le="+Inf"}'] == values["parlor_request_seconds_count"]
    assert "parlor_websockets" in values


# --------------------------------------------------------------------------------------------------- backups


def test_a_backup_of_a_running_server_is_whole(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person = sit(served.http, seat=0)
    person.play(30)
    copy = tmp_path / "copies" / "parlor.db"
    for _ in range(2):  # the second replaces the first
        assert main(["backup", str(copy), "--database-url", f"sqlite:///{served.file}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["moves"] >= 30
    assert sorted(path.name for path in copy.parent.iterdir()) == ["parlor.db"]
    with client_of(ServerSettings(database_url=f"sqlite:///{copy}", rate=0)) as http:
        again = Person(http, person.state, person.token)
        assert again.get().json()["history"] == person.get().json()["history"]
        again.play()


def test_a_backup_that_cannot_be_made_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"SQLite format 3\x00" + b"\xff" * 8000)
    for url, sentence in (
        (f"sqlite:///{tmp_path}/none.db", "There is no database"),
        (f"sqlite:///{broken}", "cannot be copied"),
        ("postgresql://me:secret@host/parlor", "pg_dump --format custom"),
        ("mysql://x/y", "SQLite or PostgreSQL"),
    ):
        assert main(["backup", str(tmp_path / "copy.db"), "--database-url", url]) == 1
        said = capsys.readouterr().err
        assert sentence in said
        assert "secret" not in said
    assert [path.name for path in tmp_path.iterdir()] == ["broken.db"]


# --------------------------------------------------------------------------------------------------- caps, agents


def test_the_running_games_of_an_address_are_bounded(tmp_path: Path) -> None:
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0, tables=2)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=600) as http:
        people = [sit(http, seat=0) for _ in range(2)]
        wanted = {"game": "kuhn", "agent": "random"}
        answer = http.post("/api/tables", json=wanted)
        assert (answer.status_code, answer.json()["detail"]) == (
            429,
            "From your address 2 games are in progress: end one before you begin another.",
        )
    with client_of(settings) as http:
        assert http.post("/api/tables", json=wanted).status_code == 429, "after a restart too"
        again = Person(http, people[0].state, people[0].token)
        again.play(again.state["ply"] + 1)
        seated = again.post("/undo", {"ply": again.state["ply"]})
        assert seated.status_code == 201, "which takes the place of the old game"
        assert Person(http, seated.json()["state"], seated.json()["token"]).post("/resign", {}).status_code == 200
        assert http.post("/api/tables", json=wanted).status_code == 201
        with sqlite3.connect(tmp_path / "parlor.db") as file:
            rows = file.execute("select ended is null, client is not null from tables").fetchall()
        assert rows == [(running, running) for running, _ in rows], "whose games were is forgotten when they end"


def test_the_websockets_of_an_address_are_bounded(tmp_path: Path) -> None:
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0, sockets=2)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=600) as http:
        person = sit(http, "kuhn")
        url, said = f"ws{address[4:]}{person.path}/live", json.dumps({"token": person.token})
        with connect(url) as first:
            with connect(url) as second:
                for socket in (first, second):
                    socket.send(said)
                    assert json.loads(socket.recv(60))["id"] == person.state["id"]
                with connect(url) as third, pytest.raises(ConnectionClosedError) as closed:
                    third.recv(60)
                assert closed.value.rcvd is not None
                assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (
                    4429,
                    "From your address 2 windows are open: close one.",
                )
            for _ in range(500):  # the server learns that one was closed a moment later
                with connect(url) as third:
                    third.send(said)
                    try:
                        assert third.recv(60)
                        break
                    except ConnectionClosedError:
                        continue
            else:
                raise AssertionError("there is no room again")


def test_a_blueprint_may_be_overwritten_while_it_plays(tmp_path: Path) -> None:
    """Mapped into memory, the server ended with SIGBUS; so this one is a process of its own."""
    file = save(tiny_blueprint(), tmp_path / "agents" / "plan.npz")
    port = free_port()
    command = [sys.executable, "-m", "parlor", "serve", "--port", str(port), "--agents", str(file.parent)]
    command += ["--database-url", f"sqlite:///{tmp_path}/parlor.db"]
    server = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=600) as http:
            for _ in range(600):
                try:
                    http.get("/api/health")
                    break
                except httpx.TransportError:
                    time.sleep(0.05)
            game = http.get("/api/agents/plan").json()["games"][0]
            person = sit(http, game, "plan", seat=0, pace="step")
            with file.open("r+b") as opened:
                opened.truncate(100)
            for _ in range(4):
                person.move("button calls") if person.state["turn"] == "you" else person.advance()
            assert http.get("/api/health").status_code == 200
        assert server.poll() is None
    finally:
        server.kill()
        server.wait()


# --------------------------------------------------------------------------------------------------- sign-in


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("private")
    (folder / "passwords").write_text("anna:correct horse\nben:battery staple\n")
    settings = ServerSettings(
        database_url=f"sqlite:///{folder}/parlor.db", rate=0, password_file=str(folder / "passwords")
    )
    with serving(settings) as address:
        yield address


def test_only_those_who_sign_in_get_answers(private: str) -> None:
    with httpx.Client(base_url=private, timeout=600) as http:
        for path in ("/api/games", "/api/agents", "/api/openapi.json", "/api/nothing", "/api/tables/x"):
            answer = http.get(path)
            assert (answer.status_code, answer.json()["detail"]) == (
                401,
                "This server is not open to everybody: sign in first.",
            )
        assert http.get("/metrics").status_code == 401
        assert http.get("/metrics", auth=("anna", "correct horse")).status_code == 200
        assert http.get("/api/health").status_code == 200
        assert http.get("/").status_code == 200
        with pytest.raises(InvalidStatus):
            connect(private.replace("http", "ws") + "/api/tables/aaaaaaaaaaaaaaaaaaaaaa/live")
        assert http.get("/api/sign-in").json() == {"required": True, "named": True, "name": None}
        answer = http.post("/api/sign-in/begin", json={"name": "anna", "password": "correct horse"})
        assert answer.json()["name"] == "anna"
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        person = sit(http, "kuhn")
        assert person.get().status_code == 200
        value = http.cookies["parlor-sign-in"]
        with connect(
            private.replace("http", "ws") + f"{person.path}/live",
            additional_headers={"Cookie": f"parlor-sign-in={value}"},
        ) as line:
            line.send(json.dumps({"token": person.token}))
            assert json.loads(line.recv(60))["id"] == person.state["id"]
        assert http.post("/api/sign-in/end").status_code == 204
        assert http.get("/api/games").status_code == 401
        name, number, until, signature = value.split(".")
        for forged in (
            "",
            "x",
            f"{name}.{number}.{int(until) + 1}.{signature}",
            f"{b'ben'.hex()}.{number}.{until}.{signature}",
            f"{b'eve'.hex()}.{number}.{until}.{signature}",
            f"{name}.{number}.{until}.",
        ):
            found = httpx.get(f"{private}/api/games", headers={"Cookie": f"parlor-sign-in={forged}"}, timeout=600)
            assert found.status_code == 401, forged


def test_passwords_cannot_be_guessed_for_long(private: str) -> None:
    with httpx.Client(base_url=private, timeout=600) as http:
        tried = [http.post("/api/sign-in/begin", json={"name": "ben", "password": f"guess {i}"}) for i in range(7)]
        assert [answer.status_code for answer in tried] == [403] * 5 + [429] * 2
        right = http.post("/api/sign-in/begin", json={"name": "ben", "password": "battery staple"})
        assert right.status_code == 429
        assert "Too many wrong passwords" in right.json()["detail"]


# --------------------------------------------------------------------------------------------------- at the start


def test_what_is_wrong_at_the_start_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("anna:short\n")
    (tmp_path / "empty").write_text("\n")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for arguments, sentence in (
            (["--port", port], "Address already in use"),
            (["--port", "70000"], "between 0 and 65535"),
            (["--port", "0", "--host", "nowhere.invalid"], "cannot listen at nowhere.invalid"),
            (["--port", "0", "--host", "203.0.113.1"], "cannot listen at 203.0.113.1"),
            (["--database-url", "postgresql://nobody@127.0.0.1:1/x"], "cannot be opened"),
            (["--database-url", f"sqlite:///{tmp_path}/file/parlor.db"], "cannot be opened"),
            (["--database-url", "nonsense"], "not the address of a database"),
            (["--agents", "none"], "There is no folder none"),
            (["--agents", "file"], "There is no folder file"),
            (["--password-file", "none"], "cannot be read: No such file"),
            (["--password-file", "file"], "'anna' in "),
            (["--password-file", "empty"], "There is no password in"),
            (["--access-log", "none/log"], "The access log none/log cannot be written"),
        ):
            arguments = arguments if "--port" in arguments else ["--port", "0", *arguments]
            assert main(["serve", *arguments]) == 1, arguments
            said = capsys.readouterr().err
            assert sentence in said, said
            assert said.count("\n") == 1, said
            assert "Traceback" not in said
    shutil.rmtree(tmp_path / "parlor-data", ignore_errors=True)


def test_a_cookie_is_good_for_its_time_and_for_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    passwords = Passwords({"ann": "a long secret", "bob": "another secret"})

    def name_in(cookie: str) -> str | None:
        return passwords.signed_in({"headers": [(b"cookie", f"{COOKIE}={cookie}".encode())]})

    cookie = passwords.sign("ann")
    assert name_in(cookie) == "ann"
    assert name_in(cookie.replace(b"ann".hex(), b"bob".hex())) is None
    later = time.time() + LASTS + 1
    monkeypatch.setattr(time, "time", lambda: later)
    assert name_in(cookie) is None


def test_a_name_has_one_password(tmp_path: Path) -> None:
    path = tmp_path / "passwords"
    path.write_text("ann:a long secret\nann:another secret\n")
    with pytest.raises(GameError, match="has two passwords for 'ann'"):
        Passwords.read(str(path))
