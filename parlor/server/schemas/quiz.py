"""A question of the quiz "What would it do?", with its answer."""

from __future__ import annotations

from pydantic import Field

from parlor.page.seated_agent import AgentRef
from parlor.page.shapes import Shape
from parlor.server.schemas.mind import MoveChance


class QuizQuestion(Shape):
    """A situation, as the player to move sees it, and the answer: how likely the strategy makes each move there."""

    agent: AgentRef
    game: str
    player: int
    picture: str = Field(description="What the player sees, in one line.")
    said: list[str] = Field(description="The moves so far, in words.")
    moves: list[MoveChance]
