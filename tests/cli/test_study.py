"""`parlor study`: its commands, and those that need no server."""

import asyncio
import json
import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from parlor.cli.commands import study
from parlor.server.tables.store import Store
from parlor.study.data.store import signature, study_row
from tests.cli.test_cli import parlor

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("command", study.COMMANDS)
def test_every_command_of_a_study_explains_itself(command: str) -> None:
    text = parlor("study", command, "--help").stdout
    assert f"usage: parlor study {command} " in text
    assert "Examples:" in text


def test_a_study_to_begin_from_has_no_mistakes(tmp_path: Path) -> None:
    said = parlor("study", "new", "new/study.toml", cwd=tmp_path).stderr
    assert "study.toml is written" in said
    text = parlor("study", "check", "new/study.toml", "--participants", "346", cwd=tmp_path).stdout
    assert "No mistakes were found." in text
    assert "HvH, 64.0% of them: wait until 6 are there, then 5 games with one another" in text
    assert "HvA, 36.0% of them: 5 games with IndRL, Comp1, Comp2, Coop, Fair" in text
    assert "gets USD 2.50 at least and USD 7.50 at most" in text
    assert "at most USD 2,595.00." in text
    assert "blanks to fill in: [your name]" in text


def test_a_study_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text("mine")
    said = parlor("study", "new", "study.toml", cwd=tmp_path, code=1).stderr
    assert said == "parlor: study.toml exists already; choose another name, or delete it first.\n"
    assert (tmp_path / "study.toml").read_text() == "mine"


def test_what_a_study_means_for_programs(tmp_path: Path) -> None:
    parlor("study", "new", "poker.toml", "--like", "leduc", cwd=tmp_path)
    told = json.loads(parlor("study", "check", "poker.toml", "--json", cwd=tmp_path).stdout)
    assert told["pay"]["least"] == 2.0
    assert told["pay"]["most"] is None
    assert told["minutes"]["games"] == pytest.approx(3 * (90 + 8) / 60)
    assert told["minutes"]["waiting"] == 5.0
    assert len(told["hash"]) == 64


def test_mistakes_are_listed_with_their_lines(tmp_path: Path) -> None:
    parlor("study", "new", "study.toml", cwd=tmp_path)
    path = tmp_path / "study.toml"
    path.write_text(
        path.read_text()
        .replace("share = 0.64", "share = 0.6")
        .replace('agent = "fair"', 'agent = "fain"')
        .replace('"coop"', '"coob"')
    )
    lines = parlor("study", "check", "study.toml", cwd=tmp_path, code=1).stderr.splitlines()
    assert lines[0] == "parlor: study.toml has 3 mistakes."
    assert lines[1].startswith("study.toml, line ")
    assert lines[1].endswith(": The shares of the conditions sum to 0.96, not to 1.")
    assert "There is no agent 'coob'; did you mean coop?" in lines[2]
    assert "There is no agent 'fain'; did you mean fair?" in lines[3]


def test_links_cannot_be_guessed(tmp_path: Path) -> None:
    parlor("study", "new", "study.toml", cwd=tmp_path)
    links = parlor("study", "links", "study.toml", "--count", "3", "--url", "https://a.org/", cwd=tmp_path).stdout
    found = re.findall(r"^https://a\.org/study\?PROLIFIC_PID=([0-9a-f]{24})$", links, re.M)
    assert len(set(found)) == 3


def test_signed_links_let_people_in(tmp_path: Path) -> None:
    parlor("study", "new", "poker.toml", "--like", "leduc", cwd=tmp_path)
    parlor("study", "links", "poker.toml", "--count", "2", "--out", "links.txt", cwd=tmp_path)
    links = (tmp_path / "links.txt").read_text().splitlines()
    secret = asyncio.run(_secret(f"sqlite:///{tmp_path}/parlor-data/poker.db"))
    for link in links:
        query = dict(parse_qsl(urlsplit(link).query))
        assert query["signature"] == signature(secret, query["participant"])
    again = parlor("study", "links", "poker.toml", "--count", "1", cwd=tmp_path).stdout
    query = dict(parse_qsl(urlsplit(again.strip()).query))
    assert query["signature"] == signature(secret, query["participant"])


async def _secret(url: str) -> str:
    store = Store(url)
    try:
        row = await study_row(store)
        assert row is not None
        return str(row["secret"])
    finally:
        await store.close()
