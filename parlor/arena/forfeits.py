"""The payoffs of games that an agent has lost by failing: by ending, not answering, or answering with nonsense."""

from __future__ import annotations

import numpy as np

from parlor.game import Game
from parlor.game.seats.play import play_game, uniform_agent

RANDOM_GAMES = 400


def forfeited(game: Game, loser: int) -> list[float]:
    """The payoffs of a game that a seat has lost by failing, whatever had happened in it.

    The seat gets the least that the game pays. Where payoffs sum to zero, the others share what it loses; elsewhere
    they get what they would have got on average had everybody moved at random.
    """
    least, means = random_payoffs(game)
    if game.kind == "zero-sum":
        means = [-least / (game.players - 1)] * game.players
    return [least if p == loser else means[p] for p in range(game.players)]


def random_payoffs(game: Game) -> tuple[float, list[float]]:
    """The least payoff, declared or else seen in random games, and the mean of each seat there; cached."""
    if "random payoffs" not in game.cache:
        agents = [uniform_agent] * game.players
        seen = np.array([play_game(game, agents, 0, i).payoffs for i in range(RANDOM_GAMES)])
        least = game.payoffs[0] if game.payoffs else float(seen.min())
        game.cache["random payoffs"] = (least, seen.mean(axis=0).tolist())
    found: tuple[float, list[float]] = game.cache["random payoffs"]
    return found
