"""Games of OpenSpiel in Parlor: rules are ours where we have the game too; what cannot be had is refused in words."""

from __future__ import annotations

import functools
import itertools
import logging
import math
import os
import re
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlor.compile.random_games import run_random_games
from parlor.game import CHANCE, OVER, Game, GameError, Position
from parlor.game.loading import load
from parlor.game.rng import below, seed_stream
from parlor.game.seats.play import play_game, replay, uniform_agent
from parlor.interop.openspiel_games import Handle, describe
from parlor.sequence_form.enumeration import TooLarge
from parlor.sequence_form.tree import Tree, tree
from parlor.solvers.best_response import evaluate
from parlor.solvers.cfr import Cfr
from parlor.solvers.sampling.mccfr import Mccfr
from parlor.solvers.solve import Solve


def battleship(width: int, height: int, sizes: str, values: str, shots: int, loss: float, more: str = "") -> str:
    ships = f"ship_sizes=[{sizes}],ship_values=[{values}]"
    return (
        f"battleship(board_width={width},board_height={height},{ships},num_shots={shots},loss_multiplier={loss}{more})"
    )


def sheriff(items: int) -> str:
    return f"sheriff(item_penalty=1.0,item_value=5.0,max_bribe=2,max_items={items},num_rounds=2,sheriff_penalty=1.0)"


BATTLESHIP = battleship(2, 2, "1;2", "1.0;1.0", 3, 2.0)
SHERIFF = sheriff(2)
ONCE = ",allow_repeated_shots=False"
FIXED = "imp_info=True,points_order=descending"
RANDOM = "imp_info=True,points_order=random"
TWINS = [
    ("kuhn", "kuhn_poker"),
    ("kuhn(players=3)", "kuhn_poker(players=3)"),
    ("kuhn(players=4)", "kuhn_poker(players=4)"),
    ("leduc", "leduc_poker"),
    ("liars-dice(faces=3)", "liars_dice(dice_sides=3)"),
    ("liars-dice(faces=4)", "liars_dice(dice_sides=4)"),
    ("liars-dice(dice=2,faces=2)", "liars_dice(numdice=2,dice_sides=2)"),
    ("goofspiel", f"goofspiel(num_cards=4,{FIXED})"),
    ("goofspiel(cards=3,order=ascending)", "goofspiel(num_cards=3,imp_info=True,points_order=ascending)"),
    ("goofspiel(imperfect=false,order=random)", "goofspiel(num_cards=4,points_order=random)"),
    ("goofspiel(returns=total-points)", f"goofspiel(num_cards=4,{FIXED},returns_type=total_points)"),
    (
        "goofspiel(order=random,returns=point-difference)",
        f"goofspiel(num_cards=4,{RANDOM},returns_type=point_difference)",
    ),
    ("goofspiel(players=3,cards=3,order=random)", f"goofspiel(players=3,num_cards=3,{RANDOM})"),
    ("trade-comm", "trade_comm(num_items=3)"),
    (
        "goofspiel(players=3,returns=point-difference)",
        f"goofspiel(players=3,num_cards=4,{FIXED},returns_type=point_difference)",
    ),
    ("battleship(shots=1)", battleship(2, 2, "1;2", "1.0;1.0", 1, 2.0)),
    (
        "battleship(width=3,height=1,values=13,shots=2,loss=1,repeats=false)",
        battleship(3, 1, "1;2", "1.0;3.0", 2, 1.0, ONCE),
    ),
    ("battleship(shots=2)", battleship(2, 2, "1;2", "1.0;1.0", 2, 2.0)),
    ("battleship(width=4,height=1,ships=21,values=31,shots=2)", battleship(4, 1, "2;1", "3.0;1.0", 2, 2.0)),
    ("dark-hex(width=2,height=2,sees=turns)", "dark_hex(num_cols=2,num_rows=2,obstype=reveal-numturns)"),
    (
        "dark-hex(width=2,height=2,version=abrupt,sees=turns)",
        "dark_hex(num_cols=2,num_rows=2,gameversion=adh,obstype=reveal-numturns)",
    ),
    ("sheriff", SHERIFF),
    ("sheriff(preset=ten-items)", sheriff(10)),
    ("sheriff(preset=openspiel,rounds=3)", "sheriff(num_rounds=3)"),
    *(
        (f"normal-form(preset={ours})", f"matrix_{theirs}")
        for ours, theirs in [
            ("bach-or-stravinsky", "bos"),
            ("prisoners-dilemma", "pd"),
            ("stag-hunt", "sh"),
            ("coordination", "coordination"),
            ("matching-pennies", "mp"),
            ("rock-paper-scissors", "rps"),
            ("shapley", "shapleys_game"),
        ]
    ),
]
LARGE_TWINS = [
    ("leduc(players=3)", "leduc_poker(players=3)"),
    ("liars-dice", "liars_dice"),
    ("battleship", BATTLESHIP),
    ("liars-dice(dice=3)", "liars_dice(numdice=3)"),
    ("trade-comm(items=10)", "trade_comm(num_items=10)"),
    ("tiny-bridge(players=4)", "tiny_bridge_4p"),
    ("goofspiel(cards=13,order=random)", f"goofspiel(num_cards=13,{RANDOM})"),
    (
        "battleship(width=3,height=4,ships=322,values=413,shots=9,loss=3)",
        battleship(3, 4, "3;2;2", "4.0;1.0;3.0", 9, 3.0),
    ),
    *(
        (f"phantom-tic-tac-toe(version={version},sees={ours})", f"phantom_ttt(gameversion={version},obstype={theirs})")
        for version in ("classical", "abrupt")
        for ours, theirs in (("nothing", "reveal-nothing"), ("turns", "reveal-numturns"))
    ),
    *(
        (f"dark-hex(version={ours},sees=turns)", f"dark_hex(gameversion={theirs},obstype=reveal-numturns)")
        for ours, theirs in (("classical", "cdh"), ("abrupt", "adh"))
    ),
    ("dark-hex(width=4,sees=turns)", "dark_hex(num_cols=4,num_rows=3,obstype=reveal-numturns)"),
    (
        "goofspiel(players=3,cards=9,imperfect=false,returns=point-difference)",
        "goofspiel(players=3,num_cards=9,points_order=descending,returns_type=point_difference)",
    ),
]


