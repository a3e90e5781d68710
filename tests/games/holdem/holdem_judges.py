"""Hands of hold'em played at random, and the same hands in other people's programs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from parlor.game import CHANCE, OVER, Game
from parlor.game.rng import below, draw, seed_stream
from parlor.games.holdem.bets import CALL, FOLD, IN
from parlor.poker.hands import cards

#: Called with a state in which somebody is to act, its legal actions, and the one that will be played.
Watch = Callable[[Any, list[int], int], None]


def some_action(actions: list[int], r: list[int]) -> int:
    """A move that keeps hands going: mostly calls, raises rather small than large."""
    raises = [a for a in actions if a > CALL]
    die = below(r, 10)
    if die == 0 and actions[0] == FOLD:
        return FOLD
    if die < 6 or not raises:
        return CALL
    if die == 9:
        return raises[below(r, len(raises))]
    return raises[(draw(r) >> 16) * len(raises) // 2**16 if die == 8 else below(r, min(len(raises), 8))]


def play_hand(game: Game, seed: int, index: int, watch: Watch, dealt: Callable[[int], None]) -> Any:
    """A hand at random; `dealt` hears of every card, `watch` of every decision."""
    r = [0, 0, 0, 0]
    seed_stream(r, seed, index)
    s = game.new_state()
    rules = game.rules
    rules.start(s)
    buffer = [0] * game.actions
    while (who := rules.turn(s)) != OVER:
        if who == CHANCE:
            assert game.deal is not None
            a = game.deal(s, [], r)
            dealt(a)
        else:
            actions = buffer[: rules.legal(s, buffer)]
            a = some_action(actions, r)
            watch(s, actions, a)
        rules.play(s, a)
    return s


# --------------------------------------------------------------------------------------------------- PokerKit

#: Its seats: in a game of two the first is the big blind.
SEAT = (1, 0)


@functools.cache
def pokerkit() -> Any:
    """PokerKit, remembering the strength of the last hands: it asks for each one about nine times."""
    kit = pytest.importorskip("pokerkit")
    ranked = functools.lru_cache(64)(kit.hands.CombinationHand.from_game.__func__)

    def from_game(hand: Any, hole: Any, board: Any = ()) -> Any:
        return ranked(hand, tuple(hole), tuple(board))

    kit.hands.CombinationHand.from_game = classmethod(from_game)
    return kit


class Kit:
    """A hand in PokerKit, dealt and played from outside."""

    def __init__(self, blinds: tuple[int, int], stacks: tuple[int, int]) -> None:
        kit = pokerkit()
        done = kit.Automation
        self.state = kit.NoLimitTexasHoldem.create_state(
            (
                done.ANTE_POSTING,
                done.BET_COLLECTION,
                done.BLIND_OR_STRADDLE_POSTING,
                done.HOLE_CARDS_SHOWING_OR_MUCKING,
                done.HAND_KILLING,
                done.CHIPS_PUSHING,
                done.CHIPS_PULLING,
            ),
            True,
            0,
            blinds,
            blinds[1],
            stacks[::-1],
            2,
        )
        self.stacks = stacks
        self.waiting: list[int] = []

    def deal(self, card: int) -> None:
        """The hands go to the other seats than ours; the flop waits for its third card."""
        state = self.state
        self.waiting.append(card)
        if not any(state.board_cards) and len(self.waiting) == 4 and state.can_deal_hole():
            for seat in range(2):
                ours = SEAT.index(seat)
                state.deal_hole(cards.names(self.waiting[2 * ours : 2 * ours + 2]))
            self.waiting = []
        elif state.can_burn_card() and len(self.waiting) == (1 if any(state.board_cards) else 3):
            state.burn_card("??")
            state.deal_board(cards.names(self.waiting))
            self.waiting = []

    def check(self, s: Any, actions: list[int], a: int) -> None:
        """The same player may do the same; then it does."""
        state = self.state
        b = tuple(s.betting)
        p = b[3]
        assert state.actor_index == SEAT[p]
        assert (FOLD in actions) == (state.checking_or_calling_amount > 0)
        base = b[7]
        raises = [x - 1 - base for x in actions if x > CALL]
        if raises:
            assert raises == list(range(raises[0], raises[-1] + 1))
            assert raises[0] == state.min_completion_betting_or_raising_to_amount
            assert raises[-1] == state.max_completion_betting_or_raising_to_amount
        else:
            assert not state.can_complete_bet_or_raise_to()
        assert state.total_pot_amount == b[IN] + b[IN + 1]
        if a == FOLD:
            state.fold()
        elif a == CALL:
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(a - 1 - base)

    @property
    def payoffs(self) -> list[int]:
        """What each of our players won."""
        assert not self.state.status
        return [self.state.stacks[SEAT[p]] - self.stacks[p] for p in range(2)]


# --------------------------------------------------------------------------------------------------- OpenSpiel


class Spiel:
    """A hand in OpenSpiel's universal_poker. Its first player is the big blind, too; a raise there is by its chips."""

    def __init__(self, blinds: tuple[int, int], stacks: tuple[int, int]) -> None:
        pyspiel = pytest.importorskip("pyspiel")
        self.state = pyspiel.load_game(
            "universal_poker",
            {
                "betting": "nolimit",
                "bettingAbstraction": "fullgame",
                "numPlayers": 2,
                "numRounds": 4,
                "blind": f"{blinds[1]} {blinds[0]}",
                "stack": f"{stacks[1]} {stacks[0]}",
                "firstPlayer": "2 1 1 1",
                "numSuits": 4,
                "numRanks": 13,
                "numHoleCards": 2,
                "numBoardCards": "0 3 1 1",
            },
        ).new_initial_state()
        self.waiting: list[int] = []

    def deal(self, card: int) -> None:
        """The big blind's hand comes first there."""
        self.waiting.append(card)
        if len(self.waiting) == 4:
            for one in self.waiting[2:] + self.waiting[:2]:
                self.state.apply_action(one)
        elif len(self.waiting) > 4:
            self.state.apply_action(card)

    def check(self, s: Any, actions: list[int], a: int) -> None:
        """The same player may do the same; then it does."""
        state = self.state
        assert state.current_player() == SEAT[s.betting[3]]
        assert state.legal_actions() == [x if x <= CALL else x - 1 for x in actions]
        state.apply_action(a if a <= CALL else a - 1)

    @property
    def payoffs(self) -> list[float]:
        """What each of our players won."""
        returns = self.state.returns()
        return [returns[SEAT[p]] for p in range(2)]
