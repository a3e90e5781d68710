"""A match of hold'em inside PyPokerEngine, by its rules: on duplicate deals with both seatings.

Every hand is a game of one round with fresh stacks; the engine's deck is set to the deal.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from parlor.agents.agent import CompiledAgent
from parlor.arena.match import Match, OnProgress, rotated
from parlor.game import GameError
from parlor.game.rng import below, seed_stream
from parlor.games.holdem.engine.player import EnginePlayer, to_engine
from parlor.poker.hands.cards import DECK

DEALT = 9  # cards of a hand


def play_in_engine(
    agents: Sequence[CompiledAgent], hands: int, seed: int = 0, on_progress: OnProgress | None = None
) -> Match:
    """Play hands between two agents; an even number, for pairs of hands share a deal."""
    if len(agents) != 2 or agents[0].concrete_game.name != agents[1].concrete_game.name:
        raise GameError("A match inside PyPokerEngine is between two agents of the same game.")
    concrete = agents[0].concrete_game
    players = [EnginePlayer(agent, seed) for agent in agents]
    small_blind, stack = int(concrete.options["small_blind"]), int(concrete.options["stack"])
    one, two = players
    tables = [EngineTable(one, two, small_blind, stack), EngineTable(two, one, small_blind, stack)]
    hands += hands % 2
    payoffs = np.zeros((hands, 2))
    lineups = rotated(2, 2, 0, hands, "alternating")
    began = time.perf_counter()
    done = 0
    while done < hands:
        for player in players:
            player.rounds = done // 2
        deck = shuffled(seed, done // 2)
        payoffs[done] = tables[done % 2].play(deck)
        done += 1
        if on_progress is not None and done % 16 == 0 and not on_progress(done):
            break
    names = (agents[0].name, agents[1].name)
    return Match(
        f"{concrete.name} in PyPokerEngine", names, "alternating", True, seed, lineups[:done], payoffs[:done],
        time.perf_counter() - began, concrete.units,
    )  # fmt: skip


def shuffled(seed: int, index: int) -> list[int]:
    """The cards of a deal: two for the small blind, two for the big blind, five for the board."""
    r = [0, 0, 0, 0]
    seed_stream(r, seed, index)
    cards = list(range(DECK))
    for i in range(DEALT):
        j = i + below(r, DECK - i)
        cards[i], cards[j] = cards[j], cards[i]
    return cards[:DEALT]


class EngineTable:
    """A table of PyPokerEngine with the small blind and the big blind seated; every hand begins with fresh stacks."""

    def __init__(self, small: Any, big: Any, small_blind: int, stack: int) -> None:
        from pypokerengine.engine.dealer import Dealer

        self.stack = stack
        self.dealer = Dealer(small_blind, stack)  # slow to make
        self.dealer.register_player("big blind", big)  # its first player is the big blind
        self.dealer.register_player("small blind", small)

    def play(self, cards: Sequence[int]) -> list[float]:
        """The payoffs of the small blind and the big blind with that deal."""
        from pypokerengine.engine.card import Card
        from pypokerengine.engine.deck import Deck

        dealt = [*cards[2:4], *cards[:2], *cards[4:]]  # the big blind gets its cards first
        ids = [Card.from_str(to_engine(card)).to_id() for card in dealt]
        self.dealer.table.deck = Deck(cheat=True, cheat_card_ids=ids)
        seats = self.dealer.start_game(1)["message"]["game_information"]["seats"]
        return [float(seats[1]["stack"] - self.stack), float(seats[0]["stack"] - self.stack)]
