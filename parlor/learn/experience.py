"""Games that a network learns from, played in one compiled loop into a ring, and batches drawn from it.

The learner explores, opponents play their strategies. Every game has a random stream of its own, named by the seed and
the number of the game, so that it is the same game wherever it is played.

The ring holds decisions in flat arrays: what the player saw and the legal actions, a bit each, the action, and the
place of the same player's next decision in that game; the last one has the payoff instead. So a transition needs no
second copy of what was seen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.compile import Bindings
from parlor.compile.kernel import Bits, IntArray, copy, deal, inlined, legal, payoff, play, start, turn
from parlor.game import CHANCE, OVER, Floats, Game, GameError, Ints
from parlor.game.rng import below, choose, seed_stream, uniform
from parlor.policies.nets import softmax
from parlor.policies.opponents import (
    LEARNER,
    NetworkWorkspace,
    OpponentArrays,
    encode_view,
    member_probabilities,
    opponent_bindings,
    value_moves,
    workspace,
)

# --------------------------------------------------------------------------------------------------- the ring

LAST = -1


class Ring(NamedTuple):
    """The arrays. N places, F features and A actions, 63 of them in a word."""

    seen: Any  # [N, ⌈F/63⌉] features
    legal: Any  # [N, ⌈A/63⌉] actions
    action: Any  # [N]
    after: Any  # [N] the place of the player's next decision, or LAST
    payoff: Any  # [N] float32, of last decisions
    count: Any  # [1] decisions ever written; the next one goes to this place, modulo N


class ReplayBatch(NamedTuple):
    """Transitions, as training reads them. K gradient steps of B."""

    seen: Any  # [K, B, F] uint8
    action: Any  # [K, B] int32
    payoff: Any  # [K, B] float32; 0 unless the game ended there
    after: Any  # [K, B, F] uint8: at the decision that it leads to; zeros if the game ended
    legal: Any  # [K, B, A] uint8, there; zeros if the game ended


def new_ring(places: int, features: int, actions: int) -> Ring:
    """An empty ring."""
    return Ring(
        np.zeros((places, -(-features // 63)), np.int64),
        np.zeros((places, -(-actions // 63)), np.int64),
        np.zeros(places, np.int64),
        np.full(places, LAST, np.int64),
        np.zeros(places, np.float32),
        np.zeros(1, np.int64),
    )


def draw_batch(
    ring: Ring, features: int, actions: int, updates: int, size: int, seed: int, number: int, steps: int = 1
) -> ReplayBatch:
    """Batch `number` of a seed: transitions drawn uniformly, each over so many decisions of its player."""
    batch = ReplayBatch(
        np.zeros((updates, size, features), np.uint8),
        np.zeros((updates, size), np.int32),
        np.zeros((updates, size), np.float32),
        np.zeros((updates, size, features), np.uint8),
        np.zeros((updates, size, actions), np.uint8),
    )
    compiler.native(fill_batch)(ring, batch, np.zeros(4, np.int64), seed, number, steps)
    return batch


def fill_batch(ring: Ring, batch: ReplayBatch, r: Ints, seed: int, number: int, steps: int) -> None:
    """Draw transitions."""
    seen, legal, action, after, payoff, count = ring
    full = min(count[0], len(action))
    seed_stream(r, seed, number)
    for k in range(batch.seen.shape[0]):
        for b in range(batch.seen.shape[1]):
            i = below(r, full)
            spread(seen[i], batch.seen[k, b])
            batch.action[k, b] = action[i]
            j = after[i]
            for _ in range(1, steps):
                if j != LAST:
                    i = j
                    j = after[i]
            if j == LAST:
                batch.payoff[k, b] = payoff[i]
            else:
                spread(seen[j], batch.after[k, b])
                spread(legal[j], batch.legal[k, b])


def spread(words: IntArray, out: Bits) -> None:
    """Bits as zeros and ones."""
    for w in range(len(words)):
        word = words[w]
        i = w * 63
        while word > 0:
            out[i] = word & 1
            word >>= 1
            i += 1


def pack(ones: IntArray, count: int, out: IntArray) -> None:
    """Write numbers as the bits that are one, 63 in a word."""
    for w in range(len(out)):
        out[w] = 0
    for k in range(count):
        out[ones[k] // 63] |= 1 << (ones[k] % 63)


def write_decision(ring: Ring, active: IntArray, features: int, moves: IntArray, n: int, choice: int) -> int:
    """Write a decision to the next place, which is returned; it counts as the last one until another follows it."""
    seen, legal, action, after, payoff, count = ring
    i = count[0] % len(action)
    count[0] += 1
    pack(active, features, seen[i])
    pack(moves, n, legal[i])
    action[i] = moves[choice]
    after[i] = LAST
    payoff[i] = 0.0
    return i


# --------------------------------------------------------------------------------------------------- games

TOO_LONG, OTHER_RULES = -1, -2


class Exploring(NamedTuple):
    """The exploration of the learner: softmax at a temperature, greedy at 0; and random moves with a probability.

    Both go down linearly, from one number to the other, in the first games.
    """

    random: tuple[float, float]
    temperature: tuple[float, float]
    games: int


class LearnerNetwork(NamedTuple):
    """The learner's network of the values of actions."""

    sizes: Any  # of its layers
    weights: Any


