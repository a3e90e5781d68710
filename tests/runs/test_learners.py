"""Learners declare their settings once; flags, files and the server's answers are made from that."""

import json
from pathlib import Path
from typing import Any

import pytest

from parlor.cli.commands.train import Options
from parlor.cli.flags import flag_of
from parlor.cli.main import main
from parlor.game.loading import GAMES, load
from parlor.game.parameters import declared
from parlor.runs.config import Config, usual
from parlor.runs.learners.registry import LEARNERS, choose_learner
from parlor.runs.metrics import read_metrics


@pytest.mark.parametrize("name", LEARNERS)
def test_every_setting_is_a_flag_with_help_and_a_key_of_config_json(name: str) -> None:
    settings = declared(LEARNERS[name].settings)
    config = Config.of("kuhn", name, minutes=1.0)
    assert list(config.data()) == [one.name for one in (*declared(Config), *settings)]
    assert Config.read(json.loads(json.dumps(config.data()))) == config
    for one in (*declared(Config), *settings):
        assert one.help
        assert flag_of(one) in Options.__dataclass_fields__


def test_a_file_of_an_earlier_version_had_the_settings_of_all_learners() -> None:
    everything: dict[str, Any] = {
        "rollouts": 20,
        "explore": 0.6,
        "decay": 0.99,
        "cards": "",
        "buckets": [],
        "prune": 0.0,
    }
    config = Config.read({"game": "kuhn", "algorithm": "mccfr-outcome", "games": 20, **everything})
    assert config.settings.data() == {"linear": False, "baseline": 0.0, "explore": 0.6}


@pytest.mark.parametrize(
    ("game", "asked", "learner"),
    [
        ("leduc", (), "mccfr-external"),
        ("leduc(players=3)", (), "mccfr-external"),
        ("goofspiel(cards=9)", (), "mccfr-outcome"),
        ("leduc", ("rollouts",), "rollout-cfr"),
        ("leduc", ("linear",), "mccfr-external"),
        ("leduc", ("explore",), "mccfr-outcome"),
        ("leduc", ("baseline", "prune"), "mccfr-external"),
        ("leduc", ("keep",), "mccfr-robust"),
        ("leduc", ("buckets",), "mccfr-external"),
        ("monopoly-deal", (), "rollout-cfr"),
        ("holdem", (), "mccfr-public"),
        ("holdem", ("rollouts",), "mccfr-public"),
    ],
)
def test_a_learner_is_chosen_by_the_game(game: str, asked: tuple[str, ...], learner: str) -> None:
    assert choose_learner(load(game), asked)[0] == learner


def test_what_games_declare_is_there() -> None:
    for game in map(load, GAMES):
        assert game.training.algorithm in ("", *LEARNERS)
        assert game.training.abstraction in ("", *game.abstractions)
        for preset in game.training.presets:
            config = usual(load(game.name, preset=preset), game.training.algorithm, {})
            assert Config.of(game.name, game.training.algorithm, **config).data().items() >= config.items()


def test_training_leduc_without_more_words_converges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quick = ["--evaluate-every", "2500", "--evaluate-games", "2", "--checkpoint-every", "0"]
    assert main(["train", "leduc", "--games", "5000", *quick, "--out", str(tmp_path / "run")]) == 0
    assert "leduc, mccfr-external (which converges, and its traversals" in capsys.readouterr().err
    first, _, last = (row["exploitability"] for row in read_metrics(tmp_path / "run"))
    assert last < 0.55 < 2.0 < first
