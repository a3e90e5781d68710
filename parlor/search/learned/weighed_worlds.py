"""Worlds by a learned belief: drawn by the derived one, or all that have a code, and weighed by a network.

At the root of a search some worlds are drawn as searches draw them otherwise, by chance alone; in a game that says what
is hidden as a code, all possible ones are taken with their chance. Each counts by the weight that
`parlor.policies.field_belief` gives it, and simulations draw among them. So every world agrees with the hard facts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.compile import Bindings
from parlor.compile.kernel import FloatArray, States, copy, imagine, possible, set_hidden_state
from parlor.game import Game, GameError, Ints
from parlor.game.rng import choose
from parlor.policies.field_belief import CHANCE_VOICE, REAL_VOICE, FieldBelief, likelihood
from parlor.policies.hidden_numbers import forget_memory, hidden_slots, read_hidden
from parlor.policies.nets import forward, parameters
from parlor.policies.opponents import NetworkWorkspace, encode_view, workspace
from parlor.search.world_table import draw_world, is_listable, sample_secret_moves, world_table

DRAWN = 128  # worlds that are weighed for a decision, where they are drawn


class BeliefNetworkArrays(NamedTuple):
    """A learned belief as kernels read it, with its working memory."""

    sizes: Any
    weights: Any
    begin: int  # where V begins
    symbols: int
    code: Any  # [J, 4]
    numbers: Any  # [J]
    contexts: Any  # [2, units] of both voices
    units: Any  # [units]
    workspace: NetworkWorkspace
    trust: float


class WeighedWorlds(NamedTuple):
    """The worlds of T searches, K of each."""

    worlds: Any  # [T · K] states
    weights: Any  # [T, K]
    count: Any  # [T]
    codes: Any  # [K] scratch
    network: BeliefNetworkArrays
    known: Any  # [1] a state in which the others have forgotten
    source: Any  # what `propose_world` gets


def network_arrays(game: Game, belief: FieldBelief) -> BeliefNetworkArrays:
    """A learned belief for kernels."""
    belief.check_game(game)
    units = belief.sizes[-1]
    return BeliefNetworkArrays(
        np.array(belief.sizes, np.int64),
        belief.weights,
        parameters(belief.sizes),
        int(belief.code[:, 1].sum()),
        np.ascontiguousarray(belief.code),
        np.zeros(len(belief.code), np.int64),
        np.zeros((2, units), np.float32),
        np.zeros(units, np.float32),
        belief_workspace(belief.features, belief.sizes),
        belief.trust,
    )


def belief_workspace(code: Any, sizes: tuple[int, ...]) -> NetworkWorkspace:
    """Working memory with room for the feature that names the voice."""
    made = workspace(code, max(sizes), sizes[-1])
    return made._replace(active=np.zeros(sizes[0], np.int64))


def weighed_worlds(game: Game, belief: FieldBelief, trees: int, compiled: bool, source: Any) -> WeighedWorlds:
    """Room for the worlds of so many searches."""
    count = game.hidden.worlds.count if game.hidden.worlds else DRAWN
    return WeighedWorlds(
        compiler.states(game, trees * count, compiled),
        np.zeros((trees, count)),
        np.zeros(trees, np.int64),
        np.zeros(count, np.int64),
        network_arrays(game, belief),
        compiler.states(game, 1, compiled),
        source,
    )


# --------------------------------------------------------------------------------------------------- kernels


def propose_world(worlds: Any, i: int, states: Any, g: int, p: int, r: Ints, source: Any) -> None:
    """A slot: put a world that is drawn by chance alone into `worlds[i]`."""
    raise RuntimeError


def propose_imagined(worlds: Any, i: int, states: Any, g: int, p: int, r: Ints, source: Any) -> None:
    """By the game's own `imagine`."""
    copy(worlds, i, states, g)
    imagine(worlds[i], p, r)
    sample_secret_moves(worlds, i, p, r, source)


def propose_from_table(worlds: Any, i: int, states: Any, g: int, p: int, r: Ints, source: Any) -> None:
    """One of the worlds that are listed for what the player knows."""
    draw_world(worlds, i, own_key(states[g], p), r, source)


def own_key(s: Any, p: int) -> int:
    """A slot: the key of the concrete game."""
    raise RuntimeError


def fill_worlds(found: WeighedWorlds, t: int, states: States, g: int, p: int, r: Ints) -> None:
    """A slot: fill the worlds of search `t`, and their weights by chance alone. By default they are drawn."""
    room = found.weights.shape[1]
    for k in range(room):
        propose_world(found.worlds, t * room + k, states, g, p, r, found.source)
        found.weights[t, k] = 1.0
    found.count[t] = room


