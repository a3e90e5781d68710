"""A network as an agent: its forward pass is compiled into the arena's loop. See `parlor.policies.network`."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.agents.agent import CompiledAgent, seat_for
from parlor.agents.searching.rational import planning_agent
from parlor.game import Floats, Game, GameError, Ints
from parlor.policies.nets import softmax
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import OpponentArrays, shares_by_seat, value_decision
from parlor.policies.search_networks import SearchNetworks
from parlor.search.posterior import opponent_model_by_seat


def value_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The best of the legal moves by their values, or a softmax of them."""
    sizes, weights, temperature, workspace = data
    value_decision(sizes, weights, states[g], p, moves, n, workspace)
    softmax(workspace.values, n, temperature, out)


def _planning(concrete: Game, name: str, search_networks: SearchNetworks, others: OpponentArrays) -> CompiledAgent:
    """It searches against those it learned from, as it believed while it learned; but never with the truth."""
    belief = "exact" if search_networks.belief == "true" else search_networks.belief
    theirs = opponent_model_by_seat(concrete, others, shares_by_seat(others))
    return planning_agent(concrete, name, [search_networks] * concrete.players, theirs, belief=belief)


def make(concrete: Game, name: str, network: NetworkPolicy) -> CompiledAgent:
    """The network as an agent for the game it was made for, or for the concrete game of its abstraction."""
    game, seat, note = seat_for(concrete, name, network)
    if note:  # what it sees may be something else now
        raise GameError(f"{note} Train it anew.")
    network.check_fit(game)
    if network.search_networks is not None and network.search_networks.others is not None:
        return _planning(concrete, name, network.search_networks, network.search_networks.others)
    sizes = np.array(network.sizes, np.int64)
    return CompiledAgent(
        name,
        seat,
        value_probabilities,
        lambda compiled: (sizes, network.weights, network.temperature, network.new_workspace(game, compiled)),
        slots=network.slots,
        uses_history=seat.concrete is None,
    )
