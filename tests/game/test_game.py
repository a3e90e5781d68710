"""Schemas, options, views and positions."""

import dataclasses
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlor
from parlor import CHANCE, OVER, GameError
from parlor.game import Position
from parlor.game.loading import load, parse
from parlor.game.seats.play import play_game, replay, uniform_agent

GAMES = [
    "kuhn",
    "kuhn(players=4)",
    "leduc",
    "leduc(players=3)",
    "leduc/ranks",
    "liars-dice",
    "liars-dice(dice=2,faces=3)",
    "holdem(stack=40)",
    "clue(preset=small,cap=6)",
    "clue(preset=standard,players=5,suspects=2,weapons=3,rooms=5)",
    "holdem(stack=40,streets=2,order=engine)/half-pot",
    "goofspiel",
    "goofspiel(players=3,imperfect=false,order=random,returns=total-points)",
]


@pytest.mark.slow
def test_a_long_game_has_its_moves_once_not_once_a_position() -> None:
    """Of n positions, each with its own history, n²/2 references would be kept: here 9 MB."""
    start = load("leodopoly(preset=classic,players=6,rounds=200,trades=3)").start()
    tracemalloc.start()
    positions = [start]
    while len(positions) <= 800:
        names = positions[-1].legal
        positions.append(positions[-1].after(names[len(positions) % len(names)]))
    states = sum(trace.size for trace in tracemalloc.take_snapshot().statistics("filename") if "game.py" in str(trace))
    tracemalloc.stop()
    assert states < 900_000
    for ply in (0, 1, 700, 800):
        position = positions[ply]
        assert (position.ply, len(position.history)) == (ply, ply)
        assert position.history == positions[800].history[:ply]
        assert position.last == (position.history[-1] if ply else "")
    again = Position(start.game, positions[700].state, positions[700].history)
    other, name = positions[700].after(positions[700].legal[-1]), positions[700].legal[-1]
    assert again.after(name).history == other.history == (*positions[700].history, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_random_games_keep_the_promises_of_a_position(name: str, seed: int) -> None:
    game = load(name)
    record = play_game(game, [uniform_agent] * game.players, seed)
    assert len(record.moves) <= game.length
    position = game.start()
    for move in record.moves:
        before = (position.history, position.turn, position.legal, [position.view(p) for p in range(game.players)])
        names = position.legal
        assert len(set(names)) == len(names)
        if position.turn == CHANCE:
            assert sum(position.odds.values()) == pytest.approx(1.0)
            assert position.odds[move] > 0.0
        else:
            assert 0 <= position.key(position.turn) < 2**63
        after = position.after(move)
        assert before == (
            position.history,
            position.turn,
            position.legal,
            [position.view(p) for p in range(game.players)],
        )
        position = after
    assert position.turn == OVER
    assert position.legal == []
    assert position.payoffs == list(record.payoffs)
    if game.kind == "zero-sum":
        assert sum(record.payoffs) == pytest.approx(0.0)
    assert replay(game, record.moves).payoffs == list(record.payoffs)


def test_a_position_is_not_changed_by_what_follows() -> None:
    start = load("leduc").start()
    first = start.after("J♥ to player 0")
    start.after("K♠ to player 0")
    assert first.view(0).card == 1
    assert start.view(0).card == 0


def test_the_lists_of_a_position_are_the_readers_own() -> None:
    position = load("kuhn").start()
    actions, names = position.actions.copy(), position.legal.copy()
    position.actions.clear()
    position.legal.clear()
    assert (position.actions, position.legal) == (actions, names) != ([], [])


def test_an_illegal_move_is_refused_with_the_legal_ones() -> None:
    position = load("kuhn").start().after("K to player 0", "J to player 1")
    with pytest.raises(GameError, match=r"'fold' cannot be played here; legal moves: pass, bet\."):
        position.after("fold")
    over = position.after("pass", "pass")
    with pytest.raises(GameError, match="The game is over"):
        over.after("pass")
    with pytest.raises(GameError, match="not over yet"):
        _ = position.payoffs
    with pytest.raises(GameError, match="not chance's turn"):
        _ = position.odds


def test_moves_go_by_name_or_by_id() -> None:
    start = load("kuhn").start()
    assert start.after(2, 0, 1).history == ("K to player 0", "J to player 1", "bet")
    with pytest.raises(GameError, match="cannot be played here"):
        start.after(2, 2)  # the king is dealt already


def test_a_view_shows_own_cards_and_nobody_elses() -> None:
    position = load("leduc").start().after("K♠ to player 0", "J♥ to player 1", "raise")
    mine, theirs = position.view(0), position.view(1)
    assert (mine.card, theirs.card) == (6, 1)
    assert mine.chips == theirs.chips == (3, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        mine.card = 1


def test_hidden_fields_are_in_no_view(tmp_path: Any) -> None:
    path = tmp_path / "secret.py"
    path.write_text(COIN)
    position = load(str(path)).start().after(1)
    assert not hasattr(position.view(0), "coin")
    assert position.view(0).guess == 0


COIN = '''
"""Guess a coin."""
from parlor.game import CHANCE, OVER, hidden, private, public

PLAYERS, ACTIONS, OUTCOMES, LENGTH, ZERO_SUM = 2, 2, 2, 2, True
STATE = {"coin": hidden(), "guess": public()}

def start(s): pass
def turn(s): return CHANCE if s.coin == 0 else (0 if s.guess == 0 else OVER)
def odds(s, out):
    out[0] = out[1] = 0.5
    return 2
def legal(s, out):
    out[0], out[1] = 0, 1
    return 2
def play(s, a):
    if s.coin == 0: s.coin = a + 1
    else: s.guess = a + 1
def payoff(s, p): return (1.0 if s.coin == s.guess else -1.0) * (1 - 2 * p)
def key(s, p): return p * 4 + s.guess
'''


def test_options_make_another_game() -> None:
    three = load("kuhn", players=3)
    assert three.players == 3
    assert three.name == "kuhn(players=3)"
    assert load("kuhn").players == 2
    assert load("kuhn(players=2)").name == "kuhn"  # the default has no option in its name
    assert load(three.name).name == three.name
    assert dict(load("goofspiel(order=random)").options)["order"] == "random"


@pytest.mark.parametrize("word", ["False", "false", "0", "no", "off", "FALSE", False, 0])
def test_a_switch_is_written_in_many_ways(word: object) -> None:
    assert load(f"goofspiel(imperfect={word})").name == "goofspiel(imperfect=false)"
    assert load("goofspiel", imperfect=word).name == "goofspiel(imperfect=false)"  # type: ignore[arg-type]
    assert load("goofspiel(imperfect=Yes)").name == "goofspiel"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("goofspiel(imperfect=maybe)", "imperfect must be true or false, not 'maybe'."),
        ("euchre", "There is no game 'euchre'; there are kuhn, leduc"),
        ("monopoly", "There is no game 'monopoly'; did you mean monopoly-deal or leodopoly?"),
        ("leduk", "There is no game 'leduk'; did you mean leduc?"),
        ("xyzzy", "There is no game 'xyzzy'; there are kuhn, leduc"),
        ("kuhn(players=9)", "players must be between 2 and 4, not 9."),
        ("tiny-bridge(players=3)", "players must be 2 or 4, not 3."),
        ("kuhn(players=two)", "players must be a whole number, not 'two'."),
        ("kuhn(cards=3)", "kuhn has no option 'cards'; it has: players."),
        ("kuhn(players)", "'players' in 'kuhn(players)' should read option=value."),
        ("goofspiel(order=up)", "order must be one of descending, ascending, random, not 'up'."),
        ("liars-dice(dice=5,faces=10)", "dice=5 and faces=10 make 100 bids; there can be at most 60."),
        ("leduc/suits", "leduc has no abstraction 'suits'; it has: ranks."),
        ("(players=2)", "is not the name of a game"),
        ("nowhere.py", "There is no file nowhere.py."),
    ],
)
def test_a_wrong_name_gets_a_sentence(name: str, sentence: str) -> None:
    with pytest.raises(GameError) as error:
        load(name)
    assert sentence in str(error.value)


