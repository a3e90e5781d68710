"""The demo makes what is missing, in order, and can be stopped between any two of its commands."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from parlor.cli import main as cli
from parlor.cli.arguments import parse
from parlor.cli.commands.server import demo
from parlor.cli.commands.server.demo import Demo
from parlor.game import GameError

PLAN: list[dict[str, Any]] = [
    {"say": "First …", "run": ["solve a --out DIR/a.npz", "solve b --out DIR/b"], "quiet": True},
    {"say": "Then …", "run": ["rate a --agents DIR"]},
]


class Commands:
    """Instead of processes: which were begun, and how they end."""

    def __init__(self) -> None:
        self.begun: list[list[str]] = []
        self.codes: dict[str, int] = {}

    def run(self, command: list[str], **_: Any) -> subprocess.CompletedProcess[bytes]:
        assert command[:3] == [sys.executable, "-m", "parlor"]
        self.begun.append(command[3:])
        return subprocess.CompletedProcess(command, self.codes.get(command[4], 0))


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> Commands:
    made = Commands()
    monkeypatch.setattr(subprocess, "run", made.run)
    return made


def planned(folder: Path) -> Demo:
    made = Demo(folder)
    made.plan = PLAN
    return made


def test_what_is_ready_is_not_made_again(tmp_path: Path, commands: Commands) -> None:
    commands.codes["b"] = 130
    assert planned(tmp_path).make() == 130
    assert [line[1] for line in commands.begun] == ["a", "b"]
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "half").touch()
    (tmp_path / "a.npz").touch()
    commands.begun.clear()
    commands.codes.clear()
    assert planned(tmp_path).make() == 0
    assert commands.begun == [
        ["solve", "b", "--out", f"{tmp_path}/b"],
        ["rate", "a", "--agents", str(tmp_path)],
    ]
    assert not (tmp_path / "b").exists(), "what an interrupted command has left is in the way of the next"
    assert (tmp_path / "a.npz").exists()
    assert planned(tmp_path).missing() == []


def test_another_version_makes_everything_again(tmp_path: Path, commands: Commands) -> None:
    assert planned(tmp_path).make() == 0
    kept = json.loads((tmp_path / demo.DONE).read_text())
    (tmp_path / demo.DONE).write_text(json.dumps(kept | {"commit": "another"}))
    assert [part["run"] for part in planned(tmp_path).missing()] == [part["run"] for part in PLAN]


def test_a_part_is_left_out_where_what_it_needs_is_not_installed(tmp_path: Path) -> None:
    made = Demo(tmp_path)
    made.plan = [PLAN[0] | {"needs": ["numba", "no-such-package"]}, PLAN[1] | {"needs": ["numba"]}]
    assert [part["run"] for part in made.missing()] == [PLAN[1]["run"]]


def test_a_record_that_cannot_be_read_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / demo.DONE).write_text("{")
    with pytest.raises(GameError, match="cannot be read; delete"):
        Demo(tmp_path)


@pytest.mark.slow
def test_every_command_of_the_plan_is_one(tmp_path: Path) -> None:
    made = Demo(tmp_path)
    lines = [line for part in made.plan for line in part["run"]]
    assert len(lines) == len(set(lines)) > 30
    for line in lines:
        name, *rest = made._arguments(line)
        command = import_module(f"parlor.cli.commands.{cli._module(name)}")
        options_type = command.Options
        if hasattr(command, "options_for"):
            options_type, rest = command.options_for(rest)
        parse(options_type, rest, "parlor", "")
    written = [words[words.index("--out") + 1] for words in map(shlex.split, lines) if "--out" in words]
    assert len(written) == len(set(written))


@pytest.mark.slow
def test_the_page_is_there_at_once_and_what_is_made_beside_it_ends_with_it(tmp_path: Path) -> None:
    """In a real process: the command that is under way ends as well."""
    url = f"sqlite:///{tmp_path}/parlor.db"
    command = [sys.executable, "-m", "parlor", "demo", "--port", "0", "--out", str(tmp_path / "demo")]
    with subprocess.Popen(
        [*command, "--database-url", url], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=tmp_path
    ) as server:
        try:
            assert server.stdout is not None
            said = ""
            while "Ctrl-C stops it" not in said:
                line = server.stdout.readline()
                assert line, said
                said += line
            _wait_for_work(tmp_path / "demo")
            server.send_signal(signal.SIGINT)
            server.wait(240)
        finally:
            server.kill()
    assert _left_of(tmp_path / "demo") == []


@pytest.mark.slow
def test_what_is_made_beside_it_ends_with_whoever_is_told_to_end(tmp_path: Path) -> None:
    """By a signal that Python does not hear unless it is told to."""

    def told() -> None:
        with Demo(tmp_path / "demo").meanwhile():
            _wait_for_work(tmp_path / "demo")
            signal.raise_signal(signal.SIGTERM)

    usual = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended:
        told()
    assert ended.value.code == 128 + signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) == usual
    assert _left_of(tmp_path / "demo") == []


def _wait_for_work(folder: Path) -> None:
    while b"Training" not in (folder / "demo.log").read_bytes():
        time.sleep(0.05)


def _left_of(folder: Path) -> list[str]:
    """The processes that have to do with it."""
    return [text for text in map(_command_line, Path("/proc").glob("[0-9]*")) if str(folder) in text]


def _command_line(process: Path) -> str:
    try:
        return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""  # it has ended meanwhile


if os.name == "nt" or not Path("/proc").exists():  # pragma: no cover
    del test_the_page_is_there_at_once_and_what_is_made_beside_it_ends_with_it
    del test_what_is_made_beside_it_ends_with_whoever_is_told_to_end
