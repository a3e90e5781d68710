"""The data of a study: tidy, complete, anonymous, and nothing of a game that runs."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from parlor.game.loading import load
from parlor.study.data import folder
from parlor.study.data.columns import FILES
from parlor.study.data.data import collect
from parlor.study.data.folder import pay_list
from parlor.study.data.records import Episode, Given, Made, Person, Records, StudyPlayer, TournamentRow
from parlor.study.design.description import Comprehension, Condition, Description, Question
from parlor.study.design.orientation import ITEMS
from parlor.study.session.overview import overview, results

T0 = datetime(2026, 11, 2, 9, 3, 20, tzinfo=UTC)
GAME = "deal-or-no-deal"


def at(seconds: float) -> datetime:
    return T0 + timedelta(seconds=seconds)


def person(number: int, condition: str | None = "people", group: str | None = "g1", **other: Any) -> Person:
    end = at(600)
    usual: dict[str, Any] = {
        "stage": "done",
        "base": 2.5,
        "bonus": 1.2,
        "code": "DONE",
        "passed": condition is not None,
    }
    return Person(
        **{
            **{"id": f"id{number}", "label": f"P{number:03}", "platform_id": f"5f3a-platform-{number}"},
            **{
                "condition": condition,
                "group": group,
                "entered": at(7 * number),
                "since": end,
                "heard": end,
                "left": end,
            },
            **usual,
            **other,
        }
    )


def moves(*names: str, begin: float = 100.0) -> tuple[Made, ...]:
    """A deal, then the players in turn, five seconds each."""
    first = load(GAME).start().legal[0]
    made = [Made(0, -1, first, at(begin))]
    return tuple(made + [Made(i, (i - 1) % 2, name, at(begin + 5 * i)) for i, name in enumerate(names, 1)])


def episode(
    number: int, players: tuple[StudyPlayer, ...], status: str | None, played: tuple[Made, ...], **other: Any
) -> Episode:
    payoffs = (6.0, 4.0) if status == "ended" else None
    ended = None if status is None else at(220)
    usual = {"round": 1, "group": "g1", "began": at(100), "deadline": at(220), "ended": ended, "payoffs": payoffs}
    return Episode(
        **{
            "id": f"t{number}",
            "label": f"E{number:04}",
            "players": players,
            "status": status,
            "moves": played,
            **usual,
            **other,
        }
    )


def both(first: str, second: str) -> tuple[StudyPlayer, StudyPlayer]:
    return StudyPlayer(first, None), StudyPlayer(second, None)


@pytest.fixture(scope="module")
def records() -> Records:
    test = Comprehension((Question("who", "Who?", answers=("one", "both"), right=1),), must=1)
    about = Description("A study", GAME, 1, (Condition("people", 1.0, "people", 2),), test=test, hash="ab" * 32)
    agent = (StudyPlayer("id3", None), StudyPlayer(None, "Fair"))
    answers = [Given("id1", "test", "who", "both", True, 4.0), Given("id2", "test", "who", "one", False, 4.0)]
    answers += [Given("id1", "orientation", item, 0, None, 3.0) for item in ITEMS]
    answers += [
        Given("id2", "questionnaire", "why", "=HYPERLINK(1)", None, 30.0),
        Given("id1", "tutorial", "0", True, None, 1.0),
    ]
    return Records(
        description=about,
        runs="running",
        speed=2.0,
        people=(
            person(1),
            person(2),
            person(3, "agents", "g2"),
            person(4, None, None, stage="failed", base=0.5, bonus=0.0),
            person(5, None, None, stage="tutorial", base=None, bonus=None, code=None),
        ),
        answers=tuple(answers),
        tournaments=(
            TournamentRow("g1", "G001", "people", at(90), None, 2),
            TournamentRow("g2", "G002", "agents", at(90), None, 4),
        ),
        episodes=(
            episode(1, both("id2", "id1"), "ended", moves("keep 0,0,0", "keep 1,0,0", "agree")),
            episode(2, both("id1", "id2"), "timed-out", moves("keep 0,0,0"), round=2),
            episode(3, agent, "ended", moves("keep 0,0,0", "agree"), group="g2"),
            episode(4, agent, None, moves("keep 1,0,0"), group="g2", round=2),
        ),
    )


def files(records: Records, platform_ids: bool = False) -> dict[str, list[dict[str, str]]]:
    written = folder.files_of(collect(records, at(1000), platform_ids))
    return {name: list(csv.DictReader(io.StringIO(written[name]))) for name in FILES}


def by(rows: list[dict[str, str]], **wanted: str) -> dict[str, str]:
    (found,) = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
    return found


@pytest.mark.slow
def test_a_row_for_each_participant(records: Records) -> None:
    rows = files(records)["participants.csv"]
    assert [row["participant"] for row in rows] == ["P001", "P002", "P003", "P004", "P005"]
    first = by(rows, participant="P001")
    assert first["group"] == "G001"
    assert (first["passed"], first["finished"], first["points"], first["bonus"]) == ("1", "1", "4", "1.2")
    assert first["minutes"] == "19.8", "twice as fast: 593 seconds are 19.8 minutes"
    assert first["svo_type"] in ("prosocial", "individualist", "altruist", "competitor")
    assert by(rows, participant="P004")["passed"] == "0"
    assert by(rows, participant="P005")["passed"] == by(rows, participant="P005")["base"] == ""


def test_only_who_let_the_time_pass_is_non_responsive(records: Records) -> None:
    """P001 had moved; P002 was to move until the time was up, and had not."""
    rows = files(records)["participants.csv"]
    assert {row["participant"] for row in rows if row["non_responsive"] == "1"} == {"P002"}


def test_a_row_for_each_participant_and_game(records: Records) -> None:
    rows = files(records)["episodes.csv"]
    assert len(rows) == 5, "two people twice, one with an agent; the game that runs is left out"
    mine = by(rows, participant="P001", episode="E0001")
    assert (mine["seat"], mine["partner"], mine["partner_kind"]) == ("1", "P002", "person")
    assert (mine["deal"], mine["points"], mine["partner_points"]) == ("1", "4", "6")
    assert (mine["moves"], mine["plies"], mine["seconds"]) == ("1", "3", "240")
    late = by(rows, participant="P001", episode="E0002")
    assert (late["status"], late["deal"], late["points"]) == ("timed-out", "", "0")
    assert by(rows, participant="P003")["partner"] == "Fair"


def test_every_move_with_its_time_replays_the_game(records: Records) -> None:
    found = collect(records, at(1000))
    rows = files(records)["moves.csv"]
    agree = by(rows, episode="E0001", ply="3")
    assert (agree["player"], agree["verb"], agree["seconds"], agree["thinking"]) == ("P002", "agree", "30", "10")
    assert by(rows, episode="E0001", ply="0")["player"] == "chance"
    game = load(found.games[0]["game"])
    assert game.start().after(*(made["move"] for made in found.games[0]["moves"])).over


def test_nothing_of_a_game_that_runs_leaves_the_server(records: Records) -> None:
    """Byte for byte, whatever is dealt and played there."""
    deals = load(GAME).start().legal
    *over, running = records.episodes
    other = dataclasses.replace(running, moves=(Made(0, -1, deals[-1], at(100)), Made(1, 0, "keep 0,0,0", at(101))))
    changed = dataclasses.replace(records, episodes=(*over, other))
    assert folder.files_of(collect(changed, at(1000))) == folder.files_of(collect(records, at(1000)))
    seen = [overview(one, at(300), 2, "sqlite").model_dump_json() for one in (records, changed)]
    assert seen[0] == seen[1]
    assert "E0004" in seen[0]
    assert "keep" not in seen[0]


def test_nothing_personal_unless_it_is_asked_for(records: Records) -> None:
    written = folder.files_of(collect(records, at(1000)))
    text = "".join(written.values()) + overview(records, at(300), 2, "sqlite").model_dump_json()
    assert not [secret for secret in ("5f3a-platform-", "id1") if secret in text]
    assert "2026-11-02T09:0" not in "".join(written.values()), "no time of day of anybody"
    assert {row["entered"] for row in files(records)["participants.csv"]} == {"0"}
    assert json.loads(written["study.json"])["anonymous"] is True
    named = folder.files_of(collect(records, at(1000), platform_ids=True))
    assert "5f3a-platform-1" in named["participants.csv"]
    assert json.loads(named["study.json"])["anonymous"] is False


def test_answers_are_as_they_were_given_but_never_formulas(records: Records) -> None:
    rows = files(records)["answers.csv"]
    assert by(rows, participant="P001", question="who")["right"] == "1"
    assert by(rows, participant="P002", question="who")["right"] == "0"
    assert by(rows, question="why")["answer"] == "'=HYPERLINK(1)"
    assert by(rows, question="why")["seconds"] == "30"
    assert "tutorial" not in {row["stage"] for row in rows}


def test_of_a_participant_who_was_removed_nothing_is_left_and_partners_keep_theirs(records: Records) -> None:
    people = tuple(dataclasses.replace(one, removed=one.id == "id2") for one in records.people)
    without = dataclasses.replace(records, people=people)
    tables, lines = files(without), folder.files_of(collect(without, at(1000)))["games.jsonl"]
    assert "P002" not in "".join(folder.files_of(collect(without, at(1000))).values())
    assert by(tables["episodes.csv"], participant="P001", episode="E0001")["partner"] == "removed"
    assert [row["player"] for row in tables["moves.csv"] if row["episode"] == "E0001"] == ["chance", "P001"]
    first = json.loads(lines.splitlines()[0])
    assert [made["move"] for made in first["moves"]][1:] == [None, "keep 1,0,0", None]
    assert (first["players"], first["payoffs"]) == (["removed", "P001"], [None, 4.0])


def test_a_game_with_an_agent_goes_with_its_only_participant(records: Records) -> None:
    people = tuple(dataclasses.replace(one, removed=one.id == "id3") for one in records.people)
    written = folder.files_of(collect(dataclasses.replace(records, people=people), at(1000)))
    assert "E0003" in "".join(folder.files_of(collect(records, at(1000))).values())
    assert "E0003" not in "".join(written.values())


def test_the_study_says_by_which_rules_and_agents_it_was_played(records: Records) -> None:
    """Not by those of whoever exports it."""
    played = dataclasses.replace(records, rules="then", versions=(("Fair", "1"), ("Fair", "2")))
    written = collect(played, at(1000))
    assert (written.study["rules"], written.games[0]["rules"]) == ("then", "then")
    assert written.study["agents"] == {"Fair": ["1", "2"]}


def test_the_overview_says_how_many_games_a_tournament_has_and_no_bonus_while_it_runs(records: Records) -> None:
    seen = overview(records, at(300), 2, "sqlite")
    assert {group.group: group.of for group in seen.groups} == {"G001": 2, "G002": 4}
    assert {one.participant: one.of for one in seen.participants} == {
        **{"P001": 2, "P002": 2, "P003": 4, "P004": None, "P005": None}
    }
    stopped = dataclasses.replace(records, runs="stopped")
    assert seen.pay.bonus is None, "bonus by participants would tell mean points"
    assert overview(stopped, at(300), 2, "sqlite").pay.bonus is None, "some still play"
    over = tuple(dataclasses.replace(one, ended=at(500)) for one in records.tournaments)
    assert overview(dataclasses.replace(stopped, tournaments=over), at(600), 2, "sqlite").pay.bonus == 3.6


def test_the_codebook_has_every_column_of_every_file(records: Records) -> None:
    written = folder.files_of(collect(records, at(1000)))
    book: Mapping[str, list[Mapping[str, str]]] = json.loads(written["codebook.json"])["columns"]
    for name in FILES:
        assert written[name].splitlines()[0].split(",") == [column["name"] for column in book[name]]
        assert all(f"| {column['name']} |" in written["codebook.md"] for column in book[name])


def test_an_export_that_fails_leaves_the_former_one(records: Records, tmp_path: Path) -> None:
    folder.write(tmp_path, collect(records, at(1000)))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    broken = dataclasses.replace(collect(records, at(1000)), answers=[{"not a column": 1}])
    with pytest.raises(ValueError, match="not declared"):
        folder.write(tmp_path, broken)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_pay_list_has_everybody_whose_pay_is_due(records: Records) -> None:
    rows = pay_list(records.people)
    assert [row["platform_id"] for row in rows] == [f"5f3a-platform-{n}" for n in (1, 2, 3, 4)]
    assert (rows[0]["base"], rows[0]["bonus"], rows[0]["total"]) == ("2.50", "1.20", "3.70")
    assert rows[3]["status"] == "failed"
    forgotten = [dataclasses.replace(person, code="") for person in records.people]
    assert pay_list(forgotten) == []


def test_means_are_of_participants_with_each_kind_of_partner(records: Records) -> None:
    agents, people = results(collect(records, at(1000)).episodes)
    assert (agents.condition, agents.partner, agents.points, agents.low) == ("agents", "Fair", 6.0, None)
    assert (people.partner, people.participants, people.games, people.points) == ("people", 2, 1, 5.0)
    assert people.deals == 1.0
    assert people.low is not None
    assert people.low < 5.0
