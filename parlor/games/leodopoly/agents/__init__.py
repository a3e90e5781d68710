"""Agents for Leodopoly: the strategies of Khan (2019), which are numbers in one heuristic, and ours."""

from collections.abc import Mapping

from parlor.agents.agent import AgentSpec
from parlor.games.leodopoly.agents import named, strategy

AGENTS: Mapping[str, AgentSpec] = {
    "strategy": strategy.SPEC,
    **named.SPECS,
}
