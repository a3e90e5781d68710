"""What a study decides, without its server: who passes, who is matched, who has left, pause, stop, tables and pay."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from parlor.game import Game
from parlor.game.loading import load
from parlor.server.tables.store import Row, Store, now
from parlor.study.data.deletion import RowsToDelete, remove
from parlor.study.data.folder import bonus_of
from parlor.study.data.store import open_study, participant
from parlor.study.design.description import Pay, Question
from parlor.study.design.files import read_study
from parlor.study.session import flow, tournaments
from parlor.study.session.agents import Agents
from parlor.study.session.engine import Study
from parlor.study.session.researcher import Researcher
from parlor.study.session.scheduler import Scheduler
from tests.server.databases import without_games
from tests.study.people import AGENTS, PEOPLE, PRACTICE, study_file
from tests.study.test_tournaments import LONG_AGO, rows, write

Work = Callable[[Study], Awaitable[None]]


@pytest.fixture(scope="module")
def game() -> Game:
    return load("deal-or-no-deal")


def during(folder: Path, game: Game, work: Work, conditions: str = AGENTS, url: str = "", **values: Any) -> None:
    """Do this with a study that is served since long ago, though nobody does what is due."""
    file = study_file(folder, conditions, **values)
    url = url or without_games(folder / "study.db")

    async def run() -> None:
        store = Store(url)
        about = read_study(file)
        study = Study(about, store, cast(Any, SimpleNamespace(watchers=SimpleNamespace(notify=lambda table: None))))
        study.game, study.row = game, await open_study(store, about, "rules")
        study.opened = study.opened.replace(year=2000)
        try:
            await work(study)
        finally:
            await store.close()

    asyncio.run(run())


async def come(study: Study, name: str, *given: dict[str, Any]) -> str:
    """Somebody who gives these answers, one after the other; the id."""
    token, row = await flow.enter(study, name)
    for answers in given:
        row = await flow.answer(study, token, row["stage"], row["step"], answers)
    return str(row["id"])


async def row_of(study: Study, id: str) -> Row:
    [row] = await study.records.all(participant(id=id))
    return row


def silent(folder: Path, names: Sequence[str]) -> None:
    for name in names:
        write(folder, f"update participants set heard = {LONG_AGO} where platform = '{name}'")


AGREE: dict[str, Any] = {"consent": True}
PASS: dict[str, Any] = {"who": "Both"}


def test_a_tournament_with_agents_ends_when_its_participant_has_left(tmp_path: Path, game: Game) -> None:
    async def work(study: Study) -> None:
        ann = await come(study, "ann", AGREE, {}, PASS)
        assert (await row_of(study, ann))["stage"] == "episode"
        silent(tmp_path, ["ann"])
        write(tmp_path, f"update tables set deadline = {LONG_AGO}")
        scheduler = Scheduler(study, cast(Agents, SimpleNamespace(look=lambda games: None)))
        await scheduler._games()
        for _ in range(3):
            write(tmp_path, f"update groups set next_at = {LONG_AGO} where ended is null")
            await tournaments.go_on(study)
        row = await row_of(study, ann)
        assert (row["stage"], row["points"], row["base"], row["bonus"]) == ("bonus", 0.0, 2.5, 0.0)

    during(tmp_path, game, work)
    assert not rows(tmp_path, "select * from groups where ended is null")
    assert [row["status"] for row in rows(tmp_path, "select * from episodes order by round")] == ["timed-out", "absent"]


def test_agents_wait_for_somebody_who_may_come_back(tmp_path: Path, game: Game) -> None:
    async def work(study: Study) -> None:
        await come(study, "ann", AGREE, {}, PASS)
        write(tmp_path, f"update groups set round = -1, next_at = {LONG_AGO}")
        left = now() - study.clock.absence(study.description.waiting.gone)
        write(tmp_path, f"update participants set heard = '{left:%Y-%m-%d %H:%M:%S.%f}'")
        await tournaments.go_on(study)
        assert rows(tmp_path, "select round from groups") == [{"round": -1}]
        study.row["state"] = "stopped"
        await tournaments.go_on(study)
        assert rows(tmp_path, "select round from groups") == [{"round": 0}], "nobody is waited for when it is stopped"

    during(tmp_path, game, work)


def test_whoever_had_left_is_not_paid_when_the_study_is_stopped(tmp_path: Path, game: Game) -> None:
    async def work(study: Study) -> None:
        looked = await come(study, "looked")
        reads = await come(study, "reads", AGREE)
        left = await come(study, "left", AGREE, {})
        waits = await come(study, "waits", AGREE, {}, PASS)
        silent(tmp_path, ["left", "waits"])
        await tournaments.stop(study)
        paid = [await row_of(study, id) for id in (looked, reads, left, waits)]
        assert {row["stage"] for row in paid} == {"stopped"}
        assert [row["base"] for row in paid] == [None, 2.5, None, 2.5]

    during(tmp_path, game, work, PEOPLE.format(group=2), episodes=1)


def test_a_pause_does_not_count_as_waiting(tmp_path: Path, game: Game) -> None:
    async def work(study: Study) -> None:
        ann = await come(study, "ann", AGREE, {}, PASS)
        researcher = Researcher(study.store, study.description, study.look)
        await researcher.set_state("paused")
        write(tmp_path, f"update participants set since = {LONG_AGO}")
        write(tmp_path, f"update study_events set at = {LONG_AGO}")
        await tournaments.match(study)
        assert (await row_of(study, ann))["stage"] == "waiting"
        await researcher.set_state("running")
        await tournaments.match(study)
        assert (await row_of(study, ann))["stage"] == "waiting"
        write(tmp_path, f"update participants set since = {LONG_AGO}")
        await tournaments.match(study)
        assert (await row_of(study, ann))["stage"] == "unmatched"

    during(tmp_path, game, work, PEOPLE.format(group=2), episodes=1)


def test_a_practice_table_ends_with_its_participant(tmp_path: Path, game: Game) -> None:
    async def work(study: Study) -> None:
        gone, stopped = await come(study, "gone", AGREE, {}), await come(study, "stopped", AGREE, {})
        assert len(rows(tmp_path, "select id from tables where ended is null")) == 2
        await remove(study.store, RowsToDelete(gone, "P001", "tutorial", 2, 0, None, False))
        assert len(rows(tmp_path, "select id from tables where ended is null")) == 1
        await tournaments.stop(study)
        assert (await row_of(study, stopped))["stage"] == "stopped"
        assert not rows(tmp_path, "select id from tables where ended is null")

    during(tmp_path, game, work, more=PRACTICE)


def test_a_game_that_cannot_be_settled_does_not_stop_the_others(
    tmp_path: Path, game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settle = tournaments.settle

    async def work(study: Study) -> None:
        for name in ("ann", "bob"):
            await come(study, name, AGREE, {}, PASS)
        write(tmp_path, f"update tables set deadline = {LONG_AGO}")
        running = [row["id"] for row in rows(tmp_path, "select id from tables where ended is null")]
        assert len(running) == 2

        async def fails(study: Study, id: str) -> None:
            if id == running[0]:
                raise ValueError
            await settle(study, id)

        monkeypatch.setattr(tournaments, "settle", fails)
        scheduler = Scheduler(study, cast(Agents, SimpleNamespace(look=lambda games: None)))
        await scheduler._games()
        await scheduler._games()
        assert [row["id"] for row in rows(tmp_path, "select id from tables where ended is null")] == running[:1]

    during(tmp_path, game, work)
    assert len([record for record in caplog.records if "cannot be ended" in record.message]) == 1


def test_whoever_has_left_is_not_matched(tmp_path: Path, game: Game) -> None:
    async def work(study: Study) -> None:
        ann = await come(study, "ann", AGREE, {}, PASS)
        silent(tmp_path, ["ann"])
        ben = await come(study, "ben", AGREE, {}, PASS)
        assert not rows(tmp_path, "select * from groups"), "two have come, but one has left"
        cat = await come(study, "cat", AGREE, {}, PASS)
        assert [(await row_of(study, id))["stage"] for id in (ann, ben, cat)] == ["waiting", "episode", "episode"]

    during(tmp_path, game, work, PEOPLE.format(group=2), episodes=1)


def test_nobody_is_in_two_tournaments(tmp_path: Path, game: Game) -> None:
    """Two servers match at the same moment: both have read that Ben waits."""

    async def work(study: Study) -> None:
        ann, ben, cat = [await row_of(study, await come(study, name, AGREE, {}, PASS)) for name in ("a", "b", "c")]
        [condition] = study.description.conditions
        await tournaments.make_group(study, condition, [ann, ben])
        await tournaments.make_group(study, condition, [ben, cat])
        groups = [(await row_of(study, one["id"]))["group_id"] for one in (ann, ben, cat)]
        assert groups[0] == groups[1] is not None
        assert groups[2] is None

    during(tmp_path, game, work, PEOPLE.format(group=4), episodes=3)
    assert len(rows(tmp_path, "select * from groups")) == 1
    assert len(rows(tmp_path, "select distinct participant from episodes")) == 2


def test_a_game_goes_on_until_its_time_is_up(tmp_path: Path, game: Game) -> None:
    async def work(study: Study) -> None:
        ann = await come(study, "ann", AGREE, {}, PASS)
        [episode] = rows(tmp_path, "select id from episodes where round = 0")
        await tournaments.settle(study, episode["id"])
        assert (await row_of(study, ann))["stage"] == "episode"

    during(tmp_path, game, work)
    assert rows(tmp_path, "select distinct status from episodes") == [{"status": None}]
    assert rows(tmp_path, "select ended from tables") == [{"ended": None}]


def test_so_many_answers_must_be_right(tmp_path: Path, game: Game) -> None:
    async def work(study: Study) -> None:
        test = study.description.test
        more = Question("when", "When?", answers=("Now", "Later"), right=0)
        study.description = replace(study.description, test=replace(test, questions=(*test.questions, more), must=2))
        ann = await come(study, "ann", AGREE, {}, {**PASS, "when": "Later"})
        ben = await come(study, "ben", AGREE, {}, {**PASS, "when": "Now"})
        assert [(await row_of(study, id))["stage"] for id in (ann, ben)] == ["failed", "episode"]

    during(tmp_path, game, work)


def test_points_below_zero_take_nothing_away() -> None:
    pay = Pay(base=2.5, point=0.1, show_up=0.5)
    assert [bonus_of(pay, points) for points in (-3.0, 0.0, 1.0, 12.25)] == [0.0, 0.0, 0.1, 1.23]
