"""The numbers that a game computes for networks, in plain Python; see `parlor.game.OwnFeatures`."""

from __future__ import annotations

import inspect

import numpy as np

from parlor.game.game import Game
from parlor.game.schema import CHANCE, State


def own_numbers(game: Game, state: State, player: int) -> tuple[float, ...]:
    """A game's own features of a state for a player, as 32-bit floats; empty if it declares none.

    They are for decisions and ends of games: zeros while chance is to act.
    """
    own = game.features
    if own is None:
        return ()
    out = np.zeros(own.count, np.float32)
    if game.rules.turn(state) != CHANCE:
        takes_work = len(inspect.signature(own.fill).parameters) > 3
        own.fill(state, player, out, *([np.zeros(own.work, np.int64)] if takes_work else []))
    return tuple(out.tolist())
