"""A network as an agent: its forward pass is compiled into the arena's loop. See `parlor.policies.network`."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.agents.agent import CompiledAgent, seat_for
from parlor.agents.searching.rational import planning_agent
from parlor.game import Floats, Game, GameError, Ints
from parlor.policies.members import Members, value_decision
from parlor.policies.nets import softmax
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import shares_by_seat
from parlor.policies.planner import Planner
from parlor.search.posterior import others_by_seat


def weigh_values(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The best of the legal moves by their values, or a softmax of them."""
    sizes, weights, temperature, mind = data
    value_decision(sizes, weights, states[g], p, moves, n, mind)
    softmax(mind.values, n, temperature, out)


def _planning(concrete: Game, name: str, planner: Planner, others: Members) -> CompiledAgent:
    """It searches against those it learned from, as it believed while it learned; but never with the truth."""
    belief = "exact" if planner.belief == "true" else planner.belief
    theirs = others_by_seat(concrete, others, shares_by_seat(others))
    return planning_agent(concrete, name, [planner] * concrete.players, theirs, belief=belief)


def make(concrete: Game, name: str, network: NetworkPolicy) -> CompiledAgent:
    """The network as an agent for the game it was made for, or for the concrete game of its abstraction."""
    game, seat, note = seat_for(concrete, name, network)
    if note:  # what it sees may be something else now
        raise GameError(f"{note} Train it anew.")
    if network.sizes[-1] != game.actions and not network.afterstates:
        raise GameError(f"{name} has values for {network.sizes[-1]} actions, but {game.name} has {game.actions}.")
    if network.planner is not None and network.planner.others is not None:
        return _planning(concrete, name, network.planner, network.planner.others)
    sizes = np.array(network.sizes, np.int64)
    return CompiledAgent(
        name,
        seat,
        weigh_values,
        lambda compiled: (sizes, network.weights, network.temperature, network.new_mind(game, compiled)),
        slots=network.slots,
        uses_history=seat.concrete is None,
    )
