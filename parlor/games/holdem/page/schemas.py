"""The view that a seat has of hold'em, and the strategy of a blueprint as a grid of hands."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from parlor.page.seated_agent import AgentRef
from parlor.page.shapes import Shape


class HandMove(Shape):
    """A move of a hand of hold'em: `amount` is the cost of a call, or the total of a bet or a raise on its street."""

    player: int
    verb: Literal["fold", "check", "call", "bet", "raise"]
    amount: int | None = None
    all_in: bool = False
    text: str


class HandStreet(Shape):
    """The cards of a street, and the moves that were made there."""

    street: str
    cards: list[str]
    moves: list[HandMove]


class HoldemView(Shape):
    """The view that a seat has of hold'em; `bets` are of this street, `pot` is what was put in before it."""

    kind: Literal["holdem"] = "holdem"
    player: int | None = Field(description="Null: a spectator.")
    cards: list[str]
    board: list[str]
    made: str = Field(description="The hand with the board in words, from the flop on.")
    stacks: list[int]
    bets: list[int]
    pot: int
    street: str
    folded: int | None = Field(description="The player who has folded.")
    names: list[str] = Field(description="Names of the seats: button, big blind.")
    blinds: list[int]
    history: list[HandStreet]


class GridAction(Shape):
    """A move at a node of a betting tree; `share` is how often it is made there overall."""

    code: str = Field(description="Added to the line, it leads to the node after it.")
    name: str
    text: str
    kind: Literal["fold", "call", "bet", "all-in"]
    share: float
    ends: bool = Field(description="There is no decision after it.")


class GridCell(Shape):
    """One of the 169 kinds of hands."""

    hand: str
    combos: int = Field(description="Hands of this kind that the board leaves.")
    reach: float = Field(description="Probability that the blueprint makes its own moves of the line with them.")
    learned: float = Field(description="The share of them that was trained here.")
    chances: list[float] = Field(description="Probability of each action; the mean over the hands.")


class GridStep(Shape):
    """A move of the line."""

    code: str
    text: str
    street: str


class StrategyGrid(Shape):
    """The strategy of a blueprint at a node of its betting tree."""

    kind: Literal["hands"] = "hands"
    agent: AgentRef
    game: str
    cards: str
    buckets: int = Field(description="Buckets of this street.")
    infosets: int
    street: str
    player: int
    position: str
    line: list[GridStep]
    board: list[str]
    board_needed: int = Field(description="Cards that the street has, if fewer were given; then there are no cells.")
    pot: int
    stacks: list[int]
    weighting: Literal["reach", "hands", "buckets"] = Field(
        description="What shares are means over: hands, by how often the blueprint gets here with them; all hands "
        "equally, where it never does; all buckets equally, without a board."
    )
    actions: list[GridAction]
    cells: list[GridCell] = Field(description="Row by row from AA to 22; suited above the diagonal.")
