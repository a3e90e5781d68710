"""Agents for Goofspiel."""

from collections.abc import Mapping

from parlor.agents.agent import AgentSpec
from parlor.games.goofspiel.agents import matching

AGENTS: Mapping[str, AgentSpec] = {
    "matching": matching.SPEC,
}
