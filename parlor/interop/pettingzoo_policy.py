"""Policies in the style of PettingZoo as agents: `from_pettingzoo_policy(function)`.

The function gets what an agent of the exported environment (`parlor.interop.pettingzoo`) observes, the bits of the view
and the mask of legal actions, and returns an action.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from parlor.game.loading import load
from parlor.game.seats.observation import Observation
from parlor.game.seats.python_agent import PythonAgent
from parlor.policies.feature_vectors import FeatureVectors


def from_pettingzoo_policy(function: Callable[[dict[str, Any]], Any], name: str = "") -> PythonAgent:
    """A function of `{"observation": …, "action_mask": …}` as an agent; it returns the number of an action."""

    def act(observation: Observation) -> Any:
        vectors = _features(observation.game)
        own = observation.numbers
        return function(vectors.observed(observation.view, observation.key, observation.actions, own))

    return PythonAgent(act, name or getattr(function, "__name__", type(function).__name__))


@functools.lru_cache(16)
def _features(game: str) -> FeatureVectors:
    return FeatureVectors(load(game))
