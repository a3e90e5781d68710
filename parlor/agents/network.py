"""A network as an agent: its forward pass is compiled into the arena's loop. See `parlor.policies.network`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor.agents.agent import CompiledAgent, seat_for
from parlor.agents.searching.rational import planning_agent
from parlor.compile.kernel import turn
from parlor.game import Floats, Game, GameError, Ints
from parlor.policies.nets import softmax
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import NetworkWorkspace, OpponentArrays, shares_by_seat, value_decision
from parlor.policies.search_networks import SearchNetworks
from parlor.search.posterior import opponent_model_by_seat


class NetworkMind(NamedTuple):
    """The data of a network at the table."""

    sizes: Any
    weights: Any
    temperature: float
    workspace: NetworkWorkspace
    whole_sizes: Any  # with an output for the value, if it has one: the last
    whole_weights: Any
    scale: float  # values were divided by this
    opposed: bool  # two players, zero sum
    nothing: Any  # [actions] no moves


def value_probabilities(
    states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: NetworkMind
) -> None:
    """The best of the legal moves by their values, or a softmax of them."""
    value_decision(data.sizes, data.weights, states[g], p, moves, n, data.workspace)
    softmax(data.workspace.values, n, data.temperature, out)


def appraise_by_value(states: Any, g: int, p: int, moves: Ints, n: int, priors: Any, data: NetworkMind) -> float:
    """The output for the value, and a softmax of the logits."""
    value_decision(data.whole_sizes, data.whole_weights, states[g], p, moves, n, data.workspace)
    softmax(data.workspace.values, n, 1.0, priors)
    return value_output(data)


def appraise_by_actions(states: Any, g: int, p: int, moves: Ints, n: int, priors: Any, data: NetworkMind) -> float:
    """The value of the best action; half of the priors are what the network plays, half are all alike."""
    value_decision(data.sizes, data.weights, states[g], p, moves, n, data.workspace)
    softmax(data.workspace.values, n, data.temperature, priors)
    best = 0
    for k in range(n):
        if data.workspace.values[k] > data.workspace.values[best]:
            best = k
        priors[k] = 0.5 * priors[k] + 0.5 / n
    return float(data.workspace.values[best] * data.scale)


def value_output(data: NetworkMind) -> float:
    """The value that was computed last, in points of payoff."""
    return float(data.workspace.outputs[data.whole_sizes[len(data.whole_sizes) - 1] - 1] * data.scale)


def estimate_by_value(states: Any, g: int, values: Floats, data: NetworkMind) -> None:
    """Estimate the players' payoffs, each by its own view; in zero-sum games the mover's estimate counts for both."""
    s = states[g]
    who = turn(s)
    for q in range(len(values)):
        if who < 0 or who == q or not data.opposed:
            value_decision(data.whole_sizes, data.whole_weights, s, q, data.nothing, 0, data.workspace)
            values[q] = value_output(data)
    if data.opposed:
        one = values[who] if who >= 0 else 0.5 * (values[0] - values[1])
        first = max(who, 0)
        values[first] = one
        values[1 - first] = -one


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
    whole, appraises, estimates = network.search_networks, None, None
    if not network.afterstates:
        valued = whole is not None and whole.backup == "own"
        appraises, estimates = (appraise_by_value, estimate_by_value) if valued else (None, None)
        if not valued and not network.logits:
            appraises = appraise_by_actions
    return CompiledAgent(
        name,
        seat,
        value_probabilities,
        lambda compiled: _mind(game, network, compiled),
        slots=network.slots,
        uses_history=seat.concrete is None,
        appraise=appraises if seat.concrete is None else None,
        estimate=estimates if seat.concrete is None else None,
        tolerant=True,
    )


def _mind(game: Game, network: NetworkPolicy, compiled: bool) -> NetworkMind:
    whole = network.search_networks
    sizes, weights, scale = network.sizes, network.weights, network.scale
    if whole is not None and whole.backup == "own":
        sizes, weights, scale = whole.sizes, whole.weights, whole.scale
    opposed = game.players == 2 and game.kind == "zero-sum"
    return NetworkMind(
        np.array(network.sizes, np.int64),
        network.weights,
        network.temperature,
        network.new_workspace(game, compiled, max(sizes)),
        np.array(sizes, np.int64),
        weights,
        scale,
        opposed,
        np.zeros(game.actions, np.int64),
    )
