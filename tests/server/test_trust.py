"""Strangers on the machine or in the network cannot read, predict or replace, nor lock out, nor come back."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import sqlite3
import stat
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from parlor.cli.commands.server.serve import LOOPBACK, Options, names_of
from parlor.compile import cache
from parlor.game import GameError
from parlor.game.loading import load
from parlor.server.api.limits import Names, network_of
from parlor.server.api.sign_in import COOKIE, Attempts
from parlor.server.operations.settings import ServerSettings
from parlor.server.tables.pending import PendingMoves, drawn, source_of
from parlor.server.tables.store import Store
from parlor.server.tables.table_seats import new_row
from tests.server.people import client_of, sit

SECRET = "00112233445566778899aabbccddeeff"


def test_a_draw_with_a_secret_is_an_hmac_of_it_and_the_ply() -> None:
    odds = {"a": 0.25, "never": 0.0, "b": 0.75}
    for ply in range(30):
        digest = hmac.new(bytes.fromhex(SECRET), f"draw {ply}".encode(), hashlib.sha256).digest()
        assert drawn(SECRET, ply, odds) == ("a" if digest[0] < 64 else "b")
    found = Counter(drawn(SECRET, ply, odds) for ply in range(4000))
    assert 900 < found["a"] < 1100
    assert set(found) == {"a", "b"}
    assert drawn(SECRET, 3, {"only": 0.999999}) == "only"  # odds that fall short of one by rounding


def test_tables_draw_from_a_secret_unless_a_person_chose_the_seed(tmp_path: Path) -> None:
    row = asyncio.run(new_row(load("kuhn"), None))
    assert len(bytes.fromhex(row["secret"])) == 16
    assert source_of(row) == row["secret"]
    assert source_of(row | {"secret": None, "seed": 7}) == 7
    going = PendingMoves("x", load("leduc").start(), [])
    going.deal(SECRET)
    again = PendingMoves("y", load("leduc").start(), [])
    again.deal(SECRET)
    assert [move["move"] for move in going.moves] == [move["move"] for move in again.moves]
    with client_of(ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db")) as http:
        free, chosen = sit(http, "kuhn", seat=0, seed=None), sit(http, "kuhn", seat=0, seed=5)
        assert [one.state["seed_chosen"] for one in (free, chosen)] == [False, True]
        shown = http.get(f"/api/tables/{free.state['id']}", headers={"Authorization": f"Bearer {free.token}"}).text
    with sqlite3.connect(tmp_path / "parlor.db") as database:
        found = dict(database.execute("select id, secret from tables").fetchall())
    assert found[chosen.state["id"]] is None
    assert found[free.state["id"]] not in shown


def test_a_new_database_is_its_owners_alone_and_a_study_waits_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = list[Path]()  # folders of which the disk knows what is in them
    monkeypatch.setattr("parlor.server.tables.store.sync_folder", written.append)

    async def work(durable: bool) -> int:
        store = Store(f"sqlite:///{tmp_path}/made/{durable}.db", durable)
        await store.open()
        level = await store.run(lambda c: c.execute(text("PRAGMA synchronous")).scalar_one())
        files = list((tmp_path / "made").glob(f"{durable}.db*"))
        assert len(files) > 1  # the log too
        assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
        await store.close()
        return int(level)

    before = os.umask(0o022)
    try:
        assert [asyncio.run(work(durable)) for durable in (False, True)] == [1, 2]
        assert written == [tmp_path / "made"] * 2
    finally:
        os.umask(before)


def test_a_database_of_a_newer_version_is_refused_in_a_sentence(tmp_path: Path) -> None:
    async def work() -> None:
        store = Store(f"sqlite:///{tmp_path}/new.db")
        try:
            await store.open()
            await store.run(lambda c: c.execute(text("update alembic_version set version_num = '9999'")).rowcount)
            await store.open()
        finally:
            await store.close()

    with pytest.raises(GameError, match=r"by a newer Parlor \(its schema is 9999, this one knows 0"):
        asyncio.run(work())


def test_a_move_cannot_be_replaced(tmp_path: Path) -> None:
    with client_of(ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db")) as http:
        sit(http, "kuhn", seat=0)
    with sqlite3.connect(tmp_path / "parlor.db") as database:
        [(table, ply, *rest)] = database.execute("select * from moves limit 1").fetchall()
        marks = ",".join("?" * (2 + len(rest)))
        with pytest.raises(sqlite3.IntegrityError, match="moves are only ever added"):
            database.execute(f"insert or replace into moves values ({marks})", (table, ply, *rest))


def test_an_ipv6_network_counts_as_one_address() -> None:
    assert network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    assert network_of("2001:db8:1:3::9") != network_of("2001:db8:1:2::9")
    assert network_of("::ffff:192.0.2.7") == network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("fe80::1%eth0") == "fe80::/64"
    assert network_of("") == ""
    assert network_of("testclient") == "testclient"


def test_nobody_is_locked_out_by_the_wrong_passwords_of_others() -> None:
    attempts = Attempts(each=3, all=5, seconds=60.0)
    attempts.succeeded("mine")
    for guess in range(5):
        attempts.failed(f"stranger {guess}")
    assert attempts.wait("stranger 1") > 0.0
    assert attempts.wait("fresh") == attempts.wait("mine") == 0.0
    attempts.failed("fresh")  # once
    attempts.failed("mine")
    assert attempts.wait("fresh") > 0.0
    assert attempts.wait("mine") == 0.0
    for _ in range(2):
        attempts.failed("mine")
    assert attempts.wait("mine") > 0.0


def test_signing_out_ends_the_cookie_and_its_copies(tmp_path: Path) -> None:
    (tmp_path / "passwords").write_text("ann:correct horse\n")
    settings = ServerSettings(
        database_url=f"sqlite:///{tmp_path}/parlor.db", password_file=str(tmp_path / "passwords"), rate=0
    )
    with client_of(settings) as http:
        http.post("/api/sign-in/begin", json={"name": "ann", "password": "correct horse"})
        copied = {"cookie": f"{COOKIE}={http.cookies[COOKIE]}"}
        http.cookies.clear()
        http.post("/api/sign-in/begin", json={"name": "ann", "password": "correct horse"})
        other = {"cookie": f"{COOKIE}={http.cookies[COOKIE]}"}
        http.cookies.clear()
        assert http.get("/api/games", headers=copied).status_code == 200
        assert http.post("/api/sign-in/end", headers=copied).status_code == 204
        assert http.get("/api/games", headers=copied).status_code == 401
        assert http.get("/api/games", headers=other).status_code == 200
    with client_of(settings) as http:  # after a restart, or at another server
        assert http.get("/api/games", headers=copied).status_code == 401
        assert http.get("/api/games", headers=other).status_code == 200


def test_a_server_for_this_machine_is_not_for_what_a_strange_page_calls_it() -> None:
    async def asked(names: tuple[str, ...], host: str) -> int:
        sent: list[Any] = []

        async def answer(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200})

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "path": "/api/games", "headers": [(b"host", host.encode())]}
        await Names(answer, ServerSettings(names=names))(scope, None, send)  # type: ignore[arg-type]
        return int(sent[0]["status"])

    known = names_of(Options())
    hosts = [
        "localhost:8000",
        "127.0.0.1",
        "[::1]:8000",
        "LocalHost",
        "evil.example:8000",
        "localhost.evil.example",
        "",
    ]
    assert [asyncio.run(asked(known, host)) for host in hosts] == [200, 200, 200, 200, 421, 421, 421]
    assert asyncio.run(asked((), "anything.example")) == 200
    assert names_of(Options(host="0.0.0.0")) == ()
    assert names_of(Options(names=("games.example",))) == (*LOOPBACK, "games.example")


def test_a_cache_in_the_temporary_folder_is_ones_own_or_fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    usual = tmp_path / f"parlor-cache-{os.getuid()}"

    def used() -> Path:
        return cache._temporary_folder.__wrapped__()

    assert used() == used() == usual
    assert stat.S_IMODE(usual.stat().st_mode) == 0o700
    usual.chmod(0o777)  # somebody else could have written there
    fresh = used()
    assert fresh != usual
    assert stat.S_IMODE(fresh.stat().st_mode) == 0o700
    usual.rmdir()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    usual.symlink_to(tmp_path / "elsewhere")
    assert used() != usual
    usual.unlink()
    usual.mkdir(mode=0o700)
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    usual.rename(tmp_path / f"parlor-cache-{owner + 1}")  # under my number, but not mine
    assert used() != tmp_path / f"parlor-cache-{owner + 1}"
