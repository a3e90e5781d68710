"""Conditions, who meets whom, and delays: pure functions of the seed."""

from __future__ import annotations

import statistics
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from parlor.study.design.description import Condition, Delay
from parlor.study.session import schedule
from parlor.study.session.engine import StudyClock
from parlor.study.session.states import estimate


def conditions(*shares: float) -> list[Condition]:
    return [Condition(f"C{number}", share, "agents") for number, share in enumerate(shares)]


@pytest.mark.parametrize(("shares", "size"), [((0.5, 0.5), 2), ((0.75, 0.25), 4), ((1.0,), 1), ((0.637, 0.363), 100)])
def test_every_block_has_the_shares(shares: tuple[float, ...], size: int) -> None:
    given = conditions(*shares)
    assert len(schedule.block(given)) == size
    drawn = [schedule.condition_of(7, given, number) for number in range(5 * size)]
    for begin in range(0, len(drawn), size):
        counts = Counter(drawn[begin : begin + size])
        assert all(abs(counts[c.name] - c.share * size) < 1 for c in given)


def test_conditions_are_drawn_from_the_seed() -> None:
    given = conditions(0.5, 0.5)
    drawn = {seed: tuple(schedule.condition_of(seed, given, n) for n in range(40)) for seed in (1, 2)}
    assert drawn[1] != drawn[2]
    assert len(set(zip(drawn[1][::2], drawn[1][1::2], strict=True))) == 2, "blocks are not all alike"


@pytest.mark.parametrize("first", ["random", "alternate"])
@pytest.mark.parametrize("size", [2, 4, 6, 8])
def test_everybody_meets_everybody_once(size: int, first: schedule.First) -> None:
    games = schedule.round_robin(3, 0, size, size - 1, first)
    assert len({frozenset(game.seats) for game in games}) == len(games) == size * (size - 1) // 2
    for round in range(size - 1):
        playing = [place for game in games if game.round == round for place in game.seats]
        assert sorted(playing) == list(range(size)), "everybody plays in every round"
    if first == "alternate":
        begun = Counter(game.seats[0] for game in games)
        assert max(begun.values()) - min(begun[place] for place in range(size)) <= 2


def test_fewer_rounds_and_every_agent_once() -> None:
    assert {game.round for game in schedule.round_robin(3, 0, 6, 2, "random")} == {0, 1}
    agents = ["A", "B", "C", "D", "E"]
    orders = {tuple(schedule.agents_in_order(1, group, agents, 5)) for group in range(30)}
    assert all(sorted(order) == agents for order in orders)
    assert len(orders) > 20
    assert schedule.own_seats(1, 0, 4, 2, "alternate") in ([0, 1, 0, 1], [1, 0, 1, 0])
    assert set(schedule.own_seats(1, 0, 40, 3, "random")) == {0, 1, 2}


def test_delays_are_normal_and_have_a_floor() -> None:
    drawn = [schedule.delay(1, "table", ply, Delay(10.0, 3.0, 5.0)) for ply in range(4000)]
    assert min(drawn) == 5.0
    assert statistics.mean(drawn) == pytest.approx(10.1, abs=0.2)  # a little more than 10: the floor
    assert statistics.stdev(drawn) == pytest.approx(2.9, abs=0.15)
    assert drawn[0] == schedule.delay(1, "table", 0, Delay(10.0, 3.0, 5.0))
    assert drawn[0] != schedule.delay(2, "table", 0, Delay(10.0, 3.0, 5.0))


def test_a_waiting_time_is_judged_by_how_fast_others_came() -> None:
    at, second = datetime(2026, 1, 1, tzinfo=UTC), timedelta(seconds=1)
    came = [at - 20 * second, at - 40 * second, at - 60 * second]
    assert estimate(3, came, at, second) == 90.0, "two in a minute: three in a minute and a half"
    assert estimate(3, came, at + 60 * second, second) == 180.0, "nobody has come since"
    assert estimate(0, came, at, second) == 0.0
    assert estimate(3, came[:1], at, second) is None
    assert estimate(3, came, at, StudyClock(50.0).lasting(1.0)) == 4500.0, "in seconds of the study"


def test_deals_are_drawn_from_the_seed_of_the_study_and_its_secret() -> None:
    key = schedule.key(1, "ab" * 32)
    known = schedule.deal(key, 2, 3, [4, 5])
    assert known == schedule.deal(key, 2, 3, [5, 4])
    assert len(bytes.fromhex(known)) == 16
    others = [(schedule.key(2, "ab" * 32), 2, 3, [4, 5]), (schedule.key(1, "cd" * 32), 2, 3, [4, 5])]
    others += [(key, 3, 3, [4, 5]), (key, 2, 4, [4, 5]), (key, 2, 3, [4, 6])]
    assert len({known, *(schedule.deal(*numbers) for numbers in others)}) == 6


def test_nothing_of_the_schedule_follows_from_the_public_seed() -> None:
    """Two studies with one file: other conditions, partners, seats, agents and delays."""
    one, two = schedule.key(2023, "ab" * 32), schedule.key(2023, "ac" * 32)
    told = [Condition("people", 0.5, "people"), Condition("agents", 0.5, "agents")]
    drawn = Delay(10.0, 3.0, 5.0)
    for what in (
        lambda key: [schedule.condition_of(key, told, number) for number in range(60)],
        lambda key: [schedule.agents_in_order(key, group, "abcde", 5) for group in range(9)],
        lambda key: schedule.own_seats(key, 0, 60, 2, "random"),
        lambda key: schedule.round_robin(key, 0, 6, 5, "random"),
        lambda key: schedule.delay(key, "table", 4, drawn),
    ):
        assert what(one) == what(one) != what(two)
