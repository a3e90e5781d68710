"""Intervals, measures, ratings and matches of given games: every number worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from parlor.arena.match import Match, in_order, rotated
from parlor.arena.measures import MEASURES, count, most
from parlor.arena.ratings import SCALE, Result, hardest_to_beat, level, performance, ratings, results_of
from parlor.arena.statistics import Estimate, Z, mean, mean_from, means, rate, rate_from, student, wilson
from parlor.arena.tournament import Tournament, pairs, play_tournament
from parlor.game import GameError
from parlor.game.loading import load
from parlor.poker.measures.local_best_response import Response

# ---------------------------------------------------------------------------------------------------------- intervals


def test_quantiles_of_student() -> None:
    for freedom, quantile in {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706}.items():
        assert student(freedom) == quantile
    for freedom, quantile in {10: 2.2281, 20: 2.0860, 60: 2.0003, 120: 1.9799}.items():
        assert student(freedom) == pytest.approx(quantile, abs=5e-3 if freedom == 10 else 6e-4)
    # Abramowitz and Stegun, 26.7.5
    assert student(6) == pytest.approx(1.9599640 + 2.3722712 / 6 + 2.8224986 / 36, abs=1e-6)
    assert student(0) == math.inf
    assert student(10**9) == pytest.approx(1.9599640, abs=1e-6)


def test_the_mean_of_groups_by_hand() -> None:
    """Groups of three: means 2, 4 and 9, with mean 5 and variance 13."""
    values = np.array([1.0, 2, 3, 0, 4, 8, 9, 9, 9])
    assert means(values, 3).tolist() == [2.0, 4.0, 9.0]
    found = mean(values, 3)
    reach = 4.3027 * math.sqrt(13 / 3)
    assert (found.value, found.low, found.high) == pytest.approx((5.0, 5 - reach, 5 + reach))
    one = mean(values)
    assert one.value == 5.0
    assert one.high - one.value == pytest.approx(student(8) * values.std(ddof=1) / 3)
    assert mean(values[:3], 3) == Estimate(2.0, -math.inf, math.inf)
    empty = mean(np.zeros(0))
    assert math.isnan(empty.value)
    assert (empty.low, empty.high) == (-math.inf, math.inf)


def test_what_never_varies_may_vary_yet() -> None:
    """In n results what never came has a probability p at most, with (1 - p)^n = 0.025."""
    assert mean_from(2.0, 0.0, 3000) == Estimate(2.0, -math.inf, math.inf), "nobody knows what else there is"
    assert mean_from(2.0, 1.0, 1) == Estimate(2.0, -math.inf, math.inf)
    assert mean_from(2.0, 8.0, 2).high == pytest.approx(2.0 + 12.7062 * 2.0)
    assert mean(np.ones(60), 2).low == -math.inf
    won = mean(np.ones(60), 2, (-1.0, 1.0))
    unseen = (1.0 - won.low) / 2.0
    assert (1.0 - unseen) ** 30 == pytest.approx(0.025)
    assert (won.value, won.high) == (1.0, 1.0)
    few = mean_from(3.0, 0.0, 2, (0.0, 4.0))
    unseen = 1.0 - math.sqrt(0.025)
    assert (few.low, few.high) == pytest.approx((3.0 - 3.0 * unseen, 3.0 + unseen))
    assert mean(np.array([5.0, 5.0, 6.0]), 1, (5.5, 5.8)) == mean(np.array([5.0, 5.0, 6.0]), 1), "more was seen"


def test_wilson_is_the_solution_of_its_equation() -> None:
    """Both ends p satisfy |p̂ − p| = Z √(p (1 − p) / n)."""
    for wins, games in ((3.0, 10.0), (0.5, 4.0), (70.0, 71.5)):
        found = wilson(wins, games)
        for end in (found.low, found.high):
            assert abs(wins / games - end) == pytest.approx(Z * math.sqrt(end * (1 - end) / games))
        assert found.low < found.value == wins / games < found.high
    for games in range(1, 300):  # whatever the rounding
        none, all_ = wilson(0, games), wilson(games, games)
        assert (none.value, none.low) == (0.0, 0.0)
        assert (all_.value, all_.high) == (1.0, 1.0)
        assert 0.0 < none.high < 1.0
        assert 0.0 < all_.low < 1.0
    assert wilson(0, 5).low == 0.0
    assert wilson(5, 5).high == 1.0
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)


def test_a_rate_of_deals_counts_as_many_games_as_it_is_worth() -> None:
    """Deals of two games won 2, 1, 0, 1 and 2 times: rate 0.6, variance of the five means 0.175."""
    won = np.array([1, 1, 0, 1, 0, 0, 1, 0, 1, 1], bool)
    found, expected = rate(won, 2), wilson(0.6 * 0.24 / 0.035, 0.24 / 0.035)
    assert (found.value, found.low, found.high) == pytest.approx((0.6, expected.low, expected.high))
    assert rate_from(0.6, 0.175, 5).low == pytest.approx(expected.low)
    assert rate(won, 1) == wilson(6, 10)
    assert rate(won[:2], 2) == wilson(1, 1), "a single deal is one game"
    assert rate(won[:3], 3) == wilson(2 / 3, 1)
    same, unseen = rate(np.tile([1.0, 0.0], 8), 2), 1.0 - 0.025 ** (1 / 8)
    assert (same.low, same.high) == pytest.approx((0.5 - 0.5 * unseen, 0.5 + 0.5 * unseen))
    shares = np.array([0.5, 0.5, 1.0, 0.0, 1.0, 1.0])  # means 0.5, 0.5, 1: rate 2/3, variance 1/12
    found, expected = rate(shares, 2), rate_from(2 / 3, 1 / 12, 3)
    assert (found.value, found.low, found.high) == pytest.approx((expected.value, expected.low, expected.high))
    assert rate_from(2 / 3, 1 / 12, 300).low == pytest.approx(wilson(2 / 3 * 800, 800).low)
    assert expected.low == pytest.approx(2 / 3 * 0.025 ** (1 / 3)), "of three deals a lost one may be missing"


def test_estimates_are_told_and_scaled() -> None:
    found = Estimate(0.5, -0.25, 1.0)
    assert str(found) == "0.500 (-0.250 to 1.000)"
    assert found * 4.0 == Estimate(2.0, -1.0, 4.0)


@pytest.mark.parametrize("group", [1, 3])
def test_intervals_of_means_hold_the_truth(group: int) -> None:
    """Games of a deal share most of their luck; counted one by one, they would seem to tell three times as much."""
    draw = np.random.default_rng(group)
    held = 0
    for _ in range(1000):
        deals = np.repeat(draw.normal(0.3, 1.0, 20), group)
        found = mean(deals + draw.normal(0.0, 0.3, 20 * group), group)
        held += found.low <= 0.3 <= found.high
    assert 0.93 < held / 1000 < 0.97


# ----------------------------------------------------------------------------------------------------------- measures


def test_measures_of_cells_of_three() -> None:
    payoffs = np.array([[[[3.0]], [[2.0]]], [[[1.0]], [[2.0]]], [[[1.0]], [[-1.0]]]])  # two cells
    by_hand = {
        "payoff": [[3, 2], [1, 2], [1, -1]],
        "win-share": [[1, 0.5], [0, 0.5], [0, 0]],
        "welfare": [[5, 3]] * 3,
        "nash-product": [[3, 0]] * 3,
        "inequity": [[4 / 3, 2]] * 3,
    }
    for name, expected in by_hand.items():
        found = MEASURES[name].of_cells(payoffs)
        assert found.shape == payoffs.shape
        assert found.reshape(3, 2) == pytest.approx(np.array(expected))
    assert [name for name, one in MEASURES.items() if one.linear] == ["payoff", "welfare"]
    assert [name for name, one in MEASURES.items() if one.share] == ["win-share"]
    assert [name for name, one in MEASURES.items() if one.less] == ["inequity"]
    assert most(np.array([[1.0, 2.0, 2.0]])).tolist() == [[False, True, True]]
    assert count(np.array([[True, False, True], [False] * 3])).tolist() == [2.0, 0.0]


# ------------------------------------------------------------------------------------------------------------ matches


def two_players(duplicate: bool = True) -> Match:
    """Three deals, the first agent in both seats of each: it wins 2 and 1, loses 3 and draws, wins 4, loses 1."""
    lineups = np.array([[0, 1], [1, 0]] * 3)
    payoffs = np.array([[2, -2], [-1, 1], [-3, 3], [0, 0], [4, -4], [1, -1]], float)
    return Match("some", ("a", "b"), "alternating", duplicate, 7, lineups, payoffs, 2.0, {"milli": 1000.0})


def test_a_match_of_two_by_hand() -> None:
    found = two_players()
    assert found.seats.tolist() == [0, 1, 0, 1, 0, 1]
    assert (found.wins, found.draws, found.losses, found.ties) == (3, 1, 2, 1)
    assert (found.games, found.players, found.speed) == (6, 2, 3.0)
    assert found.payoff.value == pytest.approx((2 + 1 - 3 + 0 + 4 - 1) / 6)
    deals = np.array([1.5, -1.5, 1.5])
    assert found.payoff.high - found.payoff.value == pytest.approx(4.3027 * deals.std(ddof=1) / math.sqrt(3))
    fresh = two_players(duplicate=False)
    games = np.array([2.0, 1, -3, 0, 4, -1])
    assert fresh.payoff.high - fresh.payoff.value == pytest.approx(2.5706 * games.std(ddof=1) / math.sqrt(6))
    assert found.rate == rate(np.array([1, 1, 0, 0, 1, 0], bool), 2)
    assert found.score == found.rate
    assert (found.seat(0), found.seat(1)) == (wilson(2, 3), wilson(1, 3))
    assert found.measure("payoff", seat=1).value == 0.0
    assert found.measure("payoff", agent=1).value == -found.payoff.value
    assert found.measure("win-share").value == pytest.approx(3.5 / 6)


def test_a_match_seen_from_the_other() -> None:
    turned = two_players().turned()
    assert turned.agents == ("b", "a")
    assert (turned.wins, turned.draws, turned.losses) == (2, 1, 3)
    assert turned.payoff.value == pytest.approx(-0.5)
    assert turned.seats.tolist() == [1, 0, 1, 0, 1, 0]
    assert turned.seat(0) == wilson(1, 3)


def test_a_row_of_a_match() -> None:
    row = two_players().row()
    assert (row["agent"], row["against"], row["seed"], row["start"]) == ("a", "b", 7, "alternating")
    assert (row["games"], row["wins"], row["draws"], row["losses"], row["ties"]) == (6, 3, 1, 2, 1)
    assert row["deviation"] == pytest.approx(np.array([2.0, 1, -3, 0, 4, -1]).std())
    assert row["in_units"]["milli"]["value"] == pytest.approx(500.0)
    assert row["in_units"]["milli"]["high"] == pytest.approx(1000.0 * row["payoff"]["high"])
    assert row["by_seat"]["1"] == vars(wilson(1, 3))
    assert row["measures"]["inequity"]["value"] == pytest.approx((4 + 2 + 6 + 0 + 8 + 2) / 6)
    assert row["measures"]["payoff"]["by_seat"]["0"]["value"] == 1.0
    assert [one["payoff"]["value"] for one in row["by_agent"]] == pytest.approx([0.5, -0.5])
    assert [one["win-share"]["value"] for one in row["by_agent"]] == pytest.approx([3.5 / 6, 2.5 / 6])
    assert (row["seconds"], row["games_per_second"]) == (2.0, 3.0)


def test_points_are_more_than_winning_or_losing() -> None:
    def match(*payoffs: Any) -> Match:
        lineups = np.tile(np.arange(len(payoffs[0])), (len(payoffs), 1))
        return Match("some", ("a", "b"), "first", False, 0, lineups, np.array(payoffs, float))

    assert not match((1, -1), (0, 0), (-1, 1)).in_points
    assert match((1, -1), (2, -2)).in_points
    assert match((0.5, -0.5)).in_points
    assert not match((1, 0, 0), (0.5, 0.5, 0)).in_points, "a shared win is worth less"
    assert match((1, 0, 0), (2, 0, 0)).in_points
    assert match((1, 0, -1)).in_points, "losing is not always the same"


def test_corrected_payoffs_have_their_own_interval() -> None:
    corrected = np.array([[1.0, -1.0], [-2.0, 2.0], [0.5, -0.5], [0.5, -0.5], [3.0, -3.0], [1.0, -1.0]])
    found = replace(two_players(), corrected=corrected)
    deals = np.array([1.5, 0.0, 1.0])
    assert found.payoff.value == pytest.approx(deals.mean())
    reach = 4.3027 * deals.std(ddof=1) / math.sqrt(3)
    unseen = 1.0 - 0.025 ** (1 / 3)  # with so few deals, four points up or down may come that often
    assert found.payoff.high - found.payoff.value == pytest.approx(max(reach, unseen * (4.0 - deals.mean())))
    assert found.payoff.value - found.payoff.low == pytest.approx(unseen * (deals.mean() + 4.0))
    assert found.row()["deviation"] == pytest.approx(np.array([1.0, 2.0, 0.5, -0.5, 3.0, -1.0]).std())
    assert found.measure("inequity") == two_players().measure("inequity")


def test_lineups_by_hand() -> None:
    assert rotated(2, 3, 0, 4, "alternating").tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 1, 1]]
    assert rotated(3, 3, 1, 3, "alternating").tolist() == [[2, 0, 1], [1, 2, 0]]
    assert rotated(2, 3, 1, 3, "first").tolist() == [[0, 1, 1]] * 2


@pytest.mark.parametrize("threads", [1, 2])
def test_results_come_in_the_order_of_the_items(threads: int) -> None:
    found = list(in_order(lambda k: np.array([float(k)]), list(range(20)), threads))
    assert [one[0] for one in found] == list(range(20))


def test_a_match_in_one_line() -> None:
    found = two_players()
    low, high = found.rate.low, found.rate.high
    assert repr(found) == (
        f"<match of some: a against b, games 6, win rate 0.500 ({low:.3f} to {high:.3f}), "
        f"payoff +0.500 ({found.payoff.low:+.3f} to {found.payoff.high:+.3f})>"
    )
    assert "+0.500" in found._repr_html_()
    assert "some: a against b" in found._repr_html_()


def test_a_local_best_response_is_played_in_pairs() -> None:
    won, adjusted = np.array([4.0, -2, 7, 0, -1, 0]), np.array([2.0, 0, 3, 3, 1, -1])
    found = Response("some", "a", "all", "tree", 0, won, adjusted, 3.0, {"milli": 1000.0})
    assert found.payoff == mean(adjusted, 2)
    assert found.plain == mean(won, 2)
    row = found.row()
    assert (row["hands"], row["hands_per_second"]) == (6, 2.0)
    assert row["in_units"]["milli"]["value"] == pytest.approx(1000 * 4 / 3)
    assert row["plain_in_units"]["milli"]["value"] == pytest.approx(1000 * 4 / 3)
    assert row["in_units"]["milli"]["low"] != row["plain_in_units"]["milli"]["low"]


# -------------------------------------------------------------------------------------------------------- tournaments


def played(wins: int, draws: int, losses: int, points: float = 1.0) -> Match:
    payoffs = np.array([[points, -points]] * wins + [[0.0, 0.0]] * draws + [[-points, points]] * losses)
    return Match("some", ("x", "y"), "first", False, 0, np.tile([0, 1], (len(payoffs), 1)), payoffs)


def test_ratings_of_two_by_hand() -> None:
    """Six wins, two draws and two losses, and one drawn game more: 7.5 to 3.5."""
    found = Tournament("some", ("a", "b"), {(0, 1): played(6, 2, 2)})
    apart = 400 * math.log10(7.5 / 3.5)
    assert found.ratings() == pytest.approx([apart / 2, -apart / 2])
    assert Tournament("some", ("a", "b", "c"), {}, players=3).ratings() == []


def test_ratings_along_a_chain_by_hand() -> None:
    """Who has not met is compared by way of the third; who has not played has no rating."""
    matches = {(0, 1): played(9, 0, 0), (1, 2): played(0, 4, 5)}
    ratings = Tournament("some", ("a", "b", "c", "d"), matches).ratings()
    first, second = 400 * math.log10(9.5 / 0.5), 400 * math.log10(2.5 / 7.5)
    assert ratings[0] - ratings[1] == pytest.approx(first, abs=1e-3)
    assert ratings[1] - ratings[2] == pytest.approx(second, abs=1e-3)
    assert math.isnan(ratings[3])


def test_means_over_opponents() -> None:
    matches = {(0, 1): played(3, 0, 1, 5.0), (0, 2): played(1, 1, 0, 2.0)}
    found = Tournament("some", ("a", "b", "c"), matches)
    assert found.mean_rate(0) == pytest.approx((0.75 + 0.5) / 2)
    assert found.mean_rate(1) == 0.25
    assert found.mean_payoff(0) == pytest.approx((2.5 + 1.0) / 2)
    assert found.mean_payoff(2) == -1.0
    assert found.match(1, 2) is None
    assert math.isnan(Tournament("some", ("a", "b"), {}).mean_rate(0))
    assert found.in_points
    assert not Tournament("some", ("a", "b"), {(0, 1): played(3, 0, 1)}).in_points
    row = found.row()
    assert row["mean_payoffs"] == pytest.approx([1.75, -2.5, -1.0])
    assert (row["players"], len(row["matches"]), row["agents"]) == (2, 2, ["a", "b", "c"])


def test_pairs() -> None:
    assert pairs(2, 3) == [(0, 1), (0, 2), (1, 2)]
    assert pairs(3, 3) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]


def test_a_tournament_that_is_stopped_keeps_what_was_played() -> None:
    told: list[tuple[int, int]] = []

    def stop(number: int, done: int) -> bool:
        told.append((number, done))
        return number < 1

    def passes(position: Any) -> dict[str, float]:
        return {"pass": 1.0}

    def bets(position: Any) -> dict[str, float]:
        return {"bet": 1.0}

    found = play_tournament(load("kuhn"), [passes, bets, passes], 20, on_progress=stop)
    assert told == [(0, 16), (0, 20), (1, 16)]
    assert list(found.matches) == [(0, 1), (0, 2)]
    assert found.matches[0, 2].games == 16
    with pytest.raises(GameError, match="at least two"):
        play_tournament(load("kuhn"), [passes])


# ------------------------------------------------------------------------------------------------------------ ratings


def test_differences_and_errors_of_shares_by_hand() -> None:
    """Three wins of four and a draw added: 3.5 of 5, odds 7 to 3."""
    got = Result(4, 0.75)
    assert got.difference == pytest.approx(400 * math.log10(7 / 3))
    assert got.uncertainty == pytest.approx(400 / math.log(10) * math.sqrt(0.21 / 5) / 0.21)
    assert got.weight == pytest.approx(1 / (got.uncertainty**2 + (30 * math.cosh(math.log(7 / 3) / 2)) ** 2))
    three = Result(4, 0.75, players=3)  # 3 wins and a third of 5: odds, seen from one in three, 2 · (10/3) to 5/3
    assert three.difference == pytest.approx(400 * math.log10(4.0))
    told = Result(99, 0.5, error=0.02)
    assert told.uncertainty == pytest.approx(400 / math.log(10) * 0.02 / 0.25)
    sure = Result(99, 0.5, error=0.0)
    assert sure.uncertainty == pytest.approx(400 / math.log(10) * 0.005 / 0.25), "never less than half a game"
    assert pytest.approx(173.7178, abs=1e-4) == SCALE


def test_differences_and_errors_of_points_by_hand() -> None:
    got = Result(25, 0.5, payoff=0.3, deviation=2.0)
    unit = 400 / math.log(10) * 1.702 * 10.0 / 2.0
    assert got.difference == pytest.approx(unit * 0.3)
    assert got.uncertainty == pytest.approx(unit * 0.4)
    assert Result(25, 0.5, payoff=0.3, deviation=2.0, error=0.25).uncertainty == pytest.approx(unit * 0.25)
    assert Result(25, 0.5, payoff=0.3, deviation=2.0, error=0.01).uncertainty == pytest.approx(unit * 0.08)


def test_two_ways_to_a_rating_are_weighted_by_hand() -> None:
    """a against random directly, and by way of b: the two estimates, each with the weight of its precision."""
    direct, first, second = Result(40, 0.7), Result(100, 0.6), Result(60, 0.55)
    found = ratings([("a", "random", direct), ("b", "random", first), ("a", "b", second)])
    variance = 1 / first.weight + 1 / second.weight
    weights = np.array([direct.weight, 1 / variance])
    value = weights @ [direct.difference, first.difference + second.difference] / weights.sum()
    assert found["a"].value == pytest.approx(value)
    assert found["a"].high - found["a"].value == pytest.approx(Z / math.sqrt(weights.sum()))
    assert found["a"].value - found["a"].low == pytest.approx(Z / math.sqrt(weights.sum()))
    assert found["random"] == Estimate(0.0, 0.0, 0.0)
    other = ratings([("a", "random", direct), ("b", "random", first)], anchor="b")
    assert other["random"].value == pytest.approx(-first.difference)
    assert other["a"].value == pytest.approx(direct.difference - first.difference)
    itself = ratings([("a", "a", Result(9, 1.0)), ("a", "random", direct)])
    assert itself["a"].value == pytest.approx(direct.difference), "who plays oneself learns nothing"


def test_the_performance_of_a_person_by_hand() -> None:
    few, many = Result(10, 0.8), Result(90, 0.4)
    got = performance([(200.0, few), (500.0, many), (900.0, Result(0, 0.0))])
    assert got is not None
    value = (few.weight * (200 + few.difference) + many.weight * (500 + many.difference)) / (few.weight + many.weight)
    assert got.value == pytest.approx(value)
    assert got.high - got.value == pytest.approx(1.959964 / math.sqrt(few.weight + many.weight), rel=1e-6)
    assert got.value - got.low == pytest.approx(got.high - got.value)
    assert performance([(900.0, Result(0, 0.0))]) is None


def test_levels_by_hand() -> None:
    assert [level(rating, 900.0) for rating in (0, 49, 51, 449, 451, 899, 2000)] == [1, 1, 2, 5, 6, 10, 10]
    assert level(-5.0, -3.0) == 1


def test_the_worst_result_counts() -> None:
    results = [("a", "b", Result(100, 0.6)), ("c", "a", Result(100, 0.3)), ("b", "c", Result(100, 0.45))]
    # a: +, + ; b: -, slightly - ; c: -, slightly +
    assert hardest_to_beat(results) == ["a", "b", "c"]
    among = [("a", "b", Result(100, 0.2, players=3)), ("b", "a", Result(100, 0.5, players=3))]
    assert hardest_to_beat(among) == ["b", "a"]
    alone = [("a", "b", Result(100, 0.5, players=3)), ("b", "a", Result(100, 0.4, players=3))]
    assert hardest_to_beat(alone) == ["a", "b"], "copies of the other are not judged by what one wins from them"


def table(in_points: bool, **changed: Any) -> dict[str, Any]:
    match: dict[str, Any] = {
        "agent": "a",
        "against": "b",
        "games": 50,
        "players": 2,
        "payoff": {"value": 0.5, "low": 0.1, "high": 0.9},
        "deviation": 2.0,
        "measures": {"win-share": {"value": 0.6, "low": 0.5, "high": 0.7}},
        "by_agent": [{}, {"payoff": {"value": -0.5}}],
    }
    return {"in_points": in_points, "matches": [match | changed]}


def test_results_of_a_cross_table_by_hand() -> None:
    [(one, other, points)] = results_of(table(True))
    assert (one, other) == ("a", "b")
    assert replace(points, error=None) == Result(50, 0.6, 2, 0.5, 2.0)
    assert points.error == pytest.approx(0.8 / (2 * 1.959964), rel=1e-6)
    [(_, _, wins)] = results_of(table(False))
    assert replace(wins, error=None) == Result(50, 0.6, 2)
    assert wins.error == pytest.approx(0.2 / (2 * 1.959964), rel=1e-6)
    [(_, _, both)] = results_of(table(True, by_agent=[{}, {"payoff": {"value": 0.7}}]))
    assert both.payoff is None, "what both gain does not say who is stronger"
    [(_, _, three)] = results_of(table(True, players=3, by_agent=[{}, {"payoff": {"value": -0.25}}]))
    assert three.payoff == 0.5
    [(_, _, unknown)] = results_of(table(True, payoff={"value": 0.5, "low": None, "high": None}))
    assert unknown.error is None
    [(_, _, sure)] = results_of(table(True, payoff={"value": 0.5, "low": 0.5, "high": 0.5}))
    assert sure.error is None
    assert results_of(table(True, deviation=0.0)) == []
    assert results_of(table(False, games=0)) == []
    assert len(results_of(table(False, deviation=0.0))) == 1
