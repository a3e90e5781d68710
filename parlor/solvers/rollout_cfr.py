"""Regret minimisation by rollouts: at every decision of a self-play game, every action is tried out to the end.

The learner of Wolf, *Monopoly Deal: a benchmark environment for bounded one-sided response games* (2025). In each
training game, at each decision of either player, every action is followed by a number of rollouts in which the actor
goes on with its latest policy and the others with the average of their recent ones. The mean results are the values of
the actions, their differences to the policy's value the regrets; reach probabilities are left out. Regret matching
gives the next policy, and the last few policies are kept in a ring, whose average is what is learned.

Two heuristics stabilise it. *Clamping*: while an action that makes progress has positive regret, the others get no
weight, and pointless actions never do (the game says which these are). *Exploration*: the move actually played is
uniform with probability `explore`. As in the paper's code, and not in its text, regrets decay before new ones are
added.

Where we depart from that code: a rollout draws its own cards (there, all rollouts of an action share one shuffle), and
the cards that the other side draws at the end of a streak are not lost.

A game only reads the table and brings back what it measured; `enter` puts that in. So games can be played anywhere, by
threads or on other machines, and the result depends only on which games were played from which table and in what order
they were entered.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from parlor import native as compiler
from parlor.game import CHANCE, OVER, Game, GameError
from parlor.kernel import copy, deal, key, legal, odds, payoff, play, start, turn
from parlor.policy import Policy
from parlor.rng import below, choose, seed_stream, uniform
from parlor.solvers.table import Table, crowded, find, lookup

# A row: these six words, then n regrets, n of the latest policy, n of the average, and the ring of n each.
PLAYER, ACTIONS, UPDATES, REACH, PUSHED, HEAD = 1, 2, 3, 4, 5, 6
MOST_ACTIONS = 62  # a bit each
QUANTILES = (0, 25, 50, 75, 90, 100)


@dataclass(frozen=True)
class Settings:
    """The knobs of the learner, with the paper's values."""

    rollouts: int = 20  # for each action
    ring: int = 10  # recent policies in the average
    explore: float = 0.1
    decay: float = 0.99  # of the regrets, before new ones are added
    horizon: int = 250  # moves of a rollout, after which it counts as a draw
    clamp: bool = True


@dataclass(frozen=True)
class Played:
    """What a training game brought back. D decisions of at most A actions."""

    number: int
    decided: npt.NDArray[np.int64]  # [D, 3 + A] key, player, count, actions
    measured: npt.NDArray[np.float64]  # [D, 1 + 2A] reach, strategy, values
    rollouts: int
    steps: int  # moves and draws in them


@dataclass(frozen=True)
class Snapshot:
    """A table as it is read: what is entered later shows in it, unless the table has grown."""

    slots: npt.NDArray[np.int64]
    ints: npt.NDArray[np.int64]


class Simulator:
    """Plays training games against a table that it only reads. Any number of threads may share one."""

    def __init__(self, game: Game, settings: Settings, seed: int, compiled: bool | None = None) -> None:
        if game.actions > MOST_ACTIONS:
            raise GameError(
                f"{game.name} has {game.actions} actions; learning by rollouts takes at most {MOST_ACTIONS}."
            )
        self.game, self.settings, self.seed = game, settings, seed
        self.compiled = game.native if compiled is None else compiled
        self._kernel = (compiler.native if self.compiled else compiler.interpret)(self_play, game)
        self._free: list[tuple[Any, ...]] = []

    def play(self, table: Snapshot, number: int) -> Played:
        """Training game `number`."""
        scratch = self._free.pop() if self._free else self._make_scratch()
        s = self.settings
        decided, measured, work = scratch[-3:]
        work[:] = 0
        count = self._kernel(
            table.slots, table.ints, table.ints.view(np.float64), *scratch, self.game.players, self.seed, number,
            s.rollouts, s.explore, s.horizon,
        )  # fmt: skip
        if count < 0:
            raise GameError(f"{self.game.name} went on for more than LENGTH = {self.game.length} moves.")
        played = Played(number, decided[:count].copy(), measured[:count].copy(), int(work[0]), int(work[1]))
        self._free.append(scratch)
        return played

    def _make_scratch(self) -> tuple[Any, ...]:
        game = self.game
        return (
            compiler.states(game, 3, self.compiled),  # a blank one, the game, the rollout
            np.zeros((2, game.actions), np.int64),  # legal actions: of the game, of the rollout
            np.zeros(game.actions),  # the strategy
            np.zeros(game.outcomes),
            np.zeros(4, np.int64),  # the random stream
            np.ones(game.players),  # the probability of each player's choices so far
            np.zeros((game.length, 3 + game.actions), np.int64),
            np.zeros((game.length, 1 + 2 * game.actions)),
            np.zeros(2, np.int64),
        )


