"""Rankings of empirical games: known answers, and honest uncertainty."""

from __future__ import annotations

import numpy as np
import pytest

from parlor.game.errors import GameError
from parlor.policies.mixture import Array
from parlor.population.empirical.empirical_game import EmpiricalGame, symmetrised
from parlor.population.empirical.estimates import Estimates, complete_part, estimates
from parlor.population.empirical.rankings import RANKINGS, rank, symmetric_nash
from parlor.population.empirical.solutions import find_solution

CYCLE = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
LADDER = np.array([[0.0, -1, -2], [1, 0, -1], [2, 1, 0]])  # the last beats all
DILEMMA = np.array([[5.0, 0], [10, 1]])  # cooperate, defect


def symmetric(mine: Array) -> Array:
    return np.stack([mine, mine.T])


def played(payoffs: Array, games: int = 0, deviation: float = 1.0) -> EmpiricalGame:
    """A game that is known exactly, or whose cells have so many games with that deviation."""
    game = EmpiricalGame("some", len(payoffs))
    for player, n in enumerate(payoffs.shape[1:]):
        for i in range(n):
            game.add(player, "abcdef"[i])
    for cell in np.ndindex(*payoffs.shape[1:]):
        u = payoffs[(slice(None), *cell)]
        if games:
            game.record(cell, games, games * u, games * u**2 + (games - 1) * deviation**2)
        else:
            game.set_exact(cell, u)
    return game


def shared(mine: Array) -> Estimates:
    return estimates(played(symmetric(mine)), shared=True)


@pytest.mark.parametrize("name", RANKINGS)
def test_nobody_is_better_in_a_cycle(name: str) -> None:
    [ranking] = rank(shared(CYCLE), name)
    assert ranking.places.tolist() == [1, 1, 1]
    assert np.ptp(ranking.scores) == pytest.approx(0.0, abs=1e-7)
    assert (ranking.low == ranking.high).all()  # the payoffs are exact


@pytest.mark.parametrize("name", ["mean", "alpha-rank", "nash-average", "nash-response", "borda", "mgce", "adidas"])
def test_who_beats_everybody_is_first(name: str) -> None:
    [ranking] = rank(shared(LADDER), name)
    assert ranking.order[0] == 2
    assert ranking.places[2] == 1


def test_copies_do_not_change_the_nash_average() -> None:
    twice = CYCLE[np.ix_([0, 1, 2, 1], [0, 1, 2, 1])]  # b stands there twice
    [average], [mean] = (rank(shared(twice), name) for name in ("nash-average", "mean"))
    assert np.allclose(average.scores, 0.0, atol=1e-7)
    assert mean.order[0] == 2  # which beats b


def test_evolution_of_one_population_goes_round_the_cycle_and_leaves_what_loses() -> None:
    with_loser = np.zeros((4, 4))
    with_loser[:3, :3], with_loser[:3, 3], with_loser[3, :3] = CYCLE, 1, -1
    [ranking] = rank(shared(with_loser), "alpha-rank")
    assert np.allclose(ranking.scores, [1 / 3, 1 / 3, 1 / 3, 0], atol=1e-3)


def test_what_is_good_for_oneself_is_not_good_for_all() -> None:
    [selfish] = rank(shared(DILEMMA), "nash-response")
    assert selfish.order == [1, 0]
    total = DILEMMA + DILEMMA.T
    welfare = estimates(played(np.stack([total, total])), shared=True)
    for name in ("borda-combinations", "nash-response"):
        [kind] = rank(welfare, name)
        assert kind.order == [0, 1]


def test_players_who_share_their_strategies_meet_in_a_symmetric_equilibrium() -> None:
    chicken = symmetric(np.array([[-5.0, 1], [-1, -1]]))
    mixture = symmetric_nash(chicken)
    assert np.allclose(mixture.marginals, [[1 / 3, 2 / 3]] * 2)
    [ranking] = rank(estimates(played(chicken), shared=True), "nash-response")
    assert ranking.places.tolist() == [1, 1]


def test_borda_counts_what_is_beaten() -> None:
    payoffs = np.array([[[3.0, 1], [2, 1], [0, 5]], np.zeros((3, 2))])
    mine, theirs = rank(estimates(played(payoffs)), "borda")
    assert mine.scores.tolist() == [(2 + 0.5) / 2, (1 + 0.5) / 2, (0 + 2) / 2]
    assert theirs.scores.tolist() == [0.5, 0.5]
    assert (mine.player, theirs.player) == (0, 1)


