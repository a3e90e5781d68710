"""External-sampling MCCFR over a public tree: tens of millions of information sets, no keys, no states.

Lanctot et al. (2009), as `mccfr` has it, for games whose moves are all public: see `public_tree`. A deal is a bucket
for each player and street and the winner of a showdown; one function, the *dealer*, draws it, and the game is not
called again. One iteration is one traversal for each player over one deal. Iteration i uses random stream i of the
seed, so that one thread gives the same table however the work is cut into calls; several threads share the iterations
by number and add to one table without locks: a lost update now and then is noise among samples.

With `linear`, iteration t counts t times (Brown and Sandholm, 2019). With `prune`, moves whose regret is so low that it
would take that many times the largest pot, at the current weight, to make them worth playing are left out in nineteen
traversals of twenty, unless they end the game (Brown and Sandholm, *Superhuman AI for multiplayer poker*, 2019); in the
twentieth their regret counts twenty times, so that, unlike there, it stays an unbiased sum.
Numbers are stored in 32 bits, all arithmetic is done in 64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.compile.kernel import Float32Array, inlined
from parlor.game import Floats, GameError, Ints
from parlor.game.rng import below, seed_stream, uniform
from parlor.poker.public_tree import BASE, COUNT, FIRST, SLOT, Layout, PublicTree

ROW, MOVES, EDGE, NOW, HOPELESS = range(5)  # columns of the stack
DEEP = 1 << 30
SPARED = 20  # one traversal in so many prunes nothing


def shuffle(r: Ints, buckets: Ints, data: Any) -> int:
    """The dealer's slot: fill the bucket of each player on each street; 1, 0, -1 if player 0 wins, shares, loses."""
    raise RuntimeError("a kernel runs only after a dealer has been put here")


@dataclass(frozen=True, eq=False)
class Dealer:
    """The source of deals: the numbers of buckets, the function that fills `shuffle`, and its data."""

    buckets: tuple[tuple[int, ...], ...]  # [players][streets]
    shuffle: Callable[..., int]
    data: tuple[Any, ...]


class PublicNodes(NamedTuple):
    """The arrays of a public tree and its layout that the kernel reads. N nodes, E edges, T endings."""

    packed: Any  # [N, 4] slot, actions, base, first edge
    child: Any  # [E]
    folds: Any  # [T]
    shows: Any  # [T]
    stride: Any  # [slots]


class PublicScratch(NamedTuple):
    """Working memory of a thread. D: the most decisions of one player on any line, A actions."""

    stack: Any  # [D, 5] the traverser's nodes above the current one
    strategy: Any  # [D, A]
    values: Any  # [D, A]
    buckets: Any  # [slots]
    begins: Any  # [slots] where their rows begin
    stream: Any  # [4]


class PublicIterations(NamedTuple):
    """The iterations of a thread: begin, begin + step, … before `end`; moves are pruned at regrets below -limit."""

    seed: int
    begin: int
    end: int
    step: int
    linear: bool
    limit: float


