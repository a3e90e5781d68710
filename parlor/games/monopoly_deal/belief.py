"""Sampling hidden cards: every unseen card is equally likely to be in the other's hand.

This uses the cards alone; what the other's moves say about its hand is ignored. So is what
the other has seen in the imagined world (`seen`): policies that use the whole history cannot be played there.
"""

from __future__ import annotations

from parlor.game import Ints, State
from parlor.game.rng import below
from parlor.games.monopoly_deal.cards import KINDS


def imagine(s: State, p: int, r: Ints) -> None:
    """Shuffle the other's hand into the deck and deal it again."""
    other = 1 - p
    s.seen[other] = 0  # what the other has seen is not known
    unseen = s.left + s.held[other]
    for kind in range(KINDS):
        s.deck[kind] += s.hand[other][kind]
        s.hand[other][kind] = 0
    for _ in range(s.held[other]):
        card = below(r, unseen)
        kind = 0
        while card >= s.deck[kind]:
            card -= s.deck[kind]
            kind += 1
        s.deck[kind] -= 1
        s.hand[other][kind] += 1
        unseen -= 1


def forget(state: State, player: int) -> None:
    """Clear what the others remember, which is not known in an imagined world either."""
    for other in range(2):
        if other != player:
            state.seen[other] = 0
