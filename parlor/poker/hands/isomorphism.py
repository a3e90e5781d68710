"""Hands and boards that differ only in the names of the suits.

There are 1,326 hands; `hand_index` numbers them. Before the flop only ranks and suitedness matter, which leaves 169
classes. Boards of three, four and five cards fall into 1,755, 16,432 and 134,459 classes under the 24 ways to rename
the suits. A class is represented by its canonical board, the one whose suits, as sets of ranks, come in falling order.
`boards(n)` has for every board its class and a renaming that makes it canonical; `RENAMED` says what that renaming
makes of a hand. A table over canonical boards and all hands then answers for every board:

    place = board_place(board, n)
    table[at.index[place], RENAMED[at.renaming[place]][hand_index(a, b)]]
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.compile import cached_array, native
from parlor.compile.kernel import IntArray
from parlor.game import GameError, Ints
from parlor.poker.hands.cards import DECK, RANKS, board, distinct
from parlor.poker.hands.hand_strength import MASKS

HANDS = 1326
CLASSES = 169
BOARDS = {3: 1_755, 4: 16_432, 5: 134_459}

#: CHOOSE[k][n]: in how many ways k of n things can be chosen
CHOOSE = tuple(tuple(comb(n, k) for n in range(DECK + 1)) for k in range(6))


# ------------------------------------------------------------------------------------------------- hands


def hand_index(a: int, b: int) -> int:
    """The number of a hand, 0 … 1325, whichever of its cards is named first."""
    if a < b:
        return b * (b - 1) // 2 + a
    return a * (a - 1) // 2 + b


#: The two cards of each hand, the lower one first: [1326, 2]
HAND_CARDS: npt.NDArray[np.int64] = np.array([(a, b) for b in range(DECK) for a in range(b)])

#: The sum of the `MASKS` of each hand: [1326]
HAND_MASKS: npt.NDArray[np.int64] = np.array(MASKS)[HAND_CARDS].sum(axis=1)

RENAMINGS = tuple(itertools.permutations(range(4)))  # what each suit is called afterwards


def _renamed() -> npt.NDArray[np.int16]:
    cards = np.arange(DECK)
    hands = []
    for new in RENAMINGS:
        low, high = np.sort((cards // 4 * 4 + np.array(new)[cards % 4])[HAND_CARDS], axis=1).T
        hands.append(high * (high - 1) // 2 + low)
    return np.array(hands, np.int16)


#: The number of each hand after each renaming of the suits: [24, 1326]
RENAMED = _renamed()


def hand_class(a: int, b: int) -> int:
    """One of 169 classes: 13 * the higher rank + the lower one if suited, the other way round if not."""
    high = a // 4
    low = b // 4
    if high < low:
        high, low = low, high
    if a % 4 == b % 4:
        return 13 * high + low
    return 13 * low + high


#: The class of each hand: [1326]
CLASS_OF_HAND = np.array([hand_class(a, b) for a, b in HAND_CARDS.tolist()], np.int16)


def class_name(which: int) -> str:
    """AA, AKs, AKo."""
    first, second = divmod(which, 13)
    if first == second:
        return 2 * RANKS[first]
    return RANKS[max(first, second)] + RANKS[min(first, second)] + ("s" if first > second else "o")


def class_index(name: str) -> int:
    """The class that is called AA, AKs or AKo."""
    for which in range(CLASSES):
        if class_name(which).lower() == name.lower():
            return which
    raise GameError(f"{name!r} is none of the 169 classes of hands; they are called AA, AKs or AKo.")


# ------------------------------------------------------------------------------------------------- boards


@dataclass(frozen=True)
class Boards:
    """All boards of three, four or five cards, and the canonical ones among them."""

    cards: npt.NDArray[np.int8]
    """The canonical boards, the cards of each from low to high: [canonical, size]"""
    weight: npt.NDArray[np.int32]
    """The number of boards that each of them represents: [canonical]"""
    index: npt.NDArray[np.int32]
    """The canonical board of each board, by `board_place`: [all]"""
    renaming: npt.NDArray[np.int8]
    """Which of the 24 renamings of suits leads from each board to its canonical one: [all]"""

    def find(self, lying: str | Sequence[int]) -> tuple[int, int]:
        """The number of a board's canonical board, and the renaming of suits that leads there."""
        on_table = board(lying) if isinstance(lying, str) else tuple(lying)
        distinct(on_table)
        size = self.cards.shape[1]
        if len(on_table) != size:
            raise GameError(f"These are boards of {size} cards, and this one has {len(on_table)}.")
        place = board_place(on_table, size)
        return int(self.index[place]), int(self.renaming[place])


