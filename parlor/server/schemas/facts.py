"""A fact about an agent's decision, which displays add to its mind."""

from __future__ import annotations

from parlor.server.schemas.common import Shape


class MindFact(Shape):
    """Another fact about a decision."""

    name: str
    text: str
