"""Monte-Carlo CFR: regret minimisation by sampling, over a table that grows with what is seen.

Lanctot et al., *Monte Carlo sampling for regret minimization in extensive games* (2009). One iteration is one traversal
for each player. *External* sampling tries all actions of the traverser and samples chance and the others; *outcome*
sampling plays a single game and weights it by its probability. Iteration i uses random stream i of the seed, so one
thread gives the same table however the work is cut into calls, and several threads share the iterations by number.

Departures: with `linear`, iteration t counts t times (the linear CFR of Brown and Sandholm, 2019, as a weight instead
of a discount); information sets with one legal action are not stored; outcome sampling weights what it adds to the
average strategy by the traverser's exploration, so that exploring does not bias the average.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from parlor import native as compiler
from parlor.game import CHANCE, OVER, Game, GameError
from parlor.kernel import copy, deal, key, legal, payoff, play, start, turn
from parlor.policy import Policy
from parlor.rng import below, choose, seed_stream
from parlor.solvers.infoset_table import MOST_ACTIONS, ROWS, STOP, InfosetTable, crowded, find
from parlor.solvers.solver import SolverRow
from parlor.solvers.spot_check import spot_check

MOST_LINES = 1e9  # in a traversal: minutes
MOST_PLAIN_LINES = 1e7  # the same for games that cannot be compiled
MOST_ROWS = 1_000_000  # after the first iteration, if so many were not expected


class Learned(NamedTuple):
    """An `InfosetTable` as the kernels read and write it."""

    slots: Any
    ints: Any
    floats: Any  # the same bytes as `ints`
    counters: Any


class Scratch(NamedTuple):
    """What a thread works with. D: one more than the longest game, A actions."""

    states: Any  # [D + 3] of the traverser's nodes, the root, the current, a blank
    moves: Any  # [D + 1, A] legal actions
    strategy: Any  # [D + 1, A]
    values: Any  # [D, A] of each action
    stack: Any  # [D, 3] row, count, next action
    chances: Any  # [outcomes]
    stream: Any  # [4]


class Mccfr:
    """A solve in progress: `run(n)` runs n more iterations, `policy()` is the average strategy so far."""

    def __init__(
        self,
        game: Game,
        sampling: str = "external",
        seed: int = 0,
        threads: int = 1,
        linear: bool = False,
        explore: float = 0.6,
        compiled: bool | None = None,
    ) -> None:
        compiled = game.native if compiled is None else compiled
        if sampling not in SAMPLINGS:
            raise GameError(f"There is no sampling {sampling!r}; there are {', '.join(SAMPLINGS)}.")
        if not 1 <= threads <= 4 * (os.cpu_count() or 1):
            raise GameError(f"threads must be between 1 and {4 * (os.cpu_count() or 1)}, not {threads}.")
        if game.actions > MOST_ACTIONS:
            raise GameError(f"{game.name} has {game.actions} actions; the sampling table holds at most {MOST_ACTIONS}.")
        if game.players < 2:
            raise GameError(f"{game.name} has one player, and sampling is for several; use cfr+.")
        spot_check(game)
        lines = traversal(game) if sampling == "external" else 1.0
        if lines > (MOST_LINES if compiled else MOST_PLAIN_LINES):
            raise _endless(game, f"about {lines:.0e} of them")
        self._most_rows = max(MOST_ROWS, 100.0 * lines)
        entry = SAMPLINGS[sampling]
        self.game = game
        self.name = f"mccfr-{sampling}"
        self.seed = seed
        self.threads = threads if compiled else 1
        self.linear = linear
        self.explore = explore
        self.iterations = 0
        self.table = InfosetTable(2 * game.actions + 1)
        self._kernel = compiler.native(entry, game) if compiled else compiler.interpret(entry, game)
        self._scratch = [self._make_scratch(compiled) for _ in range(self.threads)]
        self._some(0, 0, 0)  # compiles, if necessary

    def _make_scratch(self, compiled: bool) -> Scratch:
        depth, actions = self.game.length + 1, self.game.actions
        return Scratch(
            compiler.states(self.game, depth + 3, compiled),
            np.zeros((depth + 1, actions), np.int64),
            np.zeros((depth + 1, actions)),
            np.zeros((depth, actions)),
            np.zeros((depth, 3), np.int64),
            np.zeros(self.game.outcomes),
            np.zeros(4, np.int64),
        )

    def run(self, iterations: int) -> None:
        """Run more iterations."""
        end = self.iterations + iterations
        nexts = [self.iterations + i for i in range(self.threads)]  # the iteration each thread does next
        with ThreadPoolExecutor(self.threads) as pool:
            while min(nexts) < end and not self.table.counters[STOP]:
                if crowded(self.table.slots, self.table.ints, self.table.counters):
                    if max(nexts) < self.threads and self.table.counters[ROWS] > self._most_rows:  # none is done yet
                        raise _endless(self.game, f"more than {self._most_rows:,.0f} information sets, without an end")
                    self.table.grow()
                work = [pool.submit(self._some, i, nexts[i], end) for i in range(self.threads)]
                nexts = [w.result() for w in work]
        self.iterations = min(*nexts, end)

    def stop(self) -> None:
        """Make a `run` in another thread, or under a signal handler, return soon.

        An interrupted iteration leaves what it had learned in the table but is not counted.
        """
        self.table.counters[STOP] = 1

    def go_on(self) -> None:
        """Undo a `stop`."""
        self.table.counters[STOP] = 0

    def _some(self, thread: int, begin: int, end: int) -> int:
        """Iterations begin, begin + threads, … until `end` or until the table must grow; returns the next one to do."""
        t = self.table
        reached = self._kernel(
            Learned(t.slots, t.ints, t.floats, t.counters), self._scratch[thread], self.game.players, self.seed,
            begin, end, self.threads, self.linear, self.explore,
        )  # fmt: skip
        if reached < 0:
            raise GameError(f"{self.game.name} went on for more than LENGTH = {self.game.length} moves.")
        return int(reached)

    def policy(self) -> Policy:
        """The average strategy."""
        return Policy.from_rows(self.game, *self.table.rows())


def _endless(game: Game, seen: str) -> GameError:
    return GameError(
        f"One iteration of external sampling visits every line of a player's own moves, in {game.name} {seen}; it "
        f"would not end. Use mccfr-outcome, which samples those too."
    )


def traversal(game: Game, games: int = 16, seconds: float = 2.0) -> float:
    """Roughly how many lines of a player's own moves a traversal visits, from random games (Knuth, 1975).

    After so many seconds no further game is started.
    """
    deadline = time.monotonic() + seconds
    r, moves, chances = [0] * 4, [0] * game.actions, [0.0] * game.outcomes
    rules, total = game.rules, 0.0
    for index in range(games):
        seed_stream(r, 0, index)
        s = game.new_state()
        rules.start(s)
        lines, length = [1.0] * game.players, 0
        while (who := rules.turn(s)) != OVER:
            length += 1
            if length > game.length:
                raise GameError(f"{game.name} went on for more than LENGTH = {game.length} moves.")
            if who == CHANCE:
                rules.play(s, choose(r, chances, rules.odds(s, chances)))
            else:
                n = rules.legal(s, moves)
                lines[who] *= n
                rules.play(s, moves[below(r, n)])
        total += max(lines)
        if time.monotonic() > deadline:
            return total / (index + 1)
    return total / games


def match_regrets(floats: Any, row: int, n: int, strategy: Any) -> None:
    """The strategy of a row: in proportion to positive regrets, or uniform."""
    total = 0.0
    for i in range(n):
        strategy[i] = max(floats[row + 1 + i], 0.0)
        total += strategy[i]
    for i in range(n):
        strategy[i] = strategy[i] / total if total > 0.0 else 1.0 / n


def external(
    learned: Learned,
    scratch: Scratch,
    players: int,
    seed: int,
    begin: int,
    end: int,
    step: int,
    linear: bool,
    explore: float,
) -> int:
    """External sampling. Only the traverser's nodes go on the stack: everything else is played on in place."""
    slots, ints, floats, counters = learned
    states, moves, strategy, values, stack, chances, r = scratch
    base = len(stack)
    current = base + 1  # states[base] is the root, states[base + 2] a blank; moves[base] serves the others' nodes
    copy(states, base, states, base + 2)
    start(states[base])
    for iteration in range(begin, end, step):
        if crowded(slots, ints, counters):
            return iteration
        seed_stream(r, seed, iteration)
        weight = float(iteration + 1) if linear else 1.0
        for traverser in range(players):
            averaged = (traverser + 1) % players  # whose average strategy this traversal feeds
            copy(states, current, states, base)
            depth = 0
            while True:
                if counters[STOP] != 0:
                    return iteration
                s = states[current]
                who = turn(s)
                if who == CHANCE:
                    play(s, deal(s, chances, r))
                    continue
                if who != OVER:
                    level = depth if who == traverser else base
                    n = legal(s, moves[level])
                    if n == 1:
                        play(s, int(moves[level][0]))
                        continue
                    row = find(slots, ints, counters, key(s, who), n, 2 * n + 1)
                    if row == 0:
                        return iteration  # no room in the middle: this iteration is repeated in a larger table
                    match_regrets(floats, row, n, strategy[level])
                    if who == traverser:
                        if depth >= base:
                            return -1
                        copy(states, depth, states, current)
                        stack[depth][0] = row
                        stack[depth][1] = n
                        stack[depth][2] = 0
                        depth += 1
                        play(s, int(moves[level][0]))
                    else:
                        if who == averaged:
                            for i in range(n):
                                floats[row + 1 + n + i] += weight * strategy[level][i]
                        play(s, int(moves[level][choose(r, strategy[level], n)]))
                    continue
                utility = payoff(s, traverser)
                while depth > 0:
                    d = depth - 1
                    row = stack[d][0]
                    n = stack[d][1]
                    i = stack[d][2]
                    values[d][i] = utility
                    if i + 1 < n:
                        stack[d][2] = i + 1
                        copy(states, current, states, d)
                        play(states[current], int(moves[d][i + 1]))
                        break
                    utility = 0.0
                    for j in range(n):
                        utility += strategy[d][j] * values[d][j]
                    for j in range(n):
                        floats[row + 1 + j] += weight * (values[d][j] - utility)
                    depth = d
                if depth == 0:
                    break
    return max(end, begin)


