"""Card abstractions: which hands are put into one bucket.

Before the flop there are the 169 classes, and nothing is lost. Afterwards a street has the requested number of buckets:

    ehs        percentiles of the equity against any hand, E[HS]
    ehs2       percentiles of its mean square on the river, E[HS²], in which hands that may improve count for more
    kmeans     hands with similar distributions of equity: k-means over histograms of the river's equity, by the L2
               distance of their cumulative sums, as Johanson et al. (*Evaluating state-space abstractions in
               extensive-form games*, 2013) do by the earth mover's; on the river, where there is no distribution
               any more, percentiles as `ehs`
    ochs       as `kmeans`, and on the river hands with similar equity against each of eight groups: pairs, and the
               others by high card (opponent cluster hand strength, of the same authors): so boards differ on which a
               hand of the same equity meets other ranges
    suitless   of Mendes da Luz (2025): the class of the hand and the ranks on the board, no more than two streets

Percentiles are of all deals, so that all buckets are about equally frequent; where hands are equal there may
be fewer buckets than requested. Buckets are in the order of their equity, but for `suitless`.

A street is two arrays: a table over canonical boards and hands, and what each of its numbers means as a bucket. So any
number of percentiles shares one table of equities. What takes long is computed once and cached.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.compile import cached_array, native
from parlor.game import GameError, Ints, State
from parlor.game.rng import below
from parlor.poker.hands.cards import DECK, RANKS
from parlor.poker.hands.clusters import clusters, find_nearest
from parlor.poker.hands.equity_tables import (
    FINE,
    GROUP_OF_HAND,
    GROUPS,
    RIVERS,
    SCALE,
    SOURCES,
    _fill_matchups,
    equities,
    histograms,
    matchups,
    squares,
)
from parlor.poker.hands.hand_strength import KEYS, MASKS, strength_of
from parlor.poker.hands.isomorphism import (
    BOARDS,
    CLASS_OF_HAND,
    CLASSES,
    HAND_MASKS,
    HANDS,
    RENAMED,
    board_place,
    boards,
    class_name,
    hand_class,
    hand_index,
)

Array = npt.NDArray[Any]
Points = npt.NDArray[np.float32]

SHOWN = (0, 3, 4, 5)  # cards on the board, by street
MIN_BUCKETS, MAX_BUCKETS, DEFAULT_BUCKETS = 2, 50_000, 200  # buckets
BINS = 24  # of the histograms: a turn has 46 rivers
SAMPLE = 100  # points of k-means for each bucket
EVERY = 97  # boards, one of which is sampled for the checksum
SLICE = 1024  # boards whose points are in memory at a time


@dataclass(frozen=True, eq=False)
class Street:
    """Buckets of one street: `of[table[board, hand]]`."""

    count: int
    table: Array  # [canonical boards, 1326]
    of: Array  # number in the table -> bucket


@dataclass(frozen=True, eq=False)
class Buckets:
    """A card abstraction with its numbers of buckets."""

    name: str
    streets: tuple[Street, ...]  # from the flop on

    @property
    def counts(self) -> tuple[int, ...]:
        """Buckets of each street, the first one included."""
        return (CLASSES, *(street.count for street in self.streets))

    @property
    def bytes(self) -> int:
        """Memory of the tables."""
        return sum(street.table.nbytes + street.of.nbytes for street in self.streets)

    @functools.cached_property
    def mark(self) -> str:
        """A checksum over some of the boards: other buckets have another one."""
        sums = 0
        for street in self.streets:
            sums = zlib.crc32(street.of[street.table[::EVERY]].tobytes(), sums)
        return f"{sums:08x}"

    @functools.cached_property
    def data(self) -> tuple[Any, ...]:
        """The arrays that a look-up of buckets reads: for each street after the first, its tables and its boards'."""
        blank = (np.zeros((1, HANDS), np.uint16), np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int8))
        given: list[tuple[Any, ...]] = []
        for street, size in zip(self.streets, SHOWN[1:], strict=False):
            given.append((street.table, street.of, boards(size).index, boards(size).renaming))
        return tuple(given + [blank] * (3 - len(given)))


