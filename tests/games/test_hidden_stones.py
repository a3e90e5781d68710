"""Phantom tic-tac-toe and dark hex: tries, rows, connections, and what nobody is told."""

from __future__ import annotations

import itertools

import pyspiel
import pytest

from parlor.game import GameError
from parlor.game.loading import load
from parlor.game.rng import below, seed_stream
from parlor.game.seats.observation import observe


def test_a_failed_try_is_known_only_to_whoever_made_it() -> None:
    before = load("phantom-tic-tac-toe").start().after("b2")
    after = before.after("b2")
    assert (before.turn, after.turn) == (1, 1)
    assert "b2" in before.legal
    assert "b2" not in after.legal
    assert before.key(0) == after.key(0)
    assert before.show(0) == after.show(0)
    assert before.key(1) != after.key(1)
    assert after.show(1) == "player 1 has no stone yet; player 0 is known to have b2"
    abrupt = load("phantom-tic-tac-toe(version=abrupt)").start().after("b2", "b2")
    assert abrupt.turn == 0


def test_tries_are_counted_where_they_are_seen() -> None:
    start = load("dark-hex(sees=turns)").start()
    assert start.after("a1", "b1").key(0) != start.after("a1", "a1", "b1").key(0)
    assert start.after("a1", "a1", "b1").show(0) == "player 0 has a1; 3 tries so far"
    quiet = load("dark-hex").start()
    assert quiet.after("a1", "b1").key(0) == quiet.after("a1", "a1", "b1").key(0)


@pytest.mark.parametrize(
    ("moves", "payoffs"),
    [
        (("a1", "a2", "b1", "b2", "c1"), [1.0, -1.0]),  # a row across
        (("a1", "b1", "a2", "b2", "c3", "b3"), [-1.0, 1.0]),  # one down, of the second player
        (("a1", "a2", "b2", "a3", "c3"), [1.0, -1.0]),
        (("c1", "a1", "b2", "a2", "a3"), [1.0, -1.0]),
        (("a1", "b1", "c1", "b2", "b3", "a2", "c2", "c3", "a3"), [0.0, 0.0]),  # the board is full
    ],
)
def test_three_in_a_row_win(moves: tuple[str, ...], payoffs: list[float]) -> None:
    position = load("phantom-tic-tac-toe").start().after(*moves)
    assert position.over
    assert position.payoffs == payoffs


def test_a_row_may_be_of_another_length() -> None:
    position = load("phantom-tic-tac-toe(width=4,height=1,row=2)").start().after("a1", "c1", "b1")
    assert position.payoffs == [1.0, -1.0]
    with pytest.raises(GameError, match="no such row"):
        load("phantom-tic-tac-toe(width=2,height=2,row=3)")


@pytest.mark.parametrize(("width", "height"), [(3, 3), (2, 4)])
def test_exactly_one_side_connects_on_a_full_board(width: int, height: int) -> None:
    """As Nash has proved of Hex; the connection is looked for here by repeated joining of neighbours."""
    game = load(f"dark-hex(width={width},height={height})")
    stream = [0, 0, 0, 0]
    for index in range(60):
        seed_stream(stream, 2, index)
        position = game.start()
        while not position.over:
            position = position.after(position.actions[below(stream, len(position.actions))])
        cells = [[bits >> cell & 1 for cell in range(width * height)] for bits in position.state.own]
        won = [connected(cells[0], width, height, True), connected(cells[1], width, height, False)]
        assert won == [payoff == 1.0 for payoff in position.payoffs]
        assert won[0] != won[1]


def connected(mine: list[int], width: int, height: int, down: bool) -> bool:
    cells = [(y, x) for y, x in itertools.product(range(height), range(width)) if mine[y * width + x]]
    group = {cell: {cell} for cell in cells}
    for (y, x), (v, u) in itertools.product(cells, cells):
        if (v - y, u - x) in ((0, 1), (1, 0), (1, -1)) and group[y, x] is not group[v, u]:
            group[y, x] |= group[v, u]
            for cell in group[v, u]:
                group[cell] = group[y, x]
    end = (height if down else width) - 1
    ends = ({(y if down else x) for y, x in one} for one in group.values())
    return any({0, end} <= places for places in ends)


def test_the_keys_of_dark_hex_and_the_number_of_tries_are_what_openspiel_tells() -> None:
    """OpenSpiel's information states of dark hex have the number of moves so far in them, also with reveal-nothing."""
    theirs, ours = pyspiel.load_game("dark_hex"), load("dark-hex")
    names: dict[tuple[int, int], str] = {}
    stream = [0, 0, 0, 0]
    for index in range(150):
        seed_stream(stream, 9, index)
        a, b, count = ours.start(), theirs.new_initial_state(), 0
        while not a.over:
            assert a.turn == b.current_player()
            assert a.actions == b.legal_actions()
            known = b.information_state_string()
            assert names.setdefault((a.key(a.turn), count), known) == known
            move = a.actions[below(stream, len(a.actions))]
            a, count = a.after(move), count + 1
            b.apply_action(move)
        assert a.payoffs == b.returns()
    assert len(set(names.values())) == len(names)


def test_the_other_has_seen_nothing_of_a_failed_try() -> None:
    game = load("phantom-tic-tac-toe")
    events = [len(observe(game.start().after(*moves), 0).history) for moves in (("b2", "a1"), ("b2", "b2", "a1"))]
    assert events[0] == events[1]
