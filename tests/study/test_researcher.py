"""The researcher's side of a study: sign-in, what is seen and what is not, pause, pay, data, deletion."""

from __future__ import annotations

import asyncio
import io
import re
import shutil
import sqlite3
import stat
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TypeVar, cast

import httpx
import pytest
from fastapi import Request

from parlor.cli.main import main
from parlor.game import GameError
from parlor.game.loading import load
from parlor.server.operations.settings import ServerSettings
from parlor.server.refusal import Refusal
from parlor.server.tables.store import Store
from parlor.study.api.researcher import the_researcher
from parlor.study.data.reading import BLOCK, draw_numbers
from parlor.study.data.store import open_study
from parlor.study.design.description import Description
from parlor.study.design.files import read_study
from parlor.study.session.password import password_file
from parlor.study.session.researcher import Researcher
from tests.server.people import client_of
from tests.study.people import AGENTS, PEOPLE, Participant, study_file
from tests.study.recorded import record

BOTH = f"{PEOPLE.format(group=2)}\n{AGENTS}".replace("share = 1", "share = 0.5")
T = TypeVar("T")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return study_file(tmp_path_factory.mktemp("study"), BOTH, episodes=1, gone=60)


@pytest.fixture(scope="module")
def about(file: Path) -> Description:
    return read_study(file)


@pytest.fixture(scope="module")
def recorded(file: Path) -> Path:
    """A database of a study that has been running for a while; it is only read."""
    record(f"sqlite:///{file.parent}/study.db", file)
    return file.parent / "study.db"


def ask(database: str, about: Description, question: Callable[[Researcher], Awaitable[T]]) -> T:
    """What the researcher is told, without a server."""

    async def work() -> T:
        store = Store(database)
        try:
            return await question(Researcher(store, about))
        finally:
            await store.close()

    return asyncio.run(work())


def parlor(*arguments: object) -> int:
    return main(["study", *map(str, arguments)])


