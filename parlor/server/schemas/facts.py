"""What displays add to the mind of an agent: facts about its decision, and its evaluation taken apart."""

from __future__ import annotations

from pydantic import Field

from parlor.server.schemas.common import Shape


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
    """What an agent that evaluates positions makes of the one it decides in, and of what may come of its decision."""

    unit: str = Field(description="What is before the numbers, for example a currency.")
    situations: list[str] = Field(description="The first is the position as it is.")
    terms: list[MindTerm]
    values: list[float] = Field(description="The sum of all terms in each situation.")
