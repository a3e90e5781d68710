"""A little play before a game is shown: what is compiled or read at its first use is there when requests need it."""

from __future__ import annotations

from parlor.game import CHANCE, Game, Position
from parlor.game.rng import choose, seed_stream
from parlor.page.seated_agent import SeatedAgent
from parlor.server.catalogue.displays import display_of

PLIES = 12  # as many as a short game has, or the beginning of a long one


def play_a_little(game: Game) -> None:
    """Play by chance, look at the first moves, at every position, and at the payoffs."""
    stream, position, display = [0, 0, 0, 0], game.start(), display_of(game.name)
    seed_stream(stream, 0, 0)
    looked = False
    for _ in range(PLIES):
        display.view(position, [], 0)
        if position.over:
            _ = position.payoffs
            return
        if not looked and position.turn != CHANCE:
            display.legal_moves(position, position.turn)
            looked = True
        position = _further(position, stream)


def decide_once(game: Game, agent: SeatedAgent) -> None:
    """Let an agent make its first decision, for whoever's turn it is."""
    stream, position = [0, 0, 0, 0], game.start()
    seed_stream(stream, 0, 0)
    while position.turn == CHANCE:
        position = _further(position, stream)
    if not position.over:
        agent.player(position)


def _further(position: Position, stream: list[int]) -> Position:
    if position.turn == CHANCE:
        chances = position.odds
        return position.after(list(chances)[choose(stream, list(chances.values()), len(chances))])
    legal = position.legal
    return position.after(legal[choose(stream, [1.0 / len(legal)] * len(legal), len(legal))])
