"""Max-n with exact chance: every player takes what is best for itself, and outcomes count by their odds.

Luckhart and Irani, *An algorithmic solution of n-person games* (1986); with two players and zero sum it is expectimax.
The search goes to a fixed depth of moves and outcomes; forced ones are free. What lies there is worth what rollouts, or
the policy's own estimate, make of it. Other players may instead follow the policy: their moves are then like chance.

Pruning. On its way, each node knows for each player a value that it *needs*: if the node is worth no more to that
player, it does not matter how little, since the player has something at least as good above. Needs come from the
decisions above: with two players and zero sum from all of them, which is alpha-beta; with more, from the nearest one
alone, which is shallow pruning (Korf, *Multi-player alpha-beta pruning*, 1991). They pass through chance because
outcomes that are not known yet are worth at most the greatest payoff: Star1; and less once one move of each has been
looked at: Star2 (Ballard, *The star-minimax search procedure for trees containing chance nodes*, 1983). What one player
gets bounds what is left for another if the game declares its payoffs (`PAYOFFS`), or has two players and zero sum.

No recursion: there is a row of each array for each node between the root and where the search is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlor.compile.kernel import copy, legal, odds, payoff, play, turn
from parlor.game import CHANCE, OVER, Floats, Ints
from parlor.game.rng import draw, seed_stream
from parlor.search.rollout import Rollout, policy_chances, rank_moves, roll_out
from parlor.search.world_table import sample_world

EXACT, SPENT = -1, -2  # how a search has ended, if not with a player who does not get what it needs
NODES, LIMITED = 0, 1  # counters
UNKNOWN, TOO_LOW, A_MOVE, WHOLE = range(4)  # of an outcome: nothing is known; its first move's player needs more than
# it gives; the value of its first move is known; its own value is known
NOTHING = float("-inf")  # any value is more than is needed


class MaxN(NamedTuple):
    """The data of the search: at most D nodes on a path, at most A moves or outcomes in each, P players."""

    states: Any  # [D + 1] of the nodes, and one to roll out in
    moves: Any  # [D, A] what is tried
    chances: Any  # [D, A] at chance: how likely
    count: Any  # [D] how many of these there are
    next: Any  # [D] the next one
    probe: Any  # [D] at chance: the next one of which one move is to be looked at
    at: Any  # [D] the one that is looked at
    who: Any  # [D] the player who decides there, or CHANCE
    inner: Any  # [D] 1 if anything follows
    single: Any  # [D] 1 if only one move is to be looked at
    found: Any  # [D] 1 if a move gives its player more than it needs
    values: Any  # [D, P] of the best move; at chance, the sum so far
    needs: Any  # [D, P]
    upper: Any  # [D, A, P] at chance: what an outcome is worth at most
    probed: Any  # [D, A] at chance: what a look at one move of an outcome has shown, see UNKNOWN
    first: Any  # [D, A, P] the value of that move
    rest: Any  # [D, P] the same for all that are not known yet, by their odds
    worlds: Any  # [W] in which it searches
    totals: Any  # [A] of the moves of the root
    sample: Any  # [P] what came of a rollout
    counters: Any  # [2]
    depth: int  # moves and outcomes, at most
    nodes: int  # states to look at, at most
    most: int  # moves to try in each node; 0: all
    rollouts: int  # where the search ends
    others: int  # 1 if the other players follow the policy
    pruning: int  # 0 none, 1 by Star1, 2 by Star2
    deep: int  # 1 if needs of all nodes above count: two players, zero sum
    bounded: int  # 1 if there is a greatest payoff
    greatest: float  # payoff of a player
    shared: float  # what one player gets is at most this, less what another gets
    belief: Any
    rollout: Rollout


def max_n_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, b: MaxN) -> None:
    """All on the best move of the deepest search that could be finished."""
    order = b.rollout.order
    seed_stream(b.rollout.luck, 0, 0)
    count = rank_moves(states, g, p, moves, n, b.most, b.rollout)
    for k in range(count):
        b.moves[0][k] = order[k]
    for w in range(len(b.worlds)):
        sample_world(b.worlds, w, states, g, p, r, b.belief)
    seed = draw(r)
    best = int(b.moves[0][0])
    b.counters[NODES] = 0
    tried = b.moves[0]
    for depth in range(b.depth):  # below the move itself
        leader = search_moves(b, p, moves, tried, count, depth, seed)
        if leader < 0:
            break
        best = int(tried[leader])
        if b.counters[LIMITED] == 0:  # the game ends before the depth does
            break
    for i in range(n):
        out[i] = 1.0 if i == best else 0.0


def search_moves(b: MaxN, p: int, moves: Ints, tried: Ints, count: int, depth: int, seed: int) -> int:
    """Which of the moves to try is best for player `p`, with `depth` moves and outcomes below; or SPENT."""
    alone = len(b.worlds) == 1
    leader = 0
    b.counters[LIMITED] = 0
    for k in range(count):
        b.totals[k] = 0.0
    for w in range(len(b.worlds)):
        for k in range(count):
            copy(b.states, 1, b.worlds, w)
            play(b.states[1], int(moves[tried[k]]))
            for q in range(len(b.sample)):
                b.needs[1][q] = NOTHING
            if alone and k > 0 and b.pruning > 0:
                b.needs[1][p] = b.totals[leader]
            ended = search(b, p, depth, seed, w * b.rollouts)
            if ended == SPENT:
                return SPENT
            if ended == EXACT:
                b.totals[k] += b.values[1][p]
                if alone and b.totals[k] > b.totals[leader]:
                    leader = k
    if not alone:
        for k in range(1, count):
            if b.totals[k] > b.totals[leader]:
                leader = k
    return leader


def search(b: MaxN, p: int, depth: int, seed: int, index: int) -> int:
    """Find the value of `states[1]`, and put it into `values[1]`.

    Returns EXACT; or a player who does not get what it needs; or SPENT, if there were too many states.
    """
    d = 1
    b.single[1] = 0
    opened = False
    while True:
        if not opened:
            if depth > 0 and b.counters[NODES] >= b.nodes:
                return SPENT
            low = open_node(b, p, d, depth + 1 - d, seed, index)
            opened = True
        else:
            low = EXACT
        if low >= 0:
            pass
        elif go_down(b, d):
            d += 1
            opened = False
            continue
        elif b.inner[d] and b.who[d] >= 0 and b.found[d] == 0 and b.single[d] == 0:
            low = int(b.who[d])  # no move gives it what it needs
        elif d == 1:
            return EXACT
        else:
            d -= 1
            low = go_up(b, d)
        if low >= 0:  # the player's own decision above has something better
            d -= 1
            while d > 0 and b.who[d] != low:
                d -= 1
            if d == 0:
                return low


def open_node(b: MaxN, p: int, d: int, left: int, seed: int, index: int) -> int:
    """Enter `states[d]`, with `left` moves and outcomes to go.

    Returns a player who does not get what it needs, or EXACT. If one move of it has been looked at before, that is
    not done again.
    """
    known = UNKNOWN
    if d > 1 and b.who[d - 1] == CHANCE and b.single[d] == 0:
        known = int(b.probed[d - 1][b.at[d - 1]])
    if known == WHOLE:
        b.inner[d] = 0
        for q in range(len(b.sample)):
            b.values[d][q] = b.first[d - 1][b.at[d - 1]][q]
        return EXACT
    expand(b, p, d, left, seed, index)
    if known != UNKNOWN:
        b.next[d] = 1
    if known != A_MOVE:
        return EXACT
    for q in range(len(b.sample)):
        b.values[d + 1][q] = b.first[d - 1][b.at[d - 1]][q]
    return go_up(b, d)


def expand(b: MaxN, p: int, d: int, left: int, seed: int, index: int) -> None:
    """List what may follow, or find out what the state is worth."""
    b.counters[NODES] += 1
    s = b.states[d]
    players = len(b.sample)
    moves, chances = b.moves[d], b.chances[d]
    b.inner[d] = 0
    n = 0
    who = turn(s)
    while left > 0 and who != OVER:
        if who == CHANCE:
            n = listed(moves, chances, odds(s, chances), True)
        else:
            n = legal(s, moves)
            if n > 1 and b.others and who != p:
                policy_chances(b.states, d, who, moves, n, chances, b.rollout)
                n = listed(moves, chances, n, False)
                who = CHANCE
        if n > 1:
            break
        play(s, int(moves[0]))
        who = turn(s)
    if who == OVER:
        for q in range(players):
            b.values[d][q] = payoff(s, q)
        return
    if left == 0:
        judge(b, d, seed, index)
        return
    if who >= 0 and b.most > 0:
        seed_stream(b.rollout.luck, seed, index)  # the same moves if it comes here again
        n = rank_moves(b.states, d, who, moves, n, b.most, b.rollout)
        for k in range(n):  # through the scores, as the moves must not be overwritten
            b.rollout.scores[k] = moves[b.rollout.order[k]]
        for k in range(n):
            moves[k] = int(b.rollout.scores[k])
    b.inner[d] = 1
    b.who[d] = who
    b.count[d] = n
    b.next[d] = 0
    b.probe[d] = n
    b.found[d] = 0
    needed = False
    for q in range(players):
        b.values[d][q] = 0.0
        b.rest[d][q] = b.greatest
        needed = needed or b.needs[d][q] > NOTHING
    if who == CHANCE:
        for i in range(n):
            b.probed[d][i] = UNKNOWN
    if who == CHANCE and needed and b.bounded:
        for i in range(n):
            for q in range(players):
                b.upper[d][i][q] = b.greatest
        if b.pruning == 2 and left > 1:
            b.probe[d] = 0


def listed(moves: Ints, chances: Floats, n: int, outcomes: bool) -> int:
    """Keep what is possible, of outcomes or of moves; returns how many."""
    count = 0
    for i in range(n):
        if chances[i] > 0.0:
            chances[count] = chances[i]
            moves[count] = i if outcomes else moves[i]
            count += 1
    return count


def judge(b: MaxN, d: int, seed: int, index: int) -> None:
    """Value `states[d]` by rollouts, or by the policy's own estimate."""
    b.counters[LIMITED] = 1
    players = len(b.sample)
    last = len(b.states) - 1
    for q in range(players):
        b.values[d][q] = 0.0
    for k in range(b.rollouts):
        copy(b.states, last, b.states, d)
        seed_stream(b.rollout.luck, seed, index + k)  # the same luck everywhere: differences are not due to it
        roll_out(b.states, last, b.sample, b.rollout)
        for q in range(players):
            b.values[d][q] += b.sample[q] / b.rollouts


