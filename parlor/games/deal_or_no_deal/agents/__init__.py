"""Agents of Deal or No Deal."""

from collections.abc import Mapping

from parlor.agents.agent import AgentSpec
from parlor.agents.behaviour import Behaviour
from parlor.games.deal_or_no_deal.agents import bargainer, people

AGENTS: Mapping[str, AgentSpec] = {
    **bargainer.SPECS,
}

PEOPLE: Behaviour = people.BEHAVIOUR
