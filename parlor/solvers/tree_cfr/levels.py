"""A tree laid out for processors that do one thing to many numbers at a time.

Each player's sequences are put in the order of their level, the number of information sets of that player before them,
so that an iteration is one sum over all entries and a few operations on slices, level by level.

All sums have rows of unequal length: the entries of a sequence, the actions of an information set, the sequences that
come right after one. Rows of similar length are put into one rectangle, padded, so that one step adds up column after
column, always in the same order, without two threads that add to one number. Within a level those sequences stand
first that have most after them: so values need not be moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor.sequence_form.tree import Ints, Tree

STEP = 1 << 15  # padded places that cost as much as a rectangle of its own
STEPS_AN_OCTAVE = 8  # lengths of rows that are told apart between 2ᵏ and 2ᵏ⁺¹

Numbers = npt.NDArray[np.int32]


class Rectangle(NamedTuple):
    """Rows of similar length."""

    places: Numbers  # [W, N] of what is added up; W: the longest row; shorter ones repeat their first place
    sizes: Numbers  # [N] how much of it counts


class Level(NamedTuple):
    """The sequences of a player at a level, and where each comes from."""

    parent: Numbers  # [N] the sequence above, among those of the level above
    after: tuple[Rectangle, ...]  # for the first sequences of the level above: those of this level that come after


class Entries(NamedTuple):
    """Sequences that end the game in similarly many ways."""

    other: tuple[Numbers, ...]  # [W, N] for each of the others: its last sequence, among its own
    weight: Any  # [W, N]


class PlayerArrays(NamedTuple):
    """The arrays of a player; its sequences are S, the first of them the empty one."""

    entries: tuple[Entries, ...]
    of_sequence: Numbers  # [S] the sum of the entries of each sequence, -1 without
    levels: tuple[Level, ...]
    actions: tuple[Rectangle, ...]  # of each infoset, among the player's sequences
    of_action: Numbers  # [S] the sum of the infoset in which each is an action, 0 of the empty one
    uniform: Any  # [S] 1 / number of actions


@dataclass(frozen=True)
class LevelLayout:
    """The layout of a tree."""

    bounds: Ints  # [P+1] the sequences of each player, in the new order
    order: Ints  # [S] the sequence of the tree at each new place
    infoset: Ints  # [S] of the tree, -1 for empty sequences
    players: tuple[PlayerArrays, ...]

    def memory(self, itemsize: int) -> int:
        """Bytes that the arrays and the tables of a solve take on the processor, about."""
        return sum(_bytes(player, itemsize) for player in self.players) + 10 * itemsize * len(self.order)


def _bytes(arrays: Any, itemsize: int) -> int:
    if isinstance(arrays, tuple):
        return sum(_bytes(one, itemsize) for one in arrays)
    return int(arrays.size) * (itemsize if arrays.dtype == np.float64 else arrays.itemsize)


def layout(t: Tree) -> LevelLayout:
    """Put a tree in the order of levels."""
    owner = np.full(t.sequences, -1, np.int64)
    owner[t.rows] = np.repeat(np.arange(t.infosets), t.counts)
    above = np.concatenate([t.parent.astype(np.int64), [0]])[owner]  # the sequence before each
    depth = _levels(above, owner)
    after = np.bincount(above[owner >= 0], minlength=t.sequences)  # how many come right after each
    player = np.repeat(np.arange(t.game.players), np.diff(t.bounds))
    order = np.lexsort((-after, depth, player))
    place = np.zeros(t.sequences, np.int64)
    place[order] = np.arange(t.sequences)
    players = tuple(_player(t, p, order, place, owner, above, depth) for p in range(t.game.players))
    return LevelLayout(np.asarray(t.bounds), order, owner[order], players)


def _levels(above: Ints, owner: Ints) -> Ints:
    """The level of each sequence, 0 for the empty ones."""
    level = np.zeros(len(above), np.int64)
    while True:
        deeper = np.where(owner >= 0, level[above] + 1, 0)
        if np.array_equal(deeper, level):
            return level
        level = deeper


def _player(t: Tree, p: int, order: Ints, place: Ints, owner: Ints, above: Ints, depth: Ints) -> PlayerArrays:
    """The arrays of a player."""
    low, high = t.bounds[p : p + 2].tolist()
    own = order[low:high]
    begins = np.searchsorted(depth[own], np.arange(int(depth[own].max()) + 2)).tolist()
    levels = []
    for k in range(1, len(begins) - 1):
        parent = place[above[own[begins[k] : begins[k + 1]]]] - low - begins[k - 1]
        levels.append(Level(small(parent), _after(parent)))
    by_infoset = np.argsort(owner[own], kind="stable")  # the empty one first
    infosets = owner[own[by_infoset]]
    first = np.flatnonzero(np.concatenate([[False], infosets[1:] != infosets[:-1]]))
    counts = t.counts[infosets[first]]
    actions, at = rectangles(first, counts, by_infoset)
    of_action, uniform = np.zeros(len(own), np.int64), np.ones(len(own))
    of_action[by_infoset[1:]] = np.repeat(at, counts)
    uniform[by_infoset[1:]] = np.repeat(1.0 / counts, counts)
    entries, of_sequence = _entries(t, p, own, place)
    return PlayerArrays(entries, small(of_sequence), tuple(levels), actions, small(of_action), uniform)


def _after(parent: Ints) -> tuple[Rectangle, ...]:
    """The sequences after each sequence of the level above, those with most of them first, as they stand there."""
    order = np.argsort(parent, kind="stable")
    _, first, sizes = np.unique(parent[order], return_index=True, return_counts=True)
    return rectangles(first, sizes, order)[0]  # the sizes descend already: results stand as the sequences do


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
    """Rows of neighbours first … first + size, the longest first, in rectangles; and where the sum of each row stands.

    `moved` says where what is added up has been put.
    """
    order = np.argsort(-sizes, kind="stable")
    found, at = [], np.zeros(len(sizes), np.int64)
    at[order] = np.arange(len(sizes))
    for begin, end in _cuts(sizes[order]):
        rows = order[begin:end]
        column = np.arange(int(sizes[rows[0]]))[:, None]
        places = first[rows] + np.where(column < sizes[rows], column, 0)
        found.append(Rectangle(small(places if moved is None else moved[places]), small(sizes[rows])))
    return tuple(found), at


def _cuts(sizes: Ints) -> list[tuple[int, int]]:
    """Cuts through descending lengths of rows: padding and the number of rectangles cost little together."""
    if len(sizes) == 0:
        return []
    octave = np.maximum(np.floor(np.log2(sizes)), 3.0)
    rounded = np.ceil(sizes / 2.0**octave * STEPS_AN_OCTAVE) + octave * 1000.0
    begins = np.concatenate([[0], np.flatnonzero(np.diff(rounded)) + 1, [len(sizes)]]).tolist()
    best, last = [0.0], [0]  # of the rows before each cut: the least cost, and where the last rectangle begins
    for k in range(1, len(begins)):
        costs = [best[j] + STEP + float(sizes[begins[j]]) * (begins[k] - begins[j]) for j in range(k)]
        last.append(int(np.argmin(costs)))
        best.append(min(costs))
    found, k = [], len(begins) - 1
    while k > 0:
        found.append((begins[last[k]], begins[k]))
        k = last[k]
    return found[::-1]


def small(numbers: Ints) -> Numbers:
    """Numbers in half the memory."""
    return numbers.astype(np.int32)