class PublicMccfr:
    """A solve in progress: `run(n)` runs n more iterations, `averages` is the strategy so far."""

    name = "mccfr-public"

    def __init__(
        self,
        tree: PublicTree,
        dealer: Dealer,
        seed: int = 0,
        threads: int = 1,
        linear: bool = True,
        prune: float = 0.0,
        compiled: bool = True,
        cells: npt.NDArray[np.float32] | None = None,
    ) -> None:
        if threads < 1:
            raise GameError(f"threads must be at least 1, not {threads}.")
        self.tree, self.dealer = tree, dealer
        self.layout = Layout(tree, dealer.buckets)
        self.seed, self.linear = seed, linear
        self.threads = threads if compiled else 1
        self.iterations = 0
        self.cells = np.zeros(self.layout.cells, np.float32) if cells is None else cells
        self.limit = prune * float(np.abs(np.concatenate([tree.folds, tree.shows])).max())
        slots = {shuffle: dealer.shuffle}
        game = tree.game
        self._kernel = (compiler.native if compiled else compiler.interpret)(run_iterations, game, slots)
        child = tree.child.astype(np.int32)
        self._nodes = PublicNodes(self.layout.packed, child, tree.folds, tree.shows, self.layout.stride)
        self._stop = np.zeros(1, np.int64)
        self._scratch = [self._make_scratch() for _ in range(self.threads)]
        self._some(0, 0, 0)  # compiles, if necessary

    def _make_scratch(self) -> PublicScratch:
        depth, actions, slots = _depth(self.tree), int(self.tree.count.max()), 2 * self.tree.streets
        return PublicScratch(
            np.zeros((depth, 5), np.int64),
            np.zeros((depth, actions)),
            np.zeros((depth, actions)),
            np.zeros(slots, np.int64),
            np.zeros(slots, np.int64),
            np.zeros(4, np.int64),
        )

    def run(self, iterations: int) -> None:
        """Run so many iterations, or until `stop`."""
        begin, end = self.iterations, self.iterations + iterations
        if self.threads == 1:
            self.iterations = self._some(0, begin, end)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            work = [pool.submit(self._some, i, begin + i, end) for i in range(self.threads)]
            self.iterations = min(end, *(w.result() for w in work))

    def stop(self) -> None:
        """Make a `run` in another thread, or under a signal handler, return after its iteration."""
        self._stop[0] = 1

    def go_on(self) -> None:
        """Undo a `stop`."""
        self._stop[0] = 0

    def _some(self, thread: int, begin: int, end: int) -> int:
        """Iterations begin, begin + threads, … before `end`; returns the next one to do."""
        these = PublicIterations(self.seed, begin, end, self.threads, self.linear, self.limit)
        return int(self._kernel(self.cells, self._nodes, self._scratch[thread], self.dealer.data, self._stop, these))

    def touched(self, sample: int = 1 << 16) -> float:
        """The share of rows that have been visited, from a sample of them."""
        rng = np.random.default_rng(0)
        slots = self.layout.slot
        share = self.layout.sizes[slots] / self.layout.infosets
        node = rng.choice(len(self.tree), sample, p=share)
        row = self.layout.base[node] + self.layout.stride[slots[node]] * rng.integers(self.layout.sizes[slots[node]])
        found = self.cells[row] != 0.0
        for i in range(1, 2 * int(self.tree.count.max())):
            at = np.where(i < 2 * self.tree.count[node], row + i, row)
            found |= self.cells[at] != 0.0
        return float(found.mean())

    def averages(self, node: int) -> npt.NDArray[np.float64]:
        """[buckets, actions] the average strategy at a node; zeros where nothing was added."""
        n = int(self.tree.count[node])
        weights = self.cells[self.layout.rows(node)[:, None] + n + np.arange(n)].astype(np.float64)
        sums = weights.sum(axis=1, keepdims=True)
        return np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0.0)


def _depth(tree: PublicTree) -> int:
    """The most decisions of one player on any line, and one."""
    depth = np.zeros((2, len(tree)), np.int64)
    for node, (edge, player) in enumerate(zip(tree.parent.tolist(), tree.player.tolist(), strict=True)):
        if edge >= 0:
            depth[:, node] = depth[:, tree.owner[edge]]
        depth[player, node] += 1
    return int(depth.max()) + 1


@inlined
def match_public(cells: Float32Array, row: int, n: int, strategy: Floats) -> float:
    """Fill the strategy of a row by its positive regrets, or uniformly; returns their sum."""
    total = 0.0
    for i in range(n):
        positive = max(float(cells[row + i]), 0.0)
        strategy[i] = positive
        total += positive
    if total > 0.0:
        for i in range(n):
            strategy[i] /= total
    else:
        for i in range(n):
            strategy[i] = 1.0 / n
    return total


@inlined
def sample_other(cells: Float32Array, row: int, n: int, weight: float, r: Ints) -> int:
    """Draw a move of the player who does not traverse, and add its strategy to the average."""
    total = 0.0
    for i in range(n):
        total += max(float(cells[row + i]), 0.0)
    u = uniform(r)
    pick = 0
    if total > 0.0:
        u *= total
        share = weight / total
        for i in range(n):
            positive = max(float(cells[row + i]), 0.0)
            if positive > 0.0:
                cells[row + n + i] = float(cells[row + n + i]) + share * positive
                if u >= 0.0:
                    pick = i
                u -= positive
    else:
        pick = int(u * n)
        for i in range(n):
            cells[row + n + i] = float(cells[row + n + i]) + weight / n
    return pick


