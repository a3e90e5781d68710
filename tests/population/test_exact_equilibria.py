"""Equilibria, bargains and evolution of small games: by hand, or by general methods that share no code with ours."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from parlor.policies.mixture import (
    correlated,
    entropy,
    expected_payoffs,
    gini,
    nash_gap,
    nash_product,
    normalised,
    ranges,
    social_welfare,
)
from parlor.population.empirical.polytope import _around, constraints, vertices
from parlor.population.meta import bargaining, equilibria, solve
from parlor.population.meta.alpha_rank import AlphaRank, FiniteSelection, InfiniteSelection, success
from parlor.population.meta.bargaining import (
    Bargaining,
    Disagreement,
    against_others,
    by_gradient,
    disagreement_payoffs,
    gains_table,
    log_product,
)
from parlor.population.meta.equilibria import BargainingEquilibrium, Equilibrium, most_gini, select, zero_sum
from parlor.population.meta.nash import all_equilibria, indifferent, lemke_howson, maximin, nash, symmetric_equilibria
from parlor.population.meta.program import Deviations, ProgramAnswer

pytest.importorskip("scipy")

CHICKEN = np.array([[[-5, 1], [-1, -1]], [[-5, -1], [1, -1]]], float)
DILEMMA = np.array([[[3, 0], [5, 1]], [[3, 5], [0, 1]]], float)
#: One player chooses between an agreement that is good for it and one that is good for the other, and nothing.
AGREEMENTS = np.array([[[4.0], [0.0], [0.0]], [[0.0], [2.0], [0.0]]])


# ------------------------------------------------------------------------------------------------------ what is secure


def test_maximin_by_hand() -> None:
    x, value = maximin(np.array([[3.0, -1.0], [-2.0, 1.0]]))
    assert x == pytest.approx([3 / 7, 4 / 7])
    assert value == pytest.approx(1 / 7)
    x, value = maximin(np.array([[-9.0, -3.0, -4.0], [-2.0, -8.0, -5.0]]))  # every third column is between
    assert value == pytest.approx(min(x @ np.array([[-9.0, -3.0, -4.0], [-2.0, -8.0, -5.0]])))
    assert x == pytest.approx([1 / 2, 1 / 2])
    assert value == pytest.approx(-5.5)
    x, value = maximin(np.array([[1.0, 5.0], [2.0, 2.5], [0.0, 9.0]]))
    assert (x.tolist(), value) == ([0.0, 1.0, 0.0], 2.0), "a saddle point"
    assert maximin(np.full((2, 3), 4.0))[1] == 4.0


def test_disagreement_by_hand() -> None:
    """The rows' player can secure 1/7, the columns' player -1/7 of what the other gets, plus a constant."""
    matrix = np.array([[3.0, -1.0], [-2.0, 1.0]])
    payoffs = np.stack([matrix, 10.0 - 2.0 * matrix])
    ends = disagreement_payoffs(payoffs, Disagreement())
    assert ends == pytest.approx([-2.0 - 0.05, 4.0 - 0.1])
    ends = disagreement_payoffs(payoffs, Disagreement(disagreement="maximin", margin=0.0))
    assert ends == pytest.approx([1 / 7, 10.0 - 2 / 7])
    ends = disagreement_payoffs(payoffs, Disagreement(disagreement="maximin", margin=0.1))
    assert ends == pytest.approx([1 / 7 - 0.5, 10.0 - 2 / 7 - 1.0])
    ends = disagreement_payoffs(payoffs, Disagreement(points=(1.0, 2.0), margin=0.5))
    assert ends.tolist() == [1.0, 2.0]
    three = np.random.default_rng(1).integers(-5, 6, (3, 2, 3, 2)).astype(float)
    ends = disagreement_payoffs(three, Disagreement(disagreement="maximin", margin=0.0))
    for i in range(3):
        pure = np.moveaxis(three[i], i, 0).reshape(three.shape[i + 1], -1)
        assert pure.min(axis=1).max() - 1e-9 <= ends[i] <= pure.max(axis=0).min() + 1e-9


def test_gains_are_shares_of_those_who_have_something_to_gain() -> None:
    table = gains_table(AGREEMENTS, Disagreement(points=(1.0, 0.5)))
    assert table == pytest.approx(np.array([[0.75, -0.25, -0.25], [-0.25, 0.75, -0.25]]))
    constant = np.stack([AGREEMENTS[0], np.full((3, 1), 7.0)])
    assert gains_table(constant, Disagreement()).shape == (1, 3)


# ------------------------------------------------------------------------------------------------------------ bargains


@pytest.mark.parametrize("options", [{}, {"method": "gradient"}])
def test_bargains_by_hand(options: dict[str, Any]) -> None:
    # (4 p - 1) (2 (1 - p) - 0.2) is largest at p = 0.575; without disagreement 4 p · 2 (1 - p) at a half
    found = solve("nbs-joint", AGREEMENTS, points=[0.0, 0.0], **options)
    assert found.joint.ravel() == pytest.approx([0.5, 0.5, 0.0], abs=2e-3 if options else 1e-6)
    if not options:
        found = solve("nbs-joint", AGREEMENTS, points=[1.0, 0.2])
        assert found.joint.ravel() == pytest.approx([0.575, 0.425, 0.0], abs=1e-6)
        alone = solve("nbs", AGREEMENTS, points=[1.0, 0.2])  # only one player chooses: the same
        assert alone.marginals[0] == pytest.approx([0.575, 0.425, 0.0], abs=1e-5)


def test_a_margin_makes_the_least_a_gain() -> None:
    # (4 p + 0.4) (2 (1 - p) + 0.2), with a margin of a tenth: still a half
    assert solve("nbs-joint", AGREEMENTS, margin=0.1).joint.ravel() == pytest.approx([0.5, 0.5, 0.0], abs=1e-6)
    worse = np.array([[[4.0], [0.0], [0.0]], [[0.0], [2.0], [-1.0]]])
    for margin, p in ((0.1, 0.775), (0.2, 0.8)):  # (4 p + 4 margin) (3 - 2 p + 3 margin)
        found = solve("nbs-joint", worse, margin=margin)
        assert found.joint.ravel() == pytest.approx([p, 1 - p, 0.0], abs=1e-6)


def test_without_an_agreement_the_least_gain_is_as_large_as_possible() -> None:
    # shares of the ranges: p - 3/4 and 1/4 - p, equal at a half; p - 1 and 1/2 - p, equal at three quarters
    for points, p in (([3.0, 1.5], 0.5), ([4.0, 1.0], 0.75)):
        found = solve("nbs-joint", AGREEMENTS, points=points)
        assert found.joint.ravel() == pytest.approx([p, 1 - p, 0.0], abs=1e-6)
        assert "the least gain is as large as possible" in found.note


def test_who_mixes_alone_finds_the_best_product() -> None:
    """By trying all mixtures of two strategies each."""
    payoffs = np.random.default_rng(3).normal(size=(2, 2, 2))
    ends = disagreement_payoffs(payoffs, Disagreement())
    shares = np.linspace(0.0, 1.0, 401)
    gets = np.einsum("iab,xa,yb->ixy", payoffs, *[np.stack([shares, 1 - shares], axis=1)] * 2)
    best = float(np.prod(gets - ends[:, None, None], axis=0).max())
    found = nash_product(solve("nbs", payoffs), payoffs, ends)
    assert best - 1e-9 <= found <= best * 1.001
    slow = nash_product(solve("nbs", payoffs, method="gradient", steps=400), payoffs, ends)
    assert 0.98 * best <= slow <= found + 1e-9


def test_products_of_parts_by_hand() -> None:
    table = np.array([[[1.0, 2.0], [3.0, 4.0]], [[2.0, 1.0], [1.0, 2.0]]])
    parts = [np.array([0.5, 0.5]), np.array([0.25, 0.75])]
    assert log_product(table, parts) == pytest.approx(np.log(2.75) + np.log(1.5))
    assert log_product(table - 2.0, parts) == -np.inf
    assert against_others(table, parts, 0) == pytest.approx(np.array([[1.75, 3.75], [1.25, 1.75]]))
    assert against_others(table, parts, 1) == pytest.approx(np.array([[2.0, 3.0], [1.5, 1.5]]))


def test_the_gradient_method_begins_only_where_all_gain() -> None:
    table = np.array([[1.0, -3.0], [-3.0, 1.0]])
    parts, note = by_gradient(table, [np.array([0.5, 0.5])], 10)
    assert parts[0].tolist() == [0.5, 0.5]
    assert "cannot begin" in note
    parts, note = by_gradient(np.zeros((0, 2)), [np.array([0.5, 0.5])], 10)
    assert (parts[0].tolist(), note) == ([0.5, 0.5], "")
    one, _ = by_gradient(np.array([[1.0, 3.0]]), [np.array([0.5, 0.5])], 1)  # size √½ along (1, 3) of length √10 / 2
    assert one[0] == pytest.approx([0.5 - np.sqrt(0.05), 0.5 + np.sqrt(0.05)])
    two, _ = by_gradient(np.array([[1.0, 3.0]]), [np.array([0.5, 0.5])], 2)  # the second step is shorter by √2
    assert two[0][1] == pytest.approx(0.5 + np.sqrt(0.05) * (1 + np.sqrt(0.5)))


def test_nobody_minds_where_all_is_the_same() -> None:
    assert solve("nbs", np.full((2, 2, 3), 1.0)).joint == pytest.approx(np.full((2, 3), 1 / 6))
    assert solve("nbs-joint", np.full((2, 2, 3), 1.0)).joint == pytest.approx(np.full((2, 3), 1 / 6))


# ---------------------------------------------------------------------------------------------------------- equilibria


def left_to_gain(payoffs: Any, coarse: bool, epsilon: float, x: Any, slope: Any) -> float:
    """By how much at most another equilibrium is better, for something concave with this slope: by a linear program."""
    from scipy.optimize import linprog

    deviations = Deviations(normalised(payoffs), coarse)
    rows = deviations.rows(np.arange(deviations.count))
    limits = np.full(deviations.count, epsilon)
    assert (rows @ x).max() <= epsilon + 1e-6
    best = linprog(-slope, rows, limits, np.ones((1, len(x))), [1.0])
    return float(-best.fun - slope @ x)


@pytest.mark.parametrize("coarse", [True, False])
@pytest.mark.parametrize("epsilon", [0.0, 0.05])
@pytest.mark.parametrize("kind", ["me", "mg", "mw", "mn"])
def test_no_other_equilibrium_is_better(kind: str, epsilon: float, coarse: bool) -> None:
    payoffs = np.random.default_rng(8).integers(-4, 5, (2, 2, 3)).astype(float)
    found = solve(kind + ("cce" if coarse else "ce"), payoffs, epsilon=epsilon)
    x, flat = found.joint.ravel(), payoffs.reshape(2, -1)
    above = flat @ x - disagreement_payoffs(payoffs, Disagreement())
    slope: dict[str, Callable[[], Any]] = {
        "me": lambda: -np.log(np.maximum(x, 1e-300)) - 1.0,
        "mg": lambda: -2.0 * x,
        "mw": lambda: flat.sum(axis=0),
        "mn": lambda: (flat / above[:, None]).sum(axis=0),
    }
    assert left_to_gain(payoffs, coarse, epsilon, x, slope[kind]()) == pytest.approx(0.0, abs=2e-5)
    assert not found.note


def test_how_much_a_deviation_may_gain_by_hand() -> None:
    """In the dilemma who is told to cooperate could gain 1/5 or 2/5 of the range: so may it be told in some games."""
    found = solve("mwce", DILEMMA, epsilon=0.1)
    # cooperation of both is worth 6, of one 5, of none 2; each may gain 0.1 = 2/5 P(both) + 1/5 P(it alone)
    assert found.joint[0, 0] == pytest.approx(0.0, abs=1e-5)
    assert found.joint[0, 1] == pytest.approx(0.5, abs=1e-5)
    assert found.joint[1, 0] == pytest.approx(0.5, abs=1e-5)


def test_of_zero_sums_the_product_of_optimal_strategies() -> None:
    matrix = np.array([[3.0, -1.0], [-2.0, 1.0]])
    payoffs = np.stack([matrix, 5.0 - 3.0 * matrix])  # zero-sum in units of their own
    assert zero_sum(normalised(payoffs))
    assert not zero_sum(normalised(DILEMMA))
    assert not zero_sum(np.zeros((3, 2, 2, 2)))
    product = np.outer([3 / 7, 4 / 7], [2 / 7, 5 / 7])
    for name in ("mece", "mwce", "mnce"):
        assert solve(name, payoffs).joint == pytest.approx(product, abs=1e-6)


def test_the_product_is_said_to_have_less_impurity_where_it_was_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    pennies = np.array([[[1.0, -1], [-1, 1]], [[-1, 1], [1, -1]]])
    assert solve("mgce", pennies).note == ""
    monkeypatch.setattr(equilibria, "LARGE", 3)
    found = solve("mgce", pennies)
    assert found.note == "The product of optimal strategies; a CE that is no product may have more Gini impurity."
    assert found.joint == pytest.approx(np.full((2, 2), 0.25), abs=1e-6)
    assert solve("mgce", pennies, epsilon=0.1).note == ""
    assert solve("mgcce", pennies).note == ""


@pytest.mark.parametrize(
    ("loss", "violation", "words"),
    [
        (0.0, 0.0, ""),
        (2e-6, 0.0, "Another one may be better by 2.0e-06."),
        (0.0, 3e-5, "Not quite an equilibrium: a deviation gains 3.0e-05 of the range of payoffs."),
    ],
)
def test_what_was_not_reached_is_said(loss: float, violation: float, words: str) -> None:
    x = np.array([0.1, 0.2, 0.3, 0.4])
    chosen = select(lambda payoffs, settings, deviations: (ProgramAnswer(x, loss, violation), ""), True)
    found = chosen(DILEMMA, Equilibrium())
    assert found.note == words
    assert found.joint.tolist() == [[0.1, 0.2], [0.3, 0.4]]


def test_more_entropy_impurity_welfare_and_product_in_chicken_by_hand() -> None:
    """Chicken: p = P(C, C), q = P(C, S) = P(S, C); nobody who is told C may gain: 6 p ≤ 2 · (2 q) / 2 …"""
    # told C: −5 p + q ≥ −p − q, so 2 q ≥ 4 p; told S: −q − r ≥ −5 q + r, so 4 q ≥ 2 r; p + 2 q + r = 1
    most = solve("mgce", CHICKEN).joint
    # unconstrained would be a quarter each: 2 q ≥ 4 p binds: q = 2 p, r = 1 − 5 p; least of p² + 8 p² + (1 − 5 p)²
    p = 5 / 34
    assert most == pytest.approx(np.array([[p, 2 * p], [2 * p, 1 - 5 * p]]), abs=1e-6)
    assert gini(solve("mgcce", CHICKEN)) == pytest.approx(gini(correlated(most)), abs=1e-6)
    assert entropy(solve("mece", CHICKEN)) >= entropy(correlated(most)) - 1e-9
    assert social_welfare(solve("mwce", CHICKEN), CHICKEN) == pytest.approx(0.0, abs=1e-6)
    assert most_gini(CHICKEN, Equilibrium(), Deviations(normalised(CHICKEN), False))[1] == ""
    assert BargainingEquilibrium().margin == Bargaining().margin == 0.01


# ---------------------------------------------------------------------------------------------------------------- Nash


def test_indifference_by_hand() -> None:
    assert indifferent(np.array([[3.0, 0.0], [0.0, 2.0]])) == pytest.approx([0.4, 0.6])
    assert indifferent(np.array([[3.0, 0.0], [4.0, 2.0]])) is None, "the second row always pays more"
    assert indifferent(np.zeros((2, 2))) is None, "everything is equal: no single answer"


def test_an_equilibrium_is_found_by_supports_or_along_a_path() -> None:
    payoffs = np.random.default_rng(12).normal(size=(2, 4, 5))
    while ((payoffs[0] == payoffs[0].max(axis=0)) & (payoffs[1] == payoffs[1].max(axis=1, keepdims=True))).any():
        payoffs = np.roll(payoffs, 1, axis=2) * np.array([1.0, -1.0])[:, None, None]  # none in pure strategies
    choices: list[dict[str, Any]] = [{}, {"supports": 1}]
    for options in choices:
        found = solve("nash", payoffs, **options)
        assert not found.note
        assert nash_gap(found, payoffs) <= 1e-7
    short = solve("nash", payoffs, supports=1, pivots=1)
    gap = nash_gap(short, normalised(payoffs))
    assert short.note == f"No exact equilibrium was found: both together could gain {gap:.1e} of the range of payoffs."


def test_an_end_of_the_path_by_hand() -> None:
    mine, theirs = np.array([[3.0, 1.0], [1.0, 2.0]]), np.array([[1.0, 2.0], [3.0, 1.0]])
    for dropped in range(4):
        pair, used = lemke_howson(mine, theirs, dropped, 100)
        assert pair is not None
        assert pair[0] == pytest.approx([2 / 3, 1 / 3])
        assert pair[1] == pytest.approx([1 / 3, 2 / 3])
        assert used == 4
    assert lemke_howson(mine, theirs, 0, 3) == (None, 3)


def test_all_equilibria_of_a_battle_and_a_hunt() -> None:
    bach = np.array([[[3.0, 0], [0, 2]], [[2, 0], [0, 3]]])
    found = [[one.round(9).tolist() for one in mixture.marginals] for mixture in all_equilibria(bach)]
    assert found == [[[1, 0], [1, 0]], [[0, 1], [0, 1]], [[0.6, 0.4], [0.4, 0.6]]]
    stag = np.array([[4.0, 0], [3, 3]])
    mixed = [one.round(9).tolist() for one in symmetric_equilibria(np.stack([stag, stag.T]))]
    assert mixed == [[1, 0], [0, 1], [0.75, 0.25]]


def test_constant_sums_are_a_linear_program() -> None:
    matrix = np.array([[3.0, -1.0], [-2.0, 1.0]])
    found = nash(np.stack([matrix, 4.0 - matrix]), nash_settings())
    assert found.marginals[0] == pytest.approx([3 / 7, 4 / 7])
    assert found.marginals[1] == pytest.approx([2 / 7, 5 / 7])


def nash_settings() -> Any:
    from parlor.population.meta.nash import Nash

    return Nash(supports=1, pivots=1)


# -------------------------------------------------------------------------------------------------------------- α-rank


def stationary_by_matrix(payoffs: Any, rate: Callable[[float], float]) -> Any:
    """The chain as a whole matrix, and the distribution that balances."""
    cells = list(itertools.product(*map(range, payoffs.shape[1:])))
    flow = np.zeros((len(cells), len(cells)))
    for a, one in enumerate(cells):
        for b, other in enumerate(cells):
            changed = [i for i in range(len(payoffs)) if one[i] != other[i]]
            if len(changed) == 1:
                i = changed[0]
                flow[a, b] = rate(float(payoffs[(i, *other)] - payoffs[(i, *one)]))
    balance = np.vstack([(np.diag(flow.sum(axis=1)) - flow).T, np.ones(len(cells))])
    x = np.linalg.lstsq(balance, np.append(np.zeros(len(cells)), 1.0), rcond=None)[0]
    return x.reshape(payoffs.shape[1:])


def test_rates_of_change_by_hand() -> None:
    change = np.array([-2.0, 0.0, 2.0, 1e-16])
    assert success(change, 1.0, AlphaRank(noise=0.1)).tolist() == [0.1, 0.5, 0.9, 0.5]
    finite = AlphaRank(alpha=0.5, population=4)
    better, worse = (1 - np.exp(-1.0)) / (1 - np.exp(-4.0)), (1 - np.exp(1.0)) / (1 - np.exp(4.0))
    assert success(change, 1.0, finite) == pytest.approx([worse, 0.25, better, 0.25])
    assert success(np.array([-1e6]), 1.0, finite).tolist() == [1e-14], "every state can be reached"


@pytest.mark.parametrize("shape", [(2, 2), (2, 3, 4), (3, 2, 3, 2), (2, 1, 5)])
def test_evolution_by_the_whole_matrix(shape: tuple[int, ...]) -> None:
    """With ties among payoffs; also where only one player has a choice."""
    shape = shape if len(shape) > 2 else (2, *shape)
    payoffs = np.random.default_rng(len(shape)).integers(0, 3, shape).astype(float)
    noise = 0.05
    expected = stationary_by_matrix(payoffs, lambda d: 1 - noise if d > 0 else noise if d < 0 else 0.5)
    assert solve("alpha-rank", payoffs, noise=noise).joint == pytest.approx(expected, abs=1e-9)

    def fixed(change: float, m: int = 7, alpha: float = 0.4) -> float:
        return 1 / m if change == 0 else (1 - np.exp(-alpha * change)) / (1 - np.exp(-m * alpha * change))

    expected = stationary_by_matrix(payoffs, fixed)
    assert solve("alpha-rank", payoffs, alpha=0.4, population=7).joint == pytest.approx(expected, abs=1e-9)


def test_what_leaves_and_comes_in() -> None:
    """One player with three strategies that pay 0, 1, 1; the other has nothing to choose."""
    payoffs = np.array([[[0.0], [1.0], [1.0]], np.zeros((3, 1))])
    chain = InfiniteSelection(payoffs, 0.1)
    assert chain.leaving.tolist() == pytest.approx([1.8, 0.6, 0.6])
    flow = np.zeros(3)
    chain.inflow(0, np.array([0.2, 0.3, 0.5]), flow)
    assert flow == pytest.approx([-0.08, -(0.18 + 0.25), -(0.18 + 0.15)])
    assert chain.players == []
    finite = FiniteSelection(payoffs, AlphaRank(alpha=1e3, population=2))
    assert finite.leaving == pytest.approx([2.0, 0.5, 0.5])


# ------------------------------------------------------------------------------------------------------- the polytope


def test_inequalities_of_chicken_by_hand() -> None:
    rows = constraints(CHICKEN)  # payoffs of both go from 0 to 1, in sixths
    assert rows[:4].tolist() == np.eye(4).tolist()
    expected = [[-4, 2, 0, 0], [-4, 0, 2, 0], [0, 0, 4, -2], [0, 4, 0, -2]]
    assert (6 * rows[4:]) == pytest.approx(np.array(expected))
    corners = sorted(tuple(one) for one in vertices(CHICKEN).round(9).tolist())
    mixed = (1 / 9, 2 / 9, 2 / 9, 4 / 9)
    more, less = (0.2, 0.4, 0.4, 0.0), (0.0, 0.25, 0.25, 0.5)
    wanted = sorted([(0, 0, 1, 0), (0, 1, 0, 0), mixed, more, less])
    assert corners == [pytest.approx(one) for one in wanted]


def test_corners_are_in_order_around_a_polygon() -> None:
    square = np.array([[0.0, 0, 0, 1], [1, 1, 0, -1], [1, 0, 0, 0], [0, 1, 0, 0]])
    around = _around(square)
    sides = [np.abs(one - other).sum() for one, other in zip(around, np.roll(around, 1, axis=0), strict=True)]
    assert sides == [2.0] * 4, "never across"
    assert _around(square[:2]).tolist() == square[:2].tolist()


def test_bargaining_is_about_shares_of_ranges() -> None:
    """Larger payoffs of one player do not make it more important."""
    payoffs = np.random.default_rng(4).normal(size=(2, 3, 3))
    large = payoffs * np.array([1.0, 1000.0])[:, None, None]
    one, other = (solve("nbs-joint", game) for game in (payoffs, large))
    assert expected_payoffs(other, payoffs) == pytest.approx(expected_payoffs(one, payoffs), abs=1e-5)
    assert ranges(large)[1] == pytest.approx(1000 * ranges(payoffs)[1])
    assert bargaining.TURNS >= 100
