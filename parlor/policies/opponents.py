"""Other players' strategies as flat arrays: tables and networks, any number of them, read by one compiled loop.

Who plays is drawn for each game from a joint distribution over line-ups: the member in each seat, or LEARNER. Some of
the strategies may be mixed in populations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor.compile import Bindings
from parlor.compile.kernel import Float32Array, IntArray, assign, given_logits, key, own_features, play, see
from parlor.game import Floats, Game, GameError, Ints, State
from parlor.policies.features import NO_CODE, encode, features, network_inputs
from parlor.policies.mixture import Mixture
from parlor.policies.nets import forward, forward_inputs, policy_head, softmax
from parlor.policies.policy import Policy, locate
from parlor.policies.population import Population
from parlor.policies.strategy import Strategy

LEARNER = -1
#: A member is a table; or a network that values actions, or what follows; or one that uses all a game declares for it.
TABLE, ACTIONS, AFTERSTATES, DECLARED = range(4)


class OpponentArrays(NamedTuple):
    """The arrays. M members, C line-ups, P players, K rows of all tables."""

    lineups: Any  # [C, P]
    shares: Any  # [C] float64, how often each is played
    network: Any  # [M] what it is: TABLE, ACTIONS, AFTERSTATES or DECLARED
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


class NetworkWorkspace(NamedTuple):
    """Working memory of one player in compiled loops. J numbers, F features, A actions."""

    code: Any  # [J, 3] see `features`
    numbers: Any  # [J]
    active: Any  # [F]
    layers: Any  # [2, the widest layer] float32
    outputs: Any  # [the widest layer, at least A] float32
    values: Any  # [A] of the legal actions
    worlds: Any  # [1] a state to try a move in, if a network needs it
    own_code: Any  # [J or 0, 3] see `network_inputs`
    dense: Any  # [D] float32, the numbers that the game computes
    work: Any  # its own working memory
    given: Any  # [A × K] float32, the given logits of the legal actions, K of each
    parts: Any  # [A, H] see `policy_head`
    multipliers: Any  # [K] the outputs that multiply them


def workspace(code: Any, widest: int, actions: int, worlds: Any = None, game: Game | None = None) -> NetworkWorkspace:
    """Working memory for networks of layers up to that size; `worlds` has a state, if moves are to be tried in it.

    With a `game`, also for networks that use what it declares for them.
    """
    inputs, head, own = (network_inputs(game), policy_head(game), game.features) if game else (None, None, None)
    own_code = inputs.code if inputs else NO_CODE
    size = max(int(code[:, 1].sum()), int(own_code[:, 1].sum()), 1)
    widest = max(widest, actions)
    return NetworkWorkspace(
        np.ascontiguousarray(code),
        np.zeros(max(len(code), len(own_code)), np.int64),
        np.zeros(size, np.int64),
        np.zeros((2, widest), np.float32),
        np.zeros(widest, np.float32),
        np.zeros(actions),
        np.zeros(0, np.int64) if worlds is None else worlds,
        np.ascontiguousarray(own_code),
        np.zeros(inputs.dense if inputs else 0, np.float32),
        np.zeros(own.work if own else 0, np.int64),
        np.zeros(actions * max(1, head.terms if head else 0), np.float32),
        head.parts if head else np.zeros((actions, 0), np.int64),
        np.arange(head.sums, head.outputs) if head else np.zeros(0, np.int64),
    )


def opponent_arrays(
    game: Game, lineups: npt.ArrayLike, shares: npt.ArrayLike, strategies: Sequence[Strategy]
) -> OpponentArrays:
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
    kinds = [TABLE if one is None else kind_of(one) for one in networks]
    is_network = np.array(kinds, np.int64)
    depth = np.array([len(one.sizes) if one is not None else 0 for one in networks], np.int64)
    sizes = np.zeros((len(strategies), max([1, *depth.tolist()])), np.int64)
    for i, one in enumerate(networks):
        if one is not None:
            sizes[i, : depth[i]] = one.sizes
    some = [(one, at) for one, at in zip(tables, probabilities.tolist(), strict=False) if one is not None]
    return OpponentArrays(
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


def kind_of(network: Any) -> int:
    """The kind of member that a network is."""
    if network.declared:
        return DECLARED
    return AFTERSTATES if network.afterstates else ACTIONS


def _reads_the_same(strategy: Any, game: Game) -> bool:
    """Whether it is a network with the inputs that networks for the game have now."""
    if strategy.kind != "network":
        return False
    if strategy.declared:
        return bool(strategy.declared == network_inputs(game).digest)
    return np.array_equal(strategy.code, features(game).code)


def self_play(players: int) -> OpponentArrays:
    """Nobody else: the learner sits in every seat."""
    nobody = np.zeros(0, np.int64)
    return OpponentArrays(
        np.full((1, players), LEARNER), np.ones(1), nobody, nobody, nobody, nobody, nobody, nobody, np.zeros(0),
        np.zeros((0, 1), np.int64), nobody, np.zeros(0), np.zeros(0, np.float32),
    )  # fmt: skip


# --------------------------------------------------------------------------------------------------- line-ups


class OpponentLineups:
    """Line-ups that are put together one by one; each different strategy is in the bundle once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rows: list[list[int]] = []
        self.shares: list[float] = []
        self._places: dict[int, int] = {}
        self._strategies: list[Strategy] = []

    def add(self, seats: dict[int, Strategy], share: float) -> None:
        """Strategies by seat; the learner sits in all others."""
        row = [LEARNER] * self.game.players
        for seat, strategy in seats.items():
            if id(strategy) not in self._places:
                self._places[id(strategy)] = len(self._strategies)
                self._strategies.append(strategy)
            row[seat] = self._places[id(strategy)]
        self.rows.append(row)
        self.shares.append(share)

    def add_mixture(
        self, player: int, members: Sequence[Sequence[Strategy]], mixture: Mixture, share: float = 1.0
    ) -> None:
        """All that the others of `player` ever play, as they are mixed jointly; together they have a share."""
        others = mixture.others(player)
        played, shares = np.argwhere(others > 0.0), others[others > 0.0]
        seats = [p for p in range(self.game.players) if p != player]
        for combination, chance in zip(played.tolist(), (shares / shares.sum() * share).tolist(), strict=True):
            self.add({q: members[q][number] for q, number in zip(seats, combination, strict=True)}, chance)

    def arrays(self) -> OpponentArrays:
        """All of them in one bundle."""
        return opponent_arrays(self.game, np.array(self.rows), np.array(self.shares), self._strategies)


