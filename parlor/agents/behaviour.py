"""Models of how people behave in a game, with known parameters: who takes part in rehearsals of studies.

People differ: each has *traits*, numbers that are drawn from normal distributions whose means and deviations are known.
With its traits a person is an agent like any other, so that what an analysis should find can be computed beforehand,
from as many games as one likes. A game declares its model in its own folder, and `parlor.agents.registry.PEOPLE` has a
row for it; in all other games people move at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from parlor.agents.agent import CompiledAgent
from parlor.game import Game, GameError, State
from parlor.game.schema import zeros


@dataclass(frozen=True)
class Trait:
    """A number in which people differ: normal, and never below `low` or above `high`."""

    mean: float
    deviation: float
    low: float
    high: float
    help: str

    def draw(self, dice: random.Random) -> float:
        """Of one person."""
        return min(max(dice.gauss(self.mean, self.deviation), self.low), self.high)


@dataclass(frozen=True)
class Behaviour:
    """A model of people's behaviour in a game."""

    summary: str
    traits: Mapping[str, Trait]
    make: Callable[[Game, str, Mapping[str, float]], CompiledAgent]  # of the game, a name, and a person's traits

    def draw(self, dice: random.Random) -> dict[str, float]:
        """The traits of one person."""
        return {name: trait.draw(dice) for name, trait in self.traits.items()}


def state_known(game: Game, fields: Mapping[str, Any], player: int) -> State:
    """A state as far as a player knows it, from the fields of its view; what it does not see is 0.

    A model of a person reads nothing else, and so it can play where there is only a view, as on the page.
    """
    if game.schema is None:
        raise GameError(f"{game.name} has no schema, so nothing can be read from a view of it.")
    state = game.new_state()
    for name, field in game.schema.items():
        if field.seen_by == "all":
            setattr(state, name, fields[name])
        elif field.seen_by == "owner":
            rows = zeros(field.shape)
            rows[player] = fields[name]
            setattr(state, name, rows)
    return state
