"""How often intervals hold the truth, also where nearly all results are equal: counted exactly, or over fixed draws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from parlor.arena.match import Match
from parlor.arena.statistics import mean, mean_from, rate, rate_from, reaches, wilson
from parlor.population.empirical.empirical_game import EmpiricalGame
from parlor.population.empirical.estimates import estimates
from parlor.population.empirical.rankings import rank

AT_LEAST = 0.93  # on average over how rare something is
ANYWHERE = 0.925  # at any single rarity: Student's interval of 200 games misses the skew of 20 losses by a hair
RARE = (0.0005, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.35, 0.5)


def binomial(n: int, p: float) -> list[float]:
    return [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


@pytest.mark.parametrize("n", [3, 5, 10, 30, 60, 200])
def test_two_payoffs_of_which_one_is_rare(n: int) -> None:
    """Won or lost by a point: every number of losses counts with its probability, so nothing is left to chance."""
    every = []
    for p in RARE:
        held = 0.0
        for losses, chance in enumerate(binomial(n, p)):
            value = 1.0 - 2.0 * losses / n
            variance = 4.0 * losses * (n - losses) / n / (n - 1)
            found = mean_from(value, variance, n, (-1.0, 1.0))
            held += chance * (found.low <= 1.0 - 2.0 * p <= found.high)
        assert held >= ANYWHERE, (n, p, held)
        every.append(held)
    assert np.mean(every) >= AT_LEAST


def test_draws_with_a_rare_win() -> None:
    """Nearly all games are drawn, which is in the middle of what is possible."""
    for n in (5, 20, 60, 200):
        for p in RARE:
            held = 0.0
            for wins, chance in enumerate(binomial(n, p)):
                found = mean_from(wins / n, wins * (n - wins) / n / (n - 1), n, (-1.0, 1.0))
                held += chance * (found.low <= p <= found.high)
            assert held >= ANYWHERE, (n, p, held)


def small_noise(chance: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.float64]:
    """Next to nothing varies, but one game in fifty is a disaster."""
    return np.where(chance.random(size) < 0.02, -1.0, 0.5 + 0.01 * chance.standard_normal(size))


def poker(chance: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.float64]:
    """Small pots, and a few for all chips."""
    sizes = np.where(chance.random(size) < 0.03, 100.0, 1.0 + chance.integers(0, 6, size))
    return sizes * np.where(chance.random(size) < 0.55, 1.0, -1.0)


@pytest.mark.parametrize(
    ("draw", "truth", "bounds"),
    [
        (small_noise, 0.98 * 0.5 - 0.02, (-1.0, 1.0)),
        (poker, 0.1 * (0.03 * 100 + 0.97 * 3.5), (-100.0, 100.0)),
        (lambda chance, size: chance.beta(0.05, 1.0, size), 0.05 / 1.05, (0.0, 1.0)),
        (lambda chance, size: chance.normal(0.3, 1.0, size), 0.3, (0.3, 0.3)),
    ],
)
@pytest.mark.parametrize("n", [4, 15, 60, 300])
def test_payoffs_of_many_kinds(draw: Any, truth: float, bounds: tuple[float, float], n: int) -> None:
    samples = draw(np.random.default_rng(n), (4000, n))
    means = samples.mean(axis=1)
    below, above = reaches(means, samples.var(axis=1, ddof=1), np.full(len(means), n), bounds)
    held = float(np.mean((means - below <= truth) & (truth <= means + above)))
    assert held >= AT_LEAST


def test_shares_hold_on_average() -> None:
    """Wilson's interval is known to dip where less than a game in five is expected to be lost; not on average."""
    for n in (10, 30, 60, 200):
        for top in (0.05, 0.1, 0.2, 1.0):
            held = []
            for p in np.linspace(0.0, top, 101)[1:-1]:
                by_wins = [wilson(k, n) for k in range(n + 1)]
                inside = [chance * (by_wins[k].low <= p <= by_wins[k].high) for k, chance in enumerate(binomial(n, p))]
                held.append(sum(inside))
            assert np.mean(held) >= AT_LEAST