def against_all(game: Game, strategies: Sequence[Strategy]) -> OpponentArrays:
    """The learner in each seat as often, and against each of these strategies as often."""
    found, share = OpponentLineups(game), 1.0 / (game.players * len(strategies))
    for player in range(game.players):
        for one in strategies:
            if isinstance(one, Population):
                found.add_mixture(player, one.members, one.mixture, share)
            else:
                found.add({q: one for q in range(game.players) if q != player}, share)
    return found.arrays()


def shares_by_seat(members: OpponentArrays) -> Any:
    """[players, line-ups] how often each is played where the learner is a certain player; rows of others are 0."""
    shares = np.where(members.lineups.T == LEARNER, members.shares, 0.0)
    totals = shares.sum(axis=1, keepdims=True)
    return shares / np.where(totals > 0.0, totals, 1.0)


# --------------------------------------------------------------------------------------------------- kernels


def encode_view(s: State, p: int, workspace: NetworkWorkspace) -> int:
    """Encode a player's view as features: fill those that are one, and return their number."""
    see(s, p, workspace.numbers)
    return encode(workspace.code, workspace.numbers, workspace.active)


def value_moves(
    sizes: IntArray, weights: Float32Array, count: int, moves: Ints, n: int, workspace: NetworkWorkspace
) -> None:
    """The values of the legal moves, from what was seen last."""
    forward(sizes, weights, workspace.active, count, workspace.layers, workspace.outputs)
    for i in range(n):
        workspace.values[i] = workspace.outputs[moves[i]]


def value_decision(
    sizes: IntArray, weights: Float32Array, s: State, p: int, moves: Ints, n: int, workspace: NetworkWorkspace
) -> None:
    """The values of the legal moves of a player. A slot: see `value_afterstates`."""
    value_moves(sizes, weights, encode_view(s, p, workspace), moves, n, workspace)


def value_afterstates(
    sizes: IntArray, weights: Float32Array, s: State, p: int, moves: Ints, n: int, workspace: NetworkWorkspace
) -> None:
    """The same by a network with one output, the value of what the player sees after a move."""
    for i in range(n):
        assign(workspace.worlds, 0, s)
        play(workspace.worlds[0], int(moves[i]))
        forward(
            sizes,
            weights,
            workspace.active,
            encode_view(workspace.worlds[0], p, workspace),
            workspace.layers,
            workspace.outputs,
        )
        workspace.values[i] = workspace.outputs[0]


def encode_inputs(s: State, p: int, workspace: NetworkWorkspace) -> int:
    """The inputs of networks that use what a game declares: fill those that are one, and `dense`; how many are one."""
    count = 0
    if len(workspace.own_code) > 0:
        see(s, p, workspace.numbers)
        count = encode(workspace.own_code, workspace.numbers, workspace.active)
    own_features(s, p, workspace.dense, workspace.work)
    return count


