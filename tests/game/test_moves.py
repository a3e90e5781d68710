"""Moves as data: every move of every game says what it does, and many bets are one range."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Mapping

import pytest

from parlor.game import CHANCE, GameError
from parlor.game.loading import load
from parlor.game.moves import Move, Product, Range, combined, grouped, listed, summed
from parlor.game.rng import below, seed_stream
from parlor.game.words import YOU, player, players_named, possessive

GAMES = (
    "kuhn", "kuhn(players=4)", "leduc", "leduc(players=3)", "liars-dice(dice=2)", "goofspiel(order=random)",
    "goofspiel(players=3,cards=13)", "monopoly-deal", "monopoly-deal(preset=large)", "monopoly-deal/intent", "holdem",
    "holdem(preset=dissertation)", "holdem(stack=20,streets=2)/pot", "openspiel:kuhn_poker", "clue(preset=small)",
    "clue(preset=standard,players=4,suspects=2,weapons=2)",
)  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_every_move_says_what_it_does(name: str) -> None:
    game = load(name)
    for index in range(3):
        stream = [0, 0, 0, 0]
        seed_stream(stream, 7, index)
        position = game.start()
        while not position.over:
            moves = position.moves
            assert [(move.id, move.name) for move in moves] == list(zip(position.actions, position.legal, strict=True))
            written = [json.dumps(move.data, sort_keys=True) for move in moves]
            assert len(set(written)) == len(moves), written
            assert all(json.loads(text) == move.data for text, move in zip(written, moves, strict=True))
            assert {move.actor for move in moves} == {position.turn}
            assert all(move.verb and move.text for move in moves)
            if position.turn == CHANCE:
                assert all(move.to is None or 0 <= move.to < game.players for move in moves)
            with players_named([YOU, *(f"N{p}" for p in range(1, game.players))]):  # records do not depend on who reads
                assert position.legal == [move.name for move in moves]
            ids = [m.id for one in grouped(moves) for m in (one.moves if isinstance(one, Range) else [one])]
            assert ids == position.actions
            position = position.after(position.actions[below(stream, len(position.actions))])


@pytest.mark.parametrize(
    ("name", "played", "data"),
    [
        ("kuhn", [], {"verb": "deal", "card": "J", "to": 0}),
        ("leduc", [], {"verb": "deal", "card": "J♥", "to": 0}),
        ("leduc", ["J♥ to player 0", "Q♥ to player 1", "call", "call"], {"verb": "board", "card": "J♠"}),
        ("liars-dice", ["player 0 rolls 1", "player 1 rolls 2", "1-6"], {"verb": "bid", "count": 2, "face": 1}),
        ("goofspiel", [], {"verb": "bid", "card": "1"}),
        ("monopoly-deal", [], {"verb": "draw", "card": "$1", "to": 0}),
        ("holdem", [], {"verb": "deal", "card": "2♣", "to": 0}),
        ("clue", [], {"verb": "deal", "card": "Miss Scarlet", "to": 0}),
        ("holdem", [0, 1, 2, 3], {"verb": "fold"}),
        ("holdem", [0, 1, 2, 3, 201], {"verb": "fold"}),
    ],
)
def test_what_the_first_move_does(name: str, played: list[str | int], data: Mapping[str, int | str]) -> None:
    assert load(name).start().after(*played).moves[0].data == data


def test_bets_are_told_by_their_amount_on_the_street() -> None:
    before = load("holdem").start().after(0, 1, 2, 3)
    assert [move.data for move in before.moves[1:3]] == [{"verb": "call", "amount": 1}, {"verb": "raise", "amount": 4}]
    assert before.after("button raises to 200, all-in").moves[1].data == {
        "verb": "call",
        "amount": 198,
        "all_in": "all-in",
    }
    flop = before.after("button calls 1", "big blind checks", 10, 11, 12)
    assert flop.moves[1].data == {"verb": "bet", "amount": 2}
    assert flop.moves[1].text == "bet 2"
    assert flop.moves[1].name == "big blind bets 2"


def bet(id: int, amount: int, verb: str = "bet", card: str | None = None) -> Move:
    return Move(id, f"{verb} {amount}", f"{verb} {amount}", 0, verb, amount, card)


def test_ranges_are_found_by_data_alone() -> None:
    check, all_in = (
        Move(0, "check", "check", 0, "check"),
        Move(99, "all-in", "all-in", 0, "bet", 60, None, None, {"a": 1}),
    )
    even = [bet(n, n) for n in range(2, 40, 2)]
    moves = [check, *even, bet(41, 41), bet(42, 42, card="x"), all_in]
    found = grouped(moves)
    assert [type(one) for one in found] == [Move, Range, Move, Move, Move]
    many = found[1]
    assert isinstance(many, Range)
    assert (many.verb, many.least, many.most, many.step, many.id_step) == ("bet", 2, 38, 2, 2)
    assert many.at(20) is even[9]
    assert many.at(21) is None
    assert listed(moves) == "check, bet 2 … bet 38, bet 41, bet 42, all-in"
    told = [(one.name, chance) for one, chance in summed([(move, 0.0 if move is check else 0.1) for move in moves])]
    assert [name for name, _ in told] == ["bet 2 … bet 38", "bet 41", "bet 42", "all-in"]
    assert told[0][1] == pytest.approx(1.9)
    assert summed([(check, 0.0), (all_in, 1.0)]) == [(check, 0.0), (all_in, 1.0)]


def test_a_range_needs_equal_steps_of_amounts_and_of_ids_and_one_verb() -> None:
    assert all(isinstance(one, Move) for one in grouped([bet(n, n * n) for n in range(20)]))
    assert all(isinstance(one, Move) for one in grouped([bet(n * n, n) for n in range(20)]))
    assert all(isinstance(one, Move) for one in grouped([bet(n, n, "bet" if n % 2 else "raise") for n in range(40)]))
    assert all(isinstance(one, Move) for one in grouped([bet(n, n) for n in range(11)]))


def test_a_game_that_says_nothing_has_its_names_as_verbs() -> None:
    move = load("openspiel:kuhn_poker").start().moves[0]
    assert (move.verb, move.data) == (move.name, {"verb": move.name})


def test_abstract_actions_are_read_in_words() -> None:
    position = load("monopoly-deal/intent").start()
    while position.turn == CHANCE:
        position = position.after(position.actions[0])
    told = {move.name: move.text for move in position.moves}
    assert told["Cash"] == "bank cash"
    assert told["Pass"] == "pass"


def test_data_must_be_plain() -> None:
    kuhn = load("kuhn")
    words = dataclasses.replace(kuhn.words, move=lambda s, a: {"verb": "deal", "card": ["K"]})  # type: ignore[dict-item]
    game = dataclasses.replace(kuhn, words=words)
    with pytest.raises(GameError, match="move must give a verb and plain numbers or words"):
        _ = game.start().moves


def test_players_are_numbers_until_somebody_reads() -> None:
    assert (player(0, "draws"), possessive(1)) == ("player 0 draws", "player 1's")
    position = load("monopoly-deal").start()
    with players_named([YOU, "the agent"]):
        assert (player(0, "draws"), player(0, "has"), player(1, "draws")) == ("you draw", "you have", "the agent draws")
        assert (possessive(0), possessive(1)) == ("your", "the agent's")
        assert position.moves[0].text == "you draw $1"
        assert position.show(0).startswith("you hold nothing; ")
        assert position.moves[0].name == "player 0 draws $1"  # names are for records, whoever reads
    assert position.show(0).startswith("player 0 holds nothing; ")


def test_all_combinations_of_details_are_one_product() -> None:
    values = [("Plum", "Green"), ("Rope",), ("Hall", "Study", "Library")]
    details = [dict(zip(("who", "what", "where"), one, strict=True)) for one in itertools.product(*values)]
    moves = [Move(7 + i, str(i), str(i), 0, "suggest", details=one) for i, one in enumerate(details)]
    end = Move(13, "end", "end", 0, "end")
    [product, last] = combined([*moves, end], ["suggest"])
    assert isinstance(product, Product)
    assert last == end
    assert product.choices == dict(zip(("who", "what", "where"), values, strict=True))
    assert combined(moves, ["accuse"]) == moves
    assert combined(moves[1:], ["suggest"]) == moves[1:]  # one is missing
    assert combined(moves[::-1], ["suggest"]) == moves[::-1]  # their ids go down
    assert combined([end], ["end"]) == [end]  # nothing is to be chosen
