"""The iterations of CFR by several threads, to the bit the same as by one.

A player's information sets form a forest: with perfect recall each has one sequence that leads to it. So the forest is
cut into subtrees, no larger than a share of the work, and each thread takes some neighbours: values, regrets and
strategies below the cut need nothing but what is below it. What is above the cut is a few information sets; one thread
does them, between two meetings of all. Every sum is added up in the order of `iteration`.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.compile.kernel import meet
from parlor.sequence_form.tree import Ints, Sequences, Tree
from parlor.solvers.tree_cfr.iteration import (
    CfrTables,
    Discounts,
    LockArrays,
    Variant,
    add_to_average,
    average_weight,
    counterfactual,
    discounts_of,
    match_regrets,
)

PIECES = 8  # subtrees of a thread, at least, where the game has so many
SEQUENCE = 10  # entries: what a sequence costs besides them


class WorkShare(NamedTuple):
    """The work of a thread: information sets below the cuts, and sequences above them, for their values."""

    begin: Any  # of runs of information sets, one after the other, and
    end: Any  # where each ends
    runs: Any  # [P+1] the runs of each player
    loose: Any
    loose_bounds: Any  # [P+1]


class Cuts(NamedTuple):
    """The forests of all players in pieces."""

    top: Any  # the information sets above the cut and the roots of the pieces, the last first
    top_bounds: Any  # [P+1]
    is_root: Any  # [I] whether a piece begins there
    worth: Any  # [I] of the roots of pieces


class Crew:
    """Threads that iterate together: each runs through all iterations of a call, and waits where it must."""

    def __init__(self, t: Tree, threads: int, compiled: bool = True) -> None:
        self.threads = threads
        self._sequences: Sequences = t.sequence_form
        made = compiler.native if compiled else _as_it_is
        self.shares, self.cuts = cut(t, threads, made)
        self._gate: Any = np.zeros(64, np.int64) if compiled else threading.Barrier(threads)
        self._pool = ThreadPoolExecutor(max(threads - 1, 1))
        self._kernel = made(iterate_together)

    def iterate(self, learned: CfrTables, lock: LockArrays, variant: Variant, done: int, iterations: int) -> None:
        """Iterations done + 1 … done + iterations."""
        numbers = np.zeros((iterations, 5))
        for k, t in enumerate(range(done + 1, done + 1 + iterations)):
            numbers[k] = (*discounts_of(t, variant), average_weight(t, variant))

        def work(rank: int) -> None:
            self._kernel(
                rank, self.threads, self._gate, self.shares[rank], self.cuts, self._sequences, learned, lock, numbers,
                variant.alternating,
            )  # fmt: skip

        others = range(1, self.threads) if iterations else ()  # without iterations one is enough to compile
        futures = [self._pool.submit(work, rank) for rank in others]
        work(0)
        for future in futures:
            future.result()


def _as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def cut(t: Tree, threads: int, made: Callable[..., Any]) -> tuple[list[WorkShare], Cuts]:
    """Cut the forests of all players, and deal the pieces to threads."""
    is_root = np.zeros(t.infosets, np.bool_)
    found = [_cut(t, p, threads, made, is_root) for p in range(t.game.players)]
    shares = []
    for k in range(threads):
        runs = [_runs(infosets[k]) for infosets, _, _ in found]
        loose = [sequences[k::threads] for _, sequences, _ in found]
        shares.append(
            WorkShare(
                np.concatenate([begin for begin, _ in runs]),
                np.concatenate([end for _, end in runs]),
                _bounds(begin for begin, _ in runs),
                np.concatenate(loose),
                _bounds(loose),
            )
        )
    tops = [top for _, _, top in found]
    return shares, Cuts(np.concatenate(tops), _bounds(tops), is_root, np.zeros(t.infosets))


def _bounds(parts: Iterable[Ints]) -> Ints:
    """The beginnings of parts in all of them together."""
    return np.cumsum([0, *(len(part) for part in parts)], dtype=np.int64)


def _cut(t: Tree, player: int, threads: int, made: Callable[..., Any], is_root: Any) -> tuple[list[Ints], Ints, Ints]:
    """Cut a player's forest: the information sets of each thread, the sequences above the cut, and its top."""
    low, high = t.infoset_bounds[player : player + 2].tolist()
    owner = np.full(t.sequences, -1, np.int64)  # the infoset of each sequence
    owner[t.rows] = np.repeat(np.arange(t.infosets), t.counts)
    above = owner[t.parent[low:high].astype(np.int64)]  # the infoset above each
    entries = np.diff(t.entry_bounds.astype(np.int64))
    own = np.zeros(t.infosets, np.int64)
    np.add.at(own, owner[t.rows], entries[t.rows] + SEQUENCE)
    work = own[low:high].copy()
    made(add_to_parents)(work, above, low)
    order = np.argsort(above, kind="stable")
    ordered = above[order]

    def below(infoset: int) -> list[int]:
        first, end = np.searchsorted(ordered, [infoset, infoset + 1])
        return (order[first:end] + low).tolist()

    pieces = [(-int(work[i - low]), i) for i in below(-1)]
    heapq.heapify(pieces)
    limit = -sum(size for size, _ in pieces) / (PIECES * threads)
    whole, top = [], []  # pieces that are not to be cut, and the infosets above the others
    while pieces:
        size, i = heapq.heappop(pieces)
        if -size > limit and (children := below(i)):
            top.append(i)
            for child in children:
                heapq.heappush(pieces, (-int(work[child - low]), child))
        else:
            whole.append((size, i))
    thread_of = np.full(high - low, -1, np.int64)
    done, every = 0, max(-sum(size for size, _ in whole), 1)
    for size, i in sorted(whole, key=lambda piece: piece[1]):  # neighbours to one thread: they lie side by side
        thread_of[i - low] = min(threads * (2 * done - size) // (2 * every), threads - 1)
        is_root[i] = True
        done -= size
    made(follow_parents)(thread_of, above, low, is_root)
    loose = np.concatenate([[int(t.bounds[player])], *(_sequences_of(t, i) for i in sorted(top))]).astype(np.int64)
    listed = np.array(sorted([*top, *(i for _, i in whole)], reverse=True), np.int64)
    return [np.flatnonzero(thread_of == k) + low for k in range(threads)], loose, listed


def _runs(numbers: Ints) -> tuple[Ints, Ints]:
    """Ascending numbers as runs: where each begins, and where it ends."""
    breaks = np.flatnonzero(np.diff(numbers) > 1) + 1
    starts = np.concatenate([[0], breaks, [len(numbers)]]).astype(np.int64)
    return (numbers[starts[:-1]], numbers[starts[1:] - 1] + 1) if len(numbers) else (numbers, numbers)


def _sequences_of(t: Tree, infoset: int) -> npt.NDArray[np.int64]:
    return int(t.first[infoset]) + np.arange(t.counts[infoset])


# ------------------------------------------------------------------------------------------------------- the kernels


def add_to_parents(work: Ints, above: Ints, low: int) -> None:
    """Add the work at each infoset to that of the one above it."""
    for i in range(len(work) - 1, -1, -1):
        if above[i] >= 0:
            work[above[i] - low] += work[i]


def follow_parents(thread_of: Ints, above: Ints, low: int, is_root: Any) -> None:
    """Give what is below a root to its thread."""
    for i in range(len(thread_of)):
        if not is_root[i + low] and above[i] >= 0:
            thread_of[i] = thread_of[above[i] - low]


def iterate_together(
    rank: int, threads: int, gate: Any, share: WorkShare, cuts: Cuts, sequences: Sequences, learned: CfrTables,
    lock: LockArrays, numbers: Any, alternating: bool,
) -> None:  # fmt: skip
    """The iterations of one thread; `numbers` [N, 5]: the discounts of each, and the weight of its strategy."""
    players = len(share.runs) - 1
    for t in range(len(numbers)):
        discounts = (numbers[t, 0], numbers[t, 1], numbers[t, 2], numbers[t, 3])
        if not alternating:
            for p in range(players):
                values_below(p, sequences, learned, share)
        for p in range(players):
            if alternating:
                values_below(p, sequences, learned, share)
            update_below(p, sequences, learned, lock, discounts, numbers[t, 4], share, cuts)
            meet(gate, threads)
            if rank == 0:
                update_top(p, sequences, learned, lock, discounts, cuts)
            meet(gate, threads)
            follow_below(p, sequences, learned, lock, share)
            meet(gate, threads)


def values_below(p: int, sequences: Sequences, learned: CfrTables, share: WorkShare) -> None:
    """The values of the endings right after the sequences of a share."""
    first, count = sequences.first, sequences.count
    for k in range(share.loose_bounds[p], share.loose_bounds[p + 1]):
        q = share.loose[k]
        counterfactual(q, q + 1, sequences, learned)
    for k in range(share.runs[p], share.runs[p + 1]):
        last = share.end[k] - 1
        counterfactual(first[share.begin[k]], first[last] + count[last], sequences, learned)


def update_below(
    p: int, sequences: Sequences, learned: CfrTables, lock: LockArrays, discounts: Discounts, weight: float,
    share: WorkShare, cuts: Cuts,
) -> None:  # fmt: skip
    """Averages, regrets and the next strategies of a share; what its roots are worth."""
    parent, first, count = sequences.parent, sequences.first, sequences.count
    for k in range(share.loose_bounds[p], share.loose_bounds[p + 1]):
        add_to_average(share.loose[k], share.loose[k] + 1, learned, weight)
    for k in range(share.runs[p + 1] - 1, share.runs[p] - 1, -1):
        last = share.end[k] - 1
        add_to_average(first[share.begin[k]], first[last] + count[last], learned, weight)
        for i in range(last, share.begin[k] - 1, -1):
            utility = learned.value[first[i]]
            if count[i] > 1:
                utility = match_regrets(i, first[i], first[i] + count[i], learned, lock, discounts)
            if cuts.is_root[i]:
                cuts.worth[i] = utility
            else:
                learned.value[parent[i]] += utility


def update_top(
    p: int, sequences: Sequences, learned: CfrTables, lock: LockArrays, discounts: Discounts, cuts: Cuts
) -> None:
    """The same above the cut, and the realisation plan there."""
    parent, first, count = sequences.parent, sequences.first, sequences.count
    _, _, strategy, reach, _, value = learned
    top, is_root = cuts.top, cuts.is_root
    begin, end = cuts.top_bounds[p], cuts.top_bounds[p + 1]
    for k in range(begin, end):
        i = top[k]
        if is_root[i]:
            value[parent[i]] += cuts.worth[i]
        elif count[i] == 1:
            value[parent[i]] += value[first[i]]
        else:
            value[parent[i]] += match_regrets(i, first[i], first[i] + count[i], learned, lock, discounts)
    for k in range(end - 1, begin - 1, -1):
        i = top[k]
        if not is_root[i]:
            for q in range(first[i], first[i] + count[i]):
                reach[q] = reach[parent[i]] * strategy[q]


def follow_below(p: int, sequences: Sequences, learned: CfrTables, lock: LockArrays, share: WorkShare) -> None:
    """The realisation plan of a share, and what the others meet of it."""
    parent, first, count = sequences.parent, sequences.first, sequences.count
    _, _, strategy, reach, met, _ = learned
    bound = lock.share[p]
    for k in range(share.runs[p], share.runs[p + 1]):
        for i in range(share.begin[k], share.end[k]):
            arrived = reach[parent[i]]
            for q in range(first[i], first[i] + count[i]):
                reach[q] = arrived * strategy[q]
                if len(lock.bound) > 0:
                    met[q] = bound * lock.bound[q] + (1.0 - bound) * reach[q]
    if len(lock.bound) > 0:
        for k in range(share.loose_bounds[p], share.loose_bounds[p + 1]):
            q = share.loose[k]
            met[q] = bound * lock.bound[q] + (1.0 - bound) * reach[q]