def fill_by_code(found: WeighedWorlds, t: int, states: States, g: int, p: int, r: Ints) -> None:
    """All that are possible, with their chance."""
    room = found.weights.shape[1]
    n = possible(states[g], p, found.codes, found.weights[t])
    for k in range(n):
        copy(found.worlds, t * room + k, states, g)
        set_hidden_state(found.worlds[t * room + k], p, int(found.codes[k]))
    found.count[t] = n


def weigh_worlds(found: WeighedWorlds, t: int, states: States, g: int, p: int, r: Ints) -> None:
    """Fill the worlds of search `t` for player `p` in `states[g]`, and weigh them by the network."""
    fill_worlds(found, t, states, g, p, r)
    net, n, room = found.network, found.count[t], found.weights.shape[1]
    make_contexts(net, states, g, p)
    weights = found.weights[t]
    best = -1e30
    for k in range(n):
        copy(found.known, 0, found.worlds, t * room + k)
        weights[k] = np.log(max(weights[k], 1e-300)) + net.trust * log_ratio(net, found.known, 0, p)
        best = max(best, weights[k])
    total = 0.0
    for k in range(n):
        weights[k] = np.exp(weights[k] - best)
        total += weights[k]
    for k in range(n):
        weights[k] /= total


def make_contexts(net: BeliefNetworkArrays, states: States, g: int, p: int) -> None:
    """The contexts of both voices for what player `p` sees."""
    active = net.workspace.active
    count = encode_view(states[g], p, net.workspace)
    forward(net.sizes, net.weights, active, count, net.workspace.layers, net.contexts[CHANCE_VOICE])
    active[count] = net.sizes[0] - 1
    forward(net.sizes, net.weights, active, count + 1, net.workspace.layers, net.contexts[REAL_VOICE])


def log_ratio(net: BeliefNetworkArrays, worlds: States, i: int, p: int) -> float:
    """The log ratio of a world's hidden numbers: their learned probability over that by chance alone."""
    forget_memory(worlds[i], p)
    read_hidden(worlds[i], p, net.numbers)
    return voice(net, REAL_VOICE) - voice(net, CHANCE_VOICE)


def voice(net: BeliefNetworkArrays, which: int) -> float:
    """The log-probability of the numbers by one of the voices."""
    for h in range(len(net.units)):
        net.units[h] = net.contexts[which, h]
    return likelihood(net.code, net.numbers, net.symbols, net.weights, net.begin, net.units)


def sample_weighed(worlds: Any, i: int, states: Any, g: int, p: int, r: Ints, found: WeighedWorlds) -> None:
    """One of the worlds of search `i`, by their weights."""
    k = choose(r, found.weights[i], int(found.count[i]))
    copy(worlds, i, found.worlds, i * found.weights.shape[1] + k)


# --------------------------------------------------------------------------------------------------- sources


def proposal(game: Game) -> Bindings:
    """The functions by which a game's worlds are drawn by chance alone, before they are weighed."""
    drawn: Bindings
    if game.hidden.imagine is not None and game.native:
        drawn = {propose_world: propose_imagined}
    elif is_listable(game):
        drawn = {propose_world: propose_from_table, own_key: game.rules.key}
    else:
        raise GameError(
            f"{game.name} cannot draw what is hidden at speed, so no belief is learned of it: give it an `imagine`."
        )
    return {**drawn, **hidden_slots(game)}


def proposal_data(game: Game, compiled: bool) -> Any:
    """The arguments of `propose_world`."""
    return () if game.hidden.imagine is not None else world_table(game, compiled)


def weighing(game: Game) -> Bindings:
    """The functions that draw and weigh worlds."""
    return {**proposal(game), **({fill_worlds: fill_by_code} if game.hidden.worlds else {})}


def weights_at(game: Game, belief: FieldBelief, states: Any, players: Any, compiled: bool = True) -> FloatArray:
    """[N, K] what a learned belief thinks of the possible codes, or of the worlds it has drawn, in some states."""
    found = weighed_worlds(game, belief, 1, compiled, proposal_data(game, compiled))
    weigh = (compiler.native if compiled else compiler.interpret)(weigh_worlds, game, weighing(game))
    rows, r = np.zeros((len(players), found.weights.shape[1])), np.array((1, 2, 3, 4))
    for i, p in enumerate(players):
        weigh(found, 0, states, i, int(p), r)
        rows[i, : found.count[0]] = found.weights[0, : found.count[0]]
    return rows
