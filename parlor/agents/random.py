"""Random: every legal action with the same probability. The baseline for everything else."""

from __future__ import annotations

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent, seated
from parlor.agents.policy_table import row_probabilities
from parlor.game import Game
from parlor.game.parameters import Parameter

NO_ROWS = (np.zeros(0, np.int64), np.zeros(1, np.int64), np.zeros(0))  # an empty table plays uniformly


def make(concrete: Game, name: str, abstraction: str) -> CompiledAgent:
    """`abstraction` is a name, `none` for concrete moves, `usual` for the game's usual one."""
    if abstraction == "usual":
        abstraction = concrete.training.default_abstraction or "none"
    return CompiledAgent(
        name,
        seated(concrete, "" if abstraction == "none" else abstraction),
        row_probabilities,
        lambda compiled: NO_ROWS,
    )


SPEC = AgentSpec(
    "plays every legal action with the same probability",
    make,
    settings={
        "abstraction": Parameter("usual", "whose actions it draws: a name, none for the concrete moves, or usual"),
    },
    quick=True,
    name="Random",
    default_opponent=False,
    made="Needs no making: it draws a legal move.",
)
