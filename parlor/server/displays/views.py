"""The view of a game that has no schema of its own."""

from __future__ import annotations

from typing import Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from parlor.server.schemas.common import Shape

Value = TypeAliasType("Value", "int | float | str | list[Value]")


class GenericView(Shape):
    """A seat's view of a game without a schema of its own: its fields by name, as in the rules."""

    kind: Literal["generic"] = "generic"
    player: int | None = Field(description="Who sees it; null: a spectator, who sees only what everybody sees.")
    fields: dict[str, Value]
    display: dict[str, Value] = Field(
        description="The result of the game's `display`: names with words, numbers and lists, for drawings; empty if "
        "it has none."
    )
