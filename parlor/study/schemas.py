"""A study as JSON: a participant's state and answers; and an overview for the researcher, without what is hidden."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from parlor.page.shapes import Shape
from parlor.server.schemas.common import Request

Stage = Literal[
    "consent",
    "tutorial",
    "test",
    "waiting",
    "episode",
    "score",
    "bonus",
    "orientation",
    "questionnaire",
    "done",
    "failed",
    "declined",
    "unmatched",
    "stopped",
]
StudyRuns = Literal["running", "paused", "stopped"]
Given = Annotated[str, StringConstraints(max_length=4000)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Item = Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9_-]+$")]


class StudyInfo(Shape):
    """Which study a server runs."""

    title: str
    parameter: str = Field(description="Of the link, that has the id of whoever comes.")
    state: StudyRuns


class PracticeTable(Shape):
    """A table to try something at, with the token of its seat; `done` when the move that is asked for was made."""

    table: str
    token: str
    hint: str
    done: bool


class StudyScreen(Shape):
    """A page to read."""

    title: str
    text: str = Field(description="Paragraphs are parted by empty lines.")
    practice: PracticeTable | None


class StudyQuestion(Shape):
    """A question. A slider has pairs of payoffs, one for each position."""

    id: str
    kind: Literal["choice", "number", "text", "slider"]
    text: str
    answers: list[str]
    required: bool
    least: float | None
    most: float | None
    pairs: list[tuple[int, int]] = Field(description="Of a slider: for you and for the other, at each position.")


class WaitingRoom(Shape):
    """For whom one waits: people who are here and who are missing, and how long it may take."""

    here: int
    wanted: int
    since: str
    estimate: float | None = Field(description="Seconds of the study it will take, by who has come; null: unknown.")
    longest: float = Field(description="Seconds of the study after which one may go with base pay.")


class StudyEpisode(Shape):
    """The game that is played now."""

    number: int = Field(description="Counted from 1.")
    of: int
    table: str
    token: str = Field(description="Of one's seat at the table.")


class EpisodeScore(Shape):
    """The score of an episode, and how it ended."""

    number: int
    points: float
    status: Literal["ended", "timed-out", "absent"]


class StudyPay(Shape):
    """Money earned so far, or in all."""

    currency: str
    base: float
    bonus: float
    points: float


class StudyState(Shape):
    """A participant's stage of the study, and the content of its page."""

    title: str
    stage: Stage
    step: int = Field(description="Of the stage: which screen, question or page, counted from 0.")
    steps: int
    progress: float = Field(description="Of the whole study, from 0 to 1.")
    now: str = Field(description="The server's clock; ISO 8601, in UTC.")
    speed: float = Field(description="How fast the study's time passes: 1, more in a rehearsal.")
    deadline: str | None = Field(description="When this stage ends by itself.")
    paused: bool = Field(description="The researcher has paused the study: nothing new begins.")
    screen: StudyScreen | None
    questions: list[StudyQuestion]
    waiting: WaitingRoom | None
    episode: StudyEpisode | None
    scores: list[EpisodeScore]
    pay: StudyPay | None
    code: str | None = Field(description="The completion code, at the end.")
    completion_url: str | None


class EnterRequest(Request):
    """The id by which a recruiting platform knows the participant, and the signature of the link, if it has one."""

    participant: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
    signature: Annotated[str, StringConstraints(max_length=100)] = ""
    parameters: Annotated[
        dict[Annotated[str, StringConstraints(max_length=40)], Annotated[str, StringConstraints(max_length=200)]],
        Field(max_length=20),
    ] = Field(default={}, description="What else the link says: on Prolific STUDY_ID and SESSION_ID.")


class Entered(Shape):
    """The token of a participant, for everything that follows. Whoever comes back with the same id gets a new one."""

    token: str
    state: StudyState


class AnswerRequest(Request):
    """Go on: the stage and step that was answered, and the answers. Sent twice, it counts once."""

    stage: Stage
    step: Annotated[int, Field(ge=0, le=1000)]
    answers: Annotated[dict[Item, Given | Number | bool], Field(max_length=100)] = {}


# --------------------------------------------------------------------------------------------------- the researcher


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
