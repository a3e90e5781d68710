"""The strength of five, six or seven cards: 1 (7-5-4-3-2) to 7462 (a royal flush); equal hands are equally strong.

A hand is two sums over its cards. `KEYS` adds up to the number of cards of each rank and of each suit, written as
digits: one number in base five for the seven low ranks, one for the six high ranks, and four bits a suit. `MASKS` adds
up to the set of cards, 16 bits a suit. Five cards of a suit are a flush, whose strength lies in a table indexed by the
13 bits of that suit. Otherwise only ranks matter: each of the two numbers leads to the index of its own digits among
all possible ones, both together to the strength. So two or three look-ups in 360 kB give the strength of any hand,
and an enumeration adds and subtracts cards at no cost.

`strength7`, `strength` and `strength_of` are plain functions for rules and kernels, compiled or not; `strengths` is the
call for arrays. The tables are made when the module is imported, by NumPy, in some hundredths of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.compile import native
from parlor.game import GameError
from parlor.poker.hands.cards import DECK, RANKS

Array = npt.NDArray[Any]

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)
CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
STRENGTHS = 7462

LOW, HIGH = 7, 6  # how many ranks are counted in which number
HIGH_SHIFT = 17  # 5**7 < 2**17
SUIT_SHIFT = 31  # 5**6 < 2**14
LOW_DIGITS = (1 << HIGH_SHIFT) - 1
HIGH_DIGITS = (1 << (SUIT_SHIFT - HIGH_SHIFT)) - 1
THREE_OF_EACH = 0x3333 << SUIT_SHIFT  # added to five of a suit, it carries into the bit of eight …
FIVE_OF_ONE = 0x8888 << SUIT_SHIFT  # … which is here
RANK_BITS = (1 << 13) - 1

KEYS = tuple(
    (5**rank if rank < LOW else 5 ** (rank - LOW) << HIGH_SHIFT) + (1 << (SUIT_SHIFT + 4 * suit))
    for rank in range(13)
    for suit in range(4)
)
MASKS = tuple(1 << (16 * suit + rank) for rank in range(13) for suit in range(4))


# ------------------------------------------------------------------------------------------------- the tables


def _digits(count: int) -> Array:
    """The digits in base five of all numbers with `count` digits: [5**count, count]."""
    return np.arange(5**count, dtype=np.int32)[:, None] // 5 ** np.arange(count, dtype=np.int32) % 5


def _highest() -> Array:
    """The n highest ranks of each set of ranks, all of them if there are fewer: [n, set], for n up to five."""
    sets = np.arange(1 << 13, dtype=np.int32)
    top = np.where(sets > 0, np.int32(1) << (np.frexp(sets)[1] - 1), 0)
    highest = [np.zeros_like(sets)]
    for _ in range(5):
        highest.append(highest[-1] | top[sets & ~highest[-1]])
    return np.array(highest)


def _straights() -> Array:
    """1 + the highest rank of the best straight among each set of ranks, 0 if there is none."""
    sets = np.arange(1 << 13, dtype=np.int32)
    with_low_ace = sets << 1 | sets >> 12
    best = np.zeros_like(sets)
    for lowest in range(10):
        best[(with_low_ace >> lowest & 31) == 31] = lowest + 4
    return best


def _code(category: int, first: Array, second: Array | int = 0) -> Array:
    """A number that orders hands: the category, then the ranks that decide first, then the others, as sets of bits."""
    return (category << 26) + (first << 13) + second


def _codes_of_ranks(once: Array, twice: Array, thrice: Array, all_four: Array) -> Array:
    """The best hand that is no flush, by the sets of ranks that are there at least once, twice, …"""
    highest, straights = _highest(), _straights()[once]
    quad, trip, pair = highest[1][all_four], highest[1][thrice], highest[1][twice]
    full, pairs = highest[1][twice & ~trip], highest[2][twice]
    return np.select(
        [quad > 0, (trip > 0) & (full > 0), straights > 0, trip > 0, pairs > pair, pair > 0],
        [
            _code(QUADS, quad, highest[1][once & ~quad]),
            _code(FULL_HOUSE, trip, full),
            _code(STRAIGHT, straights),
            _code(TRIPS, trip, highest[2][once & ~trip]),
            _code(TWO_PAIR, pairs, highest[1][once & ~pairs]),
            _code(PAIR, pair, highest[3][once & ~pair]),
        ],
        _code(HIGH_CARD, highest[5][once]),
    )


def _codes_of_flushes(sets: Array) -> Array:
    """The best hand among five and more cards of one suit."""
    straights = _straights()[sets]
    return np.where(straights > 0, _code(STRAIGHT_FLUSH, straights), _code(FLUSH, _highest()[5][sets]))


def _tables() -> tuple[Array, Array, Array, Array, Array]:
    """`LOW_PLACE`, `HIGH_PLACE`, `OF_RANKS`, `OF_FLUSH` and the code of each strength.

    The low halves with at most seven cards are put in order of how many cards they have. A high half with k cards then
    has one block in `OF_RANKS`, for all low halves with 5 - k to 7 - k cards: 73,775 numbers of each rank together.
    """
    low, high = _digits(LOW), _digits(HIGH)
    low_size, high_size = low.sum(axis=1), high.sum(axis=1)
    low_order = np.argsort(low_size, kind="stable")[: (low_size <= 7).sum()]
    low_place = np.zeros(len(low), np.int16)
    low_place[low_order] = np.arange(len(low_order))
    begins = np.searchsorted(low_size[low_order], np.arange(9))  # of the low halves with so many cards

    high_place = np.zeros(len(high), np.int32)
    lows, highs = [], []  # of the hands
    filled = 0
    for k in range(8):
        these = np.flatnonzero(high_size == k)
        first, end = begins[max(5 - k, 0)], begins[8 - k]
        high_place[these] = filled + np.arange(len(these)) * (end - first) - first
        lows.append(np.tile(low_order[first:end], len(these)))
        highs.append(np.repeat(these, end - first))
        filled += len(these) * (end - first)

    def sets(digits: Array, least: int) -> Array:
        return ((digits >= least) << np.arange(digits.shape[1], dtype=np.int32)).sum(axis=1, dtype=np.int32)

    of_low, of_high = np.concatenate(lows), np.concatenate(highs)
    by_ranks = _codes_of_ranks(*(sets(low, n)[of_low] | sets(high, n)[of_high] << LOW for n in (1, 2, 3, 4)))
    suited = np.flatnonzero(np.bitwise_count(np.arange(1 << 13)) >= 5)
    codes, places = np.unique(np.concatenate([[0], by_ranks, _codes_of_flushes(suited)]), return_inverse=True)
    of_flush = np.zeros(1 << 13, np.int16)
    of_flush[suited] = places[1 + filled :]
    return low_place, high_place, places[1 : 1 + filled].astype(np.int16), of_flush, codes


LOW_PLACE, HIGH_PLACE, OF_RANKS, OF_FLUSH, _CODES = _tables()


# ------------------------------------------------------------------------------------------------- the evaluator


def strength_of(key: int, mask: int) -> int:
    """The strength of five to seven cards, from the sums of their `KEYS` and of their `MASKS`."""
    flush = (key + THREE_OF_EACH) & FIVE_OF_ONE
    if flush != 0:
        while flush != 8 << SUIT_SHIFT:
            flush >>= 4
            mask >>= 16
        return int(OF_FLUSH[mask & RANK_BITS])
    return int(OF_RANKS[HIGH_PLACE[(key >> HIGH_SHIFT) & HIGH_DIGITS] + LOW_PLACE[key & LOW_DIGITS]])


def strength7(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
    """The strength of the best five of seven cards."""
    key = KEYS[a] + KEYS[b] + KEYS[c] + KEYS[d] + KEYS[e] + KEYS[f] + KEYS[g]
    mask = MASKS[a] + MASKS[b] + MASKS[c] + MASKS[d] + MASKS[e] + MASKS[f] + MASKS[g]
    return strength_of(key, mask)


def strength(cards: Sequence[int], n: int) -> int:
    """The strength of the best five of the first `n` cards: five, six or seven."""
    key, mask = sums(cards, n)
    return strength_of(key, mask)


def sums(cards: Sequence[int] | npt.NDArray[np.int8], n: int) -> tuple[int, int]:
    """The `KEYS` and the `MASKS` of the first `n` cards, added up."""
    key = 0
    mask = 0
    for i in range(n):
        key += KEYS[cards[i]]
        mask += MASKS[cards[i]]
    return key, mask


def strengths(hands: npt.ArrayLike) -> npt.NDArray[np.int16]:
    """The strength of each row of five, six or seven cards."""
    given = np.ascontiguousarray(hands)
    if given.ndim != 2 or given.shape[1] not in (5, 6, 7) or given.dtype.kind not in "iu":
        raise GameError("Hands are rows of five, six or seven cards, as whole numbers: shape [hands, 5 … 7].")
    out = np.empty(len(given), np.int16)
    if native(_each)(given, out) < 0:
        raise GameError(f"A card is a number from 0 (2c) to {DECK - 1} (As), and is in a hand once.")
    return out


def _each(hands: Any, out: Any) -> int:
    """The kernel of `strengths`; a negative number if there is something that is no hand."""
    n = hands.shape[1]
    for i in range(hands.shape[0]):
        key = 0
        mask = 0
        seen = 0
        for j in range(7):  # a fixed number, which the compiler unrolls
            if j < n:
                card = int(hands[i, j])
                if card < 0 or card >= DECK:
                    return -1
                key += KEYS[card]
                seen |= MASKS[card]
                mask += MASKS[card]
        if seen != mask:
            return -1
        out[i] = strength_of(key, mask)
    return 0


# ------------------------------------------------------------------------------------------------- words


def category(strength: int) -> int:
    """`HIGH_CARD` … `STRAIGHT_FLUSH`."""
    if not 1 <= strength <= STRENGTHS:
        raise GameError(f"The strength of a hand is a number from 1 to {STRENGTHS}, not {strength}.")
    return int(_CODES[strength]) >> 26


_ONE = ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_PLURALS = tuple("sixes" if one == "six" else one + "s" for one in _ONE)


def _ranks(bits: int) -> list[int]:
    """The ranks in a set, the highest first."""
    return [rank for rank in reversed(range(13)) if bits >> rank & 1]


def with_article(strength: int) -> str:
    """A hand as one has it: 'a pair of aces, …', 'two pair, …'."""
    counted = category(strength) in (PAIR, STRAIGHT, FLUSH, FULL_HOUSE, STRAIGHT_FLUSH)
    return f"a {words(strength)}" if counted else words(strength)


def words(strength: int) -> str:
    """A hand as people say it: 'two pair, kings and fours, ace kicker'."""
    kind = category(strength)
    code = int(_CODES[strength])
    first, others = code >> 13 & RANK_BITS, _ranks(code & RANK_BITS)
    if kind in (STRAIGHT, STRAIGHT_FLUSH):
        if kind == STRAIGHT_FLUSH and first == 13:
            return "royal flush"
        return f"{CATEGORIES[kind]} to the {_ONE[first - 1]}"
    ranks = _ranks(first)
    if kind in (HIGH_CARD, FLUSH):
        spelled = "-".join(RANKS[rank] for rank in ranks)
        return f"{_ONE[ranks[0]]} high, {spelled}" if kind == HIGH_CARD else f"flush, {_ONE[ranks[0]]} high, {spelled}"
    if kind == FULL_HOUSE:
        return f"full house, {_PLURALS[ranks[0]]} full of {_PLURALS[others[0]]}"
    kickers = f"{'-'.join(RANKS[rank] for rank in others)} kicker{'s' if len(others) > 1 else ''}"
    if len(others) == 1:
        kickers = f"{_ONE[others[0]]} kicker"
    held = " and ".join(_PLURALS[rank] for rank in ranks)
    return f"{CATEGORIES[kind] + ', ' if kind != PAIR else 'pair of '}{held}, {kickers}"