@functools.cache
def adapted_game(string: str) -> Game:
    """A game of OpenSpiel, which keeps its tree."""
    return load(f"openspiel:{string}")


def assert_same(ours: Tree, theirs: Tree) -> None:
    """Two trees with the same structure, actions, odds and payoffs; only the keys differ."""
    assert (ours.histories, ours.endings, ours.infosets) == (theirs.histories, theirs.endings, theirs.infosets)
    for name in ("player", "parent", "first", "count", "action", "bounds", "entry_bounds", "other"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
    np.testing.assert_allclose(ours.weight, theirs.weight, rtol=0, atol=1e-12)


def walked(game: Any) -> tuple[int, int]:
    """Histories and information states of an OpenSpiel game, counted by OpenSpiel's own calls."""
    histories = 0
    known = set()
    pending = [game.new_initial_state()]
    while pending:
        state = pending.pop()
        histories += 1
        if state.is_player_node():
            known.add((state.current_player(), state.information_state_string()))
        pending += [state.child(a) for a in state.legal_actions()]
    return histories, len(known)


# --------------------------------------------------------------------------------------------------- the same rules


@pytest.mark.slow(seconds=10)
@pytest.mark.parametrize(("ours", "theirs"), TWINS)
def test_our_games_have_the_trees_of_openspiel(ours: str, theirs: str) -> None:
    native, adapted = load(ours), adapted_game(theirs)
    assert_same(tree(native, compiled=False), tree(adapted))
    kind = "general-sum" if ours == "trade-comm" else native.kind  # OpenSpiel does not say that its payoffs are common
    assert (native.players, kind) == (adapted.players, adapted.kind)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("tiny-bridge", "tiny_bridge_2p"),
        ("tiny-bridge/buckets", "tiny_bridge_2p(abstracted=True)"),
    ],
)
def test_larger_games_have_the_trees_of_openspiel(ours: str, theirs: str) -> None:
    native, adapted = load(ours), adapted_game(theirs)
    assert_same(tree(native), tree(adapted))
    assert (native.players, native.kind) == (adapted.players, adapted.kind)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        TWINS[0],
        TWINS[3],
        ("goofspiel", f"goofspiel(num_cards=4,{FIXED})"),
        ("kuhn(players=3)", "kuhn_poker(players=3)"),
    ],
)
@pytest.mark.parametrize("variant", ["cfr", "cfr+"])
def test_cfr_reaches_the_same_nash_conv_on_both(ours: str, theirs: str, variant: str) -> None:
    solvers = [Cfr(load(ours), variant), Cfr(adapted_game(theirs), variant)]
    for solver in solvers:
        solver.run(50)
    assert solvers[0].nash_conv() == pytest.approx(solvers[1].nash_conv(), abs=1e-9)


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_mccfr_draws_the_same_samples_on_both(sampling: str) -> None:
    native, adapted = load("kuhn"), load("openspiel:kuhn_poker")
    values = []
    for game in (native, adapted):
        solver = Mccfr(game, sampling, seed=3, compiled=False)
        solver.run(300)
        values.append(evaluate(game, solver.policy()).best_responses)
    assert values[0] == pytest.approx(values[1], abs=1e-12)


