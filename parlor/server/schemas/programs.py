"""Programs at tables."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from parlor.server.schemas.common import ActionId, MoveName, Request


class QuestionAnswer(Request):
    """The answer to a question of the line protocol: one of move, action and probabilities."""

    id: Annotated[int, Field(ge=1, le=1_000_001)]
    move: MoveName | None = None
    action: ActionId | None = None
    probabilities: Annotated[dict[MoveName, float], Field(max_length=4000)] | None = None
