"""A tree laid out for processors that do one thing to many numbers at a time.

Each player's sequences are put in the order of their level, the number of information sets of that player before them,
so that an iteration is one sum over all entries and a few operations on slices, level by level.

All sums have rows of unequal length: the entries of a sequence, the actions of an information set, the information
sets right after a sequence. Rows of similar length are put into one rectangle, padded, so that one step adds up column
after column, always in the same order, without two threads that add to one number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor.sequence_form.tree import Ints, Tree

STEP = 1 << 18  # padded places that take as long as a step of its own
STEPS_AN_OCTAVE = 8  # lengths of rows that are told apart between 2ᵏ and 2ᵏ⁺¹

Numbers = npt.NDArray[np.int32]


class Rectangle(NamedTuple):
    """Rows of similar length."""

    places: Numbers  # [W, N] of what is added up; W: the longest row; shorter ones repeat their first place
    sizes: Numbers  # [N] how much of it counts


class Level(NamedTuple):
    """The information sets of a player at a level, and the places of their actions among the player's sequences."""

    begin: int
    end: int


class Sums(NamedTuple):
    """The sums of a level; the results of rectangles stand one after the other."""

    actions: tuple[Rectangle, ...]  # of what stands at the actions of each infoset, among the level's
    of_action: Numbers  # [level's sequences] the sum of the infoset in which each is an action
    parent: Numbers  # [level's sequences] the sequence above, among those of the level above
    children: tuple[Rectangle, ...]  # of the sums of the infosets right after each sequence that has some
    of_parent: Numbers  # [sequences of the level above] the sum of each, -1 without children


class Entries(NamedTuple):
    """Sequences that end the game in similarly many ways."""

    other: tuple[Numbers, ...]  # [W, N] for each of the others: its last sequence, among its own
    weight: Any  # [W, N]


class PlayerArrays(NamedTuple):
    """The arrays of a player; its sequences are S, the first of them the empty one."""

    entries: tuple[Entries, ...]
    of_sequence: Numbers  # [S] the sum of the entries of each sequence, -1 without
    levels: tuple[Sums, ...]
    actions: tuple[Rectangle, ...]  # of all levels, among the player's sequences
    of_action: Numbers  # [S-1]
    uniform: Any  # [S] 1 / number of actions


@dataclass(frozen=True)
class LevelLayout:
    """The layout of a tree: static numbers, and the arrays that go to the processor."""

    bounds: Ints  # [P+1] the sequences of each player, in the new order
    levels: tuple[tuple[Level, ...], ...]  # of each player
    order: Ints  # [S] the sequence of the tree at each new place
    infoset: Ints  # [S] of the tree, -1 for empty sequences
    arrays: tuple[PlayerArrays, ...]

    def memory(self, itemsize: int) -> int:
        """Bytes that the arrays and the tables of a solve take on the processor, about."""
        return sum(_bytes(player, itemsize) for player in self.arrays) + 10 * itemsize * len(self.order)


def _bytes(arrays: Any, itemsize: int) -> int:
    if isinstance(arrays, tuple):
        return sum(_bytes(one, itemsize) for one in arrays)
    return int(arrays.size) * (itemsize if arrays.dtype == np.float64 else arrays.itemsize)


def layout(t: Tree) -> LevelLayout:
    """Put a tree in the order of levels."""
    owner = np.full(t.sequences, -1, np.int64)
    owner[t.rows] = np.repeat(np.arange(t.infosets), t.counts)
    above = owner[t.parent.astype(np.int64)]
    level = _levels(above)
    place, order, levels, sums = np.zeros(t.sequences, np.int64), [], [], []
    for p in range(t.game.players):
        low, high = t.infoset_bounds[p : p + 2].tolist()
        base, begin = int(t.bounds[p]), 1
        place[base] = base
        order.append(np.array([base]))
        mine, found = [], []
        size_above = 1
        for depth in range(int(level[low:high].max(initial=-1)) + 1):
            here = low + np.flatnonzero(level[low:high] == depth)
            here = here[np.argsort(place[t.parent[here].astype(np.int64)], kind="stable")]  # siblings side by side
            counts = t.counts[here]
            own = np.repeat(t.first[here].astype(np.int64) - (np.cumsum(counts) - counts), counts)
            own += np.arange(len(own))
            parent = place[t.parent[here].astype(np.int64)] - (base + begin - size_above)
            found.append(_sums(counts, parent, size_above))
            order.append(own)
            place[own] = base + begin + np.arange(len(own))
            mine.append(Level(begin, begin + len(own)))
            begin, size_above = begin + len(own), len(own)
        levels.append(tuple(mine))
        sums.append(tuple(found))
    new_order = np.concatenate(order)
    arrays = tuple(_player(t, p, new_order, place, owner, sums[p]) for p in range(t.game.players))
    return LevelLayout(np.asarray(t.bounds), tuple(levels), new_order, owner[new_order], arrays)


