"""The traversals of Monte-Carlo CFR, as kernels: external, outcome and robust sampling.

`robust` is the general one, with baselines and pruning; external sampling is what it does when it keeps all actions.
External and outcome sampling without either have kernels of their own, which are shorter and faster. Each kernel does
iterations begin, begin + step, … before `end` and returns the next one to do; it returns early if the table has to grow
or `stop` was called, and returns -1 if a game does not end.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from parlor.compile.kernel import copy, deal, key, legal, payoff, play, start, turn
from parlor.game import CHANCE, OVER
from parlor.game.rng import below, choose, seed_stream
from parlor.solvers.sampling.infoset_table import STOP, crowded, find


class SampledTables(NamedTuple):
    """An `InfosetTable` as the kernels read and write it."""

    slots: Any
    ints: Any
    floats: Any  # the same bytes as `ints`
    counters: Any


class TraversalScratch(NamedTuple):
    """The working memory of a thread. D: one more than the longest game, A actions."""

    states: Any  # [D + 4] of the traverser's nodes, the root, the current, a blank, a spare
    moves: Any  # [D + 1, A] legal actions
    strategy: Any  # [D + 1, A]
    values: Any  # [D, A] of each action
    stack: Any  # [D, 6] row, count, next action; `robust` has more columns
    chances: Any  # [outcomes]
    stream: Any  # [4]
    nodes: Any  # [1] how many were visited
    tried: Any  # [D, A] the traverser's actions: those that are looked at, others that are alive, pruned ones
    odds: Any  # [D, 2] the probability that the traverser's choices led here, and that of each action looked at


def match_regrets(floats: Any, row: int, n: int, strategy: Any) -> None:
    """The strategy of a row: in proportion to positive regrets, or uniform."""
    total = 0.0
    for i in range(n):
        strategy[i] = max(floats[row + 1 + i], 0.0)
        total += strategy[i]
    for i in range(n):
        strategy[i] = strategy[i] / total if total > 0.0 else 1.0 / n


def external(
    learned: SampledTables,
    scratch: TraversalScratch,
    players: int,
    seed: int,
    begin: int,
    end: int,
    step: int,
    linear: bool,
) -> int:
    """External sampling. Only the traverser's nodes go on the stack: everything else is played on in place."""
    slots, ints, floats, counters = learned
    states, moves, strategy, values, stack, chances, r, nodes, _, _ = scratch
    base = len(stack)
    current = base + 1  # states[base] is the root, states[base + 2] a blank; moves[base] serves the others' nodes
    copy(states, base, states, base + 2)
    start(states[base])
    for iteration in range(begin, end, step):
        if crowded(slots, ints, counters):
            return iteration
        seed_stream(r, seed, iteration)
        weight = float(iteration + 1) if linear else 1.0
        visited = 0
        for traverser in range(players):
            averaged = (traverser + 1) % players  # whose average strategy this traversal feeds
            copy(states, current, states, base)
            depth = 0
            while True:
                visited += 1
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
        nodes[0] += visited
    return max(end, begin)


