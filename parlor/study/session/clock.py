"""The clock of a study: as fast as ours, or faster in a rehearsal.

Times are stored as they were, in UTC; durations, as the study file has them and as they are told to participants,
are divided by the speed before they are added to a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

SHORTEST_ABSENCE = 3.0  # real seconds: a network does not get faster in a rehearsal


@dataclass(frozen=True)
class StudyClock:
    """So many seconds of the study pass in one second."""

    speed: float = 1.0

    def lasting(self, seconds: float) -> timedelta:
        """Return the real time that a duration of the study takes."""
        return timedelta(seconds=seconds / self.speed)

    def between(self, first: datetime, last: datetime) -> float:
        """Return the seconds of study time between two times."""
        return (last - first).total_seconds() * self.speed

    def absence(self, seconds: float) -> timedelta:
        """After how long without a word somebody has left, if the study says `seconds`."""
        return timedelta(seconds=max(seconds / self.speed, SHORTEST_ABSENCE))
