"""Hold'em as JSON: what a seat sees, facts about its agents' decisions, and blueprints as grids of hands."""

from __future__ import annotations

from parlor.games.holdem.page.facts import action_name, facts, hidden, reason, view
from parlor.games.holdem.page.grid import grid
from parlor.games.holdem.page.schemas import HoldemView, StrategyGrid
from parlor.page.display import Display
from parlor.page.poker import all_in

DISPLAY = Display(
    HoldemView,
    view,
    blocked=all_in,
    hidden=hidden,
    name=action_name,
    facts=facts,
    reason=reason,
    strategy=grid,
    strategy_type=StrategyGrid,
    strategy_of="blueprint",
    unit="chips",
)
