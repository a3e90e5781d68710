"""A network as a strategy: the values of actions from what a player sees; it plays the best, or a softmax of them.

As a header and arrays, which is how it is kept in files, a network that learned from search, or with a value, has its
planner: the whole policy-value network, and the belief network. Where the network is that of the planner without the
value, its weights are not written twice. A checkpoint of a run also has what its training needs to go on: the
optimiser, the target network and the replay, which is many times as large. The two newest checkpoints of a run have it;
older ones are reduced to the network.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.compile import version
from parlor.compile.kernel import Float32Array, FloatArray, IntArray, States, copy, legal, play, start
from parlor.game import Game, GameError, Ints, Position
from parlor.game.loading import game_of
from parlor.game.seats.play import PolicySeat
from parlor.policies.beliefs import BeliefNetwork
from parlor.policies.features import network_inputs
from parlor.policies.nets import Weights, parameters, policy_head, softmax
from parlor.policies.opponents import (
    NetworkWorkspace,
    OpponentArrays,
    value_afterstates,
    value_decision,
    value_declared,
    workspace,
)
from parlor.policies.policy import Policy
from parlor.policies.search_networks import SearchNetworks, some_outputs
from parlor.sequence_form.tree import Tree, tree_if_small


@dataclass(frozen=True, eq=False)
class NetworkPolicy:
    """A multilayer perceptron of the values of actions, see `parlor.policies.nets`."""

    kind: ClassVar[str] = "network"

    game: str  # the game's name with its options
    rules: str  # the version of its rules
    code: npt.NDArray[np.int64]  # [J, 3] its features, see `parlor.policies.features`
    sizes: tuple[int, ...]  # of its layers: features, …, actions
    weights: Weights  # see `parlor.policies.nets`
    scale: float  # payoffs were divided by this
    temperature: float = 0.0  # of the softmax, in the units of its values; 0: the best action
    about: Mapping[str, Any] = field(default_factory=dict)  # how it was made
    source: str = ""  # the full path of the game's rules file; empty for games that have none
    afterstates: bool = False  # it has one output, the value of what its player sees after a move, and makes the best
    search_networks: SearchNetworks | None = None  # of a network that learned from search: what one needs to search on
    declared: str = ""  # the hash of what the game declares for networks, if it uses that, see `network_inputs`
    logits: bool = False  # its outputs are logits of a policy, not values of actions

    def __post_init__(self) -> None:
        """Refuse parts that do not fit together."""
        bits = int(self.code[:, 1].sum()) if self.code.ndim == 2 and self.code.shape[1] == 3 else -1
        if not 0 <= bits <= self.sizes[0] or (bits < self.sizes[0] and not self.declared):
            raise GameError(f"A network for {self.game} has {self.sizes[0]} inputs, which its features do not fill.")
        if len(self.weights) != parameters(self.sizes):
            raise GameError(
                f"A network for {self.game} has {len(self.weights):,} weights where {parameters(self.sizes):,} are "
                f"needed."
            )
        if not np.isfinite(self.weights).all():
            raise GameError(f"A network for {self.game} has weights that are not finite: its training has diverged.")

    @property
    def name(self) -> str:
        """Its name as an agent."""
        return f"network for {self.game}"

    def __len__(self) -> int:
        """Number of information sets, if they were listed already; else 0: nothing is enumerated to count them."""
        table = self.__dict__.get("table")
        return 0 if table is None else len(table)

    def __bool__(self) -> bool:
        return True

    def describe(self) -> str:
        """Describe the network in a few words."""
        plays = f"softmax at {self.temperature:g}" if self.temperature else "greedy"
        return f"network for {self.game}: {'-'.join(map(str, self.sizes))}, {plays}"

    def __repr__(self) -> str:
        return f"<{self.describe()}>"

    def with_about(self, **about: Any) -> NetworkPolicy:
        """The same network with more entries about how it was made."""
        return replace(self, about={**self.about, **about})

    def with_temperature(self, temperature: float) -> NetworkPolicy:
        """The same network with another softmax; 0 for the best action."""
        return replace(self, temperature=temperature)

    def new_workspace(self, game: Game, compiled: bool, widest: int = 0) -> NetworkWorkspace:
        """Working memory to evaluate it with, or a network as wide, by compiled or plain rules of the game."""
        worlds = compiler.states(game, 1, compiled) if self.afterstates else None
        return workspace(self.code, max(*self.sizes, widest), game.actions, worlds, game if self.declared else None)

    @property
    def slots(self) -> compiler.Bindings:
        """The further bindings of kernels that call `value_decision`."""
        if self.declared:
            return {value_decision: value_declared}
        return {value_decision: value_afterstates} if self.afterstates else {}

    def check_game(self, game: Game) -> None:
        """Raise GameError for a game that the network was not made for."""
        if game.name != self.game and version(game) != self.rules:
            raise GameError(f"The network is for {self.game}, not for {game.name}.")
        self.check_fit(game)

    def check_fit(self, game: Game) -> None:
        """Raise GameError if its inputs or outputs are not those of networks for the game."""
        if self.declared:
            inputs, outputs = network_inputs(game), policy_head(game).outputs
            if self.declared != inputs.digest or self.sizes[0] != inputs.size:
                raise GameError(
                    f"What {game.name} declares for networks is not what {self.name} was made for. Train it anew."
                )
        else:
            outputs = 1 if self.afterstates else game.actions
        if self.sizes[-1] not in (outputs, outputs + 1):  # the last one may be the value
            raise GameError(f"{self.name} has {self.sizes[-1]} outputs, but {game.name} needs {outputs}.")

    def values(self, position: Position) -> dict[str, float]:
        """Return the network's value of each legal move to the player to move, in points of payoff; or their logits."""
        values = self._computed(position, self.sizes, self.weights).values
        return dict(zip(position.legal, (values[: len(position.actions)] * self.scale).tolist(), strict=True))

    def expectation(self, position: Position) -> float | None:
        """The expected payoff of the player to move, in points, if the network has an output for that."""
        whole = self.search_networks
        if whole is None or whole.backup != "own":
            return None
        return float(self._computed(position, whole.sizes, whole.weights).outputs[whole.sizes[-1] - 1] * whole.scale)

    def _computed(self, position: Position, sizes: tuple[int, ...], weights: Weights) -> NetworkWorkspace:
        self.check_game(position.game)
        game, moves = position.game, position.actions
        working = self.new_workspace(game, False, max(sizes))
        kernel = compiler.interpret(value_state, game, self.slots)
        kernel(np.array(sizes), weights, [position.state], 0, position.turn, moves, working)
        return working

    def __call__(self, position: Position) -> dict[str, float]:
        """The distribution over the names of the legal moves: a network is an agent."""
        values = self.values(position)
        chances = np.zeros(len(values))
        softmax(np.array(list(values.values())) / self.scale, len(values), self.temperature, chances)
        return dict(zip(values, chances.tolist(), strict=True))

    def sit(self, position: Position, player: int) -> PolicySeat:
        """Take a seat in its own game."""
        return PolicySeat(self.name, self)

    @cached_property
    def table(self) -> Policy | None:
        """Its distributions at all information sets; None if the game is too large."""
        t = tree_if_small(_game(self))
        return None if t is None else tabulated(self, t)


