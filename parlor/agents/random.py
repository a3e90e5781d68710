"""Random: every legal action alike, whatever the position. The floor that everything else must clear."""

from __future__ import annotations

from typing import Any

from parlor.agents.agent import Agent, alike, seated
from parlor.game import Floats, Game, Ints

#: The abstraction whose actions are drawn, by game: in Monopoly Deal intents, as in the paper.
USUAL = {"monopoly-deal": "intent"}


def weigh_alike(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """Every action with the same probability."""
    alike(n, out)


def make(table: Game, name: str, abstraction: str) -> Agent:
    """`abstraction` is a name, `none` for concrete moves, `usual` for what is usual in the game."""
    if abstraction == "usual":
        abstraction = USUAL.get(table.name.partition("(")[0], "none")
    return Agent(name, seated(table, "" if abstraction == "none" else abstraction), weigh_alike)
