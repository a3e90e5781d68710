"""A study as the researcher sees it: who is where, and nothing that is hidden in a game that runs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from parlor.page.shapes import Shape
from parlor.server.schemas.common import Request
from parlor.server.schemas.study import Stage, StudyRuns


class StageCount(Shape):
    """The number of participants who are at a stage, or ended there."""

    stage: Stage
    participants: int


class ConditionBalance(Shape):
    """A condition and how many participants were assigned to it."""

    name: str
    partners: Literal["people", "agents"]
    share: float = Field(description="That the study file asks for.")
    participants: int
    waiting: int
    playing: int
    finished: int


class ParticipantNow(Shape):
    """A participant; its id is that of the data, which the recruiting platform does not know."""

    participant: str
    condition: str | None
    group: str | None
    stage: Stage
    since: str | None = Field(description="Since when it is at this stage.")
    heard: str | None = Field(description="When something was last heard of it.")
    here: bool = Field(description="Whether something was heard of it lately, or it has come to an end.")
    episode: int | None = Field(description="Which of its games it plays or has played last, counted from 1.")
    of: int | None = Field(description="How many games it plays in all; null before its tournament.")


class EpisodeNow(Shape):
    """A game that runs: who plays and since when, and nothing of the game itself."""

    episode: str
    round: int
    players: list[str] = Field(description="By seat: participants, or agents by their names in the study.")
    since: str
    deadline: str | None


class GroupNow(Shape):
    """A tournament that runs."""

    group: str
    condition: str
    participants: list[str]
    since: str
    round: int
    of: int
    episodes: list[EpisodeNow]


class EpisodeCounts(Shape):
    """The numbers of games that run, and of those that are over, by ending."""

    running: int
    ended: int = Field(description="By the rules.")
    deals: int | None = Field(description="Of these, with an agreement; null in games without.")
    timed_out: int
    absent: int


class PayDue(Shape):
    """The pay due so far."""

    currency: str
    participants: int
    base: float
    bonus: float | None = Field(description="Null while the study runs, since it tells mean points.")


class StudyEvent(Shape):
    """An action of the researcher, with its time."""

    at: str
    what: str


class Overview(Shape):
    """The whole study at this moment."""

    title: str
    hash: str = Field(description="SHA-256 of the study file.")
    state: StudyRuns
    now: str
    speed: float
    began: str | None = Field(description="When the first participant came.")
    parameter: str = Field(description="The parameter of participants' links.")
    version: str
    database: Literal["sqlite", "postgresql"]
    stages: list[StageCount]
    conditions: list[ConditionBalance]
    participants: list[ParticipantNow]
    groups: list[GroupNow]
    episodes: EpisodeCounts
    pay: PayDue
    events: list[StudyEvent]


class MeanResult(Shape):
    """Mean points of participants with a kind of partner, with a 95 % interval by participants."""

    condition: str
    partner: str = Field(description="The agent's name in the study; people.")
    participants: int
    games: int = Field(description="That ended by the rules.")
    points: float
    low: float | None
    high: float | None
    partner_points: float
    partner_low: float | None
    partner_high: float | None
    deals: float | None = Field(description="Share of games with an agreement.")


class ResultsSoFar(Shape):
    """Means; hidden while the study runs unless they are asked for, which is recorded."""

    hidden: bool
    results: list[MeanResult]


class StateRequest(Request):
    """Pause the study, go on, or stop it for good."""

    state: StudyRuns
