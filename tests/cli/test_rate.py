"""`parlor rate` writes a cross table that the server turns into levels; `parlor solve` says what its result means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from parlor.cli.main import main
from parlor.server.catalogue.catalogue import Catalogue
from tests.populations import as_run, grown


def test_everybody_who_plays_a_game_gets_a_level(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solved = str(tmp_path / "kuhn.json")
    assert main(["solve", "kuhn", "--iterations", "200", "--out", solved, "--json"]) == 0
    capsys.readouterr()
    rated = ["rate", "kuhn", "--agents", str(tmp_path), "--games", "200", "--seconds", "5", "--json"]
    assert main(rated) == 0
    [told] = json.loads(capsys.readouterr().out)
    names = {agent["agent"]: agent["name"] for agent in told["agents"]}
    assert names == {"random": "Random", "look-ahead(rollouts=5)": "Look-ahead Lou", solved: "Kuhn master"}
    assert told["table"] == str(tmp_path / "tables" / "kuhn.json")
    listed = {agent.id: agent for agent in Catalogue([tmp_path]).agents("kuhn")}
    assert {id for id, agent in listed.items() if agent.rating is not None} == {"random", "look-ahead", "kuhn"}
    levels = {agent["agent"]: agent["level"] for agent in told["agents"]}
    assert listed["random"].level == levels["random"]
    assert listed["kuhn"].level is None  # its interval and that of look-ahead overlap
    assert main([*rated[:-1]]) == 0
    text = capsys.readouterr().out
    assert "hardest to beat" in text
    assert "Kuhn master" in text


def test_a_population_takes_part_without_tree_searches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_run(grown("kuhn", 2), tmp_path / "run")
    assert main(["rate", "kuhn", "--agents", str(tmp_path), "--games", "20", "--json"]) == 0
    told = capsys.readouterr()
    assert "does not take part" not in told.err
    [rows] = json.loads(told.out)
    run = str(tmp_path / "run")
    populations = {run, f"sampled(population={run})", f"self-posterior(population={run})"}
    assert {agent["agent"] for agent in rows["agents"]} == {"random", "look-ahead(rollouts=5)", "solver", *populations}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rate"], "parlor rate leduc"),
        (["rate", "chess"], "There is no game 'chess'"),
        (["rate", "kuhn", "--seconds", "0"], "games and seconds must be above 0"),
    ],
)
def test_what_cannot_be_rated_gets_a_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--agents", str(tmp_path)]) != 0
    assert sentence in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("kuhn", "whoever knows it wins at most"),
        ("kuhn(players=3)", "among 3 players this does not say how it fares against those who do not follow it"),
        ("goofspiel(returns=total-points)", "where payoffs do not sum to 0 this does not say"),
    ],
)
def test_a_solution_says_what_it_means(
    game: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", game, "--iterations", "20", "--out", str(tmp_path / "policy.json")]) == 0
    assert sentence in " ".join(capsys.readouterr().out.split())