def test_the_agents_of_the_paper() -> None:
    """Table 6 of Li et al. (2023), and what appendix E.2 says of it: who competes is first, or who cooperates."""
    names = ["IndRL", "Comp1", "Comp2", "Coop", "Fair"]
    table = np.array(
        [
            [4.85, 4.98, 5.02, 7.05, 6.96],
            [3.75, 4.97, 4.66, 7.19, 6.70],
            [3.20, 5.30, 5.04, 6.84, 6.86],
            [5.63, 4.43, 4.32, 6.67, 6.64],
            [5.47, 4.43, 4.19, 6.59, 6.52],
        ]
    )
    total = table + table.T
    for payoffs, first in ((table, {"IndRL", "Comp1", "Comp2"}), (total, {"Coop"}), (table * table.T, {"Coop"})):
        for name in ("nash-response", "borda") if payoffs is table else ("nash-response", "mgce", "borda-combinations"):
            [ranking] = rank(shared(payoffs), name)
            assert {names[i] for i in ranking.order[: len(first)]} == first


# ------------------------------------------------------------------------------------------------------ uncertainty


def test_resampled_payoffs_have_the_errors_of_the_means() -> None:
    game = played(np.stack([LADDER, -LADDER]), games=100, deviation=3.0)
    samples = np.array(list(estimates(game).resampled(2000)))
    assert np.allclose(samples.mean(axis=0), game.payoffs, atol=0.03)
    assert np.allclose(samples.std(axis=0), 0.3, atol=0.02)
    assert np.abs(samples.sum(axis=1)).max() < 1e-12  # what one gets more, the other gets less


def test_what_players_get_together_tells_how_their_errors_go_together() -> None:
    rng = np.random.default_rng(1)
    samples = rng.multivariate_normal([1.0, 2.0], [[4.0, 2.4], [2.4, 9.0]], size=4000).T  # correlation 0.4
    game, total = EmpiricalGame("some", 2), EmpiricalGame("some", 2)
    for table in (game, total):
        for player in range(2):
            table.add(player, "a")
    game.record((0, 0), 4000, samples.sum(axis=1), (samples**2).sum(axis=1))
    both = np.stack([samples.sum(axis=0)] * 2)
    total.record((0, 0), 4000, both.sum(axis=1), (both**2).sum(axis=1))
    assert estimates(game, total).correlation[0, 0] == pytest.approx(np.asarray(np.corrcoef(samples))[0, 1])
    again = np.array(list(estimates(game, total).resampled(4000)))[:, :, 0, 0]
    assert np.asarray(np.corrcoef(again.T))[0, 1] == pytest.approx(0.4, abs=0.05)


def test_cells_of_the_same_games_are_resampled_together() -> None:
    three = symmetrised(np.random.default_rng(2).normal(size=(3, 2, 2, 2)))
    game = estimates(played(three, games=50), mirrored=True)
    for payoffs in game.resampled(3):
        assert np.allclose(payoffs, symmetrised(payoffs))
        assert not np.allclose(payoffs, three)


def test_places_are_as_uncertain_as_the_payoffs() -> None:
    close = np.array([[0.0, 0.01], [-0.01, 0]])
    for games, possible in ((100, 2), (10_000_000, 1)):
        [ranking] = rank(estimates(played(symmetric(close), games), shared=True), "mean")
        assert ranking.places.tolist() == [1, 2]
        assert ranking.worst_places[0] == possible
        assert ranking.first.sum() == pytest.approx(1.0)
        assert ranking.low[0] < 0.005 < ranking.high[0] if games == 100 else ranking.low[0] > 0.0


def test_a_solution_has_intervals_and_gaps() -> None:
    game = estimates(played(np.stack([CYCLE, -CYCLE]), games=400))
    solution = find_solution(game, "nash", resamples=50)
    assert np.allclose(solution.mixture.marginals[0], 1 / 3, atol=1e-9)
    low, high = solution.marginals[0]
    assert ((low > 0.2) & (low < 1 / 3) & (high > 1 / 3) & (high < 0.5)).all()
    assert max(solution.gaps.values()) < 1e-7
    assert np.allclose(solution.responses[1], 0.0, atol=1e-9)


def test_what_is_not_known_is_left_out() -> None:
    game = played(np.stack([LADDER, -LADDER]))
    game.counts[1, :] = 0
    assert complete_part(game) == [[0, 2], [0, 1, 2]]
    assert complete_part(game, shared=True) == [[0, 2], [0, 2]]
    with pytest.raises(GameError, match="have not been played yet"):
        estimates(game)
    game.counts[:] = 0
    assert complete_part(game) == [[], []]


def test_there_is_no_such_ranking() -> None:
    with pytest.raises(GameError, match="There is no ranking 'elo'; there are mean, alpha-rank"):
        rank(shared(CYCLE), "elo")
