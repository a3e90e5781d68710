"""Empirical games, their errors, rankings and intervals: numbers of small samples, worked out by hand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from parlor.game.errors import GameError
from parlor.policies.mixture import correlated, independent
from parlor.population.empirical.empirical_game import EXACT, EmpiricalGame, symmetrised
from parlor.population.empirical.estimates import WIDE, Estimates, _same_agents, _sources, complete_part, estimates
from parlor.population.empirical.rankings import (
    RANKINGS,
    borda,
    borda_combinations,
    evolve,
    find_ranking,
    nash_equilibrium,
    places,
    rank,
    responses,
    symmetric_nash,
)
from parlor.population.empirical.solutions import MetaSolution, find_solution


def game_of(shape: tuple[int, ...]) -> EmpiricalGame:
    made = EmpiricalGame("some", len(shape))
    for player, n in enumerate(shape):
        for i in range(n):
            made.add(player, "abcdef"[i])
    return made


def recorded(game: EmpiricalGame, cell: tuple[int, ...], *samples: Sequence[float]) -> None:
    """Games with these payoffs, a sample for each."""
    table = np.array(samples)
    game.record(cell, len(table), table.sum(axis=0), (table**2).sum(axis=0))


# ----------------------------------------------------------------------------------------------------- empirical games


def test_means_and_intervals_of_given_games() -> None:
    game = game_of((2, 2))
    recorded(game, (0, 0), (1.0, 7.0), (2.0, 7.0), (6.0, 7.0))  # mean 3, variance 7
    recorded(game, (0, 1), (4.0, 0.0))
    game.set_exact((1, 0), np.array([2.5, -1.0]))
    assert game.bounds == (-7.0, 7.0)
    assert game.payoffs[:, 0, 0].tolist() == [3.0, 7.0]
    assert game.payoffs[:, 1, 0].tolist() == [2.5, -1.0]
    assert np.isnan(game.payoffs[:, 1, 1]).all()
    half, unseen = game.half_widths(), 1 - 0.025 ** (1 / 3)
    assert half[0, 0, 0] == pytest.approx(max(4.3027 * math.sqrt(7 / 3), unseen * 10.0))
    assert half[1, 0, 0] == pytest.approx(unseen * 14.0), "three equal games: down to minus seven may come"
    assert half[:, 0, 1].tolist() == [math.inf, math.inf], "one game tells nothing of the variance"
    assert (half[0, 1, 0], half[0, 1, 1]) == (0.0, math.inf)
    game.limits = (0.0, 7.0)
    assert game.half_widths()[0, 0, 0] == pytest.approx(4.3027 * math.sqrt(7 / 3))
    assert game.half_widths()[1, 0, 0] == pytest.approx(unseen * 7.0)
    assert game.restricted([[0], [0]]).half_widths()[1, 0, 0] == pytest.approx(unseen * 7.0)
    game.limits = None
    assert game.games == 4
    assert not game.complete
    assert game.missing() == [(1, 1)]
    assert game.missing(3) == [(0, 1), (1, 1)]
    assert game.missing(4) == [(0, 0), (0, 1), (1, 1)]
    recorded(game, (0, 0), (11.0, 7.0))  # 1, 2, 6, 11: mean 5, variance (16 + 9 + 1 + 36) / 3
    assert game.payoffs[0, 0, 0] == 5.0
    assert game.half_widths()[0, 0, 0] == pytest.approx(3.1824 * math.sqrt(62 / 3 / 4), rel=1e-6)
    assert repr(game) == "<empirical game of some: 2 × 2 strategies, 3 of 4 cells known>"


def test_a_new_strategy_of_the_last_player_moves_nothing() -> None:
    game = game_of((1, 1, 1))
    game.set_exact((0, 0, 0), np.array([1.0, 2.0, 3.0]))
    assert game.add(2, "new") == 1
    assert game.add(0, "more") == 1
    assert game.shape == (2, 1, 2)
    assert game.payoffs[:, 0, 0, 0].tolist() == [1.0, 2.0, 3.0]
    assert game.counts[1, 0, 1] == 0
    assert game.labels == [["a", "more"], ["a"], ["a", "new"]]


def test_a_part_of_a_game_of_three() -> None:
    game = game_of((2, 3, 2))
    game.set_exact((slice(None),) * 3, np.arange(36.0).reshape(3, 2, 3, 2))
    part = game.restricted([[1], [2, 0], [0, 1]])
    assert part.labels == [["b"], ["c", "a"], ["a", "b"]]
    assert part.payoffs.tolist() == game.payoffs[:, [1]][:, :, [2, 0]].tolist()
    broken = game.data() | {"labels": [["a"], ["b"], ["c"]]}
    with pytest.raises(GameError, match="must fit its"):
        EmpiricalGame.from_data(broken)
    with pytest.raises(GameError, match="2 to 4 players"):
        EmpiricalGame("many", 5)
    with pytest.raises(GameError, match="as many each, not"):
        game.symmetrised()


def test_seats_drawn_among_three_by_definition() -> None:
    """An agent's payoff is the mean over all seatings of the three agents, each with its own."""
    payoffs = np.random.default_rng(1).normal(size=(3, 2, 2, 2))
    mean = symmetrised(payoffs)
    for cell in itertools.product(range(2), repeat=3):
        for i in range(3):
            total = 0.0
            for seats in itertools.permutations(range(3)):  # player q sits in seat seats[q]
                at = [0, 0, 0]
                for q in range(3):
                    at[seats[q]] = cell[q]
                total += payoffs[(seats[i], *at)]
            assert mean[(i, *cell)] == pytest.approx(total / 6)


