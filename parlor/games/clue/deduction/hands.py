"""The possible hands of every player, listed, and the working memory for counting with them."""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np

from parlor.game import Game
from parlor.games.clue.deduction.facts import (
    CLAUSES,
    FIRST,
    HAS,
    LACKS,
    SIZE,
    Array,
    Deck,
    bits,
    could_hold,
    deck_cards,
    deck_triples,
    deduce,
    is_held,
)

#: Rows of `layout`, which has small numbers.
SIZES, CARD_AT, PLAYER, LEFT, RIGHT, CANDIDATES, NEED, FREE, INDEX, CHOSEN, TAKES, UNIT = range(12)
FILE_CARD, FILE_BIT, OPEN_CARD, OPEN_BIT = 12, 15, 18, 21  # three rows each, one a kind
SPREAD = 24  # three rows, one a chunk of packed cards
#: Places in its row SIZES: unknown cards, players with unknown cards, the roots of both groups, and how many
#: cards of each kind could be in the file.
UNKNOWN, ACTIVE, ROOTS, IN_FILE = 0, 1, 2, 4
NOBODY = -1  # the left part of a node that takes no cards
LAYOUT = (27, 64)
LOW = 0xFFFFFFFF  # a hand is listed as its cards and, in the low half, its unknown cards packed
CHUNK, CHUNKS, FULL = 6, 3, 63  # packed cards are looked at by six at a time; at most 18 are unknown


class Work(NamedTuple):
    """Working memory for one deck; made by `workspace`.

    All sets in a table have the same number of cards, so that the first bit follows from the others: the entry of a
    packed set is at half its number, which halves the tables.
    """

    hands: Any  # [player, hand] its cards
    packed: Any  # [player, hand] of these the unknown ones, as bits in their order
    weights: Any  # [player, hand]
    listed: Any  # [player] how many hands
    tables: (
        Any  # [2 * node, packed / 2] ways of a node to take these cards; and [2 * node + 1, …] of the others, the rest
    )
    masks: Any  # [2, …] what the first group can take; what the first two of the second group can
    subsets: Any  # […] sets of cards
    sums: Any  # [chunk, cards packed]
    layout: Any  # see above


def deck_of(game: Game) -> Any:
    """The deck of a game of Clue, from its options."""
    numbers = [int(game.options[name]) for name in ("players", "suspects", "weapons", "rooms")]
    return np.array([*numbers, game.options["accusations"] == "true"], np.int64)


def new_facts(deck: Deck, cap: int) -> tuple[Any, Any]:
    """Arrays for the facts of up to `cap` suggestions, and for the triples that are possible."""
    return np.zeros((deck[0], FIRST + cap), np.int64), np.zeros(deck_triples(deck))


def new_counts(deck: Deck) -> tuple[Any, Any]:
    """Arrays for what is counted: by triple in the file; by card and by player or, last, file."""
    return np.zeros(deck_triples(deck)), np.zeros((deck_cards(deck), deck[0] + 1))


def workspace(deck: Deck) -> Work:
    """Working memory that is enough for every position at that deck."""
    players, cards = int(deck[0]), deck_cards(deck)
    smallest, largest = (cards - 3) // players, -(-(cards - 3) // players)
    unknown = cards - smallest
    hands = max(comb(unknown, size) for size in range(largest + 1))
    sets = comb(unknown, unknown // 2)
    return Work(
        np.zeros((players, hands), np.int64), np.zeros((players, hands), np.int64), np.zeros((players, hands)),
        np.zeros(players, np.int64), np.zeros((4 * players - 8, 1 << unknown - 1)), np.zeros((2, sets), np.int64),
        np.zeros(hands, np.int64), np.zeros((CHUNKS, 1 << CHUNK)), np.zeros(LAYOUT, np.int64),
    )  # fmt: skip


def subsets(free: Array, n: int, size: int, index: Array, chosen: Array, out: Array) -> int:
    """All sets of `size` of the `n` cards in `free`, each a bit or several; returns how many."""
    if size == 0:
        out[0] = 0
        return 1
    found = depth = 0
    index[0] = 0
    chosen[0] = 0
    while depth >= 0:
        if depth < size - 1 and index[depth] <= n - size + depth:
            chosen[depth + 1] = chosen[depth] | free[index[depth]]
            index[depth + 1] = index[depth] + 1
            depth += 1
            continue
        if depth == size - 1:
            so_far = chosen[depth]
            for j in range(index[depth], n):
                out[found] = so_far | free[j]
                found += 1
        depth -= 1
        if depth >= 0:
            index[depth] += 1
    return found


def lay_out(facts: Array, deck: Deck, layout: Array) -> None:
    """Number the unknown cards; list those that could be in the file."""
    players = deck[0]
    for bit in range(CHUNK * CHUNKS):
        layout[UNIT][bit] = 1 << bit
    unknown = start = 0
    for kind in range(3):
        n = 0
        filed = -1
        for card in range(start, start + deck[1 + kind]):
            if is_held(facts, players, card):
                continue
            if could_hold(facts, players, card) == 0:
                filed = card
                continue
            layout[FILE_CARD + kind][n] = card - start
            layout[FILE_BIT + kind][n] = 1 << unknown
            layout[CARD_AT][unknown] = card
            n += 1
            unknown += 1
        if filed >= 0:
            layout[FILE_CARD + kind][0] = filed - start
            layout[FILE_BIT + kind][0] = 0
            n = 1
        layout[SIZES][IN_FILE + kind] = n
        start += deck[1 + kind]
    layout[SIZES][UNKNOWN] = unknown


def list_hands(facts: Array, deck: Deck, work: Any) -> bool:
    """All hands of every player that fit the facts, each with weight 1; False if there are none."""
    hands, packed, weights, listed, _, _, sets, _, layout = work
    players = deck[0]
    for q in range(players):
        listed[q] = 0
    if not deduce(facts, deck):
        return False
    lay_out(facts, deck, layout)
    for q in range(players):
        n = could = 0
        for bit in range(layout[SIZES][UNKNOWN]):
            card = layout[CARD_AT][bit]
            if facts[q][LACKS] >> card & 1 == 0:
                layout[FREE][n] = 1 << card + 32 | 1 << bit
                could |= 1 << bit
                n += 1
        need = facts[q][SIZE] - bits(facts[q][HAS])
        layout[CANDIDATES][q] = could
        layout[NEED][q] = need
        found = 0
        for i in range(subsets(layout[FREE], n, need, layout[INDEX], layout[CHOSEN], sets)):
            cards = sets[i] >> 32
            fits = True
            for k in range(facts[q][CLAUSES]):
                if cards & facts[q][FIRST + k] == 0:
                    fits = False
                    break
            if fits:
                hands[q][found] = cards | facts[q][HAS]
                packed[q][found] = sets[i] & LOW
                weights[q][found] = 1.0
                found += 1
        listed[q] = found
        if found == 0:
            return False
    return True
