"""Agents for Leodopoly: the strategies of Khan (2019), which are numbers in one heuristic, and ours."""

from collections.abc import Mapping

from parlor.agents.listing import Listing
from parlor.games.leodopoly.agents import named, strategy

AGENTS: Mapping[str, Listing] = {
    "strategy": strategy.LISTING,
    **named.LISTINGS,
}
