"""Long computations in a process of their own, one at a time: threads, and the server's process, are for everybody."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import parlor

BUSY = "The server is solving another game just now; try again in a few seconds."


class Busy(Exception):
    """Another job is running, and another waits, or it takes too long."""


class JobQueue:
    """Those who want to compute: one does, one waits, others are sent away."""

    def __init__(self, wait: float) -> None:
        """The second waits so many seconds."""
        self.wait = wait
        self._one_at_a_time = threading.Lock()
        self._few = threading.BoundedSemaphore(2)

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Within this, nobody else computes; `Busy` if that is not possible soon."""
        if not self._few.acquire(blocking=False):
            raise Busy
        try:
            if not self._one_at_a_time.acquire(timeout=self.wait):
                raise Busy
            try:
                yield
            finally:
                self._one_at_a_time.release()
        finally:
            self._few.release()


def run_module(
    module: str, arguments: tuple[str, ...], timeout: float, given: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a module of Parlor in a process of its own; `subprocess.TimeoutExpired` if it takes too long."""
    folders = os.pathsep.join(filter(None, (str(Path(parlor.__file__).parents[1]), os.environ.get("PYTHONPATH"))))
    command, environment = [sys.executable, "-m", module, *arguments], os.environ | {"PYTHONPATH": folders}
    return subprocess.run(command, input=given, capture_output=True, timeout=timeout, env=environment, check=False)


def be_nice() -> None:
    """Let moves of running games come first."""
    if hasattr(os, "nice"):
        os.nice(5)
