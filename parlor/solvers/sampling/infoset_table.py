"""A growing table of information sets, for games too large to enumerate.

Open addressing over 8-byte slots; a slot holds the start of a row, its number of actions and a few bits of the key.
A row begins with the key, and the rest is the solver's: it requests so many words. For MCCFR these are n regrets
and n weights of the average strategy, so that a visit touches one slot and one row: 8 + 16 n bytes a row and 10 to 20
bytes of slots, 76 bytes at most for three actions.

Threads share a table without locks. A new row is written first and then published by one compare-and-swap of its slot;
if two threads meet there, one row is lost without harm. Regrets are added without atomicity: a lost update now
and then is noise among samples. The table grows between calls of a kernel, never inside one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.compile.kernel import IntArray, claim, fetch_add
from parlor.game import GameError
from parlor.game.rng import mix

TAG_BITS, COUNT_BITS = 15, 17  # a slot: begin of the row << 32 | actions << 15 | tag; 0 is empty
MAX_ACTIONS = (1 << COUNT_BITS) - 1
TAG_MASK = (1 << TAG_BITS) - 1
MAX_WORDS = 1 << 31  # of the pool: what fits into a slot
FULL = 0.8  # of the slots

TOP, ROWS, STOP = 0, 1, 2  # counters: first free word of the pool, rows so far, whether kernels should stop at once


class TableArrays(NamedTuple):
    """A table as kernels read and write it; `floats` are the same bytes as `ints`."""

    slots: Any
    ints: Any
    floats: Any
    counters: Any


class InfosetTable:
    """Slots, rows and counters. The pool of rows is one block seen as integers and as floats."""

    def __init__(self, longest: int, slots: int = 1 << 10, words: int = 1 << 14) -> None:
        while words < 16 * longest:  # row, so that a quarter of the pool always has room for one
            words *= 2
        self.slots = np.zeros(slots, np.int64)
        self.ints = np.zeros(words, np.int64)
        self.floats = self.ints.view(np.float64)
        self.counters = np.array([1, 0, 0], np.int64)  # word 0 is never used: a slot of 0 is empty

    def __len__(self) -> int:
        return int(self.counters[ROWS])

    @property
    def bytes(self) -> int:
        """Memory in use; pages of the pool that were never written do not count, the system has not given them yet."""
        return self.slots.nbytes + int(self.counters[TOP]) * 8

    @property
    def arrays(self) -> TableArrays:
        """Its arrays, until it grows."""
        return TableArrays(self.slots, self.ints, self.floats, self.counters)

    def add(self, key: int, n: int, words: int) -> int:
        """Return the start of a new row, in a table that grows if it has to."""
        if crowded(self.slots, self.ints, self.counters):
            self.grow()
        return find(self.slots, self.ints, self.counters, key, n, words)

    def grow(self) -> None:
        """Double whatever is close to full."""
        if len(self) >= FULL * len(self.slots) - 1:
            larger = np.zeros(2 * len(self.slots), np.int64)
            compiler.native(rehash)(self.slots, larger, self.ints)
            self.slots = larger
        if self.counters[TOP] > 0.75 * len(self.ints):
            if len(self.ints) >= MAX_WORDS:
                raise GameError(f"The table of {len(self):,} information sets is full: it would pass 16 GiB.")
            pool = np.zeros(2 * len(self.ints), np.int64)
            used = min(int(self.counters[TOP]), len(self.ints))  # threads that found no room have also counted
            pool[:used] = self.ints[:used]
            self.counters[TOP] = used
            self.ints = pool
            self.floats = pool.view(np.float64)

    def index(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Keys in ascending order, where their rows begin, and how many actions they have."""
        used = self.slots[self.slots != 0]
        begin, count = used >> 32, used >> TAG_BITS & MAX_ACTIONS
        keys = self.ints[begin]
        order = np.argsort(keys, kind="stable")
        begin, count, keys = begin[order], count[order], keys[order]
        if (keys[1:] == keys[:-1]).any():
            key = keys[1:][keys[1:] == keys[:-1]][0]
            raise GameError(f"The key {key} stands for positions with different numbers of legal actions.")
        return keys, begin, count

    def rows(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Of MCCFR: keys, action counts and average strategies (uniform where nothing was added)."""
        keys, begin, count = self.index()
        starts = np.cumsum(count) - count
        at = np.repeat(begin + 1 + count - starts, count) + np.arange(count.sum())
        weights = self.floats[at]
        sums = np.repeat(np.add.reduceat(weights, starts), count) if len(keys) else np.zeros(0)
        with np.errstate(invalid="ignore", divide="ignore"):
            averages = np.where(sums > 0.0, weights / sums, 1.0 / np.repeat(count, count))
        return keys, count, averages


def crowded(slots: IntArray, ints: IntArray, counters: IntArray) -> bool:
    """Whether the table should grow before more is added."""
    return bool(counters[ROWS] >= FULL * len(slots) - 1 or counters[TOP] > 0.75 * len(ints))


def find(slots: IntArray, ints: IntArray, counters: IntArray, k: int, n: int, words: int) -> int:
    """The start of the row of key `k` with `n` actions; a row of so many words is made if there is none. 0: no room."""
    h = mix(0, k)
    tag = n << TAG_BITS | (h >> 40 & TAG_MASK)
    mask = len(slots) - 1
    slot = h & mask
    made = 0
    for _ in range(len(slots)):
        seen = slots[slot]
        if seen == 0:
            if made == 0:
                # the margin is for other threads that have checked and not yet written
                if counters[ROWS] >= mask - mask // 16 or counters[TOP] + words >= len(ints):
                    return 0
                made = fetch_add(counters, TOP, words)
                if made + words > len(ints):
                    return 0
                ints[made] = k
            seen = claim(slots, slot, made << 32 | tag)
            if seen == 0:
                fetch_add(counters, ROWS, 1)
                return made
        if seen & 0xFFFFFFFF == tag and ints[seen >> 32] == k:
            return int(seen >> 32)
        slot = (slot + 1) & mask
    return 0


def lookup(slots: IntArray, ints: IntArray, k: int, n: int) -> int:
    """The start of the row of key `k`; 0 if there is none."""
    h = mix(0, k)
    tag = n << TAG_BITS | (h >> 40 & TAG_MASK)
    mask = len(slots) - 1
    slot = h & mask
    while slots[slot] != 0:
        if slots[slot] & 0xFFFFFFFF == tag and ints[slots[slot] >> 32] == k:
            return int(slots[slot] >> 32)
        slot = (slot + 1) & mask
    return 0


def rehash(slots: IntArray, larger: IntArray, ints: IntArray) -> None:
    """Enter every row into an empty set of slots."""
    mask = len(larger) - 1
    for i in range(len(slots)):
        if slots[i] != 0:
            slot = mix(0, ints[slots[i] >> 32]) & mask
            while larger[slot] != 0:
                slot = (slot + 1) & mask
            larger[slot] = slots[i]
