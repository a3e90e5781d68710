"""Agents for hold'em: those of Mendes da Luz (*Poker AI*, 2025), and more sensible ones."""

from collections.abc import Mapping

from parlor.agents.listing import Listing
from parlor.games.holdem.agents import blueprint, card_blind, cfr, endgame, monte_carlo, rule_based, simple
from parlor.poker.blueprint import Blueprint

AGENTS: Mapping[str, Listing] = {
    "fish": simple.FISH,
    "honest": monte_carlo.HONEST,
    "wild": simple.WILD,
    "card-blind": card_blind.LISTING,
    "rule-based": rule_based.LISTING,
    "monte-carlo": monte_carlo.LISTING,
    "cfr-v1": cfr.CFR_V1,
    "cfr-v2": cfr.CFR_V2,
    "endgame": endgame.LISTING,
}

SEATS = {Blueprint.kind: blueprint.make}
