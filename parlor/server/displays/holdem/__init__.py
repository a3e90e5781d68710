"""Hold'em as JSON: what its agents go by, and blueprints as grids of hands."""

from __future__ import annotations

from parlor.server.displays.display import Display
from parlor.server.displays.holdem.facts import action_name, facts, hidden
from parlor.server.displays.holdem.grid import grid
from parlor.server.displays.holdem.schemas import StrategyGrid

DISPLAY = Display(hidden=hidden, name=action_name, facts=facts, strategy=grid, strategy_type=StrategyGrid)
