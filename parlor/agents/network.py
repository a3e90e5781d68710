"""A network as an agent: its forward pass is compiled into the arena's loop. See `parlor.learn.network`."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.agents.agent import CompiledAgent, seat_for
from parlor.game import Floats, Game, GameError, Ints
from parlor.learn.members import value_decision
from parlor.learn.nets import softmax
from parlor.learn.network import NetworkPolicy


def weigh_values(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The best of the legal moves by their values, or a softmax of them."""
    sizes, weights, temperature, mind = data
    value_decision(sizes, weights, states[g], p, moves, n, mind)
    softmax(mind.values, n, temperature, out)


def make(concrete: Game, name: str, network: NetworkPolicy) -> CompiledAgent:
    """The network as an agent for the game it was made for, or for the concrete game of its abstraction."""
    game, seat, note = seat_for(concrete, name, network)
    if note:  # what it sees may be something else now
        raise GameError(f"{note} Train it anew.")
    if network.sizes[-1] != game.actions and not network.afterstates:
        raise GameError(f"{name} has values for {network.sizes[-1]} actions, but {game.name} has {game.actions}.")
    sizes = np.array(network.sizes, np.int64)
    return CompiledAgent(
        name,
        seat,
        weigh_values,
        lambda compiled: (sizes, network.weights, network.temperature, network.new_mind(game, compiled)),
        slots=network.slots,
        uses_history=seat.concrete is None,
    )
