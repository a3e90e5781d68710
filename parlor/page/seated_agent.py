"""An agent at a table of the server, as a game's display reads it."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from parlor.agents.agent import CompiledAgent
from parlor.game import GameError
from parlor.game.seats.python_agent import PythonAgent
from parlor.page.shapes import Shape
from parlor.poker.blueprint import Blueprint
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.policies.strategy import Strategy


class AgentRef(Shape):
    """The agent at a table."""

    id: str
    name: str
    version: str


@dataclass(frozen=True, eq=False)
class SeatedAgent:
    """An agent at a table, with its strategy, if it has one, and its learner's entries."""

    id: str
    name: str
    version: str
    player: CompiledAgent | PythonAgent
    quick: bool = False  # it answers faster than a thread can be started
    strategy: Strategy | None = None
    entries: Mapping[int, Mapping[str, Any]] = dataclasses.field(default_factory=dict)  # by information set

    @property
    def policy(self) -> Policy | None:
        """Its strategy, if that is a table of information sets, or a population that plays as one."""
        if self.population is not None:
            return self.population.table
        found = self.strategy
        return cast(Policy, found) if found is not None and found.kind == Policy.kind else None

    @property
    def plan(self) -> Blueprint | None:
        """Its strategy, if that is a blueprint."""
        found = self.strategy
        return cast(Blueprint, found) if found is not None and found.kind == Blueprint.kind else None

    @property
    def population(self) -> Population | None:
        """Its strategy, if that is a population."""
        found = self.strategy
        return cast(Population, found) if found is not None and found.kind == Population.kind else None

    @functools.cached_property
    def cache(self) -> dict[str, Any]:
        """Things computed once about it."""
        return {}

    @property
    def agent(self) -> CompiledAgent:
        """The compiled agent; GameError for Python agents."""
        if isinstance(self.player, PythonAgent):
            raise GameError(f"{self.name} is written in Python: it has no table to show.")
        return self.player


def reference(opponent: SeatedAgent) -> AgentRef:
    """Which agent it is, for people."""
    return AgentRef(id=opponent.id, name=opponent.name, version=opponent.version)
