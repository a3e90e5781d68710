"""What can be done, and what was done."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from parlor.server.schemas.common import Shape


class MoveRange(Shape):
    """Moves that are called `before`, a number, `after`: every `step` from the `least` to the `most`."""

    before: str
    least: int
    most: int
    step: int
    after: str


class LegalMove(Shape):
    """Something you can do now. `card` lies in `place`; `pays` is what it contributes to a debt.

    With a `range` it stands for many moves, of which `name` is the first.
    """

    name: str
    range: MoveRange | None = None
    card: str | None = None
    place: Literal["hand", "bank", "property"] | None = None
    pays: int | None = None
    explanation: str = ""


class Event(Shape):
    """Something that happened, as far as the seat is told."""

    ply: int
    by: Literal["you", "agent", "chance"]
    player: int | None
    text: str
    secret: bool = Field(description="You were not told what it was.")
