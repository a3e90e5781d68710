"""The traversals of Monte-Carlo CFR, as kernels: external, outcome and robust sampling.

`robust` is the general one, with baselines and pruning; external sampling is what it does when it keeps all actions.
External and outcome sampling without either have traversals of their own, which are shorter and faster.
`run_iterations` calls the one that its slot `traverse` is bound to.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from parlor.compile.kernel import copy, deal, inlined, key, legal, payoff, play, start, turn
from parlor.game import CHANCE, OVER, Floats, Ints
from parlor.game.rng import below, choose, seed_stream
from parlor.solvers.sampling.infoset_table import STOP, TableArrays, crowded, find

REPEAT, TOO_LONG = -1, -2  # traversals that did not end: there was no room or `stop` was called; no end in sight


class TraversalScratch(NamedTuple):
    """The working memory of a thread. D: one more than the longest game, A actions."""

    states: Any  # [D + 4] of the traverser's nodes, the root, the current, a blank, a spare
    moves: Any  # [D + 1, A] legal actions
    strategy: Any  # [D + 1, A]
    values: Any  # [D, A] of each action
    stack: Any  # [D, 6] row, count, next action; `robust` has more columns
    chances: Any  # [outcomes]
    stream: Any  # [4]
    nodes: Any  # [2] how many were visited; traversals, where they are counted
    tried: Any  # [D, A] the traverser's actions: those that are looked at, others that are alive, pruned ones
    odds: Any  # [D, 2] the probability that the traverser's choices led here, and that of each action looked at


class Iterations(NamedTuple):
    """The iterations of a thread: begin, begin + step, … before `end`."""

    players: int
    seed: int
    begin: int
    end: int
    step: int
    linear: bool


class SamplingOptions(NamedTuple):
    """The numbers that traversals read, each those it needs."""

    keep: int  # actions of the traverser to sample
    explore: float  # the probability of a random move
    rate: float  # at which baselines learn
    limit: float  # actions are pruned whose regret is below minus this


def traverse(
    learned: TableArrays, scratch: TraversalScratch, traverser: int, players: int, weight: float, how: SamplingOptions
) -> int:
    """A slot: play once through the game for a traverser; the number of nodes visited, `REPEAT` or `TOO_LONG`.

    scratch.states: the current one, behind the root, is at the start of the game.
    """
    raise RuntimeError


def run_iterations(learned: TableArrays, scratch: TraversalScratch, these: Iterations, how: SamplingOptions) -> int:
    """Run iterations; return the next one to do, which is to be repeated if the table has to grow, or -1."""
    states = scratch.states
    root = len(scratch.stack)
    copy(states, root, states, root + 2)
    start(states[root])
    for iteration in range(these.begin, these.end, these.step):
        if crowded(learned.slots, learned.ints, learned.counters):
            return iteration
        seed_stream(scratch.stream, these.seed, iteration)
        weight = float(iteration + 1) if these.linear else 1.0
        visited = 0
        for traverser in range(these.players):
            copy(states, root + 1, states, root)
            reached = traverse(learned, scratch, traverser, these.players, weight, how)
            if reached < 0:
                return iteration if reached == REPEAT else -1
            visited += reached
        scratch.nodes[0] += visited
    return max(these.end, these.begin)


def match_regrets(floats: Floats, row: int, n: int, strategy: Floats) -> None:
    """The strategy of a row: in proportion to positive regrets, or uniform."""
    total = 0.0
    for i in range(n):
        strategy[i] = max(floats[row + 1 + i], 0.0)
        total += strategy[i]
    for i in range(n):
        strategy[i] = strategy[i] / total if total > 0.0 else 1.0 / n


@inlined
def external(
    learned: TableArrays, scratch: TraversalScratch, traverser: int, players: int, weight: float, how: SamplingOptions
) -> int:
    """External sampling. Only the traverser's nodes go on the stack: everything else is played on in place."""
    slots, ints, floats, counters = learned
    states, moves, strategy, _, stack, chances, r, _, _, _ = scratch
    base = len(stack)
    current = base + 1  # states[base] is the root, states[base + 2] a blank; moves[base] serves the others' nodes
    averaged = (traverser + 1) % players  # whose average strategy this traversal feeds
    visited = 0
    depth = 0
    while True:
        visited += 1
        if counters[STOP] != 0:
            return REPEAT
        s = states[current]
        who = turn(s)
        if who == CHANCE:
            play(s, deal(s, chances, r))
        elif who != OVER:
            level = depth if who == traverser else base
            n = legal(s, moves[level])
            if n == 1:
                play(s, int(moves[level][0]))
                continue
            row = find(slots, ints, counters, key(s, who), n, 2 * n + 1)
            if row == 0:
                return REPEAT  # no room in the middle: this iteration is repeated in a larger table
            match_regrets(floats, row, n, strategy[level])
            if who == traverser:
                if depth >= base:
                    return TOO_LONG
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
        else:
            depth = back_up(floats, scratch, depth, payoff(s, traverser), weight)
            if depth == 0:
                return visited


