"""A game that makes a table of its views, in the terminal: the dissertation's table, and amounts that are typed."""

from __future__ import annotations

import pytest

from parlor.cli.typed_moves import meant
from parlor.game.loading import load
from parlor.game.words import players_named
from tests.cli.test_typed_moves import play

GAME = "leodopoly(rounds=2)"


def test_the_board_is_a_table_and_below_it_are_the_players() -> None:
    text = play("buy", "q", game=GAME)
    assert "| LOCATION | COST | RENT | OWNER | OCCUPANTS |" in text
    assert "| Leeds University | 700 | 150 |" in text
    assert "You have £500, 0 properties, rents of £0, in all £500." in text
    assert "Round 1 of 2; " in text


def test_full_sets_have_a_star_and_tables_are_not_repeated() -> None:
    game = load("leodopoly")
    state = game.start().state.copy()
    state.owner[9] = state.owner[10] = 2
    state.owner[1] = 1
    assert game.words.table is not None
    with players_named(["you", "player 1", "player 2"]):
        table = game.words.table(game.view(state, 0))
    rents = {name: rent for name, _, rent, _, _ in table.rows}
    assert (rents["Bearpit Gardens"], rents["North Lane"], rents["Woodhouse Street"]) == ("4*", "100*", "20 ")
    assert table.rows[9][3:] == ("player 1", "")
    assert table.rows[0] == ("Millennium Square", "", "", "", "you, player 1, player 2")
    assert table.lines[1] == "player 1 has £500, 2 properties, rents of £104, in all £900"


def test_amounts_are_typed_and_wrong_ones_get_a_sentence() -> None:
    text = play("auctioned", "999", "bid", "", "bid 120", "q", game=GAME)
    assert "or less? (0 to 500):" in text
    assert "999 is no amount here. Answer with a number from 0 to 500, or q." in text
    assert "bid is no amount here." in text
    assert "That is no amount here." in text
    assert "buys " in text or "You buy " in text or "Nobody wants" in text


@pytest.mark.parametrize("answer", ["bid 120", "120", "limit 120", "bid up to £120", "bid £120"])
def test_an_amount_may_be_said_in_several_ways(answer: str) -> None:
    moves = load("leodopoly").start().after("die 6", "decline").moves
    found = meant(answer, moves)
    assert found is not None
    assert found.name == "limit 120"


@pytest.mark.parametrize("answer", ["bid 12000", "offer 120", "bid -1", "bid 1 2"])
def test_what_is_no_amount_is_no_move(answer: str) -> None:
    assert meant(answer, load("leodopoly").start().after("die 6", "decline").moves) is None