class TrainingGames(NamedTuple):
    """Games `first` and on."""

    exploring: Exploring
    unit: float  # payoffs are multiplied by this
    longest: int  # moves and outcomes of a game
    seed: int
    first: int
    games: int


class ExperienceScratch(NamedTuple):
    """Working memory of the loop."""

    states: Any  # [3] the game, how it starts, and a blank one
    moves: Any  # [A]
    weights: Any  # [A]
    chances: Any  # [outcomes]
    stream: Any  # [4]
    last: Any  # [P] the place of each player's last decision


class TrainingPlayer:
    """Plays games into a ring."""

    def __init__(
        self,
        game: Game,
        code: Any,
        sizes: Any,
        members: OpponentArrays,
        compiled: bool = True,
        slots: Bindings | None = None,
    ) -> None:
        self.game, self.members = game, members
        self._kernel = (compiler.native if compiled else compiler.interpret)(
            play_games, game, slots or opponent_bindings(members)
        )
        self._sizes = np.array(sizes, np.int64)
        self._mind = workspace(
            code,
            max(max(sizes), int(members.sizes.max(initial=0))),
            game.actions,
            compiler.states(game, 1, compiled),
            game,
        )
        self._scratch = ExperienceScratch(
            compiler.states(game, 3, compiled),
            np.zeros(game.actions, np.int64),
            np.zeros(game.actions),
            np.zeros(game.outcomes),
            np.zeros(4, np.int64),
            np.zeros(game.players, np.int64),
        )

    def play(self, ring: Ring, weights: Any, how: Exploring, scale: float, seed: int, first: int, games: int) -> int:
        """Games `first` and on; returns how many decisions were written into the ring."""
        these = TrainingGames(how, 1.0 / scale, self.game.length, seed, first, games)
        network = LearnerNetwork(self._sizes, weights)
        done = self._kernel(self._scratch, self._mind, ring, network, self.members, these)
        return checked(self.game, done)


def checked(game: Game, done: int) -> int:
    """Return what a kernel returned; GameError if it is a failure."""
    if done == TOO_LONG:
        raise GameError(f"{game.name} went on for more than LENGTH = {game.length} moves.")
    if done == OTHER_RULES:
        raise GameError(f"An opponent's table does not fit {game.name}: it was made for other actions.")
    return int(done)


@inlined
def explore_move(
    network: LearnerNetwork,
    workspace: NetworkWorkspace,
    count: int,
    moves: Ints,
    n: int,
    how: tuple[float, float],
    chances: Floats,
    r: Ints,
) -> int:
    """Choose a move of the learner, who sees `count` features: any one with a probability, else by a softmax."""
    explore, temperature = how
    if explore > 0.0 and uniform(r) < explore:
        return below(r, n)
    value_moves(network.sizes, network.weights, count, moves, n, workspace)
    softmax(workspace.values, n, temperature, chances)
    return choose(r, chances, n)


def play_games(
    scratch: ExperienceScratch,
    workspace: NetworkWorkspace,
    ring: Ring,
    network: LearnerNetwork,
    members: OpponentArrays,
    these: TrainingGames,
) -> int:
    """Play games into the ring; how many decisions of the learner there were, or a negative number on failure."""
    states, moves, chances_of_moves, chances, r, last = scratch
    how = these.exploring
    players = len(last)
    written = 0
    copy(states, 1, states, 2)  # `start` wants a blank state, also the second time
    start(states[1])
    for index in range(these.first, these.first + these.games):
        seed_stream(r, these.seed, index)
        copy(states, 0, states, 1)
        s = states[0]
        lineup = members.lineups[choose(r, members.shares, len(members.shares)) if len(members.shares) > 1 else 0]
        fresh = max(0.0, 1.0 - index / how.games)
        explore = how.random[1] + (how.random[0] - how.random[1]) * fresh
        temperature = how.temperature[1] + (how.temperature[0] - how.temperature[1]) * fresh
        for p in range(players):
            last[p] = LAST
        length = 0
        room = len(ring.action)  # a game longer than the ring must not run over its own beginning
        who = turn(s)
        while who != OVER:
            if length >= these.longest:
                return TOO_LONG
            length += 1
            if who == CHANCE:
                play(s, deal(s, chances, r))
                who = turn(s)
                continue
            n = legal(s, moves)
            i = 0
            if n > 1 and lineup[who] == LEARNER:
                count = encode_view(s, who, workspace)
                i = explore_move(network, workspace, count, moves, n, (explore, temperature), chances_of_moves, r)
                if room > 0:
                    room -= 1
                    place = write_decision(ring, workspace.active, count, moves, n, i)
                    if last[who] != LAST:
                        ring.after[last[who]] = place
                    last[who] = place
                    written += 1
            elif n > 1:
                if not member_probabilities(members, lineup[who], s, who, moves, n, chances_of_moves, workspace):
                    return OTHER_RULES
                i = choose(r, chances_of_moves, n)
            play(s, int(moves[i]))
            who = turn(s)
        for p in range(players):
            if last[p] != LAST:
                ring.payoff[last[p]] = payoff(s, p) * these.unit
    return written
