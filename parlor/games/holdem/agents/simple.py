"""Three simple agents: a fish calls everything, an honest one calls what it expects to win, a wild one plays anything.

Fish and Honest are PyPokerEngine's examples. Where these fold although checking is free, ours check.
"""

from __future__ import annotations

from typing import Any

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.game import Floats, Game, Ints
from parlor.games.holdem.agents.reading import calling, judge, only, passing


def fish_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """Call whatever it costs."""
    only(n, calling(moves), out)


def honest_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """Call with what wins at least half the time."""
    won = judge(states[g], p, r, data)
    only(n, calling(moves) if won >= 0.5 else passing(moves), out)


def wild_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """Fold, call and raise with equal probability; all raises equally."""
    call = calling(moves)
    raises = n - call - 1
    kinds = call + 1 + (1 if raises > 0 else 0)
    for i in range(n):
        out[i] = 1.0 / kinds if i <= call else 1.0 / (kinds * raises)


def fish(concrete: Game, name: str) -> CompiledAgent:
    """It always calls."""
    return CompiledAgent(name, concrete, fish_probabilities)


def wild(concrete: Game, name: str) -> CompiledAgent:
    """It folds, calls or raises with equal probability."""
    return CompiledAgent(name, concrete, wild_probabilities)


FISH = AgentSpec("calls every bet", fish, ("holdem",), quick=True, name="Calling Colin", default_opponent=False)
WILD = AgentSpec(
    "folds, calls or raises with equal probability, by any amount",
    wild,
    ("holdem",),
    quick=True,
    name="Wild Wilma",
    default_opponent=False,
)
