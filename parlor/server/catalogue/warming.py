"""A little play before a game is shown: what is compiled or read at its first use is there when requests need it."""

from __future__ import annotations

from parlor.game import CHANCE, Game
from parlor.game.rng import choose, seed_stream
from parlor.page.seated_agent import SeatedAgent
from parlor.server.catalogue.displays import display_of

PLIES = 60  # as many as a short game has, or the beginning of a long one


def play_a_little(game: Game, agent: SeatedAgent | None = None) -> None:
    """Let an agent that answers at once sit at all seats, else chance; look at every position, and at the payoffs."""
    stream, position, display = [0, 0, 0, 0], game.start(), display_of(game.name)
    seed_stream(stream, 0, 0)
    quick = agent if agent is not None and agent.quick else None
    for _ in range(PLIES):
        display.view(position, [], 0)
        if position.over:
            _ = position.payoffs
            return
        if position.turn == CHANCE:
            chances = dict(position.odds)
        else:
            display.legal_moves(position, position.turn)
            chances = (
                dict(quick.player(position)) if quick else dict.fromkeys(position.legal, 1.0 / len(position.legal))
            )
        position = position.after(list(chances)[choose(stream, list(chances.values()), len(chances))])