def outcome(
    learned: SampledTables,
    scratch: TraversalScratch,
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
    states, moves, strategy, values, stack, chances, r, nodes, _, _ = scratch
    base = len(stack)
    current = base + 1
    copy(states, base, states, base + 2)
    start(states[base])
    for iteration in range(begin, end, step):
        if crowded(slots, ints, counters):
            return iteration
        seed_stream(r, seed, iteration)
        weight = float(iteration + 1) if linear else 1.0
        visited = 0
        for traverser in range(players):
            averaged = (traverser + 1) % players
            copy(states, current, states, base)
            s = states[current]
            depth = 0
            sampled = 1.0  # the probability of the traverser's choices as they were made
            who = turn(s)
            while who != OVER:
                visited += 1
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
            visited += 1
        nodes[0] += visited
    return max(end, begin)


# ----------------------------------------------------------------------------------------------------- robust sampling

BY_STRATEGY = 0  # for `keep`: one action, drawn as outcome sampling draws it
SPARED = 20  # one traversal in so many prunes nothing
FLOOR = 1.05  # times the regret at which actions are pruned: no regret falls below it
ROW, COUNT, ALIVE, KEPT, NOW, OWN = range(6)  # columns of the stack
REACH, ODDS = range(2)  # columns of `odds`


def robust(
    learned: SampledTables,
    scratch: TraversalScratch,
    players: int,
    seed: int,
    begin: int,
    end: int,
    step: int,
    linear: bool,
    keep: int,
    explore: float,
    rate: float,
    limit: float,
) -> int:
    """Sample `keep` actions of the traverser, with baselines that learn at `rate`, pruning below minus `limit`.

    The values on the way back are estimates: an action that was sampled with probability q counts with its baseline b
    plus (value - b) / q, any other one with b. So the estimate of a node is right on average whatever the baselines
    are, and exact if they are. Without baselines b is 0, and the nodes of the others are not on the stack.
    """
    slots, ints, floats, counters = learned
    states, moves, strategy, values, stack, chances, r, nodes, tried, odds = scratch
    base = len(stack)
    current = base + 1
    copy(states, base, states, base + 2)
    start(states[base])
    baselines = players if rate > 0.0 else 0  # of an action: one for each traverser
    for iteration in range(begin, end, step):
        if crowded(slots, ints, counters):
            return iteration
        seed_stream(r, seed, iteration)
        weight = float(iteration + 1) if linear else 1.0
        floor = -FLOOR * limit * weight if limit > 0.0 else -math.inf
        visited = 0
        for traverser in range(players):
            averaged = (traverser + 1) % players
            least = -limit * weight if limit > 0.0 and below(r, SPARED) > 0 else -math.inf
            copy(states, current, states, base)
            depth = 0
            sampled = 1.0  # the probability of the traverser's choices
            while True:
                visited += 1
                if counters[STOP] != 0:
                    return iteration
                s = states[current]
                who = turn(s)
                if who == CHANCE:
                    play(s, deal(s, chances, r))
                    continue
                if who != OVER:
                    own = who == traverser
                    level = depth if own or baselines > 0 else base
                    n = legal(s, moves[level])
                    if n == 1:
                        play(s, int(moves[level][0]))
                        continue
                    row = find(slots, ints, counters, key(s, who), n, 1 + (2 + baselines) * n)
                    if row == 0:
                        return iteration
                    match_regrets(floats, row, n, strategy[level])
                    if who == averaged:
                        for i in range(n):
                            floats[row + 1 + n + i] += weight * strategy[level][i] / sampled
                    if level == base:
                        play(s, int(moves[level][choose(r, strategy[level], n)]))
                        continue
                    if depth >= base:
                        return -1
                    for i in range(n):
                        values[depth][i] = floats[row + 1 + (2 + traverser) * n + i] if baselines > 0 else 0.0
                    alive = n
                    kept = 1
                    if not own:
                        tried[depth][0] = choose(r, strategy[depth], n)
                        odds[depth][ODDS] = strategy[depth][tried[depth][0]]
                    elif keep == BY_STRATEGY:
                        for i in range(n):
                            strategy[base][i] = explore / n + (1.0 - explore) * strategy[depth][i]
                            tried[depth][i] = i
                        i = choose(r, strategy[base], n)
                        tried[depth][0] = i
                        tried[depth][i] = 0
                        odds[depth][ODDS] = strategy[base][i]
                    else:
                        alive = prune(
                            floats, row, n, strategy[depth], least, states, current, moves[depth], tried[depth]
                        )
                        kept = draw_some(r, tried[depth], alive, keep)
                        odds[depth][ODDS] = kept / alive
                    if kept > 1:
                        copy(states, depth, states, current)
                    stack[depth][ROW] = row
                    stack[depth][COUNT] = n
                    stack[depth][ALIVE] = alive
                    stack[depth][KEPT] = kept
                    stack[depth][NOW] = 0
                    stack[depth][OWN] = own
                    odds[depth][REACH] = sampled
                    if own:
                        sampled *= odds[depth][ODDS]
                    play(s, int(moves[depth][tried[depth][0]]))
                    depth += 1
                    continue
                utility = payoff(s, traverser)
                while depth > 0:
                    d = depth - 1
                    row = stack[d][ROW]
                    n = stack[d][COUNT]
                    i = tried[d][stack[d][NOW]]
                    if baselines > 0:
                        at = row + 1 + (2 + traverser) * n + i
                        floats[at] += rate * (utility - floats[at])
                    values[d][i] += (utility - values[d][i]) / odds[d][ODDS]
                    stack[d][NOW] += 1
                    if stack[d][NOW] < stack[d][KEPT]:
                        copy(states, current, states, d)
                        play(states[current], int(moves[d][tried[d][stack[d][NOW]]]))
                        sampled = odds[d][REACH] * odds[d][ODDS]
                        break
                    utility = 0.0
                    for j in range(n):
                        utility += strategy[d][j] * values[d][j]
                    if stack[d][OWN] != 0:
                        share = weight / odds[d][REACH]
                        for k in range(stack[d][ALIVE]):
                            j = tried[d][k]
                            floats[row + 1 + j] = max(floats[row + 1 + j] + share * (values[d][j] - utility), floor)
                    depth = d
                if depth == 0:
                    break
        nodes[0] += visited
    return max(end, begin)


def prune(
    floats: Any, row: int, n: int, strategy: Any, least: float, states: Any, current: int, moves: Any, tried: Any
) -> int:
    """Put the actions that are not pruned first into `tried`; returns how many they are.

    Pruned are those that are not played, whose regret is below `least` and which do not end the game at once.
    """
    spare = len(states) - 1
    alive = 0
    pruned = n
    for i in range(n):
        hopeless = False
        if strategy[i] == 0.0 and floats[row + 1 + i] < least:
            copy(states, spare, states, current)
            play(states[spare], int(moves[i]))
            hopeless = turn(states[spare]) != OVER
        if hopeless:
            pruned -= 1
            tried[pruned] = i
        else:
            tried[alive] = i
            alive += 1
    return alive


def draw_some(r: Any, tried: Any, alive: int, keep: int) -> int:
    """Bring `keep` of the first `alive` actions to the front, all subsets alike; returns how many those are."""
    if keep >= alive:
        return alive
    for i in range(keep):
        j = i + below(r, alive - i)
        swapped = tried[i]
        tried[i] = tried[j]
        tried[j] = swapped
    return keep
