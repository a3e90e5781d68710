"""Correlated equilibria of extensive games: two descriptions of the same plans, and normal forms."""

import numpy as np
import pytest

import parlor
from parlor import GameError
from parlor.game.loading import load
from parlor.population.meta import solve as solve_meta
from parlor.sequence_form.tree import tree
from parlor.solvers.exact import correlated
from parlor.solvers.exact.correlation_plans import Pairs, Profiles

SMALL = "sheriff(items=1,bribe=1,rounds=1,item_value=2,item_penalty=3,sheriff_penalty=2)"


@pytest.mark.parametrize("preset", ["chicken", "bach-or-stravinsky", "shapley", "prisoners-dilemma"])
def test_in_a_normal_form_they_are_those_of_the_meta_solvers(preset: str) -> None:
    game = load(f"normal-form(preset={preset})")
    payoffs = parlor.payoff_tensor(game)
    for concept, meta in (("efce", "mwce"), ("efcce", "mwcce"), ("cce", "mwcce")):
        joint = solve_meta(meta, payoffs).joint
        found = parlor.correlated_equilibrium(game, concept)
        assert found.welfare == pytest.approx(float((payoffs.sum(axis=0) * joint).sum()), abs=1e-6)


@pytest.mark.parametrize("concept", correlated.CONCEPTS)
@pytest.mark.parametrize("maximise", ["welfare", 0, 1])
def test_pairs_of_sequences_and_combinations_of_strategies_agree(
    concept: str, maximise: str | int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load(SMALL)
    assert Pairs(tree(game)).triangle_free
    by_pairs = parlor.correlated_equilibrium(game, concept, maximise)
    monkeypatch.setattr(correlated, "plans_of", Profiles)
    by_profiles = parlor.correlated_equilibrium(game, concept, maximise)
    best = [sum(one.values) if maximise == "welfare" else one.values[int(maximise)] for one in (by_pairs, by_profiles)]
    assert best[0] == pytest.approx(best[1], abs=1e-8)


def test_who_may_leave_earlier_knows_less_and_is_held_more_easily() -> None:
    best = {c: parlor.correlated_equilibrium(SMALL, c, 0).values[0] for c in correlated.CONCEPTS}
    nash = parlor.solve(SMALL, "cfr+", iterations=3000)
    assert best["efce"] <= best["efcce"] + 1e-9 <= best["cce"] + 2e-9
    assert best["efce"] < best["cce"] - 0.01
    if nash.report.exploitability is not None and nash.report.exploitability < 1e-6:
        assert best["efce"] >= nash.report.values[0] - 1e-5


def test_in_a_zero_sum_game_with_dealt_hands_nothing_can_be_agreed_on() -> None:
    assert not Pairs(tree(load("kuhn"))).triangle_free  # both hands are dealt by chance
    for concept in ("efce", "cce"):
        found = parlor.correlated_equilibrium("kuhn", concept)
        assert found.values == pytest.approx((-1 / 18, 1 / 18), abs=1e-9)
        assert found.gain < 1e-9


def test_nobody_gains_by_leaving_the_plan_by_hand() -> None:
    """Chicken's best for player 0 among correlated equilibria: it goes on, the other swerves; nobody would change."""
    found = parlor.correlated_equilibrium("normal-form(preset=chicken)", "efce", 0)
    assert found.values == pytest.approx((1.0, -1.0))
    assert found.likely.sum() == pytest.approx(1.0)
    policy = parlor.with_words(found.game, found.marginal())
    assert [max(row, key=lambda name: row[name]) for row in map(policy.__getitem__, policy)] == ["go on", "swerve"]


def test_plans_are_consistent_with_what_each_player_hears() -> None:
    found = parlor.correlated_equilibrium(SMALL, "efce")
    t = tree(load(SMALL))
    for player in range(2):
        plan, low = found.plans[player], int(t.bounds[player])
        assert plan[0] == pytest.approx(1.0)
        for i in range(*t.infoset_bounds[player : player + 2].tolist()):
            first = int(t.first[i]) - low
            assert plan[first : first + int(t.count[i])].sum() == pytest.approx(plan[int(t.parent[i]) - low], abs=1e-9)
        gets = sum(
            likely * weight
            for likely, weight in zip(found.likely, t.weight[: len(found.likely)], strict=True)
            if player == 0
        )
        assert player == 1 or gets == pytest.approx(found.values[0], abs=1e-9)


def test_what_cannot_be_computed_is_refused() -> None:
    with pytest.raises(GameError, match="6,561 × 10,000 × 65,536 reduced strategies"):
        parlor.correlated_equilibrium("kuhn(players=3)")
    with pytest.raises(GameError, match="There is no concept 'nash'; there are efce, efcce, cce"):
        parlor.correlated_equilibrium("kuhn", "nash")
    with pytest.raises(GameError, match="must be welfare or the number of a player, not '2'"):
        parlor.correlated_equilibrium("kuhn", "efce", "2")


def test_three_players_choose_together() -> None:
    """A majority game: a point for all if all choose the same; the plan can say which."""
    payoffs = np.zeros((3, 2, 2, 2))
    payoffs[:, 0, 0, 0] = payoffs[:, 1, 1, 1] = 1.0
    assert parlor.correlated_equilibrium(parlor.matrix_game(payoffs), "efce").values == pytest.approx((1.0, 1.0, 1.0))
