"""Training games of regret minimisation by rollouts: every action of every decision is played out to the end.

A game only reads the table of what has been learned and returns what it measured, so it can be played anywhere, by
threads or on other machines. See `rollout_cfr` for the learner.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.compile.kernel import copy, deal, key, legal, odds, payoff, play, start, turn
from parlor.game import CHANCE, OVER, Floats, Game, GameError, Ints
from parlor.game.parameters import Settings, setting
from parlor.game.rng import below, choose, seed_stream, uniform
from parlor.solvers.sampling.infoset_table import TableArrays, lookup

# A row of the table: these six words, then n regrets, n of the latest policy, n of the average, and the ring of n each.
PLAYER, ACTIONS, UPDATES, REACH, PUSHED, HEAD = 1, 2, 3, 4, 5, 6
MAX_ACTIONS = 62  # a bit each
NOT_COUNTED = np.zeros(3, np.int64)  # the counters of a table that is only read


@dataclass(frozen=True)
class RolloutSettings(Settings):
    """The settings of the learner, with the paper's values."""

    rollouts: int = setting(20, "rollouts for each action of each decision", low=1)
    ring: int = setting(10, "number of recent policies in the average", low=1)
    explore: float = setting(0.1, "probability of a random training move", low=0.0, high=1.0)
    decay: float = setting(
        0.99,
        "factor of old regrets, before new ones are added; the paper's code does this, its text does not (1)",
        low=0.0,
        high=1.0,
    )
    horizon: int = setting(250, "moves after which a rollout counts as a draw", low=1)
    clamp: bool = setting(
        True, "clamp regrets: passing and pointless actions get no weight beside those that make progress"
    )


@dataclass(frozen=True)
class RolloutGames:
    """The result of a training game. D decisions of at most A actions."""

    number: int
    decided: npt.NDArray[np.int64]  # [D, 3 + A] key, player, count, actions
    measured: npt.NDArray[np.float64]  # [D, 1 + 2A] reach, strategy, values
    rollouts: int
    steps: int  # moves and draws in them


@dataclass(frozen=True)
class Snapshot:
    """A table as it is read: later entries show in it, unless the table has grown."""

    slots: npt.NDArray[np.int64]
    ints: npt.NDArray[np.int64]


class RolloutScratch(NamedTuple):
    """Working memory of a game. L: the longest game, A actions, P players."""

    states: Any  # [3] a blank one, the game, the rollout
    moves: Any  # [2, A] legal actions: of the game, of the rollout
    strategy: Any  # [A]
    chances: Any  # [outcomes]
    stream: Any  # [4]
    own: Any  # [P] the probability of each player's choices so far
    decided: Any  # [L, 3 + A] see `Played`
    measured: Any  # [L, 1 + 2A]
    work: Any  # [2] rollouts, and moves and draws in them


class Simulator:
    """Plays training games against a table that it only reads. Any number of threads may share one."""

    def __init__(self, game: Game, settings: RolloutSettings, seed: int, compiled: bool | None = None) -> None:
        if game.actions > MAX_ACTIONS:
            raise GameError(
                f"{game.name} has {game.actions} actions; learning by rollouts takes at most {MAX_ACTIONS}."
            )
        self.game, self.settings, self.seed = game, settings, seed
        self.compiled = game.native if compiled is None else compiled
        self._kernel = (compiler.native if self.compiled else compiler.interpret)(self_play, game)
        self._free: list[RolloutScratch] = []

    def play(self, table: Snapshot, number: int) -> RolloutGames:
        """Training game `number`."""
        scratch = self._free.pop() if self._free else self._make_scratch()
        s = self.settings
        scratch.work[:] = 0
        arrays = TableArrays(table.slots, table.ints, table.ints.view(np.float64), NOT_COUNTED)
        count = self._kernel(
            arrays, scratch, self.game.players, self.seed, number, s.rollouts, s.explore, s.horizon
        )  # fmt: skip
        if count < 0:
            raise GameError(f"{self.game.name} went on for more than LENGTH = {self.game.length} moves.")
        rollouts, steps = map(int, scratch.work)
        played = RolloutGames(number, scratch.decided[:count].copy(), scratch.measured[:count].copy(), rollouts, steps)
        self._free.append(scratch)
        return played

    def _make_scratch(self) -> RolloutScratch:
        game = self.game
        return RolloutScratch(
            compiler.states(game, 3, self.compiled),
            np.zeros((2, game.actions), np.int64),
            np.zeros(game.actions),
            np.zeros(game.outcomes),
            np.zeros(4, np.int64),
            np.ones(game.players),
            np.zeros((game.length, 3 + game.actions), np.int64),
            np.zeros((game.length, 1 + 2 * game.actions)),
            np.zeros(2, np.int64),
        )


class RolloutWorkers(Protocol):
    """Those who play the games: threads, here; `parlor.runs.learners.rollout_cfr` has more."""

    def ordered(self, table: Snapshot, numbers: Sequence[int]) -> Iterator[RolloutGames]:
        """Games from one table, in the order of their numbers."""
        ...

    def unordered(self, table: Callable[[], Snapshot], numbers: Sequence[int]) -> Iterator[RolloutGames]:
        """Games as they are finished, each from the current table."""
        ...

    def close(self) -> None:
        """Stop the workers."""
        ...


