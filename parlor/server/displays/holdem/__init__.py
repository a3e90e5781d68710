"""Hold'em as JSON: what a seat sees, facts about its agents' decisions, and blueprints as grids of hands."""

from __future__ import annotations

from parlor.server.displays.display import Display
from parlor.server.displays.holdem.facts import action_name, facts, hidden, view
from parlor.server.displays.holdem.grid import grid
from parlor.server.displays.holdem.schemas import HoldemView, StrategyGrid
from parlor.server.displays.poker import all_in

DISPLAY = Display(
    HoldemView,
    view,
    blocked=all_in,
    hidden=hidden,
    name=action_name,
    facts=facts,
    strategy=grid,
    strategy_type=StrategyGrid,
)