# ----------------------------------------------------------------------------------------------------------- estimates


def test_standard_errors_by_hand() -> None:
    game = game_of((1, 3))
    recorded(game, (0, 0), (1.0, -1.0), (2.0, 0.0), (6.0, 4.0))  # variances 7 and 7
    recorded(game, (0, 1), (0.0, 1.0), (2.0, 3.0))  # variances 2 and 2
    recorded(game, (0, 2), (9.0, 9.0))  # taken to vary as the others do
    game.limits = (0.0, 9.0)
    found = estimates(game)
    wide = 4.3027 * math.sqrt(7 / 3) / WIDE, 12.7062 / WIDE  # as wide as Student's intervals
    alike = math.sqrt((wide[0] ** 2 * 3 + wide[1] ** 2 * 2) / 2)
    assert found.errors[0, 0] == pytest.approx([*wide, alike])
    assert found.half_widths[1, 0] == pytest.approx(1.959964 * found.errors[1, 0], rel=1e-6)
    assert found.uncertain
    game.set_exact((0, 0), np.array([5.0, 5.0]))
    found = estimates(game)
    assert found.errors[0, 0] == pytest.approx([0.0, wide[1], wide[1] * math.sqrt(2.0)])
    only = game_of((1, 1))
    recorded(only, (0, 0), (3.0, 1.0))
    assert estimates(only).errors.tolist() == [[[math.inf]], [[math.inf]]]
    assert not estimates(only).uncertain


def test_the_correlation_is_that_of_given_games() -> None:
    samples = np.array([(1.0, 5.0), (2.0, 1.0), (6.0, 2.0), (3.0, 0.0)])
    game, total = game_of((1, 1)), game_of((1, 1))
    recorded(game, (0, 0), *samples)
    recorded(total, (0, 0), *[(sum(one),) * 2 for one in samples])
    expected = np.corrcoef(samples.T)[0, 1]
    assert estimates(game, total).correlation[0, 0] == pytest.approx(expected)
    game.add(1, "b")
    recorded(game, (0, 1), (1.0, 1.0), (2.0, 2.0))
    assert estimates(game).correlation.tolist() == [[0.0, 0.0]], "without the sum nothing is known of it"
    three, total = game_of((1, 1, 1)), game_of((1, 1, 1))
    samples = np.column_stack([samples, [0.0, 3.0, 1.0, 2.0]])
    recorded(three, (0, 0, 0), *samples)
    recorded(total, (0, 0, 0), *[(sum(one),) * 3 for one in samples])
    covariance = np.cov(samples.T)
    errors = np.sqrt(np.diag(covariance))
    cross = errors.sum() ** 2 - (errors**2).sum()
    expected = (covariance.sum() - np.trace(covariance)) / cross  # the mean of three, weighted by their errors
    assert estimates(three, total).correlation[0, 0, 0] == pytest.approx(expected)


