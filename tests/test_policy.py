"""Policies as objects."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

import parlor
from parlor import GameError
from parlor.games import load
from parlor.keys import key_in, key_of, name_of
from parlor.policy import Policy


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
    policy = parlor.with_words(game, parlor.solve(game, "cfr+", iterations=100).policy)
    text = str(policy)
    assert "<policy for kuhn: 12 information sets>" in text
    assert "player 0 holds J; no move yet: pass 0." in text
    assert len(text.splitlines()) == 13


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
    with pytest.raises(GameError, match="it knows other actions"):
        parlor.evaluate(kuhn, three)
    with pytest.raises(GameError, match="it knows other actions"):
        three(kuhn.start().after("K to player 0", "J to player 1"))


# --------------------------------------------------------------------------------------------------- looking up


@pytest.fixture(scope="module")
def leduc() -> Policy:
    return parlor.with_words("leduc", parlor.solve("leduc", iterations=10).policy)


def test_an_information_set_is_found_in_every_way(leduc: Policy) -> None:
    game = load("leduc")
    position = game.start().after("K♠ to player 0", "J♥ to player 1", "raise")
    wanted = leduc(position)
    assert set(wanted) == {"fold", "call", "raise"}
    assert leduc["player 1 holds J♥; pot 3 + 1; raise"] == wanted
    assert leduc[position.key(1)] == leduc[position] == wanted
    assert leduc[name_of(game, 1, position.key(1))] == wanted
    assert list(leduc) == leduc.keys.tolist()


def test_a_digest_is_found_with_the_help_of_the_game() -> None:
    game = load("monopoly-deal(preset=tiny)/intent")
    assert game.decode_key is not None
    position = game.start()
    while position.turn < 0:
        position = position.after(position.actions[0])
    key = position.key(position.turn)
    name = name_of(game, position.turn, key)
    assert key_in(name) is None
    assert key_of(game, name, [key]) == key
    with pytest.raises(GameError, match="None of these information sets"):
        key_of(game, name, [])


def test_what_is_not_there_gets_a_sentence(leduc: Policy) -> None:
    with pytest.raises(GameError, match=r"did you mean 'player 1 holds J♥; pot 3 [+] 1; raise' or"):
        _ = leduc["player 1 holds J♥; pot 3 + 1: raise"]
    with pytest.raises(GameError, match="knows no information set 17"):
        _ = leduc[17]
    with pytest.raises(GameError, match=r"has no words for its information sets; parlor.with_words adds them"):
        _ = parlor.solve("kuhn", iterations=2).policy["player 0 holds J; no move yet"]
    kuhn = load("kuhn").start()
    with pytest.raises(GameError, match="The policy is for leduc, but this is a position of kuhn"):
        _ = leduc[kuhn]
    with pytest.raises(GameError, match="No player is to move"):
        _ = parlor.solve("kuhn", iterations=2).policy[kuhn]
    with pytest.raises(GameError, match="does not know the information set 'player 0 holds J; no move yet'"):
        _ = Policy.uniform(load("kuhn"))[kuhn.after("J to player 0", "K to player 1")]


def test_rows_hold_every_probability(leduc: Policy) -> None:
    rows = leduc.to_rows()
    assert [row["probability"] for row in rows] == leduc.probabilities.tolist()
    assert rows[0].keys() == {"key", "sees", "action", "probability"}
    assert all(leduc[row["sees"]][row["action"]] == row["probability"] for row in rows[:50])


def test_a_data_frame_has_the_rows(leduc: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    made = SimpleNamespace(DataFrame=lambda rows, columns: (rows, columns))
    monkeypatch.setitem(sys.modules, "pandas", made)
    assert leduc.to_pandas() == (leduc.to_rows(), ["key", "sees", "action", "probability"])
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(GameError, match="pandas is not installed; pip install pandas brings it"):
        leduc.to_pandas()


def test_pandas_itself_takes_them(leduc: Policy) -> None:
    pytest.importorskip("pandas")
    frame = leduc.to_pandas()
    assert frame["probability"].tolist() == leduc.probabilities.tolist()
    assert frame.groupby("key")["probability"].sum().round(9).eq(1.0).all()
