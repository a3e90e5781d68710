"""The effects of the cards of Chance and Community Chest."""

from __future__ import annotations

from parlor.game import State
from parlor.games.leodopoly.boards import SPACES
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
    REPAIRS,
    TO_JAIL,
)
from parlor.games.leodopoly.estate import HOTEL, KIND
from parlor.games.leodopoly.options import HOUSES, JAIL, PLAYERS
from parlor.games.leodopoly.state import BANK, RESOLVED
from parlor.games.leodopoly.turns.building import receive
from parlor.games.leodopoly.turns.debts import charge
from parlor.games.leodopoly.turns.jail import send_to_jail
from parlor.games.leodopoly.turns.landing import land, move_token
from parlor.games.leodopoly.turns.piles import AMOUNT, CARD, DOES, pile_here

PER_HOTEL = tuple(card.per_hotel for card in CARD)


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