class Threads:
    """Workers in this process."""

    def __init__(self, simulator: Simulator, threads: int = 1) -> None:
        self.simulator = simulator
        self.threads = threads if simulator.compiled else 1
        self.pool = ThreadPoolExecutor(self.threads)

    def ordered(self, table: Snapshot, numbers: Sequence[int]) -> Iterator[RolloutGames]:
        """Games from one table, in the order of their numbers."""
        if self.threads == 1:
            return (self.simulator.play(table, number) for number in numbers)
        return self.pool.map(lambda number: self.simulator.play(table, number), numbers)

    def unordered(self, table: Callable[[], Snapshot], numbers: Sequence[int]) -> Iterator[RolloutGames]:
        """Games as they are finished, each from the current table."""
        waiting = iter(numbers)
        busy = {self.pool.submit(self.simulator.play, table(), n) for n in itertools.islice(waiting, self.threads)}
        while busy:
            done, busy = wait(busy, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
                busy |= {self.pool.submit(self.simulator.play, table(), n) for n in itertools.islice(waiting, 1)}

    def close(self) -> None:
        """Stop the threads."""
        self.pool.shutdown(cancel_futures=True)


# --------------------------------------------------------------------------------------------------- the kernels


def latest_policy(learned: TableArrays, k: int, n: int, out: Floats) -> None:
    """The latest policy at key `k`; uniform if there is none."""
    floats = learned.floats
    row = lookup(learned.slots, learned.ints, k, n)
    begin = row + HEAD + n
    for i in range(n):
        out[i] = floats[begin + i] if row > 0 else 1.0 / n


def sample_policy(learned: TableArrays, k: int, n: int, which: int, r: Ints) -> int:
    """Choose by the latest (which = 1) or the average (2) policy at key `k`."""
    floats = learned.floats
    row = lookup(learned.slots, learned.ints, k, n)
    if row == 0:
        return below(r, n)
    begin = row + HEAD + which * n
    u = uniform(r)
    last = 0
    for i in range(n):
        share = floats[begin + i]
        if share > 0.0:
            last = i
            u -= share
            if u < 0.0:
                return i
    return last


def roll_out(learned: TableArrays, scratch: RolloutScratch, player: int, horizon: int) -> float:
    """Play on from states[2] to the end; the payoff of `player`."""
    states, both, _, chances, r, _, _, _, work = scratch
    moves = both[1]
    s = states[2]
    made = 0
    steps = 0
    who = turn(s)
    while who != OVER and made < horizon:
        steps += 1
        if who == CHANCE:
            play(s, deal(s, chances, r))
        else:
            made += 1
            n = legal(s, moves)
            i = 0
            if n > 1:
                i = sample_policy(learned, key(s, who), n, 1 if who == player else 2, r)
            play(s, int(moves[i]))
        who = turn(s)
    work[0] += 1
    work[1] += steps
    return payoff(s, player) if who == OVER else 0.0


def self_play(
    learned: TableArrays,
    scratch: RolloutScratch,
    players: int,
    seed: int,
    number: int,
    rollouts: int,
    explore: float,
    horizon: int,
) -> int:
    """One training game; the number of its decisions, -1 if it does not end. The table is only read."""
    states, moves, strategy, chances, r, own, decided, measured, _ = scratch
    copy(states, 1, states, 0)
    s = states[1]
    start(s)
    seed_stream(r, seed, number)
    actions = moves.shape[1]
    count = 0
    everybody = 1.0  # the probability of all choices so far, chance included
    for p in range(players):
        own[p] = 1.0
    who = turn(s)
    while who != OVER:
        if who == CHANCE:
            n = odds(s, chances)
            outcome = choose(r, chances, n)
            everybody *= chances[outcome]
            play(s, outcome)
            who = turn(s)
            continue
        if count >= len(decided):
            return -1
        n = legal(s, moves[0])
        k = key(s, who)
        latest_policy(learned, k, n, strategy)
        decided[count][0] = k
        decided[count][1] = who
        decided[count][2] = n
        measured[count][0] = everybody / max(own[who], 1e-300)
        for i in range(n):
            total = 0.0
            if n > 1:  # else there is nothing to regret
                for _ in range(rollouts):
                    copy(states, 2, states, 1)
                    play(states[2], int(moves[0][i]))
                    total += roll_out(learned, scratch, who, horizon)
            decided[count][3 + i] = moves[0][i]
            measured[count][1 + i] = strategy[i]
            measured[count][1 + actions + i] = total / rollouts
        count += 1
        i = below(r, n) if uniform(r) < explore else choose(r, strategy, n)
        chosen = explore / n + (1.0 - explore) * strategy[i]
        everybody *= chosen
        own[who] *= chosen
        play(s, int(moves[0][i]))
        who = turn(s)
    return count
