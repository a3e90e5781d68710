"""Policies in the style of PettingZoo as agents: `from_pettingzoo_policy(function)`.

The function gets what an agent of the exported environment (`parlor.export.pettingzoo`) observes, the bits of the view
and the mask of legal actions, and returns an action.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from parlor.export.features import Features
from parlor.games import load
from parlor.observation import Observation
from parlor.python_agent import PythonAgent


def from_pettingzoo_policy(function: Callable[[dict[str, Any]], Any], name: str = "") -> PythonAgent:
    """A function of `{"observation": …, "action_mask": …}` as an agent; it returns the number of an action."""

    def act(observation: Observation) -> Any:
        return function(_features(observation.game).observed(observation.view, observation.key, observation.actions))

    return PythonAgent(act, name or getattr(function, "__name__", type(function).__name__))


@functools.lru_cache(16)
def _features(game: str) -> Features:
    return Features(load(game))
