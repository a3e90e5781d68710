"""Agents for hold'em: those of Mendes da Luz (*Poker AI*, 2025), and more sensible ones."""

from collections.abc import Mapping

from parlor.agents.agent import AgentSpec
from parlor.games.holdem.agents import blueprint, card_blind, cfr, endgame, monte_carlo, rule_based, simple
from parlor.poker.blueprint import Blueprint

AGENTS: Mapping[str, AgentSpec] = {
    "fish": simple.FISH,
    "honest": monte_carlo.HONEST,
    "wild": simple.WILD,
    "card-blind": card_blind.SPEC,
    "rule-based": rule_based.SPEC,
    "monte-carlo": monte_carlo.SPEC,
    "cfr-v1": cfr.CFR_V1,
    "cfr-v2": cfr.CFR_V2,
    "endgame": endgame.SPEC,
}

SEATS = {Blueprint.kind: blueprint.make}
