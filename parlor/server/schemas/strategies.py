"""Table policies, information set by information set."""

from __future__ import annotations

from pydantic import Field

from parlor.server.schemas.common import Shape
from parlor.server.schemas.games import AgentRef


class InfosetAction(Shape):
    """An action of an information set."""

    name: str
    text: str
    probability: float
    regret: float | None


class Infoset(Shape):
    """An information set of a table policy."""

    key: str
    player: int | None
    words: str
    actions: list[InfosetAction]
    visits: int | None
    reach: float | None
    entropy: float = Field(description="In bits.")


class InfosetPage(Shape):
    """Some of the information sets that were asked for."""

    agent: AgentRef
    game: str
    players: int
    all: int = Field(description="Information sets of the policy.")
    total: int = Field(description="Of which so many fit the question.")
    offset: int
    action_words: dict[str, str] = Field(description="All its actions by name, as people read them.")
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
    distance: float = Field(description="Total variation: the probability with which they would part.")


class ComparisonPage(Shape):
    """Two policies at the same information sets."""

    a: AgentRef
    b: AgentRef
    game: str
    total: int
    offset: int
    all: int = Field(description="Information sets that either of them knows.")
    mean_distance: float = Field(description="Over those that fit the question.")
    players: int
    action_words: dict[str, str] = Field(description="All their actions by name, as people read them.")
    items: list[ComparedInfoset]