@pytest.mark.parametrize(("ours", "theirs"), LARGE_TWINS)
def test_large_games_agree_in_lockstep(ours: str, theirs: str) -> None:
    """The same random choices on both sides meet the same turns, choices, information sets and payoffs."""
    native, adapted = load(ours), load(f"openspiel:{theirs}")
    r = [0, 0, 0, 0]
    our_keys: dict[int, int] = {}  # of an information set of theirs
    their_keys: dict[int, int] = {}
    for index in range(120):
        seed_stream(r, 5, index)
        a, b = native.start(), adapted.start()
        while not a.over:
            assert a.turn == b.turn
            if a.turn == CHANCE:
                assert list(a.odds.values()) == pytest.approx(list(b.odds.values()))
            else:
                assert a.actions == b.actions
                mine, other = a.key(a.turn), b.key(b.turn)
                assert our_keys.setdefault(other, mine) == mine
                assert their_keys.setdefault(mine, other) == other
            choice = below(r, len(a.actions))
            a, b = a.after(a.actions[choice]), b.after(b.actions[choice])
        assert b.over
        assert a.payoffs == pytest.approx(b.payoffs)


# --------------------------------------------------------------------------------------------------- benchmark games


@pytest.mark.slow
@pytest.mark.parametrize(
    ("string", "histories", "infosets"),
    [
        ("kuhn_poker", 58, 12),
        ("kuhn_poker(players=3)", 617, 48),
        ("kuhn_poker(players=4)", 7_886, 160),
        ("leduc_poker", 9_457, 936),
        (f"goofspiel(num_cards=4,{RANDOM},returns_type=total_points)", 26_773, 3_608),
        (f"goofspiel(players=3,num_cards=4,{FIXED},returns_type=total_points)", 26_773, 414),
        (SHERIFF, 193, 43),
        ("tiny_bridge_2p", 107_129, 3_584),
    ],
)
def test_benchmark_games_enumerate_and_improve(string: str, histories: int, infosets: int) -> None:
    assert walked(pyspiel.load_game_as_turn_based(string)) == (histories, infosets)
    game = adapted_game(string)
    found = tree(game)
    assert (found.histories, found.infosets) == (histories, infosets)
    solver = Cfr(game, "cfr+")
    before = solver.nash_conv()
    solver.run(10)
    assert solver.nash_conv() < before


