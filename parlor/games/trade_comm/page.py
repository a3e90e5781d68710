"""Trade Comm as JSON: as every game; a strategy is a grid of items."""

from __future__ import annotations

from typing import Any

from parlor.page.card_grid import CardGrid, card_grid, named_things
from parlor.page.display import Display


def hidden(seen: Any) -> str:
    """Text for the deal: the own item is on the table."""
    return "everybody gets an item, which nobody else sees"


DISPLAY = Display(
    hidden=hidden,
    secret_move="a trade you do not see",
    strategy=card_grid(named_things("item")),
    strategy_type=CardGrid,
    strategy_of="policy",
)
