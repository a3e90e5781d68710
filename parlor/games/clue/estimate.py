"""A quick estimate of where every card is, for games that are played by the thousand while a strategy is trained.

It is a probability for each card and each place it can be in, without the deals themselves: what is certain stays
certain, and the rest is made to agree, in a few rounds, with the sizes of hands, with one card of each kind in the
file, and with what was shown unseen. This is loopy belief propagation over sums (Sinkhorn's scaling) and clauses. It
takes some microseconds, where counting deals takes a hundred times as long; `knowledge.py` counts them.

With `trust`, a player is taken to suggest mostly cards that it neither holds nor has seen: a card that it suggests is
unlikely to be its own, or to have been shown to it before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.compile.kernel import FloatArray, IntArray
from parlor.game import State
from parlor.games.clue.asked import asker_of, refuter_of, triple_asked
from parlor.games.clue.options import ACCUSATIONS, CARDS, PLAYERS, SUSPECTS, WEAPONS
from parlor.games.clue.rules import FILE, count_bits, hand_size, triple_cards

PLACES = PLAYERS + 1  # where a card can be: with a player, or in the file
ROUNDS = 5
EXCEPTIONS = 0.1  # how likely somebody is to suggest a card of their own, compared with others
MIN_PROBABILITY = 0.02  # the smallest probability that a clause is divided by


def estimate(s: State, p: int, trust: bool, chances: Any) -> None:
    """Fill `chances`, card by card: the probability of each place, as player `p` sees the game."""
    has = np.zeros(PLACES, np.int64)
    lacks = np.zeros(PLACES, np.int64)
    suggested = np.zeros(PLACES, np.int64)
    clauses = np.zeros(2 * s.suggestions + 2, np.int64)  # seats and sets of cards: each has one of them at least
    count = gather(s, p, trust, has, lacks, suggested, clauses)
    known = deduce(s, p, has, lacks, clauses, count)
    factors = np.ones(CARDS * PLACES)  # of clauses
    scale = np.ones(PLAYERS + 3)  # of hands, and of each kind in the file
    sums = np.zeros(PLAYERS + 3)
    for turn in range(ROUNDS):
        for i in range(PLAYERS + 3):
            sums[i] = 0.0
        for card in range(CARDS):
            begin = card * PLACES
            kind = PLAYERS + (0 if card < SUSPECTS else 1 if card < SUSPECTS + WEAPONS else 2)
            if known >> card & 1:
                for q in range(PLACES):
                    chances[begin + q] = 1.0 if has[q] >> card & 1 else 0.0
                continue
            total = scale[kind]
            chances[begin + FILE] = total
            for q in range(PLAYERS):
                weight = 0.0
                if lacks[q] >> card & 1 == 0:
                    weight = scale[q] * factors[begin + q]
                    if suggested[q] >> card & 1:
                        weight *= EXCEPTIONS
                chances[begin + q] = weight
                total += weight
            for q in range(PLACES):
                chances[begin + q] /= total
                sums[q if q < PLAYERS else kind] += chances[begin + q]
        if turn < ROUNDS - 1:
            for q in range(PLAYERS):
                need = hand_size(s, q) - count_bits(has[q])
                if q != p and sums[q] > 0.0:
                    scale[q] *= max(need, 0.01) / sums[q]
            for kind in range(PLAYERS, PLAYERS + 3):
                if sums[kind] > 0.0:
                    scale[kind] /= sums[kind]
            apply_clauses(has, lacks, clauses, count, chances, factors)


def gather(
    s: State, p: int, trust: bool, has: IntArray, lacks: IntArray, suggested: IntArray, clauses: IntArray
) -> int:
    """Collect the cards that everybody has, lacks and has suggested, and the clauses; return the number of clauses."""
    has[p] = s.hand[p]
    lacks[p] = (1 << CARDS) - 1 & ~s.hand[p]
    count = 0
    for back in range(s.suggestions):
        i = s.suggestions - 1 - back
        asker = asker_of(s.asked[i])
        refuter = refuter_of(s.asked[i])
        cards = triple_cards(triple_asked(s.asked[i]))
        for distance in range(1, PLAYERS):
            seat = (asker + distance) % PLAYERS
            if seat == refuter:
                break
            lacks[seat] |= cards
        shower = -1
        held = cards
        if refuter < 0:
            if not ACCUSATIONS and asker != p:
                shower = asker  # the cards were not those of the file, and nobody else had one
        elif asker == p:
            if s.shown[p][i]:
                has[refuter] |= 1 << s.shown[p][i] - 1
        elif refuter != p:
            shower = refuter
            if trust and cards & ~suggested[asker]:
                held = cards & ~suggested[asker]  # the asker did not suggest it again
        if shower >= 0:
            clauses[2 * count] = shower
            clauses[2 * count + 1] = held
            count += 1
        if asker != p and trust:
            suggested[asker] |= cards
    return count


def deduce(s: State, p: int, has: Any, lacks: Any, clauses: Any, count: int) -> int:
    """Add what follows from clauses with one card left; returns the cards of which it is known who has them."""
    known = 0
    for _ in range(2):
        known = 0
        for q in range(PLAYERS):
            known |= has[q]
        for q in range(PLAYERS):
            lacks[q] |= known & ~has[q]
        for i in range(count):
            q = clauses[2 * i]
            left = clauses[2 * i + 1] & ~lacks[q]
            if left and left & left - 1 == 0 and count_bits(has[q] | left) <= hand_size(s, q):
                has[q] |= left
    known = 0
    for q in range(PLAYERS):
        known |= has[q]
    for q in range(PLAYERS):
        lacks[q] |= known & ~has[q]
    return known


def apply_clauses(
    has: IntArray, lacks: IntArray, clauses: IntArray, count: int, chances: FloatArray, factors: FloatArray
) -> None:
    """Make cards likelier of which one must be there: divide by the probability that another of them is."""
    for i in range(CARDS * PLACES):
        factors[i] = 1.0
    for i in range(count):
        q = clauses[2 * i]
        cards = clauses[2 * i + 1] & ~lacks[q]
        if cards & has[q]:
            continue
        nobody = 1.0
        left = cards
        for card in range(CARDS):
            if left >> card & 1:
                nobody *= 1.0 - min(chances[card * PLACES + q], 0.99)
        for card in range(CARDS):
            if left >> card & 1:
                others = 1.0 - nobody / (1.0 - min(chances[card * PLACES + q], 0.99))
                factors[card * PLACES + q] /= max(others, MIN_PROBABILITY)