def go_down(b: MaxN, d: int) -> bool:
    """Put what follows next into `states[d + 1]`, with its needs; False if there is nothing more to look at."""
    if b.inner[d] == 0:
        return False
    who = b.who[d]
    players = len(b.sample)
    single = 0
    if who == CHANCE:
        if b.single[d]:
            return False
        if b.probe[d] < b.count[d]:
            i = b.probe[d]
            b.probe[d] += 1
            single = 1
        else:
            i = b.next[d]
            b.next[d] += 1
        if i == b.count[d]:
            return False
        chance = b.chances[d][i]
        for q in range(players):
            need = NOTHING
            if b.bounded and b.needs[d][q] > NOTHING:
                others = b.rest[d][q] - chance * b.upper[d][i][q]
                need = (b.needs[d][q] - b.values[d][q] - others) / chance
            b.needs[d + 1][q] = need
    else:
        i = b.next[d]
        b.next[d] += 1
        if i == b.count[d] or (b.single[d] and i > 0):
            return False
        for q in range(players):
            b.needs[d + 1][q] = b.needs[d][q] if b.deep else NOTHING
        if b.pruning > 0:
            b.needs[d + 1][who] = b.values[d][who] if b.found[d] else b.needs[d][who]
    b.at[d] = i
    b.single[d + 1] = single
    copy(b.states, d + 1, b.states, d)
    play(b.states[d + 1], int(b.moves[d][i]))
    return True


