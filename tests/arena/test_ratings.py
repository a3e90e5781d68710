"""Ratings are those that known results imply."""

from __future__ import annotations

import math

import pytest

from parlor.agents.registry import make_agent
from parlor.arena.ratings import Result, hardest_to_beat, level, performance, ratings, results_of
from parlor.arena.tournament import play_tournament
from parlor.game.loading import load

MANY = 10**9  # games: the added draw does not count


def test_ten_wins_for_each_loss_are_400_points() -> None:
    assert Result(MANY, 10 / 11).difference == pytest.approx(400.0, abs=0.01)
    assert Result(MANY, 0.5).difference == pytest.approx(0.0, abs=0.01)
    assert Result(MANY, 1 / 3, players=3).difference == pytest.approx(0.0, abs=0.01), "equals win one game in three"
    assert Result(MANY, 10 / 12, players=3).difference == pytest.approx(400.0, abs=0.01)


def test_points_are_counted_as_being_ahead_after_a_hundred_games() -> None:
    # a mean of a tenth of the deviation is one deviation after 100 games: ahead in 84 % of sessions, odds of 5.3 to 1
    got = Result(MANY, 0.5, payoff=0.2, deviation=2.0).difference
    assert got == pytest.approx(400.0 * math.log10(0.8413 / 0.1587), rel=0.03)


def test_ratings_add_up_along_a_chain() -> None:
    won = Result(MANY, 10 / 11)
    found = ratings([("a", "random", won), ("b", "a", won), ("stranger", "other", won)])
    assert {name: round(rating.value) for name, rating in found.items()} == {"random": 0, "a": 400, "b": 800}
    assert found["b"].high - found["b"].low > found["a"].high - found["a"].low > 0.0, "further from what is known"
    assert ratings([("a", "b", won)]) == {}, "without random play there is no zero"


def test_more_games_make_ratings_more_certain_and_who_never_lost_is_not_infinitely_strong() -> None:
    few, many = (ratings([("a", "random", Result(games, 0.75))])["a"] for games in (8, 800))
    assert few.high - few.low > 2 * (many.high - many.low)
    few, many = (ratings([("a", "random", Result(games, 1.0))])["a"] for games in (8, 800))
    assert 0.0 < few.value < many.value < 2000.0


def test_a_few_games_that_all_ended_alike_are_not_certain() -> None:
    alike = Result(games=4, share=1.0, payoff=2.0, deviation=1.0, error=0.0)
    assert alike.uncertainty == pytest.approx(alike.difference / 8)  # deviation / games, as 2.0 is to the difference


def test_results_among_equals_count_more_than_those_against_the_weak() -> None:
    results = [
        ("solid", "random", Result(MANY, 0.9)),
        ("greedy", "random", Result(MANY, 0.95)),
        ("solid", "greedy", Result(MANY, 0.55)),
    ]
    found = ratings(results)
    assert found["solid"].value > found["greedy"].value


def test_contradictions_are_settled_between() -> None:
    won = Result(1000, 0.75)
    found = ratings([("rock", "scissors", won), ("scissors", "random", won), ("random", "rock", won)])
    assert all(abs(rating.value) < 1.0 for rating in found.values())


def test_a_person_is_rated_by_results_against_known_ones() -> None:
    assert performance([]) is None
    even = performance([(300.0, Result(50, 0.5)), (500.0, Result(50, 0.5))])
    assert even is not None
    assert even.value == pytest.approx(400.0, abs=1.0)
    assert even.low < 330.0
    assert even.high > 470.0
    mostly = performance([(300.0, Result(500, 0.5)), (500.0, Result(5, 0.5))])
    assert mostly is not None
    assert mostly.value < 350.0, "more games weigh more"


def test_levels_go_from_random_play_to_the_best() -> None:
    assert [level(rating, 500.0) for rating in (-80.0, 0.0, 250.0, 500.0)] == [1, 1, 5, 10]
    assert level(0.0, 0.0) == 1


def test_the_hardest_to_beat_is_not_who_wins_most_from_the_weak() -> None:
    results = [
        ("solid", "random", Result(1000, 0.7)),
        ("greedy", "random", Result(1000, 0.95)),
        ("solid", "greedy", Result(1000, 0.55)),
    ]
    assert hardest_to_beat(results) == ["solid", "greedy", "random"]


def test_a_cross_table_gives_ratings_whatever_the_number_of_players() -> None:
    for name in ("kuhn", "kuhn(players=3)", "goofspiel"):
        game = load(name)
        table = play_tournament(game, [make_agent(agent, game) for agent in ("random", "solver")], 300).row()
        found = ratings(results_of(table))
        assert found["random"].value == 0.0 < found["solver"].low, name
