"""The loop of PSRO and its parts, number by number: what is solved, answered, measured, shared and restored."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest

import parlor
from parlor.game import Game, GameError
from parlor.game.rng import mix
from parlor.policies.mixture import correlated, independent, nash_gap, social_welfare
from parlor.policies.plans import Plans, add_up, choose_best, dot_rows, fill_plan, plan
from parlor.policies.policy import Policy
from parlor.policies.population import Population, part_of, support
from parlor.policies.strategy import Strategy
from parlor.population import psro as psro_module
from parlor.population.empirical.empirical_game import EXACT, Cell, symmetrised
from parlor.population.empirical.empirical_game_files import one_shot_game
from parlor.population.meta import solve
from parlor.population.oracles import ORACLES, OracleRow, Task, exact
from parlor.population.psro import OpponentArrays, Psro, PsroSettings, symmetric
from parlor.sequence_form.tree import tree
from parlor.solvers.best_response import evaluate

KUHN = parlor.load("kuhn")
THREE = parlor.load("kuhn(players=3)")


def some_policy(game: Game, seed: int) -> Policy:
    """Random probabilities in every information set, some of them 0."""
    t = tree(game)
    draw = np.random.default_rng(seed)
    rows = [draw.dirichlet(np.ones(n)) if draw.random() < 0.7 else np.eye(n)[draw.integers(n)] for n in t.counts]
    return Policy.from_rows(game, t.keys, t.counts, np.concatenate(rows))


def scripted(monkeypatch: pytest.MonkeyPatch, game: Game) -> list[Task]:
    """Answers that are random policies; the tasks are kept."""
    asked: list[Task] = []

    def respond(task: Task) -> Strategy:
        asked.append(task)
        return some_policy(game, 10 * task.iteration + task.player)

    monkeypatch.setitem(cast(dict[str, OracleRow], ORACLES), "scripted", OracleRow("random policies", respond))
    return asked


# ------------------------------------------------------------------------------------------------------------ symmetric


def test_mixtures_of_three_are_averaged_over_all_orders() -> None:
    joint = correlated(np.random.default_rng(1).random((2, 2, 2)), "a note")
    alike = symmetric(joint)
    for cell in itertools.product(range(2), repeat=3):
        orders = list(itertools.permutations(range(3)))
        mean = sum(joint.joint[tuple(cell[i] for i in order)] for order in orders) / 6
        assert alike.joint[cell] == pytest.approx(mean)
    assert (alike.independent, alike.note) == (False, "a note")
    parts = symmetric(independent([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]], "another"))
    assert [one.tolist() for one in parts.marginals] == [[0.5, 0.5]] * 3
    assert (parts.independent, parts.note) == (True, "another")


@pytest.mark.parametrize("meta", ["uniform", "mwcce", "regret-matching"])
def test_three_players_share_one_population(meta: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is solved is the game with seats drawn; all seats have the same mixture."""
    pytest.importorskip("scipy")
    scripted(monkeypatch, THREE)
    settings = PsroSettings(meta=meta, evaluate="uniform", iterations=1, population="shared", oracle="scripted")
    options = {"iterations": 500} if meta == "regret-matching" else {}
    loop = Psro(THREE, settings, meta_settings=options)
    row = loop.step()
    payoffs = loop.empirical.payoffs
    for cell in ((0, 0, 1), (1, 0, 1), (1, 1, 1)):
        tables = [loop.members[p][i].table or Policy.uniform(THREE) for p, i in enumerate(cell)]
        assert payoffs[(slice(None), *cell)] == pytest.approx(evaluate(THREE, tables).values, abs=1e-12)
    drawn = symmetrised(payoffs)
    for order in itertools.permutations(range(3)):
        assert np.transpose(loop.mixture.joint, order) == pytest.approx(loop.mixture.joint)
    assert row["empirical_gap"] == pytest.approx(nash_gap(loop.mixture, drawn))
    if meta == "mwcce":
        assert row["joint_welfare"] == pytest.approx(social_welfare(loop.mixture, drawn))
    else:
        assert "joint_welfare" not in row
    assert row["values"] == pytest.approx(list(evaluate(THREE, loop.average()).values))


