"""Errors caused by what a person requested, and errors in a person's own code as sentences."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PACKAGE = str(Path(__file__).parents[1])


class GameError(ValueError):
    """A request that a game cannot fulfil; the message is a sentence for the person who made it."""


class AgentError(GameError):
    """An agent gave an invalid answer. The message is for its author: it may reveal what the agent holds."""


class Forfeit(AgentError):
    """An agent has lost its game by failing. A match counts that game as lost and goes on."""

    def __init__(self, message: str, player: int) -> None:
        super().__init__(message)
        self.player = player


@contextmanager
def errors_as_sentences(who: str, kind: type[GameError] = AgentError) -> Iterator[None]:
    """Within this, an error in the user's code becomes a sentence with its file and line.

    An AgentError is one already. With PARLOR_TRACEBACK in the environment the original error is raised.
    """
    try:
        yield
    except AgentError:
        raise
    except Exception as error:
        if "PARLOR_TRACEBACK" in os.environ:
            raise
        raise kind(f"{who} failed{place(error)}: {type(error).__name__}: {str(error).rstrip('.')}.") from error


def place(error: Exception) -> str:
    """The last line of the user's own code that led to an error."""
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [f for f in frames if not f.filename.startswith((PACKAGE, "<")) and "site-packages" not in f.filename]
    return f" in {Path(theirs[-1].filename).name}, line {theirs[-1].lineno}, in {theirs[-1].name}" if theirs else ""
