"""Agents for Colored Trails."""

from collections.abc import Mapping

from parlor.agents.listing import Listing
from parlor.games.colored_trails.agents import traders

AGENTS: Mapping[str, Listing] = {
    "fair-trader": traders.FAIR_TRADER,
    "greedy-trader": traders.GREEDY_TRADER,
    "generous-trader": traders.GENEROUS_TRADER,
}
