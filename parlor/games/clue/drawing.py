"""Draw a deal that fits the facts, all of them equally likely, without working memory from outside."""

from __future__ import annotations

import numpy as np

from parlor.game import Ints
from parlor.games.clue.facts import (
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
from parlor.games.clue.knowledge import CHUNK, CHUNKS, LAYOUT, draw_deal, fold_hands, list_hands
from parlor.rng import below

TRIES = 200  # shuffles, before tables are made


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
    held = n = 0
    for q in range(players):
        hands[q] = facts[q][HAS]
        held |= facts[q][HAS]
    for triple in range(deck_triples(deck)):
        if possible[triple] > 0.0 and cards_of_triple(triple, deck) & held == 0:
            n += 1
    drawn = below(r, n)
    for triple in range(deck_triples(deck)):
        if possible[triple] > 0.0 and cards_of_triple(triple, deck) & held == 0:
            if drawn == 0:
                hands[players] = cards_of_triple(triple, deck)
                break
            drawn -= 1
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
    """By counting; the tables are as large as these facts need."""
    players, everything = deck[0], (1 << deck_cards(deck)) - 1
    held = 0
    for q in range(players):
        held |= facts[q][HAS]
    unknown = bits(everything & ~held)
    most = 1
    for q in range(players):
        most = max(most, choose_from(bits(everything & ~held & ~facts[q][LACKS]), facts[q][SIZE] - bits(facts[q][HAS])))
    sets = choose_from(unknown, unknown // 2)
    work = (
        np.zeros((players, most), np.int64), np.zeros((players, most), np.int64), np.zeros((players, most)),
        np.zeros(players, np.int64), np.zeros((4 * players - 8, 1 << unknown)), np.zeros((2, sets), np.int64),
        np.zeros(most, np.int64), np.zeros((CHUNKS, 1 << CHUNK)), np.zeros(LAYOUT, np.int64),
    )  # fmt: skip
    list_hands(facts, deck, work)
    total = fold_hands(deck, possible, work, np.zeros(deck_triples(deck)))
    triple = draw_deal(deck, facts, possible, work, total, r, hands)
    hands[players] = cards_of_triple(triple, deck)


def choose_from(n: int, size: int) -> int:
    """How many sets of `size` there are among `n`."""
    ways = 1
    for i in range(size):
        ways = ways * (n - i) // (i + 1)
    return ways