#: Games that networks are for, by name and rules: their trees are enumerated once, not for every network.
_in_use: weakref.WeakValueDictionary[tuple[str, str], Game] = weakref.WeakValueDictionary()


def remember(game: Game) -> None:
    """Networks for this game use its tree, if it has one."""
    _in_use[game.name, version(game)] = game


def _game(network: NetworkPolicy) -> Game:
    return _in_use.get((network.game, network.rules)) or _loaded(network.game, network.source)


@functools.lru_cache(maxsize=4)
def _loaded(name: str, source: str) -> Game:
    return game_of(SimpleNamespace(game=name, source=source))


def tabulated(network: NetworkPolicy, t: Tree) -> Policy:
    """The distributions of a network at one history of each information set."""
    if version(t.game) != network.rules:
        raise GameError(f"The rules of {t.game.name} are not the ones that {network.name} was made for. Train it anew.")
    few = t.infosets < PLAIN_INFOSETS
    rows = np.zeros(int(t.counts.sum()))
    (compiler.interpret if few else compiler.native)(fill_rows, t.game, network.slots)(
        np.array(network.sizes, np.int64),
        network.weights,
        network.temperature,
        network.new_workspace(t.game, not few),
        t.player,
        t.trail.astype(np.int64),
        t.trail_begin,
        t.trail_length,
        compiler.states(t.game, 2, not few),
        np.zeros(t.game.actions, np.int64),
        rows,
    )
    policy = Policy.from_rows(t.game, t.keys, t.counts, rows)
    return replace(policy, about=network.about, source=network.source)


PLAIN_INFOSETS = 100  # information sets: below, nothing is compiled


def value_state(
    sizes: IntArray, weights: Float32Array, states: States, g: int, p: int, moves: Ints, workspace: NetworkWorkspace
) -> None:
    """The values of the legal moves of a player."""
    value_decision(sizes, weights, states[g], p, moves, len(moves), workspace)


