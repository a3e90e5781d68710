"""Actors: games in lockstep, played by compiled code from one decision of the learner to the next.

A window is T decisions of each of G games. What the learner saw, which actions were legal and what it did go into
arrays, and what everybody got where a game ended; a game that is over is followed by a new one at once. Chance, moves
without a choice and other players' moves lie between two decisions. Each thread has a slice of the games. Each game has
a random stream of its own, named by the seed and its number, so that it does not matter who plays it.

The learner's network is computed inside the loop (on a CPU: only the features that are one cost anything, and only the
outputs of legal actions), or all games wait for the actions that somebody else computes for them in one batch (a GPU).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.compile.kernel import Float32Array, IntArray, copy, deal, inlined, legal, payoff, play, start, turn
from parlor.game import CHANCE, OVER, Game, GameError, State
from parlor.game.rng import choose, seed_stream
from parlor.learn.experience import OTHER_RULES, TOO_LONG, checked
from parlor.policies.features import features, network_inputs
from parlor.policies.nets import add_active, policy_head, softmax
from parlor.policies.opponents import (
    LEARNER,
    NetworkWorkspace,
    OpponentArrays,
    action_values,
    encode_inputs,
    give_logits,
    member_probabilities,
    member_randomness,
    opponent_bindings,
    workspace,
)
from parlor.search.backups import backed_up, backup_of

WORD = 31  # bits in a word of a window: all that is never negative
NEVER_ASKED = -3
SPARSE_RATIO = 8  # times the legal moves: where there are more outputs, each is computed by itself
RESTARTS = 10_000  # games in a row without a decision of the learner
SLICES_A_THREAD = 2


class Window(NamedTuple):
    """T decisions of G games between P players. F inputs that are zero or one, D numbers, A actions."""

    seen: Any  # [T, G, ⌈F/31⌉] int32, inputs, a bit each
    dense: Any  # [T, G, D] float32, the numbers that the game computes for networks
    given: Any  # [T, G, A × K] float32, what the game gives of each action; [T, G, 0] if it gives nothing
    legal: Any  # [T, G, ⌈A/31⌉] int32, actions, a bit each
    player: Any  # [T, G] who decides
    action: Any  # [T, G] int32
    chance: Any  # [T, G] float32, the logarithm of its probability
    value: Any  # [T, G] float32, what the player expects to get, in units of the learner
    over: Any  # [T, G] the line-up that played, if the game ended after this decision, else NOT_OVER
    payoffs: Any  # [T, G, P] float32, what each of them would be paid for that as a learner, in its units


NOT_OVER = -1


class LockstepGames(NamedTuple):
    """G games and P players."""

    states: Any  # [G + 2]; the last two are how games start, and a blank one
    streams: Any  # [G, 4]
    lineup: Any  # [G] which line-up plays
    seats: Any  # [G, P] the members in it, or LEARNER
    number: Any  # [G] of the game that is played, or that of the slot if none has begun
    length: Any  # [G] moves and outcomes so far; STANDING if it is not yet begun


STANDING = -1


class ActorNetwork(NamedTuple):
    """The learner's network: outputs of the policy, then one value, or the value of each action."""

    sizes: Any  # of its layers
    weights: Any


class ActorScratch(NamedTuple):
    """Working memory of a slice."""

    moves: Any  # [A]
    chances: Any  # [A]
    odds: Any  # [outcomes]
    payoffs: Any  # [P]
    workspace: NetworkWorkspace


class ActorRules(NamedTuple):
    """Numbers that all slices have."""

    unit: float  # what the learner is paid is multiplied by this
    objective: int  # what that is, see `parlor.search.backups`
    longest: int  # moves and outcomes of a game
    seed: int
    policy: int  # outputs of the policy, see `parlor.policies.nets`
    plain: int  # 1 if they are the logits of actions
    critics: int  # outputs for values: 1, or one for each action


class GamesAgainst(NamedTuple):
    """A share of the games, against members that are no tables and networks."""

    share: float
    make: Callable[[], tuple[OpponentArrays, compiler.Bindings]]  # with working memory of their own at each call


@dataclass
class Slice:
    """Games that one thread plays at a time, and against whom."""

    first: int
    end: int
    scratch: ActorScratch
    members: OpponentArrays
    slots: compiler.Bindings
    own: bool  # whether its members are those that `Actors.use` changes


