"""Tabular policies, information set by information set."""

from __future__ import annotations

from pydantic import Field

from parlor.page.seated_agent import AgentRef
from parlor.page.shapes import Shape


class InfosetAction(Shape):
    """An action of an information set."""

    name: str
    text: str
    probability: float
    regret: float | None


class Infoset(Shape):
    """An information set of a tabular policy."""

    key: str
    player: int | None
    words: str
    actions: list[InfosetAction]
    visits: int | None
    reach: float | None
    entropy: float = Field(description="In bits.")


class InfosetPage(Shape):
    """A page of the information sets that were requested."""

    agent: AgentRef
    game: str
    players: int
    all: int = Field(description="Information sets of the policy.")
    total: int = Field(description="How many of them match the query.")
    offset: int
    action_words: dict[str, str] = Field(description="All its actions: names -> texts for people.")
    items: list[Infoset]


class ComparedInfoset(Shape):
    """An information set as two policies play it; `b` in the order of `names`."""

    key: str
    player: int | None
    words: str
    names: list[str]
    a: list[float] | None
    b: list[float] | None
    visits_a: int | None
    visits_b: int | None
    distance: float = Field(description="Total variation distance.")


class ComparisonPage(Shape):
    """Two policies at the same information sets."""

    a: AgentRef
    b: AgentRef
    game: str
    total: int
    offset: int
    all: int = Field(description="Information sets in either policy.")
    mean_distance: float = Field(description="The mean over those that match the query.")
    players: int
    action_words: dict[str, str] = Field(description="All their actions: names -> texts for people.")
    items: list[ComparedInfoset]
