"""Everything a study has recorded, as it stood at one moment: plain values, with times in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from parlor.study.design.description import Description
from parlor.study.schemas import Stage, StudyRuns

FINAL = ("done", "failed", "declined", "unmatched", "stopped")  # stages from which nobody goes on


@dataclass(frozen=True)
class Person:
    """A participant."""

    id: str
    label: str  # P001, as everybody but the recruiting platform knows the participant
    platform_id: str
    condition: str | None
    group: str | None  # the id of a tournament
    stage: Stage
    entered: datetime
    since: datetime  # at this stage
    heard: datetime  # of it, last
    left: datetime  # when it came to an end, or was last heard of
    passed: bool  # the test
    base: float | None
    bonus: float | None
    code: str | None
    removed: bool = False  # its data were deleted on request


@dataclass(frozen=True)
class Given:
    """An answer to a question, whether it was right (in the test), and how many seconds of study time it took."""

    participant: str
    stage: str
    question: str
    answer: Any
    right: bool | None
    seconds: float | None


@dataclass(frozen=True)
class TournamentRow:
    """A group of participants who play each other, or one who plays with agents."""

    id: str
    label: str  # G001
    condition: str
    began: datetime
    ended: datetime | None
    rounds: int  # games that everybody plays in it


@dataclass(frozen=True)
class StudyPlayer:
    """A player at a table: a participant, or an agent by its name in the study."""

    participant: str | None
    agent: str | None


@dataclass(frozen=True)
class Made:
    """A move, or an outcome of chance (seat -1)."""

    ply: int
    seat: int
    move: str
    at: datetime


@dataclass(frozen=True)
class Episode:
    """A game; without a status it runs."""

    id: str  # of its table
    label: str  # E0001
    group: str
    round: int  # counted from 1
    players: tuple[StudyPlayer, ...]  # by seat
    status: Literal["ended", "timed-out", "absent"] | None
    began: datetime
    deadline: datetime | None
    ended: datetime | None
    payoffs: tuple[float, ...] | None
    moves: tuple[Made, ...] = ()


@dataclass(frozen=True)
class RecordedEvent:
    """An action of the researcher, with its time."""

    at: datetime
    what: str


@dataclass(frozen=True)
class Records:
    """A study."""

    description: Description
    runs: StudyRuns
    speed: float
    people: tuple[Person, ...] = ()
    answers: tuple[Given, ...] = ()
    tournaments: tuple[TournamentRow, ...] = ()
    episodes: tuple[Episode, ...] = ()
    events: tuple[RecordedEvent, ...] = ()
    rules: str = ""  # their version, with which the study is played
    versions: tuple[tuple[str, str], ...] = ()  # an agent's name in the study, and a version of it that has moved

    @property
    def goes_on(self) -> bool:
        """Whether anybody may still play."""
        return self.runs != "stopped" or any(one.ended is None for one in self.tournaments)
