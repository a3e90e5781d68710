"""The agent's mind at a decision."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from parlor.server.schemas.common import Shape, Shown
from parlor.server.schemas.moves import MoveInfo, MoveRange


class MindFact(Shape):
    """Something else that the agent goes by, or that is good to know there."""

    name: str
    text: str


class MindAction(Shape):
    """An action as the agent sees it, and the concrete move that it means."""

    text: str
    move: MoveInfo
    probability: float
    regret: float | None
    value: float | None = Field(description="What its player can expect after it; as the value of the decision.")
    value_error: float | None


class MoveChance(Shape):
    """How likely a concrete move was, or all moves of a range together, of which `move` is the first."""

    move: MoveInfo
    range: MoveRange | None
    text: str
    probability: float


class Mind(Shape):
    """What the agent thinks at a decision.

    `inside`: all of it. `outside`, while the game runs: what somebody who knows no more than you would expect it to do,
    the mean over the worlds that are possible as far as you have seen; nothing in it depends on hidden cards.
    """

    ply: int
    player: int
    own: bool = Field(description="The decision was yours: this is what the agent would have done.")
    detail: Literal["inside", "outside"]
    chosen: MoveInfo | None = Field(description="What was done, unless that is secret.")
    infoset: str | None
    key: str | None
    known: bool | None = Field(description="Whether its table has this information set; if not it plays all alike.")
    visits: int | None
    reach: float | None
    value: float | None = Field(
        description="The payoff its player can expect if all go on as the agent would. From inside, as far as that "
        "player knows; from outside, as far as you know."
    )
    value_error: float | None = Field(description="Its standard error; 0 if it is exact.")
    value_kind: Literal["exact", "rollouts"] | None = Field(
        description="How the values were found: all that may be and may follow was counted out, or the game was played "
        "on in some worlds; null: they are not known."
    )
    facts: list[MindFact]
    actions: list[MindAction]
    moves: list[MoveChance]
    worlds: int | None
    note: str


class MindList(Shape):
    """The decisions whose minds can be asked for now."""

    shown: Shown
    open: bool
    plies: list[int]
    why: str = Field(description="If there are none: why.")