def give_logits(s: State, p: int, moves: Ints, n: int, workspace: NetworkWorkspace) -> None:
    """Fill the given logits of the legal moves, right after `encode_inputs`."""
    given_logits(s, p, moves, n, workspace.given, workspace.work)


def action_values(moves: Ints, n: int, workspace: NetworkWorkspace) -> None:
    """The logits of the legal moves by the outputs of a network and what is given, as `action_logits` has them."""
    parts, multipliers = workspace.parts, workspace.multipliers
    terms = len(multipliers)
    for i in range(n):
        total = 0.0  # in plain Python, too, sums are of 64 bits
        for h in range(parts.shape[1]):
            part = parts[moves[i], h]
            if part >= 0:
                total += float(workspace.outputs[part])
        for k in range(terms):
            total += (1.0 + float(workspace.outputs[multipliers[k]])) * float(workspace.given[i * terms + k])
        workspace.values[i] = total


def value_declared(
    sizes: IntArray, weights: Float32Array, s: State, p: int, moves: Ints, n: int, workspace: NetworkWorkspace
) -> None:
    """The logits of the legal moves by a network that uses what the game declares for it."""
    count = encode_inputs(s, p, workspace)
    give_logits(s, p, moves, n, workspace)
    forward_inputs(sizes, weights, workspace.active, count, workspace.dense, workspace.layers, workspace.outputs)
    action_values(moves, n, workspace)


def opponent_bindings(members: OpponentArrays) -> Bindings:
    """Return the further bindings of kernels that weigh these members."""
    if (members.network == AFTERSTATES).any():
        return {member_probabilities: member_probabilities_by_kind}
    return {member_probabilities: declared_probabilities} if (members.network == DECLARED).any() else {}


def member_randomness(members: OpponentArrays, r: Ints) -> None:
    """Prepare members that draw worlds or games of their own: what they draw follows from a game's random stream.

    A slot, for members that are no tables and networks.
    """


def member_probabilities(
    members: OpponentArrays, m: int, s: State, p: int, moves: Ints, n: int, out: Floats, workspace: NetworkWorkspace
) -> bool:
    """Fill the probabilities of the legal moves as member `m` plays; false if its table is for other rules.

    A slot: see `opponent_bindings`.
    """
    return action_value_probabilities(members, m, s, p, moves, n, out, workspace)


def member_probabilities_by_kind(
    members: OpponentArrays, m: int, s: State, p: int, moves: Ints, n: int, out: Floats, workspace: NetworkWorkspace
) -> bool:
    """The same, if some members are networks that value what their player sees after a move."""
    if members.network[m] == AFTERSTATES:
        weights = members.weights[members.begin[m] : members.end[m]]
        value_afterstates(members.sizes[m, : members.depth[m]], weights, s, p, moves, n, workspace)
        softmax(workspace.values, n, members.temperature[m], out)
        return True
    return declared_probabilities(members, m, s, p, moves, n, out, workspace)


def declared_probabilities(
    members: OpponentArrays, m: int, s: State, p: int, moves: Ints, n: int, out: Floats, workspace: NetworkWorkspace
) -> bool:
    """The same, if some members are networks that use what the game declares for them."""
    if members.network[m] == DECLARED:
        weights = members.weights[members.begin[m] : members.end[m]]
        value_declared(members.sizes[m, : members.depth[m]], weights, s, p, moves, n, workspace)
        softmax(workspace.values, n, members.temperature[m], out)
        return True
    return action_value_probabilities(members, m, s, p, moves, n, out, workspace)


def action_value_probabilities(
    members: OpponentArrays, m: int, s: State, p: int, moves: Ints, n: int, out: Floats, workspace: NetworkWorkspace
) -> bool:
    """The same, if members are tables, and networks that value actions."""
    if members.network[m] == ACTIONS:
        weights = members.weights[members.begin[m] : members.end[m]]
        value_moves(members.sizes[m, : members.depth[m]], weights, encode_view(s, p, workspace), moves, n, workspace)
        softmax(workspace.values, n, members.temperature[m], out)
        return True
    return table_probabilities(members, m, s, p, moves, n, out, workspace)


def table_probabilities(
    members: OpponentArrays, m: int, s: State, p: int, moves: Ints, n: int, out: Floats, workspace: NetworkWorkspace
) -> bool:
    """The same, if all members are tables: it compiles much faster."""
    begin, end = members.begin[m], members.end[m]
    row = locate(members.keys, begin, end, key(s, p)) if begin < end else -1
    if row >= 0 and members.count[row] != n:
        return False
    for i in range(n):
        out[i] = members.probabilities[members.first[row] + i] if row >= 0 else 1.0 / n
    return True
