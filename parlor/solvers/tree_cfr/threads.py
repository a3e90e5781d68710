"""The iterations of CFR by several threads, to the bit the same as by one.

A player's information sets form a forest: with perfect recall each has one sequence that leads to it. So the forest is
cut into subtrees, no larger than a share of the work, and each thread takes some neighbours: values, regrets and
strategies below the cut need nothing but what is below it. What is above the cut is a few information sets; one thread
does them, between two meetings of all. Every sum is added up in the order of `iteration`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
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


Kernel = Callable[..., Any]


class WorkShare(NamedTuple):
    """The work of a thread for a player: information sets below the cut, and sequences above it, for their values."""

    begin: Any  # of runs of information sets, one after the other, and
    end: Any  # where each ends
    loose: Any


class Cut(NamedTuple):
    """A player's forest in pieces."""

    shares: list[WorkShare]
    top: Any  # the information sets above the cut and the roots of the pieces, the last first
    is_root: Any  # [I] whether a piece begins there


class Crew:
    """Threads that iterate together."""

    def __init__(self, t: Tree, threads: int, compiled: bool = True) -> None:
        self.threads = threads
        self._sequences: Sequences = t.sequence_form
        self._made = compiler.native if compiled else _as_it_is
        self._cuts = [_cut(t, p, threads, self._made) for p in range(t.game.players)]
        self._worth = np.zeros(t.infosets)  # of the roots of pieces
        self._pool = ThreadPoolExecutor(max(threads - 1, 1))
        self._kernels = [self._made(kernel) for kernel in (values_below, update_below, update_top, follow_below)]

    def iterate(self, learned: CfrTables, lock: LockArrays, variant: Variant, done: int, iterations: int) -> None:
        """Iterations done + 1 … done + iterations."""
        values, update, top, follow = self._kernels
        s, worth = self._sequences, self._worth
        for t in range(done + 1, done + 1 + iterations):
            discounts, weight = discounts_of(t, variant), average_weight(t, variant)
            if not variant.alternating:
                for cut in self._cuts:
                    self._together(_values, cut.shares, values, s, learned)
            for p, cut in enumerate(self._cuts):
                if variant.alternating:
                    self._together(_both, cut.shares, values, update, s, learned, lock, discounts, weight, cut, worth)
                else:
                    self._together(_update, cut.shares, update, s, learned, lock, discounts, weight, cut, worth)
                top(s, learned, lock, discounts, cut.top, cut.is_root, worth)
                self._together(_follow, cut.shares, follow, p, s, learned, lock)

    def _together(self, work: Callable[..., None], shares: Iterable[WorkShare], *given: Any) -> None:
        """All threads do their shares; this one is among them."""
        first, *others = shares
        futures = [self._pool.submit(work, share, *given) for share in others]
        work(first, *given)
        for future in futures:
            future.result()


def _values(share: WorkShare, values: Kernel, s: Sequences, learned: CfrTables) -> None:
    values(s, learned, share)


def _update(
    share: WorkShare, update: Kernel, s: Sequences, learned: CfrTables, lock: LockArrays, discounts: Discounts,
    weight: float, cut: Cut, worth: Any,
) -> None:  # fmt: skip
    update(s, learned, lock, discounts, weight, share, cut.is_root, worth)


def _both(share: WorkShare, values: Kernel, update: Kernel, s: Sequences, learned: CfrTables, *given: Any) -> None:
    values(s, learned, share)
    _update(share, update, s, learned, *given)


def _follow(share: WorkShare, follow: Kernel, p: int, s: Sequences, learned: CfrTables, lock: LockArrays) -> None:
    follow(p, s, learned, lock, share)