def test_what_is_too_large_is_said_with_a_size() -> None:
    with pytest.raises(TooLarge, match=r"about 1\.0e\+08 histories"):
        tree(load("openspiel:trade_comm(num_items=10)"))


def test_sampling_works_where_enumeration_does_not() -> None:
    game = load("openspiel:trade_comm(num_items=4)")
    solver = Mccfr(game, "outcome", seed=1)
    solver.run(200)
    assert len(solver.policy()) > 50


@pytest.mark.parametrize(
    ("string", "kind"),
    [
        ("kuhn_poker", "zero-sum"),
        ("tiny_bridge_2p", "common-payoff"),
        (SHERIFF, "general-sum"),
        (BATTLESHIP, "general-sum"),
        ("battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1.0],num_shots=2)", "zero-sum"),
        (f"goofspiel(num_cards=4,{FIXED},returns_type=total_points)", "general-sum"),
        ("matrix_coordination", "common-payoff"),
    ],
)
def test_the_kind_is_that_of_the_instance(string: str, kind: str) -> None:
    assert load(f"openspiel:{string}").kind == kind


# --------------------------------------------------------------------------------------------------- any game


ADAPTED = {
    name: load(f"openspiel:{name}")
    for name in (
        "kuhn_poker(players=3)",
        "leduc_poker",
        "liars_dice",
        "tiny_bridge_4p",
        "trade_comm",
        "bargaining",
        "goofspiel(num_cards=5)",
        "oshi_zumo(coins=6,horizon=20)",
        "repeated_game(stage_game=matrix_rps(),num_repetitions=4)",
        "backgammon",
        "tic_tac_toe",
        "hearts",
        "universal_poker",
        "blackjack",
        "first_sealed_auction",
        SHERIFF,
    )
}


@pytest.mark.slow
@settings(max_examples=80)
@given(name=st.sampled_from(sorted(ADAPTED)), seed=st.integers(0, 1 << 30))
def test_random_games_replay_by_name_and_pay_what_they_should(name: str, seed: int) -> None:
    game = ADAPTED[name]
    record = play_game(game, [uniform_agent] * game.players, seed)
    end = replay(game, record.moves)
    assert end.over
    assert tuple(end.payoffs) == record.payoffs
    assert all(map(math.isfinite, record.payoffs))
    assert len(record.moves) <= game.length
    if game.kind == "zero-sum":
        assert sum(record.payoffs) == pytest.approx(0.0, abs=1e-9)


@settings(max_examples=80)
@given(name=st.sampled_from(sorted(ADAPTED)), seed=st.integers(0, 1 << 30))
def test_positions_on_the_way_are_sound(name: str, seed: int) -> None:
    """Names are unique, odds sum to one, keys stand for texts, and moving on changes no earlier position."""
    game = ADAPTED[name]
    r = [0, 0, 0, 0]
    seed_stream(r, seed, 0)
    position = game.start()
    while not position.over:
        names = position.legal
        assert len(set(names)) == len(names)
        if position.turn == CHANCE:
            assert sum(position.odds.values()) == pytest.approx(1.0)
        else:
            key = position.key(position.turn)
            assert 0 <= key < 1 << 63
            assert key == Position(game, position.state, ()).key(position.turn)
            assert "\n" not in position.show(position.turn)
        following = position.after(position.actions[below(r, len(names))])
        assert position.legal == names
        assert position.turn != OVER
        position = following


def test_a_position_has_many_futures() -> None:
    dealt = load("openspiel:kuhn_poker").start().after("Deal:0", "Deal:2")
    bet, passed = dealt.after("Bet"), dealt.after("Pass")
    assert dealt.legal == ["Pass", "Bet"]
    assert bet.after("Pass").payoffs == [1.0, -1.0]
    assert passed.after("Pass").payoffs == [-1.0, 1.0]
    assert bet.after("Bet").payoffs == [-2.0, 2.0]


