"""Agents for Goofspiel."""

from collections.abc import Mapping

from parlor.agents.listing import Listing
from parlor.games.goofspiel.agents import matching

AGENTS: Mapping[str, Listing] = {
    "matching": matching.LISTING,
}
