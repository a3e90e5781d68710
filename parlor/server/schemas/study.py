"""A study as a participant sees it: one state at a time, and answers."""

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


class Entered(Shape):
    """The token of a participant, for everything that follows. Whoever comes back with the same id gets a new one."""

    token: str
    state: StudyState


class AnswerRequest(Request):
    """Go on: the stage and step that was answered, and the answers. Sent twice, it counts once."""

    stage: Stage
    step: Annotated[int, Field(ge=0, le=1000)]
    answers: Annotated[dict[Item, Given | Number | bool], Field(max_length=100)] = {}
