"""The parts of the page's JSON that a game's own display can make: moves, facts about decisions, achievable payoffs."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_SEED = 2**53 - 1  # the largest integer of JavaScript


class Shape(BaseModel):
    """A model without unknown fields."""

    model_config = ConfigDict(extra="forbid")


# --------------------------------------------------------------------------------------------------- moves


class MoveInfo(Shape):
    """A move or an outcome as data: its verb, amount, card and recipient; and its text for people."""

    id: int
    name: str = Field(description="The name in records.")
    text: str
    actor: int | None = Field(description="The player who makes it; null: chance.")
    verb: str
    amount: int | None
    card: str | None
    to: int | None = Field(description="The player who gets something.")
    details: dict[str, int | str] = Field(description="Further data of the game.")


class MoveRange(Shape):
    """Moves that differ only by their amount: every `step` from the `least` to the `most`; ids go up by `id_step`."""

    least: int
    most: int
    step: int
    id_step: int


class MoveChoice(Shape):
    """A detail of a move that is to be chosen, and its possible values."""

    name: str
    values: list[int | str]


class LegalMove(MoveInfo):
    """A legal move. Its card is in `place`; `pays` is what it contributes to a debt.

    With a `range` it stands for many moves, of which it is the first. With `choices` it stands for all combinations of
    them: ids go up by one from the id given here, and the last choice changes fastest.
    """

    range: MoveRange | None = None
    choices: list[MoveChoice] = []
    place: Literal["hand", "bank", "property"] | None = None
    pays: int | None = None
    explanation: str = ""


class BlockedMove(Shape):
    """Something that one might want to do but cannot now, and why. With a card it is about that card."""

    verb: str
    card: str | None = None
    reason: str


# --------------------------------------------------------------------------------------------------- minds


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


# --------------------------------------------------------------------------------------------------- payoffs


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
