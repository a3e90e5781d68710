"""A network as an agent: its forward pass is compiled into the arena's loop. See `parlor.policies.network`.

Players that come with Parlor, trained: networks that lie beside the rules of their games, in a folder `trained`.

Each consists of two files. NAME.npz is the network, in half precision, in the format of all saved strategies. NAME.json
is its card: the command that trained it, the commit, the seed, its decisions and settings, and how it did on fresh
deals against the agents of its game. Whatever lies there is an agent called NAME; `parlor export player` writes both.

A player whose rules have changed since takes no seat any more: it would have to be trained anew.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent, seat_for
from parlor.agents.searching.rational import planning_agent
from parlor.compile import version
from parlor.compile.kernel import turn
from parlor.game import Floats, Game, GameError, Ints
from parlor.policies.nets import softmax
from parlor.policies.network import NetworkPolicy, unpack
from parlor.policies.opponents import NetworkWorkspace, OpponentArrays, shares_by_seat, value_decision
from parlor.policies.search_networks import SearchNetworks
from parlor.search.backups import BACKUPS, OWN_PAYOFF
from parlor.search.posterior import opponent_model_by_seat

FOLDER = "trained"  # beside the rules of a game
SUMMARY = "plays what it has learned in games against itself"


def trained_players(folder: Path) -> dict[str, AgentSpec]:
    """The players in a folder, by name."""
    return {card.stem: _spec(card) for card in sorted(folder.glob("*.json"))}


def _spec(path: Path) -> AgentSpec:
    card = json.loads(path.read_text(encoding="utf-8"))
    read = functools.cache(functools.partial(read_network, path.with_suffix(".npz")))

    def seated(concrete: Game, name: str) -> CompiledAgent:
        """The network, in a seat."""
        return make(concrete, name, read())

    def supports(game: Game) -> bool:
        """Whether the game has these options, and its rules are still those it has learned."""
        return game.name == card["game"] and version(game) == card["rules"]

    base = str(card["game"]).partition("(")[0]
    return AgentSpec(
        summary_of(card),
        seated,
        (base,),
        quick=True,
        name=card["title"],
        made=how_trained(card),
        supports=supports,
        network=read,
    )


def summary_of(card: Mapping[str, Any]) -> str:
    """In a few words: against whom it has learned, and what it was paid for, if not its own payoff."""
    settings = card.get("settings", {})
    former = " and its former versions" if settings.get("past") else ""
    objective = settings.get("objective", OWN_PAYOFF)
    return SUMMARY + former + (f", paid {BACKUPS[objective].summary}" if objective != OWN_PAYOFF else "")


def read_network(path: Path) -> NetworkPolicy:
    """The network in a file."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        found = {name: arrays[name] for name in arrays.files}
    return unpack(json.loads(found.pop("header").tobytes()), found)


def how_trained(card: Mapping[str, Any]) -> str:
    """The sentences of a card: how it was trained, and what it has done."""
    learned = f"Learned by {card['algorithm']}: {card['decisions']:,} decisions."
    return " ".join([learned, *map(_sentence, card["measured"])])


def _sentence(result: Mapping[str, Any]) -> str:
    """The result against one agent."""
    others = "" if result["players"] == 2 else f"{result['players'] - 1} × "
    if not result["in_points"]:
        won = _figure(result["win_share"], 100.0, 1)
        return f"Against {others}{result['against']} it wins {won} % of {result['games']:,} games."
    mine, theirs = _figure(result["payoff"], 1.0, 2), _figure(result["their_payoff"], 1.0, 2)
    return f"Against {others}{result['against']} it gets {mine} in {result['games']:,} games, the other {theirs}."


def _figure(estimate: Mapping[str, float], factor: float, digits: int) -> str:
    value, low, high = (f"{factor * estimate[name]:.{digits}f}" for name in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


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
    if whole is not None and not network.afterstates and whole.backup == OWN_PAYOFF:
        appraises, estimates = appraise_by_value, estimate_by_value
    elif whole is None and not network.afterstates and not network.logits:
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
