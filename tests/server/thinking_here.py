"""What servers let other processes do is done in threads of this one: in most tests the process makes no difference.

Tests that change limits could not change them elsewhere, and starting processes for each server would take seconds.
What is sent to and fro is pickled all the same. `test_thinking.py` has the processes themselves.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from parlor.runs.workers import TaskAnswer, WorkerProcess
from parlor.server.catalogue import meta_solving, seating
from parlor.server.thinking import pool, thinking

LONG = 600.0  # seconds


class WorkerThread(WorkerProcess):
    """A thread that computes one task after the other. It cannot be killed: its answers are not heard any more."""

    def __init__(self) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        threading.Thread(target=_serve, args=(theirs,), daemon=True).start()

    @property
    def pid(self) -> int:
        return 0

    def stop(self) -> None:
        """Nothing can be done."""

    def kill(self) -> None:
        self.pipe.close()


def _serve(pipe: Any) -> None:
    with contextlib.suppress(EOFError, OSError):
        while True:
            function, task = pipe.recv()
            try:
                value = function(task)
                if hasattr(value, "send"):
                    for part in value:
                        pipe.send(TaskAnswer(part, last=False))
                    value = None
                pipe.send(TaskAnswer(value))
            except (EOFError, OSError):
                raise
            except Exception as error:
                pipe.send(TaskAnswer(error=error))


@contextlib.contextmanager
def thinking_here() -> Iterator[None]:
    """Within this, pools have threads, and jobs and requests have as long as a busy machine may need."""
    limits = {kind: limits._replace(seconds=LONG, queue=LONG) for kind, limits in thinking.LIMITS.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "started", lambda nice: WorkerThread())
        patch.setattr(pool, "prepare", lambda: None)
        patch.setattr(thinking, "ANSWER", 120.0)
        patch.setattr(thinking, "LIMITS", limits)
        for room in (meta_solving, seating):
            patch.setattr(room, "TIMEOUT", LONG)
            patch.setattr(vars(room)["_jobs"], "queue", LONG)
        yield