def test_moves_are_named_and_shown() -> None:
    position = load("openspiel:kuhn_poker(players=3)").start()
    assert position.legal == ["Deal:0", "Deal:1", "Deal:2", "Deal:3"]
    position = position.after("Deal:3", "Deal:0", "Deal:1", "Pass")
    assert position.legal == ["Pass", "Bet"]
    assert position.show(0) == "player 0: 3p"
    assert position.view(1).text == "0p"
    with pytest.raises(GameError, match="legal moves: Pass, Bet"):
        position.after("Fold")


def test_equal_names_get_their_number() -> None:
    class Twins:
        """Three actions of which two have the same name."""

        def legal_actions(self) -> list[int]:
            return [3, 5, 8]

        def action_to_string(self, player: int, action: int) -> str:
            return {3: "left", 5: "left", 8: " go\n right "}[action]

    s = Handle()
    s.state, s.who = Twins(), 0
    assert [describe(s, a) for a in (3, 5, 8)] == ["left #3", "left #5", "go right"]


@pytest.mark.parametrize(
    "string",
    ["goofspiel(num_cards=3,points_order=descending)", "repeated_game(stage_game=matrix_pd(),num_repetitions=2)"],
)
def test_moves_made_at_once_stay_secret_until_all_are_made(string: str) -> None:
    start = load(f"openspiel:{string}").start()
    first, second = start.after(start.actions[0]), start.after(start.actions[1])
    assert first.turn == second.turn == 1
    assert first.key(1) == second.key(1)
    assert first.key(0) != second.key(0)  # one's own move is known
    after = [position.after(position.actions[0]) for position in (first, second)]
    assert after[0].key(1) != after[1].key(1)


def test_a_repeated_game_remembers_every_round() -> None:
    found = tree(load("openspiel:repeated_game(stage_game=matrix_pd(),num_repetitions=2)"))
    # each player: the first round, and the second after any of the four results of the first
    assert (found.histories, found.infosets) == (1 + 2 + 4 + 8 + 16, 2 * (1 + 4))


def test_one_player_is_enough() -> None:
    game = load("openspiel:catch(rows=4,columns=3)")
    solver = Cfr(game, "cfr+")
    solver.run(20)
    assert solver.nash_conv() == pytest.approx(0.0, abs=1e-2)  # three moves are enough to catch the ball


def test_games_written_in_python_are_found_too() -> None:
    game = load("openspiel:python_kuhn_poker")
    assert tree(game).infosets == 12


def test_a_random_game_is_the_same_game_again() -> None:
    game = load("openspiel:leduc_poker")
    assert run_random_games(game, 20, 4)[0] == run_random_games(load("openspiel:leduc_poker"), 20, 4)[0]
    assert run_random_games(game, 20, 4)[0] != run_random_games(game, 20, 5)[0]


# --------------------------------------------------------------------------------------------------- loading


def test_white_space_in_a_string_does_not_matter() -> None:
    printed = """battleship(board_width=2,board_height=2,
    ship_sizes=[1;2], ship_values=[1.0; 1.0],
    num_shots=3,loss_multiplier = 2.0)"""
    assert load("openspiel:" + printed).name == f"openspiel:{BATTLESHIP}"
    assert load("openspiel: kuhn_poker( ) ").name == "openspiel:kuhn_poker"


def test_values_may_have_spaces_inside() -> None:
    string = "universal_poker(betting=nolimit,numPlayers=2,numRounds=1,blind=1 2,stack=6 6,numRanks=3,numSuits=1)"
    assert "blind=1 2" in load(f"openspiel:{string}").name


