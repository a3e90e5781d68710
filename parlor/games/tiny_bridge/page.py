"""Tiny Bridge as JSON: reasons are given, and a strategy is a grid of hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parlor.games.tiny_bridge.rules import BIDS, CALL_NAMES
from parlor.page.card_grid import CardGrid, card_grid, named_things
from parlor.page.display import Display
from parlor.page.shapes import BlockedMove, LegalMove

# Of the rules only what no option changes is imported: this module serves games of two and of four players.


def blocked(seen: Any, legal: Sequence[LegalMove]) -> list[BlockedMove]:
    """Bids that are too low, and what cannot be doubled."""
    made = [call - 1 for call in seen.calls[: seen.made]]
    bids = [call for call in made if 1 <= call <= BIDS]
    able = {move.verb for move in legal}
    found = [BlockedMove(verb="bid", reason=f"a bid must be higher than {CALL_NAMES[bids[-1]]}")] if bids else []
    doubles = (("double", "only a bid of the opponents can be doubled"), ("redouble", "only a double can be redoubled"))
    told = [BlockedMove(verb=verb, reason=why) for verb, why in doubles if verb not in able]
    return found + (told if len(seen.calls) > BIDS + 2 else [])  # with two players nobody doubles


def hidden(seen: Any) -> str:
    """Text for a hand of somebody else."""
    return "two cards you do not see"


DISPLAY = Display(
    blocked=blocked,
    hidden=hidden,
    strategy=card_grid(named_things("cards")),
    strategy_type=CardGrid,
    strategy_of="policy",
)