def test_what_sums_always_tell_of_the_correlation() -> None:
    zero = game_of((1, 2))
    recorded(zero, (0, 0), (1.0, -1.0), (3.0, -3.0))
    recorded(zero, (0, 1), (0.0, 0.0), (5.0, -5.0))
    assert estimates(zero).correlation == pytest.approx(np.full((1, 2), -1.0))
    three = game_of((1, 1, 1))
    recorded(three, (0, 0, 0), (1.0, -1.0, 0.0), (3.0, -3.0, 0.0), (0.0, 0.0, 1.0))
    assert estimates(three).correlation[0, 0, 0] == -0.5, "three cannot all be opposed to each other more than that"
    same = game_of((1, 1))
    recorded(same, (0, 0), (1.0, 1.0), (4.0, 4.0))
    assert estimates(same).correlation[0, 0] == 1.0


@pytest.mark.parametrize("correlation", [-0.9, 0.0, 0.6])
def test_draws_have_the_errors_and_the_correlation(correlation: float) -> None:
    means = np.zeros((2, 1, 2))
    errors = np.array([[[1.0, 2.0]], [[3.0, 0.5]]])
    found = Estimates("some", [["a"], ["a", "b"]], means, errors, np.full((1, 2), correlation))
    drawn = np.array(list(found.resampled(4000)))
    assert drawn.std(axis=0) == pytest.approx(errors, rel=0.04)
    for cell in range(2):
        assert np.corrcoef(drawn[:, :, 0, cell].T)[0, 1] == pytest.approx(correlation, abs=0.03)
    assert np.corrcoef(drawn[:, 0, 0].T)[0, 1] == pytest.approx(0.0, abs=0.05), "cells are independent"
    assert drawn[:3].tolist() == np.array(list(found.resampled(3))).tolist()
    assert drawn[0].tolist() != next(found.resampled(1, seed=1)).tolist()


def test_three_players_are_drawn_with_one_correlation() -> None:
    found = Estimates("x", [["a"]] * 3, np.ones((3, 1, 1, 1)), np.full((3, 1, 1, 1), 2.0), np.full((1, 1, 1), 0.5))
    drawn = np.array(list(found.resampled(4000)))[:, :, 0, 0, 0]
    assert drawn.mean(axis=0) == pytest.approx([1.0] * 3, abs=0.1)
    assert drawn.std(axis=0) == pytest.approx([2.0] * 3, rel=0.04)
    table = np.corrcoef(drawn.T)
    assert table[np.triu_indices(3, 1)] == pytest.approx([0.5] * 3, abs=0.04)


def test_seats_that_are_drawn_halve_the_variance_of_two_independent_cells() -> None:
    """a as first against b and as second against b are two cells; with itself, one."""
    labels = [["a", "b"], ["a", "b"]]
    errors = np.ones((2, 2, 2))
    found = Estimates("some", labels, np.zeros((2, 2, 2)), errors, np.zeros((2, 2)), shared=True)
    assert found.half_widths[0, 0, 1] == pytest.approx(1.96 * math.sqrt(0.5), rel=0.12)
    assert found.half_widths[0, 0, 0] == pytest.approx(1.96 * math.sqrt(0.5), rel=0.12)  # of both players, uncorrelated
    means = np.array([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]])
    found = Estimates("some", labels, means, errors, np.zeros((2, 2)), shared=True)
    assert found.payoffs[0].tolist() == [[3.0, 4.5], [4.5, 6.0]]
    derived = Estimates("some", labels, means, 0.0 * errors, np.zeros((2, 2)), shared=True, derive=lambda p: -p)
    assert derived.payoffs[0].tolist() == [[-3.0, -4.5], [-4.5, -6.0]]
    assert list(derived.resampled(3)) == []
    assert derived.half_widths.tolist() == np.zeros((2, 2, 2)).tolist()


