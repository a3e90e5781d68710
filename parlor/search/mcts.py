"""Monte-Carlo tree search: simulations that try again what has done well, and play on with a policy.

Kocsis and Szepesvári, *Bandit based Monte-Carlo planning* (2006): UCT. Each simulation draws a world that agrees with
what the player has seen, and in it plays from node to node, at each taking the move with the highest mean and bonus for
being rarely tried; then it enters one new node, and the policy plays on. All players choose so, each for its own
payoff, as in max-n (Sturtevant, *An analysis of UCT in multi-player games*, 2008). Chance is drawn.

A node is what the player who decides there knows: its key. So a player's choice does not depend on what is hidden
from it, although worlds differ (Cowling, Powley and Whitehouse, *Information set Monte Carlo tree search*, 2012), and
ways that come to the same knowledge share a node.

Departures: payoffs are scaled by the least and the greatest seen so far; moves of a node are tried in the order in
which the policy proposes them, and with `widening` below 1 only the first visits^widening + 1 of them (Coulom, 2007);
the n-th simulation of every move of the root has the same world and the same luck, so that differences between moves
are not due to luck.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from parlor.compile.kernel import legal, odds, play, turn
from parlor.game import CHANCE, OVER, Floats, Ints
from parlor.game.rng import choose, draw, seed_stream
from parlor.search.rollout import Rollout, SearchedMove, SearchFindings, rank_moves, roll_out
from parlor.search.world_table import concrete_key, sample_world

NODES, EDGES = 0, 1  # counters
MIN_VALUE, MAX_VALUE = 0, 1  # payoffs seen


class SearchTree(NamedTuple):
    """The data of the search."""

    keys: Any  # [slots, a power of 2] open addressing: the key of a node
    rows: Any  # [slots] its number + 1
    first: Any  # [N] where its edges begin
    width: Any  # [N] how many they are
    visits: Any  # [N]
    moves: Any  # [E] the move of an edge
    tries: Any  # [E]
    totals: Any  # [E] payoffs of the player who decides
    path: Any  # [L, 3] of a simulation: nodes, edges, players
    counters: Any  # [2]
    span: Any  # [2]
    legal: Any  # [actions]
    world: Any  # [1]
    values: Any  # [players] what came of a simulation
    simulations: int
    exploration: float
    widening: float
    most: int  # moves to try in each node; 0: all
    belief: Any
    rollout: Rollout


def mcts_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, b: SearchTree) -> None:
    """All on the move that was tried most."""
    for i in range(len(b.rows)):
        b.rows[i] = 0
    b.counters[NODES] = 0
    b.counters[EDGES] = 0
    b.span[MIN_VALUE] = 0.0
    b.span[MAX_VALUE] = 0.0
    seed_stream(b.rollout.luck, 0, 0)
    add_node(b, find_slot(b, concrete_key(states[g], p)), concrete_key(states[g], p), states, g, p, moves, n)
    seed = draw(r)
    for k in range(b.simulations):
        simulate(states, g, p, b, seed)
        if k == 0:
            b.span[MIN_VALUE] = b.values[p]
            b.span[MAX_VALUE] = b.values[p]
        for q in range(len(b.values)):
            b.span[MIN_VALUE] = min(b.span[MIN_VALUE], b.values[q])
            b.span[MAX_VALUE] = max(b.span[MAX_VALUE], b.values[q])
    best = 0
    for e in range(1, b.width[0]):
        if b.tries[e] > b.tries[best] or (b.tries[e] == b.tries[best] and b.totals[e] > b.totals[best]):
            best = e
    for i in range(n):
        out[i] = 1.0 if moves[i] == b.moves[best] else 0.0


def simulate(states: Any, g: int, p: int, b: SearchTree, seed: int) -> None:
    """One simulation: down the tree, a new node, a rollout; and up again."""
    worlds, luck, path = b.world, b.rollout.luck, b.path
    s = worlds[0]
    edge = choose_edge(b, 0)
    seed_stream(luck, seed, int(b.tries[edge]))
    sample_world(worlds, 0, states, g, p, luck, b.belief)
    path[0][0] = 0
    path[0][1] = edge
    path[0][2] = p
    length = 1
    play(s, int(b.moves[edge]))
    grown = False
    while not grown and length < len(path):
        who = turn(s)
        if who == OVER:
            break
        if who == CHANCE:
            n = odds(s, b.rollout.odds)
            play(s, int(choose(luck, b.rollout.odds, n)))
            continue
        n = legal(s, b.legal)
        if n == 1:
            play(s, int(b.legal[0]))
            continue
        key = concrete_key(s, who)
        slot = find_slot(b, key)
        grown = b.rows[slot] == 0
        if grown and not add_node(b, slot, key, worlds, 0, who, b.legal, n):
            break  # no room
        node = b.rows[slot] - 1
        edge = choose_edge(b, node)
        path[length][0] = node
        path[length][1] = edge
        path[length][2] = who
        length += 1
        play(s, int(b.moves[edge]))
    roll_out(worlds, 0, b.values, b.rollout)
    for i in range(length):
        b.visits[path[i][0]] += 1
        b.tries[path[i][1]] += 1
        b.totals[path[i][1]] += b.values[path[i][2]]


def choose_edge(b: SearchTree, node: int) -> int:
    """The first one that was not tried yet, or the one with the highest upper confidence bound (UCB1)."""
    first = int(b.first[node])
    count = int(b.width[node])
    if b.widening < 1.0:
        count = min(count, int(b.visits[node] ** b.widening) + 1)
    for e in range(first, first + count):
        if b.tries[e] == 0:
            return e
    span = b.span[MAX_VALUE] - b.span[MIN_VALUE]
    scale = 1.0 / span if span > 0.0 else 0.0
    wide = math.log(b.visits[node])
    best = first
    highest = 0.0
    for e in range(first, first + count):
        mean = (b.totals[e] / b.tries[e] - b.span[MIN_VALUE]) * scale
        bound = mean + b.exploration * math.sqrt(wide / b.tries[e])
        if e == first or bound > highest:
            highest = bound
            best = e
    return best


def find_slot(b: SearchTree, key: int) -> int:
    """Return the slot of the node with this key, or the one where it would be: then its row is 0."""
    mask = len(b.rows) - 1
    i = (key ^ (key >> 31)) & mask
    while b.rows[i] != 0 and b.keys[i] != key:
        i = (i + 1) & mask
    return i


def add_node(b: SearchTree, slot: int, key: int, states: Any, g: int, p: int, moves: Ints, n: int) -> bool:
    """A node with the moves of player `p` in `states[g]`; False if there is no room."""
    node = b.counters[NODES]
    edges = b.counters[EDGES]
    if node == len(b.first) or edges + n > len(b.moves):
        return False
    count = rank_moves(states, g, p, moves, n, b.most, b.rollout)
    for k in range(count):
        b.moves[edges + k] = moves[b.rollout.order[k]]
        b.tries[edges + k] = 0
        b.totals[edges + k] = 0.0
    b.first[node] = edges
    b.width[node] = count
    b.visits[node] = 0
    b.keys[slot] = key
    b.rows[slot] = node + 1
    b.counters[NODES] = node + 1
    b.counters[EDGES] = edges + count
    return True


def findings_of(b: SearchTree) -> SearchFindings:
    """The moves at the root."""
    root = range(b.first[0], b.first[0] + b.width[0])
    tried = ((int(b.moves[e]), int(b.tries[e]), float(b.totals[e])) for e in root)
    return SearchFindings(tuple(SearchedMove(move, n, total / n if n else None) for move, n, total in tried))
