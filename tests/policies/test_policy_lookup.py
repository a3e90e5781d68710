"""Looking up what a policy plays: by position, key, words and name; and its rows."""

import sys
from types import SimpleNamespace

import pytest

import parlor
from parlor import GameError
from parlor.game.keys import key_in, key_of, name_of
from parlor.game.loading import load
from parlor.policies.policy import Policy


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
    assert game.words.decode_key is not None
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
    with pytest.raises(GameError, match="has no information set 17"):
        _ = leduc[17]
    with pytest.raises(GameError, match=r"has no texts for its information sets; add them with parlor.with_words"):
        _ = parlor.solve("kuhn", iterations=2).policy["player 0 holds J; no move yet"]
    kuhn = load("kuhn").start()
    with pytest.raises(GameError, match="The policy is for leduc, but this is a position of kuhn"):
        _ = leduc[kuhn]
    with pytest.raises(GameError, match="No player is to move"):
        _ = parlor.solve("kuhn", iterations=2).policy[kuhn]
    with pytest.raises(GameError, match="has no information set 'player 0 holds J; no move yet'"):
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
    with pytest.raises(GameError, match="pandas is not installed: pip install 'parlor"):
        leduc.to_pandas()


def test_pandas_itself_takes_them(leduc: Policy) -> None:
    pytest.importorskip("pandas")
    frame = leduc.to_pandas()
    assert frame["probability"].tolist() == leduc.probabilities.tolist()
    assert frame.groupby("key")["probability"].sum().round(9).eq(1.0).all()
