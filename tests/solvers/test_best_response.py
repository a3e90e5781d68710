"""Exact best responses against OpenSpiel's and against hand-made policies."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import exploitability as spiel_exploitability

import parlor
from parlor import GameError
from parlor.game.loading import load
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import tree


@pytest.mark.slow
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
    seats = [best if p == player else policy for p in range(2)]
    said = parlor.evaluate(game, policy).best_responses[player]
    assert parlor.evaluate(game, seats).values[player] == pytest.approx(said, abs=1e-12)


def test_two_policies_against_each_other() -> None:
    game = load("kuhn")
    strong, weak = parlor.solve(game, "cfr+", iterations=5000).policy, Policy.uniform(game)
    ahead = parlor.evaluate(game, [strong, weak]).values[0] + parlor.evaluate(game, [weak, strong]).values[1]
    assert ahead > 0.1


def test_policies_and_players_that_do_not_fit_are_refused() -> None:
    kuhn, leduc = load("kuhn"), load("leduc")
    policy = parlor.solve(leduc, iterations=5).policy
    with pytest.raises(GameError, match="The policy for leduc is not a policy for kuhn"):
        parlor.nash_conv(kuhn, policy)
    with pytest.raises(GameError, match="leduc has 2 players, but there are 3 policies"):
        parlor.evaluate(leduc, [policy] * 3)
    with pytest.raises(GameError, match="not 5"):
        parlor.best_response(leduc, policy, 5)


def test_a_game_is_given_by_its_name_wherever_one_is_wanted() -> None:
    game = load("kuhn")
    policy = parlor.solve("kuhn", iterations=50).policy
    assert parlor.evaluate("kuhn", policy) == parlor.evaluate(game, policy)
    assert parlor.nash_conv("kuhn", policy) == parlor.nash_conv(game, policy)
    assert parlor.exploitability("kuhn", policy) == parlor.exploitability(game, policy)
    assert parlor.best_response("kuhn", policy, 1) == parlor.best_response(game, policy, 1)
    assert parlor.tree("kuhn").digest() == parlor.tree(game).digest()
    assert parlor.with_words("kuhn", policy).words == parlor.with_words(game, policy).words
    assert [f.ok for f in parlor.check("kuhn")] == [f.ok for f in parlor.check(game)]
    seats = [parlor.policy_agent(policy, "kuhn"), parlor.load_agent("random", "kuhn")]
    by_name, by_game = (parlor.play_match(g, seats, games=100).payoffs for g in ("kuhn", game))
    assert (by_name == by_game).all()
    with pytest.raises(GameError, match="There is no game 'khun'; did you mean kuhn"):
        parlor.evaluate("khun", policy)