@dataclass(frozen=True, eq=False)
class CardAbstractions:
    """The declaration of a card game, in its `PokerRules`, that lets its hands be put into buckets."""

    shown: int  # cards on the board at a showdown
    bucket: Callable[[State, int, Any], int]  # of a player in a state; reads `Buckets.data`
    deal: Callable[[Ints, Ints, Any], int]  # a dealer for public trees; reads `shown` and `Buckets.data`
    buckets: Callable[[str, Sequence[int], int], Buckets]  # by name, numbers and streets


def card_buckets(name: str, counts: Sequence[int], streets: int) -> Buckets:
    """The card abstraction `name` with `counts` buckets on the flop, turn and river; one number is for all of them."""
    if name not in ABSTRACTIONS:
        raise GameError(f"There is no card abstraction {name!r}; there are {', '.join(ABSTRACTIONS)}.")
    later = streets - 1
    if name == "suitless":
        if counts:
            raise GameError("The card abstraction suitless has as many buckets as there are ranks: omit them.")
        if streets > 2:
            raise GameError(f"The card abstraction suitless is for one or two streets, not {streets}: use --streets 2.")
        counts = (SUITLESS,) * later
    requested = tuple(counts) * later if len(counts) == 1 else tuple(counts)
    if len(requested) != later:
        raise GameError(
            f"Buckets are one number for all streets after the first, or one for each of these {later}, "
            f"not {len(counts)} numbers."
        )
    for count in requested if name != "suitless" else ():
        if not MIN_BUCKETS <= count <= MAX_BUCKETS:
            raise GameError(f"A street has {MIN_BUCKETS} to {MAX_BUCKETS:,} buckets, not {count:,}.")
    made = (ABSTRACTIONS[name](size, count) for size, count in zip(SHOWN[1:], requested, strict=False))
    return Buckets(name, tuple(made))


def default_counts(name: str) -> tuple[int, ...]:
    """The default number of buckets of a card abstraction; `suitless` has a fixed number."""
    return () if name == "suitless" else (DEFAULT_BUCKETS,)


def cards_shown(options: Mapping[str, str]) -> int:
    """Cards on the board at a showdown, by the options of the game."""
    return int(options["board"]) or SHOWN[int(options["streets"]) - 1] or SHOWN[-1]


# ------------------------------------------------------------------------------------------------- in kernels


def board_bucket(street: Any, place: int, a: int, b: int) -> int:
    """The bucket of a hand on the board with that place among all boards."""
    table, of, index, renaming = street
    return int(of[table[index[place]][RENAMED[renaming[place]][hand_index(a, b)]]])


def board_buckets(street: Any, place: int, out: Ints) -> None:
    """The buckets of all hands on the board with that place among all boards; of one with a card of it, any."""
    table, of, index, renaming = street
    row = table[index[place]]
    renamed = RENAMED[renaming[place]]
    for h in range(HANDS):
        out[h] = of[row[renamed[h]]]


def draw_card(r: Ints, dead: int) -> int:
    """A random card that is not among the dead ones."""
    card = below(r, DECK)
    while dead & MASKS[card] != 0:
        card = below(r, DECK)
    return card


