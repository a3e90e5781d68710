"""Chance and Community Chest: cards are drawn until a pile is used up, which is then shuffled.

The order of a pile is drawn by chance, a card at a time, so that nothing is hidden. A card to get out of jail is kept;
after it has been used, it goes back when its pile is shuffled.
"""

from __future__ import annotations

from parlor.game import Floats, State
from parlor.games.leodopoly.boards import CHANCE_SPACE, SPACES
from parlor.games.leodopoly.building import receive
from parlor.games.leodopoly.debts import charge
from parlor.games.leodopoly.decks import (
    ADVANCE,
    BACK,
    COLLECT,
    COLLECT_EACH,
    LARGEST,
    NEAREST,
    PARDON,
    PAY,
    PAY_EACH,
    PILES,
    REPAIRS,
    TO_JAIL,
    Card,
)
from parlor.games.leodopoly.estate import HOTEL, KIND
from parlor.games.leodopoly.jail import send_to_jail
from parlor.games.leodopoly.landing import land, move_token
from parlor.games.leodopoly.options import HOUSES, JAIL, PLAYERS
from parlor.games.leodopoly.state import BANK, RESOLVED

SIZE = tuple(len(pile) for pile in PILES)
NONE = Card("", -1)
#: The cards of both piles by number, so many numbers to a pile.
CARD = tuple(pile[c] if c < len(pile) else NONE for pile in PILES for c in range(LARGEST))
DOES = tuple(card.does for card in CARD)
AMOUNT = tuple(card.amount for card in CARD)
PER_HOTEL = tuple(card.per_hotel for card in CARD)


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


def card_odds(s: State, out: Floats) -> int:
    """Each card of the pile is as likely."""
    pile = pile_here(s)
    left = 0
    for c in range(SIZE[pile]):
        left += s.pile[pile] >> c & 1
    for c in range(SIZE[pile]):
        out[c] = 1.0 / left if s.pile[pile] >> c & 1 else 0.0
    return SIZE[pile]


def draw_card(s: State, c: int) -> None:
    """Do what it says."""
    p, pile = s.actor, pile_here(s)
    s.pile[pile] &= ~(1 << c)
    card = pile * LARGEST + c
    s.card = card + 1
    does, amount = DOES[card], AMOUNT[card]
    s.phase = RESOLVED
    if JAIL and does == PARDON:
        s.pardon[pile] = p + 1
    if s.pile[pile] == 0:
        shuffle(s, pile)
    if JAIL and does == TO_JAIL:
        send_to_jail(s, p)
    elif does == ADVANCE:
        move_token(s, (amount - s.position[p] - 1) % SPACES + 1)
    elif does == NEAREST:
        advance_to_nearest(s, amount)
    elif does == BACK:
        s.position[p] = (s.position[p] - amount) % SPACES
        land(s, s.position[p], False)
    elif does == COLLECT:
        receive(s, p, amount)
    elif does == PAY:
        charge(s, 1 << p, 1 << BANK, amount)
    elif does == PAY_EACH:
        charge(s, 1 << p, others(s, p), amount)
    elif does == COLLECT_EACH:
        charge(s, others(s, p), 1 << p, amount)
    elif HOUSES and does == REPAIRS:
        charge(s, 1 << p, 1 << BANK, repairs(s, p, amount, PER_HOTEL[card]))


def advance_to_nearest(s: State, kind: int) -> None:
    """Forward to a station or a utility, where the rent is higher."""
    p, steps = s.actor, 1
    while KIND[(s.position[p] + steps) % SPACES] != kind:
        steps += 1
    move_token(s, steps, True)


def others(s: State, p: int) -> int:
    """Everybody else who is not bankrupt, a bit each."""
    return ((1 << PLAYERS) - 1) & ~s.gone & ~(1 << p)


def repairs(s: State, p: int, per_house: int, per_hotel: int) -> int:
    """For all houses and hotels of a player."""
    total = 0
    for k in range(SPACES):
        if s.owner[k] == p + 1:
            total += per_hotel if s.level[k] == HOTEL else per_house * s.level[k]
    return total
