"""Many clusters of many points, quickly: k-means in two levels.

A few large clusters are found first, then small ones within each: the more points it has and the farther
apart they are, the more. So a point is compared with about twice the square root of all centres instead of all of them.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from parlor.compile import native
from parlor.poker.hands.equity_tables import THREADS

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

ROUNDS = 12
PART = 1 << 16  # points that a thread takes at a time


@dataclass(frozen=True, eq=False)
class Clusters:
    """Centres are columns; those of the large cluster k are the small ones from `begin[k]` to `begin[k + 1]`."""

    large: Floats
    small: Floats
    begin: Ints
    rank: Ints  # of the small ones: the number of their cluster

    def __len__(self) -> int:
        return len(self.rank)

    def of(self, points: Floats) -> Ints:
        """The cluster of each point."""
        large, _ = nearest(points, self.large, *_all(points, self.large))
        small, _ = nearest(points, self.small, self.begin[large], self.begin[large + 1])
        return self.rank[small]


def clusters(points: Floats, count: int, order: Floats) -> Clusters:
    """At most `count` clusters of points, numbered by the product of their centres with `order`, in ascending order.

    Where points are equal there may be fewer.
    """
    rows, weight = np.unique(points, axis=0, return_counts=True)
    upward = np.argsort(_along(rows.T, order), kind="stable")
    rows, weight = np.ascontiguousarray(rows[upward]), weight[upward]
    large = _evenly(rows, min(len(rows), max(1, int(count**0.5))))
    large = _improved(rows, weight, large, *_all(rows, large))
    home, far = nearest(rows, large, *_all(rows, large))
    full, home = np.unique(home, return_inverse=True)
    large = np.ascontiguousarray(large[:, full])
    parts = _shares(weight, home, far, large.shape[1], count)
    begin = np.concatenate([[0], np.cumsum(parts)])
    small = np.concatenate([_evenly(rows[home == k], n) for k, n in enumerate(parts.tolist())], axis=1)
    small = _improved(rows, weight, np.ascontiguousarray(small), begin[home], begin[home + 1])
    rank = np.argsort(np.argsort(_along(small, order), kind="stable"), kind="stable")
    return Clusters(large, small, begin, rank)


def nearest(points: Floats, centres: Floats, begin: Ints, end: Ints) -> tuple[Ints, Floats]:
    """For each point the nearest of the centres from its `begin` to its `end`, and the squared distance."""
    found, far = np.zeros(len(points), np.int64), np.zeros(len(points), np.float32)
    search = native(find_nearest)

    def part(first: int) -> None:
        here = slice(first, first + PART)
        room = np.zeros(centres.shape[1], np.float32)
        search(points[here], centres, begin[here], end[here], room, found[here], far[here])

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(part, range(0, len(points), PART)))
    return found, far


def find_nearest(
    points: Floats, centres: Floats, begin: Ints, end: Ints, distance: Floats, found: Ints, far: Floats
) -> None:
    """As `nearest`; coordinates are taken one by one, so that many centres are compared in one step."""
    for i in range(len(points)):
        point = points[i]
        first = begin[i]
        last = end[i]
        apart = distance[first:last]
        apart[:] = 0.0
        for j in range(len(point)):
            x = point[j]
            row = centres[j][first:last]
            for c in range(len(row)):
                apart[c] += (x - row[c]) * (x - row[c])
        best = 0
        for c in range(len(apart)):
            if apart[c] < apart[best]:
                best = c
        found[i] = first + best
        far[i] = apart[best]


def _along(columns: Floats, order: Floats) -> npt.NDArray[np.float64]:
    """Products with `order`, added up one by one: the same on every machine."""
    total = np.zeros(columns.shape[1])
    for column, part in zip(columns, order.tolist(), strict=True):
        total += column.astype(np.float64) * part
    return total


def _all(points: Floats, centres: Floats) -> tuple[Ints, Ints]:
    """Every point is compared with every centre."""
    return np.zeros(len(points), np.int64), np.full(len(points), centres.shape[1])


def _evenly(rows: Floats, count: int) -> Floats:
    """`count` of the rows, as columns, at equal distances."""
    return np.ascontiguousarray(rows[np.linspace(0, len(rows) - 1, count).astype(np.int64)].T)


def _improved(rows: Floats, weight: Ints, centres: Floats, begin: Ints, end: Ints) -> Floats:
    """Centres moved repeatedly to the means of the rows that are nearest to them."""
    count = centres.shape[1]
    for _ in range(ROUNDS):
        home, _ = nearest(rows, centres, begin, end)
        mass = np.bincount(home, weight, count)
        sums = np.stack([np.bincount(home, weight * column, count) for column in rows.T])
        centres = np.where(mass > 0, sums / np.maximum(mass, 1e-9), centres).astype(np.float32)
    return centres


def _shares(weight: Ints, home: Ints, far: Floats, large: int, count: int) -> Ints:
    """The number of small clusters in each large one: at least one, and no more than it has different points."""
    most = np.bincount(home, minlength=large)
    wish = np.sqrt(np.bincount(home, weight, large) * np.bincount(home, weight * far, large)) + 1e-9
    parts = np.ones(large, np.int64)
    while parts.sum() < min(count, most.sum()):
        open_to = np.where(parts < most, wish, 0.0)
        more = np.floor(open_to / open_to.sum() * (count - parts.sum())).astype(np.int64)
        if not more.any():
            more[np.argmax(open_to / (parts + 1))] = 1
        parts = np.minimum(parts + more, most)
    return parts
