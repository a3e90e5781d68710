"""Agents for Liar's dice."""

from collections.abc import Mapping

from parlor.agents.agent import AgentSpec
from parlor.games.liars_dice.agents import counting

AGENTS: Mapping[str, AgentSpec] = {
    "counting": counting.SPEC,
}