class Workers(Protocol):
    """Whoever plays the games: threads, here; `parlor.runs.executors` knows more."""

    def ordered(self, table: Snapshot, numbers: Sequence[int]) -> Iterator[Played]:
        """Games from one table, in the order of their numbers."""
        ...

    def unordered(self, table: Callable[[], Snapshot], numbers: Sequence[int]) -> Iterator[Played]:
        """Games as they come, each from the table as it is when it begins."""
        ...

    def close(self) -> None:
        """Send them home."""
        ...


class Threads:
    """Workers in this process."""

    def __init__(self, simulator: Simulator, threads: int = 1) -> None:
        self.simulator = simulator
        self.threads = threads if simulator.compiled else 1
        self.pool = ThreadPoolExecutor(self.threads)

    def ordered(self, table: Snapshot, numbers: Sequence[int]) -> Iterator[Played]:
        """Games from one table, in the order of their numbers."""
        if self.threads == 1:
            return (self.simulator.play(table, number) for number in numbers)
        return self.pool.map(lambda number: self.simulator.play(table, number), numbers)

    def unordered(self, table: Callable[[], Snapshot], numbers: Sequence[int]) -> Iterator[Played]:
        """Games as they come, each from the table as it is when it begins."""
        waiting = iter(numbers)
        busy = {self.pool.submit(self.simulator.play, table(), n) for n in itertools.islice(waiting, self.threads)}
        while busy:
            done, busy = wait(busy, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
                busy |= {self.pool.submit(self.simulator.play, table(), n) for n in itertools.islice(waiting, 1)}

    def close(self) -> None:
        """Send them home."""
        self.pool.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Row:
    """All that is known about an information set."""

    key: int
    player: int
    actions: tuple[int, ...]
    updates: int
    reach: float
    pushed: int  # policies that went into the ring
    regrets: tuple[float, ...]
    ring: tuple[tuple[float, ...], ...]  # in the order of its places, not of time

    @property
    def latest(self) -> tuple[float, ...]:
        """The newest policy; uniform if there is none."""
        return (
            self.ring[(self.pushed - 1) % len(self.ring)]
            if self.ring
            else (1.0 / len(self.actions),) * len(self.actions)
        )


class RolloutCfr:
    """Learning in progress: `run(n)` plays and enters n more games, `policy()` is the average of recent policies."""

    def __init__(
        self, game: Game, settings: Settings | None = None, seed: int = 0, compiled: bool | None = None
    ) -> None:
        self.game, self.settings, self.seed = game, settings or Settings(), seed
        self.simulator = Simulator(game, self.settings, seed, compiled)
        self.games = 0
        self.rollouts = 0
        self.steps = 0
        self.table = Table(self._words(game.actions))
        self._learn = compiler.native(learn) if self.simulator.compiled else learn
        clamp = self.settings.clamp
        self._progress = sum(1 << a for a in game.progress) if clamp else 0
        self._pointless = sum(1 << a for a in game.pointless) if clamp else 0

    def _words(self, n: int) -> int:
        return HEAD + 3 * n + self.settings.ring * n

    def run(self, games: int, batch: int | None = 1, workers: Workers | None = None) -> None:
        """Play so many more games, `batch` of them at a time from the same table; None: enter them as they come."""
        workers = workers or Threads(self.simulator)
        end = self.games + games
        if batch is None:
            for played in workers.unordered(self.snapshot, range(self.games, end)):
                self.enter(played)
        while self.games < end:
            last = min(self.games + (batch or 1), end)
            batched = list(workers.ordered(self.snapshot(), range(self.games, last)))  # all, before one is entered
            for played in batched:
                self.enter(played)

    def snapshot(self) -> Snapshot:
        """The table for games to read; they see what is entered later only if they still run then."""
        return Snapshot(self.table.slots, self.table.ints)

    def statistics(self) -> dict[str, Any]:
        """How learning goes, in numbers; what each is stands in `parlor.runs.metrics`.

        The maximum expected regret is the mean over information sets of the largest mean regret of an action, weighted
        by how much the others and chance have contributed to reaching them. With decay the mean is a decaying one.
        """
        keys, begin, count = self.table.index()
        ints, floats = self.table.ints, self.table.floats
        player, updates, reach = ints[begin + PLAYER], ints[begin + UPDATES], floats[begin + REACH]
        decay = self.settings.decay  # a regret of so many updates ago counts decay to that power
        weights = updates if decay == 1.0 else (1.0 - decay**updates) / (1.0 - decay)
        largest, usual = np.zeros(len(keys)), np.zeros(len(keys))
        shares: dict[int, list[float]] = {}
        for n in np.unique(count).tolist():
            rows = np.flatnonzero(count == n)
            regrets = floats[begin[rows, None] + HEAD + np.arange(n)] / weights[rows, None]
            largest[rows], usual[rows] = regrets.max(1), np.maximum(regrets, 0.0).mean(1)
            if n == 1:  # nothing is preferred where there is no choice
                continue
            averages = floats[begin[rows, None] + HEAD + 2 * n + np.arange(n)]
            for mask, average in zip(ints[begin[rows] + ACTIONS].tolist(), averages.tolist(), strict=True):
                for action, share in zip((a for a in range(MOST_ACTIONS) if mask >> a & 1), average, strict=True):
                    if share > 0.0:
                        shares.setdefault(action, []).append(share)

        def expected(of: npt.NDArray[np.float64], which: npt.NDArray[np.bool_]) -> float:
            return float(np.average(of[which], weights=reach[which])) if reach[which].sum() > 0.0 else 0.0

        everybody = np.ones(len(keys), bool)
        quantiles = np.percentile(updates, QUANTILES).tolist() if len(keys) else [0.0] * len(QUANTILES)
        return {
            "regret": {
                "max_expected": expected(largest, everybody),
                "mean_expected": expected(usual, everybody),
                "by_player": [expected(largest, player == p) for p in range(self.game.players)],
            },
            "infosets": [int((player == p).sum()) for p in range(self.game.players)],
            "updates": dict(zip(map(str, QUANTILES), quantiles, strict=True)),
            "policy": {a: float(np.median(shares[a])) for a in sorted(shares)},
        }

    def enter(self, played: Played) -> None:
        """Learn from a game."""
        s, done, count = self.settings, 0, len(played.decided)
        while done < count:
            t = self.table
            if crowded(t.slots, t.ints, t.counters):
                t.grow()
            done = int(
                self._learn(t.slots, t.ints, t.floats, t.counters, played.decided, played.measured, done, count,
                            s.ring, s.decay, self._progress, self._pointless)
            )  # fmt: skip
        self.games += 1
        self.rollouts += played.rollouts
        self.steps += played.steps

    def policy(self) -> Policy:
        """The average of the recent policies."""
        keys, begin, count = self.table.index()
        starts = np.cumsum(count) - count
        at = np.repeat(begin + HEAD + 2 * count - starts, count) + np.arange(count.sum())
        policy = Policy.from_rows(self.game, keys, count, self.table.floats[at])
        return policy.with_about(algorithm="rollout-cfr", games=self.games, seed=self.seed)

    def rows(self) -> Iterator[Row]:
        """The information sets in the order of their keys."""
        ints, floats = self.table.ints, self.table.floats
        for k, row, n in zip(*(a.tolist() for a in self.table.index()), strict=True):
            mask, pushed = int(ints[row + ACTIONS]), int(ints[row + PUSHED])
            held = floats[row + HEAD + 3 * n :][: min(pushed, self.settings.ring) * n].reshape(-1, n)
            yield Row(
                key=k,
                player=int(ints[row + PLAYER]),
                actions=tuple(a for a in range(self.game.actions) if mask >> a & 1),
                updates=int(ints[row + UPDATES]),
                reach=float(floats[row + REACH]),
                pushed=pushed,
                regrets=tuple(floats[row + HEAD : row + HEAD + n].tolist()),
                ring=tuple(map(tuple, held.tolist())),
            )

    def restore(self, rows: Iterable[Row], games: int) -> None:
        """Go back to where `rows` and `games` were taken."""
        self.table = Table(self._words(self.game.actions))
        for r in rows:
            if {len(r.regrets), *map(len, r.ring)} != {len(r.actions)} or len(r.ring) != min(
                r.pushed, self.settings.ring
            ):
                raise GameError(f"The numbers at key {r.key} do not belong together.")
            if crowded(self.table.slots, self.table.ints, self.table.counters):
                self.table.grow()
            t, n = self.table, len(r.actions)
            row = find(t.slots, t.ints, t.counters, r.key, n, self._words(n))
            t.ints[row + PLAYER] = r.player
            t.ints[row + ACTIONS] = sum(1 << a for a in r.actions)
            t.ints[row + UPDATES] = r.updates
            t.floats[row + REACH] = r.reach
            t.ints[row + PUSHED] = r.pushed
            t.floats[row + HEAD : row + HEAD + n] = r.regrets
            t.floats[row + HEAD + n : row + HEAD + 2 * n] = r.latest
            t.floats[row + HEAD + 2 * n : row + HEAD + 3 * n] = 1.0 / n
            t.floats[row + HEAD + 3 * n :][: len(r.ring) * n] = np.ravel(r.ring)
            if r.ring:
                average_ring(t.floats, row, n, len(r.ring))
        self.games = games


# --------------------------------------------------------------------------------------------------- the kernels


def latest_policy(slots: Any, ints: Any, floats: Any, k: int, n: int, out: Any) -> None:
    """The latest policy at key `k`; uniform if there is none."""
    row = lookup(slots, ints, k, n)
    begin = row + HEAD + n
    for i in range(n):
        out[i] = floats[begin + i] if row > 0 else 1.0 / n


def sample_policy(slots: Any, ints: Any, floats: Any, k: int, n: int, which: int, r: Any) -> int:
    """Choose by the latest (which = 1) or the average (2) policy at key `k`."""
    row = lookup(slots, ints, k, n)
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


def roll_out(
    slots: Any, ints: Any, floats: Any, states: Any, moves: Any, chances: Any, r: Any, work: Any,
    player: int, horizon: int,
) -> float:  # fmt: skip
    """Play on from states[2] to the end; what `player` gets."""
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
                i = sample_policy(slots, ints, floats, key(s, who), n, 1 if who == player else 2, r)
            play(s, int(moves[i]))
        who = turn(s)
    work[0] += 1
    work[1] += steps
    return payoff(s, player) if who == OVER else 0.0


def self_play(
    slots: Any, ints: Any, floats: Any, states: Any, moves: Any, strategy: Any, chances: Any, r: Any, own: Any,
    decided: Any, measured: Any, work: Any,
    players: int, seed: int, number: int, rollouts: int, explore: float, horizon: int,
) -> int:  # fmt: skip
    """One training game; how many decisions it had, -1 if it does not end. The table is only read."""
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
        latest_policy(slots, ints, floats, k, n, strategy)
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
                    total += roll_out(slots, ints, floats, states, moves[1], chances, r, work, who, horizon)
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


def learn(
    slots: Any, ints: Any, floats: Any, counters: Any, decided: Any, measured: Any, done: int, count: int,
    ring: int, decay: float, progress: int, pointless: int,
) -> int:  # fmt: skip
    """Enter decisions done … count of a game; returns how far it came before the table had to grow."""
    actions = (measured.shape[1] - 1) // 2
    for d in range(done, count):
        if crowded(slots, ints, counters):
            return d
        n = decided[d][2]
        row = find(slots, ints, counters, decided[d][0], n, HEAD + 3 * n + ring * n)
        regrets = row + HEAD
        if ints[row + UPDATES] == 0:
            ints[row + PLAYER] = decided[d][1]
            for i in range(n):
                ints[row + ACTIONS] |= 1 << decided[d][3 + i]
                floats[regrets + n + i] = 1.0 / n
                floats[regrets + 2 * n + i] = 1.0 / n
        ints[row + UPDATES] += 1
        floats[row + REACH] += measured[d][0]
        value = 0.0
        for i in range(n):
            value += measured[d][1 + i] * measured[d][1 + actions + i]
        advancing = False
        for i in range(n):
            regret = decay * floats[regrets + i] + measured[d][1 + actions + i] - value
            floats[regrets + i] = regret
            if regret > 0.0 and progress >> decided[d][3 + i] & 1:
                advancing = True
        total = 0.0
        for i in range(n):
            total += weight(floats[regrets + i], decided[d][3 + i], advancing, progress, pointless)
        if total > 0.0:
            pushed = ints[row + PUSHED]
            newest = regrets + 3 * n + pushed % ring * n
            for i in range(n):
                share = weight(floats[regrets + i], decided[d][3 + i], advancing, progress, pointless) / total
                floats[newest + i] = share
                floats[regrets + n + i] = share
            ints[row + PUSHED] = pushed + 1
            average_ring(floats, row, n, min(pushed + 1, ring))
    return count


def weight(regret: float, action: int, advancing: bool, progress: int, pointless: int) -> float:
    """What an action's regret counts for the next policy."""
    if regret <= 0.0 or pointless >> action & 1 or (advancing and not progress >> action & 1):
        return 0.0
    return regret


def average_ring(floats: Any, row: int, n: int, held: int) -> None:
    """Work out the average of the policies in the ring."""
    ring = row + HEAD + 3 * n
    for i in range(n):
        total = 0.0
        for j in range(held):
            total += floats[ring + j * n + i]
        floats[row + HEAD + 2 * n + i] = total / held