def test_parse() -> None:
    assert parse("leduc(players=3)/ranks") == ("leduc", {"players": "3"}, "ranks")
    assert parse("dir/my game.py") == ("dir/my game.py", {}, "")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("def key(s, p): return p * 4 + s.guess", ""), "lacks key"),
        (("def turn(s):", "def turn(s, p):"), "turn must take 1 argument"),
        (("def start(s): pass", "def start(s) pass"), "line 8: expected ':'"),
        (("hidden()", "0"), "STATE['coin'] must be public(...), private(...) or hidden(...)"),
        (('"guess": public()', '"guess": private(3)'), "must have the players as its first dimension"),
        (("PLAYERS, ACTIONS", "x = 1 / 0\nPLAYERS, ACTIONS"), "line 5: ZeroDivisionError: division by zero"),
    ],
)
def test_a_wrong_rules_file_gets_a_sentence(tmp_path: Any, change: tuple[str, str], sentence: str) -> None:
    path = tmp_path / "coin.py"
    assert change[0] in COIN
    path.write_text(COIN.replace(*change))
    with pytest.raises(GameError) as error:
        load(str(path))
    assert sentence in str(error.value)


def test_an_abstraction_is_a_game_over_the_same_states() -> None:
    fine, coarse = load("leduc"), load("leduc/ranks")
    deal = ("K♠ to player 0", "J♥ to player 1"), ("K♥ to player 0", "J♥ to player 1")
    a, b = (fine.start().after(*d).key(0) for d in deal)
    assert a != b
    a, b = (coarse.start().after(*d).key(0) for d in deal)
    assert a == b


def test_the_public_names_exist() -> None:
    for name in parlor.__all__:
        assert getattr(parlor, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = parlor.nonsense


def test_loading_leaves_the_imported_module_alone() -> None:
    from parlor.games.kuhn import rules as kuhn

    load("kuhn(players=4)")
    from parlor.games.kuhn import rules as again

    assert kuhn is again
    assert kuhn.PLAYERS == 2