def go_up(b: MaxN, d: int) -> int:
    """Take in what was found at `d + 1`; returns a player who does not get what it needs, or EXACT."""
    who = b.who[d]
    values, below = b.values[d], b.values[d + 1]
    if who >= 0:
        if b.found[d] and below[who] <= values[who]:
            return EXACT
        if below[who] <= b.needs[d][who]:
            return EXACT
        b.found[d] = 1
        for q in range(len(b.sample)):
            values[q] = below[q]
        for q in range(len(b.sample)):
            if q != who and b.shared - values[who] <= b.needs[d][q]:
                return q
        return EXACT
    i = b.at[d]
    chance = b.chances[d][i]
    if b.single[d + 1]:
        bound_outcome(b, d, i)
    else:
        for q in range(len(b.sample)):
            values[q] += chance * below[q]
            if b.bounded and b.needs[d][q] > NOTHING:
                b.rest[d][q] -= chance * b.upper[d][i][q]
        if i == b.count[d] - 1:
            return EXACT
    for q in range(len(b.sample)):
        if b.bounded and values[q] + b.rest[d][q] <= b.needs[d][q]:
            return q
    return EXACT


def bound_outcome(b: MaxN, d: int, i: int) -> None:
    """After one move of an outcome: its player gets at least as much, which bounds what the others get."""
    who = b.who[d + 1]
    inner = b.inner[d + 1]
    if inner and who == CHANCE:
        return
    b.probed[d][i] = WHOLE if inner == 0 else A_MOVE if b.found[d + 1] else TOO_LOW
    if b.probed[d][i] == TOO_LOW:
        return
    for q in range(len(b.sample)):
        b.first[d][i][q] = b.values[d + 1][q]
        if b.needs[d][q] > NOTHING and (inner == 0 or q != who):
            most = b.shared - b.values[d + 1][who] if inner else b.values[d + 1][q]
            if most < b.upper[d][i][q]:
                b.rest[d][q] -= b.chances[d][i] * (b.upper[d][i][q] - most)
                b.upper[d][i][q] = most
