"""The equity of a hand: against a hand, a range or a random hand, exactly or by sampling.

The equity of a hand is the share of the pot it wins if all cards still to come are dealt and nobody folds: a win counts
one, a tie one half. `equity` counts every case, which takes microseconds on the river, milliseconds on the flop and
some hundredths of a second for two hands before it; with `samples` it deals at random instead.

    equity("AsKd", "QhJh", "Qs7s2h").value
    equity("AsKd", "QQ+,AKs")
    equity("AsKd", board="Qs7s2h", samples=10_000, seed=1)
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb, sqrt
from typing import Any

import numpy as np

from parlor.compile import native
from parlor.compile.kernel import IntArray
from parlor.game import GameError, Ints
from parlor.game.rng import below, seed_stream
from parlor.poker.hands.cards import DECK, distinct, names, symbols
from parlor.poker.hands.cards import board as read_board
from parlor.poker.hands.cards import hand as read_hand
from parlor.poker.hands.equity_tables import THREADS, before_the_flop
from parlor.poker.hands.hand_ranges import Hands, hands_in
from parlor.poker.hands.hand_strength import KEYS, MASKS, strength_of, sums
from parlor.poker.hands.isomorphism import HAND_CARDS, HAND_MASKS, HANDS, RENAMED, RENAMINGS, hand_class

ALL_HANDS: Hands = np.arange(HANDS)
HAND_KEYS = np.array(KEYS)[HAND_CARDS].sum(axis=1)
NORMAL_95 = 1.959964
THREADED_HANDS = 8  # hands that justify a second thread before the flop


@dataclass(frozen=True)
class Equity:
    """The wins, ties and losses of a hand: of all cases, or of those that were sampled."""

    wins: int
    ties: int
    losses: int
    exact: bool

    @property
    def cases(self) -> int:
        """Number of cases."""
        return self.wins + self.ties + self.losses

    @property
    def value(self) -> float:
        """The equity, from 0 to 1."""
        return (self.wins + self.ties / 2) / self.cases

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval of a sampled equity; 0 if it is exact."""
        if self.exact:
            return 0.0
        variance = (self.wins + self.ties / 4) / self.cases - self.value**2
        return NORMAL_95 * sqrt(variance / self.cases)


def equity(
    hand: str | Sequence[int],
    against: str | Hands | None = None,
    board: str | Sequence[int] = (),
    samples: int | None = None,
    seed: int = 0,
) -> Equity:
    """The equity of a hand on a board against a hand or a range (a random hand, if none is given).

    `against` is a range as players write it, or the numbers of its hands. Each hand of it counts once, unless it has a
    card of ours or of the board.
    """
    mine = read_hand(hand) if isinstance(hand, str) else tuple(hand)
    lying = read_board(board) if isinstance(board, str) else tuple(board)
    if len(mine) != 2 or len(lying) not in (0, 3, 4, 5):
        raise GameError("A hand has two cards and a board none, three, four or five.")
    distinct(mine, lying)
    if samples is not None and not 0 < samples < 1 << 31:
        raise GameError(f"samples must be between 1 and 2**31, not {samples}.")
    known = sum(MASKS[card] for card in (*mine, *lying))
    theirs = _range(against)
    if len(theirs) == HANDS and not lying and samples is None:
        return _before_the_flop(hand_class(*mine))
    possible = theirs[(HAND_MASKS[theirs] & known) == 0]
    if not len(possible):
        both = [card for card in mine if len(theirs) == 1 and HAND_MASKS[theirs[0]] & MASKS[card]]
        if both:
            raise GameError(f"Both hands hold {symbols(both)}.")
        raise GameError(f"The range has no hand without a card of {names((*mine, *lying))}.")
    if samples is None:
        return _counted(mine, possible, lying)
    return _sampled(mine, possible, lying, samples, seed)


def _range(against: str | Hands | None) -> Hands:
    if against is None:
        return ALL_HANDS
    if isinstance(against, str):
        return hands_in(against)
    given = np.unique(against)
    if not len(given) or given[0] < 0 or given[-1] >= HANDS:
        raise GameError(f"A range given by numbers has at least one, from 0 to {HANDS - 1}.")
    return given


# ------------------------------------------------------------------------------------------------- all cases


def _counted(mine: Sequence[int], theirs: Hands, lying: Sequence[int]) -> Equity:
    weights = np.ones(len(theirs), np.int64)
    if len(lying) < 4:  # else counting is quicker than looking for symmetries
        theirs, weights = _up_to_suits(mine, theirs, lying)
    if lying or len(theirs) < THREADED_HANDS:
        counts = _count(mine, theirs, weights, lying)
    else:
        parts = np.array_split(np.arange(len(theirs)), THREADS)
        with ThreadPoolExecutor(THREADS) as pool:
            counts = sum(pool.map(lambda part: _count(mine, theirs[part], weights[part], lying), parts))
    wins, ties, losses = counts.tolist()
    return Equity(wins, ties, losses, exact=True)


