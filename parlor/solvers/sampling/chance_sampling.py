"""The traversal of chance-sampled CFR, as a kernel: chance is drawn, all actions of all players are tried.

Zinkevich et al. (2007) and Lanctot et al. (2009). An information set of the traverser may be met several times in a
traversal, after different actions of the others that it did not see. Its strategy must not change meanwhile, so the row
keeps it, with the number of the traversal, its *mark*: n regrets, n weights, n probabilities, the mark.
"""

from __future__ import annotations

from parlor.compile.kernel import copy, deal, inlined, key, legal, payoff, play, turn
from parlor.game import CHANCE, OVER, Floats
from parlor.solvers.sampling.infoset_table import STOP, TableArrays, find
from parlor.solvers.sampling.traversals import REPEAT, TOO_LONG, SamplingOptions, TraversalScratch, match_regrets

ROW, COUNT, NOW, OWN = range(4)  # columns of the stack
MINE, THEIRS = range(2)  # columns of `odds`: the probability that the traverser's, and the others' choices led here


@inlined
def every_action(
    learned: TableArrays, scratch: TraversalScratch, traverser: int, players: int, weight: float, how: SamplingOptions
) -> int:
    """Chance sampling. Every decision goes on the stack."""
    slots, ints, floats, counters = learned
    states, moves, strategy, _, stack, chances, r, nodes, _, odds = scratch
    base = len(stack)
    nodes[1] += 1
    mark = nodes[1]
    mine = 1.0
    theirs = 1.0
    visited = 0
    depth = 0
    while True:
        visited += 1
        if counters[STOP] != 0:
            return REPEAT
        s = states[base + 1]
        who = turn(s)
        if who == CHANCE:
            play(s, deal(s, chances, r))
        elif who != OVER:
            if depth >= base:
                return TOO_LONG
            n = legal(s, moves[depth])
            if n == 1:
                play(s, int(moves[depth][0]))
                continue
            row = find(slots, ints, counters, key(s, who), n, 3 * n + 2)
            if row == 0:
                return REPEAT
            match_regrets(floats, row, n, strategy[depth])
            if who == traverser:
                if ints[row + 1 + 3 * n] != mark:
                    ints[row + 1 + 3 * n] = mark
                    for i in range(n):
                        floats[row + 1 + 2 * n + i] = strategy[depth][i]
                        floats[row + 1 + n + i] += weight * mine * strategy[depth][i]
                else:
                    for i in range(n):
                        strategy[depth][i] = floats[row + 1 + 2 * n + i]
            stack[depth][ROW] = row
            stack[depth][COUNT] = n
            stack[depth][NOW] = 0
            stack[depth][OWN] = who == traverser
            odds[depth][MINE] = mine
            odds[depth][THEIRS] = theirs
            copy(states, depth, states, base + 1)
            play(s, int(moves[depth][0]))
            depth += 1
        else:
            depth = back_up_all(floats, scratch, depth, payoff(s, traverser), weight)
            if depth == 0:
                return visited
        if depth > 0:
            top = depth - 1
            chosen = strategy[top][stack[top][NOW]]
            mine = odds[top][MINE] * (chosen if stack[top][OWN] != 0 else 1.0)
            theirs = odds[top][THEIRS] * (1.0 if stack[top][OWN] != 0 else chosen)


@inlined
def back_up_all(floats: Floats, scratch: TraversalScratch, depth: int, utility: float, weight: float) -> int:
    """Take a utility up to the last node with an action left to look at, and play that; its depth, 0 at the end."""
    states, moves, strategy, values, stack, _, _, _, _, odds = scratch
    current = len(stack) + 1
    while depth > 0:
        d = depth - 1
        row = stack[d][ROW]
        n = stack[d][COUNT]
        i = stack[d][NOW]
        values[d][i] = utility
        if i + 1 < n:
            stack[d][NOW] = i + 1
            copy(states, current, states, d)
            play(states[current], int(moves[d][i + 1]))
            return depth
        utility = 0.0
        for j in range(n):
            utility += strategy[d][j] * values[d][j]
        if stack[d][OWN] != 0:
            for j in range(n):
                floats[row + 1 + j] += weight * odds[d][THEIRS] * (values[d][j] - utility)
        depth = d
    return 0
