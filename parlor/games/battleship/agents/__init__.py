"""Agents for Battleship."""

from collections.abc import Mapping

from parlor.agents.listing import Listing
from parlor.games.battleship.agents import hunting

AGENTS: Mapping[str, Listing] = {
    "hunting": hunting.LISTING,
}