@inlined
def back_up(floats: Floats, scratch: TraversalScratch, depth: int, utility: float, weight: float) -> int:
    """Take a utility up to the last node with an action left to look at, and play that; its depth, 0 at the end."""
    states, moves, strategy, values, stack, _, _, _, _, _ = scratch
    current = len(stack) + 1
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
            return depth
        utility = 0.0
        for j in range(n):
            utility += strategy[d][j] * values[d][j]
        for j in range(n):
            floats[row + 1 + j] += weight * (values[d][j] - utility)
        depth = d
    return 0


@inlined
def outcome(
    learned: TableArrays, scratch: TraversalScratch, traverser: int, players: int, weight: float, how: SamplingOptions
) -> int:
    """Outcome sampling: the traverser mixes its strategy with uniform play, everybody else plays as it is."""
    slots, ints, floats, counters = learned
    states, moves, strategy, values, stack, chances, r, _, _, _ = scratch
    base = len(stack)
    averaged = (traverser + 1) % players
    s = states[base + 1]
    visited = 0
    depth = 0
    sampled = 1.0  # the probability of the traverser's choices as they were made
    who = turn(s)
    while who != OVER:
        visited += 1
        if counters[STOP] != 0:
            return REPEAT
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
                return REPEAT
            match_regrets(floats, row, n, strategy[level])
            if who == traverser:
                if depth + 1 >= base:
                    return TOO_LONG
                for j in range(n):
                    values[depth][j] = how.explore / n + (1.0 - how.explore) * strategy[level][j]
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
    update_sampled(floats, scratch, depth, weight * payoff(s, traverser) / sampled)
    return visited + 1


@inlined
def update_sampled(floats: Floats, scratch: TraversalScratch, depth: int, utility: float) -> None:
    """Add to the regrets of the traverser's nodes on the way back from the end of a single game."""
    strategy, stack = scratch.strategy, scratch.stack
    while depth > 0:
        depth -= 1
        row = stack[depth][0]
        i = stack[depth][2]
        chosen = strategy[depth][i]
        for j in range(stack[depth][1]):
            floats[row + 1 + j] += utility * ((1.0 if i == j else 0.0) - chosen)
        utility *= chosen


# ----------------------------------------------------------------------------------------------------- robust sampling

BY_STRATEGY = 0  # for `keep`: one action, drawn as outcome sampling draws it
SPARED = 20  # one traversal in so many prunes nothing
FLOOR = 1.05  # times the regret at which actions are pruned: no regret falls below it
ROW, COUNT, ALIVE, KEPT, NOW, OWN = range(6)  # columns of the stack
REACH, ODDS = range(2)  # columns of `odds`


@inlined
def robust(
    learned: TableArrays, scratch: TraversalScratch, traverser: int, players: int, weight: float, how: SamplingOptions
) -> int:
    """Sample `keep` actions of the traverser, with baselines that learn at `rate`, pruning below minus `limit`.

    The values on the way back are estimates: an action that was sampled with probability q counts with its baseline b
    plus (value - b) / q, any other one with b. So the estimate of a node is unbiased whatever the baselines are, and
    exact if they are. Without baselines b is 0, and the nodes of the others are not on the stack.
    """
    slots, ints, floats, counters = learned
    states, moves, strategy, values, stack, chances, r, _, tried, odds = scratch
    base = len(stack)
    baselines = players if how.rate > 0.0 else 0  # of an action: one for each traverser
    least = -how.limit * weight if how.limit > 0.0 and below(r, SPARED) > 0 else -math.inf
    visited = 0
    depth = 0
    sampled = 1.0  # the probability of the traverser's choices
    while True:
        visited += 1
        if counters[STOP] != 0:
            return REPEAT
        s = states[base + 1]
        who = turn(s)
        if who == CHANCE:
            play(s, deal(s, chances, r))
        elif who != OVER:
            own = who == traverser
            level = depth if own or baselines > 0 else base
            n = legal(s, moves[level])
            if n == 1:
                play(s, int(moves[level][0]))
                continue
            row = find(slots, ints, counters, key(s, who), n, 1 + (2 + baselines) * n)
            if row == 0:
                return REPEAT
            match_regrets(floats, row, n, strategy[level])
            if who == (traverser + 1) % players:
                for i in range(n):
                    floats[row + 1 + n + i] += weight * strategy[level][i] / sampled
            if level == base:
                play(s, int(moves[level][choose(r, strategy[level], n)]))
                continue
            if depth >= base:
                return TOO_LONG
            for i in range(n):
                values[depth][i] = floats[row + 1 + (2 + traverser) * n + i] if baselines > 0 else 0.0
            stack[depth][ROW] = row
            stack[depth][COUNT] = n
            stack[depth][OWN] = own
            sample_actions(floats, scratch, depth, least, how)
            odds[depth][REACH] = sampled
            if own:
                sampled *= odds[depth][ODDS]
            play(s, int(moves[depth][tried[depth][0]]))
            depth += 1
        else:
            depth = back_up_estimates(floats, scratch, depth, payoff(s, traverser), traverser, weight, how)
            if depth == 0:
                return visited
            sampled = odds[depth - 1][REACH] * odds[depth - 1][ODDS]