def files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def unzipped(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {name.rpartition("/")[2]: file.read(name).decode() for name in file.namelist()}


@pytest.mark.slow
def test_the_researcher_signs_in_pauses_looks_and_stops_while_somebody_takes_part(tmp_path: Path) -> None:
    url, log = f"sqlite:///{tmp_path}/data/study.db", tmp_path / "log"
    path, password = password_file(url, "study")
    assert path == tmp_path / "data" / "study.db.password"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert password_file(url, "study") == (path, None), "made once, never shown again"
    study = study_file(tmp_path, AGENTS, orientation="false")
    settings = ServerSettings(database_url=url, study=str(study), rate=0, password_file=str(path), access_log=str(log))
    with client_of(settings) as http, httpx.Client(base_url=http.base_url, timeout=600) as stranger:

        def put(state: str) -> httpx.Response:
            return http.put("/api/researcher/state", json={"state": state})

        assert put("stopped").status_code == 401
        assert http.post("/api/sign-in/begin", json={"password": password}).status_code == 200
        assert put("paused").json()["state"] == "paused"
        ann, bob = Participant(stranger, "5f3a-ann"), Participant(stranger, "5f3a-bob")
        ann.enter()
        bob.enter()
        ann.until("waiting")
        assert ann.state["paused"]
        assert http.get("/api/researcher").json()["groups"] == []
        for path_of in ("", "/results?reveal=true", "/pay", "/data"):
            assert stranger.get(f"/api/researcher{path_of}").status_code == 401
            with_token = stranger.get(f"/api/researcher{path_of}", headers=ann.headers)
            assert with_token.status_code == 401, "a participant is no researcher"
            assert http.get(f"/api/researcher{path_of}").status_code == 200
        assert put("running").json()["state"] == "running"
        ann.until("episode")
        assert put("stopped").json()["state"] == "stopped"
        refused = put("running")
        assert (refused.status_code, refused.json()["detail"]) == (409, "The study was stopped, and stays so.")
        bob.until("stopped")
        done = [event["what"] for event in http.get("/api/researcher").json()["events"]]
        looked = ["looked at results", "downloaded the pay list", "downloaded the data"]
        assert done == ["paused the study", *looked, "went on with the study", "stopped the study"]
    assert "/api/researcher" in log.read_text()
    assert "5f3a" not in log.read_text()
    assert "client" not in log.read_text(), "nor anybody's address"


def test_without_a_password_nobody_is_the_researcher() -> None:
    state = SimpleNamespace(researcher=object(), passwords=None)
    with pytest.raises(Refusal, match="Nobody can sign in"):
        asyncio.run(the_researcher(cast(Request, SimpleNamespace(app=SimpleNamespace(state=state)))))


def test_who_is_where_and_how_games_end(recorded: Path, about: Description) -> None:
    seen = ask(f"sqlite:///{recorded}", about, Researcher.overview)
    assert {one.stage: one.participants for one in seen.stages}["done"] == 8
    assert sum(one.participants for one in seen.conditions) == 13
    assert len({one.participant for one in seen.participants}) == len(seen.participants) == 20
    assert seen.episodes.running == sum(len(group.episodes) for group in seen.groups) > 0
    assert seen.episodes.deals is not None
    assert 0 < seen.episodes.deals <= seen.episodes.ended
    assert seen.pay.participants == 10, "those who are done, have failed the test, or answer the last questions"
    assert any(not one.here for one in seen.participants)


def test_a_running_game_cannot_be_told_from_another(recorded: Path, about: Description, tmp_path: Path) -> None:
    """Whatever was dealt and played there, every answer is the same to the byte."""
    copy = Path(shutil.copy(recorded, tmp_path / "study.db"))

    async def everything(researcher: Researcher) -> str:
        shown = (await researcher.overview()).model_copy(update={"now": "", "events": []})
        overview = re.sub(r"here=\w+", "", str(shown))  # changes with time
        results = await researcher.results(reveal=True)
        _, data = await researcher.data(platform_ids=False)
        tables = {name: text for name, text in unzipped(data).items() if name != "study.json"}
        return f"{overview} {results} {tables} {await researcher.pay_list()}"

    before = ask(f"sqlite:///{copy}", about, everything)
    with sqlite3.connect(copy) as connection:
        for (name,) in connection.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            connection.execute(f"drop trigger {name}")  # the database would refuse
        other, running = load(about.game).start().legal[-1], "table_id in (select id from tables where ended is null)"
        assert connection.execute(f"update moves set move = ? where ply = 0 and {running}", (other,)).rowcount > 0
        assert connection.execute(f"delete from moves where ply = 1 and {running}").rowcount > 0
    connection.close()
    assert ask(f"sqlite:///{copy}", about, everything) == before


def test_results_are_hidden_until_somebody_asks_and_that_is_recorded(
    recorded: Path, about: Description, tmp_path: Path
) -> None:
    url = f"sqlite:///{shutil.copy(recorded, tmp_path / 'study.db')}"

    async def look(researcher: Researcher) -> None:
        assert (await researcher.results(reveal=False)).results == []
        assert (await researcher.overview()).events == []
        shown = await researcher.results(reveal=True)
        assert {(row.condition, row.partner) for row in shown.results} == {("HvA", "Fair"), ("HvH", "people")}
        assert [event.what for event in (await researcher.overview()).events] == ["looked at results"]

    ask(url, about, look)


@pytest.mark.slow
def test_data_are_written_with_the_same_labels_and_deleted_is_deleted(
    database: str, file: Path, about: Description, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record(database, file)
    url, out = ("--database-url", database), tmp_path / "out"
    named = unzipped(ask(database, about, lambda researcher: researcher.data(platform_ids=True))[1])
    people = {line.split(",")[-1]: line.split(",")[0] for line in named["participants.csv"].splitlines()[1:]}
    label = people["5f3a-platform-0"]
    assert parlor("data", file, *url, "--out", out) == 0
    before = files(out)
    assert before["episodes.csv"] == named["episodes.csv"], "the same participants have the same labels"
    assert label in before["episodes.csv"]
    assert "5f3a-platform" not in "".join(text for name, text in before.items() if name != "answers.csv")
    assert "id-00" not in "".join(before.values())
    assert capsys.readouterr().out == ""
    assert parlor("delete", file, "5f3a-platform-0", *url) == 1, "it asks, and nobody answers"
    assert "--yes" in capsys.readouterr().err
    assert parlor("delete", file, "5f3a-platform-0", "--yes", *url) == 0
    said = capsys.readouterr()
    assert f"Deleted of {label}" in said.out
    assert "5f3a-platform-0" not in said.out + said.err
    after = unzipped(ask(database, about, lambda researcher: researcher.data(platform_ids=True))[1])
    assert "platform-0\n" not in "".join(after.values())
    assert label not in "".join(text for name, text in after.items() if name != "study.json")
    assert len(after["participants.csv"].splitlines()) == len(people), "one line less, one for the columns"
    assert "removed" not in after["participants.csv"]
    told = ask(database, about, Researcher.overview).events
    assert "deleted the data of a participant" in [event.what for event in told]
    assert label not in str(told)
    assert parlor("pay", file, *url) == 0
    paid = capsys.readouterr().out
    assert "5f3a-platform-3," in paid
    assert "5f3a-platform-0," not in paid
    if database.startswith("sqlite"):
        stored = Path(database.removeprefix("sqlite:///")).read_bytes()
        assert b"5f3a-platform-0" not in stored, "nor in what the file has freed"


@pytest.mark.slow
def test_who_was_who_is_forgotten_when_the_study_is_over(
    database: str, file: Path, about: Description, capsys: pytest.CaptureFixture[str]
) -> None:
    record(database, file)
    url = ("--database-url", database)
    assert parlor("forget", file, "--yes", *url) == 1
    assert "stop it first" in capsys.readouterr().err
    before = unzipped(ask(database, about, lambda researcher: researcher.data(platform_ids=False))[1])
    ask(database, about, lambda researcher: researcher.set_state("stopped"))
    assert parlor("forget", file, *url) == 1, "it asks, and nobody answers"
    assert "--yes" in capsys.readouterr().err
    assert parlor("forget", file, "--yes", *url) == 0
    assert "codes of 11 participants" in capsys.readouterr().out
    after = unzipped(ask(database, about, lambda researcher: researcher.data(platform_ids=True))[1])
    ids = {line.split(",")[3]: line.split(",")[-1] for line in after["participants.csv"].splitlines()[1:]}
    assert (ids["done"], ids["failed"], ids["declined"]) == ("", "", "")
    assert ids["questionnaire"].startswith("5f3a"), "it answers the last questions"
    assert after["episodes.csv"] == before["episodes.csv"]
    assert parlor("pay", file, *url) == 0
    assert "done" not in capsys.readouterr().out
    if database.startswith("sqlite"):
        stored = Path(database.removeprefix("sqlite:///")).read_bytes()
        assert b"5f3a-platform-0\0" not in stored
        assert b"CODE0000" not in stored


def test_labels_of_those_who_were_deleted_are_shuffled_and_not_given_again(
    file: Path, about: Description, recorded: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copy(recorded, tmp_path / "study.db"))
    url = f"sqlite:///{copy}"
    ask(url, about, Researcher.overview)  # labels are given
    for k in (0, 3, 9, 18):
        assert parlor("delete", file, f"5f3a-platform-{k}", "--yes", "--database-url", url) == 0
    with sqlite3.connect(copy) as connection:
        removed = "participant in (select participant from labels where removed is not null)"
        assert connection.execute("select count(distinct number), min(number) > 0 from labels").fetchone() == (20, 1)
        assert connection.execute(f"select count(*), count(points) from episodes where {removed}").fetchone()[1] == 0
    connection.close()


def test_a_study_is_not_gone_on_with_by_other_rules(recorded: Path, about: Description, tmp_path: Path) -> None:
    async def work() -> None:
        store = Store(f"sqlite:///{shutil.copy(recorded, tmp_path / 'study.db')}")
        try:
            with pytest.raises(GameError, match="rules of deal-or-no-deal have changed"):
                await open_study(store, about, "other")
        finally:
            await store.close()

    asyncio.run(work())


def test_mistakes_are_said_in_a_sentence_and_nothing_is_done(
    recorded: Path, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*arguments: object) -> str:
        assert parlor(*arguments) == 1
        return " ".join(capsys.readouterr().err.split())

    url = ("--database-url", f"sqlite:///{recorded}")
    assert "There is no database" in said("data", file, "--database-url", f"sqlite:///{tmp_path}/none.db")
    with sqlite3.connect(recorded) as connection:
        query = "select platform from participants join groups on groups.id = group_id where groups.ended is null"
        (platform,) = connection.execute(query).fetchone()
    connection.close()
    assert "is in a tournament that runs" in said("delete", file, platform, "--yes", *url)
    assert "No participant has 'P999'" in said("delete", file, "P999", "--yes", *url)
    changed = tmp_path / "study.toml"
    changed.write_text(file.read_text() + "\n# changed\n")
    assert "another version of this file" in said("data", changed, *url, "--out", tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_labels_are_drawn_in_blocks() -> None:
    drawn = draw_numbers([], BLOCK)
    assert sorted(drawn) == list(range(1, BLOCK + 1))
    assert drawn != sorted(drawn)
    assert BLOCK < draw_numbers(drawn, 1)[0] <= 2 * BLOCK