def deal_hands(r: Ints, buckets: Ints, data: Any) -> int:
    """A dealer for public trees: two hands and a board as buckets; 1, 0, -1 if the first hand wins, ties, loses."""
    shown, flop, turn, river = data
    a = below(r, DECK)
    mask0 = MASKS[a]
    b = draw_card(r, mask0)
    mask0 |= MASKS[b]
    c = draw_card(r, mask0)
    mask1 = MASKS[c]
    d = draw_card(r, mask0 | mask1)
    mask1 |= MASKS[d]
    streets = len(buckets) // 2
    buckets[0] = hand_class(a, b)
    buckets[streets] = hand_class(c, d)
    board0 = draw_card(r, mask0 | mask1)
    mask = MASKS[board0]
    board1 = draw_card(r, mask0 | mask1 | mask)
    mask |= MASKS[board1]
    board2 = draw_card(r, mask0 | mask1 | mask)
    mask |= MASKS[board2]
    key = KEYS[board0] + KEYS[board1] + KEYS[board2]
    if streets > 1:
        place = board_place((board0, board1, board2), 3)
        buckets[1] = board_bucket(flop, place, a, b)
        buckets[streets + 1] = board_bucket(flop, place, c, d)
    if shown > 3:
        board3 = draw_card(r, mask0 | mask1 | mask)
        mask |= MASKS[board3]
        key += KEYS[board3]
        if streets > 2:
            place = board_place((board0, board1, board2, board3), 4)
            buckets[2] = board_bucket(turn, place, a, b)
            buckets[streets + 2] = board_bucket(turn, place, c, d)
        if shown > 4:
            board4 = draw_card(r, mask0 | mask1 | mask)
            mask |= MASKS[board4]
            key += KEYS[board4]
            if streets > 3:
                place = board_place((board0, board1, board2, board3, board4), 5)
                buckets[3] = board_bucket(river, place, a, b)
                buckets[streets + 3] = board_bucket(river, place, c, d)
    mine = strength_of(key + KEYS[a] + KEYS[b], mask | mask0)
    theirs = strength_of(key + KEYS[c] + KEYS[d], mask | mask1)
    return 1 if mine > theirs else -1 if mine < theirs else 0


# ------------------------------------------------------------------------------------------------- percentiles


def _by_equity(size: int, count: int) -> Street:
    return _percentiles("ehs", equities(size), size, count)


def _by_square(size: int, count: int) -> Street:
    return _percentiles("ehs2", squares(size), size, count) if size < 5 else _by_equity(size, count)


