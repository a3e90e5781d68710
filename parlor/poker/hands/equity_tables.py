"""The equity of all 1,326 hands on every board, up to renaming of the suits.

    equities(5)         [134459, 1326]    357 MB        the share of the 990 other hands that is beaten
    equities(4)         [ 16432, 1326]     44 MB        its mean over the 46 rivers that may come: E[HS]
    equities(3)         [  1755, 1326]      5 MB        its mean over the 1,081 turns and rivers that may come
    squares(4), (3)     the same shapes                 the mean of its square: E[HS²]
    histograms(n, …)    [ boards, 1326, bins]           how many of the rivers that may come lead into which bin
    matchups(…)         [ boards, 1326, 8]              the equity on rivers against each of eight groups of hands
    before_the_flop()   [   169, 2]                     exact wins and ties, of C(50, 5) * C(45, 2) cases

Equities are whole numbers of 65340ths (33 times 1980, twice the 990 other hands: so the river's are exact and the
others are rounded once); where hand and board share a card there is a 0. Rows are the canonical boards of
`isomorphism.boards`, and `look_up` finds the entry of any hand and board. The tables take seconds to compute, once:
then they are in the cache and are mapped into memory.

A river is one sort. From the weakest hand up, a hand beats all below it save those that hold one of its two cards; so
with counts by card, 1,081 hands are compared with each other in a few microseconds rather than one by one.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.compile import cached_array, native
from parlor.compile.kernel import IntArray
from parlor.game import GameError
from parlor.poker.hands.cards import DECK, distinct
from parlor.poker.hands.hand_strength import KEYS, MASKS, strength_of, sums
from parlor.poker.hands.isomorphism import (
    BOARDS,
    CLASS_OF_HAND,
    CLASSES,
    HAND_CARDS,
    HAND_MASKS,
    HANDS,
    RENAMED,
    board_place,
    boards,
    hand_index,
    sort_boards,
)

Equities = npt.NDArray[np.uint16]
BoardCards = npt.NDArray[np.int8]
BoardIndex = npt.NDArray[np.int32]

BEST = 1980  # a win against each of the 990 other hands counts two, a tie one
STEP = 33
SCALE = STEP * BEST  # as much as 16 bits hold
THREADS = min(2, os.cpu_count() or 1)
RIVERS = (0, 0, 0, 1081, 46)  # that may come for a hand, by the size of the board
FINE = 255  # steps of a matchup
#: Hands that meet the same boards alike: those with a high card up to 8, 9, T, J, Q, K, A, and pairs.
GROUP_OF_HAND = np.where(
    HAND_CARDS[:, 0] // 4 == HAND_CARDS[:, 1] // 4, 7, np.clip(HAND_CARDS.max(axis=1) // 4 - 6, 0, 6)
).astype(np.int64)
GROUPS = 8
PART = 256  # boards that a thread takes at a time


# ------------------------------------------------------------------------------------------------- the tables


@functools.cache
def equities(size: int) -> Equities:
    """Every hand on every canonical board of three, four or five cards: E[HS], in steps of 1 / `SCALE`."""
    if size == 5:
        return _table("poker-equity-river", _fill_rivers, size, lambda: (boards(5).cards,))
    return _table(f"poker-equity-{_street(size)}", _fill_means, size, lambda: _rivers_after(size))


@functools.cache
def squares(size: int) -> Equities:
    """The mean square of the river's equity on boards of three or four cards: E[HS²], in steps of 1 / `SCALE`."""
    return _table(f"poker-square-{_street(size)}", _fill_squares, size, lambda: _rivers_after(size))


