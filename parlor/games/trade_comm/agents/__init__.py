"""Agents for Trade Comm."""

from collections.abc import Mapping

from parlor.agents.listing import Listing
from parlor.games.trade_comm.agents import truthful

AGENTS: Mapping[str, Listing] = {
    "truthful": truthful.LISTING,
}