def fill_rows(
    sizes: IntArray,
    weights: Float32Array,
    temperature: float,
    workspace: NetworkWorkspace,
    player: IntArray,
    trail: IntArray,
    begin: IntArray,
    length: IntArray,
    states: States,
    moves: Ints,
    rows: FloatArray,
) -> None:
    """Play to each information set and fill its row."""
    at = 0
    start(states[1])
    for i in range(len(player)):
        copy(states, 0, states, 1)
        s = states[0]
        for j in range(begin[i], begin[i] + length[i]):
            play(s, int(trail[j]))
        n = legal(s, moves)
        row = rows[at : at + n]
        value_decision(sizes, weights, s, int(player[i]), moves, n, workspace)
        softmax(workspace.values, n, temperature, row)
        at += n


# --------------------------------------------------------------------------------- as a header and arrays, for files

FORMAT = "parlor network 1"
OTHERS = "others."  # how names of arrays begin: of whom a planner plays against


def pack(network: NetworkPolicy, head: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The entries of the header and the arrays of a network."""
    entries = {"sizes": list(network.sizes), "scale": network.scale, "temperature": network.temperature}
    entries |= {"afterstates": True} if network.afterstates else {}
    entries |= {"declared": network.declared} if network.declared else {}
    entries |= {"logits": True} if network.logits else {}
    arrays = {"code": network.code, "weights": network.weights}
    if network.search_networks is not None:
        entries["planner"], own = _taken_apart(network.search_networks)
        arrays |= own
        if _is_part(network):
            del arrays["weights"]
    return entries, arrays


def unpack(head: Mapping[str, Any], arrays: Mapping[str, Any]) -> NetworkPolicy:
    """A network from its header and its arrays."""
    planner = _put_together(head["planner"], arrays) if "planner" in head else None
    sizes = tuple(map(int, head["sizes"]))
    if "weights" not in arrays and planner is not None:
        arrays = {**arrays, "weights": some_outputs(planner.sizes, planner.weights, 0, sizes[-1])[1]}
    return NetworkPolicy(
        head["game"],
        head["rules"],
        arrays["code"].astype(np.int64),
        sizes,
        arrays["weights"].astype(np.float32),
        float(head["scale"]),
        float(head["temperature"]),
        head["about"],
        str(head.get("source", "")),
        bool(head.get("afterstates", False)),
        planner,
        str(head.get("declared", "")),
        bool(head.get("logits", planner is not None and not head.get("afterstates"))),  # older files do not say it
    )


def _is_part(network: NetworkPolicy) -> bool:
    """Whether a network is that of its planner, without what follows its own outputs."""
    whole = network.search_networks
    if whole is None or whole.sizes[:-1] != network.sizes[:-1] or whole.sizes[-1] < network.sizes[-1]:
        return False
    return np.array_equal(some_outputs(whole.sizes, whole.weights, 0, network.sizes[-1])[1], network.weights)


def _taken_apart(search_networks: SearchNetworks) -> tuple[dict[str, Any], dict[str, Any]]:
    """The entry of a planner in the header, and its arrays."""
    entry: dict[str, Any] = {
        name: getattr(search_networks, name) for name in ("scale", "backup", "belief", "simulations", "c")
    }
    arrays = {"planner.weights": search_networks.weights}
    entry["sizes"] = list(search_networks.sizes)
    if search_networks.network is not None:
        entry["network"] = {"kind": search_networks.network.kind, "sizes": list(search_networks.network.sizes)}
        arrays["belief.weights"] = search_networks.network.weights
    if search_networks.others is not None:
        arrays |= {OTHERS + name: array for name, array in search_networks.others._asdict().items()}
    return entry, arrays


def _put_together(entry: Mapping[str, Any], arrays: Mapping[str, Any]) -> SearchNetworks:
    """A planner from its entry and its arrays."""
    belief = entry.get("network")
    return SearchNetworks(
        tuple(map(int, entry["sizes"])),
        arrays["planner.weights"].astype(np.float32),
        float(entry["scale"]),
        entry["backup"],
        entry["belief"],
        int(entry["simulations"]),
        float(entry["c"]),
        belief and BeliefNetwork(belief["kind"], tuple(map(int, belief["sizes"])), arrays["belief.weights"]),
        OpponentArrays(*(arrays[OTHERS + name] for name in OpponentArrays._fields))
        if f"{OTHERS}lineups" in arrays
        else None,
    )