def outcome(
    learned: Learned,
    scratch: Scratch,
    players: int,
    seed: int,
    begin: int,
    end: int,
    step: int,
    linear: bool,
    explore: float,
) -> int:
    """Outcome sampling: the traverser mixes its strategy with uniform play, everybody else plays as it is."""
    slots, ints, floats, counters = learned
    states, moves, strategy, values, stack, chances, r = scratch
    base = len(stack)
    current = base + 1
    copy(states, base, states, base + 2)
    start(states[base])
    for iteration in range(begin, end, step):
        if crowded(slots, ints, counters):
            return iteration
        seed_stream(r, seed, iteration)
        weight = float(iteration + 1) if linear else 1.0
        for traverser in range(players):
            averaged = (traverser + 1) % players
            copy(states, current, states, base)
            s = states[current]
            depth = 0
            sampled = 1.0  # the probability of the traverser's choices as they were made
            who = turn(s)
            while who != OVER:
                if counters[STOP] != 0:
                    return iteration
                if who == CHANCE:
                    play(s, deal(s, chances, r))
                    who = turn(s)
                    continue
                level = depth if who == traverser else base
                n = legal(s, moves[level])
                i = 0
                if n > 1:
                    row = find(slots, ints, counters, key(s, who), n, 2 * n + 1)
                    if row == 0:
                        return iteration
                    match_regrets(floats, row, n, strategy[level])
                    if who == traverser:
                        if depth + 1 >= base:
                            return -1
                        for j in range(n):
                            values[depth][j] = explore / n + (1.0 - explore) * strategy[level][j]
                        i = choose(r, values[depth], n)
                        sampled *= values[depth][i]
                        stack[depth][0] = row
                        stack[depth][1] = n
                        stack[depth][2] = i
                        depth += 1
                    else:
                        i = choose(r, strategy[level], n)
                        if who == averaged:
                            for j in range(n):
                                floats[row + 1 + n + j] += weight * strategy[level][j] / sampled
                play(s, int(moves[level][i]))
                who = turn(s)
            utility = weight * payoff(s, traverser) / sampled
            while depth > 0:
                depth -= 1
                row = stack[depth][0]
                i = stack[depth][2]
                chosen = strategy[depth][i]
                for j in range(stack[depth][1]):
                    floats[row + 1 + j] += utility * ((1.0 if i == j else 0.0) - chosen)
                utility *= chosen
    return max(end, begin)


SAMPLINGS = {"external": external, "outcome": outcome}


def mccfr_row(sampling: str) -> SolverRow:
    """A way of sampling as a solver."""
    return SolverRow(
        f"Monte-Carlo CFR by {sampling} sampling",
        lambda game, seed, threads, linear: Mccfr(game, sampling, seed, threads, linear),
        samples=True,
    )
