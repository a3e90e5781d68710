"""Hand-written agents for Monopoly Deal."""

from collections.abc import Mapping

from parlor.agents.agent import AgentSpec
from parlor.games.monopoly_deal.agents import careful, risk_aware

AGENTS: Mapping[str, AgentSpec] = {
    "risk-aware": risk_aware.SPEC,
    "careful": careful.SPEC,
}