def _levels(above: Ints) -> Ints:
    """The level of each infoset, from the infoset above it."""
    level = np.zeros(len(above), np.int64)
    while True:
        deeper = np.where(above >= 0, level[above] + 1, 0)
        if np.array_equal(deeper, level):
            return level
        level = deeper


def _sums(counts: Ints, parent: Ints, size_above: int) -> Sums:
    """The sums of a level, whose infosets have so many actions and such parents, in ascending order."""
    actions, place = rectangles(np.cumsum(counts) - counts, counts)
    with_children, first, children = np.unique(parent, return_index=True, return_counts=True)
    below, at = rectangles(first, children, place)
    of_parent = np.full(size_above, -1, np.int64)
    of_parent[with_children] = at
    return Sums(actions, small(np.repeat(place, counts)), small(np.repeat(parent, counts)), below, small(of_parent))


def _player(t: Tree, p: int, order: Ints, place: Ints, owner: Ints, sums: tuple[Sums, ...]) -> PlayerArrays:
    """The arrays of a player, whose levels are known."""
    low, high = t.bounds[p : p + 2].tolist()
    own = order[low:high]
    infosets = owner[own[1:]]
    starts = np.flatnonzero(np.concatenate([[len(infosets) > 0], infosets[1:] != infosets[:-1]]))
    counts = t.counts[infosets[starts]]
    actions, at = rectangles(starts + 1, counts)
    entries, of_sequence = _entries(t, p, own, place)
    uniform = 1.0 / np.concatenate([[1.0], np.repeat(counts, counts)])
    return PlayerArrays(entries, small(of_sequence), sums, actions, small(np.repeat(at, counts)), uniform)


def _entries(t: Tree, p: int, own: Ints, place: Ints) -> tuple[tuple[Entries, ...], Ints]:
    """The entries of a player's sequences, and where the sum of each stands."""
    starts = t.entry_bounds.astype(np.int64)
    sizes, first = starts[own + 1] - starts[own], starts[own]
    rows = np.flatnonzero(sizes)
    others = [place[t.other[:, k].astype(np.int64)] for k in range(t.other.shape[1])]
    if others:  # neighbours meet the same sequences
        rows = rows[np.argsort(others[0][first[rows]], kind="stable")]
    grouped, at = rectangles(first[rows], sizes[rows])
    of_sequence = np.full(len(own), -1, np.int64)
    of_sequence[rows] = at
    bases = [int(t.bounds[k]) for k in range(t.game.players) if k != p]
    entries = []
    for index, count in grouped:
        real = np.arange(len(index))[:, None] < count
        rivals = tuple(small(other[index] - base) for other, base in zip(others, bases, strict=True))
        entries.append(Entries(rivals, np.where(real, t.weight[index], 0.0)))
    return tuple(entries), of_sequence


def rectangles(first: Ints, sizes: Ints, moved: Ints | None = None) -> tuple[tuple[Rectangle, ...], Ints]:
    """Rows of neighbours first … first + size, in rectangles, and where the result of each row stands.

    `moved` says where what is added up has been put.
    """
    order = np.argsort(sizes, kind="stable")
    found, at = [], np.zeros(len(sizes), np.int64)
    at[order] = np.arange(len(sizes))
    for begin, end in _cuts(sizes[order]):
        rows = order[begin:end]
        column = np.arange(int(sizes[rows].max()))[:, None]
        index = first[rows] + np.where(column < sizes[rows], column, 0)
        found.append(Rectangle(small(index if moved is None else moved[index]), small(sizes[rows])))
    return tuple(found), at


def _cuts(sizes: Ints) -> list[tuple[int, int]]:
    """Where to cut ascending lengths of rows, so that padding and the number of rectangles cost little together."""
    if len(sizes) == 0:
        return []
    octave = np.maximum(np.floor(np.log2(sizes)), 3.0)
    rounded = np.ceil(sizes / 2.0**octave * STEPS_AN_OCTAVE).astype(np.int64) + octave.astype(np.int64) * 1000
    ends = np.concatenate([np.flatnonzero(np.diff(rounded)) + 1, [len(sizes)]])
    best, cut = [0.0], [0]  # of the rows before each end, and where their last rectangle begins
    begins = np.concatenate([[0], ends])
    for k, end in enumerate(ends, 1):
        costs = [best[j] + STEP + float(sizes[end - 1]) * float(end - begins[j]) for j in range(k)]
        cut.append(int(np.argmin(costs)))
        best.append(min(costs))
    found, k = [], len(ends)
    while k > 0:
        found.append((int(begins[cut[k]]), int(begins[k])))
        k = cut[k]
    return found[::-1]


def small(numbers: Ints) -> Numbers:
    """Numbers in half the memory."""
    return numbers.astype(np.int32)
