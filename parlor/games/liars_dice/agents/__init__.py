"""Agents for Liar's dice."""

from collections.abc import Mapping

from parlor.agents.listing import Listing
from parlor.games.liars_dice.agents import counting

AGENTS: Mapping[str, Listing] = {
    "counting": counting.LISTING,
}
