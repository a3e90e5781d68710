"""Our agents as players of PyPokerEngine: `EnginePlayer(make_agent("rule-based", game))` is a BasePokerPlayer.

PyPokerEngine 1.0.1 has a heads-up order of its own, so the game here is one with `order=engine`. Its other quirks
(`docs/holdem-engine.md`) concern the strength of hands, and how it treats moves that it does not allow.
`engine_guest` is the other direction.
"""

from __future__ import annotations

from typing import Any

from parlor.agents.agent import CompiledAgent
from parlor.game import CHANCE, Game, GameError, Position, State
from parlor.game.rng import choose, seed_stream
from parlor.games.holdem.bets import ACTOR, BASE, CALL, FOLD, IN
from parlor.poker.hands.cards import DECK, RANKS, SUITS

try:
    from pypokerengine.players import BasePokerPlayer
except ModuleNotFoundError as missing:  # pragma: no cover
    raise GameError("PyPokerEngine is not installed: pip install 'parlor-games[interop]'.") from missing

STREETS = ("preflop", "flop", "turn", "river")


def from_engine(text: str) -> int:
    """Our card for "SA": the suit comes first there."""
    return RANKS.index(text[1]) * len(SUITS) + SUITS.index(text[0].lower())


def to_engine(card: int) -> str:
    """The inverse of `from_engine`."""
    return SUITS[card % len(SUITS)].upper() + RANKS[card // len(SUITS)]


def in_its_order(game: Game) -> Game:
    """The game, if PyPokerEngine can play it; else an error."""
    if game.options.get("order") != "engine":
        raise GameError(f"PyPokerEngine lets the small blind open every street: that is order=engine, not {game.name}.")
    return game


class EnginePlayer(BasePokerPlayer):  # type: ignore[misc]  # the library has no types
    """An agent as a player of PyPokerEngine; its random choices depend on `seed` and the number of the round.

    The stacks of the engine may differ from those of the agent's game: it then plays as if they were the same, and bets
    no more than it has. Where that leads out of its game, it checks or calls.
    """

    def __init__(self, agent: CompiledAgent, seed: int = 0) -> None:
        super().__init__()
        self.agent = agent
        self.concrete_game = in_its_order(agent.concrete_game)
        stack = int(self.concrete_game.options["stack"])
        self.stacks = stack, int(self.concrete_game.options["other_stack"]) or stack
        self.stream = [0, 0, 0, 0]
        self.rounds = 0
        self.seed = seed

    def declare_action(
        self, valid_actions: list[dict[str, Any]], hole_card: list[str], round_state: dict[str, Any]
    ) -> tuple[str, int]:
        """The agent's move."""
        position = self.position(hole_card, round_state)
        a = self._decided(position) if position.turn >= 0 else CALL
        return self._declared(a, position, valid_actions, round_state)

    def position(self, hole_card: list[str], round_state: dict[str, Any]) -> Position:
        """The position of our game that the engine describes; the opponent's cards are any that are possible."""
        if 2 * round_state["small_blind_amount"] != int(self.concrete_game.options["big_blind"]):
            blind = round_state["small_blind_amount"]
            raise GameError(
                f"{self.concrete_game.name} has other blinds than this game of PyPokerEngine, {blind} and {2 * blind}."
            )
        me = 0 if round_state["next_player"] == round_state["small_blind_pos"] else 1
        mine, board = (
            [from_engine(text) for text in hole_card],
            [from_engine(text) for text in round_state["community_card"]],
        )
        other = [card for card in range(DECK) if card not in mine and card not in board][:2]
        cards = [*(mine + other if me == 0 else other + mine), *board]
        rules, s = self.concrete_game.rules, self.concrete_game.new_state()
        rules.start(s)
        moves = [move for street in STREETS for move in round_state["action_histories"].get(street, ())]
        moves = [move for move in moves if move["action"] in ("CALL", "RAISE", "FOLD")]
        while cards or moves:
            who = rules.turn(s)
            if who == CHANCE and cards:
                rules.play(s, cards.pop(0))
            elif who >= 0 and moves:
                move = moves.pop(0)
                rules.play(s, self._raised(s, move["amount"]) if move["action"] == "RAISE" else CALL)
            else:
                break
        return Position(self.concrete_game, s, ())

    def _raised(self, s: State, amount: int) -> int:
        """Our action for a raise in the engine, at most what can be bet in our game."""
        b, p = s.betting, s.betting[ACTOR]
        if b[IN + 1 - p] >= self.stacks[1 - p] or self.stacks[p] <= b[IN + 1 - p]:
            return CALL
        return 1 + min(b[BASE] + amount, self.stacks[p])

    def _decided(self, position: Position) -> int:
        action_probabilities = self.agent.action_probabilities(position)
        i = choose(self.stream, [chance for _, chance in action_probabilities], len(action_probabilities))
        return int(self.agent.game.abstraction.resolve(position.state, action_probabilities[i][0]))

    def _declared(
        self, a: int, position: Position, valid_actions: list[dict[str, Any]], round_state: dict[str, Any]
    ) -> tuple[str, int]:
        """The move in the engine's format; amounts are those of the street."""
        if a == FOLD:
            return "fold", 0
        me, other = (round_state["seats"][i] for i in (round_state["next_player"], 1 - round_state["next_player"]))
        if a == CALL or other["state"] == "allin":
            return "call", valid_actions[1]["amount"]
        b = position.state.betting
        everything = me["stack"] + b[IN + b[ACTOR]] - b[BASE]
        amount = a - 1 - b[BASE]
        if amount >= everything:
            return "raise", everything  # accepted even where it is less than the least raise
        least = valid_actions[2]["amount"]["min"]
        return ("raise", max(amount, least)) if least >= 0 else ("call", valid_actions[1]["amount"])

    def receive_game_start_message(self, game_info: dict[str, Any]) -> None:
        """Do nothing."""

    def receive_round_start_message(self, round_count: int, hole_card: list[str], seats: list[Any]) -> None:
        """Seed the random stream of this round."""
        seed_stream(self.stream, self.seed, self.rounds)
        self.rounds += 1

    def receive_street_start_message(self, street: str, round_state: dict[str, Any]) -> None:
        """Do nothing: everything is in the state."""

    def receive_game_update_message(self, new_action: dict[str, Any], round_state: dict[str, Any]) -> None:
        """Do nothing."""

    def receive_round_result_message(
        self, winners: list[Any], hand_info: list[Any], round_state: dict[str, Any]
    ) -> None:
        """Do nothing."""
