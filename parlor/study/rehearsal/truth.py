"""The planted means, which an analysis of a rehearsal should find, from many games of the same people.

The games are played without a server and without time, people drawn as for a rehearsal against the study's agents and
against each other, both in both seats. So the means are known as exactly as one likes.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np

from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import PEOPLE
from parlor.arena.match import play_match
from parlor.game import Game
from parlor.game.seats.play import Agent
from parlor.runs.saved_agents import load_agent
from parlor.study.design.description import Description
from parlor.study.rehearsal.people import person_agent

AMONG_THEMSELVES = "people"


@dataclass(frozen=True)
class Meetings:
    """The number of people who meet each partner, and of games each, in both seats; slow agents are met by fewer."""

    people: int = 400
    games: int = 50
    seconds: float = 30.0  # for a partner
    seed: int = 0
    compiled: bool | None = None  # as in `play_match`


USUAL = Meetings()


@dataclass(frozen=True)
class PlantedTruth:
    """The mean payoffs of people and of their partner, with standard errors (between people)."""

    partner: str
    human: float
    human_error: float
    partner_mean: float
    partner_error: float
    people: int

    @property
    def combined(self) -> float:
        """The mean of both."""
        return (self.human + self.partner_mean) / 2


def draw_people(game: Game, seed: int) -> Iterator[CompiledAgent]:
    """People, one after the other, from the distributions that bots are drawn from."""
    behaviour, dice, number = PEOPLE.get(game.name.partition("(")[0]), random.Random(f"truth {seed}"), 0
    while True:
        yield person_agent(game, f"person {number}", behaviour, behaviour.draw(dice) if behaviour else {})
        number += 1


def planted_means(study: Description, game: Game, meetings: Meetings = USUAL) -> dict[str, PlantedTruth]:
    """For each agent of the study by its name, and for `people` among themselves where a condition has them."""
    found = {}
    for agent in study.agents:
        partner = load_agent(agent.agent, game)
        found[agent.name] = _planted(agent.name, game, draw_people(game, meetings.seed), repeat(partner), meetings)
    if any(condition.partners == "people" for condition in study.conditions):
        people, others = draw_people(game, meetings.seed), draw_people(game, meetings.seed + 1)
        found[AMONG_THEMSELVES] = _planted(AMONG_THEMSELVES, game, people, others, meetings)
    return found


def _planted(
    name: str, game: Game, people: Iterator[CompiledAgent], partners: Iterator[Agent], meetings: Meetings
) -> PlantedTruth:
    means: list[tuple[float, float]] = []
    until = time.perf_counter() + meetings.seconds
    for index, pair in enumerate(zip(people, partners, strict=False)):
        match = play_match(game, pair, meetings.games, seed=index, compiled=meetings.compiled)
        means.append((match.measure("payoff").value, match.measure("payoff", 1).value))
        if len(means) == meetings.people or (len(means) > 1 and time.perf_counter() > until):
            break
    values = np.array(means)
    (human, partner), errors = values.mean(axis=0), values.std(axis=0, ddof=1) / math.sqrt(len(values))
    return PlantedTruth(name, float(human), float(errors[0]), float(partner), float(errors[1]), len(values))


@dataclass(frozen=True)
class Compared:
    """A mean that was planted, and its estimate."""

    condition: str
    partner: str
    of: str  # whose return: human, agent or combined
    planted: float
    value: float
    low: float
    high: float

    @property
    def covered(self) -> bool:
        """Whether the interval holds what was planted."""
        return self.low <= self.planted <= self.high


def compare(planted: Mapping[str, PlantedTruth], numbers: Mapping[str, Any]) -> list[Compared]:
    """All means of an analysis, from its numbers.json."""
    return [*_with_agents(planted, numbers), *_with_people(planted, numbers)]


def _with_agents(planted: Mapping[str, PlantedTruth], numbers: Mapping[str, Any]) -> Iterator[Compared]:
    for found in numbers["with_agents"]:
        for i, agent in enumerate(found["agents"]):
            truth = planted[agent]
            for of, mean in (("human", truth.human), ("agent", truth.partner_mean), ("combined", truth.combined)):
                yield Compared(found["condition"], agent, of, mean, **found["means"][of][i])


def _with_people(planted: Mapping[str, PlantedTruth], numbers: Mapping[str, Any]) -> Iterator[Compared]:
    for found in numbers["with_people"]:
        truth = planted[AMONG_THEMSELVES]
        yield Compared(found["condition"], AMONG_THEMSELVES, "human", truth.combined, **found["mean"])
