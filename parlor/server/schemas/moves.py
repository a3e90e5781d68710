"""What can be done, and what was done."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from parlor.server.schemas.common import Shape


class MoveInfo(Shape):
    """A move or an outcome as data: what is done, how much of it, with which card, to whom; and how people read it."""

    id: int
    name: str = Field(description="By which it is recorded.")
    text: str
    actor: int | None = Field(description="The player who makes it; null: chance.")
    verb: str
    amount: int | None
    card: str | None
    to: int | None = Field(description="The player who gets something.")
    details: dict[str, int | str] = Field(description="Whatever else the game says of it.")


class MoveRange(Shape):
    """Moves that differ only by their amount: every `step` from the `least` to the `most`; ids go up by `id_step`."""

    least: int
    most: int
    step: int
    id_step: int


class LegalMove(MoveInfo):
    """Something you can do now. Its card lies in `place`; `pays` is what it contributes to a debt.

    With a `range` it stands for many moves, of which it is the first.
    """

    range: MoveRange | None = None
    place: Literal["hand", "bank", "property"] | None = None
    pays: int | None = None
    explanation: str = ""


class Event(Shape):
    """Something that happened, as far as the seat is told."""

    ply: int
    by: Literal["you", "agent", "chance"]
    actor: int | None = Field(description="The player who did it; null: chance.")
    move: MoveInfo | None = Field(description="What it was, unless that is secret.")
    text: str
    secret: bool = Field(description="You were not told what it was.")
