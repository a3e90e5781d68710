"""Kuhn poker as JSON: payoffs are chips, and a strategy is a grid of cards."""

from __future__ import annotations

from parlor.server.displays.card_grid import card_grid, named_things
from parlor.server.displays.display import Display
from parlor.server.schemas.strategies import CardGrid

DISPLAY = Display(unit="chips", strategy=card_grid(named_things("cards")), strategy_type=CardGrid, strategy_of="policy")