def _percentiles(name: str, table: Array, size: int, count: int) -> Street:
    """Cut the numbers of a table so that all deals fall into equal parts."""

    def fill(out: Any) -> None:
        weights = np.zeros(SCALE + 1, np.int64)
        native(_count_deals)(table, boards(size).cards, boards(size).weight, weights)
        middle = np.cumsum(weights) - weights / 2
        part = np.minimum(middle * count // weights.sum(), count - 1).astype(np.int64)
        met = np.unique(part[weights > 0])
        out[:] = np.minimum(np.searchsorted(met, part), len(met) - 1)

    of = cached_array(f"poker-{name}-{size}-{count}", _count_deals, (SCALE + 1,), np.int32, fill, after=SOURCES)
    return Street(int(of[-1]) + 1, table, of)


def _count_deals(
    table: npt.NDArray[np.uint16], cards: npt.NDArray[np.int8], weight: npt.NDArray[np.int32], out: Ints
) -> None:
    """Count the deals of hand and board that have each number of a table."""
    for i in range(table.shape[0]):
        lying = 0
        for j in range(cards.shape[1]):
            lying |= MASKS[cards[i][j]]
        for h in range(HANDS):
            if HAND_MASKS[h] & lying == 0:
                out[table[i][h]] += weight[i]


# ------------------------------------------------------------------------------------------------- k-means


def _by_histogram(size: int, count: int) -> Street:
    if size == 5:
        return _by_equity(size, count)
    order = np.full(BINS - 1, -1.0, np.float32)  # a small sum is a strong hand
    return _clustered(f"kmeans-{BINS}", partial(_cumulative, size), order, size, count, SOURCES)


def _cumulative(size: int, first: int, end: int) -> Points:
    """Histograms as cumulative shares; the last one is always 1 and is left out."""
    counts = histograms(size, BINS, first, end).reshape(-1, BINS)[:, :-1]
    sums = np.cumsum(counts, axis=1, dtype=np.float32)
    sums /= RIVERS[size]
    return sums


def _by_matchups(size: int, count: int) -> Street:
    if size < 5:
        return _by_histogram(size, count)
    order = np.bincount(GROUP_OF_HAND).astype(np.float32)
    return _clustered("ochs", _matched, order, size, count, (*SOURCES, _fill_matchups))


def _matched(first: int, end: int) -> Points:
    """Equities on the river against each group of hands."""
    return matchups(first, end).reshape(-1, GROUPS).astype(np.float32) / np.float32(FINE)


def _clustered(
    name: str, points: Callable[[int, int], Points], order: Points, size: int, count: int, after: Sequence[Any]
) -> Street:  # fmt: skip
    """Buckets by k-means; `points` has a row for each hand on the boards from one to another."""

    def fill(out: Any) -> None:
        found = clusters(_sampled(points, size, SAMPLE * count), count, order)
        for first in range(0, BOARDS[size], SLICE):
            end = min(first + SLICE, BOARDS[size])
            out[first:end] = found.of(points(first, end)).reshape(-1, HANDS)

    recipe = [
        inspect.getsource(part) for part in (inspect.getmodule(clusters), _sampled, _cumulative, _matched) if part
    ]
    digest = hashlib.sha256("\0".join([*recipe, str(GROUP_OF_HAND.tolist()), str(SAMPLE)]).encode()).hexdigest()[:8]
    table = cached_array(
        f"poker-{name}-{size}-{count}-{digest}", find_nearest, (BOARDS[size], HANDS), np.uint16, fill, after=after
    )
    return Street(count, table, np.arange(count, dtype=np.int32))


def _sampled(points: Callable[[int, int], Points], size: int, number: int) -> Points:
    """About `number` points of hands that may be held, on boards as they are dealt."""
    rng = np.random.default_rng(size)
    at = boards(size)
    each = 200  # hands of a board
    picked = rng.choice(BOARDS[size], max(100, number // each), p=at.weight / at.weight.sum())
    parts = []
    for board in picked.tolist():
        possible = np.flatnonzero(HAND_MASKS & np.bitwise_or.reduce(np.array(MASKS)[at.cards[board]]) == 0)
        parts.append(points(board, board + 1)[rng.choice(possible, each, replace=False)])
    return np.concatenate(parts)


# ------------------------------------------------------------------------------------------------- without suits

FLOPS_OF_RANKS = comb(15, 3)  # three ranks, of which some may be equal
SUITLESS = CLASSES * FLOPS_OF_RANKS


def _without_suits(size: int, count: int) -> Street:
    table = cached_array("poker-suitless-3", _fill_suitless, (BOARDS[3], HANDS), np.uint32, _fill_all_suitless)
    return Street(SUITLESS, table, np.arange(SUITLESS, dtype=np.int32))


def _fill_all_suitless(out: Any) -> None:
    native(_fill_suitless)(boards(3).cards, out)


def _fill_suitless(cards: Any, out: Any) -> None:
    """The class of the hand, and the ranks on the board."""
    for i in range(cards.shape[0]):
        # cards are sorted, so their ranks never fall; r + i makes them differ
        low = cards[i][0] // 4
        middle = cards[i][1] // 4 + 1
        high = cards[i][2] // 4 + 2
        ranks = low + middle * (middle - 1) // 2 + high * (high - 1) * (high - 2) // 6
        for h in range(HANDS):
            out[i][h] = CLASS_OF_HAND[h] * FLOPS_OF_RANKS + ranks


def suitless_name(street: int, bucket: int) -> str:
    """The name of a bucket: `AKs`, or with a flop `AKs Q72`."""
    if street == 0:
        return class_name(bucket)
    which, ranks = divmod(bucket, FLOPS_OF_RANKS)
    high = max(r for r in range(2, 15) if comb(r, 3) <= ranks)
    middle = max(r for r in range(1, high) if comb(r, 2) <= ranks - comb(high, 3))
    low = ranks - comb(high, 3) - comb(middle, 2)
    return f"{class_name(which)} {RANKS[high - 2]}{RANKS[middle - 1]}{RANKS[low]}"


ABSTRACTIONS: dict[str, Callable[[int, int], Street]] = {
    "ehs": _by_equity,
    "ehs2": _by_square,
    "kmeans": _by_histogram,
    "ochs": _by_matchups,
    "suitless": _without_suits,
}
SUMMARIES = {
    "ehs": "percentiles of equity",
    "ehs2": "percentiles of mean squared equity",
    "kmeans": "k-means over equity histograms, percentiles on the river",
    "ochs": "as kmeans; on the river k-means over equities against groups of hands",
    "suitless": "ranks without suits, two streets (Mendes da Luz, 2025)",
}