def test_of_the_same_games_the_same_agent_has_the_same() -> None:
    first, sizes = _same_agents((3, 2, 2, 2), True)
    assert first[:, 0, 0, 1].tolist() == [1.0, 0.0, 1.0]  # a, a, b: the second player is the first one's agent
    assert sizes[:, 0, 0, 1].tolist() == [2.0, 2.0, 1.0]
    assert first[:, 1, 0, 1].tolist() == [1.0, 1.0, 0.0]
    assert (first[:, 1, 1, 1].tolist(), sizes[:, 1, 1, 1].tolist()) == ([1.0, 0.0, 0.0], [3.0] * 3)
    sources = _sources((3, 2, 2, 2))
    where = np.ravel_multi_index
    assert sources[0, 1, 0, 0] == where((2, 0, 0, 1), (3, 2, 2, 2))  # b among a and a: the third of a, a, b
    assert sources[2, 1, 0, 0] == where((0, 0, 0, 1), (3, 2, 2, 2))
    assert sources[1, 1, 0, 1] == where((0, 0, 1, 1), (3, 2, 2, 2))
    plain, ones = _same_agents((2, 2, 2), False)
    assert plain.all()
    assert ones.all()


def test_correlation_where_seats_were_drawn() -> None:
    """Of a, a and b, in a game whose payoffs sum to 0, what a has more both a have more, and b has twice as much less.

    So the two agents are opposed entirely; a cell of one agent alone has no errors.
    """
    game = game_of((2, 2, 2))
    game.exact_alike = True  # sums are zero
    samples = [(1.0, -2.0), (3.0, -6.0), (-1.0, 2.0)]
    for cell in itertools.product(range(2), repeat=3):
        lone = 1 if sum(cell) == 1 else 0  # the agent that sits alone
        alone = [one == lone for one in cell]
        if sum(cell) in (1, 2):
            recorded(game, cell, *[[other if apart else one for apart in alone] for one, other in samples])
        else:
            recorded(game, cell, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    found = estimates(game, mirrored=True)
    assert found.shared
    assert found.correlation[0, 0, 1] == pytest.approx(-1.0)
    assert found.correlation[0, 0, 0] == 0.0
    for drawn in found.resampled(5):
        assert drawn.sum(axis=0) == pytest.approx(np.zeros((2, 2, 2)), abs=1e-9)
        assert drawn == pytest.approx(symmetrised(drawn))


def test_an_agent_in_two_seats_counts_twice_in_the_sum() -> None:
    """a and b are independent: the sum of a, a and b has four times the variance of a, and that of b."""
    game, total = game_of((2, 2, 2)), game_of((2, 2, 2))
    samples = [(1.0, 2.0), (-1.0, 2.0), (1.0, -2.0), (-1.0, -2.0), (3.0, 0.0), (-3.0, 0.0)]
    for cell in itertools.product(range(2), repeat=3):
        if sum(cell) in (1, 2):
            deals = [[one[agent] + agent for agent in cell] for one in samples]
            recorded(game, cell, *deals)
            recorded(total, cell, *[[sum(deal)] * 3 for deal in deals])
        else:
            game.set_exact(cell, np.zeros(3))
            total.set_exact(cell, np.zeros(3))
    found = estimates(game, total, mirrored=True)
    assert found.correlation == pytest.approx(np.zeros((2, 2, 2)), abs=1e-12)


def test_few_resamples_of_many_cells() -> None:
    for size, times in ((400, 100), (401, 20)):
        shape = (2, 1, size)
        assert Estimates("x", [], np.zeros(shape), np.zeros(shape), np.zeros(shape[1:])).enough == times


def test_the_least_is_left_out() -> None:
    """The strategy with the largest share of unknown cells goes first, whosever it is."""
    game = game_of((2, 4))
    game.set_exact((slice(None), slice(None)), np.ones((2, 2, 4)))
    game.counts[:, 3] = 0
    game.counts[1, 0] = 0
    assert complete_part(game) == [[0, 1], [1, 2]]
    game.counts[0, 0] = 0
    game.counts[0, 1] = 0
    assert complete_part(game) == [[1], [1, 2]] or complete_part(game) == [[0, 1], [2]]
    with pytest.raises(GameError, match="same strategies"):
        estimates_of_unequal()
    assert game.counts[0, 2] == EXACT


def estimates_of_unequal() -> Estimates:
    game = game_of((1, 2))
    game.set_exact((slice(None), slice(None)), np.ones((2, 1, 2)))
    return estimates(game, shared=True)


# ------------------------------------------------------------------------------------------------------------ rankings


@dataclass(frozen=True)
class Scripted(Estimates):
    """Estimates whose draws are given."""

    draws: tuple[Any, ...] = ()

    def resampled(self, times: int, seed: int = 0) -> Iterator[Any]:
        """The first of them."""
        return iter(self.draws[:times])


def scripted(means: Any, draws: Sequence[Any], shared: bool = False) -> Scripted:
    labels = [list("abcdef")[:n] for n in means.shape[1:]]
    return Scripted(
        "some", labels, means, np.ones(means.shape), np.zeros(means.shape[1:]), shared, False, None, tuple(draws)
    )


def test_places_share_what_is_nearly_equal() -> None:
    assert places(np.array([3.0, 1.0, 2.0])).tolist() == [1, 3, 2]
    assert places(np.array([3.0, 3.0, 2.0, 2.0])).tolist() == [1, 1, 3, 3]
    assert places(np.array([3.0, 2.95, 2.0]), 0.1).tolist() == [1, 1, 3]
    assert places(np.array([3.0, 2.5]), 0.5).tolist() == [1, 1]


def test_intervals_of_a_ranking_are_percentiles_of_the_draws() -> None:
    """Three strategies against one: the scores are the payoffs. b is first in 30 draws of 101, with c in one more."""
    means = np.array([[[2.0], [1.0], [0.0]], [[0.0], [0.0], [0.0]]])
    draws = []
    for k in range(101):
        scores = [100.0 - k, 80.0 if k < 70 else 120.0, 50.0 if k < 100 else 120.0]
        draws.append(np.array([[[one] for one in scores], [[0.0]] * 3]))
    mine, theirs = rank(scripted(means, draws), "mean", resamples=1000)
    assert mine.scores.tolist() == [2.0, 1.0, 0.0]
    assert (mine.low[0], mine.high[0]) == (2.5, 97.5)
    assert (mine.low[1], mine.high[1]) == (80.0, 120.0)
    assert mine.places.tolist() == [1, 2, 3]
    assert mine.order == [0, 1, 2]
    # a is first while 100 - k > 80 and shares the place at k = 20; b from 70 on, with c in the last draw
    assert mine.first == pytest.approx([20.5 / 101, 80.0 / 101, 0.5 / 101])
    assert (mine.best_places[0], mine.worst_places[0]) == (1, 3)
    assert (mine.best_places[2], mine.worst_places[2]) == (2, 3)
    assert (mine.name, mine.player, mine.labels) == ("mean", 0, ["a", "b", "c"])
    assert theirs.player == 1
    assert theirs.first.tolist() == [1.0]


def test_who_shares_strategies_has_the_mean_of_both_seats() -> None:
    payoffs = np.array([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [9.0, 8.0]]])
    made = Scripted("some", [["a", "b"]] * 2, payoffs, np.ones((2, 2, 2)), np.zeros((2, 2)), False, False, None, ())
    assert [one.scores.tolist() for one in rank(made, "mean")] == [[1.5, 3.5], [7.0, 7.0]]
    shared = Scripted("some", [["a", "b"]] * 2, payoffs, np.ones((2, 2, 2)), np.zeros((2, 2)), True, False, None, ())
    [one] = rank(shared, "mean")
    assert one.player is None
    assert one.scores == pytest.approx([(3.0 + (2.0 + 9.0) / 2) / 2, ((3.0 + 6.0) / 2 + 6.0) / 2])
    assert one.low.tolist() == one.scores.tolist(), "without draws there is no interval"


