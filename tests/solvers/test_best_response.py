"""Exact best responses against OpenSpiel's and against hand-made policies."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import exploitability as spiel_exploitability

import parlor
from parlor.games import load
from parlor.policy import Policy
from parlor.solvers.tree import tree


@pytest.mark.parametrize(
    ("name", "peer"),
    [
        ("kuhn", "kuhn_poker"),
        ("kuhn(players=3)", "kuhn_poker(players=3)"),
        ("kuhn(players=4)", "kuhn_poker(players=4)"),
        ("leduc", "leduc_poker"),
        ("liars-dice(faces=3)", "liars_dice(dice_sides=3)"),
        (
            "goofspiel(players=3,returns=total-points)",
            "turn_based_simultaneous_game(game=goofspiel(players=3,num_cards=4,imp_info=True,"
            "points_order=descending,returns_type=total_points))",
        ),
    ],
)
def test_nash_conv_of_the_uniform_policy_is_openspiels(name: str, peer: str) -> None:
    spiel = pyspiel.load_game(peer)
    theirs = spiel_exploitability.nash_conv(spiel, spiel_policy.UniformRandomPolicy(spiel))
    assert parlor.nash_conv(load(name), Policy.uniform(load(name))) == pytest.approx(theirs, abs=1e-9)


def test_always_pass_in_kuhn() -> None:
    """Against players who always pass, betting everything wins the ante every time."""
    game = load("kuhn")
    t = tree(game)
    passing = Policy.from_rows(game, t.keys, t.counts, np.tile([1.0, 0.0], t.infosets))
    evaluation = parlor.evaluate(game, passing)
    assert evaluation.values == pytest.approx((0.0, 0.0), abs=1e-15)
    assert evaluation.best_responses == pytest.approx((1.0, 1.0))
    assert evaluation.nash_conv == pytest.approx(2.0)
    assert evaluation.exploitability == pytest.approx(1.0)


@pytest.mark.parametrize("player", [0, 1])
def test_a_best_response_wins_what_is_said(player: int) -> None:
    game = load("leduc")
    policy = parlor.solve(game, "cfr", iterations=5).policy
    best = parlor.best_response(game, policy, player)
    joint = Policy.from_rows(
        game,
        np.concatenate([best.keys, np.setdiff1d(policy.keys, best.keys)]),
        np.concatenate([np.diff(p.starts)[np.isin(p.keys, k)] for p, k in _parts(policy, best)]),
        np.concatenate([np.concatenate([p.row(int(x)) for x in k]) for p, k in _parts(policy, best)]),
    )
    said = parlor.evaluate(game, policy).best_responses[player]
    assert parlor.evaluate(game, joint).values[player] == pytest.approx(said, abs=1e-12)


def _parts(policy: Policy, best: Policy) -> list[tuple[Policy, np.ndarray]]:
    return [(best, best.keys), (policy, np.setdiff1d(policy.keys, best.keys))]
