"""Agents for Colored Trails."""

from collections.abc import Mapping

from parlor.agents.agent import AgentSpec
from parlor.games.colored_trails.agents import traders

AGENTS: Mapping[str, AgentSpec] = {
    "fair-trader": traders.FAIR_TRADER,
    "greedy-trader": traders.GREEDY_TRADER,
    "generous-trader": traders.GENEROUS_TRADER,
}
