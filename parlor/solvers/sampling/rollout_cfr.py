"""Regret minimisation by rollouts: at every decision of a self-play game, every action is played out to the end.

The learner of Wolf, *Monopoly Deal: a benchmark environment for bounded one-sided response games* (2025). In each
training game, at each decision of either player, every action is followed by a number of rollouts in which the actor
continues with its latest policy and the others with the average of their recent ones. The mean results are the values
of the actions, their differences to the policy's value the regrets; reach probabilities are left out. Regret matching
gives the next policy, and the last few policies are stored in a ring, whose average is the learned strategy.

Two heuristics stabilise it. *Clamping*: while an action that makes progress has positive regret, the others get no
weight, and pointless actions never do (the game declares them). *Exploration*: the move actually played is
uniform with probability `explore`. As in the paper's code, and not in its text, regrets decay before new ones are
added.

Where we depart from that code: a rollout draws its own cards (there, all rollouts of an action share one shuffle), and
the cards that the other player draws at the end of a streak are not lost.

A game only reads the table and returns what it measured; `enter` adds that to it. So games can be played anywhere, by
threads or on other machines, and the result depends only on which games were played from which table and in what order
they were entered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.compile.kernel import FloatArray, IntArray
from parlor.game import Game, GameError
from parlor.policies.policy import Policy
from parlor.solvers.sampling.infoset_table import InfosetTable, TableArrays, crowded, find
from parlor.solvers.sampling.rollouts import (
    ACTIONS,
    HEAD,
    MAX_ACTIONS,
    PLAYER,
    PUSHED,
    REACH,
    UPDATES,
    RolloutGames,
    RolloutSettings,
    RolloutWorkers,
    Simulator,
    Snapshot,
    Threads,
)

QUANTILES = (0, 25, 50, 75, 90, 100)


@dataclass(frozen=True)
class Row:
    """Everything about an information set."""

    key: int
    player: int
    actions: tuple[int, ...]
    updates: int
    reach: float
    pushed: int  # policies that were added to the ring
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
        self, game: Game, settings: RolloutSettings | None = None, seed: int = 0, compiled: bool | None = None
    ) -> None:
        self.game, self.settings, self.seed = game, settings or RolloutSettings(), seed
        self.simulator = Simulator(game, self.settings, seed, compiled)
        self.games = 0
        self.rollouts = 0
        self.steps = 0
        self.table = InfosetTable(self._words(game.actions))
        self._learn = compiler.native(learn) if self.simulator.compiled else learn
        s, clamp = self.settings, self.settings.clamp
        training = game.training
        progress, pointless = (
            (sum(1 << a for a in some) if clamp else 0) for some in (training.progress, training.pointless)
        )
        self._update = RegretUpdate(s.ring, s.decay, progress, pointless)

    def _words(self, n: int) -> int:
        return HEAD + 3 * n + self.settings.ring * n

    def run(self, games: int, batch: int | None = 1, workers: RolloutWorkers | None = None) -> None:
        """Play so many more games, `batch` of them at a time from the same table; None: enter each when finished."""
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
        """The table for games to read; they see later entries only if they still run then."""
        return Snapshot(self.table.slots, self.table.ints)

    def statistics(self) -> dict[str, Any]:
        """Statistics of learning; `parlor.runs.metrics` explains them.

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
                for action, share in zip((a for a in range(MAX_ACTIONS) if mask >> a & 1), average, strict=True):
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

    def enter(self, played: RolloutGames) -> None:
        """Learn from a game."""
        done = 0
        while done < len(played.decided):
            t = self.table
            if crowded(t.slots, t.ints, t.counters):
                t.grow()
            done = int(self._learn(t.arrays, played.decided, played.measured, done, self._update))
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
        """Restore the state in which `rows` and `games` were saved."""
        self.table = InfosetTable(self._words(self.game.actions))
        for r in rows:
            if {len(r.regrets), *map(len, r.ring)} != {len(r.actions)} or len(r.ring) != min(
                r.pushed, self.settings.ring
            ):
                raise GameError(f"The numbers at key {r.key} do not fit together.")
            t, n = self.table, len(r.actions)
            row = t.add(r.key, n, self._words(n))
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


class RegretUpdate(NamedTuple):
    """The numbers by which regrets become policies; progress and pointless actions are bits, none if nothing clamps."""

    ring: int
    decay: float
    progress: int
    pointless: int


def learn(table: TableArrays, decided: IntArray, measured: FloatArray, done: int, how: RegretUpdate) -> int:
    """Enter the decisions of a game from number `done` on; returns how far it came before the table had to grow."""
    slots, ints, floats, counters = table
    ring, decay, progress, pointless = how
    actions = (measured.shape[1] - 1) // 2
    for d in range(done, len(decided)):
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
    return len(decided)


def weight(regret: float, action: int, advancing: bool, progress: int, pointless: int) -> float:
    """The weight of an action's regret in the next policy."""
    if regret <= 0.0 or pointless >> action & 1 or (advancing and not progress >> action & 1):
        return 0.0
    return regret


def average_ring(floats: FloatArray, row: int, n: int, held: int) -> None:
    """Compute the average of the policies in the ring."""
    ring = row + HEAD + 3 * n
    for i in range(n):
        total = 0.0
        for j in range(held):
            total += floats[ring + j * n + i]
        floats[row + HEAD + 2 * n + i] = total / held
