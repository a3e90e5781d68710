"""Legal moves, and events."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from parlor.server.schemas.common import Shape


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


class Event(Shape):
    """Something that happened, as far as the reader sees it."""

    ply: int
    by: Literal["you", "agent", "person", "chance"] = Field(
        description="Who decided; agent at your own seat: one that played for you."
    )
    actor: int | None = Field(description="The player who did it; null: chance.")
    move: MoveInfo | None = Field(description="The move, unless it is secret.")
    text: str
    secret: bool = Field(description="Whether the move is hidden from you.")
    told: list[str] = Field(
        default=[], description="What the reader has seen happen by it, in sentences, if the game tells it."
    )
