"""Which card to show: what helps the one who asks least."""

from __future__ import annotations

from typing import Any

from parlor.game import Floats, Ints, State
from parlor.games.clue.agents.table import cards_shown, first_show, kind_cards, kind_of
from parlor.games.clue.asked import asker_of, refuter_of, triple_asked
from parlor.games.clue.deduction.facts import bits, cards_of_triple, deck_cards

ANY, SEEN, ROOM, SHOWN, BELIEF = 0.0, 1.0, 2.0, 3.0, 4.0  # ways to show
SHOW_WORDS = ("any", "seen", "room", "shown", "belief")


def card_probabilities(s: State, p: int, moves: Ints, n: int, out: Floats, deck: Any, way: float, left: Any) -> None:
    """All on the best card, or on those that are equally good; `left`: cards of each kind the asker cannot place."""
    seen = cards_shown(s, p, s.actor)
    shown = cards_shown(s, p, -1)
    best, ties = -1.0, 0
    for i in range(n):
        card = int(moves[i]) - first_show(deck)
        score = 0.0
        if way >= SEEN and seen >> card & 1:
            score += 1000.0
        if way == SHOWN and shown >> card & 1:
            score += 100.0
        if way in (ROOM, SHOWN) and kind_of(card, deck) == 2:
            score += 10.0
        if way == BELIEF:
            score += left[kind_of(card, deck)]
        out[i] = score
        if score > best + 1e-9:
            best, ties = score, 0
        if score >= best - 1e-9:
            ties += 1
    for i in range(n):
        out[i] = 1.0 / ties if out[i] >= best - 1e-9 else 0.0


def expect_left(s: State, p: int, deck: Any, cards: Any, total: float, left: Any) -> None:
    """Estimate, for each kind, how many cards the asker cannot place: neither their own nor shown to them."""
    asker = s.actor
    for kind in range(3):
        left[kind] = float(deck[1 + kind] - bits(cards_shown(s, p, asker) & kind_cards(kind, deck)))
    for card in range(deck_cards(deck)):
        left[kind_of(card, deck)] -= cards[card][asker] / total
    for i in range(s.suggestions):
        refuter = refuter_of(s.asked[i])
        if asker_of(s.asked[i]) != asker or refuter < 0 or refuter == p:
            continue
        could = cards_of_triple(triple_asked(s.asked[i]), deck)
        whole = 0.0
        for card in range(deck_cards(deck)):
            if could >> card & 1:
                whole += cards[card][refuter]
        for card in range(deck_cards(deck)):
            if could >> card & 1 and whole > 0.0:
                left[kind_of(card, deck)] -= cards[card][refuter] / whole