@pytest.mark.parametrize("meta", ["uniform", "mwcce"])
def test_what_three_who_share_are_measured_by(meta: str) -> None:
    """Any payoffs: those of the drawn seats are solved, and the gap and the welfare are theirs."""
    pytest.importorskip("scipy")
    loop = Psro(THREE, PsroSettings(meta=meta, evaluate="uniform", iterations=1, population="shared"))
    for player in range(3):
        loop.empirical.add(player, "b")
    payoffs = np.random.default_rng(3).normal(size=(3, 2, 2, 2))
    loop.empirical.set_exact((slice(None),) * 3, payoffs)
    drawn = symmetrised(payoffs)
    assert loop._payoffs() == pytest.approx(drawn)
    loop.plans, loop.mixture = None, loop._solve()
    assert loop.mixture.joint == pytest.approx(symmetric(solve(meta, drawn)).joint)
    row = loop.measure()
    assert row["empirical_gap"] == pytest.approx(nash_gap(loop.mixture, drawn))
    assert row["values"] == pytest.approx([float((loop.mixture.joint * one).sum()) for one in drawn])
    assert row["social_welfare"] == pytest.approx(sum(row["values"]))
    if meta == "mwcce":
        assert row["joint_welfare"] == pytest.approx(row["social_welfare"])
    own = Psro(THREE, PsroSettings(meta=meta, evaluate="uniform", iterations=1))
    own.empirical = loop.empirical
    assert own._payoffs() == pytest.approx(payoffs)