def test_points_for_what_is_beaten_among_three() -> None:
    payoffs = np.zeros((3, 2, 2, 2))
    payoffs[0, 0], payoffs[0, 1] = [[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0], [0.0, 9.0]]
    first, *others = borda(payoffs, False)
    assert first.tolist() == [(0.5 + 1 + 1 + 0) / 4, (0.5 + 0 + 0 + 1) / 4]
    assert [one.tolist() for one in others] == [[0.5, 0.5]] * 2


def test_points_for_good_combinations() -> None:
    """Sums 1, 2, 2, 7, 0 and 2: points 1, 3, 3, 5, 0 and 3 of five."""
    total = np.array([[1.0, 2.0, 2.0], [7.0, 0.0, 2.0]])
    payoffs = np.stack([total - 3.0, np.full((2, 3), 3.0)])
    first, second = borda_combinations(payoffs, False)
    assert first == pytest.approx([(1 + 3 + 3) / 15, (5 + 0 + 3) / 15])
    assert second == pytest.approx([(1 + 5) / 10, (3 + 0) / 10, (3 + 3) / 10])
    alone = borda_combinations(np.zeros((2, 1, 1)), False)
    assert [one.tolist() for one in alone] == [[0.0], [0.0]]


def test_one_population_evolves_by_hand() -> None:
    """The better of two is left with the noise; three of whom one beats two that are alike; unlike two populations."""
    pytest.importorskip("scipy")
    better = np.array([[0.0, -1.0], [1.0, 0.0]])
    [x, again] = evolve(np.stack([better, better.T]), True)
    assert x == pytest.approx([1e-4, 1 - 1e-4])
    assert again.tolist() == x.tolist()
    mine = np.array([[0.0, 2.0, 2.0], [-2.0, 0.0, 0.0], [-2.0, 0.0, 0.0]])
    x = evolve(np.stack([mine, mine.T]), True)[0]
    assert x == pytest.approx([1 - 2e-4 + 2e-8, 1e-4, 1e-4], abs=1e-7)
    apart = evolve(np.stack([better, better.T]), False)
    assert apart[0] == pytest.approx([1e-4, 1 - 1e-4], abs=1e-6)


