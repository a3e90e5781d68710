"""Choosing among hundreds of moves by typing words of them, and what the terminal says of a game of Clue."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stdout
from unittest import mock

import pytest

from parlor.cli import screen
from parlor.cli.main import main
from parlor.cli.typed_moves import example, having, not_found, open_parts, with_words
from parlor.game import Position
from parlor.game.loading import load
from parlor.game.moves import Move

DEAL = "f01201" + "f12012" + "f02012012"  # where each card lies, in the order of the deck


def dealt(name: str) -> Position:
    return load(name).start().after(*(3 if where == "f" else int(where) for where in DEAL))


@pytest.fixture(scope="module")
def suggestions() -> list[Move]:
    return dealt("clue").moves


@pytest.fixture(scope="module")
def accusations() -> list[Move]:
    return dealt("clue(preset=standard)").moves


@pytest.mark.parametrize(
    "answer",
    [
        "plum knife study", "study, plum, knife", "Professor Plum with the Knife in the Study", "pl kn st",
        "suggest plum knife study", "s plum knife study", "prof plum knife stud", "prof. plum with a knife in study",
    ],
)  # fmt: skip
def test_words_in_any_order_and_cut_short_are_one_move(suggestions: list[Move], answer: str) -> None:
    assert [move.name for move in with_words(answer, suggestions)] == [
        "suggest Professor Plum with the Knife in the Study"
    ]


def test_what_words_leave_open_is_told_by_the_data(suggestions: list[Move], accusations: list[Move]) -> None:
    left = with_words("plum", suggestions)
    assert len(left) == 6 * 9
    assert list(open_parts(left)) == ["weapon", "room"]
    assert open_parts(with_words("knife hall p", suggestions)) == {"suspect": ["Mrs. Peacock", "Professor Plum"]}
    assert open_parts(with_words("white kn bi", suggestions)) == {}
    both = with_words("plum knife study", accusations)
    assert open_parts(both) == {"verb": ["suggest", "accuse"]}
    assert [move.verb for move in having(both, "verb", "accuse")] == ["accuse"]
    assert [move.verb for move in with_words("a plum knife study", accusations)] == ["accuse"]
    assert [move.verb for move in with_words("s plum knife study", accusations)] == ["suggest"]


def test_a_whole_word_is_no_abbreviation_and_no_word_counts_twice(suggestions: list[Move]) -> None:
    assert open_parts(with_words("hall", suggestions)).keys() == {"suspect", "weapon"}
    assert with_words("plum plum", suggestions) == []
    assert with_words("plum green", suggestions) == []
    assert with_words("the", suggestions) == []
    assert not_found("plum spoon hall", suggestions) == ["spoon"]
    assert with_words(example(suggestions[100]), suggestions) == [suggestions[100]]


def test_numbers_are_whole() -> None:
    bids = load("liars-dice(dice=5)").start()
    while bids.turn < 0:
        bids = bids.after(0)
    assert len(with_words("1 4", bids.moves)) == 1
    assert {move.data["count"] for move in with_words("10", bids.moves)} == {10}


def play(*answers: str, game: str = "clue") -> str:
    out = io.StringIO()
    with (
        mock.patch.multiple(screen.out, _width=160),
        mock.patch.object(sys, "stdin", io.StringIO("\n".join(answers) + "\n")),
        redirect_stdout(out),
    ):
        assert main(["play", game, "--against", "random", "--seed", "3", "--seat", "0"]) == 0
    return " ".join(out.getvalue().split())


def test_a_suggestion_is_built_part_by_part_or_typed_at_once() -> None:
    text = play("?", "spoon", "plum green", "s", "plum", "2", "study", "q")
    assert "Each of your opponents is Random" in text
    assert "Three cards lie in the file; everybody holds 6." in text
    assert "suggest suspect, weapon, room: for instance suggest plum wrench study" in text
    assert "weapon Candlestick, Knife, Lead Pipe, Revolver, Rope, Wrench" in text
    assert "Nothing here is called spoon; ? lists what there is." in text
    assert "No move has all of that: plum green." in text
    assert "All moves have that: s." in text
    assert "1 Candlestick 2 Knife 3 Lead Pipe" in text
    assert "You suggest Professor Plum with the Knife in the Study. Player 1 shows you the Knife." in text
    assert "Player 1 suggests " in text
    assert text.count("for instance") == 1, "once is enough"
    assert "You suggest Mrs. White with the Rope in the Kitchen." in play("white rope kit", "q")


def test_an_accusation_is_told_from_a_suggestion() -> None:
    text = play("plum knife study", "1", "a plum knife study", "q", game="clue(preset=standard)")
    assert "your move: 1 suggest 2 accuse your move: You suggest Professor Plum with the Knife in the Study." in text
    assert (
        "You accuse Professor Plum with the Knife in the Study. That is wrong: you may only refute from now on." in text
    )
