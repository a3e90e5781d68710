"""Agents for Trade Comm."""

from collections.abc import Mapping

from parlor.agents.agent import AgentSpec
from parlor.games.trade_comm.agents import truthful

AGENTS: Mapping[str, AgentSpec] = {
    "truthful": truthful.SPEC,
}
