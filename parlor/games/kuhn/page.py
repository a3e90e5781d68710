"""Kuhn poker as JSON: payoffs are chips, reasons are given, and a strategy is a grid of cards."""

from __future__ import annotations

from parlor.server.displays.card_grid import card_grid, named_things
from parlor.server.displays.display import Display
from parlor.server.displays.poker import card_face_down, one_bet
from parlor.server.schemas.strategies import CardGrid

DISPLAY = Display(
    blocked=one_bet,
    hidden=card_face_down,
    unit="chips",
    strategy=card_grid(named_things("cards")),
    strategy_type=CardGrid,
    strategy_of="policy",
)
