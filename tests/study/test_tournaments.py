"""Tournaments of people: round robin, time limits, those who leave, those who wait, pause and stop."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from parlor.server.operations.settings import ServerSettings
from parlor.server.refusal import Refusal
from parlor.server.tables.store import Store
from parlor.study.data.store import signature, study_row
from parlor.study.design.files import read_study
from parlor.study.session.researcher import Researcher
from tests.server.people import client_of
from tests.study.people import PEOPLE, Participant, study_file

pytestmark = pytest.mark.slow(seconds=13)

LONG_AGO = "'2020-01-01 00:00:00.000000'"


@contextlib.contextmanager
def study(folder: Path, speed: float = 20.0, group: int = 4, **values: Any) -> Iterator[httpx.Client]:
    """Within this, a server that runs a study with people."""
    file = study_file(folder, PEOPLE.format(group=group), **({"episodes": group - 1} | values))
    settings = ServerSettings(database_url=f"sqlite:///{folder}/study.db", study=str(file), speed=speed, rate=0)
    with client_of(settings) as http:
        yield http


def people(http: httpx.Client, count: int, stage: str = "waiting", begin: int = 0) -> list[Participant]:
    """So many who have come to a stage."""
    found = [Participant(http, f"P{number}") for number in range(begin, begin + count)]
    for one in found:
        one.enter()
        one.until(stage, "episode")
    return found


def together(those: list[Participant], done: Callable[[], bool], patience: float = 120.0) -> None:
    """Everybody does what their stage asks for, until it is done."""
    end = time.monotonic() + patience
    while not done():
        assert time.monotonic() < end, [(one.state["stage"], one.state["step"]) for one in those]
        for one in those:
            one.look()
            one.do()
        time.sleep(0.02)


def rows(folder: Path, query: str) -> list[dict[str, Any]]:
    connection = sqlite3.connect(folder / "study.db")
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute(query)]
    finally:
        connection.close()


def write(folder: Path, statement: str) -> None:
    connection = sqlite3.connect(folder / "study.db")
    with connection:
        connection.execute(statement)
    connection.close()


def say(folder: Path, state: Any) -> None:
    """Pause or stop, as the researcher does."""

    async def work() -> None:
        store = Store(f"sqlite:///{folder}/study.db")
        await Researcher(store, read_study(folder / "study.toml")).set_state(state)
        await store.close()

    asyncio.run(work())


def test_everybody_meets_everybody_once(tmp_path: Path) -> None:
    with study(tmp_path) as http:
        four = people(http, 4)
        assert four[0].state["waiting"]["wanted"] == 4
        together(four, lambda: all(one.state["stage"] == "done" for one in four))
    episodes = rows(tmp_path, "select * from episodes")
    assert len(episodes) == 12
    assert all(row["status"] == "ended" for row in episodes)
    met = {(row["participant"], row["partner"]) for row in episodes}
    assert len(met) == 12, "nobody meets anybody twice"
    games = {row["id"]: row["round"] for row in episodes}
    assert sorted(games.values()) == [0, 0, 1, 1, 2, 2]
    for row in episodes:
        [other] = [one for one in episodes if one["id"] == row["id"] and one["participant"] != row["participant"]]
        assert (row["points"], row["partner_points"]) == (other["partner_points"], other["points"])
        assert row["seat"] == 1 - other["seat"]
    for one in rows(tmp_path, "select * from participants"):
        own = sum(row["points"] for row in episodes if row["participant"] == one["id"])
        assert (one["points"], one["base"], one["bonus"]) == (own, 2.5, round(0.1 * own, 2))


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_at_two_servers_of_one_database(database: str, tmp_path: Path) -> None:
    """Whoever waits at one of them meets those at the other; what one does, the other tells."""
    file = study_file(tmp_path, PEOPLE.format(group=4), episodes=3, pause=100)
    settings = ServerSettings(database_url=database, study=str(file), speed=20.0, rate=0)
    with client_of(settings) as first, client_of(settings) as second:
        four = people(first, 2) + people(second, 2, begin=2)
        address = str(first.base_url).replace("http", "ws", 1)
        with connect(f"{address}/api/study/live") as socket:
            socket.send(json.dumps({"token": four[0].token}))
            stages = [json.loads(socket.recv(60))["stage"]]
            together(four, lambda: all(one.state["stage"] == "done" for one in four))
            while stages[-1] != "done":
                stages.append(json.loads(socket.recv(60))["stage"])
            four[0].enter()
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(60)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
        assert {len(one.state["scores"]) for one in four} == {3}
    assert {"episode", "score"} <= set(stages)


def test_a_game_ends_when_its_time_is_up_and_the_round_goes_on(tmp_path: Path) -> None:
    with study(tmp_path, group=2) as http:
        two = people(http, 2)
        state = two[0].until("episode")
        seat, ply = two[0].seat(), two[0].table().json()["ply"]
        write(tmp_path, f"update tables set deadline = {LONG_AGO} where id = '{seat['table']}'")
        for one in two:
            while one.look()["stage"] == "episode":
                pass  # nobody moves
            assert one.state["scores"] == [{"number": 1, "points": 0.0, "status": "timed-out"}]
        late = http.post(
            f"/api/tables/{seat['table']}/moves",
            json={"ply": ply, "move": 0},
            headers={"Authorization": f"Bearer {seat['token']}"},
        )
        assert late.status_code == 409
        assert "over" in late.json()["detail"]
        together(two, lambda: all(one.state["stage"] == "done" for one in two))
        assert two[0].state["pay"]["bonus"] == 0.0
    [table] = rows(tmp_path, f"select * from tables where id = '{seat['table']}'")
    assert table["payoffs"] is None
    assert table["deadline"] <= table["ended"]
    assert state["deadline"] is not None


def test_a_move_after_the_deadline_is_refused_by_the_database(tmp_path: Path) -> None:
    """Even before anybody has ended the game: the row is written as if its time were up, and as a server knew it."""
    with study(tmp_path, group=2, speed=1.0) as http:
        two = people(http, 2)
        mover = next(one for one in two if one.until("episode") and one.table().json()["turn"] == "you")
        shown, seat = mover.table().json(), mover.seat()
        write(tmp_path, f"update tables set deadline = {LONG_AGO} where study is not null")
        answer = mover.table("/moves", "POST", {"ply": shown["ply"], "move": shown["legal"][0]["id"]})
        assert answer.status_code == 409
    assert not rows(tmp_path, f"select * from moves where table_id = '{seat['table']}' and player >= 0")


def test_nobody_waits_for_one_who_left(tmp_path: Path) -> None:
    """The one who left before a round has no game in it, and the partner goes on at once."""
    with study(tmp_path, gone=200) as http:
        four = people(http, 4)
        gone, here = four[0], four[1:]
        table = gone.until("episode")["episode"]["table"]
        write(tmp_path, f"update participants set heard = {LONG_AGO} where platform = 'P0'")
        write(tmp_path, f"update tables set deadline = {LONG_AGO} where id = '{table}'")
        together(here, lambda: all(one.state["stage"] == "done" for one in here))
        statuses = [[score["status"] for score in one.state["scores"]] for one in here]
        while gone.look()["stage"] == "score":
            pass  # the last pause
        assert gone.state["stage"] == "bonus"
    assert all(len(three) == 3 for three in statuses)
    assert sorted(status for three in statuses for status in three if status != "ended") == [
        *("absent", "absent", "timed-out")
    ]
    absent = rows(tmp_path, "select * from episodes where status = 'absent'")
    assert all(row["points"] == 0.0 and row["began"] is None for row in absent)


def test_a_waiting_room_is_honest_and_does_not_keep_anybody(tmp_path: Path) -> None:
    with study(tmp_path) as http:
        two = people(http, 2)
        room = two[1].state["waiting"]
        assert (room["here"], room["wanted"], room["longest"]) == (2, 4, 3600.0)
        assert room["estimate"] is not None
        assert room["estimate"] >= 0.0
        write(tmp_path, f"update participants set since = {LONG_AGO}")
        for one in two:
            one.until("unmatched")
            assert (one.state["pay"]["base"], one.state["pay"]["bonus"]) == (2.5, 0.0)
            assert one.state["code"]
    assert not rows(tmp_path, "select * from groups")


def test_while_it_is_paused_nothing_begins(tmp_path: Path) -> None:
    with study(tmp_path, group=2) as http:
        say(tmp_path, "paused")
        while http.get("/api/study").json()["state"] != "paused":
            pass
        two = people(http, 2)
        assert all(one.look()["stage"] == "waiting" and one.state["paused"] for one in two)
        say(tmp_path, "running")
        for one in two:
            one.until("episode")


def test_when_it_is_stopped_games_end_and_the_others_go_home(tmp_path: Path) -> None:
    with study(tmp_path, group=2) as http:
        two = people(http, 2)
        third = Participant(http, "late")
        third.enter()
        third.until("tutorial")
        fourth = Participant(http, "curious")
        fourth.enter()
        say(tmp_path, "stopped")
        while third.look()["stage"] != "stopped" or fourth.look()["stage"] != "stopped":
            pass
        assert (fourth.state["pay"], fourth.state["code"]) == (None, None), "who has not agreed takes no part"
        assert (third.state["pay"]["base"], bool(third.state["code"])) == (2.5, True)
        assert Participant(http, "new").enter().status_code == 403
        together(two, lambda: all(one.state["stage"] == "done" for one in two))
        with pytest.raises(Refusal, match="stays so"):
            say(tmp_path, "running")
        assert rows(tmp_path, "select state from studies") == [{"state": "stopped"}]


def test_links_may_have_to_be_signed(tmp_path: Path) -> None:
    with study(tmp_path, group=2, signed="true") as http:
        ann = Participant(http, "ann")
        assert ann.enter().status_code == 403

        async def secret() -> str:
            store = Store(f"sqlite:///{tmp_path}/study.db")
            row = await study_row(store)
            await store.close()
            assert row is not None
            return str(row["secret"])

        assert ann.enter(signature(asyncio.run(secret()), "ann")).status_code == 200
        assert Participant(http, "bob").enter(signature(asyncio.run(secret()), "ann")).status_code == 403


def test_another_file_is_refused_once_there_are_participants(tmp_path: Path) -> None:
    from parlor.cli.commands.study.serve import Options, run
    from parlor.game import GameError

    with study(tmp_path, group=2) as http:
        people(http, 1, "consent")
    file = study_file(tmp_path, PEOPLE.format(group=4))
    with pytest.raises(GameError, match="1 participants of another study"):
        run(Options(file=file, port=0, database_url=f"sqlite:///{tmp_path}/study.db", speed=20.0))
