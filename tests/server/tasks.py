"""Tasks for other processes, which import nothing more than this."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Generator
from pathlib import Path

from parlor.game import GameError
from parlor.server.refusal import Refusal


def double(x: int) -> int:
    return 2 * x


def number(_: object) -> int:
    return os.getpid()


def ever(path: str) -> Generator[int]:
    """Say something, tell the number of the process, and go on for ever."""
    yield 7
    Path(path).write_text(str(os.getpid()))
    while True:
        time.sleep(1.0)


def once_more(path: str) -> int:
    """Die at the first time."""
    if not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 5


def refuses(_: object) -> None:
    raise Refusal(404, "Nothing is there.")


def unknown(name: str) -> None:
    raise GameError(f"There is no such game: {name}.")