@pytest.mark.parametrize(
    ("string", "said"),
    [
        ("nosuch", "OpenSpiel has no game 'nosuch'; it has 1"),
        ("kuhn", "OpenSpiel has no game 'kuhn'; did you mean kuhn_poker"),
        ("kuhn_pokre", "OpenSpiel has no game 'kuhn_pokre'; did you mean kuhn_poker"),
        ("kuhn_poker(player=3)", "Unknown parameter 'player'. Available parameters are: players."),
        ("kuhn_poker(players=many)", "Wrong type for parameter players"),
        ("kuhn_poker(players=77)", "OpenSpiel cannot load kuhn_poker(players=77): num_players_ <= "),
        ("kuhn_poker(players=2", "'kuhn_poker(players=2' must end with the bracket that closes its parameters."),
        ("kuhn_poker(players=2)x", "must end with the bracket"),
        ("efg_game", "Its parameters are: filename."),
        ("mfg_garnet", "mfg_garnet is a mean-field game"),
        ("negotiation", "negotiation does not list the odds of its chance moves"),
        ("hanabi", "hanabi gives its players only what they see at the moment"),
    ],
)
def test_what_cannot_be_loaded_is_refused_in_a_sentence(
    string: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(GameError, match=re.escape(said)) as error:
        load(f"openspiel:{string}")
    assert "\n" not in str(error.value)
    assert str(error.value).endswith((".", "?"))
    assert capfd.readouterr().err == ""  # OpenSpiel would print its own version


def test_stderr_works_after_a_failure(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(GameError):
        load("openspiel:kuhn_poker(players=77)")
    os.write(2, b"still here")
    assert capfd.readouterr().err == "still here"


def test_openspiels_warnings_go_to_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    class Stderr(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            os.write(2, f"logged: {record.getMessage()}\n".encode())

    handler = Stderr()
    logging.getLogger("parlor").addHandler(handler)
    try:
        load("openspiel:kuhn_poker")
        assert capfd.readouterr().err == ""
        load("openspiel:quoridor")
    finally:
        logging.getLogger("parlor").removeHandler(handler)
    assert re.fullmatch(r"logged: Warning! .*'quoridor' has known issues.*\n", capfd.readouterr().err)


def test_without_openspiel_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(GameError, match="pip install 'parlor"):
        load("openspiel:kuhn_poker")


def test_a_game_that_declares_too_few_outcomes_is_named() -> None:
    game: Game = load("openspiel:python_hangman")
    with pytest.raises(GameError, match="outcomes of chance at a turn but declared at most"):
        run_random_games(game, 1, 0)


def test_a_game_that_plays_otherwise_than_it_declares_is_refused() -> None:
    """OpenSpiel's chat game declares two actions and then lists eight."""
    game = load("openspiel:chat_game")
    with pytest.raises(GameError, match="has 8 actions at a turn but declared at most 2"):
        game.rules.legal(game.start().after(0).state, [0, 0])
    with pytest.raises(GameError, match="it must be a number from 1 to ACTIONS = 2"):
        Solve(game, "mccfr-outcome", iterations=1)


@pytest.mark.slow
def test_the_size_of_a_large_game_is_told_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A random game of bridge takes long: the estimate is given up rather than waited for."""
    clock = (tick / 10 for tick in itertools.count())  # a tenth of a second for every move
    monkeypatch.setattr("parlor.compile.random_games.time", SimpleNamespace(thread_time=lambda: next(clock)))
    with pytest.raises(GameError, match=r"openspiel:bridge is too large to enumerate: at least \d"):
        Solve(load("openspiel:bridge"), iterations=1)
    assert next(clock) < 10.0


def test_players_who_appear_again_are_counted_as_moves() -> None:
    """Laser tag says that it has as many chance moves as steps, but players also appear by chance, again and again."""
    game = adapted_game("laser_tag(horizon=12)")
    longest = 0
    for seed in range(40):
        r = [0, 0, 0, 0]
        seed_stream(r, seed, 0)
        position = game.start()
        while not position.over:
            position = position.after(position.actions[below(r, len(position.actions))])
        longest = max(longest, len(position.history))
    assert 2 * 12 + 12 + 2 < longest <= game.length  # 12 chance moves would leave room for 38
