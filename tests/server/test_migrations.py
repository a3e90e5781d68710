"""Databases of earlier versions: every game in them can be played on, looked at and exported."""

from __future__ import annotations

import asyncio
import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from parlor.game.loading import load
from parlor.game.seats.play import play_game, uniform_agent
from parlor.server.operations.settings import ServerSettings
from parlor.server.tables.migrate import upgrade
from parlor.server.tables.store import Store
from tests.server.people import Person, client_of, serving

pytestmark = pytest.mark.slow

BEGAN = datetime.now(UTC) - timedelta(hours=2)


def id_of(name: str) -> str:
    return name.ljust(22, "x")


def old_game(name: str, plies: int, minute: int, **row: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A game of Leduc as 0001 wrote it: the person at seat 1, an agent at seat 0."""
    game, record = load("leduc"), play_game(load("leduc"), [uniform_agent] * 2, seed=3)
    position, moves = game.start(), []
    for ply, move in enumerate(record.moves[:plies]):
        version = "9.9" if position.turn == 0 else None
        moved = {"ply": ply, "player": position.turn, "move": move, "ms": 5.0, "agent_version": version}
        moves.append(moved | {"table_id": id_of(name), "at": BEGAN + timedelta(minutes=minute)})
        position = position.after(move)
    over = position.over
    return {
        "id": id_of(name), "created": BEGAN + timedelta(minutes=minute), "game": "leduc", "rules": "x", "players": 2,
        "seat": 1, "player_name": "Ann", "token": hashlib.sha256(name.encode()).hexdigest(), "agent": "random",
        "agent_version": "9.9", "mind": "end", "pace": "step", "seed": 7, "root": id_of(name), "parent": None,
        "parent_ply": None, "imported": False, "ended": BEGAN if over else None, "resigned": False,
        "payoffs": position.payoffs if over else None, **row,
    }, moves  # fmt: skip


def games() -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    return [
        old_game("finished", 99, 1),
        old_game("running", 3, 2),
        old_game("resigned", 3, 3, ended=BEGAN, resigned=True),
        old_game("branched", 3, 4, root=id_of("running"), parent=id_of("running"), parent_ply=2),
        old_game("imported", 99, 5, imported=True),
        old_game("of-a-file", 99, 6, parent=id_of("imported"), parent_ply=3),
    ]


def write_old(database: str, rows: list[tuple[dict[str, Any], list[dict[str, Any]]]]) -> None:
    """A database as 0001 made it, with these games."""
    if database.startswith("sqlite"):
        Path(database.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)

    def work(connection: sa.Connection) -> None:
        upgrade(connection, "0001")
        old = sa.MetaData()
        old.reflect(connection)
        for row, moves in rows:
            connection.execute(sa.insert(old.tables["tables"]), [row])
            connection.execute(sa.insert(old.tables["moves"]), moves)

    async def make() -> None:
        store = Store(database)
        await store.run(work, whole=True)
        await store.close()

    asyncio.run(make())


def test_games_of_the_first_version_are_brought_along(empty_database: str) -> None:
    write_old(empty_database, games())
    with (
        serving(ServerSettings(database_url=empty_database, rate=0)) as address,
        httpx.Client(base_url=address, timeout=600) as http,
    ):
        people: dict[str, Person] = {}
        for row, moves in games():
            name = row["id"].rstrip("x")
            person = Person(http, {"id": row["id"]}, name)
            person.state = person.get().json()
            people[name] = person
            state = person.state
            assert (state["seat"], state["host"], state["ply"]) == (1, 1, len(moves))
            assert [(s["kind"], s["name"]) for s in state["seats"]] == [("agent", "Random"), ("person", "Ann")]
            assert not state["seed_chosen"]
        finished, resigned = people["finished"], people["resigned"]
        assert finished.state["result"]["payoffs"] == games()[0][0]["payoffs"]
        assert (resigned.state["result"]["outcome"], resigned.state["result"]["resigned_by"]) == ("resigned", 1)
        assert {e["by"] for e in finished.state["history"]} == {"chance", "you", "agent"}
        assert http.get(finished.path).json()["open"], "a finished game has a read-only address"
        assert people["of-a-file"].state["imported"], "a branch of an import is imported too"
        for name in ("running", "branched"):
            assert people[name].state["turn"] in ("you", "agent")
            people[name].play()
        assert people["running"].get().json()["open"]
        assert finished.get("/record").json()["format"] == "parlor game 2"

    async def look() -> None:
        store = Store(empty_database)
        for name, trusted in (("finished", True), ("imported", False), ("of-a-file", False)):
            moves = await store.moves(id_of(name))
            theirs = [m for m in moves if m["player"] == 0]
            assert all(m["agent"] == "random" for m in theirs)
            assert theirs[0]["agent_version"] == ("9.9" if trusted else None)
        await store.close()

    asyncio.run(look())


def test_an_orphaned_branch_does_not_close_its_family_for_good(empty_database: str) -> None:
    """A branch of a running game, as earlier versions made them, whose token is lost: after a week it is over."""

    branch = old_game("lost", 3, 9, root=id_of("finished"), parent=id_of("finished"), parent_ply=0)
    long_ago = BEGAN - timedelta(days=8)
    branch[0]["created"] = long_ago
    for move in branch[1]:
        move["at"] = long_ago
    write_old(empty_database, [games()[0], branch])
    with client_of(ServerSettings(database_url=empty_database, rate=0)) as http:
        assert http.get(f"/api/tables/{id_of('finished')}").json()["open"]
        lost = Person(http, {"id": id_of("lost")}, "lost")
        assert lost.get().json()["result"]["outcome"] == "resigned", "nobody goes on with open cards"
        assert lost.post("/advance", {"ply": 3}).status_code == 409
