"""The description of a study: the game, who plays whom, for how long and for what pay, and all texts and questions.

A study file contains it (`parlor.study.design.files` reads and checks one); nothing here touches the disk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["choice", "number", "text", "slider"]


@dataclass(frozen=True)
class StudyAgent:
    """An agent that participants meet: its name in the data, and who it is (`reader`, a file, `search(…)`)."""

    name: str
    agent: str


@dataclass(frozen=True)
class Condition:
    """A condition of the study: play with people, a round robin in a group, or with every agent once."""

    name: str
    share: float  # of the participants; the shares of all conditions sum to 1
    partners: Literal["people", "agents"]
    group: int = 6  # participants of a tournament, with people; an even number
    agents: tuple[str, ...] = ()  # names, with agents; all of the study if empty


@dataclass(frozen=True)
class Delay:
    """Seconds that an agent waits before it answers: normal, and never less than `least`."""

    mean: float = 10.0
    deviation: float = 3.0
    least: float = 1.0


@dataclass(frozen=True)
class Pay:
    """Money: `base` for everybody who finishes, `show_up` for those who fail the test, `point` for a point."""

    currency: str = "USD"
    base: float = 2.50
    point: float = 0.10
    show_up: float = 0.50


@dataclass(frozen=True)
class Practice:
    """A position to try something in: a game against an agent with a fixed deal, until a move of this kind is made."""

    agent: str
    seat: int = 0
    seed: int = 1
    until: str = ""  # the verb of a move, such as offer or accept; any move if empty
    hint: str = ""  # what to try, in a sentence


@dataclass(frozen=True)
class Screen:
    """A page to read; with `practice`, something to try before going on."""

    title: str
    text: str  # paragraphs are parted by empty lines
    practice: Practice | None = None


@dataclass(frozen=True)
class Question:
    """A question; `right` is the number of the right answer, counted from 0, where there is one."""

    id: str
    text: str
    kind: Kind = "choice"
    answers: tuple[str, ...] = ()
    right: int | None = None
    required: bool = True
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class Comprehension:
    """The comprehension test: so many answers `must` be right."""

    questions: tuple[Question, ...] = ()
    must: int = 0


@dataclass(frozen=True)
class Waiting:
    """The waiting room, in seconds."""

    longest: float = 600.0  # then a participant is sent home with base pay
    pause: float = 8.0  # between episodes, to read the score
    gone: float = 60.0  # a participant of whom nothing was heard for so long has left


@dataclass(frozen=True)
class Entry:
    """The way in and out for participants: the link's parameter with their id, and the URLs at the end."""

    parameter: str = "PROLIFIC_PID"
    completion_url: str = ""  # {code} in it is replaced
    failed_url: str = ""  # the same, for those who fail the test
    signed: bool | None = None  # links must carry the signature that `parlor study links` writes; None: see below
    pattern: str = ""  # of ids, a regular expression: [0-9a-f]{24} on Prolific
    ids: tuple[str, ...] = ()  # of those who were invited; nobody else gets in
    study_id: str = ""  # on Prolific: links carry it as STUDY_ID, and a SESSION_ID of 24 hexadecimal digits
    hourly: int = 30  # new participants an hour from one address; 0: no limit

    @property
    def must_be_signed(self) -> bool:
        """Whether links are signed: if the file does not say, unless ids are Prolific's, of a pattern or on a list."""
        platform = self.parameter == "PROLIFIC_PID" or self.pattern or self.ids
        return not platform if self.signed is None else self.signed


@dataclass(frozen=True)
class Description:
    """A whole study."""

    title: str
    game: str  # with its options, deal-or-no-deal(turns=10)
    seed: int
    conditions: tuple[Condition, ...]
    agents: tuple[StudyAgent, ...] = ()
    episodes: int = 5
    seconds: float = 120.0  # of an episode, kept by the server
    first: Literal["random", "alternate"] = "random"  # who sits in the first seat
    delay: Delay = Delay()
    pay: Pay = Pay()
    entry: Entry = Entry()
    waiting: Waiting = Waiting()
    consent: Screen = Screen("", "")
    screens: tuple[Screen, ...] = ()
    test: Comprehension = Comprehension()
    orientation: bool = True  # the slider measure of Social Value Orientation
    questions: tuple[Question, ...] = ()  # demographics and open questions
    thanks: str = ""
    failed: str = ""
    exclude: tuple[str, ...] = ("timed-out", "non-responsive")  # rows of parlor.study.design.exclusions
    hash: str = ""  # SHA-256 of the file
