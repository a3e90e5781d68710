"""Payoffs in words: a chance to win where a game is only won or lost, else an amount in the game's unit."""

from __future__ import annotations

from typing import Literal

from parlor.game import CHANCE, OVER, Game
from parlor.game.rng import choose, seed_stream, uniform
from parlor.server.catalogue.displays import display_of

GAMES = 60  # that are played at random to see what can come of one

Scale = Literal["chance", "points"]


def scale_of(game: Game) -> Scale:
    """Whether payoffs are a win or a loss of two players, a draw being half of each, or points; looked at once."""
    if "scale" not in game.cache:
        game.cache["scale"] = "chance" if _only_won_or_lost(game) else "points"
    found: Scale = game.cache["scale"]
    return found


def unit_of(game: Game) -> str:
    """Return the unit of the game's payoffs."""
    return display_of(game.name).unit


def told(payoff: float, scale: Scale) -> float:
    """A mean payoff on the scale: the probability to win, or itself."""
    return (1.0 + payoff) / 2.0 if scale == "chance" else payoff


def difference(payoff: float, scale: Scale) -> float:
    """A difference of mean payoffs on the scale."""
    return payoff / 2.0 if scale == "chance" else payoff


def in_digits(points: float) -> str:
    """As precise as a person can use it: 0.44, 9.1, 110."""
    return f"{points:,.0f}" if abs(points) >= 10.0 else f"{points:.2g}"


def _only_won_or_lost(game: Game) -> bool:
    if game.players != 2 or game.kind != "zero-sum":
        return False
    stream, odds, legal = [0, 0, 0, 0], [0.0] * game.outcomes, [0] * game.actions
    rules = game.rules
    for number in range(GAMES):
        seed_stream(stream, 0, number)
        state = game.new_state()
        rules.start(state)
        while (turn := rules.turn(state)) != OVER:
            if turn == CHANCE:
                action = choose(stream, odds, rules.odds(state, odds))
            else:
                n = rules.legal(state, legal)
                action = legal[int(uniform(stream) * n)]
            rules.play(state, action)
        if rules.payoff(state, 0) not in (-1.0, 0.0, 1.0):
            return False
    return True
