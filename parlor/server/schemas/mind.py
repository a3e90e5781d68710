"""The agent's mind at a decision."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from parlor.page.seated_agent import AgentRef
from parlor.page.shapes import MindBelief, MindFact, MindSearch, MindTerms, MoveInfo, MoveRange, Shape
from parlor.server.catalogue.displays import Notes
from parlor.server.schemas.common import Shown


class MindAction(Shape):
    """An action as the agent sees it, and the concrete move that it means."""

    text: str
    move: MoveInfo
    probability: float
    regret: float | None
    value: float | None = Field(
        description="The expected payoff of its player after it, computed like the value of the decision."
    )
    value_error: float | None


class MoveChance(Shape):
    """The probability of a concrete move, or of all moves of a range together, of which `move` is the first."""

    move: MoveInfo
    range: MoveRange | None
    text: str
    probability: float


class Mind(Shape):
    """The basis of an agent's decision.

    `inside`: everything. `outside`, while the game runs: what somebody with your knowledge would expect it to do,
    the mean over the worlds that are possible as far as you have seen; nothing in it depends on hidden cards.
    """

    ply: int
    player: int
    agent: AgentRef = Field(description="Whose mind it is.")
    thought: bool = Field(
        description="Whether this agent, as it is now, made the decision: this is what it thought. Else it is what it "
        "would do there: the decision was a person's, another agent's, or it is from a file."
    )
    own: bool = Field(description="The decision was yours.")
    detail: Literal["inside", "outside"]
    chosen: MoveInfo | None = Field(description="The move that was made, unless it is secret.")
    sentence: str = Field(
        description="From inside what it thought, from outside what you could have expected of it, in words."
    )
    scale: Literal["chance", "points"] = Field(
        description="How people read its values: as a chance to win, (1 + value) / 2, or as points."
    )
    unit: str = Field(description="What a point is called.")
    infoset: str | None
    key: str | None
    known: bool | None = Field(description="Whether its table has this information set; if not, it plays uniformly.")
    visits: int | None
    reach: float | None
    value: float | None = Field(
        description="The expected payoff of its player if all continue as the agent would. From inside, with what that "
        "player knows; from outside, with what you know."
    )
    value_error: float | None = Field(description="Its standard error; 0 if it is exact.")
    value_kind: Literal["exact", "rollouts"] | None = Field(
        description="How the values were computed: by enumerating everything that may follow, or by playing the game "
        "on in some worlds; null: they are unknown."
    )
    facts: list[MindFact]
    notes: Notes | None = Field(
        description="In games with a notepad: what its player could deduce, or what the agent believed."
    )
    terms: MindTerms | None = Field(
        description="Its evaluation, term by term; from outside only if it is the same in all possible worlds."
    )
    beliefs: list[MindBelief] = Field(
        description="What the agent believes of what is hidden from its player; from outside, the mean over the worlds."
    )
    search: MindSearch | None = Field(description="What its search has found, if it searches.")
    actions: list[MindAction]
    moves: list[MoveChance]
    worlds: int | None
    note: str
    done: bool = Field(
        default=True, description="Whether this is all; if not, more is being worked out: ask again in a moment."
    )


class MindList(Shape):
    """The decisions whose minds can be shown now."""

    shown: Shown
    open: bool
    plies: list[int]
    why: str = Field(description="Why there are none, if there are none.")
