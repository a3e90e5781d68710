"""Measures from outside: functions of a match, in Python and on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlor
from parlor.agents.registry import make_agent
from parlor.arena.match import play_match
from parlor.cli.main import main

GAME = "goofspiel(returns=total-points)"
CODE = """
def poorest(payoffs, lineups, agent):
    return payoffs.min(axis=1)


def one(payoffs, lineups, agent):
    return 1.0
"""


def poorest(payoffs: Any, lineups: Any, agent: int) -> Any:
    return payoffs.min(axis=1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(CODE)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_a_match_is_measured_by_functions_and_files() -> None:
    game = parlor.load(GAME)
    match = play_match(game, [make_agent("random", game)] * 2, 100)
    for measure in (poorest, "mine.py:poorest"):
        assert match.measure(measure).value == pytest.approx(match.payoffs.min(axis=1).mean())
        assert np.array_equal(match.values(measure), match.payoffs.min(axis=1))
    with pytest.raises(parlor.GameError, match=r"mine.py:one answered 1.0, not a finite number for each game"):
        match.measure("mine.py:one")
    with pytest.raises(parlor.GameError, match="There is no measure 'poorest'; there are: payoff, win-share"):
        match.measure("poorest")
    with pytest.raises(parlor.GameError, match="takes numbers, but is called with payoffs, lineups, agent"):
        match.measure(lambda numbers: numbers)


@pytest.mark.usefixtures("folder")
def test_evaluate_and_empirical_game_read_measures_from_files(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ["--against", "random", "--games", "20", "--measure", "mine.py:poorest", "--json"]
    assert main(["evaluate", GAME, "random", *wanted]) == 0
    (match,) = json.loads(capsys.readouterr().out)["matches"]
    assert match["measures"]["mine.py:poorest"]["value"] <= match["measures"]["payoff"]["value"]
    game = ["empirical-game", GAME, "random", "matching", "--games", "20", "--measure", "mine.py:poorest", "--json"]
    assert main(game) == 1
    assert "mine.py:poorest is not among the measures" in capsys.readouterr().err.replace("\n", " ")
    assert main([*game, "--of-means"]) == 0
