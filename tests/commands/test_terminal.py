"""Terminals and pipes as they are: cut off, without Unicode, interrupted, full."""

import os
import subprocess
import sys

import pytest

PARLOR = f"{sys.executable} -m parlor"


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "COLUMNS": "120", **environment}
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, errors="replace", timeout=120, env=env
    )


@pytest.mark.parametrize("arguments", ["games", "train --help", "games --json", "--help", "agents"])
def test_nobody_reads_on(arguments: str) -> None:
    """`head` leaves after a line; a command that writes late or much finds nobody there."""
    for reader in ("head -1", "true"):
        result = shell(f"{PARLOR} {arguments} | {reader}; exit ${{PIPESTATUS[0]}}")
        assert result.returncode in (0, 141), result.stderr
        assert result.stderr == ""


@pytest.mark.parametrize("arguments", ["games", "serve --help", "--help", "check kuhn --games 5", "solve nosuch…"])
def test_a_terminal_that_knows_only_ascii(arguments: str) -> None:
    result = shell(f"{PARLOR} {arguments}", PYTHONIOENCODING="ascii")
    assert "Traceback" not in result.stderr
    assert result.returncode == (1 if "nosuch" in arguments else 0)
    assert (result.stdout + result.stderr).isascii()


def test_ascii_looks_like_what_was_meant() -> None:
    assert "2-4" in shell(f"{PARLOR} games", PYTHONIOENCODING="ascii").stdout  # players of Kuhn


def test_a_full_disk_is_a_sentence() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    result = shell(f"{PARLOR} games > /dev/full")
    assert result.returncode == 1
    assert result.stderr == "parlor: No space left on device.\n"


@pytest.mark.parametrize("module", ["numpy", "tyro", "parlor.commands.train"])
def test_an_interrupt_during_imports_is_one_line(module: str) -> None:
    """A finder that presses Ctrl-C when a module is about to be imported."""
    code = f"""
import os, signal, sys
import parlor.cli
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.exit(parlor.cli.main(["train", "leduc"]))
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert result.returncode == 130
    assert result.stderr.strip() == "parlor: interrupted."