def test_a_note_says_when_playing_alike_costs_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousandth of the range of payoffs is let pass."""
    loop = Psro(KUHN, PsroSettings(meta="uniform", population="shared", iterations=1))
    loop.empirical.add(0, "b")
    loop.empirical.add(1, "b")
    found = independent([[1.0, 0.0], [0.0, 1.0]])
    monkeypatch.setattr(psro_module, "solve", lambda *_: found)
    monkeypatch.setattr(psro_module, "solve_by", lambda *_: found)
    for cost, said in ((0.0009, False), (0.0011, True)):
        # one in a and one in b is an equilibrium; half a and half b of both is, but for the cost
        payoffs = np.array([[[0.0, 1.0], [1.0, 0.0]]] * 2)
        payoffs[0, 1] += cost
        payoffs[1, :, 1] += cost
        loop.empirical.set_exact((slice(None), slice(None)), payoffs)
        mixture = loop._solve("nash")
        assert mixture.marginals[0].tolist() == [0.5, 0.5]
        note = "nash lets the players mix differently; they play the mean of it."
        assert mixture.note == (note if said else "")
        assert loop._solve().note == (note.replace("nash", "uniform") if said else "")


# --------------------------------------------------------------------------------------------------------- the loop


def test_tasks_are_what_an_oracle_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = scripted(monkeypatch, KUHN)
    loop = Psro(KUHN, PsroSettings(meta="uniform", oracle="scripted", explore=0.0, iterations=3, seed=9))
    loop.step()
    loop.step()
    assert [(task.player, task.iteration) for task in asked] == [(0, 1), (1, 1), (0, 2), (1, 2)]
    assert [task.seed for task in asked] == [mix(mix(mix(0, 9), t), p) for t in (1, 2) for p in (0, 1)]
    assert asked[2].mixture.marginals[0].tolist() == [0.5, 0.5]
    assert asked[0].plans is None
    assert loop.empirical.labels == [["uniform", "scripted 1", "scripted 2"]] * 2


def test_some_uniform_play_is_answered_too(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = scripted(monkeypatch, KUHN)
    loop = Psro(KUHN, PsroSettings(meta="social-welfare", oracle="scripted", explore=0.4, iterations=2))
    loop.step()
    loop.step()
    first = np.zeros((2, 2))
    first[0, 0] = 1.0  # all sums are 0: the first
    assert asked[2].mixture.joint == pytest.approx(0.6 * first + 0.1)
    assert loop.mixture.joint[0, 0] == 1.0, "what is measured is the mixture itself"


def test_what_is_measured_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy")
    scripted(monkeypatch, KUHN)
    loop = Psro(KUHN, PsroSettings(meta="uniform", oracle="scripted", iterations=2))
    loop.step()
    row = loop.step()
    average = Population.of(loop.members, [np.ones(3)] * 2).table
    assert average is not None
    found = evaluate(KUHN, average)
    assert row["nash_conv"] == pytest.approx(found.nash_conv)
    assert row["values"] == pytest.approx(list(found.values))
    assert row["gains"] == pytest.approx([b - v for b, v in zip(found.best_responses, found.values, strict=True)])
    assert sum(row["gains"]) == pytest.approx(row["nash_conv"])
    assert row["social_welfare"] == pytest.approx(0.0, abs=1e-12)
    assert (row["iteration"], row["strategies"], row["cells"], row["games"]) == (2, [3, 3], 9, 0)
    assert row["support"] == [3, 3]
    assert row["mixture"] == [[0.333333] * 3] * 2
    assert row["empirical_gap"] == pytest.approx(nash_gap(loop.mixture, loop.empirical.payoffs))
    best = solve("nash", loop.empirical.payoffs)
    assert row["meta_nash_conv"] == pytest.approx(
        evaluate(KUHN, Population.of(loop.members, best).table or average).nash_conv
    )
    own = Psro(KUHN, PsroSettings(meta="uniform", evaluate="uniform", oracle="scripted", iterations=1))
    first = own.step()
    assert first["meta_nash_conv"] == first["nash_conv"]
    assert (loop.fixed, own.fixed, Psro(THREE, PsroSettings(iterations=1)).fixed) == (
        "nash",
        "uniform",
        "regret-matching",
    )


def test_who_is_hardly_played_is_not_in_the_support() -> None:
    loop = Psro(KUHN, PsroSettings(iterations=1))
    loop.empirical.add(0, "b")
    loop.empirical.set_exact((slice(None), slice(None)), np.zeros((2, 2, 1)))
    loop.plans = None
    for share, count in ((0.009, 1), (0.011, 2)):
        loop.mixture = independent([[1 - share, share], [1.0]])
        assert loop.measure()["support"] == [count, 1]


def test_simulated_payoffs_are_recorded_where_they_are_missing() -> None:
    told: list[list[Cell]] = []

    def simulate(cells: Sequence[Cell], members: OpponentArrays) -> list[tuple[int, list[float], list[float]]]:
        told.append(list(cells))
        return [(4, [4.0 * a - b, 8.0 + b], [30.0, 40.0]) for a, b in cells]

    settings = PsroSettings(meta="uniform", payoffs="simulated", iterations=2)
    loop = Psro(KUHN, settings, simulate=simulate)
    row = loop.step()
    assert told == [[(0, 0)], [(0, 1), (1, 0), (1, 1)]]
    assert loop.empirical.payoffs[0].tolist() == [[0.0, -0.25], [1.0, 0.75]]
    assert loop.empirical.payoffs[1].tolist() == [[2.0, 2.25], [2.0, 2.25]]
    assert loop.empirical.half_widths()[0, 1, 1] == pytest.approx(3.1824 * np.sqrt((30 - 9 / 4) / 3 / 4), rel=1e-4)
    assert row["games"] == 16
    # with plans the exact value of the average is told, not that of the simulated cells
    assert row["values"] == pytest.approx(list(evaluate(KUHN, loop.average()).values))
    loop.plans = None
    row = loop.measure()
    assert row["values"] == pytest.approx([0.375, 2.125])
    assert row["social_welfare"] == pytest.approx(2.5)
    assert "nash_conv" not in row
    with pytest.raises(GameError, match="too large for an exact average"):
        loop.average()


def test_a_joint_mixture_has_a_welfare_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = Psro(KUHN, PsroSettings(iterations=1))
    loop.empirical.add(0, "b")
    loop.empirical.add(1, "b")
    payoffs = np.array([[[1.0, 5.0], [2.0, 3.0]], [[4.0, 9.0], [7.0, 6.0]]])
    loop.empirical.set_exact((slice(None), slice(None)), payoffs)
    loop.plans = None
    loop.mixture = correlated([[0.5, 0.0], [0.0, 0.5]], "so so")
    row = loop.measure()
    assert row["joint_welfare"] == pytest.approx((5.0 + 9.0) / 2)
    assert row["values"] == pytest.approx([2.0, 5.0])
    assert row["note"] == "so so"


def test_the_largest_population() -> None:
    for iterations, fine in ((340, True), (341, False)):
        assert ((iterations + 1) ** 3 <= psro_module.MAX_CELLS) is fine
        if fine:
            Psro(THREE, PsroSettings(iterations=iterations))
        else:
            with pytest.raises(GameError, match="at most 340 iterations are possible"):
                Psro(THREE, PsroSettings(iterations=iterations))


def test_a_restored_loop_has_the_same_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, THREE)
    loop = Psro(THREE, PsroSettings(meta="uniform", evaluate="uniform", oracle="scripted", iterations=3))
    loop.step()
    other = Psro(THREE, loop.settings)
    other.restore(loop.state(), loop.members)
    assert other.iteration == 1
    for player in range(3):
        assert other.plans is not None
        assert loop.plans is not None
        assert np.array_equal(other.plans.of(player), loop.plans.of(player))
    assert other.step() == loop.step()
    assert np.array_equal(other.empirical.payoffs, loop.empirical.payoffs)


# ----------------------------------------------------------------------------------------------------- plans, oracles


def test_sums_and_products_ending_by_ending() -> None:
    sums = np.zeros((2, 2, 2))
    weights, at, place = np.array([[1.0, 2.0], [0.0, 3.0], [5.0, 0.0]]), np.array([0, 1, 1]), np.array([0, 1, 0])
    add_up(weights, at, place, np.array([[1.0, 10.0], [2.0, 0.5]]), sums)
    assert sums.tolist() == [[[11.0, 12.5], [2.0, 20.0]], [[0.0, 0.0], [6.0, 1.5]]]
    found = np.zeros(2)
    dot_rows(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 6.0], [7.0, 8.0]]), [1, 0], [0, 1], found)
    assert found.tolist() == [39.0, 23.0]


def test_plans_are_products_along_the_way() -> None:
    """Two actions at first; after the second of them three more."""
    made = np.ones(6)
    fill_plan([0, 2], [1, 3], [2, 3], [0.25, 0.75, 0.5, 0.5, 0.0], made)
    assert made.tolist() == [1.0, 0.25, 0.75, 0.375, 0.375, 0.0]
    value, strategy = np.array([0.0, 2.0, 1.0, 0.5, 1.5, 1.5]), np.zeros(6)
    choose_best([0, 2], [1, 3], [2, 3], value, strategy, 1e-9)
    assert strategy.tolist() == [0.0, 0.0, 1.0, 0.0, 0.5, 0.5]
    assert value[:3].tolist() == [2.5, 2.0, 2.5]


def test_the_average_of_plans_is_uniform_where_nobody_goes() -> None:
    t = tree(KUHN)
    plans = Plans(t)
    pure = [np.eye(n)[-1] for n in t.counts]  # always bet: nobody comes to what follows a pass
    first = Policy.from_rows(KUHN, t.keys, t.counts, np.concatenate(pure))
    for player in range(2):
        plans.add_plan(player, plan(t, first, player))
    average = plans.average([np.ones(1), np.ones(1)])
    reach = np.concatenate([plans.of(p)[:, 0] for p in range(2)])
    for parent, begin, n in zip(t.parent, t.first, t.counts, strict=True):
        row = average[begin : begin + n].tolist()
        assert row == ([0.0, 1.0] if reach[parent] > 0.0 else [0.5, 0.5])
    assert (reach[t.parent] == 0.0).any()


def test_an_exact_answer_says_who_gave_it() -> None:
    loop = Psro(KUHN, PsroSettings(iterations=1))
    task = Task(KUHN, 1, 7, 0, loop.members, loop.mixture, None, loop.plans)
    answer = exact(task)
    assert (answer.about["oracle"], answer.about["iteration"], answer.about["player"]) == ("exact", 7, 1)
    uniform = Policy.uniform(KUHN)
    mixed = [uniform, answer]
    assert evaluate(KUHN, mixed).values[1] == pytest.approx(evaluate(KUHN, uniform).best_responses[1])
    with pytest.raises(GameError, match="too large for exact best responses"):
        exact(Task(KUHN, 1, 7, 0, loop.members, loop.mixture, None))
    assert [name for name in ORACLES if ORACLES.row(name).exact] == ["exact"]
    assert loop.average().about["algorithm"] == "psro"


def test_a_game_of_one_choice_each_is_known() -> None:
    game = parlor.matrix_game([[[1, 2, 3], [4, 5, 6]], [[0, 1, 0], [1, 0, 1]]], actions=[["u", "d"], ["l", "m", "r"]])
    found = one_shot_game(game)
    assert found.labels == [["u", "d"], ["l", "m", "r"]]
    assert found.payoffs.tolist() == [[[1, 2, 3], [4, 5, 6]], [[0, 1, 0], [1, 0, 1]]]
    assert (found.counts == EXACT).all()


# --------------------------------------------------------------------------------------------------------- populations


def test_a_part_of_a_mixture() -> None:
    joint = correlated([[0.5, 0.0, 0.1], [0.0, 0.0, 0.0], [0.1, 0.0, 0.3]], "a note")
    assert support(joint) == [[0, 2], [0, 2]]
    part = part_of(joint, [[0], [0, 2]])
    assert part.joint == pytest.approx(np.array([[5 / 6, 1 / 6]]))
    assert (part.note, part.independent) == ("a note", False)
    alone = part_of(independent([[0.2, 0.3, 0.5], [0.6, 0.4]], "b"), [[1, 2], [0, 1]])
    assert alone.marginals[0] == pytest.approx([0.375, 0.625])
    assert alone.marginals[1] == pytest.approx([0.6, 0.4])
    assert (alone.note, alone.independent) == ("b", True)


def test_members_are_as_likely_as_their_moves_make_them() -> None:
    """By Bayes' rule: 0.5 · 0.2 against 0.3 · 0.6, the third is never played; and the mean of what they do next."""
    start = KUHN.start().after("K to player 0", "Q to player 1")
    first, later = start.key(0), start.after("pass", "bet").key(0)
    rows = [([0.2, 0.8], [0.9, 0.1]), ([0.6, 0.4], [0.5, 0.5]), ([0.7, 0.3], [0.0, 1.0])]
    members: list[Any] = [
        Policy.from_rows(KUHN, np.array([first, later]), np.array([2, 2]), np.concatenate(one)) for one in rows
    ]
    population = Population.of([members, [Policy.uniform(KUHN)]], [[0.5, 0.3, 0.2], [1.0]], algorithm="x")
    after = start.after("pass", "bet")
    likely = np.array([0.5 * 0.2, 0.3 * 0.6, 0.2 * 0.7])
    assert population.posterior(after) == pytest.approx(likely / likely.sum())
    got = population(after)
    expected = (likely[0] * 0.9 + likely[1] * 0.5) / likely.sum()
    assert got[after.legal[0]] == pytest.approx(expected)
    assert sum(got.values()) == pytest.approx(1.0)
    assert population.posterior(start) == pytest.approx([0.5, 0.3, 0.2])
    assert population.newest == (members[2], population.members[1][0])
    assert population.labels == (("0", "1", "2"), ("0",))
    assert population.describe() == "population for kuhn: 3 and 1 strategies"
