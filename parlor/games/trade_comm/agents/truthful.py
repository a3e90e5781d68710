"""Truthful: says what it has, believes what it hears, and asks for that trade.

Two of them always trade. Any other convention, a word for each item, is as good, but the partner has to know it.
"""

from __future__ import annotations

from typing import Any

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.game import Floats, Game, Ints


def truthful_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The word of its item; then its item for the word it has heard."""
    s = states[g]
    items = data[0]
    chosen = s.item[p] - 1
    if n > items:
        chosen = (s.item[p] - 1) * items + s.said[1 - p] - 1
    for i in range(n):
        out[i] = 1.0 if i == chosen else 0.0


def make(concrete: Game, name: str) -> CompiledAgent:
    """For any number of items."""
    items = int(concrete.options["items"])
    return CompiledAgent(name, concrete, truthful_probabilities, lambda compiled: (items,))


SPEC = AgentSpec(
    "says what it has and believes what it hears",
    make,
    ("trade-comm",),
    quick=True,
    name="Truthful Tess",
)