@inlined
def sample_actions(floats: Floats, scratch: TraversalScratch, depth: int, least: float, how: SamplingOptions) -> None:
    """Put the actions to look at on the stack, and the probability of each; remember the state if they are several."""
    states, _, strategy, _, stack, _, r, _, tried, odds = scratch
    base = len(stack)
    n = stack[depth][COUNT]
    alive = n
    kept = 1
    if stack[depth][OWN] == 0:
        tried[depth][0] = choose(r, strategy[depth], n)
        odds[depth][ODDS] = strategy[depth][tried[depth][0]]
    elif how.keep == BY_STRATEGY:
        for i in range(n):
            strategy[base][i] = how.explore / n + (1.0 - how.explore) * strategy[depth][i]
            tried[depth][i] = i
        i = choose(r, strategy[base], n)
        tried[depth][0] = i
        tried[depth][i] = 0
        odds[depth][ODDS] = strategy[base][i]
    else:
        alive = prune(floats, scratch, depth, least)
        kept = draw_some(r, tried[depth], alive, how.keep)
        odds[depth][ODDS] = kept / alive
    if kept > 1:
        copy(states, depth, states, base + 1)
    stack[depth][ALIVE] = alive
    stack[depth][KEPT] = kept
    stack[depth][NOW] = 0


@inlined
def back_up_estimates(
    floats: Floats,
    scratch: TraversalScratch,
    depth: int,
    utility: float,
    traverser: int,
    weight: float,
    how: SamplingOptions,
) -> int:
    """Take a utility up to the last node with an action left to look at, and play that; its depth, 0 at the end."""
    states, moves, strategy, values, stack, _, _, _, tried, odds = scratch
    current = len(stack) + 1
    floor = -FLOOR * how.limit * weight if how.limit > 0.0 else -math.inf
    while depth > 0:
        d = depth - 1
        row = stack[d][ROW]
        n = stack[d][COUNT]
        i = tried[d][stack[d][NOW]]
        if how.rate > 0.0:
            at = row + 1 + (2 + traverser) * n + i
            floats[at] += how.rate * (utility - floats[at])
        values[d][i] += (utility - values[d][i]) / odds[d][ODDS]
        stack[d][NOW] += 1
        if stack[d][NOW] < stack[d][KEPT]:
            copy(states, current, states, d)
            play(states[current], int(moves[d][tried[d][stack[d][NOW]]]))
            return depth
        utility = 0.0
        for j in range(n):
            utility += strategy[d][j] * values[d][j]
        if stack[d][OWN] != 0:
            share = weight / odds[d][REACH]
            for k in range(stack[d][ALIVE]):
                j = tried[d][k]
                floats[row + 1 + j] = max(floats[row + 1 + j] + share * (values[d][j] - utility), floor)
        depth = d
    return 0


@inlined
def prune(floats: Floats, scratch: TraversalScratch, depth: int, least: float) -> int:
    """Put the actions that are not pruned first into `tried`; returns how many they are.

    Pruned are those that are not played, whose regret is below `least` and which do not end the game at once.
    """
    states, moves, strategy, tried = scratch.states, scratch.moves[depth], scratch.strategy[depth], scratch.tried[depth]
    row = scratch.stack[depth][ROW]
    n = scratch.stack[depth][COUNT]
    current = len(scratch.stack) + 1
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


def draw_some(r: Ints, tried: Ints, alive: int, keep: int) -> int:
    """Bring `keep` of the first `alive` actions to the front, all subsets alike; returns how many those are."""
    if keep >= alive:
        return alive
    for i in range(keep):
        j = i + below(r, alive - i)
        swapped = tried[i]
        tried[i] = tried[j]
        tried[j] = swapped
    return keep
