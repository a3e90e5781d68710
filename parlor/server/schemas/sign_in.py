"""Signing in."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from parlor.page.shapes import Shape
from parlor.server.schemas.common import PlayerName, Request


class Credentials(Request):
    """A name and password; without a name where all share a password."""

    name: PlayerName = ""
    password: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class SignInState(Shape):
    """Whether one must sign in, by name or not, and who has."""

    required: bool
    named: bool
    name: str | None