@pytest.mark.parametrize("p", [0.002, 0.01, 0.05, 0.3])
@pytest.mark.parametrize("deals", [20, 60, 250])
def test_deals_that_nearly_always_split(p: float, deals: int) -> None:
    """Both of a deal are won with p, else one: the share is 0.5 + p / 2."""
    held = 0.0
    for both, chance in enumerate(binomial(deals, p)):
        share, variance = 0.5 + both / deals / 2, both * (deals - both) / deals / (deals - 1) / 4
        found = rate_from(share, variance, deals)
        held += chance * (found.low <= 0.5 + p / 2 <= found.high)
    assert held >= ANYWHERE


# ------------------------------------------------------------------------------------------------ what stands on them


def test_sixty_wins_of_sixty_are_not_certain() -> None:
    lineups = np.array([[0, 1], [1, 0]] * 30)
    won = np.where(lineups == 0, 1.0, -1.0)
    found = Match("some", ("a", "b"), "alternating", True, 0, lineups, won)
    assert found.payoff.value == 1.0
    assert found.payoff.low == pytest.approx(2 * 0.025 ** (1 / 30) - 1), "0.769: two points times what is unseen"
    assert found.rate.low == pytest.approx(0.025 ** (1 / 30))
    assert found.measure("welfare") == mean(np.zeros(60), 2, (0.0, 0.0)), "zero by the rules"
    drawn = Match("some", ("a", "b"), "alternating", True, 0, lineups, 0.0 * won)
    assert 0.0 < drawn.payoff.high < 0.2
    told = Match("some", ("a", "b"), "alternating", True, 0, lineups, won, declared=(-5.0, 5.0))
    assert told.payoff.low == pytest.approx(1.0 - 6.0 * (1 - 0.025 ** (1 / 30)))


def test_halves_are_exact_of_oneself_only() -> None:
    """Every deal is split: by the rules of the match where an agent meets itself, else by what was seen."""
    lineups, payoffs = np.array([[0, 1], [1, 0]] * 750), np.array([[1.0, -1.0]] * 1500)
    alone = Match("some", ("a", "a"), "alternating", True, 0, lineups, payoffs)
    assert (alone.rate.low, alone.rate.high, alone.payoff.low, alone.payoff.high) == (0.5, 0.5, 0.0, 0.0)
    other = Match("some", ("a", "b"), "alternating", True, 0, lineups, payoffs)
    assert 0.001 < other.rate.high - 0.5 < 0.003
    assert rate(np.tile([1.0, 0.0], 750), 2) == other.rate
    fresh = Match("some", ("a", "a"), "first", False, 0, lineups, payoffs)
    assert fresh.rate.low < fresh.rate.high


def test_two_equal_games_in_a_cell_leave_the_order_open() -> None:
    """a beat b once and again; b beat c in a thousand games. Drawn anew, b may be before a, and never behind c."""
    game = EmpiricalGame("some", 2)
    for player in (0, 1):
        for label in "abc":
            game.add(player, label)
    for i, j in np.ndindex(3, 3):
        deals, won = (2 if 2 not in (i, j) else 1000), float(np.sign(j - i))
        game.record((i, j), deals, [deals * won, -deals * won], [deals * abs(won)] * 2)
    assert game.half_widths()[0, 0, 1] == pytest.approx(2 * (1 - math.sqrt(0.025)))
    [ranking] = rank(estimates(game, shared=True), "mean", 200, 1)
    assert ranking.places.tolist() == [1, 2, 3]
    assert (ranking.best_places[1], ranking.worst_places[0]) == (1, 2)
    assert 0.5 < ranking.first[0] < 1.0
    game.set_exact((slice(None), slice(None)), game.payoffs)
    [ranking] = rank(estimates(game, shared=True), "mean", 200, 1)
    assert ranking.first.tolist() == [1.0, 0.0, 0.0]