def test_what_strategies_get_against_the_others() -> None:
    payoffs = np.arange(24.0).reshape(2, 3, 4)
    joint = correlated(np.outer([1.0, 0.0, 1.0], [1.0, 2.0, 0.0, 1.0]) + np.eye(3, 4))
    mine, theirs = responses(joint, payoffs)
    assert mine == pytest.approx(payoffs[0] @ joint.marginals[1])
    assert theirs == pytest.approx(joint.marginals[0] @ payoffs[1])


def test_equilibria_to_be_ranked_against() -> None:
    pytest.importorskip("scipy")
    chicken = np.array([[-5.0, 1], [-1, -1]])
    both = np.stack([chicken, chicken.T])
    assert symmetric_nash(both).marginals[0] == pytest.approx([1 / 3, 2 / 3])
    assert nash_equilibrium(both, True).marginals[0] == pytest.approx([1 / 3, 2 / 3])
    assert sorted(nash_equilibrium(both, False).marginals[0].tolist()) == [0.0, 1.0], "one goes on, one swerves"
    three = np.zeros((3, 2, 2, 2))
    three[0, 1], three[1, :, 1], three[2, :, :, 1] = 1.0, 1.0, 1.0
    cold = nash_equilibrium(three)
    assert cold.marginals[0][0] == pytest.approx(math.exp(-100.0), abs=1e-30)
    assert find_ranking("uniform").score(both, True)[0] == pytest.approx([-2.0, -1.0])
    assert [name for name, row in RANKINGS.items() if not row.in_payoffs] == [
        "alpha-rank",
        "borda",
        "borda-combinations",
    ]


