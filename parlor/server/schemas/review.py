"""The review of a finished game."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from parlor.page.seated_agent import AgentRef
from parlor.page.shapes import MoveInfo, Shape


class ReviewPoint(Shape):
    """The seat's expected payoff before the move at a ply, given its knowledge then; at the end, its payoff."""

    ply: int
    value: float
    low: float
    high: float
    exact: bool


class CostlyDecision(Shape):
    """A decision of the seat, and a better one."""

    ply: int
    chosen: MoveInfo
    better: MoveInfo
    value: float = Field(description="What could be expected after the move that was made.")
    cost: float = Field(description="How much more could be expected of the better one.")
    low: float = Field(description="Its 95 % interval; it never includes zero.")
    high: float
    exact: bool
    text: str


class Review(Shape):
    """A finished game from one seat: what it could expect at every decision, and its costliest decisions.

    It grows while it is worked on; ask again until it is done.
    """

    seat: int
    done: bool
    progress: float = Field(description="From 0 to 1.")
    scale: Literal["chance", "points"] = Field(
        description="What values and costs are: the chance to win, a draw counting half, or points of payoff."
    )
    unit: str = Field(description="What a point is called.")
    reference_agent: AgentRef | None = Field(description="The agent by which everybody is assumed to play on.")
    basis: str = Field(description="What the numbers are based on, in words; or why there are none.")
    decisions: int = Field(description="Decisions of the seat that were looked at.")
    playouts: int = Field(description="Games that were played on to their end for it.")
    points: list[ReviewPoint]
    costliest: list[CostlyDecision] = Field(description="At most three, the costliest first.")
