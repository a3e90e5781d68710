"""Liar's dice as JSON: a strategy is a grid of one's dice."""

from __future__ import annotations

from parlor.server.displays.card_grid import card_grid, named_things
from parlor.server.displays.display import Display
from parlor.server.schemas.strategies import CardGrid

DISPLAY = Display(strategy=card_grid(named_things("dice")), strategy_type=CardGrid, strategy_of="policy")
