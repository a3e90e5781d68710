"""Players that come with Parlor: each fits the rules as they are, says how it was made, and is small."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlor
from parlor.agents.network import FOLDER, how_trained, read_network, summary_of, trained_players
from parlor.agents.registry import AGENTS, make_agent, opponent
from parlor.compile import version
from parlor.game import GameError
from parlor.game.loading import GAMES, folder_of, load
from parlor.policies.features import features
from parlor.policies.nets import initial_weights
from parlor.policies.network import NetworkPolicy
from parlor.policies.search_networks import SearchNetworks, some_outputs
from parlor.runs.files.strategy_files import load_strategy
from parlor.runs.measuring.trained_players import command_of, write_half

LARGEST, ALL = 1_000_000, 6_000_000  # bytes: of a network, and of all together
CARDS = [card for game in GAMES for card in sorted((folder_of(game) / FOLDER).glob("*.json"))]
KUHN = load("kuhn")


@pytest.mark.parametrize("path", CARDS, ids=[card.stem for card in CARDS])
def test_a_player_fits_its_game_and_its_card_says_how_it_was_made(path: Path) -> None:
    card, file = json.loads(path.read_text()), path.with_suffix(".npz")
    game, network = load(card["game"]), read_network(file)
    assert card["rules"] == network.rules == version(game), "the rules have changed: train it anew, or take it away"
    assert (card["game"], card["seed"]) == (network.game, network.about["seed"])
    assert card["decisions"] == network.about["decisions"] > 0
    assert card["command"].startswith("parlor train ")
    assert "/" not in card["command"]
    assert "dirty" not in card["code"]
    assert "+" in card["code"]  # the commit
    assert file.stat().st_size <= LARGEST
    assert card["measured"]
    for row in card["measured"]:
        assert row["games"] >= 2000
        assert row["against"] in AGENTS
        assert row["win_share"]["low"] <= row["win_share"]["value"] <= row["win_share"]["high"]
    spec = AGENTS[path.stem]
    assert spec.network is not None
    assert spec.made == how_trained(card)
    assert AGENTS[opponent(game)].network is not None  # one that was trained sits down first
    position = game.start()
    while position.turn < 0:
        position = position.after(position.legal[0])
    agent = make_agent(path.stem, game)
    assert sum(agent(position).values()) == pytest.approx(1.0)
    own = card["settings"].get("objective", "own") == "own"
    assert (agent.appraise is not None) == own  # a search can use what it expects, if that is its payoff


def test_all_players_together_are_small_and_nothing_else_lies_there() -> None:
    files = [path for game in GAMES for path in (folder_of(game) / FOLDER).glob("*")]
    assert sorted(files) == sorted([*CARDS, *(card.with_suffix(".npz") for card in CARDS)])
    assert sum(path.stat().st_size for path in files) <= ALL
    package = Path(parlor.__file__).parent
    patterns = tomllib.loads((package.parent / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    assert set(files) <= {path for pattern in patterns["parlor"] for path in package.glob(pattern)}  # in the wheel


@pytest.fixture
def network() -> NetworkPolicy:
    code, sizes = features(KUHN).code, (22, 8, 3)
    weights = initial_weights(sizes, 1)
    own, some = some_outputs(sizes, weights, 0, 2)
    whole = SearchNetworks(sizes, weights, 1.5, "own", "uniform", 64, 3.0)
    return NetworkPolicy("kuhn", version(KUHN), code, own, some, 1.0, 1.0, {"seed": 1}, search_networks=whole)


def lay(folder: Path, network: NetworkPolicy, **more: Any) -> None:
    """A player in a folder, with a card that says little."""
    write_half(network, folder / "nia.npz", "0.1.0+abc")
    card = {"title": "Nia", "game": "kuhn", "rules": network.rules, "algorithm": "ppo", "decisions": 7, "measured": []}
    (folder / "nia.json").write_text(json.dumps(card | more))


def test_a_player_is_what_was_learned_but_for_the_bits_it_lost(tmp_path: Path, network: NetworkPolicy) -> None:
    lay(tmp_path, network)
    found = load_strategy(tmp_path / "nia.npz")  # a saved strategy as any other
    assert isinstance(found, NetworkPolicy)
    np.testing.assert_array_equal(found.weights, network.weights.astype(np.float16).astype(np.float32))
    assert not np.array_equal(found.weights, network.weights)
    assert found.search_networks is not None
    assert found.search_networks.sizes == (22, 8, 3)
    with np.load(tmp_path / "nia.npz") as arrays:
        assert "weights" not in arrays  # those of the planner are the same
        assert b"command" not in arrays["header"].tobytes()
    spec = trained_players(tmp_path)["nia"]
    position = KUHN.start().after("J to player 0", "K to player 1")
    assert spec.make(KUHN, "nia")(position) == pytest.approx(found(position))


def test_a_player_sits_down_in_its_own_game_as_it_was(tmp_path: Path, network: NetworkPolicy) -> None:
    lay(tmp_path, network)
    spec = trained_players(tmp_path)["nia"]
    assert spec.plays(KUHN)
    assert not spec.plays(load("kuhn(players=3)"))
    assert not spec.plays(load("leduc"))
    old = replace(network, rules="0" * 16)
    lay(tmp_path, old)
    spec = trained_players(tmp_path)["nia"]
    assert not spec.plays(KUHN)
    with pytest.raises(GameError, match="Train it anew"):
        spec.make(KUHN, "nia")


def test_a_card_is_told_in_sentences() -> None:
    share = {"value": 0.5123, "low": 0.5, "high": 0.5249}
    row = {"against": "careful", "players": 2, "games": 4000, "in_points": False, "win_share": share}
    card = {"algorithm": "ppo", "decisions": 60_000_000, "measured": [row]}
    assert how_trained(card) == (
        "Learned by ppo: 60,000,000 decisions. Against careful it wins 51.2 (50.0 to 52.5) % of 4,000 games."
    )
    mine, theirs = {"value": 6.125, "low": 6.0, "high": 6.25}, {"value": 5.5, "low": 5.25, "high": 5.75}
    row |= {"players": 3, "in_points": True, "payoff": mine, "their_payoff": theirs}
    assert how_trained(card).endswith(
        "Against 2 × careful it gets 6.12 (6.00 to 6.25) in 4,000 games, the other 5.50 (5.25 to 5.75)."
    )


def test_a_player_says_what_it_was_paid_for() -> None:
    assert summary_of({}) == "plays what it has learned in games against itself"
    settings = {"objective": "nash-product", "past": 0.5}
    assert summary_of({"settings": settings}) == (
        "plays what it has learned in games against itself and its former versions, paid the product of all payoffs, "
        "none below zero"
    )


def test_a_command_is_told_without_what_is_of_one_machine() -> None:
    ran = "/home/me/parlor/__main__.py train 'leduc(players=3)' --threads 4 --out=/tmp/run --seed 1 --threads=2"
    assert command_of(ran) == "parlor train 'leduc(players=3)' --seed 1"
