"""Intervals against numbers worked out by hand and against simulation."""

import math

import numpy as np
import pytest

from parlor.arena.statistics import mean, rate, student, wilson


def test_wilson_by_hand() -> None:
    # Newcombe (1998), table I: 81 of 263 is 0.3080, 0.2553 to 0.3662; 15 of 148 is 0.1014, 0.0624 to 0.1605;
    # 0 of 20 is 0 to 0.1611; 1 of 29 is 0.0345, 0.0061 to 0.1718
    for wins, games, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (1, 29, 0.0061, 0.1718)):
        estimate = wilson(wins, games)
        assert estimate.value == wins / games
        assert (round(estimate.low, 4), round(estimate.high, 4)) == (low, high)
    assert (wilson(0, 20).low, round(wilson(0, 20).high, 4)) == (0.0, 0.1611)
    assert wilson(20, 20).high == 1.0
    assert math.isnan(wilson(0, 0).value)


def test_the_mean_by_hand() -> None:
    estimate = mean(np.array([1.0, -1.0, 1.0, 1.0]))
    assert estimate.value == 0.5
    assert estimate.high - estimate.value == pytest.approx(3.1824 * 1.0 / 2)  # the deviation is 1, of 4 values
    pairs = mean(np.tile([1.0, -1.0], 40), 2)
    assert (pairs.value, -pairs.low, pairs.high) == pytest.approx((0.0, 1 - 0.025 ** (1 / 40), 1 - 0.025 ** (1 / 40)))


def test_games_that_share_their_luck_are_not_counted_twice() -> None:
    """If both games of a pair always end alike, a pair tells no more than one game."""
    single = np.random.default_rng(1).random(500) < 0.7
    doubled = rate(np.repeat(single, 2), 2)
    once = rate(single)
    assert doubled.value == once.value
    assert doubled.high - doubled.low == pytest.approx(once.high - once.low, rel=0.01)


def test_luck_that_cancels_makes_the_interval_narrower() -> None:
    rng = np.random.default_rng(2)
    seat = rng.random(500) < 0.9  # whoever sits in seat 0 wins nine times in ten
    won = np.stack([seat, ~seat], axis=1).ravel()
    won[:40] = True
    assert (rate(won, 2).high - rate(won, 2).low) < 0.5 * (rate(won).high - rate(won).low)
    assert rate(np.ones(20, np.bool_), 2).low < 0.75  # ten pairs, all won: not certain


@pytest.mark.parametrize(("p", "games"), [(0.5, 100), (0.9, 100), (0.98, 200)])
@pytest.mark.parametrize("pair", [1, 2])
def test_the_interval_holds_the_truth_95_times_in_100(p: float, games: int, pair: int) -> None:
    """Pairs share a deal: with it the chances of both games rise or fall together."""
    rng = np.random.default_rng(3)
    rounds, held = 2000, 0
    for _ in range(rounds):
        deals = np.repeat(rng.random(games // pair) < p, pair)
        own = rng.random(games) < p
        won = np.where(rng.random(games) < 0.5, deals, own) if pair == 2 else own
        estimate = rate(won, pair)
        held += estimate.low <= p <= estimate.high
    assert 0.925 <= held / rounds <= 0.985


def test_the_interval_of_a_mean_of_few_games_is_wide_enough() -> None:
    assert [student(n) for n in (4, 10, 30)] == pytest.approx([2.776, 2.228, 2.042], abs=0.005)
    chance = np.random.default_rng(1)
    for games in (4, 10, 40):
        held = 0
        for _ in range(2000):
            found = mean(chance.normal(0.0, 1.0, games))
            held += found.low <= 0.0 <= found.high
        assert 0.935 < held / 2000 < 0.965


def test_a_few_games_that_are_all_alike_say_nothing_about_the_others() -> None:
    assert mean(np.ones(20)).low == -math.inf
