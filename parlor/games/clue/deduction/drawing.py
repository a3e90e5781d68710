"""Draw a deal that fits the facts: from the tables, or, without working memory from outside, all equally likely."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.game import Ints
from parlor.game.rng import below, uniform
from parlor.games.clue.deduction.facts import (
    CLAUSES,
    FIRST,
    HAS,
    LACKS,
    SIZE,
    Array,
    Deck,
    bits,
    cards_of_triple,
    deck_cards,
    deck_triples,
    deduce,
)
from parlor.games.clue.deduction.hands import (  # fmt: skip
    ACTIVE,
    CARD_AT,
    CHUNK,
    CHUNKS,
    FILE_BIT,
    FILE_CARD,
    IN_FILE,
    LAYOUT,
    LEFT,
    NOBODY,
    PLAYER,
    RIGHT,
    ROOTS,
    SIZES,
    UNKNOWN,
    list_hands,
)
from parlor.games.clue.deduction.knowledge import count_hands
from parlor.games.clue.deduction.tables import fold_hands, list_masks

TRIES = 200  # shuffles, before tables are made


def draw_deal(deck: Deck, facts: Array, possible: Array, work: Any, total: float, r: Ints, hands: Array) -> int:
    """Draw one of the deals by their weights, after `fold_hands`, which returned `total`.

    Fills everybody's `hands`; returns the triple in the file.
    """
    _, packed, _, listed, tables, masks, _, _, layout = work
    sizes = layout[SIZES]
    active, room = sizes[ACTIVE], 1 << sizes[UNKNOWN]
    root, other = sizes[ROOTS], sizes[ROOTS + 1]
    if root < active:
        taken, n = packed[layout[PLAYER][root]], listed[layout[PLAYER][root]]
    else:
        taken = masks[0]
        n = list_masks(root, tables, layout, taken)
    left = uniform(r) * total
    drawn = 0
    for i in range(n):
        found = tables[2 * root][taken[i] >> 1] * tables[2 * root + 1][taken[i] >> 1]
        if found > 0.0:
            drawn = taken[i]
            left -= found
            if left < 0.0:
                break
    left = uniform(r) * tables[2 * root + 1][drawn >> 1]
    triple, rest = 0, 0
    for a in range(sizes[IN_FILE]):
        for b in range(sizes[IN_FILE + 1]):
            for c in range(sizes[IN_FILE + 2]):
                filed = layout[FILE_BIT][a] | layout[FILE_BIT + 1][b] | layout[FILE_BIT + 2][c]
                if filed & drawn or left < 0.0:
                    continue
                pair = layout[FILE_CARD][a] * deck[2] + layout[FILE_CARD + 1][b]
                number = pair * deck[3] + layout[FILE_CARD + 2][c]
                found = tables[2 * other][(room - 1 ^ drawn ^ filed) >> 1] * possible[number]
                if found > 0.0:
                    triple, rest = number, room - 1 ^ drawn ^ filed
                    left -= found
    for q in range(deck[0]):
        hands[q] = facts[q][HAS]
    draw_group(root, drawn, packed, listed, tables, layout, r, hands)
    draw_group(other, rest, packed, listed, tables, layout, r, hands)
    return int(triple)


def draw_group(
    node: int, mask: int, packed: Array, listed: Array, tables: Array, layout: Array, r: Ints, hands: Array
) -> None:
    """Draw how the players of a node share the cards of `mask`."""
    active = layout[SIZES][ACTIVE]
    while node >= active and layout[LEFT][node] != NOBODY:
        left_node, right = layout[LEFT][node], layout[RIGHT][node]
        q = layout[PLAYER][right]
        left = uniform(r) * tables[2 * node][mask >> 1]
        hand = 0
        for i in range(listed[q]):
            if packed[q][i] & ~mask == 0:
                found = tables[2 * right][packed[q][i] >> 1] * tables[2 * left_node][(mask ^ packed[q][i]) >> 1]
                if found > 0.0:
                    hand = packed[q][i]
                    left -= found
                    if left < 0.0:
                        break
        hands[q] |= unpack(hand, layout)
        node, mask = left_node, mask ^ hand
    if node < active:
        hands[layout[PLAYER][node]] |= unpack(mask, layout)


def unpack(mask: int, layout: Array) -> int:
    """Packed cards as cards."""
    cards, bit = 0, 0
    while mask:
        if mask & 1:
            cards |= 1 << layout[CARD_AT][bit]
        mask >>= 1
        bit += 1
    return cards


# --------------------------------------------------------------------------------------------------- without memory


def draw_fitting(facts: Array, possible: Array, deck: Deck, dealt: bool, r: Ints, hands: Array) -> None:
    """Fill `hands`: the cards of each player and, last, those in the file.

    While cards are being dealt (`dealt` is false), all that is known is one hand: shuffling ends soon.
    """
    deduce(facts, deck)
    tries = 0
    while tries < TRIES or not dealt:
        shuffle(facts, possible, deck, r, hands)
        if fits(facts, deck[0], hands):
            return
        tries += 1
    draw_from_tables(facts, possible, deck, r, hands)


def shuffle(facts: Array, possible: Array, deck: Deck, r: Ints, hands: Array) -> None:
    """A triple for the file, and the other cards that nobody is known to have to all others."""
    players = deck[0]
    held = 0
    for q in range(players):
        hands[q] = facts[q][HAS]
        held |= facts[q][HAS]
    hands[players] = held
    while hands[players] & held:
        triple = below(r, deck_triples(deck))
        if possible[triple] > 0.0:
            hands[players] = cards_of_triple(triple, deck)
    left = 0
    for q in range(players):
        left += facts[q][SIZE] - bits(facts[q][HAS])
    for card in range(deck_cards(deck)):
        if (held | hands[players]) >> card & 1 == 0:
            place = below(r, left)  # among the places that are still free
            for q in range(players):
                place -= facts[q][SIZE] - bits(hands[q])
                if place < 0:
                    hands[q] |= 1 << card
                    break
            left -= 1


def fits(facts: Array, players: int, hands: Array) -> bool:
    """Whether everybody lacks what they lack and has one card of each clause."""
    for q in range(players):
        if hands[q] & facts[q][LACKS]:
            return False
        for i in range(facts[q][CLAUSES]):
            if hands[q] & facts[q][FIRST + i] == 0:
                return False
    return True


def draw_from_tables(facts: Array, possible: Array, deck: Deck, r: Ints, hands: Array) -> None:
    """By counting."""
    work = fitting_work(facts, deck)
    list_hands(facts, deck, work)
    total = fold_hands(deck, possible, work, np.zeros(deck_triples(deck)))
    triple = draw_deal(deck, facts, possible, work, total, r, hands)
    hands[deck[0]] = cards_of_triple(triple, deck)


def count_anew(facts: Array, deck: Deck, possible: Array, tensor: Array, cards: Array) -> float:
    """The numbers of deals as `count` of `knowledge.py` has them, without working memory from outside."""
    if not deduce(facts, deck):
        return 0.0
    work = fitting_work(facts, deck)
    list_hands(facts, deck, work)
    return count_hands(facts, deck, possible, work, tensor, cards)


def fitting_work(facts: Array, deck: Deck) -> Any:
    """Working memory, as `Work` has it, with tables as large as these facts need."""
    players, everything = deck[0], (1 << deck_cards(deck)) - 1
    held = 0
    for q in range(players):
        held |= facts[q][HAS]
    unknown = bits(everything & ~held)
    most = 1
    for q in range(players):
        most = max(most, choose_from(bits(everything & ~held & ~facts[q][LACKS]), facts[q][SIZE] - bits(facts[q][HAS])))
    sets = choose_from(unknown, unknown // 2)
    return (
        np.zeros((players, most), np.int64), np.zeros((players, most), np.int64), np.zeros((players, most)),
        np.zeros(players, np.int64), np.zeros((4 * players - 8, (1 << unknown) + 1 >> 1)),
        np.zeros((2, sets), np.int64), np.zeros(most, np.int64), np.zeros((CHUNKS, 1 << CHUNK)),
        np.zeros(LAYOUT, np.int64),
    )  # fmt: skip


def choose_from(n: int, size: int) -> int:
    """The number of subsets of `size` elements of a set of `n`."""
    ways = 1
    for i in range(size):
        ways = ways * (n - i) // (i + 1)
    return ways
