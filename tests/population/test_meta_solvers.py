"""Meta-strategy solvers: distributions, promised conditions, known answers, invariance, and hard games."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from parlor.game.errors import GameError
from parlor.policies.mixture import (
    Mixture,
    cce_gap,
    ce_gap,
    correlated,
    entropy,
    expected_payoffs,
    gini,
    independent,
    nash_gap,
    nash_product,
    normalised,
    ranges,
    social_welfare,
)
from parlor.population.meta import META_SOLVERS, solve
from parlor.population.meta.adidas import TensorSampler
from parlor.population.meta.bargaining import Disagreement, disagreement_payoffs
from parlor.population.meta.dynamics import onto_simplex, project
from parlor.population.meta.nash import lemke_howson
from parlor.population.meta.program import Deviations
from parlor.population.psro import Psro, PsroSettings

pytest.importorskip("scipy")

#: The games of the paper's figure 2, and other classics: payoffs of the rows' player, and of the columns'.
CHICKEN = np.array([[[-5, 1], [-1, -1]], [[-5, -1], [1, -1]]], float)  # C, S
BACH = np.array([[[3, 0], [0, 2]], [[2, 0], [0, 3]]], float)  # B, S
DILEMMA = np.array([[[3, 0], [5, 1]], [[3, 5], [0, 1]]], float)  # cooperate, defect
PENNIES = np.array([[[1, -1], [-1, 1]], [[-1, 1], [1, -1]]], float)
ROCK = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float)
RPS = np.stack([ROCK, -ROCK])

#: Fewer rounds than by default where each costs time.
QUICK: dict[str, dict[str, Any]] = {
    "prd": {"iterations": 2000},
    "regret-matching": {"iterations": 2000},
    "adidas": {"iterations": 30},
}
EQUILIBRIA = [kind + which for kind in ("me", "mg", "mw", "mn") for which in ("cce", "ce")]
OTHERS = [name for name in META_SOLVERS if name not in EQUILIBRIA]


def quick(name: str, payoffs: Any) -> Mixture:
    return solve(name, payoffs, **QUICK.get(name, {}))


def gap(name: str, mixture: Mixture, payoffs: Any) -> float:
    """What deviations gain in shares of the range of payoffs."""
    scaled = normalised(payoffs)
    return cce_gap(mixture, scaled) if name.endswith("cce") else ce_gap(mixture, scaled)


def objective(name: str, mixture: Mixture, payoffs: Any) -> float:
    """What an equilibrium has the most of."""
    kind = name[:2]
    if kind == "mn":
        return nash_product(mixture, payoffs, disagreement_payoffs(payoffs, Disagreement()))
    return {"me": entropy, "mg": gini}[kind](mixture) if kind in ("me", "mg") else social_welfare(mixture, payoffs)


@st.composite
def games(draw: st.DrawFn, most: int = 4, players: int = 3) -> Any:
    """Small games with ties and duplicates in them."""
    count = draw(st.integers(2, players))
    shape = (count, *(draw(st.integers(1, most)) for _ in range(count)))
    whole = draw(arrays.arrays(np.int64, shape, elements=st.integers(-4, 4)))
    return whole.astype(float)


def check_distribution(mixture: Mixture, payoffs: Any) -> None:
    assert mixture.joint.shape == payoffs.shape[1:]
    assert mixture.joint.min() >= 0
    assert mixture.joint.sum() == pytest.approx(1)
    for i, part in enumerate(mixture.marginals):
        others = tuple(j for j in range(len(payoffs)) if j != i)
        np.testing.assert_allclose(mixture.joint.sum(axis=others), part, atol=1e-12)


@pytest.mark.slow(seconds=6)
@settings(max_examples=10, deadline=None)
@given(games())
def test_every_answer_is_a_distribution(payoffs: Any) -> None:
    for name, row in META_SOLVERS.items():
        if len(payoffs) <= row.players:
            mixture = quick(name, payoffs)
            check_distribution(mixture, payoffs)
            assert mixture.independent != row.joint


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(games())
def test_equilibria_are_equilibria_and_the_best_of_their_kind(payoffs: Any) -> None:
    """Each has more of its own than the other three have, and a coarse one at least as much as the other."""
    answers = {name: solve(name, payoffs) for name in EQUILIBRIA}
    assert not any(mixture.note for mixture in answers.values())
    for name, mixture in answers.items():
        assert gap(name, mixture, payoffs) <= 1e-6
        rivals = [other for rival, other in answers.items() if rival.endswith("cce") <= name.endswith("cce")]
        best = max(objective(name, rival, payoffs) for rival in rivals)
        assert objective(name, mixture, payoffs) >= best - 1e-6 * (1 + abs(best))


@settings(max_examples=15, deadline=None)
@given(games(players=2))
def test_exact_nash_is_nash(payoffs: Any) -> None:
    mixture = solve("nash", payoffs)
    assert not mixture.note
    assert nash_gap(mixture, normalised(payoffs)) <= 1e-7


@settings(max_examples=15, deadline=None)
@given(games(), st.floats(0.05, 10))
def test_quantal_responses_are_softmax(payoffs: Any, temperature: float) -> None:
    mixture = solve("quantal-response", payoffs, temperature=temperature)
    assert not mixture.note
    scaled = normalised(payoffs)
    for i, mine in enumerate(mixture.marginals):
        value = np.moveaxis(scaled[i], i, 0).reshape(len(mine), -1) @ mixture.others(i).ravel()
        weights = np.exp((value - value.max()) / temperature)
        np.testing.assert_allclose(mine, weights / weights.sum(), atol=1e-7)


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(games(), st.randoms(use_true_random=False))
def test_renaming_strategies_and_rescaling_payoffs_changes_nothing(payoffs: Any, random: Any) -> None:
    """What an answer is worth stays; where it is the only one, the answer itself."""
    orders = [random.sample(range(n), n) for n in payoffs.shape[1:]]
    renamed = payoffs[(slice(None), *np.ix_(*orders))]
    size = tuple(random.choice((0.5, 3.0, 1e6)) for _ in payoffs)
    start = tuple(random.choice((-10.0, 0.0, 7.0)) for _ in payoffs)
    wide = (-1, *[1] * (payoffs.ndim - 1))
    rescaled = renamed * np.reshape(size, wide) + np.reshape(start, wide)
    for name in ("mecce", "mece", "mgcce", "mgce"):
        np.testing.assert_allclose(solve(name, rescaled).joint, solve(name, payoffs).joint[np.ix_(*orders)], atol=1e-4)
    for name in ("nbs-joint", "mncce", "mnce", "quantal-response"):
        before, after = solve(name, payoffs), solve(name, rescaled)
        expected = expected_payoffs(before, payoffs) * np.array(size) + np.array(start)
        np.testing.assert_allclose(
            expected_payoffs(after, rescaled), expected, atol=2e-4 * max(ranges(rescaled).max(), 1)
        )
    before, after = solve("mwcce", payoffs), solve("mwcce", renamed)
    assert social_welfare(before, payoffs) == pytest.approx(social_welfare(after, renamed), abs=1e-6)


@pytest.mark.parametrize("name", ["nbs-joint", "mncce", "mnce"])
def test_bargainers_take_turns_in_figure_2(name: str) -> None:
    swerving = solve(name, CHICKEN).joint  # CS and SC
    np.testing.assert_allclose(swerving, [[0, 0.5], [0.5, 0]], atol=1e-6)
    concerts = solve(name, BACH).joint  # BB and SS
    np.testing.assert_allclose(concerts, [[0.5, 0], [0, 0.5]], atol=1e-6)


def test_the_most_welfare_lies_in_the_middle_of_all_that_have_it() -> None:
    np.testing.assert_allclose(solve("mwce", BACH).joint, [[0.5, 0], [0, 0.5]], atol=1e-6)
    assert solve("social-welfare", BACH).joint[0, 0] == 1


@pytest.mark.parametrize("name", [*EQUILIBRIA, "nash", "alpha-rank"])
def test_prisoners_defect(name: str) -> None:
    assert solve(name, DILEMMA).joint[1, 1] == pytest.approx(1, abs=1e-3)


def test_prisoners_who_bargain_cooperate() -> None:
    for name in ("nbs", "nbs-joint", "social-welfare"):
        assert solve(name, DILEMMA).joint[0, 0] == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    "name", [*EQUILIBRIA, "nash", "quantal-response", "regret-matching", "prd", "adidas", "alpha-rank"]
)
@pytest.mark.parametrize("payoffs", [PENNIES, RPS], ids=["pennies", "rock-paper-scissors"])
def test_nothing_is_favoured_in_symmetric_zero_sum_games(name: str, payoffs: Any) -> None:
    values: dict[str, Any] = {"iterations": 500} if name == "adidas" else {}
    for part in solve(name, payoffs, **values).marginals:
        np.testing.assert_allclose(part, 1 / len(part), atol=0.06 if name == "adidas" else 1e-5)


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(games(most=3))
def test_gradient_ascent_agrees_with_the_fast_bargainers(payoffs: Any) -> None:
    settings = Disagreement(margin=0.2)
    disagreement = disagreement_payoffs(payoffs, settings) - (ranges(payoffs) == 0)
    for name in ("nbs", "nbs-joint"):
        fast = solve(name, payoffs, margin=0.2)
        slow = solve(name, payoffs, margin=0.2, method="gradient", steps=500)
        most = nash_product(fast, payoffs, disagreement)
        reached = nash_product(slow, payoffs, disagreement)
        assert reached <= most * (1 + 1e-6) + 1e-12
        if name == "nbs-joint":
            assert reached >= 0.98 * most


def test_bargaining_without_an_agreement_says_so() -> None:
    mixture = solve("nbs-joint", PENNIES, points=[0.5, 0.5])
    np.testing.assert_allclose(expected_payoffs(mixture, PENNIES), 0, atol=1e-6)
    assert mixture.note == "No mixture gives everybody more than disagreement: the least gain is as large as possible."
    assert solve("mnce", PENNIES, disagreement="maximin", margin=0.0).note == mixture.note
    assert not solve("mncce", BACH, disagreement="maximin").note


HARD = {
    "one strategy each": np.array([[[3.0]], [[-2.0]]]),
    "one strategy of one player": np.array([[[1.0, 2.0, 3.0]], [[3.0, 1.0, 2.0]]]),
    "constant": np.full((2, 3, 4), 7.0),
    "constant for one": np.stack([np.zeros((3, 3)), np.eye(3)]),
    "duplicates": np.repeat(np.repeat(CHICKEN, 3, axis=1), 2, axis=2),
    "huge": 1e12 * BACH,
    "tiny": 1e-12 * BACH,
    "far away": BACH + 1e9,
    "different scales": BACH * np.array([1e-9, 1e9])[:, None, None],
    "four players": np.random.default_rng(4).integers(-3, 4, (4, 2, 3, 2, 2)).astype(float),
    "dominated": np.stack([np.arange(5.0)[:, None] + np.zeros((5, 5)), np.arange(5.0)[None, :] + np.zeros((5, 5))]),
}


@pytest.mark.parametrize("which", HARD)
def test_hard_games_are_solved(which: str) -> None:
    payoffs = HARD[which]
    for name, row in META_SOLVERS.items():
        if len(payoffs) > row.players:
            continue
        mixture = quick(name, payoffs)
        check_distribution(mixture, payoffs)
        if name in EQUILIBRIA:
            assert gap(name, mixture, payoffs) <= 1e-5, name
        if which == "duplicates" and name[:2] in ("me", "mg"):
            np.testing.assert_allclose(mixture.joint[:3], mixture.joint[[2, 0, 1]], atol=1e-6)


@pytest.mark.parametrize("name", ["mwcce", "mwce"])
def test_the_most_welfare_is_that_of_a_linear_program(name: str) -> None:
    from scipy.optimize import linprog

    payoffs = np.random.default_rng(7).normal(size=(2, 7, 9))
    deviations = Deviations(payoffs, name == "mwcce")
    rows = deviations.rows(np.arange(deviations.count))
    best = linprog(-payoffs.sum(axis=0).ravel(), rows, np.zeros(deviations.count), np.ones((1, 63)), [1.0])
    assert social_welfare(solve(name, payoffs), payoffs) == pytest.approx(-best.fun, abs=1e-6)


def test_zero_sum_games_have_no_better_equilibria() -> None:
    """All equilibria of a zero-sum game are worth its value; here most rows bind, and none strictly."""
    matrix = np.random.default_rng(1).normal(size=(9, 7))
    payoffs = np.stack([matrix, -matrix])
    value = expected_payoffs(solve("nash", payoffs), payoffs)
    for name in EQUILIBRIA:
        mixture = solve(name, payoffs)
        assert not mixture.note
        assert gap(name, mixture, payoffs) <= 1e-6
        np.testing.assert_allclose(expected_payoffs(mixture, payoffs), value, atol=1e-6)


def test_regret_matching_and_dynamics_agree_with_openspiel() -> None:
    pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import projected_replicator_dynamics, regret_matching

    payoffs = np.random.default_rng(2).normal(size=(3, 3, 4, 2))
    theirs = regret_matching.regret_matching(list(payoffs), iterations=300, gamma=0.01)
    ours = solve("regret-matching", payoffs, iterations=300, exploration=0.01).marginals
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-10)
    theirs = projected_replicator_dynamics.projected_replicator_dynamics(
        list(payoffs), prd_iterations=300, prd_dt=0.1, prd_gamma=0.02
    )
    ours = solve("prd", payoffs, iterations=300, step=0.1, least=0.02).marginals
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-10)


def test_alpha_rank_agrees_with_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    if "networkx" not in sys.modules:  # which its drawings need, and its plain install lacks
        monkeypatch.setitem(sys.modules, "networkx", ModuleType("networkx"))
    from open_spiel.python.egt import alpharank

    payoffs = np.random.default_rng(3).normal(size=(3, 3, 2, 3))
    *_, theirs, _, _ = alpharank.compute(list(payoffs), use_inf_alpha=True, inf_alpha_eps=0.01)
    np.testing.assert_allclose(solve("alpha-rank", payoffs, noise=0.01).joint.ravel(), theirs, atol=1e-8)
    *_, theirs, _, _ = alpharank.compute(list(payoffs), m=5, alpha=0.7)
    ours = solve("alpha-rank", payoffs, alpha=0.7, population=5)
    np.testing.assert_allclose(ours.joint.ravel(), theirs, atol=1e-8)


def test_alpha_rank_is_on_the_sinks() -> None:
    """Two strict equilibria; nothing else is stable."""
    joint = solve("alpha-rank", BACH, noise=1e-6).joint
    np.testing.assert_allclose(joint, [[0.5, 0], [0, 0.5]], atol=1e-4)


def test_adidas_asks_for_few_payoffs_and_comes_near_nash() -> None:
    matrix = np.random.default_rng(0).normal(size=(30, 30))
    payoffs = np.stack([matrix, -matrix])
    mixture = solve("adidas", payoffs, iterations=800)
    assert nash_gap(mixture, payoffs) < 0.4 * nash_gap(solve("uniform", payoffs), payoffs)
    sampler = TensorSampler(np.random.default_rng(0).normal(size=(3, 15, 15, 15)))
    mixture = solve("adidas", sampler, iterations=5, samples=1)
    assert sampler.asked.mean() < 0.3
    assert solve("adidas", sampler, iterations=5, samples=1).joint.tolist() == mixture.joint.tolist()


def test_lemke_howson_ends_at_equilibria_also_of_degenerate_games() -> None:
    random = np.random.default_rng(5)
    for n, m in ((2, 3), (5, 5), (12, 9)):
        payoffs = random.integers(1, 5, (2, n, m)).astype(float)
        for dropped in range(n + m):
            pair, _ = lemke_howson(payoffs[0], payoffs[1], dropped, 1000)
            assert pair is not None
            assert nash_gap(independent(pair), payoffs) <= 1e-9


def test_rows_and_products_are_the_same_deviations() -> None:
    random = np.random.default_rng(6)
    payoffs = random.random((3, 3, 2, 4))
    x = random.dirichlet(np.ones(24))
    for coarse in (True, False):
        deviations = Deviations(payoffs, coarse)
        rows = deviations.rows(np.arange(deviations.count))
        np.testing.assert_allclose(rows @ x, deviations.gains(x), atol=1e-12)
    mixture = correlated(x.reshape(3, 2, 4))
    told = np.concatenate([one.ravel() for one in _gains(mixture, payoffs)])
    np.testing.assert_allclose(deviations.gains(x), told, atol=1e-12)


def _gains(mixture: Mixture, payoffs: Any) -> list[Any]:
    from parlor.policies.mixture import gains

    return gains(mixture, payoffs)


@settings(max_examples=50, deadline=None)
@given(arrays.arrays(np.float64, st.integers(1, 6), elements=st.floats(-2, 2)), st.sampled_from([0.0, 0.02, 0.1]))
def test_the_projection_is_the_nearest_point(v: Any, least: float) -> None:
    moved = v.copy()
    project(moved, len(v), least)
    assert moved.sum() == pytest.approx(1)
    assert moved.min() >= least - 1e-12
    free = moved > least + 1e-9
    assert np.ptp((v - moved)[free]) <= 1e-9  # all free ones moved by the same
    assert (v - moved)[~free].max(initial=-9) <= (v - moved)[free].min() + 1e-9
    if least == 0:
        np.testing.assert_allclose(onto_simplex(v), moved, atol=1e-9)


def test_mixtures_can_explore() -> None:
    mixture = solve("social-welfare", BACH).explored(0.2)
    np.testing.assert_allclose(mixture.joint, [[0.85, 0.05], [0.05, 0.05]])
    parts = solve("nash", DILEMMA).explored(0.2)
    np.testing.assert_allclose(parts.marginals[0], [0.1, 0.9])
    assert mixture.others(0).tolist() == pytest.approx([0.9, 0.1])


@pytest.mark.parametrize(
    ("name", "payoffs", "values", "sentence"),
    [
        ("nasch", BACH, {}, "There is no meta-solver 'nasch'; there are: uniform, prd,"),
        ("mece", BACH[0], {}, "Payoffs must have the shape .players, n1, …, nk., with 2 to 4 players"),
        ("mece", BACH * np.nan, {}, "Payoffs must be finite numbers"),
        ("mece", [["a"]], {}, "Payoffs must be a tensor of numbers"),
        ("nash", np.zeros((3, 2, 2, 2)), {}, "nash is for two players, and this game has 3"),
        ("prd", BACH, {"gamma": 1}, "prd has no setting 'gamma'; it has: iterations, least, step"),
        ("nbs", BACH, {"points": [1.0]}, "points must be 2 numbers, one a player, not 1"),
    ],
)
def test_wrong_requests_get_a_sentence(name: str, payoffs: Any, values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        solve(name, payoffs, **values)


def test_without_scipy_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(GameError, match=r"mgce needs SciPy: pip install 'parlor-games\[solve\]'"):
        solve("mgce", BACH)
    assert solve("uniform", BACH).joint[0, 0] == 0.25


def test_every_row_says_what_it_is() -> None:
    assert len(META_SOLVERS) == 18
    for row in META_SOLVERS.values():
        assert row.summary
        assert row.paper
        assert row.guarantee
        row.settings()


@pytest.mark.slow
def test_equilibria_that_lie_at_the_rim_are_found() -> None:
    """Populations of Kuhn poker for four have equilibria without any slack: a multiplier there is in the thousands."""
    psro = Psro("kuhn(players=4)", PsroSettings(meta="mgcce", evaluate="mgcce", iterations=8))
    notes = [psro.step().get("note", "") for _ in range(8)]
    assert notes == [""] * 8


def test_alpha_rank_where_several_strategies_are_the_same() -> None:
    """A common-payoff game with one strategy that is worse, and three alike: −x solves for the change of x, too."""
    share = np.array([1, 3, 3, 3]) / 9
    mixture = solve("alpha-rank", [np.outer(share, share)] * 2)
    assert mixture.note == ""
    assert mixture.joint[1:, 1:] == pytest.approx(np.full((3, 3), 1 / 9), rel=1e-3)
