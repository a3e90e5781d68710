"""The page about agents is true: its agents play, its sessions run as shown, its commands work."""

import doctest
import re
import shlex
import sys
from pathlib import Path

import pytest

from parlor.cli.main import main

pytestmark = pytest.mark.slow

DOC = (Path(__file__).parents[2] / "docs" / "agents.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", DOC, re.M | re.S)


@pytest.fixture(autouse=True)
def agents_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's file of agents, in a folder in which one works."""
    written = blocks("python")
    assert all(block.startswith("# my_agents.py") for block in written)
    (tmp_path / "my_agents.py").write_text("\n\n".join(written))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_agents", raising=False)


def test_the_sessions_run_as_shown() -> None:
    pytest.importorskip("pyspiel")
    session = doctest.DocTestParser().get_doctest("\n".join(blocks("pycon")), {}, "agents.md", None, 0)
    assert len(session.examples) > 12
    told: list[str] = []
    doctest.DocTestRunner().run(session, out=told.append)
    assert not told, "".join(told)


COMMANDS = [line.removeprefix("$ parlor ") for block in blocks("console") for line in block.splitlines()]


@pytest.mark.parametrize("command", [line for line in COMMANDS if not line.startswith(("play", "serve"))])
def test_the_commands_work(command: str) -> None:
    few = re.sub(r"(--games|--evaluate-every|--evaluate-games) \d+", r"\1 10", command)
    assert main(shlex.split(few)) == 0
