"""The server is killed and the database goes away during tournaments: nothing is lost, nothing is done twice."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from parlor.server.tables.store import MoveRow, Store, TableRow
from parlor.study.data.rows import AnswerRow, EpisodeRow, ParticipantRow
from parlor.study.data.store import RecordStore
from tests.server.databases import Postgres
from tests.server.processes import parlor
from tests.server.test_crashes import free_port
from tests.study.people import Participant, study_file

pytestmark = pytest.mark.slow(seconds=30)

BOTH = """
[[conditions]]
name = "HvH"
share = 0.8
partners = "people"
group = 4

[[conditions]]
name = "HvA"
share = 0.2
partners = "agents"
"""


@contextlib.contextmanager
def process(database: str, file: Path, port: int) -> Iterator[ForkServerProcess]:
    """`parlor study serve` as a process of its own."""
    command = ["study", "serve", str(file), "--database-url", database]
    with parlor([*command, "--port", str(port), "--requests", "0", "--speed", "20"], file.parent) as server:
        yield server


def take_part(somebody: Participant, began: list[str]) -> None:
    """Go through the study, trying again whenever nobody answers."""
    while somebody.state.get("stage") != "done":
        try:
            if not somebody.token:
                somebody.enter()
            somebody.look()
            if somebody.state["stage"] == "episode" and somebody.platform not in began:
                began.append(somebody.platform)
            somebody.do()
        except (httpx.TransportError, AssertionError, KeyError, ValueError):
            pass  # nobody answers, or the database is away
        time.sleep(0.05)


def written(database: str) -> dict[str, list[dict[str, Any]]]:
    """Everything that the database has."""

    async def work() -> dict[str, list[dict[str, Any]]]:
        store = Store(database)
        found = {
            row.__tablename__: await RecordStore(store).all(select(row.__table__))
            for row in (ParticipantRow, AnswerRow, EpisodeRow, MoveRow, TableRow)
        }
        await store.close()
        return found

    return asyncio.run(work())


def check(database: str, people: list[Participant]) -> None:
    """What was acknowledged was written once, and what was paid is what was earned."""
    data = written(database)
    moves = {(row["table_id"], row["ply"]): row for row in data["moves"]}
    for one in people:
        for table, ply, name in one.moved:
            assert moves[table, ply]["move"] == name
        [row] = [row for row in data["participants"] if row["platform"] == one.platform]
        own = [episode for episode in data["episodes"] if episode["participant"] == row["id"]]
        assert [episode["round"] for episode in sorted(own, key=lambda e: e["round"])] == list(range(len(own)))
        assert len({episode["partner"] for episode in own}) == len(own), "nobody is met twice"
        assert all(episode["status"] is not None for episode in own)
        assert row["points"] == sum(episode["points"] for episode in own)
        assert row["bonus"] == pytest.approx(round(0.1 * row["points"], 2))
        assert one.state["pay"]["bonus"] == row["bonus"]
        asked = {
            (answer["stage"], answer["question"]) for answer in data["answers"] if answer["participant"] == row["id"]
        }
        assert {("consent", "consent"), ("test", "who"), ("orientation", "svo-6"), ("questionnaire", "age")} <= asked
    for game in data["tables"]:
        made = sorted(ply for id, ply in moves if id == game["id"])
        assert made == list(range(len(made)))
        if game["deadline"] is not None:
            assert all(moves[game["id"], ply]["at"] < game["deadline"] for ply in made)
            assert game["ended"] is not None


def run_through(database: str, file: Path, crash: list[Callable[[ForkServerProcess], None]]) -> None:
    """Four who meet each other and one who meets agents; once they play, everything crashes, again and again."""
    port = free_port()
    began: list[str] = []
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as http:
        people = [Participant(http, f"P{number}") for number in range(5)]
        threads = [threading.Thread(target=take_part, args=(one, began), daemon=True) for one in people]
        for thread in threads:
            thread.start()
        for number, fall in enumerate(crash):
            with process(database, file, port) as server:
                moved = sum(len(one.moved) for one in people)
                while len(began) < 5 or sum(len(one.moved) for one in people) < moved + number:
                    assert server.is_alive(), "it does not start"
                    time.sleep(0.01)
                fall(server)
        with process(database, file, port):
            for thread in threads:
                thread.join(180)
        assert all(one.state["stage"] == "done" for one in people), [one.state.get("stage") for one in people]
    check(database, people)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_kill_9_of_the_server_during_tournaments(database: str, tmp_path: Path) -> None:
    run_through(database, study_file(tmp_path, BOTH, seconds=60), [ForkServerProcess.kill] * 2)


def test_kill_9_of_server_and_database_during_tournaments(cluster: Postgres, tmp_path: Path) -> None:
    def crash(server: ForkServerProcess) -> None:
        cluster.crash()
        cluster.start()
        server.kill()

    run_through(cluster.create("killed_study"), study_file(tmp_path, BOTH, seconds=60), [crash])
