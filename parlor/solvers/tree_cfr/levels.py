"""A tree laid out for processors that do one thing to many numbers at a time.

Each player's sequences are put in the order of their level, the number of information sets of that player before them,
so that an iteration is one sum over all entries and a few operations on slices, level by level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from parlor.sequence_form.tree import Ints, Tree


class Level(NamedTuple):
    """A slice of a player's sequences, and its information sets; static numbers of a compiled function."""

    begin: int
    end: int
    infosets: int


@dataclass(frozen=True)
class PlayerLevels:
    """The layout of a player."""

    low: int  # its first sequence, in the new order
    high: int
    entries: tuple[int, int]  # its entries, from and to
    levels: tuple[Level, ...]


@dataclass(frozen=True)
class LevelLayout:
    """The layout of a tree: static numbers, and the arrays that go to the processor."""

    players: tuple[PlayerLevels, ...]
    order: Ints  # [S] the sequence of the tree at each new place
    arrays: dict[str, Any]  # own [E], other [E, P-1], weight [E]; of sequences: segment, parent, count, infoset

    def memory(self, itemsize: int) -> int:
        """Bytes that the arrays and the tables of a solve take on the processor, about."""
        e, s = len(self.arrays["weight"]), len(self.order)
        rivals = self.arrays["other"].shape[1]
        most = max(p.entries[1] - p.entries[0] for p in self.players)
        return e * (4 + 4 * rivals + itemsize) + 2 * most * itemsize + s * (16 + 10 * itemsize)


def layout(t: Tree) -> LevelLayout:
    """Put a tree in the order of levels."""
    owner = np.full(t.sequences, -1, np.int64)
    owner[t.rows] = np.repeat(np.arange(t.infosets), t.counts)
    above = owner[t.parent.astype(np.int64)]
    level = np.zeros(t.infosets, np.int64)
    while True:
        deeper = np.where(above >= 0, level[above] + 1, 0)
        if np.array_equal(deeper, level):
            break
        level = deeper
    place, order, players, segment = np.zeros(t.sequences, np.int64), [], [], np.zeros(t.sequences, np.int64)
    base = 0
    for p in range(t.game.players):
        low, high = t.infoset_bounds[p : p + 2].tolist()
        sorted_infosets = low + np.argsort(level[low:high], kind="stable")
        counts = t.counts[sorted_infosets]
        starts = np.cumsum(counts) - counts
        own = np.repeat(t.first[sorted_infosets].astype(np.int64) - starts, counts) + np.arange(counts.sum())
        order.append(np.concatenate([[int(t.bounds[p])], own]))
        levels, begin = [], base + 1
        for depth in range(int(level[low:high].max(initial=-1)) + 1):
            here = counts[level[sorted_infosets] == depth]
            segment[begin : begin + here.sum()] = np.repeat(np.arange(len(here)), here)
            levels.append(Level(begin - base, begin - base + int(here.sum()), len(here)))
            begin += int(here.sum())
        entries = tuple(int(t.entry_bounds[t.bounds[at]]) for at in (p, p + 1))
        players.append(PlayerLevels(base, begin, (entries[0], entries[1]), tuple(levels)))
        base = begin
    new_order = np.concatenate(order)
    place[new_order] = np.arange(t.sequences)
    return LevelLayout(tuple(players), new_order, _arrays(t, new_order, place, owner, segment))


def _arrays(t: Tree, order: Ints, place: Ints, owner: Ints, segment: Ints) -> dict[str, Any]:
    """The arrays in their new order."""
    starts = t.entry_bounds.astype(np.int64)
    sizes = np.diff(starts)[order]
    own = np.repeat(np.arange(t.sequences), sizes)
    at = np.repeat(starts[order] - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
    infoset = owner[order]
    real = infoset >= 0
    parent, count = np.zeros(t.sequences, np.int64), np.ones(t.sequences, np.int64)
    parent[real], count[real] = place[t.parent[infoset[real]].astype(np.int64)], t.counts[infoset[real]]
    return {
        "own": own.astype(np.int32),
        "other": place[t.other[at].astype(np.int64)].astype(np.int32),
        "weight": t.weight[at],
        "segment": segment.astype(np.int32),
        "parent": parent.astype(np.int32),
        "count": count.astype(np.int32),
        "infoset": infoset,
    }
