"""Agents for Battleship."""

from collections.abc import Mapping

from parlor.agents.agent import AgentSpec
from parlor.games.battleship.agents import hunting

AGENTS: Mapping[str, AgentSpec] = {
    "hunting": hunting.SPEC,
}
