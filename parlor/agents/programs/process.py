"""A program that answers lines with lines, watched: nothing it does or leaves out can make its user wait for ever."""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence

MAX_LINE = 1 << 20  # bytes of one answer
MAX_AHEAD = 1 << 22  # bytes that a program may write without having been asked
KEPT_ERRORS = 2000  # bytes: the end of what it writes to standard error
PIECE = 1 << 16  # bytes read at once
EXIT_SECONDS = 1.0  # between the last message and the end by force


class ProgramFailure(Exception):
    """A program has failed; `kind` is one of `KINDS`, the message a sentence without its subject."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


MISSING = "was not found"

#: How programs fail, in the words of tables.
KINDS = {
    "crash": "ended or could not be started",
    "timeout": "did not answer in time",
    "garbage": "wrote what is no answer",
    "illegal": "answered with what cannot be played",
}


class Process:
    """A running program. Everything is written and read with a deadline."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start it; ProgramFailure if that is impossible."""
        if shutil.which(command[0]) is None:
            found = os.path.exists(command[0])
            raise ProgramFailure("crash", "cannot be run: is it executable?" if found else MISSING)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the match, which then says goodbye
            )
        except OSError as error:
            raise ProgramFailure("crash", f"could not be started: {error.strerror}") from None
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        assert all(pipes)
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in pipes if pipe is not None)
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        self._selector = selectors.DefaultSelector()
        self._finalizer = weakref.finalize(self, _end, self._process, self._selector)  # also when Python ends
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._read = bytearray()
        self._errors = b""

    def write(self, line: bytes, deadline: float) -> None:
        """Send a line; what the program writes meanwhile is kept."""
        left = memoryview(line + b"\n")
        while left:
            try:
                left = left[os.write(self._stdin, left) :]
            except BlockingIOError:
                self._wait(deadline, "did not read what it was sent", writing=True)
            except OSError:
                raise self._ended() from None

    def read(self, deadline: float) -> bytes:
        """The next line."""
        while (end := self._read.find(b"\n")) < 0:
            if len(self._read) > MAX_LINE:
                raise ProgramFailure("garbage", f"wrote a line of more than {MAX_LINE:,} bytes")
            begun = " only half a line" if self._read else " nothing"
            self._wait(deadline, f"wrote{begun} in the time it had")
        line = bytes(self._read[:end])
        del self._read[: end + 1]
        return line

    def _wait(self, deadline: float, late: str, writing: bool = False) -> None:
        """Wait until something can be read (or written), and read it."""
        if writing:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        try:
            ready = self._selector.select(max(0.0, deadline - time.monotonic()))
        finally:
            if writing:
                self._selector.unregister(self._stdin)
        if not ready:
            raise ProgramFailure("timeout", late)
        for key, _ in ready:
            if key.fd != self._stdin:
                self._take(key.fd)

    def _take(self, pipe: int) -> None:
        """Read from a pipe that has something, or has been closed."""
        try:
            piece = os.read(pipe, PIECE)
        except BlockingIOError:
            return
        if pipe == self._stderr:
            self._errors = (self._errors + piece)[-KEPT_ERRORS:]
            if not piece:
                self._selector.unregister(pipe)
        elif piece:
            self._read += piece
            if len(self._read) > MAX_AHEAD:
                raise ProgramFailure("garbage", f"wrote more than {MAX_AHEAD:,} bytes that nobody had asked for")
        else:
            raise self._ended()

    def _ended(self) -> ProgramFailure:
        """The failure of a program that has ended or closed its output."""
        try:
            code = self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return ProgramFailure("crash", "closed its output")
        with contextlib.suppress(OSError):
            self._errors = (self._errors + os.read(self._stderr, PIECE))[-KEPT_ERRORS:]
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        lines = self._errors.decode(errors="replace").strip().splitlines()
        return ProgramFailure("crash", f"{how}; its last words: {lines[-1][:200]}" if lines else how)

    def close(self) -> bool:
        """End it: by the end of its input, after a while by force. Whether it went by itself."""
        with contextlib.suppress(OSError):
            self._process.stdin.close()  # type: ignore[union-attr]
        try:
            self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        finally:
            self.kill()
        return True

    def kill(self) -> None:
        """End it at once, with all processes it has started."""
        self._finalizer()


def _end(process: subprocess.Popen[bytes], selector: selectors.BaseSelector) -> None:
    """End a program, if it still runs, with all processes it has started; close its pipes."""
    if process.poll() is None:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    selector.close()
    for pipe in (process.stdin, process.stdout, process.stderr):
        with contextlib.suppress(OSError):
            pipe.close()  # type: ignore[union-attr]


def words_of(command: str) -> list[str]:
    """The words of a command line, as a shell would split it."""
    return shlex.split(command)
