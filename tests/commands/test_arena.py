"""Agents on the command line: evaluate --against, compare, agents, play against an agent."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

import parlor as library
from parlor.agents import AGENTS
from parlor.commands.seating import seat_all
from parlor.runs.blueprint_files import save_blueprint
from tests.blueprints import tiny_blueprint
from tests.commands.test_cli import PARLOR, let_work, parlor


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A policy for leduc/ranks."""
    game = library.load("leduc/ranks")
    solved, _ = library.solve(game, "cfr+", iterations=50)
    return str(library.save(solved, tmp_path_factory.mktemp("policies") / "ranks.json"))


def test_agents_are_listed_with_their_options() -> None:
    text = parlor("agents").stdout
    assert all(name in text for name in AGENTS)
    assert "temperature=2" in text
    rows = {row["name"]: row for row in json.loads(parlor("agents", "leduc", "--json").stdout)}
    assert list(rows) == ["random"]  # the others play Monopoly Deal, or need a belief


def test_a_policy_is_measured_in_games(policy: str) -> None:
    arguments = ("evaluate", policy, "--against", "random", policy, "--games", "4000", "--start", "both")
    result = json.loads(parlor(*arguments, "--json").stdout)
    assert result["game"] == "leduc"
    assert [(m["against"], m["start"], m["duplicate"]) for m in result["matches"]] == [
        ("random", "first", False),
        ("random", "alternating", True),
        (policy, "first", False),
        (policy, "alternating", True),
    ]
    random, itself = result["matches"][1], result["matches"][3]
    assert random["payoff"]["low"] > 0
    assert itself["wins"] == itself["losses"]
    assert itself["payoff"]["value"] == 0
    again = json.loads(parlor(*arguments, "--json", "--threads", "1").stdout)
    for a, b in zip(result["matches"], again["matches"], strict=True):
        assert all(a[key] == b[key] for key in a if key not in ("seconds", "games_per_second"))
    text = parlor(*arguments).stdout
    assert "wins %" in text
    assert "alternating" in text


def test_compare_prints_a_cross_table(policy: str) -> None:
    text = parlor("compare", policy, "random", "--games", "1000").stdout
    assert "leduc, 1,000 games a pair" in text
    assert "ranks" in text
    assert "mean payoff" in text  # poker is about points
    result = json.loads(parlor("compare", policy, "random", "--games", "1000", "--json").stdout)
    assert result["agents"] == [policy, "random"]
    assert result["mean_payoffs"][0] > 0.3 > result["mean_payoffs"][1]
    assert result["matches"][0]["games"] == 1000


def test_one_can_sit_down_against_an_agent() -> None:
    text = parlor(
        "play", "leduc", "--against", "random", "--seat", "0", "--seed", "1", "--peek", given="1\n" * 3 + "q\n"
    ).stdout
    assert "player 1:" in text
    assert "█" in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("evaluate carful --against random --game monopoly-deal", "There is no agent 'carful'; did you mean careful?"),
        ("evaluate careful --against random --game kuhn", "careful plays monopoly-deal, not kuhn."),
        ("evaluate random --against random", "Say which game they play: --game monopoly-deal"),
        ("compare fish careful", "Say which game they play: --game monopoly-deal"),
        ("compare random nowhere/run --game kuhn", "There is no file or folder nowhere/run."),
        ("evaluate careful", "careful is not the file of a policy, which is what can be measured exactly"),
        ("evaluate random --against nowhere.json --game kuhn", "There is no file nowhere.json."),
        ("evaluate random --against random --game kuhn --games 0", "games must be at least 1, not 0."),
        ("evaluate random --against random --game kuhn --threads 0", "threads must lie between 1 and"),
        ("compare random --game kuhn", "It takes two to compare"),
        ("compare random random --game kuhn(players=3)", "A match is between two; kuhn(players=3) has 3 players."),
        ("agents kuhm", "There is no game 'kuhm'; did you mean kuhn?"),
        ("play kuhn --against careful", "careful plays monopoly-deal, not kuhn."),
    ],
)
def test_wrong_input_gets_a_sentence(arguments: str, sentence: str) -> None:
    assert sentence in parlor(*arguments.split(), code=1).stderr


def test_a_policy_sits_only_at_the_table_of_its_game(policy: str) -> None:
    result = parlor("evaluate", policy, "--against", "random", "--game", "kuhn", code=1)
    assert f"{policy} is a policy for leduc/ranks, but the game here is kuhn." in result.stderr


def test_a_game_too_large_to_enumerate_can_still_be_measured(tmp_path: Path) -> None:
    game = library.load("goofspiel(cards=13)")
    path = str(library.save(library.Policy.uniform(game), tmp_path / "large.npz"))
    result = parlor("evaluate", path, code=1)
    assert "is too large to be measured exactly" in result.stderr
    assert "--against random." in result.stderr


def test_an_interrupted_comparison_prints_what_was_played() -> None:
    arguments = ["compare", "random", "random", "--game", "leduc", "--games", "1000000000", "--json"]
    parlor("compare", "random", "random", "--game", "leduc", "--games", "10")  # compiles, if need be
    with subprocess.Popen([*PARLOR, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        let_work(process, 6)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Interrupted: these are the games that were played." in stderr
    assert "Traceback" not in stderr
    result = json.loads(stdout)
    assert result["interrupted"] is True
    assert 0 < result["matches"][0]["games"] < 1_000_000_000


def test_agents_of_one_game_need_not_be_told_which() -> None:
    game, agents = seat_all(["fish", "random", "rule-based"], None)
    assert game.name == "holdem"
    assert [agent.name for agent in agents] == ["fish", "random", "rule-based"]


def test_an_agent_that_is_made_from_a_file_plays_where_that_fits(tmp_path: Path) -> None:
    save_blueprint(tiny_blueprint(), tmp_path / "plan.npz")
    game, _ = seat_all(["fish", f"cfr-v1(blueprint={tmp_path / 'plan.npz'})"], None)
    assert game.name == "holdem(stack=20)"  # all streets of it
    game, _ = seat_all(["fish", str(tmp_path / "plan.npz")], None)
    assert game.name == "holdem(stack=20,streets=2)"
