"""Trees of many searches in flat arrays, and how a search walks through its own: PUCT.

A node is what the searching player knows at one of its decisions: its key. Its edges are the legal moves in their
order. All trees take their edges from one store, which Python enlarges when it is nearly full (`with_room`).

    choose the move with the highest   mean + c · prior · √(visits of the node) / (visits of the move + 1)

(Silver et al., 2018). A move that was not tried yet has the mean of its node. Where c is 0, it is the distance of the
least and the greatest value seen in this search (1, where all were equal), so that it means the same in all games.

What a decision passes up is what was simulated below it: its moves count as often as they were tried, also bad ones.
Or, by the operator `max`, it is the mean of the best of its moves, among those that were tried at least a quarter as
often as the one tried most (Coulom, 2006, compares such operators): a plan of several good decisions is then found with
far fewer simulations.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

MIN_VALUE, MAX_VALUE = 0, 1  # values seen
OPERATORS = ("mean", "max")  # what a decision passes up
OFTEN = 4  # `max`: a move that was tried this many times less than another may be good by luck


class Forest(NamedTuple):
    """T trees. S slots and M nodes of each, L moves on a path at most, E edges of all together."""

    slots: Any  # [T, S, a power of 2] open addressing by key: the number of a node + 1
    keys: Any  # [T, S]
    nodes: Any  # [T] how many a tree has
    first: Any  # [T, M] where the edges of a node begin
    visits: Any  # [T, M]
    totals: Any  # [T, M] of the values backed up
    tries: Any  # [E] visits of a move
    sums: Any  # [E] of the values backed up
    priors: Any  # [E]
    used: Any  # [1] edges
    length: Any  # [T] of the path of this simulation
    path: Any  # [T, L, 3] nodes, edges, and how many edges a node has
    slot: Any  # [T] where the leaf of this simulation belongs
    key: Any  # [T] and its key
    width: Any  # [T] how many moves it has
    span: Any  # [T, 2]


def new_forest(trees: int, simulations: int, actions: int, longest: int) -> Forest:
    """Empty trees, for so many simulations each; `longest` is the most moves of a game."""
    slots = 1 << (2 * simulations + 1).bit_length()

    def integers(*shape: int) -> Any:
        return np.zeros(shape, np.int64)

    return Forest(
        integers(trees, slots),
        integers(trees, slots),
        integers(trees),
        integers(trees, simulations + 1),
        integers(trees, simulations + 1),
        np.zeros((trees, simulations + 1)),
        integers(trees * actions),
        np.zeros(trees * actions),
        np.zeros(trees * actions),
        integers(1),
        integers(trees),
        integers(trees, min(simulations, longest) + 1, 3),
        integers(trees),
        integers(trees),
        integers(trees),
        np.zeros((trees, 2)),
    )


def with_room(f: Forest, edges: int) -> Forest:
    """The same forest, with room for so many more edges."""
    missing = int(f.used[0]) + edges - len(f.tries)
    if missing <= 0:
        return f
    more = max(missing, len(f.tries))
    return f._replace(
        tries=np.append(f.tries, np.zeros(more, np.int64)),
        sums=np.append(f.sums, np.zeros(more)),
        priors=np.append(f.priors, np.zeros(more)),
    )


# --------------------------------------------------------------------------------------------------- kernels


def clear(f: Forest, t: int) -> None:
    """An empty tree."""
    for i in range(f.slots.shape[1]):
        f.slots[t, i] = 0
    f.nodes[t] = 0
    f.span[t, MIN_VALUE] = math.inf
    f.span[t, MAX_VALUE] = -math.inf


def find_node(f: Forest, t: int, key: int, n: int) -> int:
    """The node with this key, or -1; then the leaf of this simulation belongs there."""
    mask = f.slots.shape[1] - 1
    i = (key ^ (key >> 31)) & mask
    while f.slots[t, i] != 0 and f.keys[t, i] != key:
        i = (i + 1) & mask
    f.slot[t] = i
    f.key[t] = key
    f.width[t] = n
    return int(f.slots[t, i] - 1)


def choose_edge(f: Forest, t: int, node: int, n: int, c: float) -> int:
    """Which of its `n` moves to try, by PUCT; the first of several."""
    first = f.first[t, node]
    mean = f.totals[t, node] / f.visits[t, node]
    if c == 0.0:
        c = f.span[t, MAX_VALUE] - f.span[t, MIN_VALUE]
        if c == 0.0:
            c = 1.0
    wide = c * math.sqrt(f.visits[t, node])
    best = 0
    highest = -math.inf
    for k in range(n):
        tries = f.tries[first + k]
        value = f.sums[first + k] / tries if tries > 0 else mean
        score = value + wide * f.priors[first + k] / (tries + 1)
        if score > highest:
            highest = score
            best = k
    return best


def follow(f: Forest, t: int, node: int, k: int, n: int) -> None:
    """Put a move on the path."""
    length = f.length[t]
    f.path[t, length, 0] = node
    f.path[t, length, 1] = f.first[t, node] + k
    f.path[t, length, 2] = n
    f.length[t] = length + 1


def add_leaf(f: Forest, t: int, priors: Any, value: float) -> None:
    """The leaf of this simulation becomes a node, if there is room for it."""
    node = f.nodes[t]
    edges = f.used[0]
    n = f.width[t]
    if node == f.first.shape[1] or edges + n > len(f.tries):
        return
    for k in range(n):
        f.tries[edges + k] = 0
        f.sums[edges + k] = 0.0
        f.priors[edges + k] = priors[k]
    f.first[t, node] = edges
    f.visits[t, node] = 1
    f.totals[t, node] = value
    f.keys[t, f.slot[t]] = f.key[t]
    f.slots[t, f.slot[t]] = node + 1
    f.nodes[t] = node + 1
    f.used[0] = edges + n


def back_up(f: Forest, t: int, value: float, greedy: bool) -> None:
    """Count a value on the whole path, from the leaf to the root; what goes up changes on its way if `greedy`."""
    f.span[t, MIN_VALUE] = min(f.span[t, MIN_VALUE], value)
    f.span[t, MAX_VALUE] = max(f.span[t, MAX_VALUE], value)
    for i in range(f.length[t] - 1, -1, -1):
        node = f.path[t, i, 0]
        edge = f.path[t, i, 1]
        f.visits[t, node] += 1
        f.totals[t, node] += value
        f.tries[edge] += 1
        f.sums[edge] += value
        if greedy:
            value = best_mean(f, f.first[t, node], f.path[t, i, 2])


def best_mean(f: Forest, first: int, n: int) -> float:
    """The value of the best of `n` edges, among those that were tried often."""
    most = 0
    for e in range(first, first + n):
        most = max(most, f.tries[e])
    best = -math.inf
    for e in range(first, first + n):
        if OFTEN * f.tries[e] >= most:
            best = max(best, f.sums[e] / f.tries[e])
    return best


def best_edge(f: Forest, t: int, n: int) -> int:
    """Of the root's moves the one that was tried most; of several the better, the likelier, the first."""
    first = f.first[t, 0]
    best = 0
    for k in range(1, n if f.nodes[t] > 0 else 0):
        e, b = first + k, first + best
        more = f.tries[e] - f.tries[b]
        if more == 0 and f.tries[e] > 0 and f.sums[e] != f.sums[b]:
            more = 1 if f.sums[e] > f.sums[b] else -1
        if more == 0 and f.priors[e] > f.priors[b]:
            more = 1
        if more > 0:
            best = k
    return best