# ----------------------------------------------------------------------------------------------------------- solutions


def test_a_solution_and_its_intervals_by_hand() -> None:
    """The best combination for all, here and in 41 draws; in the last two of them it is another one."""
    means = np.array([[[1.0, 2.0]], [[4.0, 0.0]]])
    draws = [np.array([[[float(k), 2.0]], [[40.0 - k, 0.0]]]) for k in range(39)]
    draws += [np.array([[[0.0, 5.0]], [[0.0, 7.0]]])] * 2
    found = find_solution(scripted(means, draws), "social-welfare", resamples=41)
    assert found.mixture.joint.tolist() == [[1.0, 0.0]]
    assert found.payoffs.tolist() == [1.0, 4.0]
    low, high = found.payoff_interval
    gets = sorted([float(k) for k in range(39)] + [5.0, 5.0])
    assert (low[0], high[0]) == (gets[1], gets[39])
    assert (low[1], high[1]) == (3.0, 39.0)
    assert [one.tolist() for one in found.marginals[1]] == [[0.0, 0.0], [1.0, 1.0]]
    assert found.gaps == {"nash_conv": 0.0, "ce_gap": 0.0, "cce_gap": 0.0}
    assert [one.tolist() for one in found.responses] == [[1.0], [4.0, 0.0]]
    alone = find_solution(scripted(means, []), "social-welfare")
    assert [one.tolist() for one in alone.payoff_interval] == [[1.0, 4.0]] * 2


def test_gaps_of_a_solution_are_told_apart() -> None:
    rows, columns = [[0.0, 4.0], [3.0, 0.0], [1.0, 1.0]], [[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]]
    found = find_solution(scripted(np.array([rows, columns]), []), "uniform")
    assert found.gaps["nash_conv"] == pytest.approx(found.gaps["cce_gap"])
    # a third each: rows get 1.5, so 2 - 1.5; columns 1/2, and the second 2/3; by signal, as they are independent
    assert found.gaps["nash_conv"] == pytest.approx(0.5 + 1 / 6)
    assert found.gaps["ce_gap"] == pytest.approx((0.5 + 1.0) / 3 + 1 / 6)


def test_a_solution_as_data() -> None:
    mixture = independent([[0.25, 0.75], [1.0]], "a note")
    interval = (np.array([0.1, 0.6]), np.array([0.4, 0.9]))
    certain = (np.array([1.0]), np.array([1.0]))
    ends = (np.array([-1.0, 2.0]), np.array([0.0, 3.0]))
    gets = [np.array([5.0, 6.0]), np.array([7.0])]
    found = MetaSolution("nash", mixture, [interval, certain], gets, np.array([-0.5, 2.5]), ends, {"ce_gap": 0.1})
    data = found.data([["a", "b"], ["c"]])
    assert data["players"][0]["b"] == {"probability": 0.75, "low": 0.6, "high": 0.9, "payoff": 6.0}
    assert data["players"][1] == {"c": {"probability": 1.0, "low": 1.0, "high": 1.0, "payoff": 7.0}}
    assert (data["payoffs"], data["payoffs_low"], data["payoffs_high"]) == ([-0.5, 2.5], [-1.0, 2.0], [0.0, 3.0])
    assert (data["independent"], data["note"], data["ce_gap"]) == (True, "a note", 0.1)
    assert data["joint"] == [[0.25], [0.75]]
