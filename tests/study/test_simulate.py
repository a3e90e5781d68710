"""A small rehearsal: bots through the real server, which is killed in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from parlor.game.loading import load
from parlor.study.design.description import Description
from parlor.study.design.files import read_study
from parlor.study.rehearsal.checking import RehearsalFindings, Rows, Span, check, read_rows
from parlor.study.rehearsal.people import Habits
from parlor.study.rehearsal.rehearsal import Rehearsal, RehearsalPlan, RehearsalReport
from parlor.study.rehearsal.server_process import ServerProcess
from parlor.study.rehearsal.walker import Visit
from tests.server.databases import without_games

pytestmark = pytest.mark.slow(seconds=30)

STUDY = """
title = "A small study"
game = "deal-or-no-deal"
seed = 4
episodes = 3
seconds = 600
thanks = "Thank you."
failed = "Thank you anyway."

[delay]
mean = 4
deviation = 1

[waiting]
longest = 1200
pause = 4

[consent]
title = "Consent"
text = "May we?"

[[conditions]]
name = "people"
share = 0.5
partners = "people"
group = 4

[[conditions]]
name = "agents"
share = 0.5
partners = "agents"

[[agents]]
name = "Mild"
agent = "generous"

[[agents]]
name = "Hard"
agent = "stubborn"

[[agents]]
name = "Even"
agent = "conceding"

[[screens]]
title = "Try it"
text = "Make a proposal."
[screens.practice]
agent = "Mild"
until = "keep"
hint = "Propose something."

[test]
must = 1
[[test.questions]]
id = "who"
text = "Who gets the items?"
answers = ["Nobody", "Both, as agreed"]
right = "Both, as agreed"

[[questions]]
id = "age"
text = "How old are you?"
kind = "number"
least = 18
most = 99

[[questions]]
id = "open"
text = "Anything else?"
kind = "text"
required = false
"""
SPEED = 60.0  # a game may take ten seconds: a busy machine must not end it
HABITS = Habits(declines=0.1, fails=0.2, silent=0, dawdles=0, leaves=0.1, reloads=0.2, loses=0.1, double=0.3)


@dataclass(frozen=True)
class Rehearsed:
    """A rehearsal that is over."""

    study: Description
    report: RehearsalReport
    rows: Rows
    away: list[Span]

    def findings(self) -> RehearsalFindings:
        return check(self.report.journal, self.rows, self.study, self.away)


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> Rehearsed:
    """Twelve people and more, and the server is killed in the middle."""
    file = tmp_path_factory.mktemp("study") / "small.toml"
    file.write_text(STUDY)
    study, url = read_study(file), without_games(file.parent / "rehearsal.db")
    server = ServerProcess(file, url, SPEED, file.parent / "server.log")
    plan = RehearsalPlan(12, seed=3, gap=4.0, habits=HABITS, kills=1, calm=(1.0, 1.0))

    async def work() -> RehearsalReport:
        await server.start()
        return await Rehearsal(Visit(study, load(study.game), SPEED), plan, server).run()

    with server.running():
        report = asyncio.run(work())
    return Rehearsed(study, report, read_rows(url), server.away)


def test_nothing_is_lost_and_everybody_comes_to_an_end(rehearsed: Rehearsed) -> None:
    report, found = rehearsed.report, rehearsed.findings()
    assert report.journal.troubles == []
    assert set(found.sentences) <= set(found.overdue), "a busy machine may be late"
    assert report.stuck == 0
    assert len(rehearsed.away) == 1
    assert report.passed >= 12
    assert report.where["done"] >= 6
    assert found.checked["moves"] == len(report.journal.moves) > 30
    assert found.checked["payments"] > 6
    kinds = {(row["partner_kind"], row["status"]) for row in rehearsed.rows.episodes}
    assert {("person", "ended"), ("agent", "ended")} <= kinds


def _lose_a_move(rehearsed: Rehearsed) -> Rows:
    made = rehearsed.report.journal.moves[0]
    return replace(rehearsed.rows, moves=[row for row in rehearsed.rows.moves if row["move"] != made.move])


def _change_an_answer(rehearsed: Rehearsed) -> Rows:
    rows = [row | {"answer": 17} if row["question"] == "age" else row for row in rehearsed.rows.answers]
    return replace(rehearsed.rows, answers=rows)


def _answer_twice(rehearsed: Rehearsed) -> Rows:
    return replace(rehearsed.rows, answers=rehearsed.rows.answers * 2)


def _pay_twice(rehearsed: Rehearsed) -> Rows:
    rows = [row | {"bonus": 2 * (row["bonus"] or 0)} for row in rehearsed.rows.participants]
    return replace(rehearsed.rows, participants=rows)


def _meet_again(rehearsed: Rehearsed) -> Rows:
    people = [row | {"round": 9} for row in rehearsed.rows.episodes if row["partner_kind"] == "person"]
    return replace(rehearsed.rows, episodes=rehearsed.rows.episodes + people)


def _move_too_late(rehearsed: Rehearsed) -> Rows:
    return replace(rehearsed.rows, moves=[row | {"at": row["at"] + timedelta(days=1)} for row in rehearsed.rows.moves])


def _make_a_move_of_its_own(rehearsed: Rehearsed) -> Rows:
    rows = [row | {"ply": row["ply"] + 40} for row in rehearsed.rows.moves]
    return replace(rehearsed.rows, moves=rehearsed.rows.moves + rows)


def _leave_a_tournament_open(rehearsed: Rehearsed) -> Rows:
    return replace(rehearsed.rows, groups=[row | {"ended": None} for row in rehearsed.rows.groups])


@pytest.mark.parametrize(
    ("spoil", "kind"),
    [
        (_lose_a_move, "lost"),
        (_change_an_answer, "lost"),
        (_answer_twice, "doubled"),
        (_make_a_move_of_its_own, "doubled"),
        (_pay_twice, "doubled"),
        (_meet_again, "twice"),
        (_move_too_late, "late"),
        (_leave_a_tournament_open, "open"),
    ],
)
def test_the_check_finds(rehearsed: Rehearsed, spoil: Callable[[Rehearsed], Rows], kind: str) -> None:
    assert getattr(replace(rehearsed, rows=spoil(rehearsed)).findings(), kind)
