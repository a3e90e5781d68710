"""How long a study takes, what it costs, who is paid, and who does what: numbers by hand."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from parlor.game.loading import load
from parlor.game.rng import uniform
from parlor.study.data.folder import as_csv, bonus_of, harmless, pay_list, pay_text
from parlor.study.data.records import Person
from parlor.study.design import summary as module
from parlor.study.design.description import (
    Comprehension,
    Condition,
    Delay,
    Description,
    Pay,
    Practice,
    Question,
    Screen,
    StudyAgent,
    Waiting,
)
from parlor.study.design.orientation import ITEMS, angle, orientation, type_of
from parlor.study.design.summary import Minutes, minutes, money, remarks, steps
from parlor.study.session import schedule

STUDY = Description(
    title="t",
    game="deal-or-no-deal",
    seed=4,
    conditions=(Condition("HvH", 0.25, "people", group=4), Condition("HvA", 0.75, "agents", agents=("Fair", "Mean"))),
    agents=(StudyAgent("Fair", "conceding"), StudyAgent("Mean", "stubborn"), StudyAgent("Odd", "random")),
    episodes=2,
    seconds=90.0,
    delay=Delay(5.0, 2.0, 1.0),
    pay=Pay(base=2.0, point=0.1),
    waiting=Waiting(longest=300.0, pause=6.0),
    consent=Screen("Do you agree", "a b c d e f g"),  # 10 words
    screens=(Screen("First", " ".join(["word"] * 89)), Screen("Try", "it", Practice("Fair"))),  # 90 and 2 words
    test=Comprehension((Question("q", "?"), Question("r", "?"), Question("s", "?")), 2),
    orientation=True,
    questions=(
        Question("a", "?", "number"),
        Question("b", "?", "text"),
        Question("c", "?"),
        Question("d", "?", "slider"),
    ),
)


def test_minutes_by_hand() -> None:
    """102 words at 200 a minute, one practice, three and four questions, the sliders, half of two games, two pauses."""
    reading, practice, test, asked, sliders = 102 / 200 * 60, 30, 3 * 20, 10 + 40 + 12 + 10, 90
    games, pauses = 2 * 90, 2 * 6
    found = minutes(STUDY)
    assert found.about == pytest.approx((reading + practice + test + asked + sliders + games / 2 + pauses) / 60)
    assert found.games == pytest.approx((games + pauses) / 60)
    assert found.waiting == 5.0
    alone = minutes(replace(STUDY, conditions=STUDY.conditions[1:], orientation=False))
    assert found.about - alone.about == pytest.approx(1.5)
    assert alone.waiting == 0.0, "nobody waits for others"
    assert isinstance(found, Minutes)


def test_steps_in_words() -> None:
    told = list(steps(STUDY))
    assert told[0] == "read a consent form (10 words), and agree or leave"
    assert told[1] == "read 2 screens (92 words); on 1 of them they try something"
    assert told[2] == "answer 3 questions, of which 2 must be right"
    assert told[3].split("\n")[1:] == [
        "HvH, 25.0% of them: wait until 4 are there, then 2 games with one another, at most 90 seconds each",
        "HvA, 75.0% of them: 2 games with Fair, Mean, which answer after 5 ± 2 seconds, at most 90 seconds each",
    ]
    assert told[4:] == [
        "set the six sliders of Social Value Orientation",
        "answer 4 questions about themselves and the study",
    ]
    bare = replace(STUDY, screens=(Screen("One", "two"),), test=Comprehension(), orientation=False, questions=())
    told = list(steps(replace(bare, conditions=(Condition("HvA", 1.0, "agents"),), episodes=1)))
    assert told[1] == "read 1 screen (2 words)"
    assert told[2].split("\n")[1].startswith("HvA, 100.0% of them: 1 game with 1 of Fair, Mean, Odd, which")
    assert len(told) == 3


def test_money_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten points at most in a game; agents have 6 on average, so two games pay 1.20."""
    monkeypatch.setattr(module, "_points", lambda study, game: (6.0, 60))
    payoffs = load("deal-or-no-deal").payoffs
    assert payoffs is not None
    found = money(STUDY)
    assert (found.least, found.points, found.games) == (2.0, 6.0, 60)
    assert found.about == pytest.approx(3.2)
    assert found.most == pytest.approx(2.0 + 0.1 * 2 * payoffs[1])
    monkeypatch.setattr(module, "_points", lambda study, game: (-6.0, 60))
    assert money(STUDY).about == 2.0, "nobody pays for taking part"


