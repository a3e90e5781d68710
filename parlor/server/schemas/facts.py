"""The contents of an agent's mind: facts, the terms of its evaluation, beliefs, and search results."""

from __future__ import annotations

from pydantic import Field

from parlor.server.schemas.common import Shape
from parlor.server.schemas.moves import MoveInfo


class MindFact(Shape):
    """Another fact about a decision."""

    name: str
    text: str


class MindTerm(Shape):
    """A term of an evaluation."""

    name: str
    about: str = Field(description="How it is made, as a clause; empty: its name says it.")
    values: list[float] = Field(description="In each situation.")


class MindTerms(Shape):
    """An agent's evaluation, term by term, of the position it decides in and of those that may follow."""

    unit: str = Field(description="What is before the numbers, for example a currency.")
    situations: list[str] = Field(description="The first is the position as it is.")
    terms: list[MindTerm]
    values: list[float] = Field(description="The sum of all terms in each situation.")


class BelievedValue(Shape):
    """Something that may be true of what is hidden."""

    text: str
    probability: float


class MindBelief(Shape):
    """An agent's belief about one thing that is hidden from its player: all possible values, in their order."""

    name: str = Field(description="What it is, for example the worth of an item to another player.")
    values: list[BelievedValue]
    mean: float | None = Field(description="If these are numbers.")


class SearchedMoveInfo(Shape):
    """A move that a search has tried: how often, and the mean of what came of it."""

    move: MoveInfo
    text: str
    visits: int
    value: float | None


class MindSearch(Shape):
    """The root of an agent's search."""

    visits: int = Field(description="Of all moves together, also of those that are not listed.")
    goal: str = Field(description="What the values count; empty: the payoff of its player.")
    moves: list[SearchedMoveInfo] = Field(description="The most visited first.")