def run_iterations(
    cells: Float32Array,  # rows of n regrets and n weights
    tree: PublicNodes,
    scratch: PublicScratch,
    data: Any,
    stop: Ints,
    these: PublicIterations,
) -> int:
    """Run iterations, each over one deal; return the next one to do."""
    r, limit = scratch.stream, these.limit
    for iteration in range(these.begin, these.end, these.step):
        if stop[0] != 0:
            return iteration
        seed_stream(r, these.seed, iteration)
        winner = float(shuffle(r, scratch.buckets, data))
        for i in range(len(tree.stride)):
            scratch.begins[i] = scratch.buckets[i] * tree.stride[i]
        weight = float(iteration + 1) if these.linear else 1.0
        pruning = limit > 0.0 and below(r, SPARED) > 0
        least = -limit * weight if limit > 0.0 else -math.inf
        for traverser in range(2):
            traverse(cells, tree, scratch, traverser, winner, weight, least, pruning)
    return max(these.end, these.begin)


@inlined
def traverse(
    cells: Float32Array,
    tree: PublicNodes,
    scratch: PublicScratch,
    traverser: int,
    winner: float,
    weight: float,
    least: float,
    pruning: bool,
) -> None:
    """External sampling. Only the traverser's nodes go on the stack; the other's moves are sampled on the way."""
    nodes, child, folds, shows, stride = tree
    stack, strategy, _, _, begins, r = scratch
    half = len(stride) // 2
    sign = 1.0 - 2.0 * traverser
    node = 0
    depth = 0
    sunk = DEEP  # the depth of the first hopeless move that led here
    while True:
        while node >= 0:  # down to an ending
            slot = nodes[node][SLOT]
            n = nodes[node][COUNT]
            row = nodes[node][BASE] + begins[slot]
            first = nodes[node][FIRST]
            if (slot >= half) == (traverser == 1):
                hopeless = 0  # moves, as bits
                if match_public(cells, row, n, strategy[depth]) > 0.0:
                    for i in range(n):
                        if float(cells[row + i]) < least and child[first + i] >= 0:
                            hopeless |= 1 << i
                i = 0
                if pruning:
                    while hopeless >> i & 1:
                        i += 1
                elif hopeless & 1 and sunk == DEEP:
                    sunk = depth
                stack[depth][ROW] = row
                stack[depth][MOVES] = n
                stack[depth][EDGE] = first
                stack[depth][NOW] = i
                stack[depth][HOPELESS] = hopeless
                depth += 1
                node = child[first + i]
            else:
                node = child[first + sample_other(cells, row, n, weight, r)]
        utility = sign * (folds[~node] + winner * shows[~node])
        depth, sunk = back_up(cells, scratch, depth, sunk, utility, weight, pruning)
        if depth == 0:
            break
        node = child[stack[depth - 1][EDGE] + stack[depth - 1][NOW]]


@inlined
def back_up(
    cells: Float32Array,
    scratch: PublicScratch,
    depth: int,
    sunk: int,
    utility: float,
    weight: float,
    pruning: bool,
) -> tuple[int, int]:
    """Take a utility up to the last node with a move left to look at; its depth, 0 at the end, and where we sank."""
    stack, strategy, values, _, _, _ = scratch
    while depth > 0:
        d = depth - 1
        n = stack[d][MOVES]
        i = stack[d][NOW]
        hopeless = stack[d][HOPELESS]
        values[d][i] = utility
        i += 1
        if pruning:
            while hopeless >> i & 1:
                i += 1
        if sunk == d:
            sunk = DEEP
        if i < n:
            if hopeless >> i & 1 and sunk == DEEP:
                sunk = d
            stack[d][NOW] = i
            return depth, sunk
        utility = 0.0
        for j in range(n):
            if strategy[d][j] > 0.0:
                utility += strategy[d][j] * values[d][j]
        row = stack[d][ROW]
        for j in range(n):
            if hopeless >> j & 1 == 0:
                cells[row + j] = float(cells[row + j]) + weight * (values[d][j] - utility)
            elif not pruning:  # compensates for the traversals in which only it was left out
                factor = SPARED if sunk == DEEP else 1
                cells[row + j] = float(cells[row + j]) + factor * weight * (values[d][j] - utility)
        depth = d
    return 0, sunk
