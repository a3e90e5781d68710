"""Other players' strategies as flat arrays: tables and networks, any number of them, read by one compiled loop.

Who plays is drawn for each game from a joint distribution over line-ups: the member in each seat, or LEARNER.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor.compile import Bindings
from parlor.compile.arrays import Float32Array, IntArray
from parlor.compile.kernel import assign, key, play, see
from parlor.game import Floats, Game, GameError, Ints, State
from parlor.policies.features import encode, features
from parlor.policies.nets import forward, softmax
from parlor.policies.policy import Policy, locate
from parlor.policies.strategy import Strategy

LEARNER = -1
TABLE, ACTIONS, AFTERSTATES = range(3)  # what a member is: a table, or a network that values actions, or what follows


class Members(NamedTuple):
    """The arrays. M members, C line-ups, P players, K rows of all tables."""

    lineups: Any  # [C, P]
    shares: Any  # [C] float64, how often each is played
    network: Any  # [M] what it is: TABLE, ACTIONS or AFTERSTATES
    begin: Any  # [M] its first row, or weight
    end: Any  # [M] where those end
    keys: Any  # [K] ascending within each table
    first: Any  # [K] where a row begins in `probabilities`
    count: Any  # [K] how long it is
    probabilities: Any
    sizes: Any  # [M, layers] of a network
    depth: Any  # [M] how many layers
    temperature: Any  # [M]
    weights: Any  # float32


class MemberMind(NamedTuple):
    """Working memory of one player in compiled loops. J numbers, F features, A actions."""

    code: Any  # [J, 3] see `features`
    numbers: Any  # [J]
    active: Any  # [F]
    layers: Any  # [2, the widest layer] float32
    outputs: Any  # [A] float32
    values: Any  # [A] of the legal actions
    worlds: Any  # [1] a state to try a move in, if a network needs it


def mind(code: Any, widest: int, actions: int, worlds: Any = None) -> MemberMind:
    """Working memory for networks of layers up to that size; `worlds` has a state, if moves are to be tried in it."""
    size = int(code[:, 1].sum())
    return MemberMind(
        np.ascontiguousarray(code),
        np.zeros(len(code), np.int64),
        np.zeros(max(size, 1), np.int64),
        np.zeros((2, max(widest, actions)), np.float32),
        np.zeros(actions, np.float32),
        np.zeros(actions),
        np.zeros(0, np.int64) if worlds is None else worlds,
    )


def members_of(game: Game, lineups: npt.ArrayLike, shares: npt.ArrayLike, strategies: Sequence[Strategy]) -> Members:
    """Strategies for `game` in one bundle; a line-up names them by their place in the list."""
    tables: list[Policy | None] = []
    networks: list[Any] = []
    for strategy in strategies:
        if strategy.game != game.name:
            raise GameError(f"A {strategy.kind} for {strategy.game} cannot play {game.name}.")
        if _reads_the_same(strategy, game):
            networks.append(strategy)
            tables.append(None)
            continue
        if strategy.table is None:
            raise GameError(f"A {strategy.kind} for {strategy.game} is no table, so nothing can be trained against it.")
        tables.append(strategy.table)
        networks.append(None)
    rows = np.cumsum([0, *(len(one) if one is not None else 0 for one in tables)])
    numbers = np.cumsum([0, *(len(one.weights) if one is not None else 0 for one in networks)])
    probabilities = np.cumsum([0, *(len(one.probabilities) if one is not None else 0 for one in tables)])
    kinds = [TABLE if one is None else AFTERSTATES if one.afterstates else ACTIONS for one in networks]
    is_network = np.array(kinds, np.int64)
    depth = np.array([len(one.sizes) if one is not None else 0 for one in networks], np.int64)
    sizes = np.zeros((len(strategies), max([1, *depth.tolist()])), np.int64)
    for i, one in enumerate(networks):
        if one is not None:
            sizes[i, : depth[i]] = one.sizes
    some = [(one, at) for one, at in zip(tables, probabilities.tolist(), strict=False) if one is not None]
    return Members(
        np.ascontiguousarray(lineups, np.int64),
        np.ascontiguousarray(shares, np.float64),
        is_network,
        np.where(is_network != TABLE, numbers[:-1], rows[:-1]),
        np.where(is_network != TABLE, numbers[1:], rows[1:]),
        np.concatenate([np.zeros(0, np.int64), *(one.keys for one, _ in some)]),
        np.concatenate([np.zeros(0, np.int64), *(one.starts[:-1] + at for one, at in some)]),
        np.concatenate([np.zeros(0, np.int64), *(np.diff(one.starts) for one, _ in some)]),
        np.concatenate([np.zeros(0), *(one.probabilities for one, _ in some)]),
        sizes,
        depth,
        np.array([one.temperature if one is not None else 0.0 for one in networks], np.float64),
        np.concatenate([np.zeros(0, np.float32), *(one.weights for one in networks if one is not None)]),
    )


def _reads_the_same(strategy: Strategy, game: Game) -> bool:
    """Whether it is a network with the features that networks for the game have now."""
    return strategy.kind == "network" and np.array_equal(strategy.code, features(game).code)  # type: ignore[attr-defined]


def self_play(players: int) -> Members:
    """Nobody else: the learner sits in every seat."""
    nobody = np.zeros(0, np.int64)
    return Members(
        np.full((1, players), LEARNER), np.ones(1), nobody, nobody, nobody, nobody, nobody, nobody, np.zeros(0),
        np.zeros((0, 1), np.int64), nobody, np.zeros(0), np.zeros(0, np.float32),
    )  # fmt: skip


def look(s: State, p: int, mind: MemberMind) -> int:
    """Encode a player's view as features: fill those that are one, and return their number."""
    see(s, p, mind.numbers)
    return encode(mind.code, mind.numbers, mind.active)


