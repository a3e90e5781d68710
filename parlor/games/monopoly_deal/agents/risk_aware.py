"""RiskAware, the heuristic of Wolf (2025, appendix B) for Monopoly Deal.

A score for each intent, whatever the position: properties `exp(aT)` and cash `exp((1-a)T)`, with the aggressiveness a
between 0 and 1 and the temperature T; charging rent, refusing and paying `T/2`; passing, yielding and pointless
intents only if there is nothing else. Probabilities are the scores, each plus a millionth, divided by their sum.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent, seated
from parlor.game import Floats, Game, Ints
from parlor.game.parameters import Parameter
from parlor.games.monopoly_deal.intents import (
    ADD_TO_SET,
    CASH,
    COMPLETE_SET,
    DO_PASS,
    DO_YIELD,
    INTENTS,
    OTHER,
    START_SET,
)

RAISED = 1e-6


def score_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """In proportion to the scores of the intents."""
    scores = data[0]
    total = 0.0
    for i in range(n):
        out[i] = scores[moves[i]] + RAISED
        total += out[i]
    for i in range(n):
        out[i] /= total


def make(concrete: Game, name: str, aggressiveness: float, temperature: float) -> CompiledAgent:
    """With its two parameters."""
    scores = np.full(len(INTENTS), 0.5 * temperature)
    scores[[START_SET, ADD_TO_SET, COMPLETE_SET]] = math.exp(aggressiveness * temperature)
    scores[CASH] = math.exp((1.0 - aggressiveness) * temperature)
    scores[[DO_PASS, DO_YIELD, OTHER]] = 0.0
    return CompiledAgent(name, seated(concrete, "intent"), score_probabilities, lambda compiled: (scores,))


SPEC = AgentSpec(
    "the heuristic of Wolf (2025): properties before cash, or the other way round",
    make,
    ("monopoly-deal",),
    {
        "aggressiveness": Parameter(0.5, "property (1) against cash (0)", 0.0, 1.0),
        "temperature": Parameter(2.0, "how much that matters", 0.0, 50.0, log=True),
    },
    quick=True,
    name="Steady Stella",
    made="Written by hand: a fixed score for each kind of move (Wolf, 2025).",
)
