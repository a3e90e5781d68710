"""Players who learn, step by step: each step by hand, or by plain formulas that share nothing with the kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from parlor.policies.mixture import deviation_payoffs, independent, normalised
from parlor.population.meta import adidas as adidas_module
from parlor.population.meta import dynamics, solve
from parlor.population.meta.adidas import Adidas, AdidasDescent, TensorSampler
from parlor.population.meta.dynamics import onto_simplex
from parlor.population.meta.quantal_response import Mixtures, softmax

KERNELS: Any = dynamics  # which take arrays of any kind
DILEMMA = np.array([[[3, 0], [5, 1]], [[3, 5], [0, 1]]], float)  # cooperate, defect


def projected(values: list[float], least: float) -> list[float]:
    moved = np.array(values)
    KERNELS.project(moved, len(moved), least)
    return [float(one) for one in moved]


# ------------------------------------------------------------------------------------------------------ projections


def test_projections_by_hand() -> None:
    assert projected([0.5, 0.3, 0.4], 0.0) == pytest.approx([0.5 - 1 / 15, 0.3 - 1 / 15, 0.4 - 1 / 15])
    assert projected([0.2, 0.3, 0.2], 0.1) == pytest.approx([0.3, 0.4, 0.3]), "too little is shared out evenly"
    assert projected([0.9, 0.3, 0.05], 0.1) == pytest.approx([0.75, 0.15, 0.1])
    # the first shift, -0.05, pushes the last to the bound; the next, 0.25, the second as well
    assert projected([1.2, 0.2, -0.55], 0.1) == pytest.approx([0.8, 0.1, 0.1])
    assert projected([1.2, 0.2, -0.55], 0.0) == pytest.approx([1.0, 0.0, 0.0])
    assert projected([0.1, 0.2, 0.9], 1 / 3) == pytest.approx([1 / 3] * 3)
    assert projected([7.0], 0.0) == [1.0]


def test_what_lies_within_stays_where_it_is() -> None:
    for values in ([0.25, 0.35, 0.4], [0.1, 0.8, 0.1], [0.2, 0.2, 0.2, 0.2, 0.2]):
        assert projected(values, 0.1) == pytest.approx(values)


def test_any_number_of_strategies_is_projected() -> None:
    """The nearest point by bisection of the shift, with bounds that are met in any of the lanes."""
    draw = np.random.default_rng(1)
    for n in range(1, 14):
        for least in (0.0, 0.3 / n, 1.0 / n):
            v = draw.normal(1 / n, 0.4, n)
            low, high = v.min() - 1.0, v.max()
            for _ in range(80):
                middle = (low + high) / 2
                low, high = (middle, high) if np.maximum(v - middle, least).sum() > 1.0 else (low, middle)
            nearest = np.maximum(v - low, least)
            assert projected(v.tolist(), least) == pytest.approx(nearest.tolist(), abs=1e-9)
            if least == 0.0:
                assert onto_simplex(v) == pytest.approx(nearest, abs=1e-9)


def test_sums_and_least_numbers_take_every_place_into_account() -> None:
    for n in range(1, 14):
        for place in range(n):
            v = np.arange(2.0, 2.0 + n)
            w = np.zeros(n)
            w[place] = 3.0
            assert KERNELS.dot(v, w, n) == 3.0 * v[place]
            assert KERNELS.add_up(w, n) == 3.0
            w[place] = -1.0
            assert KERNELS.least_of(w, n) == -1.0
            assert KERNELS.least_of(-w, n) == (0.0 if n > 1 else 1.0)
            w = np.append(np.zeros(n), -9.0)  # what is beyond does not count
            assert (KERNELS.dot(w, w, n), KERNELS.add_up(w, n), KERNELS.least_of(w, n)) == (0.0, 0.0, 0.0)


def test_what_is_played_more_than_the_least() -> None:
    played, shares = np.zeros(4, np.int64), np.zeros(4)
    assert KERNELS.list_played(np.array([0.1, 0.6, 0.3]), 3, played, shares) == 3
    assert (played[:3].tolist(), shares[:3].tolist()) == ([1, 2, 3], pytest.approx([0.5, 0.2, 0.1]))
    assert KERNELS.list_played(np.array([1 / 3] * 3), 3, played, shares) == 1
    assert (played[0], shares[0]) == (3, pytest.approx(1 / 3))


# --------------------------------------------------------------------------------------------- replicator dynamics


def replicated(payoffs: Any, iterations: int, step: float, least: float) -> list[Any]:
    """Everything at once, by NumPy, with the projection of the test above."""
    now = [np.full(n, 1.0 / n) for n in payoffs.shape[1:]]
    total = [one.copy() for one in now]
    for _ in range(iterations):
        values = [deviation_payoffs(now, payoffs, i) for i in range(len(now))]
        now = [p + step * p * (v - v @ p) for p, v in zip(now, values, strict=True)]
        now = [np.array(projected(p.tolist(), least)) for p in now]
        total = [t + p for t, p in zip(total, now, strict=True)]
    return [t / (iterations + 1) for t in total]


def test_one_step_of_the_dynamics_by_hand() -> None:
    # defecting earns 3 against uniform play, cooperating 1.5: 0.75 from the average; the mean of start and first step
    found = solve("prd", DILEMMA, iterations=1, step=0.1)
    assert found.marginals[0] == pytest.approx([(0.5 + 0.4625) / 2, (0.5 + 0.5375) / 2])
    assert found.marginals[1] == pytest.approx(found.marginals[0])
    assert not found.note
    held = solve("prd", DILEMMA, iterations=1, step=0.1, least=0.48)
    assert held.marginals[0] == pytest.approx([0.49, 0.51])


@pytest.mark.parametrize("least", [0.0, 0.05])
def test_the_dynamics_among_three_by_plain_formulas(least: float) -> None:
    payoffs = np.random.default_rng(2).normal(size=(3, 2, 6, 3))
    found = solve("prd", payoffs, iterations=60, step=0.15, least=least)
    for one, expected in zip(found.marginals, replicated(payoffs, 60, 0.15, least), strict=True):
        assert one == pytest.approx(expected, abs=1e-10)
        assert one.min() >= least - 1e-12


def test_too_long_steps_are_shortened_and_said() -> None:
    large = 100.0 * DILEMMA  # from 0 to 500
    found = solve("prd", large, iterations=3, step=0.01)
    assert found.note == "Payoffs are so large that steps of 2.0e-03 were made instead of 0.01."
    assert found.marginals[0] == pytest.approx(replicated(large, 3, 1 / 500, 1e-6)[0])
    assert not solve("prd", large, iterations=3, step=0.002).note


def test_a_large_game_gets_the_same_time_in_fewer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dynamics, "LARGE", 7)
    found = solve("prd", DILEMMA, iterations=100, step=0.005)  # a tenth of the fastest, 1/5, is 0.02
    assert found.note == "The game is so large that 25 steps of 2.0e-02 were made."
    assert found.marginals[0] == pytest.approx(replicated(DILEMMA, 25, 0.02, 1e-6)[0])
    monkeypatch.setattr(dynamics, "LARGE", 8)
    assert not solve("prd", DILEMMA, iterations=100, step=0.005).note


def test_the_least_probability_is_at_most_an_even_share() -> None:
    payoffs = np.zeros((2, 2, 4))
    payoffs[0, 0], payoffs[1, :, 0] = 1.0, 1.0
    found = solve("prd", payoffs, iterations=50, step=0.5, least=0.3)
    assert found.note == "There are too many strategies for a least probability of 0.3: it is 2.50e-01."
    assert found.marginals[1] == pytest.approx([0.25] * 4)
    assert found.marginals[0] == pytest.approx(replicated(payoffs, 50, 0.5, 0.25)[0])


# ------------------------------------------------------------------------------------------------- regret matching


def test_regrets_are_matched_by_hand() -> None:
    played, regrets = np.array([0.5, 0.5, 0.0]), np.array([0.5, -1.0, 0.25])
    KERNELS.match_regrets(played, regrets, np.array([2.0, 1.0, 0.0]), 3, 1.5, 0.3)
    assert regrets.tolist() == [1.0, -1.5, -1.25]
    assert played == pytest.approx([0.1 + 0.7, 0.1, 0.1])
    KERNELS.match_regrets(played, regrets, np.array([0.0, 3.5, 2.0]), 3, 0.5, 0.3)
    assert regrets.tolist() == [0.5, 1.5, 0.25]
    assert played == pytest.approx([0.1 + 0.7 * 0.5 / 2.25, 0.1 + 0.7 * 1.5 / 2.25, 0.1 + 0.7 * 0.25 / 2.25])
    KERNELS.match_regrets(played, regrets, np.array([0.0, 0.0, 0.0]), 3, 2.0, 0.3)
    assert played == pytest.approx([1 / 3] * 3), "nothing is regretted"


@pytest.mark.parametrize("exploration", [0.0, 0.2])
def test_regret_matching_among_three_by_plain_formulas(exploration: float) -> None:
    payoffs = np.random.default_rng(3).normal(size=(3, 3, 2, 6))
    now = [np.full(n, 1.0 / n) for n in (3, 2, 6)]
    regrets = [np.full(n, 1e-6) for n in (3, 2, 6)]
    total = [one.copy() for one in now]
    for _ in range(40):
        values = [deviation_payoffs(now, payoffs, i) for i in range(3)]
        for i, (value, p) in enumerate(zip(values, list(now), strict=True)):
            regrets[i] = regrets[i] + value - value @ p
            positive = np.maximum(regrets[i], 0.0)
            even = np.full(len(p), 1.0 / len(p))
            now[i] = exploration * even + (1 - exploration) * positive / positive.sum() if positive.any() else even
            total[i] = total[i] + now[i]
    found = solve("regret-matching", payoffs, iterations=40, exploration=exploration)
    for one, expected in zip(found.marginals, total, strict=True):
        assert one == pytest.approx(expected / 41, abs=1e-10)


def test_huge_payoffs_are_matched_as_shares() -> None:
    """The regret at the start counts in units of payoffs, so that shares are not the same as the payoffs."""
    huge = solve("regret-matching", 1e13 * DILEMMA, iterations=3)
    shares = solve("regret-matching", DILEMMA / 5.0, iterations=3)
    assert huge.marginals[0] == pytest.approx(shares.marginals[0], abs=1e-12)


# ---------------------------------------------------------------------------------------------------------- ADIDAS


class Everywhere(AdidasDescent):
    """A descent that draws every combination of two strategies each equally often, instead of some."""

    def _drawn(self, count: int) -> Any:
        cells = np.stack(np.unravel_index(np.arange(2 ** len(self.sizes)), (2,) * len(self.sizes)), axis=1)
        self.column = 0
        return np.tile(cells, (max(1, count // len(cells)), 1))

    def _choose(self, p: Any, count: int) -> Any:
        """Of the deviations only: both are as likely, as there are two."""
        assert p == pytest.approx([0.5, 0.5])
        cells = np.stack(np.unravel_index(np.arange(2 ** len(self.sizes)), (2,) * len(self.sizes)), axis=1)
        self.column += 1
        return np.tile(cells, (count // len(cells), 1))[:, self.column - 1]


def incentive(strategies: Any, scaled: Any, temperature: float) -> float:
    """What all could gain by soft best responses, entropy included, as a plain function."""
    total = 0.0
    for i, mine in enumerate(strategies):
        value = deviation_payoffs(strategies, scaled, i)
        reply = softmax(value / temperature)
        total += float(value @ reply - temperature * reply @ np.log(reply))
        total -= float(value @ mine - temperature * mine @ np.log(mine))
    return total


@pytest.mark.parametrize("players", [2, 3])
def test_one_round_of_adidas_is_a_step_down_the_slope_of_the_incentive(players: int) -> None:
    payoffs = np.random.default_rng(players).normal(size=(players, *[2] * players))
    descent = Everywhere(TensorSampler(payoffs), Adidas(samples=64, temperature=0.3, rate=0.7))
    scaled, before = normalised(payoffs), [np.array([0.5, 0.5]) for _ in range(players)]
    told = descent.round(1.0)
    assert told == pytest.approx(incentive(before, scaled, 0.3) / players)
    for i in range(players):
        ends = []
        for step in (1e-5, -1e-5):
            moved = [one.copy() for one in before]
            moved[i] += [step, -step]
            ends.append(incentive(moved, scaled, 0.3))
        slope = (ends[0] - ends[1]) / 2e-5  # of the first strategy against the second
        after = descent.strategies[i]
        assert np.log(after[0] / after[1]) == pytest.approx(-0.7 * slope, rel=1e-4)
        assert after.sum() == pytest.approx(1.0)


def test_payoffs_are_remembered_with_the_weight_of_the_memory() -> None:
    payoffs = np.random.default_rng(4).normal(size=(2, 2, 2))
    descent = Everywhere(TensorSampler(payoffs), Adidas(samples=4, temperature=1.0, rate=1e-9))
    value = [deviation_payoffs([np.array([0.5, 0.5])] * 2, normalised(payoffs), i) for i in range(2)]
    descent.round(0.5)
    assert descent.seen[0] == pytest.approx(0.5 * value[0])
    descent.round(0.25)
    assert descent.seen[0] == pytest.approx((0.75 * 0.5 + 0.25) * value[0])
    assert descent.seen[1] == pytest.approx((0.75 * 0.5 + 0.25) * value[1])


def test_the_temperature_falls_and_the_second_half_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """An incentive below the threshold halves it, but not before as many rounds as are remembered."""
    told = [0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0]
    memories: list[float] = []
    temperatures: list[float] = []

    def scripted(self: AdidasDescent, memory: float) -> float:
        t = len(memories)
        memories.append(memory)
        temperatures.append(self.temperature)
        self.strategies = [np.array([t + 1.0, 0.0]), np.array([0.0, 1.0])] if t < 5 else [np.array([0.0, 1.0])] * 2
        return told[t]

    monkeypatch.setattr(AdidasDescent, "round", scripted)
    found = AdidasDescent(TensorSampler(DILEMMA), Adidas(iterations=7, memory=0.4, threshold=0.1)).run()
    assert memories == [1.0, 0.5, 0.4, 0.4, 0.4, 0.4, 0.4]
    assert temperatures == [1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.25]  # after rounds 3 and 6
    assert found.marginals[0] == pytest.approx([5 / 7, 2 / 7])  # of rounds 5 to 7
    assert found.marginals[1] == pytest.approx([0.0, 1.0])


def test_the_temperature_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AdidasDescent, "round", lambda self, memory: 0.0)
    descent = AdidasDescent(TensorSampler(DILEMMA), Adidas(iterations=60, memory=1.0))
    descent.run()
    assert descent.temperature == 1e-4


def test_strategies_are_drawn_in_proportion() -> None:
    descent = AdidasDescent(TensorSampler(DILEMMA), Adidas())

    class Scripted:
        def random(self, count: int) -> Any:
            return np.array([0.0, 0.29, 0.31, 0.99, 1.0])[:count]

    descent.random = Scripted()  # type: ignore[assignment]
    assert descent._choose(np.array([0.3, 0.0, 0.7]), 5).tolist() == [0, 0, 2, 2, 2]
    assert descent._choose(np.array([0.3, 0.0, 0.69]), 5).tolist() == [0, 0, 2, 2, 2], "rounding leads nowhere"


def test_payoffs_around_a_draw_are_shares_of_the_range() -> None:
    """All strategies of one player against the rest; means over draws, weighted if that is asked for."""
    descent = AdidasDescent(TensorSampler(DILEMMA), Adidas())
    assert (descent.low.tolist(), descent.high.tolist()) == ([0.0, 0.0], [5.0, 5.0])
    drawn = np.array([[0, 0], [1, 1], [0, 1]])
    assert descent._around(drawn, 0) == pytest.approx(np.array([[0.2, (1 + 0.2 + 0.2) / 3], [13 / 15, 2 / 15]]))
    assert descent._around(drawn, 1) == pytest.approx(
        np.array([[(3 + 5 + 3) / 15, 1 / 15], [(3 + 0 + 3) / 15, (5 + 1 + 5) / 15]])
    )
    weighted = descent._around(drawn, 0, np.array([3.0, 0.0, -3.0]))
    assert weighted == pytest.approx(np.array([[(3 - 0) / 5, (5 - 1) / 5], [(3 - 5) / 5, (0 - 1) / 5]]))


def test_a_sampler_knows_what_was_asked() -> None:
    sampler = TensorSampler(DILEMMA)
    assert sampler(np.array([[0, 1], [1, 0]])).tolist() == [[0.0, 5.0], [5.0, 0.0]]
    assert sampler.asked.tolist() == [[False, True], [True, False]]
    flat = AdidasDescent(TensorSampler(np.full((2, 2, 2), 3.0)), Adidas())
    assert not flat._ask(np.array([[0, 1]])).any()
    assert adidas_module.adidas(DILEMMA, Adidas(iterations=2)).independent


# -------------------------------------------------------------------------------------------------- quantal response


def test_the_derivatives_of_the_branch_by_finite_differences() -> None:
    draw = np.random.default_rng(7)
    for shape in ((2, 2, 3), (3, 2, 3, 2)):
        branch = Mixtures(draw.random(shape))
        point = np.append(draw.normal(size=sum(shape[1:])), 1.7)
        jacobian = branch.jacobian(point)
        for k in range(len(point)):
            step = np.zeros(len(point))
            step[k] = 1e-6
            slope = (branch.residual(point + step) - branch.residual(point - step)) / 2e-6
            assert jacobian[:, k] == pytest.approx(slope, abs=1e-7)


def test_the_logit_equilibrium_of_pennies_by_hand() -> None:
    """Asymmetric matching pennies: each plays the logistic curve of the difference of payoffs, in shares of ranges."""
    payoffs = np.array([[[9.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])
    found = solve("quantal-response", payoffs, temperature=0.5)
    p, q = (float(one[0]) for one in found.marginals)
    assert p == pytest.approx(1 / (1 + np.exp(-(q - (1 - q) / 9) / 0.5)), abs=1e-8)
    assert q == pytest.approx(1 / (1 + np.exp(-((1 - p) - p) / 0.5)), abs=1e-8)
    warm = solve("quantal-response", payoffs, temperature=1e6)
    assert warm.marginals[0] == pytest.approx([0.5, 0.5], abs=1e-5)
    short = solve("quantal-response", payoffs, temperature=0.01, steps=3)
    assert short.note.startswith("The branch was followed only to temperature ")
    assert short.note.endswith(", not to 0.01.")
    assert softmax(np.array([1000.0, 1000.0 + np.log(3)])) == pytest.approx([0.25, 0.75])
    assert independent(short.marginals).joint == pytest.approx(short.joint)
