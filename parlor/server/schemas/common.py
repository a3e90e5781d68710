"""The common parts of schemas: names and numbers within bounds, and models that refuse unknown fields."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from parlor.page.shapes import MAX_SEED, Shape

MAX_PLIES = 1_000_000
MAX_OPTIONS = 40

Name = Annotated[str, StringConstraints(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$")]
PlayerName = Annotated[str, StringConstraints(strip_whitespace=True, max_length=40, pattern=r"^[^\x00-\x1f\x7f]*$")]
MoveName = Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f\x7f]+$")]
GameName = Annotated[str, StringConstraints(min_length=1, max_length=1000, pattern=r"^[^\x00-\x1f\x7f]+$")]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
Ply = Annotated[int, Field(ge=0, le=MAX_PLIES)]
ActionId = Annotated[int, Field(ge=0, le=MAX_SEED)]
Options = Annotated[dict[Name, int | bool | Name], Field(max_length=MAX_OPTIONS)]
Shown = Literal["always", "end", "never"]
Pace = Literal["at-once", "step"]


class Request(BaseModel):
    """A request: no unknown fields, and no numbers given as text."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Problem(Shape):
    """An error, in a sentence."""

    detail: str


#: How every request may be answered.
PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": Problem, "description": "The request cannot be fulfilled; nothing was changed."},
    503: {"model": Problem, "description": "The database cannot be reached; try again."},
}


class Health(Shape):
    """Whether the server and its database answer."""

    version: str
    database: Literal["sqlite", "postgresql"]
    full: list[str] = Field(
        description="Kinds of work for which requests wait, since all of their processes are taken: decisions of slow "
        "agents, minds, reviews, pages. Moves do not wait for them."
    )
    longest_stall_ms: float = Field(
        description="The longest time of the last five to ten minutes in which no request was answered, because "
        "something else was worked on or the machine was busy."
    )
