"""Policies as objects."""

import numpy as np
import pytest

import parlor
from parlor import GameError
from parlor.agents.registry import policy_agent
from parlor.game.loading import load
from parlor.policies.policy import Policy


def test_a_policy_answers_by_name() -> None:
    game = load("kuhn")
    policy = parlor.solve(game, "cfr+", iterations=1000).policy
    position = game.start().after("K to player 0", "Q to player 1", "pass", "bet")
    assert policy(position)["bet"] > 0.99  # always call with the king
    assert sum(policy(position).values()) == pytest.approx(1.0)
    assert position.key(0) in policy
    assert 12345678 not in policy


def test_unknown_information_sets_are_played_uniformly() -> None:
    game = load("leduc")
    policy = Policy.uniform(game)
    position = game.start().after("K♥ to player 0", "Q♥ to player 1", "raise")
    assert policy(position) == {"fold": 1 / 3, "call": 1 / 3, "raise": 1 / 3}


def test_policies_are_compared() -> None:
    game = load("leduc")
    a, b, c = (parlor.solve(game, "cfr", iterations=n).policy for n in (10, 10, 20))
    assert a == b
    assert a != c
    assert a.distance(b) == 0.0
    assert 0.0 < a.distance(c) == c.distance(a) <= 1.0
    assert a != "something else"


def test_a_policy_prints_in_words() -> None:
    game = load("kuhn")
    policy = parlor.solve(game, "cfr+", iterations=100).policy
    assert str(policy).endswith("parlor.with_words(game, policy) puts this into words.")
    text = str(parlor.with_words(game, policy))
    assert "<policy for kuhn: 12 information sets>" in text
    assert "player 0 holds J; no move yet: pass 0." in text
    assert len(text.splitlines()) == 13


@pytest.mark.slow
def test_words_for_a_game_too_large_to_enumerate_come_from_play() -> None:
    game = load("goofspiel(cards=7)")
    policy = parlor.solve(game, "mccfr-external", iterations=50).policy
    words = parlor.with_words(game, policy, games=20).words
    assert 50 < len(words) < len(policy)
    assert all(key in policy for key in words)


def test_a_policy_of_another_game_is_refused() -> None:
    kuhn = load("kuhn")
    policy = parlor.solve(kuhn, iterations=10).policy
    three = Policy(policy.game, policy.rules, policy.keys, np.arange(13) * 3, np.full(36, 1 / 3))
    with pytest.raises(GameError, match="its actions differ"):
        parlor.evaluate(kuhn, three)
    with pytest.raises(GameError, match="its actions differ"):
        three(kuhn.start().after("K to player 0", "J to player 1"))


def test_a_policy_refuses_a_position_of_another_game() -> None:
    policy = Policy.uniform(load("kuhn"))
    position = load("kuhn").start().after("J to player 0", "Q to player 1")
    assert policy(position) == {"pass": 0.5, "bet": 0.5}
    with pytest.raises(GameError, match=r"The policy is for kuhn, not for kuhn\(players=3\)\."):
        policy(load("kuhn(players=3)").start())
    with pytest.raises(GameError, match=r"The policy is for kuhn, not for goofspiel\."):
        policy(load("goofspiel").start())


def test_only_the_row_of_the_key_is_played() -> None:
    """An information set that a policy does not know is played with every action alike, not as its neighbour."""
    game = load("kuhn")
    deals = (("J", "K"), ("Q", "K"), ("K", "Q"))
    jack, queen, king = (game.start().after(f"{a} to player 0", f"{b} to player 1") for a, b in deals)
    keys = np.array([queen.key(0)])
    policy = Policy.from_rows(game, keys, np.array([2]), np.array([0.25, 0.75]))
    alike = {"pass": 0.5, "bet": 0.5}
    for answer in (policy, policy_agent(policy, game)):
        assert answer(queen) == {"pass": 0.25, "bet": 0.75}
        assert answer(jack) == answer(king) == alike
    everywhere = policy.rows(np.array([p.key(0) for p in (jack, queen, king)]), np.array([2, 2, 2]))
    assert everywhere.tolist() == [0.5, 0.5, 0.25, 0.75, 0.5, 0.5]