def _count(mine: Sequence[int], theirs: Hands, weights: Hands, lying: Sequence[int]) -> Any:
    """Wins, ties and losses; cards that all of the other hands have need not be dealt."""
    dead = sum(MASKS[card] for card in (*mine, *lying)) | int(np.bitwise_and.reduce(HAND_MASKS[theirs]))
    deck = np.array([card for card in range(DECK) if not MASKS[card] & dead])
    counts = np.zeros(3, np.int64)
    native(count_cases)(
        *sums(mine, 2), *sums(lying, len(lying)), HAND_KEYS[theirs], HAND_MASKS[theirs], weights, deck, 5 - len(lying),
        np.zeros((3, 6), np.int64), counts,
    )  # fmt: skip
    return counts


def _up_to_suits(mine: Sequence[int], theirs: Hands, lying: Sequence[int]) -> tuple[Hands, Hands]:
    """One hand for all that are equal up to a renaming of suits that leaves our cards unchanged; and how many."""
    fixing = [
        which
        for which, new in enumerate(RENAMINGS)
        if all({card // 4 * 4 + new[card % 4] for card in group} == set(group) for group in (mine, lying))
    ]
    first, counts = np.unique(RENAMED[fixing][:, theirs].min(axis=0).astype(np.int64), return_counts=True)
    return first, counts


def count_cases(
    my_key: int,
    my_mask: int,
    key: int,
    mask: int,
    keys: IntArray,
    masks: IntArray,
    weights: IntArray,
    deck: IntArray,
    missing: int,
    scratch: IntArray,
    counts: Ints,
) -> None:
    """Add wins, ties and losses against weighted hands over all ways to complete the board from the deck."""
    key_at = scratch[0]
    mask_at = scratch[1]
    next_at = scratch[2]
    key_at[0] = key
    mask_at[0] = mask
    next_at[0] = 0
    if missing == 0:
        _compare(my_key, my_mask, key, mask, keys, masks, weights, counts)
        return
    level = 0  # how many cards of the board are chosen
    while level >= 0:
        i = next_at[level]
        if level == missing - 1:
            for last in range(i, deck.shape[0]):
                _compare(
                    my_key, my_mask, key_at[level] + KEYS[deck[last]], mask_at[level] + MASKS[deck[last]],
                    keys, masks, weights, counts,
                )  # fmt: skip
            level -= 1
        elif i + missing - level > deck.shape[0]:
            level -= 1
        else:
            next_at[level] = i + 1
            key_at[level + 1] = key_at[level] + KEYS[deck[i]]
            mask_at[level + 1] = mask_at[level] + MASKS[deck[i]]
            next_at[level + 1] = i + 1
            level += 1


def _compare(
    my_key: int, my_mask: int, key: int, mask: int, keys: IntArray, masks: IntArray, weights: IntArray, counts: Ints
) -> None:
    """Add the wins, ties and losses on a whole board."""
    mine = strength_of(my_key + key, my_mask + mask)
    for i in range(keys.shape[0]):
        if masks[i] & mask == 0:
            theirs = strength_of(keys[i] + key, masks[i] + mask)
            if mine > theirs:
                counts[0] += weights[i]
            elif mine == theirs:
                counts[1] += weights[i]
            else:
                counts[2] += weights[i]


# ------------------------------------------------------------------------------------------------- samples


def _sampled(mine: Sequence[int], theirs: Hands, lying: Sequence[int], samples: int, seed: int) -> Equity:
    counts = np.zeros(3, np.int64)
    stream = np.zeros(4, np.int64)
    native(sample_cases)(
        *sums(mine, 2),
        *sums(lying, len(lying)),
        HAND_KEYS[theirs],
        HAND_MASKS[theirs],
        5 - len(lying),
        samples,
        seed,
        stream,
        counts,
    )
    wins, ties, losses = counts.tolist()
    return Equity(wins, ties, losses, exact=False)


def sample_cases(
    my_key: int,
    my_mask: int,
    key: int,
    mask: int,
    keys: IntArray,
    masks: IntArray,
    missing: int,
    samples: int,
    seed: int,
    r: Ints,
    counts: Ints,
) -> None:
    """Add wins, ties and losses of random deals: one of the other hands, then the rest of the board."""
    seed_stream(r, seed, 0)
    for _ in range(samples):
        i = below(r, keys.shape[0])
        dead = my_mask | masks[i] | mask
        key_now = key
        mask_now = mask
        for _ in range(missing):
            card = below(r, DECK)
            while dead & MASKS[card] != 0:
                card = below(r, DECK)
            dead |= MASKS[card]
            key_now += KEYS[card]
            mask_now += MASKS[card]
        mine = strength_of(my_key + key_now, my_mask + mask_now)
        theirs = strength_of(keys[i] + key_now, masks[i] + mask_now)
        if mine > theirs:
            counts[0] += 1
        elif mine == theirs:
            counts[1] += 1
        else:
            counts[2] += 1


# ------------------------------------------------------------------------------------------------- before the flop


def _before_the_flop(which: int) -> Equity:
    """Against any hand, from the table of the 169 classes."""
    wins, ties = before_the_flop()[which].tolist()
    return Equity(wins, ties, comb(50, 5) * comb(45, 2) - wins - ties, exact=True)
