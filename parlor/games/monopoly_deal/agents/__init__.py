"""Hand-written agents for Monopoly Deal."""

from collections.abc import Mapping

from parlor.agents.listing import Listing
from parlor.games.monopoly_deal.agents import careful, risk_aware

AGENTS: Mapping[str, Listing] = {
    "risk-aware": risk_aware.LISTING,
    "careful": careful.LISTING,
}
