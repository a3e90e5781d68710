"""Random: every legal action alike, whatever the position. The floor that everything else must clear."""

from __future__ import annotations

import numpy as np

from parlor.agents.agent import CompiledAgent, seated
from parlor.agents.policy_table import weigh_row
from parlor.game import Game

#: The abstraction whose actions are drawn, by game: in Monopoly Deal intents, as in the paper.
USUAL = {"monopoly-deal": "intent"}
NO_ROWS = (np.zeros(0, np.int64), np.zeros(1, np.int64), np.zeros(0))  # a table that knows nothing plays all alike


def make(concrete: Game, name: str, abstraction: str) -> CompiledAgent:
    """`abstraction` is a name, `none` for concrete moves, `usual` for what is usual in the game."""
    if abstraction == "usual":
        abstraction = USUAL.get(concrete.name.partition("(")[0], "none")
    return CompiledAgent(
        name, seated(concrete, "" if abstraction == "none" else abstraction), weigh_row, lambda compiled: NO_ROWS
    )