@functools.cache
def boards(size: int) -> Boards:
    """The boards of `size` cards: three, four or five."""
    if size not in BOARDS:
        raise GameError(f"A board has three, four or five cards, not {size}.")
    canonical, every = BOARDS[size], comb(DECK, size)
    end = 4 * every + 4 * canonical + every + canonical * size

    def parts(whole: Any) -> Boards:
        index, weight, renaming, cards = np.split(whole, np.cumsum([4 * every, 4 * canonical, every]))
        return Boards(
            cards=cards.view(np.int8).reshape(canonical, size),
            weight=weight.view(np.int32),
            index=index.view(np.int32),
            renaming=renaming.view(np.int8),
        )

    def fill(whole: Any) -> None:
        made = parts(whole)
        scratch = np.zeros((2, size), np.int64)
        native(sort_boards)(made.cards, made.weight, made.index, made.renaming, scratch)

    return parts(np.asarray(cached_array(f"poker-boards-{size}", sort_boards, (end,), np.uint8, fill)))


def board_place(cards: Sequence[int], n: int) -> int:
    """The number of a board among all boards of `n` cards, in whatever order its cards are given."""
    place = 0
    for i in range(n):
        lower = 1
        for j in range(n):
            if cards[j] < cards[i]:
                lower += 1
        place += CHOOSE[lower][cards[i]]
    return place


def renaming_of(cards: Sequence[int], n: int) -> int:
    """The renaming that puts the suits of a board, as sets of ranks, into falling order, keeping that of equal ones."""
    clubs = 0
    diamonds = 0
    hearts = 0
    spades = 0
    for i in range(n):
        bit = 1 << (cards[i] // 4)
        suit = cards[i] % 4
        if suit == 0:
            clubs |= bit
        elif suit == 1:
            diamonds |= bit
        elif suit == 2:
            hearts |= bit
        else:
            spades |= bit
    # renamings are in order of what the first suits are called: count the later ones that come before each
    first = (diamonds > clubs) + (hearts > clubs) + (spades > clubs)
    second = (hearts > diamonds) + (spades > diamonds)
    return 6 * first + 2 * second + (spades > hearts)


def _next_board(lying: Ints, n: int) -> None:
    """The board with the next place: raise the lowest card that can be raised."""
    i = 0
    while i < n - 1 and lying[i] + 1 == lying[i + 1]:
        lying[i] = i
        i += 1
    lying[i] += 1


def sort_boards(
    canonical: npt.NDArray[np.int8],
    weight: npt.NDArray[np.int32],
    index: npt.NDArray[np.int32],
    renaming: npt.NDArray[np.int8],
    scratch: IntArray,
) -> None:
    """The kernel of `boards`: number the canonical boards, then map every board to its own."""
    n = canonical.shape[1]
    lying = scratch[0]
    renamed = scratch[1]
    found = 0
    for i in range(n):
        lying[i] = i
    for place in range(index.shape[0]):
        renaming[place] = renaming_of(lying, n)
        if renaming[place] == 0:  # the first renaming changes nothing
            index[place] = found
            for i in range(n):
                canonical[found, i] = lying[i]
            found += 1
        _next_board(lying, n)
    for i in range(n):
        lying[i] = i
    for place in range(index.shape[0]):
        for i in range(n):
            renamed[i] = lying[i] // 4 * 4 + RENAMINGS[renaming[place]][lying[i] % 4]
        index[place] = index[board_place(renamed, n)]
        weight[index[place]] += 1
        _next_board(lying, n)
