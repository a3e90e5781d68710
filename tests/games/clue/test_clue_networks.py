"""What networks for Clue are given: against a list of all deals, and by hand. Plain Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from parlor.compile import AlwaysCompiled
from parlor.game import Game, Position, State
from parlor.game.loading import load
from parlor.games.clue.deduction import two_hands
from parlor.games.clue.deduction.facts import add_clause, begin_facts
from parlor.policies.nets import policy_head
from tests.games.clue.test_hand_clue import DECKS, Table, deals, states


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AlwaysCompiled, "__call__", lambda self, *arguments: self.function(*arguments))


class Seen:
    """The numbers of a player, by what they are about."""

    def __init__(self, game: Game, state: State, p: int) -> None:
        assert game.features is not None
        self.players, self.cards = (
            game.players,
            sum(int(game.options[kind]) for kind in ("suspects", "weapons", "rooms")),
        )
        self.all, self.work = np.zeros(game.features.count, np.float32), np.full(game.features.work, -3, np.int64)
        game.features.fill(state, p, self.all, self.work)
        places = self.cards * (self.players + 1)
        self.posterior = self.all[:places].reshape(self.cards, self.players + 1)
        rest = self.all[places:]
        self.hand, rest = rest[: self.cards], rest[self.cards :]
        table = self.players * self.cards
        self.times, self.last = (rest[i * table : (i + 1) * table].reshape(self.players, self.cards) for i in (0, 1))
        rest = rest[2 * table :]
        answers = self.players * (self.players + 1)
        self.answer, rest = rest[:answers].reshape(self.players, self.players + 1), rest[answers:]
        shown = (self.players - 1) * self.cards
        self.shown, rest = rest[:shown].reshape(self.players - 1, self.cards), rest[shown:]
        self.must, self.asker, self.stage = rest[: self.cards], rest[self.cards : self.cards + self.players - 1], rest
        self.stage = rest[self.cards + self.players - 1 :]

    def given(self, game: Game, p: int, moves: list[int]) -> list[float]:
        out = np.zeros(len(moves), np.float32)
        assert game.head is not None
        assert game.head.given is not None
        game.head.given(None, p, moves, len(moves), out, self.work)
        return [float(x) for x in out]


@pytest.mark.parametrize("name", [*DECKS[:3], "clue(suspects=3,weapons=3,rooms=4,cap=14)"])
def test_the_posterior_is_that_of_a_list_of_all_deals(name: str) -> None:
    game, checked, clauses = load(name), 0, 0
    for seed in range(3):
        for number, state in enumerate(states(game, seed)):
            if number % 3:
                continue
            table, p = Table(game, state), game.rules.turn(state)
            listed, seen = deals(table, state, p), Seen(game, state, p)
            total = len(listed)
            assert seen.stage[1] == pytest.approx(math.log(total) / 10)
            for card in range(table.cards):
                lies = Counter(place for deal in listed for place, cards in enumerate(deal) if card in cards)
                expected = [lies[(p + q) % game.players] / total for q in range(game.players)]
                assert seen.posterior[card].tolist() == pytest.approx([*expected, lies[game.players] / total])
            files = Counter(deal[-1] for deal in listed)
            moves = list(range(math.prod(table.kinds)))
            for triple, logit in zip(moves, seen.given(game, p, moves), strict=True):
                assert logit == pytest.approx(math.log(max(files[table.triple(triple)] / total, 1e-5)), abs=1e-5)
            checked += 1
            clauses += sum(asker != p and refuter not in (-1, p) for _, asker, refuter in table.rounds)
    assert checked > 10
    assert clauses > 10


def six_cards() -> Position:
    """I have suspect 0, the next player room 0, the last one weapon 1; suspect 1, weapon 0 and room 1 did it.

    With one card each it does not matter who is dealt first.
    """
    game = load("clue(suspects=2,weapons=2,rooms=2)")
    return game.start().after(0, 3, 3, 2, 1, 3)


def test_a_position_by_hand() -> None:
    """One suspect is left, so it is in the file; and one weapon and one room: 2 × 2 files, 2 ways to deal the rest."""
    position = six_cards()
    game, state = position.game, position.state
    seen = Seen(game, state, 0)
    half, quarter = 0.5, 0.25
    assert seen.posterior.tolist() == [
        [1, 0, 0, 0], [0, 0, 0, 1], *[[0, quarter, quarter, half]] * 4,
    ]  # fmt: skip
    assert seen.hand.tolist() == [1, 0, 0, 0, 0, 0]
    moves = list(range(8))  # suspect, weapon, room
    few = math.log(1e-5)
    assert seen.given(game, 0, moves) == pytest.approx([few] * 4 + [math.log(quarter)] * 4)
    # I suggest suspect 1, weapon 0 and room 0, and the next player shows me the room.
    position = position.after(4, game.actions - 2)
    state = position.state
    assert position.turn == 1
    seen = Seen(game, state, 0)
    assert seen.posterior[[2, 3, 4, 5]].tolist() == [[0, 0, half, half], [0, 0, half, half], [0, 1, 0, 0], [0, 0, 0, 1]]
    assert seen.given(game, 0, moves) == pytest.approx([few] * 5 + [math.log(half), few, math.log(half)])
    assert seen.times.tolist() == [[0, quarter, quarter, 0, quarter, 0], [0] * 6, [0] * 6]
    assert seen.last.tolist() == [[0, 1, 1, 0, 1, 0], [0] * 6, [0] * 6]
    assert seen.answer.tolist() == [[0, 1, 0, 0], [0] * 4, [0] * 4]
    # To the next player I am the last one: it has shown me the room, and knows no more of the other cards.
    seen = Seen(game, state, 1)
    assert seen.times[2].tolist() == [0, quarter, quarter, 0, quarter, 0]
    assert seen.shown.tolist() == [[0] * 6, [0, 0, 0, 0, 1, 0]]
    assert seen.answer.tolist() == [[0] * 4, [0] * 4, [1, 0, 0, 0]]
    # It suggests suspect 0, weapon 1 and room 1: the last player must show a card, the weapon.
    state = position.after(3).state
    seen = Seen(game, state, 2)
    assert seen.must.tolist() == [0, 0, 0, 1, 0, 0]
    assert seen.asker.tolist() == [0, 1]
    assert seen.stage[[0, 2, 3]].tolist() == pytest.approx([0.1, 1, 1])


def test_a_suggestion_is_a_card_of_each_kind() -> None:
    head = policy_head(load("clue(suspects=2,weapons=2,rooms=2)"))
    assert head.parts[:3].tolist() == [[0, 2, 4], [0, 2, 5], [0, 3, 4]]
    assert head.parts[8:].tolist() == [[6 + card, -1, -1] for card in range(6)]
    assert (head.outputs, head.terms) == (13, 1)
    head = policy_head(load("clue(suspects=2,weapons=2,rooms=2,accusations=true)"))
    assert head.parts[8 + 5].tolist() == [13, 14, 17]
    assert head.parts[-1].tolist() == [18, -1, -1]


@pytest.mark.parametrize("clauses", [(), ((1, 0b0111), (1, 0b0110)), ((2, 0b0011), (1, 0b1100), (1, 0b0101))])
def test_clauses_that_follow_from_others_are_left_out(clauses: tuple[tuple[int, int], ...]) -> None:
    deck = (3, 2, 2, 2, 0)
    facts, possible, work = np.zeros((3, 9), np.int64), np.zeros(8), np.zeros(two_hands.room(5), np.int64)
    begin_facts(0, deck, facts, possible)
    for q, cards in clauses:
        add_clause(facts, q, cards)
    listed: Callable[..., Any] = two_hands.list_clauses
    assert listed(facts, 1, 2, work, 11) == (1 if len(clauses) == 2 else len(clauses))
