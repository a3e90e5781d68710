"""`parlor empirical-game`: plays, keeps, solves, ranks, draws; what is wrong gets a sentence and leaves no file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from parlor.cli.main import main

KUHN = ["empirical-game", "kuhn", "random", "solver"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main([*arguments, "--json"]) == 0
    row: dict[str, Any] = json.loads(capsys.readouterr().out)
    return row


@pytest.mark.slow
def test_it_is_played_kept_and_opened_again(capsys: pytest.CaptureFixture[str]) -> None:
    first = told(capsys, *KUHN, "--games", "60", "--out", "game.json", "--threads", "1")
    assert (first["games"], first["file"], first["failures"]) == (240, "game.json", {})
    again = told(capsys, *KUHN, "--games", "80", "--out", "game.json")  # the same command goes on
    assert again["games"] == 320
    opened = told(
        capsys, "empirical-game", "game.json", "--meta", "mgcce", "prd(iterations=50)", "--resamples", "9", "--rank"
    )
    assert opened["games"] == 320
    assert list(opened["mixtures"]) == ["mgcce", "prd(iterations=50)"]
    assert opened["mixtures"]["mgcce"]["cce_gap"] < 1e-6
    assert set(opened["rankings"]) == {"mean", "alpha-rank", "nash-average", "nash-response", "borda"}
    [mine, theirs] = opened["rankings"]["mean"]
    assert set(mine["agents"]) == {"random", "solver"}
    assert (mine["player"], theirs["player"]) == (0, 1)
    more = told(
        capsys, "empirical-game", "game.json", "--width", "0.2", "--symmetric", "--resamples", "9", "--rank", "mece"
    )
    assert more["games"] > 320
    assert [row["player"] for row in more["rankings"]["mece"]] == [None]
    means = told(capsys, "empirical-game", "game.json", "--symmetric", "--measure", "inequity", "--of-means")
    assert (means["of_means"], means["payoffs"][0][0][0], means["payoffs"][0][0][1] < 0) == (True, 0.0, True)


@pytest.mark.slow
def test_tables_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--exact", "--symmetric", "--meta", "nash", "--rank", "nash-average", "--figure", "map.svg"]
    assert main([*KUHN, *flags]) == 0
    text = capsys.readouterr().out
    assert "kuhn, 2 × 2 strategies, seats drawn; payoff of the row; known exactly" in text
    assert "nash, independent" in text
    assert "expected payoffs 0.000, 0.000; social welfare 0.000" in text
    assert "gain by deviating: 0 if all mix on their own (NashConv)" in text
    assert text.index("solver", text.index("ranking")) < text.index("random", text.index("ranking"))
    assert "map.svg" in text
    assert Path("map.svg").exists()
    assert main(["empirical-game", "normal-form(preset=chicken)", "--meta", "mnce"]) == 0
    assert "together: go on · swerve 0.500; swerve · go on 0.500" in capsys.readouterr().out
    assert main(["empirical-game", "kuhn", "random", "/", "solver", "random", "--games", "20"]) == 0
    assert "kuhn, 1 × 2 strategies; payoff; 40 games, seed 0, 95 % intervals" in capsys.readouterr().out


@pytest.mark.slow
def test_python_code_is_played_in_processes_too(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.py").write_text(
        "def timid(seen):\n    return 'pass'\n\ndef broken(seen):\n    raise ValueError('I forgot')\n"
    )
    agents = ["empirical-game", "kuhn", "random", "mine.py:timid"]
    one = told(capsys, *agents, "--games", "30", "--threads", "1", "--out", "one.json")
    told(capsys, *agents, "--games", "30", "--threads", "2", "--out", "two.json")
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()
    assert one["games"] == 120
    assert main(["empirical-game", "one.json", "mine.py:broken", "--games", "30", "--threads", "1"]) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert "mine.py:broken and 4 more cells could not be played" in said
    assert "ValueError: I forgot" in said
    assert "Left out, without all of their games: mine.py:broken." in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["kuhn"], "Name agents that play kuhn"),
        (["kuhn", "nobody"], "There is no agent 'nobody'"),
        (["kuhn", "random", "--meta", "magic"], "There is no meta-solver 'magic'"),
        (["kuhn", "random", "--meta", "prd(speed=1)"], "prd has no setting 'speed'"),
        (["kuhn", "random", "--rank", "elo"], "There is no ranking 'elo'"),
        (["kuhn", "random", "--measure", "beauty"], "There is no measure 'beauty'"),
        (["kuhn", "random", "--figure", "map.txt"], "map.txt should end in .svg, .png or .pdf"),
        (["kuhn", "random", "--figure", "map.svg", "--figure-kind", "pie"], "There is no drawing 'pie'"),
        (["kuhn", "random", "--only", "solver"], "solver is not in the empirical game"),
        (["kuhn", "random", "--width", "-1"], "games and width must not be negative"),
        (["kuhn", "random", "/", "solver", "/", "solver"], "kuhn has 2 players, but there are 3 lists of agents"),
        (["missing.json"], "There is no file missing.json"),
    ],
)
def test_what_is_wrong_gets_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    begun = ["--games", "2"] if arguments[1:2] == ["random"] else []
    kept = ["--out", "game.json"] if "nobody" in arguments else []
    assert main(["empirical-game", *arguments, *begun, *kept]) != 0
    assert sentence in " ".join(capsys.readouterr().err.split())
    assert not list(tmp_path.iterdir())


def test_another_empirical_game_is_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, *KUHN, "--games", "10", "--out", "game.json")
    before = Path("game.json").read_bytes()
    for other in (["--seed", "1"], ["--symmetric"]):
        assert main([*KUHN, "--games", "10", "--out", "game.json", *other]) == 1
        assert "game.json is another empirical game: its" in capsys.readouterr().err
    assert Path("game.json").read_bytes() == before
