"""What a study promises: one person is one participant, one seat one device, an outage a pause, deleted deleted."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import text

from parlor.game import Game
from parlor.game.loading import load
from parlor.server.refusal import Refusal
from parlor.server.tables.store import Store, now
from parlor.study.data import deletion
from parlor.study.data.deletion import find, remove, tidy
from parlor.study.design.description import Entry
from parlor.study.session import flow, tournaments
from parlor.study.session.engine import Study
from parlor.study.session.entrance import Arrivals, check_entry, mark_of, same_id
from parlor.study.session.scheduler import make_up
from tests.server.databases import Postgres
from tests.study.people import PEOPLE
from tests.study.test_leaving import AGREE, PASS, come, during, row_of
from tests.study.test_tournaments import people, rows, study, together, write

SECRET = "ab" * 32


@pytest.fixture(scope="module")
def game() -> Game:
    return load("deal-or-no-deal")


# -------------------------------------------------------------------------------------------------- coming in


def test_an_id_is_the_same_however_it_is_written(tmp_path: Path, game: Game) -> None:
    assert {same_id(one) for one in ("5f3a9c", " 5f3a9c ", "5f3a\u200b9c", "5f3a9c\u00a0", "５f3a9c\ufeff")} == {
        "5f3a9c"
    }

    async def work(study: Study) -> None:
        first = await flow.enter(study, "5f3a9c01b2")
        for again in ("5f3a9c01b2 ", "5F3A9C01B2", "5f3a9c01b2\u200b", "\u2060 5f3A9c01B2"):
            _, row = await flow.enter(study, again)
            assert row["id"] == first[1]["id"]
        for nobody in ("\u200b", "  ", "ännchen"):
            with pytest.raises(Refusal, match="This link is not complete"):
                await flow.enter(study, nobody)

    during(tmp_path, game, work)
    assert rows(tmp_path, "select platform from participants") == [{"platform": "5f3a9c01b2"}]


def test_only_ids_that_are_expected_come_in() -> None:
    def comes(entry: Entry, platform: str, signed: str = "", **parameters: str) -> bool:
        try:
            check_entry(entry, SECRET, platform, signed, parameters)
        except Refusal:
            return False
        return True

    prolific = Entry(pattern="[0-9a-f]{24}", study_id="s1")
    id, session = "0123456789abcdef01234567", "f" * 24
    assert comes(prolific, id, STUDY_ID="s1", SESSION_ID=session)
    assert not comes(prolific, id[:-1], STUDY_ID="s1", SESSION_ID=session)
    assert not comes(prolific, id + "0", STUDY_ID="s1", SESSION_ID=session)
    assert not comes(prolific, id, STUDY_ID="s2", SESSION_ID=session)
    assert not comes(prolific, id, STUDY_ID="s1", SESSION_ID="x")
    assert not comes(prolific, id)
    invited = Entry(ids=("Ann", "bob"))
    assert [comes(invited, one) for one in ("ann", "BOB", "eve")] == [True, True, False]
    assert [Entry(**given).must_be_signed for given in cast(list[dict[str, Any]], [
        {}, {"parameter": "id"}, {"parameter": "id", "pattern": "x"}, {"parameter": "id", "signed": False},
        {"signed": True},
    ])] == [False, True, False, False, True]  # fmt: skip
    assert not comes(Entry(parameter="id"), "ann")


def test_arrivals_are_counted_for_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    arrivals = Arrivals(2)
    for _ in range(2):
        assert not arrivals.full("a")
        arrivals.came("a")
    assert arrivals.full("a")
    assert not arrivals.full("b")
    clock[0] = 3601.0
    assert not arrivals.full("a")
    assert mark_of(SECRET, "192.0.2.7") == mark_of(SECRET, "192.0.2.7") != mark_of("cd" * 32, "192.0.2.7")
    assert mark_of(SECRET, "127.0.0.1") is mark_of(SECRET, "::1") is mark_of(SECRET, "") is None


def test_few_new_participants_come_from_one_address(tmp_path: Path, game: Game) -> None:
    async def work(study: Study) -> None:
        study.arrivals = Arrivals(2)
        for name in ("one", "two"):
            await flow.enter(study, name, address="192.0.2.7")
        with pytest.raises(Refusal, match="try again in an hour"):
            await flow.enter(study, "three", address="192.0.2.7")
        await flow.enter(study, "two", address="192.0.2.7")  # again
        await flow.enter(study, "three", address="192.0.2.8")
        for name in "abc":
            await flow.enter(study, name, address="127.0.0.1")  # everybody comes through a proxy that says nothing

    during(tmp_path, game, work)


def test_the_researcher_is_told_when_an_address_plays_itself(tmp_path: Path, game: Game) -> None:
    async def work(study: Study) -> None:
        for name, address in (("a", "192.0.2.7"), ("b", "192.0.2.8"), ("c", "192.0.2.9"), ("d", "192.0.2.9")):
            token, row = await flow.enter(study, name, address=address)
            for answers in (AGREE, {}, PASS):
                row = await flow.answer(study, token, row["stage"], row["step"], answers)

    during(tmp_path, game, work, PEOPLE.format(group=2), episodes=1)
    assert [row["what"] for row in rows(tmp_path, "select what from study_events")] == [
        "participants of tournament 2 come from one address: is it one person?"
    ]


# -------------------------------------------------------------------------------------------------- seats and waiting


def test_a_seat_belongs_to_the_device_that_came_last(tmp_path: Path) -> None:
    with study(tmp_path, group=2, episodes=1) as http:
        two = people(http, 2, "waiting")
        while any(one.look()["stage"] != "episode" for one in two):  # nobody moves: the game could be over at once
            time.sleep(0.02)
        old = two[0].seat()
        assert two[0].table().json()["seat"] is not None
        two[0].enter()
        assert two[0].table().json()["seat"] is not None
        assert two[0].seat()["table"] == old["table"]
        assert two[0].seat()["token"] != old["token"]
        headers = {"Authorization": f"Bearer {old['token']}"}
        assert http.get(f"/api/tables/{old['table']}", headers=headers).status_code in (401, 403)
        together(two, lambda: all(one.state["stage"] != "episode" for one in two))


def test_nobody_is_paid_for_a_closed_window(tmp_path: Path, game: Game) -> None:
    """Who was away when the longest wait was over waits anew on coming back; who stayed goes home with base pay."""

    async def work(study: Study) -> None:
        stayed, closed = [await come(study, name, AGREE, {}, PASS) for name in ("stayed", "closed")]
        long = study.clock.lasting(study.description.waiting.longest) + timedelta(seconds=1)
        gone = study.clock.absence(study.description.waiting.gone) + timedelta(seconds=1)
        study.opened -= 2 * gone
        write(tmp_path, f"update participants set since = '{now() - long:%Y-%m-%d %H:%M:%S.%f}'")
        write(
            tmp_path,
            f"update participants set heard = '{now() - gone:%Y-%m-%d %H:%M:%S.%f}' where platform = 'closed'",
        )
        await tournaments.match(study)
        assert [(await row_of(study, id))["stage"] for id in (stayed, closed)] == ["unmatched", "waiting"]
        assert (await row_of(study, stayed))["base"] == 2.5
        await flow.enter(study, "closed")
        await tournaments.match(study)
        row = await row_of(study, closed)
        assert (row["stage"], row["base"]) == ("waiting", None)
        assert now() - row["since"] < timedelta(seconds=30)

    during(tmp_path, game, work, PEOPLE.format(group=4), episodes=1, longest=600, gone=60)


@pytest.mark.parametrize("moved", [1000.0, -1000.0], ids=["an outage", "a clock set back"])
def test_an_outage_is_a_pause(tmp_path: Path, game: Game, moved: float) -> None:
    """All times are moved by as long as nothing ran, once, whichever server finds it first; a stall moves nothing."""

    async def work(study: Study) -> None:
        await come(study, "plays", AGREE, {}, PASS)
        waits = await come(study, "reads", AGREE)
        before = await row_of(study, waits)
        asked = "select deadline from tables where deadline is not null"
        [deadline] = [row["deadline"] for row in rows(tmp_path, asked)]
        at = now()

        async def beat(at: datetime, jump: float = 0.0) -> float:
            return await study.records.whole(lambda connection: make_up(connection, at, jump))

        assert await beat(at) == 0.0
        assert await beat(at + timedelta(seconds=4)) == 0.0
        at += timedelta(seconds=4 + moved)
        if moved < 0.0:
            assert await beat(at) == 0.0, "another server's clock is ahead"
        assert await beat(at, moved) == moved
        assert await beat(at + timedelta(seconds=1), moved) == 0.0
        row, by = await row_of(study, waits), timedelta(seconds=moved)
        assert (row["since"] - before["since"], row["heard"] - before["heard"]) == (by, by)
        [later] = [row["deadline"] for row in rows(tmp_path, asked)]
        assert datetime.fromisoformat(later) - datetime.fromisoformat(deadline) == by
        [episode] = rows(tmp_path, "select deadline from episodes where deadline is not null")
        assert episode["deadline"] == later

    during(tmp_path, game, work)
    assert len(rows(tmp_path, "select what from study_events where what like '%all times were moved'")) == 1


# -------------------------------------------------------------------------------------------------- deleting


def test_a_reader_that_keeps_a_copy_is_named(tmp_path: Path, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deletion, "READERS_TIMEOUT_S", 0.05)

    async def prepare(study: Study) -> None:
        await come(study, "P001", AGREE, {}, PASS)
        await come(study, "ann-with-a-long-id", AGREE, {})
        write(tmp_path, "insert into labels (participant, number) select id, 2 from participants where platform='P001'")
        write(
            tmp_path, "insert into labels (participant, number) select id, 1 from participants where platform!='P001'"
        )

    during(tmp_path, game, prepare)

    async def work() -> tuple[str, str]:
        store = Store(f"sqlite:///{tmp_path}/study.db", durable=True)
        reader = sqlite3.connect(tmp_path / "study.db", isolation_level=None)
        reader.execute("begin")
        reader.execute("select * from participants").fetchall()
        found = await find(store, "P001")  # the label of one, and the id that another has invented
        assert found.label == "P001"
        left = await remove(store, found)
        reader.close()
        after = await tidy(store)
        await store.close()
        return left, after

    left, after = asyncio.run(work())
    assert "Another program reads the database, so" in left
    assert "study.db-wal still has a copy" in left
    assert after == ""
    assert b"ann-with-a-long-id" not in b"".join(file.read_bytes() for file in tmp_path.glob("study.db*"))


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_what_postgresql_keeps_is_told_and_goes_as_it_is_told(
    database: str, cluster: Postgres, tmp_path: Path, game: Game
) -> None:
    id = b"an-id-that-stands-out"

    def kept() -> set[str]:
        """The kinds of files with the id."""
        files = [file for file in (cluster.folder / "data").rglob("*") if file.is_file() and id in file.read_bytes()]
        return {file.relative_to(cluster.folder / "data").parts[0] for file in files}

    async def work(study: Study) -> None:
        async def say(*statements: str) -> None:
            for one in statements:
                await study.store.run(lambda connection, one=one: connection.execute(text(one)).close())  # type: ignore[misc]

        for number in range(3):  # one that is alone in a column is in no sample of its values
            await come(study, f"another-{number}", AGREE, {})
        await come(study, id.decode(), AGREE, {})
        labels = "insert into labels (participant, number) select id, row_number() over () from participants"
        await say(labels, "analyze", "checkpoint")
        assert kept() == {"base", "pg_wal"}
        left = await remove(study.store, await find(study.store, id.decode()))
        await say("checkpoint")
        assert kept() == {"pg_wal"}
        first, each = (part.split(";") for part in re.findall("`(.*?)`", left))
        try:
            await say(*first)
            for _ in (cluster.folder / "data" / "pg_wal").glob("0*"):
                await say(*each)
            assert kept() == set()
        finally:
            await say("alter system reset wal_recycle", "select pg_reload_conf()")

    during(tmp_path, game, work, url=database)
