"""Terminals and pipes as they are: cut off, without Unicode, interrupted, full."""

import io
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from parlor.cli import screen
from parlor.cli.main import main

PARLOR = f"{sys.executable} -m parlor"


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "COLUMNS": "120", **environment}
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, errors="replace", timeout=120, env=env
    )


def printed_to(stdout: io.TextIOWrapper, stderr: io.TextIOWrapper, *arguments: str) -> int:
    """Run `parlor` in this process, on these streams; returns the exit code."""
    wide = mock.patch.multiple(screen.out, _width=120), mock.patch.multiple(screen.err, _width=120)
    with mock.patch.object(sys, "stdout", stdout), mock.patch.object(sys, "stderr", stderr), wide[0], wide[1]:
        code = main(arguments)
    stdout.flush()  # as Python does when it ends
    stderr.flush()
    return code


def ascii_stream() -> tuple[io.BytesIO, io.TextIOWrapper]:
    """A stream that knows only ASCII, and what was written to it."""
    written = io.BytesIO()
    return written, io.TextIOWrapper(written, encoding="ascii")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", ["games", "train --help", "games --json", "--help", "agents"])
def test_nobody_reads_on(arguments: str) -> None:
    """`true` has left before anything is written; a command that writes late or much finds nobody there."""
    reader, writer = os.pipe()
    os.close(reader)
    told, stderr = ascii_stream()
    with open(writer, "w") as stdout:
        assert printed_to(stdout, stderr, *arguments.split()) == 141
    assert told.getvalue() == b""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "reader"), [("games", "head -1"), ("games --json", "head -c 9"), ("--help", "true")]
)
def test_nobody_reads_on_in_a_shell(arguments: str, reader: str) -> None:
    """`head` leaves after a line."""
    result = shell(f"{PARLOR} {arguments} | {reader}; exit ${{PIPESTATUS[0]}}")
    assert result.returncode in (0, 141), result.stderr
    assert result.stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize("arguments", ["games", "serve --help", "--help", "check kuhn --games 5", "solve nosuch…"])
def test_a_terminal_that_knows_only_ascii(arguments: str) -> None:
    (told, stdout), (remarked, stderr) = ascii_stream(), ascii_stream()
    assert printed_to(stdout, stderr, *arguments.split()) == (1 if "nosuch" in arguments else 0)
    assert (told.getvalue() + remarked.getvalue()).isascii()


@pytest.mark.slow
def test_ascii_looks_like_what_was_meant() -> None:
    result = shell(f"{PARLOR} games", PYTHONIOENCODING="ascii")
    assert result.returncode == 0
    assert result.stderr == ""
    assert result.stdout.isascii()
    assert "2-4" in result.stdout  # players of Kuhn


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
def test_a_full_disk_is_a_sentence() -> None:
    result = shell(f"{PARLOR} --help > {FULL}")
    assert result.returncode == 1
    assert result.stderr == "parlor: No space left on device.\n"
    told, stderr = ascii_stream()
    with FULL.open("w") as stdout:
        assert printed_to(stdout, stderr, "games") == 1
    assert told.getvalue() == b"parlor: No space left on device.\n"


@pytest.mark.parametrize("module", ["numpy", "tyro", "parlor.cli.commands.train"])
def test_an_interrupt_during_imports_is_one_line(module: str) -> None:
    """A finder that presses Ctrl-C when a module is about to be imported."""
    code = f"""
import os, signal, sys
import parlor.cli.main
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.exit(parlor.cli.main.main(["train", "leduc"]))
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert result.returncode == 130
    assert result.stderr.strip() == "parlor: interrupted."
