"""The estimates of an analysis beside the planted means: does it find what was put in?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from parlor.study.rehearsal.truth import AMONG_THEMSELVES, PlantedTruth


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
