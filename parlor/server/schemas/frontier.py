"""The achievable payoffs of two players in a game that is over, and their Pareto frontier."""

from __future__ import annotations

from pydantic import Field

from parlor.server.schemas.common import Shape


class PossibleResult(Shape):
    """Something a game can come to, in words, and what two players get by it."""

    text: str
    payoffs: list[float] = Field(description="Of the two players of the picture, in their order.")


class MarkedResult(PossibleResult):
    """One that has a name, for example the Nash bargaining solution."""

    name: str


class Frontier(Shape):
    """The payoffs two players could have achieved with everything known, their Pareto frontier, and the result."""

    players: list[int] = Field(description="Whose payoffs these are, two.")
    possible: list[PossibleResult] = Field(description="Everything; results with the same payoffs are one.")
    frontier: list[list[float]] = Field(
        description="The Pareto frontier: corners of payoffs, from the least to the most of the first player, that "
        "neither can better without the other's loss."
    )
    marks: list[MarkedResult]
    reached: PossibleResult | None = Field(description="What came of it; null: it was not played to its end.")
