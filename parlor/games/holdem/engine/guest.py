"""Players of PyPokerEngine as agents: `EngineGuest(HonestPlayer(), game)` is an agent like any other.

It gets what PyPokerEngine would send it, in a game with that library's order (see `engine`).
"""

from __future__ import annotations

from typing import Any

from parlor.game import CHANCE, Game, Position
from parlor.game.seats.observation import Observation
from parlor.game.seats.python_agent import PythonSeat
from parlor.games.holdem.bets import ACTOR, BASE, CALL, FOLD, IN
from parlor.games.holdem.engine.player import STREETS, in_its_order, to_engine

SEATS = ("small blind", "big blind")


class EngineGuest:
    """A player of PyPokerEngine as an agent. A raise that is not allowed folds, as it does there."""

    def __init__(self, player: Any, game: Game) -> None:
        self.player = player
        self.game = in_its_order(game)
        self.name = type(player).__name__
        options = {name: int(game.options[name]) for name in ("small_blind", "big_blind", "stack", "other_stack")}
        self.blinds = options["small_blind"], options["big_blind"]
        self.stacks = options["stack"], options["other_stack"] or options["stack"]
        rule = {
            "initial_stack": options["stack"],
            "max_round": 1,
            "small_blind_amount": options["small_blind"],
            "ante": 0,
            "blind_structure": {},
        }
        player.receive_game_start_message({"player_num": 2, "rule": rule, "seats": self._seats((0, 0))})

    def sit(self, position: Position, player: int) -> PythonSeat:
        """Take a seat: like every Python agent it gets observations."""
        return PythonSeat(self.name, self, position, player)

    def act(self, observation: Observation) -> int:
        """The id of its move."""
        me, view = observation.player, observation.view
        state = self._round_state(observation)
        self.player.set_uuid(SEATS[me])
        hole = [to_engine(card) for card in view.hole]
        if view.made < 2:  # its first decision
            self.player.receive_round_start_message(1, hole, state["seats"])
        legal = observation.actions
        base = view.betting[BASE]
        raises = [a for a in legal if a > CALL]
        amounts = {"min": raises[0] - 1 - base, "max": raises[-1] - 1 - base} if raises else {"min": -1, "max": -1}
        valid = [
            {"action": "fold", "amount": 0},
            {"action": "call", "amount": max(view.betting[IN], view.betting[IN + 1]) - base},
            {"action": "raise", "amount": amounts},
        ]
        action, amount = self.player.declare_action(valid, hole, state)
        action_id = FOLD if action == "fold" else CALL if action == "call" else 1 + base + amount
        return action_id if action_id in legal else legal[0]

    def _seats(self, chips: tuple[int, int]) -> list[dict[str, Any]]:
        return [
            {"name": name, "uuid": name, "stack": stack - put, "state": "participating" if stack > put else "allin"}
            for name, stack, put in zip(SEATS, self.stacks, chips, strict=True)
        ]

    def _round_state(self, observation: Observation) -> dict[str, Any]:
        view = observation.view
        chips = view.betting[IN], view.betting[IN + 1]
        shown = view.dealt - 4
        return {
            "street": STREETS[max(shown - 2, 0)],
            "pot": {"main": {"amount": sum(chips)}, "side": []},
            "community_card": [to_engine(card) for card in view.board[:shown]],
            "dealer_btn": 1,
            "next_player": observation.player,
            "small_blind_pos": 0,
            "big_blind_pos": 1,
            "round_count": 1,
            "small_blind_amount": self.blinds[0],
            "seats": self._seats(chips),
            "action_histories": self._histories(view),
        }

    def _histories(self, view: Any) -> dict[str, list[dict[str, Any]]]:
        """All moves by street, as the engine writes them."""
        small, big = self.blinds
        histories: dict[str, list[dict[str, Any]]] = {
            "preflop": [
                {"action": "SMALLBLIND", "amount": small, "add_amount": small, "uuid": SEATS[0]},
                {"action": "BIGBLIND", "amount": big, "add_amount": big - small, "uuid": SEATS[1]},
            ]
        }
        rules, s = self.game.rules, self.game.new_state()
        rules.start(s)
        cards = list(range(9))  # any: bets do not depend on them
        for a in view.moves[: view.made]:
            while rules.turn(s) == CHANCE:
                rules.play(s, cards.pop(0))
            b = tuple(s.betting)
            street, who, top = STREETS[max(s.dealt - 6, 0)], SEATS[b[ACTOR]], max(b[IN], b[IN + 1]) - b[BASE]
            row: dict[str, Any] = {"action": "FOLD", "uuid": who}
            if a == CALL:
                row = {"action": "CALL", "amount": top, "paid": top - (b[IN + b[ACTOR]] - b[BASE]), "uuid": who}
            elif a > CALL:
                to = a - 1 - b[BASE]
                row = {
                    "action": "RAISE",
                    "amount": to,
                    "paid": a - 1 - b[IN + b[ACTOR]],
                    "add_amount": to - top,
                    "uuid": who,
                }
            histories.setdefault(street, []).append(row)
            rules.play(s, a)
        return histories
