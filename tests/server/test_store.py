"""The schema and its history; games as files for analysis."""

from __future__ import annotations

import asyncio
import csv
import json
import sqlite3
import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from parlor.cli.main import main
from parlor.game.loading import load
from parlor.server.operations.settings import ServerSettings
from parlor.server.tables.migrate import downgrade
from parlor.server.tables.store import Base, Conflict, Store, _change, now
from parlor.server.tables.table_seats import new_row, seat_row
from tests.server.databases import Postgres
from tests.server.people import client_of, sit


@pytest.mark.slow
def test_migrations_lead_to_the_schema_from_nothing_and_again(empty_database: str) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), Base.metadata))

    async def work() -> None:
        store = Store(empty_database)
        for _ in range(2):
            await store.open()
            assert await store.run(differences) == []
            assert await store.run(lambda c: inspect(c).get_table_names()) is not None
        await store.run(downgrade, whole=True)
        assert set(await store.run(lambda c: inspect(c).get_table_names())) == {"alembic_version"}
        await store.open()
        assert await store.run(differences) == []
        await store.close()

    asyncio.run(work())


@pytest.mark.slow
def test_two_servers_may_start_at_once_on_an_empty_database(empty_database: str) -> None:
    async def work() -> None:
        stores = [Store(empty_database) for _ in range(3)]
        await asyncio.gather(*(store.open() for store in stores))
        for store in stores:
            await store.ping()
            await store.close()

    asyncio.run(work())


def test_a_server_waits_for_one_that_writes_to_a_new_database(tmp_path: Path) -> None:
    """Where SQLite itself does not: it has no write-ahead log yet, and the other has begun to write."""
    other = sqlite3.connect(tmp_path / "parlor.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    writing = threading.Timer(0.1, other.execute, ["COMMIT"])
    writing.start()

    async def work() -> None:
        store = Store(f"sqlite:///{tmp_path}/parlor.db")
        await store.open()
        await store.close()

    asyncio.run(work())
    writing.join()
    assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()


@pytest.mark.slow
def test_no_move_lands_after_a_resignation_at_another_server(cluster: Postgres) -> None:
    """The resignation is written while a move is on its way: the move waits for it and is refused."""
    database = cluster.create("resigned")

    async def work() -> None:
        one, other = Store(database), Store(database)
        await one.open()
        game = load("kuhn")
        row = await new_row(game, None)
        await one.add_table(row, [seat_row(row, p) for p in range(2)], [])
        move = {"table_id": row["id"], "ply": 0, "player": 0, "move": "bet", "at": now()}
        move |= dict.fromkeys(("ms", "agent_version", "agent"))
        waiting = text("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")
        assert other._remote is not None
        async with other._remote.begin() as resigning:
            await resigning.run_sync(_change, row, {"ended": now(), "resigned_by": 1})
            moving = asyncio.create_task(one.add_moves(row["id"], 0, [move], None))
            while not moving.done() and not await one.run(lambda c: c.execute(waiting).scalar_one()):
                await asyncio.sleep(0.01)
            assert not moving.done()
        with pytest.raises(Conflict):
            await moving
        assert await one.moves(row["id"]) == []
        await one.close()
        await other.close()

    asyncio.run(work())


def test_an_ended_table_takes_no_moves_and_does_not_end_again(database: str) -> None:
    """Also from somebody who has not heard of its end yet."""

    async def work() -> None:
        store = Store(database)
        await store.open()
        row = await new_row(load("kuhn"), None)
        await store.add_table(row, [seat_row(row, p) for p in range(2)], [])
        assert await store.end(row["id"], {"ended": now(), "resigned_by": 1})
        move = {"table_id": row["id"], "ply": 0, "player": 0, "move": "bet", "at": now()}
        with pytest.raises(Conflict):
            await store.add_moves(row["id"], 0, [move | dict.fromkeys(("ms", "agent_version", "agent"))], None)
        with pytest.raises(Conflict):
            await store.change(row | {"ended": None}, {"ended": now(), "resigned_by": 0})
        assert not await store.end(row["id"], {"ended": now(), "resigned_by": 0})
        assert await store.moves(row["id"]) == []
        found = await store.table(row["id"])
        assert found is not None
        assert found["resigned_by"] == 1
        await store.close()

    asyncio.run(work())


def test_games_are_exported_as_tables(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with client_of(ServerSettings(database_url=database, rate=0)) as http:
        done = sit(http, "leduc", seat=1, player_name="=SUM(A1)")
        done.play()
        running = sit(http, seat=0)
        running.play(20)
        history = done.get().json()["history"]
    out = tmp_path / "out"
    monkeypatch.setenv("DATABASE_URL", database)
    assert main(["export", "games", "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 2
    games = {row["id"]: row for row in csv.DictReader((out / "games.csv").read_text().splitlines())}
    assert games[done.state["id"]]["outcome"] == done.state["result"]["outcome"]
    seats = json.loads(games[done.state["id"]]["seats"])  # JSON, which no spreadsheet takes for a formula
    assert [(seat["kind"], seat["name"], seat["agent"]) for seat in seats] == [
        ("agent", "", "random"),
        ("person", "=SUM(A1)", None),
    ]
    assert games[running.state["id"]]["outcome"] == "running"
    assert "token" not in (out / "games.jsonl").read_text()
    moves = list(csv.DictReader((out / "moves.csv").read_text().splitlines()))
    assert len(moves) == told["moves"]
    mine = [row for row in moves if row["table_id"] == done.state["id"]]
    assert [row["move"] for row in mine] == [event["move"]["name"] for event in history]
    assert {row["by"] for row in mine} == {"chance", "person", "agent"}
    assert all(float(row["ms"]) >= 0 for row in mine if row["by"] != "chance")
    assert all(row["agent_version"] for row in mine if row["by"] == "agent")
    lines = [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]
    assert {line["id"]: [m["move"] for m in line["moves"]] for line in lines}[done.state["id"]] == [
        event["move"]["name"] for event in history
    ]


def test_no_database_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "games", "--database-url", f"sqlite:///{tmp_path}/none.db", "--out", str(tmp_path)]) == 1
    assert "There is no database" in capsys.readouterr().err
    assert main(["serve", "--database-url", "mysql://x/y"]) == 1
    assert "SQLite or PostgreSQL" in capsys.readouterr().err
    assert main(["serve", "--agents", str(tmp_path / "none")]) == 1
    assert "There is no folder" in capsys.readouterr().err
