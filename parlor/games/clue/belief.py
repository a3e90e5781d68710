"""The posterior over deals by the rules alone: every deal that fits what the player has seen is equally likely.

A deal is drawn by shuffling the unknown cards until it fits; if that takes long, because much is known, from the tables
of `knowledge.py`, which are small then. Both are exact, so it does not matter which one found it. Cards that
others have shown each other are drawn among those they could have shown.
"""

from __future__ import annotations

import numpy as np

from parlor.compile import AlwaysCompiled
from parlor.game import Ints, State
from parlor.game.rng import below
from parlor.games.clue.asked import asker_of, refuter_of, triple_asked
from parlor.games.clue.deduction.drawing import draw_fitting
from parlor.games.clue.deduction.facts import FIRST, gather
from parlor.games.clue.options import ACCUSATIONS, CAP, CARDS, PLAYERS, ROOMS, SUSPECTS, TRIPLES, WEAPONS
from parlor.games.clue.rules import count_bits, triple_cards

COLUMNS = FIRST + CAP
draw = AlwaysCompiled(draw_fitting)


def imagine(s: State, p: int, r: Ints) -> None:
    """Deal the cards that player `p` does not see again, and show others' cards again."""
    if s.first == 0:
        return
    deck = np.array((PLAYERS, SUSPECTS, WEAPONS, ROOMS, 1 if ACCUSATIONS else 0))
    facts, possible = np.zeros((PLAYERS, COLUMNS), np.int64), np.zeros(TRIPLES)
    hands, stream = np.zeros(PLAYERS + 1, np.int64), np.zeros(4, np.int64)
    gather(s, p, deck, facts, possible)
    for i in range(4):
        stream[i] = r[i]
    draw(facts, possible, deck, s.dealt == CARDS, stream, hands)
    for i in range(4):
        r[i] = int(stream[i])
    dealt = (1 << s.dealt) - 1
    for q in range(PLAYERS):
        if q != p:
            s.hand[q] = int(hands[q]) & dealt
    s.file = int(hands[PLAYERS]) & dealt
    for i in range(s.suggestions):
        asker, refuter = asker_of(s.asked[i]), refuter_of(s.asked[i])
        pending = s.answering > 0 and i == s.suggestions - 1
        if refuter >= 0 and not pending and p != asker and p != refuter:
            card = drawn_card(s.hand[refuter] & triple_cards(triple_asked(s.asked[i])), r)
            s.shown[asker][i] = card + 1
            s.shown[refuter][i] = card + 1


def drawn_card(cards: int, r: Ints) -> int:
    """One of a set of cards."""
    left = below(r, count_bits(cards))
    card = 0
    while True:
        if cards >> card & 1:
            if left == 0:
                return card
            left -= 1
        card += 1
