"""PyPokerEngine: its quirks, which are why its results are not those of hold'em; our agents in it, its players here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pypokerengine.players import BasePokerPlayer

from parlor import GameError
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import make_agent
from parlor.arena.match import play_match
from parlor.game.loading import load
from parlor.game.seats.play import play_game
from parlor.games.holdem.bets import BASE, CALL, FOLD
from parlor.games.holdem.engine.guest import EngineGuest
from parlor.games.holdem.engine.match import EngineTable, play_in_engine, shuffled
from parlor.games.holdem.engine.player import EnginePlayer, to_engine
from parlor.poker.hands.cards import cards
from tests.blueprints import tiny_blueprint

pytestmark = pytest.mark.slow

GAME = load("holdem(preset=dissertation,order=engine)")


class Scripted(BasePokerPlayer):  # type: ignore[misc]
    """Does what it is told, then checks or calls; remembers what it was asked."""

    def __init__(self, *script: tuple[str, int]) -> None:
        super().__init__()
        self.script = list(script)
        self.asked: list[tuple[str, list[Any], dict[str, Any]]] = []

    def declare_action(self, valid: list[Any], hole: list[str], state: dict[str, Any]) -> tuple[str, int]:
        self.asked.append((state["street"], valid, state))
        return self.script.pop(0) if self.script else ("call", valid[1]["amount"])

    def receive_game_start_message(self, info: Any) -> None:
        self.players = info["player_num"]

    def receive_round_start_message(self, count: Any, hole: Any, seats: Any) -> None: ...

    def receive_street_start_message(self, street: Any, state: Any) -> None: ...

    def receive_game_update_message(self, action: Any, state: Any) -> None: ...

    def receive_round_result_message(self, winners: Any, info: Any, state: Any) -> None: ...


def hand(small: str, big: str, board: str, *players: Any) -> list[float]:
    one, two = players or (Scripted(), Scripted())
    return EngineTable(one, two, 5, 1000).play(cards(small + big + board))


# --------------------------------------------------------------------------------------------------- its quirks


def test_a_wheel_is_only_a_high_card() -> None:
    assert hand("Ah2c", "KdKc", "3s4d5h9cTs") == [-10, 10]  # a pair of kings wins against five to the ace


def test_equal_hands_do_not_always_share() -> None:
    assert hand("3h2c", "4d2s", "AsKdQhJcTs") == [-10, 10]  # both play the board; the higher card in hand takes it
    assert hand("3h2c", "3d2s", "AsKdQhJcTs") == [0, 0]


def test_some_showdowns_in_a_hundred_are_paid_wrongly() -> None:
    wrong, table = 0, EngineTable(Scripted(), Scripted(), 5, 1000)
    for index in range(400):
        deal = shuffled(7, index)
        s = GAME.new_state()
        GAME.rules.start(s)
        for a in (*deal[:4], CALL, CALL, *deal[4:7], CALL, CALL, deal[7], CALL, CALL, deal[8], CALL, CALL):
            GAME.rules.play(s, a)
        wrong += table.play(deal) != [GAME.rules.payoff(s, p) for p in range(2)]
    assert 400 * 0.015 < wrong < 400 * 0.07  # 3.9 % of many


def test_the_big_blind_is_the_button_and_the_small_blind_opens_every_street() -> None:
    small, big = Scripted(), Scripted()
    hand("AsKs", "QdQc", "3s4d5h9cTs", small, big)
    assert [street for street, _, _ in small.asked] == ["preflop", "flop", "turn", "river"]
    for _, _, state in small.asked:
        assert state["dealer_btn"] == state["big_blind_pos"]
    assert all(state["action_histories"][street] == [] for street, _, state in small.asked[1:])  # nobody acted before


def test_the_first_raise_may_be_to_one_and_a_half_blinds() -> None:
    small = Scripted()
    hand("AsKs", "QdQc", "3s4d5h9cTs", small, Scripted())
    assert small.asked[0][1][2] == {"action": "raise", "amount": {"min": 15, "max": 1000}}


def test_a_raise_that_is_not_allowed_folds() -> None:
    assert hand("AsAh", "QdQc", "3s4d5h9cTs", Scripted(("raise", 14)), Scripted()) == [-5, 5]


def test_all_in_is_accepted_where_it_is_said_to_be_impossible() -> None:
    small, big = Scripted(("raise", 600)), Scripted(("raise", 1000))
    assert hand("AsAh", "QdQc", "3s4d5h9cTs", small, big) == [1000, -1000]
    assert big.asked[0][1][2]["amount"] == {"min": -1, "max": -1}  # a raise would be to 1190


# --------------------------------------------------------------------------------------------------- our agents there


def suspicious(agent: CompiledAgent) -> Any:
    """An agent in the engine that compares what the engine allows with what our rules do."""

    class Suspicious(EnginePlayer):
        def declare_action(self, valid: list[Any], hole: list[str], state: dict[str, Any]) -> tuple[str, int]:
            position = self.position(hole, state)
            s = position.state
            assert {to_engine(card) for card in position.view(position.turn).hole} == set(hole)
            assert sum(s.betting[:2]) == state["pot"]["main"]["amount"] + sum(p["amount"] for p in state["pot"]["side"])
            assert valid[1]["amount"] == max(s.betting[:2]) - s.betting[BASE]
            raises = [a - 1 - s.betting[BASE] for a in position.actions if a > CALL]
            allowed = valid[2]["amount"]
            if raises and allowed["min"] >= 0:
                assert [raises[0], raises[-1]] == [allowed["min"], allowed["max"]]
            action, amount = super().declare_action(valid, hole, state)
            assert (action == "fold") <= (FOLD in position.actions)
            return action, amount

    return Suspicious(agent)


@pytest.mark.parametrize("opponent", ["fish", "rule-based", "random(abstraction=half-pot)"])
def test_our_agents_find_themselves_in_the_engine(opponent: str) -> None:
    one, two = (suspicious(make_agent(name, GAME)) for name in ("wild", opponent))
    tables = [EngineTable(one, two, 5, 1000), EngineTable(two, one, 5, 1000)]
    for index in range(40):
        won = tables[index % 2].play(shuffled(3, index))
        assert sum(won) in (0, -1, 1)  # an odd pot that is shared loses a chip there


def test_a_match_in_the_engine_is_fair_and_repeatable() -> None:
    pair = [make_agent(name, GAME) for name in ("fish", "rule-based")]
    one, two = (play_in_engine(pair, 30, seed=5) for _ in range(2))
    assert (one.payoffs == two.payoffs).all()
    assert one.seats.tolist() == [0, 1] * 15
    mirror = play_in_engine([pair[0], make_agent("fish", GAME)], 20, seed=5)
    assert mirror.payoff.value == 0  # the same player in both seats: all luck cancels


def test_an_agent_copes_with_other_stacks() -> None:
    one, two = (EnginePlayer(make_agent("wild", GAME)) for _ in range(2))
    for stack in (60, 400, 5000):
        table = EngineTable(one, two, 5, stack)
        for index in range(30):
            assert abs(table.play(shuffled(4, index))[0]) <= stack


def test_the_engine_needs_its_order_and_its_blinds() -> None:
    with pytest.raises(GameError, match="that is order=engine, not holdem"):
        EnginePlayer(make_agent("fish", load("holdem")))
    with pytest.raises(GameError, match="has other blinds than this game of PyPokerEngine"):
        hand(
            "AsAh",
            "QdQc",
            "3s4d5h9cTs",
            EnginePlayer(make_agent("fish", load("holdem(order=engine)"))),
            Scripted(),
        )


# --------------------------------------------------------------------------------------------------- its players here


def test_its_players_sit_at_our_tables() -> None:
    told = Scripted(("raise", 40), ("raise", 20))
    visitor = EngineGuest(told, GAME)
    assert told.players == 2
    record = play_game(GAME, [visitor, make_agent("fish", GAME)], seed=3)
    assert "small blind raises to 40" in record.moves
    street, valid, state = told.asked[1]
    assert (street, state["pot"]["main"]["amount"], valid[1]["amount"]) == ("flop", 80, 0)
    assert [move["action"] for move in state["action_histories"]["preflop"]] == [
        "SMALLBLIND",
        "BIGBLIND",
        "RAISE",
        "CALL",
    ]
    assert state["seats"][0]["stack"] == 960
    assert "small blind bets 20" in record.moves


def test_a_raise_that_is_not_allowed_folds_here_too() -> None:
    record = play_game(GAME, [EngineGuest(Scripted(("raise", 14)), GAME), make_agent("fish", GAME)])
    assert record.moves[-1] == "small blind folds"


def test_a_player_and_its_double_in_the_engine_play_alike() -> None:
    """The engine's fish, at our table, is our fish."""
    fish = make_agent("fish", GAME)
    ours = play_match(GAME, [fish, make_agent("wild", GAME)], 30, compiled=False)
    theirs = play_match(GAME, [EngineGuest(Scripted(), GAME), make_agent("wild", GAME)], 30)
    assert (ours.payoffs == theirs.payoffs).all()


def test_cfr_v1_and_v2_play_there_too() -> None:
    game = "holdem(small_blind=5,big_blind=10,stack=100,order=engine)"
    plan = tiny_blueprint(game.replace(")", ",streets=2)/dissertation"))
    table = load(game)
    ours = replace(make_agent("cfr-v1(blueprint=there,simulations=20)", table, lambda path: plan), slow=False)
    match = play_in_engine([ours, make_agent("wild", table)], 40)
    assert match.games == 40
    assert (match.payoffs.sum(axis=1) == 0).all()
    assert len(set(match.payoffs[:, 0].tolist())) > 5  # not only folds