class Actors:
    """G games, and whoever plays them; those against given agents are the last ones."""

    def __init__(
        self,
        game: Game,
        members: OpponentArrays,
        games: int,
        *,
        sizes: Any,
        unit: float,
        objective: str = "own",
        seed: int,
        threads: int = 1,
        against: Sequence[GamesAgainst] = (),
    ) -> None:
        self.game, self.count, self.threads = game, games, threads
        self.sizes = np.array(sizes, np.int64)
        self.inputs, self.head = network_inputs(game), policy_head(game)
        self.members = members
        policy = self.head.outputs
        critics = int(sizes[-1]) - policy
        self.rules = ActorRules(
            unit, backup_of(objective).number, game.length, seed, policy, int(self.head.plain), critics
        )
        self.games = LockstepGames(
            compiler.states(game, games + 2, True),
            np.zeros((games, 4), np.int64),
            np.zeros(games, np.int64),
            np.full((games, game.players), LEARNER),
            np.arange(games),
            np.full(games, STANDING),
        )
        copies = self.games.states
        compiler.native(set_up, game)(copies, games)
        self._slices = [one for part in self._parts(against) for one in self._cut(*part, SLICES_A_THREAD * threads)]
        self._pool: ThreadPoolExecutor | None = None

    def _parts(self, against: Sequence[GamesAgainst]) -> list[tuple[int, int, GamesAgainst | None]]:
        """First and last of the games against the same members; they do not depend on the number of threads."""
        counts = [round(one.share * self.count) for one in against]
        edges = np.cumsum([max(0, self.count - sum(counts)), *counts]).clip(max=self.count).tolist()
        pairs = zip([0, *edges], edges, [None, *against], strict=False)
        return [(first, end, one) for first, end, one in pairs if first < end]

    def _cut(self, first: int, end: int, against: GamesAgainst | None, slices: int) -> list[Slice]:
        """Slices of a part, as many as its share of all slices; all threads play against each agent."""
        games = end - first
        pieces = min(games, max(self.threads if against else 1, round(slices * games / self.count)))
        found = []
        for i in range(pieces):
            members, slots = against.make() if against else (self.members, opponent_bindings(self.members))
            edges = first + games * i // pieces, first + games * (i + 1) // pieces
            found.append(Slice(*edges, self._new_scratch(), members, slots, against is None))
        return found

    @property
    def slices(self) -> int:
        """Their number."""
        return len(self._slices)

    @property
    def own(self) -> int:
        """The number of games that are not against given agents: the first ones."""
        return max((one.end for one in self._slices if one.own), default=0)

    def use(self, members: OpponentArrays) -> None:
        """New games are played against these from now on, unless they are against given agents."""
        self.members, slots = members, opponent_bindings(members)
        for one in self._slices:
            if one.own:
                one.members, one.slots = members, slots

    def _new_scratch(self) -> ActorScratch:
        game = self.game
        widest = max(int(self.sizes.max()), int(self.members.sizes.max(initial=1)))
        working = workspace(features(game).code, widest, game.actions, compiler.states(game, 1, True), game)
        actions = game.actions
        payoffs = np.zeros(game.players)
        return ActorScratch(np.zeros(actions, np.int64), np.zeros(actions), np.zeros(game.outcomes), payoffs, working)

    def new_window(self, steps: int) -> Window:
        """An empty window."""
        shape, actions = (steps, self.count), self.game.actions
        return Window(
            np.zeros((*shape, -(-self.inputs.bits // WORD)), np.int32),
            np.zeros((*shape, self.inputs.dense), np.float32),
            np.zeros((*shape, actions * self.head.terms), np.float32),
            np.zeros((*shape, -(-actions // WORD)), np.int32),
            np.zeros(shape, np.int64),
            np.zeros(shape, np.int32),
            np.zeros(shape, np.float32),
            np.zeros(shape, np.float32),
            np.full(shape, NOT_OVER),
            np.zeros((*shape, self.game.players), np.float32),
        )

    def play(self, window: Window, weights: Any) -> None:
        """Fill a window, with the network computed in the loop."""
        network = ActorNetwork(self.sizes, weights)

        def work(one: Slice) -> int:
            play = compiler.native(play_window, self.game, one.slots)
            return int(play(self.games, one.first, one.end, one.members, window, network, one.scratch, self.rules))

        self._run(work, self._slices)

    def step(self, window: Window, t: int, group: int, groups: int) -> None:
        """In the games of a group, make the decisions of step t - 1 and write what is seen at step `t`."""

        def work(one: Slice) -> int:
            play = compiler.native(play_step, self.game, one.slots)
            return int(play(self.games, one.first, one.end, t, one.members, window, one.scratch, self.rules))

        self._run(work, self._group(group, groups))

    def _group(self, group: int, groups: int) -> list[Slice]:
        return self._slices[self.slices * group // groups : self.slices * (group + 1) // groups]

    def part(self, group: int, groups: int) -> slice:
        """The games of a group."""
        mine = self._group(group, groups)
        return slice(mine[0].first, mine[-1].end)

    def _run(self, work: Callable[[Slice], int], slices: Sequence[Slice]) -> None:
        if self.threads > 1 and self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads)
        for found in self._pool.map(work, slices) if self._pool is not None else map(work, slices):
            if found == NEVER_ASKED:
                raise GameError(f"In {RESTARTS:,} games of {self.game.name} the learner never had a choice.")
            checked(self.game, found)

    def close(self) -> None:
        """Stop the threads; they start again if they are needed."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def state(self) -> dict[str, Any]:
        """The states of all games, as arrays."""
        games = self.games
        whole = games.states[: self.count].view(np.int64).reshape(self.count, -1).copy()
        rest = {name: array.copy() for name, array in games._asdict().items() if name != "states"}
        return {f"games.{name}": array for name, array in ({"states": whole} | rest).items()}

    def restore(self, state: Any) -> None:
        """As they stood when `state` was called."""
        games = self.games
        if np.shape(state["games.number"]) != games.number.shape:
            raise GameError(
                f"The run plays {len(state['games.number']):,} games side by side, not {self.count:,}: "
                f"it cannot go on so."
            )
        games.states[: self.count].view(np.int64).reshape(self.count, -1)[:] = state["games.states"]
        for name, array in games._asdict().items():
            if name != "states":
                array[:] = state[f"games.{name}"]


# --------------------------------------------------------------------------------------------------- kernels


def set_up(states: Any, count: int) -> None:
    """Write how games start."""
    copy(states, count, states, count + 1)  # `start` wants a blank state
    start(states[count])


@inlined
def begin_game(games: LockstepGames, g: int, members: OpponentArrays, rules: ActorRules) -> None:
    """Begin the next game of a slot."""
    count = len(games.number)
    copy(games.states, g, games.states, count)
    seed_stream(games.streams[g], rules.seed, games.number[g])
    chosen = 0
    if len(members.shares) > 1:
        chosen = choose(games.streams[g], members.shares, len(members.shares))
    games.lineup[g] = chosen
    for p in range(games.seats.shape[1]):
        games.seats[g, p] = members.lineups[chosen, p]
    games.length[g] = 0


def play_on(
    games: LockstepGames, g: int, t: int, members: OpponentArrays, window: Window, w: ActorScratch, rules: ActorRules
) -> int:
    """Play a game, and those after it, up to the next decision of the learner: how many moves are legal there.

    The legal moves are in the working memory. If a game ended, what everybody got is written beside decision `t`,
    unless that is negative. A negative number on failure.
    """
    r = games.streams[g]
    fresh = True
    for _ in range(RESTARTS):
        if games.length[g] == STANDING:
            begin_game(games, g, members, rules)
        s = games.states[g]
        who = turn(s)
        while who != OVER:
            if games.length[g] >= rules.longest:
                return TOO_LONG
            if who == CHANCE:
                move = deal(s, w.odds, r)
            else:
                n = legal(s, w.moves)
                move = w.moves[0]
                if n > 1:
                    member = games.seats[g, who]
                    if member == LEARNER:
                        return n
                    member_randomness(members, r)
                    if not member_probabilities(members, member, s, who, w.moves, n, w.chances, w.workspace):
                        return OTHER_RULES
                    move = w.moves[choose(r, w.chances, n)]
            games.length[g] += 1
            play(s, int(move))
            who = turn(s)
        if fresh and t >= 0:
            window.over[t, g] = games.lineup[g]
            for p in range(len(w.payoffs)):
                w.payoffs[p] = payoff(s, p)
            for p in range(len(w.payoffs)):
                window.payoffs[t, g, p] = backed_up(w.payoffs, p, rules.objective) * rules.unit
            fresh = False
        games.number[g] += len(games.number)
        games.length[g] = STANDING
    return NEVER_ASKED


@inlined
def pack_words(ones: IntArray, count: int, out: IntArray) -> None:
    """Write numbers as the bits that are one."""
    for w in range(len(out)):
        out[w] = 0
    for k in range(count):
        out[ones[k] // WORD] |= 1 << (ones[k] % WORD)


@inlined
def observe(s: State, p: int, t: int, g: int, n: int, window: Window, w: ActorScratch) -> int:
    """Write what a player sees and may do; how many inputs are one."""
    count = encode_inputs(s, p, w.workspace)
    give_logits(s, p, w.moves, n, w.workspace)
    pack_words(w.workspace.active, count, window.seen[t, g])
    pack_words(w.moves, n, window.legal[t, g])
    dense = window.dense[t, g]
    for i in range(len(dense)):
        dense[i] = w.workspace.dense[i]
    if window.given.shape[2] > 0:
        given, terms = window.given[t, g], len(w.workspace.multipliers)
        for i in range(n):
            for k in range(terms):
                given[w.moves[i] * terms + k] = w.workspace.given[i * terms + k]
    window.player[t, g] = p
    window.over[t, g] = NOT_OVER
    return count


def play_window(
    games: LockstepGames,
    first: int,
    end: int,
    members: OpponentArrays,
    window: Window,
    network: ActorNetwork,
    w: ActorScratch,
    rules: ActorRules,
) -> int:
    """Fill the window for some games; a negative number on failure."""
    steps = len(window.player)
    for g in range(first, end):
        for t in range(steps + 1):
            n = play_on(games, g, t - 1, members, window, w, rules)
            if n < 0:
                return n
            if t == steps:
                break
            s = games.states[g]
            who = turn(s)
            count = observe(s, who, t, g, n, window, w)
            window.value[t, g] = evaluate_decision(network, count, w, n, rules)
            i = choose(games.streams[g], w.chances, n)
            window.action[t, g] = w.moves[i]
            window.chance[t, g] = np.log(w.chances[i])
            games.length[g] += 1
            play(s, int(w.moves[i]))
    return 0


def play_step(
    games: LockstepGames,
    first: int,
    end: int,
    t: int,
    members: OpponentArrays,
    window: Window,
    w: ActorScratch,
    rules: ActorRules,
) -> int:
    """Make the decisions of step t - 1 in some games, and go on to step `t`; a negative number on failure."""
    for g in range(first, end):
        if t > 0:
            games.length[g] += 1
            play(games.states[g], int(window.action[t - 1, g]))
        n = play_on(games, g, t - 1, members, window, w, rules)
        if n < 0:
            return n
        if t < len(window.player):
            s = games.states[g]
            observe(s, turn(s), t, g, n, window, w)
    return 0


def hidden_layers(sizes: IntArray, weights: Float32Array, count: int, workspace: NetworkWorkspace) -> int:
    """Compute all layers but the last from the inputs in the working memory; which row of `layers` has the result."""
    layers, dense = workspace.layers, workspace.dense
    add_active(sizes, weights, workspace.active, count, layers[0])
    m = sizes[1]
    first = sizes[0] - len(dense)
    x = layers[0]
    for i in range(len(dense)):
        v = dense[i]
        if v != 0.0:
            row = weights[(first + i) * m : (first + i) * m + m]
            for j in range(m):
                x[j] += v * row[j]
    at = sizes[0] * m + m
    for layer in range(2, len(sizes) - 1):
        n = sizes[layer - 1]
        m = sizes[layer]
        x = layers[layer & 1]
        y = layers[(layer & 1) ^ 1]
        next_layer(weights[at : at + n * m + m], n, m, x, y)
        at += n * m + m
    last = (len(sizes) & 1) ^ 1
    x = layers[last]
    for j in range(sizes[len(sizes) - 2]):
        x[j] = max(x[j], np.float32(0.0))
    return last


def next_layer(weights: Float32Array, n: int, m: int, x: Float32Array, y: Float32Array) -> None:
    """From `n` sums, rectified here, to the next `m`."""
    bias = weights[n * m :]
    for j in range(m):
        y[j] = bias[j]
    for i in range(n):
        if x[i] > 0.0:
            v = x[i]
            row = weights[i * m : i * m + m]
            for j in range(m):
                y[j] += v * row[j]


def one_output(sizes: IntArray, weights: Float32Array, x: Float32Array, j: int) -> float:
    """One output of the last layer."""
    n = sizes[len(sizes) - 2]
    m = sizes[len(sizes) - 1]
    at = len(weights) - n * m - m
    total = weights[at + n * m + j]
    for i in range(n):
        total += x[i] * weights[at + i * m + j]
    return float(total)


def evaluate_decision(network: ActorNetwork, count: int, w: ActorScratch, n: int, rules: ActorRules) -> float:
    """Fill the probabilities of the `n` legal moves of whoever sees `count` inputs that are one; return the value."""
    sizes, weights = network
    outputs = w.workspace.outputs
    x = w.workspace.layers[hidden_layers(sizes, weights, count, w.workspace)]
    value = 0.0
    if rules.plain == 1 and rules.critics == 1 and SPARSE_RATIO * n < rules.policy:
        for i in range(n):
            w.workspace.values[i] = one_output(sizes, weights, x, w.moves[i])
        value = one_output(sizes, weights, x, rules.policy)
        softmax(w.workspace.values, n, 1.0, w.chances)
        return value
    width = sizes[len(sizes) - 2]
    last = sizes[len(sizes) - 1]
    next_layer(weights[len(weights) - width * last - last :], width, last, x, outputs)
    action_values(w.moves, n, w.workspace)
    softmax(w.workspace.values, n, 1.0, w.chances)
    if rules.critics == 1:
        return float(outputs[rules.policy])
    for i in range(n):
        value += w.chances[i] * outputs[rules.policy + w.moves[i]]
    return value
