"""Studies that are drawn from the model, with means that are known: does the analysis find what was put in?

A return is the mean of its cell, a deviation of the participant and a residual, both normal. The defaults are those of
the paper's Table 3. Its intervals tell the whole deviation of a return with each agent (half of an interval is 1.96
deviations over the root of some 109 games: 2.73 for people, 2.96 for agents, 1.96 for both together); how much of it
lies between participants they do not tell, and 0.8 is our assumption.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import parlor
from parlor.game import GameError
from parlor.study.analysis.findings import AGENT, COMBINED, HUMAN, WithAgents
from parlor.study.data.folder import StudyData, write
from parlor.study.design.orientation import type_of

WITH_AGENTS, WITH_PEOPLE = "agents", "people"
GROUP = 6
ANGLE, ANGLE_DEVIATION = 25.0, 13.0  # degrees


@dataclass(frozen=True)
class PlantedMeans:
    """The parameters from which simulated studies are drawn."""

    human: Mapping[str, float]  # agent -> the mean return of people who meet it
    agent: Mapping[str, float]  # agent -> its mean return
    participant: tuple[float, float] = (0.8, 0.8)  # deviations between participants: of their return, of the agents'
    participant_correlation: float = -0.5  # whoever gets more leaves less
    residual: tuple[float, float] = (2.61, 2.85)
    residual_correlation: float = 0.0
    timed_out: float = 0.152  # of the games with agents
    non_responsive: float = 1 / 130  # of the participants
    deals: float = 0.962
    people: float = 6.93  # the mean return among people
    people_deviations: tuple[float, float] = (0.6, 2.27)  # between participants, and the residual
    people_timed_out: float = 0.063

    @property
    def means(self) -> dict[str, dict[str, float]]:
        """The means that an analysis should find: of each return, by agent."""
        both = {name: (self.human[name] + self.agent[name]) / 2 for name in self.human}
        return {HUMAN: dict(self.human), AGENT: dict(self.agent), COMBINED: both}


#: Table 3 of the paper.
PAPER = PlantedMeans(
    human={"IndRL": 5.86, "Comp1": 5.14, "Comp2": 6.00, "Coop": 6.71, "Fair": 7.39},
    agent={"IndRL": 6.50, "Comp1": 5.49, "Comp2": 5.54, "Coop": 6.17, "Fair": 5.98},
)
PAPER_PARTICIPANTS = 130  # with agents; one was non-responsive, and 547 games were left


def planted_for(agents: Sequence[str]) -> PlantedMeans:
    """As in the paper; an agent that it does not have gets the mean of the table."""
    if not agents:
        raise GameError("In this study nobody meets an agent: power is about differences between agents.")
    usual = {name: sum(means.values()) / len(means) for name, means in PAPER.means.items()}
    return replace(
        PAPER,
        human={name: PAPER.human.get(name, usual[HUMAN]) for name in agents},
        agent={name: PAPER.agent.get(name, usual[AGENT]) for name in agents},
    )


def planted_by(found: WithAgents, timed_out: float) -> PlantedMeans:
    """Return the parameters of simulated studies that are like one that was analysed."""
    human, agent, both = (found.fits[name] for name in (HUMAN, AGENT, COMBINED))

    def correlation(deviations: tuple[float, float], of_mean: float) -> float:
        """Of two numbers, by the deviation of their mean."""
        first, second = deviations
        if not first or not second:
            return 0.0
        return float(np.clip((4 * of_mean**2 - first**2 - second**2) / (2 * first * second), -0.95, 0.95))

    between = human.participant_deviation, agent.participant_deviation
    within = human.residual_deviation, agent.residual_deviation
    return PlantedMeans(
        human=dict(zip(found.agents, map(float, human.means), strict=True)),
        agent=dict(zip(found.agents, map(float, agent.means), strict=True)),
        participant=between,
        participant_correlation=correlation(between, both.participant_deviation),
        residual=within,
        residual_correlation=correlation(within, both.residual_deviation),
        timed_out=timed_out,
        non_responsive=0.0,
        deals=found.all_deals.value if found.all_deals else 1.0,
    )


def simulated_data(planted: PlantedMeans, participants: int, seed: int, folder: Path, people: int = 0) -> None:
    """Write the data of a simulated study, as `parlor study data` would; `people` more meet each other."""
    write(folder, simulated(planted, participants, seed, people))


def simulated(planted: PlantedMeans, participants: int, seed: int, people: int = 0) -> StudyData:
    """A simulated study: so many participants meet every agent once, and `people`, a multiple of 6, each other."""
    if participants + people < 2:
        raise GameError(f"A study needs at least two participants, not {participants + people}.")
    if people % GROUP:
        raise GameError(f"People meet in groups of {GROUP}: {people} is not a multiple of it.")
    return _Draw(planted, np.random.default_rng(seed)).data(participants, people, seed)


class _Draw:
    def __init__(self, planted: PlantedMeans, rng: np.random.Generator) -> None:
        self.planted, self.rng = planted, rng
        self.participants: list[dict[str, Any]] = []
        self.episodes: list[dict[str, Any]] = []
        self.games = 0

    def data(self, participants: int, people: int, seed: int) -> StudyData:
        for _ in range(participants):
            self.meet_agents(self.participant(WITH_AGENTS))
        for _ in range(people // GROUP):
            self.meet_people([self.participant(WITH_PEOPLE) for _ in range(GROUP)])
        return StudyData(self.study(seed), self.participants, self.episodes)

    def study(self, seed: int) -> dict[str, Any]:
        conditions = [{"name": name, "partners": name} for name in (WITH_PEOPLE, WITH_AGENTS)]
        present = {row["condition"] for row in self.participants}
        return {
            "title": "A simulated study",
            "hash": "",
            "game": "none: returns are drawn from the model",
            "rules": "",
            "parlor": parlor.__version__,
            "seed": seed,
            "speed": 1.0,
            "written": "",
            "anonymous": True,
            "description": {
                "exclude": ["timed-out", "non-responsive"],
                "conditions": [one for one in conditions if one["name"] in present],
                "agents": [{"name": name, "agent": name} for name in self.planted.human],
            },
        }

    def participant(self, condition: str) -> dict[str, Any]:
        angle = self.rng.normal(ANGLE, ANGLE_DEVIATION)
        self.participants.append(
            {
                "participant": f"P{len(self.participants) + 1:03}",
                "condition": condition,
                "stage": "done",
                "passed": 1,
                "finished": 1,
                "non_responsive": int(self.rng.random() < self.planted.non_responsive),
                "points": 0.0,
                "svo_angle": angle,
                "svo_type": type_of(angle),
            }
        )
        return self.participants[-1]

    def meet_agents(self, who: dict[str, Any]) -> None:
        """Every agent once, in random order."""
        planted = self.planted
        deviation = self._pair(planted.participant, planted.participant_correlation)
        agents = list(planted.human)
        for number, i in enumerate(self.rng.permutation(len(agents)), 1):
            residual = self._pair(planted.residual, planted.residual_correlation)
            means = planted.human[agents[i]], planted.agent[agents[i]]
            returns = [mean + d + r for mean, d, r in zip(means, deviation, residual, strict=True)]
            idle = bool(who["non_responsive"]) and number == 1
            over = not idle and self.rng.random() >= planted.timed_out
            self.games += 1
            self._episode(WITH_AGENTS, number, who, "agent", agents[i], over, returns, idle)

    def meet_people(self, group: list[dict[str, Any]]) -> None:
        """Everybody once."""
        between, within = self.planted.people_deviations
        deviations = self.rng.normal(0.0, between, GROUP)
        for i in range(GROUP):
            for j in range(i):
                returns = [self.planted.people + deviations[k] + self.rng.normal(0.0, within) for k in (i, j)]
                idle = any(group[k]["non_responsive"] for k in (i, j)) and j == 0
                over = not idle and self.rng.random() >= self.planted.people_timed_out
                self.games += 1
                for (me, other), (mine, theirs) in (((i, j), returns), ((j, i), returns[::-1])):
                    partner = group[other]["participant"]
                    still = idle and bool(group[me]["non_responsive"])
                    self._episode(WITH_PEOPLE, i + 1, group[me], "person", partner, over, [mine, theirs], still)

    def _pair(self, deviations: tuple[float, float], correlation: float) -> tuple[float, float]:
        first, second = self.rng.normal(size=2)
        second = correlation * first + np.sqrt(1.0 - correlation**2) * second
        return float(deviations[0] * first), float(deviations[1] * second)

    def _episode(
        self,
        condition: str,
        number: int,
        who: dict[str, Any],
        kind: str,
        partner: str,
        over: bool,
        returns: list[float],
        idle: bool,
    ) -> None:
        points, theirs = (float(one) if over else 0.0 for one in returns)
        who["points"] += points
        self.episodes.append(
            {
                "episode": f"E{self.games:04}",
                "condition": condition,
                "round": number,
                "participant": who["participant"],
                "partner_kind": kind,
                "partner": partner,
                "status": "ended" if over else "timed-out",
                "deal": int(self.rng.random() < self.planted.deals) if over else None,
                "moves": 0 if idle else 1,
                "points": points,
                "partner_points": theirs,
            }
        )
