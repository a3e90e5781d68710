"""Matching: bids the card that has the same place in its hand as the prize has among the prizes left, or one near it.

To bid exactly that card could be foreseen, and beaten by one more each time. So it is drawn: cards a little above are
likely, cards further away less so, and the lowest card, which gives the prize up, has a chance of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.game import Floats, Game, Ints
from parlor.game.parameters import Parameter

SHIFT, SPREAD, GIVE_UP = 0, 1, 2
VALUES = {
    "shift": Parameter(1.0, "how many places above the matching card it bids", -2.0, 4.0, internal=True),
    "spread": Parameter(1.2, "how far its bids scatter", 0.2, 5.0, internal=True),
    "give_up": Parameter(0.2, "how often it gives the prize up", 0.0, 1.0, internal=True),
}


def matching_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """By the distance from the card that matches the prize."""
    s = states[g]
    value = data[0]
    place = 0  # of the prize among those left
    for prize in range(s.prize - 1):
        place += s.left >> prize & 1
    total = 0.0
    for i in range(n):
        far = abs(i - place - value[SHIFT]) / value[SPREAD]
        out[i] = np.exp(-far * far)
        total += out[i]
    give_up = value[GIVE_UP]
    for i in range(n):
        out[i] *= (1.0 - give_up) / total
    out[0] += give_up


def make(concrete: Game, name: str, **values: float) -> CompiledAgent:
    """With the values above, or others."""
    numbers = np.array([values.get(key, setting.default) for key, setting in VALUES.items()], np.float64)
    return CompiledAgent(name, concrete, matching_probabilities, lambda compiled: (numbers,))


SPEC = AgentSpec(
    "bids about as high in its hand as the prize is among those left",
    make,
    ("goofspiel",),
    VALUES,
    quick=True,
    name="Matching Mia",
    made="Written by hand; how far its bids scatter was tuned against solved games of four to six cards.",
)
