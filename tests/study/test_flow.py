"""A participant through the study, from the link to the completion code, with agents as partners."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlor.server.operations.settings import ServerSettings
from tests.server.people import client_of
from tests.study.people import PRACTICE, Participant, study_file
from tests.study.test_tournaments import write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("study")


@pytest.fixture(scope="module")
def http(folder: Path) -> Iterator[httpx.Client]:
    file = study_file(folder, more=PRACTICE, pause=100)
    settings = ServerSettings(database_url=f"sqlite:///{folder}/study.db", study=str(file), speed=20.0, rate=0)
    with client_of(settings) as client:
        yield client


def entered(http: httpx.Client, name: str) -> Participant:
    somebody = Participant(http, name)
    assert somebody.enter().status_code == 200
    return somebody


@pytest.mark.slow
def test_from_the_link_to_the_code(http: httpx.Client) -> None:
    ann = entered(http, "ann")
    assert (ann.state["stage"], ann.state["progress"], ann.state["code"]) == ("consent", 0.0, None)
    stages, progress = [], []
    while ann.state["stage"] != "done":
        stages.append(ann.state["stage"])
        progress.append(ann.state["progress"])
        ann.do()
        ann.look()
    assert list(dict.fromkeys(stages)) == [
        *("consent", "tutorial", "test", "episode", "score", "bonus", "orientation", "questionnaire")
    ]
    assert progress == sorted(progress)
    state = ann.state
    assert [score["status"] for score in state["scores"]] == ["ended", "ended"]
    points = sum(score["points"] for score in state["scores"])
    assert state["pay"] == {"currency": "USD", "base": 2.5, "bonus": round(0.1 * points, 2), "points": points}
    assert state["completion_url"] == f"https://example.org/done?cc={state['code']}"
    assert state["screen"]["text"] == "Thank you."
    again = entered(http, "ann").state
    assert (again["stage"], again["code"]) == ("done", state["code"]), "one takes part once"


def test_an_answer_that_is_sent_again_changes_nothing(http: httpx.Client) -> None:
    bob = entered(http, "bob")
    bob.answer({"consent": True})
    first = bob.state
    bob.answer({"consent": False}, stage="consent", step=0)
    assert bob.state | {"now": ""} == first | {"now": ""}
    assert bob.answer({"who": "Both"}, stage="test").status_code == 409, "one cannot leave out the tutorial"
    bob.answer()
    assert bob.state["step"] == 1
    assert bob.answer().status_code == 409, "nothing has been tried yet"
    assert "Propose a split" in bob.answer().json()["detail"]


@pytest.mark.parametrize(
    ("stage", "wrong", "sentence"),
    [
        ("consent", {}, "true or false"),
        ("consent", {"consent": "yes"}, "true or false"),
        ("test", {}, "no answer"),
        ("test", {"who": "Somebody"}, "one of those"),
        ("test", {"who": "Both", "what": "x"}, "no question 'what'"),
    ],
)
def test_answers_that_cannot_be(http: httpx.Client, stage: str, wrong: dict[str, Any], sentence: str) -> None:
    eve = entered(http, "eve" + stage)
    eve.until(stage)
    refused = eve.answer(wrong)
    assert refused.status_code == 422
    assert sentence in refused.json()["detail"]
    assert eve.look()["stage"] == stage


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-1e999"])
def test_a_number_is_a_number(http: httpx.Client, number: str) -> None:
    body = f'{{"stage": "done", "step": 0, "answers": {{"age": {number}}}}}'
    headers = entered(http, "nan").headers | {"Content-Type": "application/json"}
    assert http.post("/api/study/answer", headers=headers, content=body).status_code == 422


def test_many_long_answers_are_read(http: httpx.Client) -> None:
    """As many, and as long, as an answer may have."""
    refused = entered(http, "zoe").answer({f"q{number}": "ö" * 4000 for number in range(100)})
    assert (refused.status_code, "true or false" in refused.json()["detail"]) == (422, True)


def test_who_fails_the_test_is_thanked_and_paid_for_coming(http: httpx.Client) -> None:
    dan = entered(http, "dan")
    dan.until("test")
    assert "right" not in dan.state["questions"][0]
    dan.answer({"who": "Nobody"})
    assert (dan.state["stage"], dan.state["pay"]["base"], dan.state["pay"]["bonus"]) == ("failed", 0.5, 0.0)
    assert dan.state["code"]
    assert dan.state["completion_url"] == "https://example.org/failed", "not the link that brings the whole reward"
    dan.answer({"who": "Both"}, stage="test")
    assert entered(http, "dan").state["stage"] == "failed", "nobody may try twice"


def test_who_does_not_agree_goes(http: httpx.Client) -> None:
    joe = entered(http, "joe")
    joe.answer({"consent": False})
    assert (joe.state["stage"], joe.state["pay"], joe.state["code"]) == ("declined", None, None)


def test_a_token_works_until_the_next_one_is_given(http: httpx.Client) -> None:
    old = entered(http, "kim")
    entered(http, "kim")
    answer = http.get("/api/study/state", headers=old.headers)
    assert answer.status_code == 401
    assert "another window" in answer.json()["detail"]
    assert http.get("/api/study/state").status_code == 401


def test_only_what_a_participant_needs_is_served(http: httpx.Client) -> None:
    lea = entered(http, "lea")
    lea.until("episode")
    for what, method in (
        *(("/replay/0", "GET"), ("/record", "GET"), ("/mind", "GET"), ("/preview", "GET"), ("/review", "GET")),
        *(("/resign", "POST"), ("/leave", "POST"), ("/advance", "POST"), ("/undo", "POST"), ("/branch", "POST")),
        *(("/pace", "PUT"), ("/watch", "PUT"), ("/seats/0", "PUT"), ("/code", "POST"), ("/claim", "POST")),
    ):
        assert lea.table(what, method, {}).status_code in (404, 405), what
    assert http.post("/api/tables", json={"game": "kuhn", "agent": "random"}).status_code in (404, 405)
    assert http.get("/api/agents").status_code == 404
    assert http.get("/api/study").json() == {"title": "A small study", "parameter": "PROLIFIC_PID", "state": "running"}


def test_a_practice_game_that_is_over_begins_again_once(http: httpx.Client, folder: Path) -> None:
    """Also if two windows ask at the same moment."""
    kay = entered(http, "kay")
    kay.until("tutorial", step=1)
    old = kay.seat()["table"]
    write(folder, f"update tables set ended = created where id = '{old}'")
    with ThreadPoolExecutor(2) as pool:
        seen = list(pool.map(lambda _: http.get("/api/study/state", headers=kay.headers).json(), range(2)))
    tables = {state["screen"]["practice"]["table"] for state in seen}
    assert len(tables) == 1
    assert tables != {old}
    kay.look()
    assert kay.table().status_code == 200
    kay.until("test")


def test_an_ordinary_server_seals_the_tables_of_a_study(http: httpx.Client, folder: Path) -> None:
    mia = entered(http, "mia")
    mia.until("episode")
    with client_of(ServerSettings(database_url=f"sqlite:///{folder}/study.db", rate=0)) as ordinary:
        seat, mia.http = mia.seat(), ordinary
        assert mia.table().status_code == 200
        for what, method, body in (
            *(("/replay/0", "GET", None), ("/record", "GET", None), ("/mind", "GET", None), ("/preview", "GET", None)),
            *(("/resign", "POST", None), ("/leave", "POST", None), ("/advance", "POST", {"ply": 1})),
            *(("/undo", "POST", {"ply": 1}), ("/branch", "POST", {"ply": 1}), ("/pace", "PUT", {"pace": "at-once"})),
            *(("/watch", "PUT", {"watch": True}), ("/seats/0", "PUT", {"agent": "random"}), ("/code", "POST", None)),
            *(("/claim", "POST", {"code": "AAAAAAAA"}), ("/review", "GET", None), ("/frontier", "GET", None)),
        ):
            answer = mia.table(what, method, body)
            assert answer.status_code == 403, (what, answer.text)
        assert ordinary.get(f"/api/tables/{seat['table']}").status_code == 403, "nobody watches"
        assert ordinary.get("/api/study").status_code == 404