def _as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def _cut(t: Tree, player: int, threads: int, made: Callable[..., Any]) -> Cut:
    """Cut a player's forest and deal the pieces, the largest first to whoever has least."""
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
    is_root = np.zeros(t.infosets, np.bool_)
    done, every = 0, max(-sum(size for size, _ in whole), 1)
    for size, i in sorted(whole, key=lambda piece: piece[1]):  # neighbours to one thread: they lie side by side
        thread_of[i - low] = min(threads * (2 * done - size) // (2 * every), threads - 1)
        is_root[i] = True
        done -= size
    made(follow_parents)(thread_of, above, low, is_root)
    loose = np.concatenate([[int(t.bounds[player])], *(_sequences_of(t, i) for i in sorted(top))]).astype(np.int64)
    dealt = [np.ascontiguousarray(loose[k::threads]) for k in range(threads)]
    shares = [WorkShare(*_runs(np.flatnonzero(thread_of == k) + low), dealt[k]) for k in range(threads)]
    listed = np.array(sorted([*top, *np.flatnonzero(is_root).tolist()], reverse=True), np.int64)
    return Cut(shares, listed, is_root)


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


def values_below(sequences: Sequences, learned: CfrTables, share: WorkShare) -> None:
    """The values of the endings right after the sequences of a share."""
    first, count = sequences.first, sequences.count
    for q in share.loose:
        counterfactual(q, q + 1, sequences, learned)
    for k in range(len(share.begin)):
        last = share.end[k] - 1
        counterfactual(first[share.begin[k]], first[last] + count[last], sequences, learned)


def update_below(
    sequences: Sequences, learned: CfrTables, lock: LockArrays, discounts: Discounts, weight: float, share: WorkShare,
    is_root: Any, worth: Any,
) -> None:  # fmt: skip
    """Averages, regrets and the next strategies of a share; `worth` of its roots."""
    parent, first, count = sequences.parent, sequences.first, sequences.count
    for q in share.loose:
        add_to_average(q, q + 1, learned, weight)
    for k in range(len(share.begin) - 1, -1, -1):
        last = share.end[k] - 1
        add_to_average(first[share.begin[k]], first[last] + count[last], learned, weight)
        for i in range(last, share.begin[k] - 1, -1):
            utility = learned.value[first[i]]
            if count[i] > 1:
                utility = match_regrets(i, first[i], first[i] + count[i], learned, lock, discounts)
            if is_root[i]:
                worth[i] = utility
            else:
                learned.value[parent[i]] += utility


def update_top(
    sequences: Sequences, learned: CfrTables, lock: LockArrays, discounts: Discounts, top: Any, is_root: Any, worth: Any
) -> None:
    """The same above the cut, and the realisation plan there."""
    parent, first, count = sequences.parent, sequences.first, sequences.count
    _, _, strategy, reach, _, value = learned
    for i in top:
        if is_root[i]:
            value[parent[i]] += worth[i]
        elif count[i] == 1:
            value[parent[i]] += value[first[i]]
        else:
            value[parent[i]] += match_regrets(i, first[i], first[i] + count[i], learned, lock, discounts)
    for k in range(len(top) - 1, -1, -1):
        i = top[k]
        if not is_root[i]:
            for q in range(first[i], first[i] + count[i]):
                reach[q] = reach[parent[i]] * strategy[q]


def follow_below(player: int, sequences: Sequences, learned: CfrTables, lock: LockArrays, share: WorkShare) -> None:
    """The realisation plan of a share, and what the others meet of it."""
    parent, first, count = sequences.parent, sequences.first, sequences.count
    _, _, strategy, reach, met, _ = learned
    bound = lock.share[player]
    for k in range(len(share.begin)):
        for i in range(share.begin[k], share.end[k]):
            arrived = reach[parent[i]]
            for q in range(first[i], first[i] + count[i]):
                reach[q] = arrived * strategy[q]
                if len(lock.bound) > 0:
                    met[q] = bound * lock.bound[q] + (1.0 - bound) * reach[q]
    if len(lock.bound) > 0:
        for q in share.loose:
            met[q] = bound * lock.bound[q] + (1.0 - bound) * reach[q]
