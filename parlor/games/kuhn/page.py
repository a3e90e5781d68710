"""Kuhn poker as JSON: payoffs are chips, reasons are given, and a strategy is a grid of cards."""

from __future__ import annotations

from parlor.page.card_grid import CardGrid, card_grid, named_things
from parlor.page.display import Display
from parlor.page.poker import card_face_down, one_bet

DISPLAY = Display(
    blocked=one_bet,
    hidden=card_face_down,
    unit="chips",
    strategy=card_grid(named_things("cards")),
    strategy_type=CardGrid,
    strategy_of="policy",
)
