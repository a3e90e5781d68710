"""The people of a rehearsal, with traits, which say how they play, and habits, which say everything else.

Everything is drawn from one seed: person number n is the same in every rehearsal with this seed, whatever others do.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from parlor.agents.agent import CompiledAgent
from parlor.agents.behaviour import Behaviour, state_known
from parlor.agents.registry import PEOPLE, make_agent
from parlor.game import Game
from parlor.game.rng import seed_stream


@dataclass(frozen=True)
class Habits:
    """People's behaviour besides playing; shares of the people, unless they say otherwise. Seconds are study time.

    Whether an episode times out does not depend on how it goes: somebody falls silent in it, or nobody does. So the
    episodes that are left have the means that were planted.
    """

    declines: float = 0.02  # the consent
    fails: float = 0.286  # the test, as in the paper
    silent: float = 0.02  # reads and answers everything, but never moves
    dawdles: float = 0.03  # of the episodes: moves once and then no more
    leaves: float = 0.02  # for good, somewhere on the way
    reloads: float = 0.08  # of the stages and episodes
    loses: float = 0.04  # of the stages and episodes: the connection, for a while
    changes: float = 0.05  # to another device, once
    double: float = 0.05  # of the moves and answers: sent twice, as by a double click
    away: float = 12.0  # seconds without a connection
    reading: float = 8.0  # seconds for a page, on average
    thinking: float = 6.0  # seconds for a move, on average
    thinking_most: float = 10.0


CAREFUL = Habits(declines=0, fails=0, silent=0, dawdles=0, leaves=0, reloads=0, loses=0, changes=0, double=0)


@dataclass
class SimulatedPerson:
    """One of them."""

    number: int
    id: str  # by which the recruiting platform knows it
    dice: random.Random
    habits: Habits
    traits: dict[str, float]
    behaviour: Behaviour | None
    declines: bool
    fails: bool
    silent: bool
    leaves: float  # where on its way, from 0 to 1; above 1: nowhere
    changes: float  # to another device, the same
    stream: list[int] = field(default_factory=lambda: [0, 0, 0, 0])

    def chance(self, share: float) -> bool:
        """Whether something of this probability happens."""
        return self.dice.random() < share

    def reading_seconds(self) -> float:
        """For a page: lognormal, most read fast and some slowly."""
        return self.habits.reading * math.exp(self.dice.gauss(-0.125, 0.5))

    def thinking_seconds(self) -> float:
        """For a move."""
        mean, most = self.habits.thinking, self.habits.thinking_most
        return min(max(self.dice.gauss(mean, mean / 3), mean / 3), most)

    def agent(self, game: Game) -> CompiledAgent:
        """Return an agent that plays as this person does."""
        return person_agent(game, f"person {self.number}", self.behaviour, self.traits)

    @cached_property
    def _agents(self) -> dict[str, CompiledAgent]:
        return {}

    def choose(self, game: Game, table: dict[str, Any]) -> int:
        """The id of its move at a table, from what its seat sees and nothing else."""
        moves = legal_ids(table["legal"])
        if self.behaviour is None or len(moves) == 1:
            return self.dice.choice(moves)
        if game.name not in self._agents:
            self._agents[game.name] = self.agent(game)
        state = state_known(game, table["view"]["fields"], table["seat"])
        return self._agents[game.name].act(state, table["seat"], self.stream)


def person_agent(game: Game, name: str, behaviour: Behaviour | None, traits: dict[str, float]) -> CompiledAgent:
    """A person as an agent of the game; random, if the game has no model of people."""
    return make_agent("random(abstraction=none)", game) if behaviour is None else behaviour.make(game, name, traits)


def draw_person(seed: int, number: int, game: Game, habits: Habits) -> SimulatedPerson:
    """Person number `number` of this seed."""
    dice, behaviour = random.Random(f"{seed} {number}"), PEOPLE.get(game.name.partition("(")[0])
    traits = behaviour.draw(dice) if behaviour else {}
    chances = [dice.random() for _ in range(5)]
    person = SimulatedPerson(
        number=number,
        id=f"{number:04x}{hashlib.sha256(f'{seed} {number}'.encode()).hexdigest()[:20]}",
        dice=dice,
        habits=habits,
        traits=traits,
        behaviour=behaviour,
        declines=chances[0] < habits.declines,
        fails=chances[1] < habits.fails,
        silent=chances[2] < habits.silent,
        leaves=dice.random() if chances[3] < habits.leaves else 2.0,
        changes=dice.random() if chances[4] < habits.changes else 2.0,
    )
    seed_stream(person.stream, seed, number)
    return person


def legal_ids(legal: Sequence[dict[str, Any]]) -> list[int]:
    """The ids of all legal moves, of which a table shows many as one: a range of amounts, or all combinations."""
    found: list[int] = []
    for move in legal:
        if (span := move["range"]) is not None:
            count, step = (span["most"] - span["least"]) // span["step"] + 1, span["id_step"]
        else:
            count, step = math.prod(len(choice["values"]) for choice in move["choices"]), 1
        found += range(move["id"], move["id"] + count * step, step)
    return found
