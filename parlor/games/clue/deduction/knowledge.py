"""Counting the possible deals, those with each card at each player, and those with each triple in the file: exactly.

Model counting without a SAT solver. Every other player has a list of possible hands, bit masks over the cards whose
place is unknown. Two groups of players are made; the hands of a group are joined, one player after the other, into a
table by the cards they take together; then, for all that the first group can take and every triple left in the file,
the second group takes the rest. Going back through the tables gives everybody's cards, and drawing from them a deal.

    gather(s, p, deck, facts, possible)                  what player p has seen, see `facts.py`
    count(facts, deck, possible, work, tensor, cards)    fills both with numbers of deals; returns how many there are
    draw_deal(deck, facts, possible, work, total, r, hands)    afterwards: one of these deals, all equally likely

The posterior under a model of the others: call `list_hands`, multiply `work.weights[q][i]`, the weight of the hand
`work.hands[q][i]` of player q, by how likely that hand makes what q did, and call `count_hands`. `possible` is the
prior of the file. Then weights take the place of numbers of deals everywhere.

Everything is exact: whole numbers below 2**53 are added, as floats. All working memory comes in, so that nothing is
allocated in compiled agents. One hand must be known, that of the player who counts.
"""

from __future__ import annotations

from typing import Any

from parlor.games.clue.deduction.facts import Array, Deck
from parlor.games.clue.deduction.hands import list_hands
from parlor.games.clue.deduction.tables import fold_hands, share_cards


def count(facts: Array, deck: Deck, possible: Array, work: Any, tensor: Array, cards: Array) -> float:
    """The number of deals that fit; by triple in the file (`tensor`), by card and player or, last, file (`cards`)."""
    list_hands(facts, deck, work)
    return count_hands(facts, deck, possible, work, tensor, cards)


def count_hands(facts: Array, deck: Deck, possible: Array, work: Any, tensor: Array, cards: Array) -> float:
    """The same, by the weights of hands in `work`."""
    total = fold_hands(deck, possible, work, tensor)
    share_cards(facts, deck, work, tensor, cards, total)
    return total
