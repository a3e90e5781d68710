"""Rent: the other player owes what the charger's properties of one colour bring."""

from __future__ import annotations

from parlor.game import State
from parlor.games.monopoly_deal.cards import RENT, RENTS, SET_SIZE


def rent_due(s: State, p: int, card: int) -> int:
    """By the number owned, a complete set at most; nothing without a property."""
    colour = card - RENT
    owned = min(s.property[p][colour], SET_SIZE[colour])
    return RENTS[colour][owned - 1] if owned > 0 else 0