def value_moves(sizes: IntArray, weights: Float32Array, count: int, moves: Ints, n: int, mind: MemberMind) -> None:
    """The values of the legal moves, from what was seen last."""
    forward(sizes, weights, mind.active, count, mind.layers, mind.outputs)
    for i in range(n):
        mind.values[i] = mind.outputs[moves[i]]


def value_decision(
    sizes: IntArray, weights: Float32Array, s: State, p: int, moves: Ints, n: int, mind: MemberMind
) -> None:
    """The values of the legal moves of a player. A slot: see `value_afterstates`."""
    value_moves(sizes, weights, look(s, p, mind), moves, n, mind)


def value_afterstates(
    sizes: IntArray, weights: Float32Array, s: State, p: int, moves: Ints, n: int, mind: MemberMind
) -> None:
    """The same by a network with one output, the value of what the player sees after a move."""
    for i in range(n):
        assign(mind.worlds, 0, s)
        play(mind.worlds[0], int(moves[i]))
        forward(sizes, weights, mind.active, look(mind.worlds[0], p, mind), mind.layers, mind.outputs)
        mind.values[i] = mind.outputs[0]


def slots_of(members: Members) -> Bindings:
    """Return the further bindings of kernels that weigh these members."""
    return {weigh_member: weigh_any} if (members.network == AFTERSTATES).any() else {}


def weigh_member(
    members: Members, m: int, s: State, p: int, moves: Ints, n: int, out: Floats, mind: MemberMind
) -> bool:
    """Fill the probabilities of the legal moves as member `m` plays; false if its table is for other rules.

    A slot: see `slots_of`.
    """
    return weigh_actions(members, m, s, p, moves, n, out, mind)


def weigh_any(members: Members, m: int, s: State, p: int, moves: Ints, n: int, out: Floats, mind: MemberMind) -> bool:
    """The same, if some members are networks that value what their player sees after a move."""
    if members.network[m] == AFTERSTATES:
        weights = members.weights[members.begin[m] : members.end[m]]
        value_afterstates(members.sizes[m, : members.depth[m]], weights, s, p, moves, n, mind)
        softmax(mind.values, n, members.temperature[m], out)
        return True
    return weigh_actions(members, m, s, p, moves, n, out, mind)


def weigh_actions(
    members: Members, m: int, s: State, p: int, moves: Ints, n: int, out: Floats, mind: MemberMind
) -> bool:
    """The same, if members are tables, and networks that value actions."""
    if members.network[m] == ACTIONS:
        weights = members.weights[members.begin[m] : members.end[m]]
        value_moves(members.sizes[m, : members.depth[m]], weights, look(s, p, mind), moves, n, mind)
        softmax(mind.values, n, members.temperature[m], out)
        return True
    return weigh_table(members, m, s, p, moves, n, out, mind)


def weigh_table(members: Members, m: int, s: State, p: int, moves: Ints, n: int, out: Floats, mind: MemberMind) -> bool:
    """The same, if all members are tables: it compiles much faster."""
    begin, end = members.begin[m], members.end[m]
    row = locate(members.keys, begin, end, key(s, p)) if begin < end else -1
    if row >= 0 and members.count[row] != n:
        return False
    for i in range(n):
        out[i] = members.probabilities[members.first[row] + i] if row >= 0 else 1.0 / n
    return True
