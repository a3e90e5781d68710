"""What a player may believe: every card it has not seen is as likely to be in the other's hand as any other.

That is all there is to know from the cards alone; what the other's moves say about its hand is left out. So is what
the other has seen in the world that is imagined (`seen`): policies that remember the whole game cannot be played there.
"""

from __future__ import annotations

from parlor.game import Ints, State
from parlor.games.monopoly_deal.cards import KINDS
from parlor.rng import below


def imagine(s: State, p: int, r: Ints) -> None:
    """Shuffle the other's hand into the deck and deal it again."""
    other = 1 - p
    s.seen[other] = 0  # nobody knows what it has seen
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
    """In an imagined world, what the others remember is not known either."""
    for other in range(2):
        if other != player:
            state.seen[other] = 0
