"""Liar's dice as JSON: reasons are given, and a strategy is a grid of one's dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parlor.games.liars_dice.rules import NUMBERS
from parlor.page.card_grid import CardGrid, card_grid, named_things
from parlor.page.display import Display
from parlor.page.shapes import BlockedMove, LegalMove


def blocked(seen: Any, legal: Sequence[LegalMove]) -> list[BlockedMove]:
    """Bids that are too low, and calling when there is nothing to call."""
    if seen.last == 0:
        return [BlockedMove(verb="liar", reason="there is no bid yet")]
    bid, faces = seen.last - 1, len(seen.dice)
    standing = f"{NUMBERS[bid // faces + 1]} × {bid % faces + 1}"
    return [BlockedMove(verb="bid", reason=f"a bid must be higher than {standing}")]


def hidden(seen: Any) -> str:
    """Text for a die of the other."""
    return "a die you do not see"


DISPLAY = Display(
    blocked=blocked,
    hidden=hidden,
    strategy=card_grid(named_things("dice")),
    strategy_type=CardGrid,
    strategy_of="policy",
    offered={"dice": "5"},
    research={"One die each, as it is solved": {}},
)