def histograms(size: int, bins: int, first: int = 0, end: int | None = None) -> npt.NDArray[np.uint16]:
    """Count the rivers that lead each hand into each of so many equity bins of equal width, on boards `first` to `end`.

    They add up to 46 on a turn and to 1,081 on a flop. All turns in ten bins take 436 MB; hence the slice.
    """
    _street(size)
    if not 1 <= bins <= BEST:
        raise GameError(f"Equity falls into 1 to {BEST} bins, not {bins}.")
    first, end = _slice(size, first, end)
    out = np.zeros((end - first, HANDS, bins), np.uint16)
    bin_of = np.minimum(np.arange(SCALE + 1) * bins // SCALE, bins - 1).astype(np.int16)
    cards, *rivers = _rivers_after(size)
    _in_parts(_fill_histograms, (out, cards[first:end], *rivers, bin_of))
    return out


def matchups(first: int = 0, end: int | None = None) -> npt.NDArray[np.uint8]:
    """The equity on the rivers `first` to `end` against each group of hands, in steps of 1 / `FINE`.

    Of a group that cannot be there it is one half. All rivers take 1.4 GB; hence the slice.
    """
    first, end = _slice(5, first, end)
    out = np.zeros((end - first, HANDS, GROUPS), np.uint8)
    _in_parts(_fill_matchups, (out, boards(5).cards[first:end], GROUP_OF_HAND))
    return out


@functools.cache
def before_the_flop() -> npt.NDArray[np.int64]:
    """Wins and ties of the 169 classes of hands against any hand, over all boards: [169, 2]."""

    def fill(out: Any) -> None:
        parts = np.zeros((-(-BOARDS[5] // PART), CLASSES, 2), np.int64)
        _in_parts(_count_classes, (parts, boards(5).cards, boards(5).weight))
        out[:] = parts.sum(axis=0) // np.bincount(CLASS_OF_HAND, minlength=CLASSES)[:, None]

    return cached_array("poker-equity-169", _count_classes, (CLASSES, 2), np.int64, fill, after=(sort_boards,))


@functools.cache
def equities_by_class() -> npt.NDArray[np.float64]:
    """The equity of the 169 classes of hands against any hand, from the table of flops: right to four digits."""
    lying = np.bitwise_or.reduce(np.array(MASKS)[boards(3).cards], axis=1)
    possible = (HAND_MASKS[None, :] & lying[:, None] == 0) * boards(3).weight[:, None]
    sums = np.bincount(CLASS_OF_HAND, (equities(3) * possible).sum(axis=0), CLASSES)
    return sums / np.bincount(CLASS_OF_HAND, possible.sum(axis=0), CLASSES) / SCALE


def look_up(table: npt.NDArray[Any], mine: Sequence[int], lying: Sequence[int]) -> Any:
    """The entry of a table over canonical boards and hands for a hand on a board."""
    distinct(mine, lying)
    which, renaming = boards(len(lying)).find(lying)
    return table[which, RENAMED[renaming, hand_index(mine[0], mine[1])]]


# ------------------------------------------------------------------------------------------------- how they are made


def _street(size: int) -> str:
    if size not in (3, 4):
        raise GameError(f"Rivers may come after a board of three or four cards, not of {size}.")
    return "flop" if size == 3 else "turn"


def _slice(size: int, first: int, end: int | None) -> tuple[int, int]:
    """A range of the canonical boards of a street; GameError if they do not exist."""
    end = BOARDS[size] if end is None else end
    if not 0 <= first <= end <= BOARDS[size]:
        street = "river" if size == 5 else _street(size)
        raise GameError(
            f"There are {BOARDS[size]} canonical boards on the {street}; {first} to {end} is not a part of them."
        )
    return first, end


def _table(name: str, kernel: Callable[..., Any], size: int, given: Callable[[], tuple[Any, ...]]) -> Equities:
    shape = (BOARDS[size], HANDS)
    return cached_array(
        name,
        kernel,
        shape,
        np.uint16,
        lambda out: _in_parts(kernel, (out, *given())),
        after=(sort_boards, _fill_rivers),
    )


def _rivers_after(size: int) -> tuple[Any, ...]:
    """The canonical boards of a street, the table of rivers, and the index of each river in it."""
    rivers = boards(5)
    return boards(size).cards, equities(5), rivers.index, rivers.renaming


def _in_parts(kernel: Callable[..., Any], given: tuple[Any, ...]) -> None:
    """Call a kernel for some boards at a time, on all threads; `given` begins with its output and the boards."""
    compiled = native(kernel)
    total = len(given[1])

    def part(first: int) -> None:
        compiled(first, min(first + PART, total), np.zeros((7, HANDS), np.int64), *given)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(part, range(0, total, PART)))


def _fill_rivers(first: int, end: int, scratch: IntArray, out: Equities, cards: BoardCards) -> None:
    """Equities on the river."""
    wins = scratch[0]
    ties = scratch[1]
    for i in range(first, end):
        _showdowns(cards[i], scratch)
        for h in range(HANDS):
            out[i][h] = STEP * (2 * wins[h] + ties[h])


def _count_classes(
    first: int, end: int, scratch: IntArray, parts: IntArray, cards: BoardCards, weight: BoardIndex
) -> None:
    """Wins and ties by class of hands, summed over the hands of a class and over boards."""
    sums = parts[first // PART]
    for i in range(first, end):
        _showdowns(cards[i], scratch)
        for h in range(HANDS):
            sums[CLASS_OF_HAND[h]][0] += weight[i] * scratch[0][h]
            sums[CLASS_OF_HAND[h]][1] += weight[i] * scratch[1][h]


def _ranked(board: BoardCards, scratch: IntArray) -> int:
    """The hands on a whole board from the weakest up, as strength << 11 | hand in `scratch[4]`; how many."""
    key, mask = sums(board, 5)
    count = 0
    h = 0
    for b in range(DECK):
        for a in range(b):
            if mask & (MASKS[a] | MASKS[b]) == 0:
                strength = strength_of(key + KEYS[a] + KEYS[b], mask + MASKS[a] + MASKS[b])
                scratch[4][count] = strength << 11 | h
                count += 1
            h += 1
    _sort(scratch[4], scratch[5], scratch[6], count, 11)  # by the lower seven bits of the strength,
    _sort(scratch[5], scratch[4], scratch[6], count, 18)  # then by the upper ones
    return count


def _showdowns(board: BoardCards, scratch: IntArray) -> None:
    """Count the hands that each hand beats and ties on a whole board: `scratch[0]` and `scratch[1]`."""
    wins = scratch[0]
    ties = scratch[1]
    below = scratch[2]  # weaker hands, by card that they hold
    up_to = scratch[3]  # the same, and equal ones
    hands = scratch[4]
    count = _ranked(board, scratch)
    for h in range(HANDS):
        wins[h] = 0
        ties[h] = 0
    for c in range(DECK):
        below[c] = 0
        up_to[c] = 0
    start = 0
    while start < count:
        stop = start
        while stop < count and hands[stop] >> 11 == hands[start] >> 11:
            h = hands[stop] & 2047
            up_to[HAND_CARDS[h][0]] += 1
            up_to[HAND_CARDS[h][1]] += 1
            stop += 1
        for k in range(start, stop):
            h = hands[k] & 2047
            a = HAND_CARDS[h][0]
            b = HAND_CARDS[h][1]
            wins[h] = start - below[a] - below[b]
            # all equal ones, less those with one of our cards, of which we are one with both
            ties[h] = stop - start - (up_to[a] - below[a]) - (up_to[b] - below[b]) + 1
        for k in range(start, stop):
            h = hands[k] & 2047
            below[HAND_CARDS[h][0]] = up_to[HAND_CARDS[h][0]]
            below[HAND_CARDS[h][1]] = up_to[HAND_CARDS[h][1]]
        start = stop


def _fill_matchups(
    first: int, end: int, scratch: IntArray, out: npt.NDArray[np.uint8], cards: BoardCards, group_of: IntArray
) -> None:
    """Equities on the river against each group of hands."""
    groups = out.shape[2]
    below = scratch[0]  # weaker hands, by card and group; in the last place those with any cards
    up_to = scratch[1]  # the same, and equal ones
    total = scratch[2]  # the same, of all hands
    hands = scratch[4]
    for i in range(first, end):
        count = _ranked(cards[i], scratch)
        for k in range((DECK + 1) * groups):
            below[k] = 0
            up_to[k] = 0
            total[k] = 0
        for h in range(HANDS):
            for g in range(groups):
                out[i][h][g] = 0
        for k in range(count):
            _note(total, hands[k] & 2047, group_of, groups)
        start = 0
        while start < count:
            stop = start
            while stop < count and hands[stop] >> 11 == hands[start] >> 11:
                _note(up_to, hands[stop] & 2047, group_of, groups)
                stop += 1
            for k in range(start, stop):
                h = hands[k] & 2047
                for g in range(groups):
                    mine = 1 if group_of[h] == g else 0  # taken off twice, once with each card
                    others = _without(total, h, g, groups) + mine
                    beaten = _without(below, h, g, groups)
                    twice = beaten + _without(up_to, h, g, groups) + mine
                    out[i][h][g] = (twice * FINE + others) // (2 * others) if others > 0 else FINE // 2
            for k in range(start, stop):
                _note(below, hands[k] & 2047, group_of, groups)
            start = stop


def _note(counts: IntArray, h: int, group_of: IntArray, groups: int) -> None:
    """Count a hand: for each of its cards, and once for all."""
    g = group_of[h]
    counts[HAND_CARDS[h][0] * groups + g] += 1
    counts[HAND_CARDS[h][1] * groups + g] += 1
    counts[DECK * groups + g] += 1


def _without(counts: IntArray, h: int, g: int, groups: int) -> int:
    """All hands of a group that were counted, less those with a card of this one."""
    return int(
        counts[DECK * groups + g] - counts[HAND_CARDS[h][0] * groups + g] - counts[HAND_CARDS[h][1] * groups + g]
    )


def _sort(numbers: IntArray, out: IntArray, counts: IntArray, n: int, shift: int) -> None:
    """Sort numbers by seven of their bits, keeping the order of equal ones."""
    for i in range(129):
        counts[i] = 0
    for i in range(n):
        counts[(numbers[i] >> shift & 127) + 1] += 1
    for i in range(128):
        counts[i + 1] += counts[i]
    for i in range(n):
        digit = numbers[i] >> shift & 127
        out[counts[digit]] = numbers[i]
        counts[digit] += 1


def _rivers(board: BoardCards, scratch: IntArray, index: BoardIndex, renaming: BoardCards) -> int:
    """All rivers after a board: in `scratch` 0 their rows, in 1 how suits are renamed, in 2 their cards."""
    n = board.shape[0]
    lying = scratch[3]
    mask = 0
    for j in range(n):
        lying[j] = board[j]
        mask |= MASKS[board[j]]
    count = 0
    for a in range(DECK):
        if mask & MASKS[a] == 0:
            lying[n] = a
            for b in range(a if n == 3 else 1):  # after a turn there is only one more card
                if n == 4 or mask & MASKS[b] == 0:
                    if n == 3:
                        lying[4] = b
                    place = board_place(lying, 5)
                    scratch[0][count] = index[place]
                    scratch[1][count] = renaming[place]
                    scratch[2][count] = mask | MASKS[a] | (MASKS[b] if n == 3 else 0)
                    count += 1
    return count


def _fill_means(
    first: int,
    end: int,
    scratch: IntArray,
    out: Equities,
    cards: BoardCards,
    table: Equities,
    index: BoardIndex,
    renaming: BoardCards,
) -> None:
    """Mean equities on the river."""
    sums = scratch[4]
    for i in range(first, end):
        count = _rivers(cards[i], scratch, index, renaming)
        for h in range(HANDS):
            sums[h] = 0
        for k in range(count):
            row = table[scratch[0][k]]
            renamed = RENAMED[scratch[1][k]]
            for h in range(HANDS):
                sums[h] += row[renamed[h]]
        possible = RIVERS[cards.shape[1]]
        for h in range(HANDS):
            out[i][h] = (2 * sums[h] + possible) // (2 * possible)


def _fill_squares(
    first: int,
    end: int,
    scratch: IntArray,
    out: Equities,
    cards: BoardCards,
    table: Equities,
    index: BoardIndex,
    renaming: BoardCards,
) -> None:
    """Mean squares of equities on the river."""
    sums = scratch[4]
    for i in range(first, end):
        count = _rivers(cards[i], scratch, index, renaming)
        for h in range(HANDS):
            sums[h] = 0
        for k in range(count):
            row = table[scratch[0][k]]
            renamed = RENAMED[scratch[1][k]]
            for h in range(HANDS):
                sums[h] += np.int64(row[renamed[h]]) * np.int64(row[renamed[h]])
        possible = RIVERS[cards.shape[1]] * SCALE
        for h in range(HANDS):
            out[i][h] = (2 * sums[h] + possible) // (2 * possible)


def _fill_histograms(
    first: int,
    end: int,
    scratch: IntArray,
    out: Equities,
    cards: BoardCards,
    table: Equities,
    index: BoardIndex,
    renaming: BoardCards,
    bin_of: npt.NDArray[np.int16],
) -> None:
    """Equities on the river, counted by bin."""
    for i in range(first, end):
        count = _rivers(cards[i], scratch, index, renaming)
        counts = out[i]
        for k in range(count):
            row = table[scratch[0][k]]
            renamed = RENAMED[scratch[1][k]]
            for h in range(HANDS):
                if HAND_MASKS[h] & scratch[2][k] == 0:
                    counts[h][bin_of[row[renamed[h]]]] += 1


#: The kernels that all of these tables come from.
SOURCES = (sort_boards, _fill_rivers, _fill_means, _fill_squares, _fill_histograms)


def exact_equities() -> tuple[Any, ...]:
    """Everything needed to look up the equity of a hand: before the flop by hand, then by board; and the scale."""
    wins, ties = before_the_flop().T.astype(float)
    cases = 2_118_760 * 990  # C(50, 5) boards, C(45, 2) other hands
    first = ((wins + ties / 2) / cases)[CLASS_OF_HAND]
    sizes = (3, 4, 5)
    return (
        np.ascontiguousarray(first),
        tuple(equities(size) for size in sizes),
        tuple(boards(size).index for size in sizes),
        tuple(boards(size).renaming for size in sizes),
        1.0 / SCALE,
    )
