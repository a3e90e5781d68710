"""Games in which everybody chooses once, in secret, without chance: empirical games that are known exactly."""

from __future__ import annotations

import itertools

import numpy as np

from parlor.game import Game, GameError
from parlor.solvers.population.empirical_game import EmpiricalGame

MOST_CELLS = 250_000


def is_normal_form(game: Game) -> bool:
    """Whether everybody chooses once and nothing is left to chance."""
    position = game.start()
    for player in range(game.players):
        if position.turn != player:
            return False
        position = position.after(position.legal[0])
    return position.over


def normal_form(game: Game) -> EmpiricalGame:
    """The game by its actions."""
    if not is_normal_form(game):
        raise GameError(f"{game.name} is not in normal form: name agents that play it.")
    found, position = EmpiricalGame(game.name, game.players), game.start()
    for player in range(game.players):
        for name in position.legal:
            found.add(player, name)
        position = position.after(position.legal[0])
    if found.counts.size > MOST_CELLS:
        raise GameError(f"{game.name} has {found.counts.size:,} combinations; at most {MOST_CELLS:,} can be listed.")
    for cell in itertools.product(*map(range, found.shape)):
        end = game.start().after(*(found.labels[p][i] for p, i in enumerate(cell)))
        found.set_exact(cell, np.array(end.payoffs))
    return found