def test_points_of_agents_among_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every agent begins in turn, and meets others as the games go on; the mean is over games and seats."""
    seated: list[tuple[str, ...]] = []

    class Over:
        payoffs = (3.0, 9.0)

    def play(game: Any, seats: Any, seed: int, number: int) -> Over:
        assert (seed, number) == (4, len(seated))
        seated.append(tuple(seats))
        return Over()

    monkeypatch.setattr(module, "load_agent", lambda name, game: name)
    monkeypatch.setattr(module, "play_game", play)
    monkeypatch.setattr(module, "TRIED_GAMES", 7)
    assert module._points(STUDY, load("deal-or-no-deal")) == (6.0, 7)
    a, b, c = "conceding", "stubborn", "random"
    assert seated == [(a, b), (b, c), (c, a), (a, c), (b, a), (c, b), (a, a)]
    seated.clear()
    monkeypatch.setattr(module, "TRIED_SECONDS", -1.0)
    assert module._points(STUDY, load("deal-or-no-deal"))[1] == 1, "one game at least"


def test_what_was_forgotten() -> None:
    blank = replace(STUDY, consent=Screen("c", "Ask [name\nof researcher] or [name\nof researcher], not [1]."))
    assert next(remarks(blank)) == "The texts still have blanks to fill in: [name of researcher], [1]."
    told = list(remarks(replace(STUDY, test=Comprehension())))
    assert told[-1] == "There is no comprehension test: everybody goes on."
    assert told[0].startswith("completion_url is empty")
    assert list(remarks(replace(STUDY, test=replace(STUDY.test, must=0))))[-1].startswith("must is 0")


# ------------------------------------------------------------------------------------------------------------------ pay


def test_cents_by_hand() -> None:
    pay = Pay(point=0.15)
    assert [bonus_of(pay, points) for points in (0.0, 1.0, 2.5, 7.1, -4.0)] == [0.0, 0.15, 0.38, 1.07, 0.0]
    assert bonus_of(Pay(point=0.1), 0.35) == 0.04, "half a cent is rounded up"


def person(platform: str, base: float | None, bonus: float | None, code: str | None = "C") -> Person:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Person("id", "P001", platform, None, None, "done", at, at, at, at, True, base, bonus, code)


def test_a_pay_list_by_hand() -> None:
    people = [person("b", 2.5, 1.234), person("=a", 0.5, None), person("c", None, 3.0), person("d", 1.0, 1.0, None)]
    rows = pay_list(people)
    assert [(row["platform_id"], row["base"], row["bonus"], row["total"]) for row in rows] == [
        ("'=a", "0.50", "0.00", "0.50"),
        ("b", "2.50", "1.23", "3.73"),
    ]
    assert (rows[0]["completion_code"], rows[0]["status"]) == ("C", "done")
    first, second, _ = pay_text(rows).splitlines()
    assert first == "platform_id,base,bonus,total,completion_code,status"
    assert second == "'=a,0.50,0.00,0.50,C,done"


def test_values_as_they_are_written() -> None:
    rows: list[dict[str, Any]] = [{"a": True, "b": 2.0, "c": 0.12345678, "d": None}, {"a": False, "c": -1.5}]
    assert as_csv("abcd", rows) == "a,b,c,d\n1,2,0.123457,\n0,,-1.5,\n"
    assert [harmless(one) for one in ("-3.5", "-x", "+1", "@y", "z", 4)] == ["-3.5", "'-x", "+1", "'@y", "z", 4]
    assert [harmless(one) for one in ("x;=1+1;y", " =1", "a, b; c", "5-3", "\t=2")] == [
        *("x;'=1+1;y", "' =1", "a, b; c", "5-3", "'\t'=2")
    ]


# ------------------------------------------------------------------------------------------------------------- schedule


def conditions(*shares: float) -> list[Condition]:
    return [Condition(f"C{number}", share, "agents") for number, share in enumerate(shares)]


def test_blocks_by_hand() -> None:
    def counts(*shares: float) -> list[int]:
        found = Counter(schedule.block(conditions(*shares)))
        return [found[f"C{k}"] for k in range(len(shares))]

    assert counts(1 / 3, 1 / 3, 1 / 3) == [1, 1, 1]
    assert counts(0.4, 0.6) == [2, 3]
    assert counts(0.7, 0.2, 0.1) == [7, 2, 1]
    assert counts(0.6372, 0.3628) == [64, 36], "the larger remainder is rounded up"
    assert counts(0.3334, 0.3333, 0.3333) == [34, 33, 33]
    assert schedule.block(conditions(0.4, 0.6)) == ["C0"] * 2 + ["C1"] * 3


def test_a_shuffle_can_bring_any_order() -> None:
    orders = Counter(tuple(schedule.shuffled("abc", schedule._stream(1, number))) for number in range(600))
    assert len(orders) == 6
    assert max(orders.values()) < 150
    assert schedule.shuffled([], [1, 2, 3, 4]) == []


def test_places_in_a_block_follow_one_another() -> None:
    given = conditions(0.7, 0.2, 0.1)
    for which in range(3):
        block = [schedule.condition_of(5, given, 10 * which + place) for place in range(10)]
        order = schedule.shuffled(schedule.block(given), schedule._stream(5, "block", which))
        assert block == order


@pytest.mark.parametrize("size", [4, 6])
def test_who_has_begun_less_often_begins(size: int) -> None:
    for group in range(20):
        begun = dict.fromkeys(range(size), 0)
        for game in schedule.round_robin(1, group, size, size - 1, "alternate"):
            first, second = game.seats
            assert begun[first] <= begun[second]
            begun[first] += 1
    firsts = Counter(
        game.seats[0] < game.seats[1]
        for group in range(40)
        for game in schedule.round_robin(1, group, size, 1, "alternate")
    )
    assert 0.25 < firsts[True] / sum(firsts.values()) < 0.75, "a tie is drawn"


def test_a_tournament_has_so_many_rounds() -> None:
    assert len(schedule.round_robin(1, 0, 6, 9, "random")) == 15
    assert len(schedule.round_robin(1, 0, 6, 2, "random")) == 6
    assert schedule.round_robin(1, 0, 6, 5, "random") != schedule.round_robin(1, 1, 6, 5, "random")
    assert len(schedule.agents_in_order(1, 0, "abcde", 3)) == 3
    assert schedule.own_seats(1, 0, 5, 3, "alternate") in ([0, 1, 2, 0, 1], [1, 2, 0, 1, 2], [2, 0, 1, 2, 0])
    begins = {schedule.own_seats(1, group, 1, 3, "alternate")[0] for group in range(30)}
    assert begins == {0, 1, 2}
    seats = Counter(seat for group in range(100) for seat in schedule.own_seats(1, group, 3, 2, "random"))
    assert 100 < seats[0] < 200


def test_a_delay_by_its_formula() -> None:
    """Box and Muller: two uniform numbers of the stream that the move names."""
    for ply in range(20):
        stream = schedule._stream(3, "delay", "E", ply)
        first, second = uniform(stream), uniform(stream)
        normal = math.sqrt(-2.0 * math.log(1.0 - first)) * math.cos(2.0 * math.pi * second)
        expected = max(4.0, 6.0 + 2.0 * normal)
        assert schedule.delay(3, "E", ply, Delay(6.0, 2.0, 4.0)) == pytest.approx(expected)
    drawn = {schedule.delay(3, name, ply, Delay(6.0, 2.0, 0.0)) for name in "EF" for ply in range(5)}
    assert len(drawn) == 10


def test_deals_depend_on_everything_that_names_them() -> None:
    known = {schedule.deal(*numbers) for numbers in (
        (1, 2, 3, (4, 5)), (2, 2, 3, (4, 5)), (b"t", 2, 3, (4, 5)), (1, 1, 3, (4, 5)), (1, 2, 4, (4, 5)),
        (1, 2, 3, (4, 6)),
    )}  # fmt: skip
    assert len(known) == 6
    assert all(len(bytes.fromhex(one)) == 16 for one in known)


def test_orientations_by_hand() -> None:
    assert angle([(85, 85), (100, 50)]) == pytest.approx(math.degrees(math.atan2(17.5, 42.5)))
    borders = (57.16, 57.15, 22.46, 22.45, -12.03, -12.04)
    kinds = ["altruist", "prosocial", "prosocial", "individualist", "individualist", "competitor"]
    assert [type_of(one) for one in borders] == kinds
    last = orientation(dict.fromkeys(ITEMS, 8))
    assert last is not None
    ends = [(85, 15), (100, 50), (85, 85), (85, 15), (50, 100), (85, 85)]
    assert last[0] == pytest.approx(angle(ends))
    assert ITEMS["svo-2"][1] == (87, 19)  # 86.875 and 19.375
    assert ITEMS["svo-2"][4] == (93, 33)  # 92.5 and 32.5: halves go up
