"""The piles of Chance and Community Chest: cards are drawn until a pile is used up, which is then shuffled.

The order of a pile is drawn by chance, a card at a time, so that nothing is hidden. A card to get out of jail is kept;
after it has been used, it goes back when its pile is shuffled.
"""

from __future__ import annotations

from parlor.game import Floats, State
from parlor.games.leodopoly.boards import CHANCE_SPACE
from parlor.games.leodopoly.decks import LARGEST, PARDON, PILES, Card
from parlor.games.leodopoly.estate import KIND
from parlor.games.leodopoly.options import JAIL
from parlor.games.leodopoly.state import DRAWING

SIZE = tuple(len(pile) for pile in PILES)
NONE = Card("", -1)
#: The cards of both piles by number, so many numbers to a pile.
CARD = tuple(pile[c] if c < len(pile) else NONE for pile in PILES for c in range(LARGEST))
DOES = tuple(card.does for card in CARD)
AMOUNT = tuple(card.amount for card in CARD)


def shuffle(s: State, pile: int) -> None:
    """All cards are in the pile again, except for one that somebody keeps."""
    s.pile[pile] = (1 << SIZE[pile]) - 1
    if JAIL:
        for c in range(SIZE[pile]):
            if DOES[pile * LARGEST + c] == PARDON and s.pardon[pile]:
                s.pile[pile] &= ~(1 << c)


def pile_here(s: State) -> int:
    """The pile of the space where the player in turn is."""
    return 0 if KIND[s.position[s.actor]] == CHANCE_SPACE else 1


def ask_for_card(s: State) -> None:
    """A pile that is used up is shuffled first."""
    pile = pile_here(s)
    if s.pile[pile] == 0:
        shuffle(s, pile)
    s.phase = DRAWING


def card_odds(s: State, out: Floats) -> int:
    """Each card of the pile is as likely."""
    pile = pile_here(s)
    left = 0
    for c in range(SIZE[pile]):
        left += s.pile[pile] >> c & 1
    for c in range(SIZE[pile]):
        out[c] = 1.0 / left if s.pile[pile] >> c & 1 else 0.0
    return SIZE[pile]
