"""`parlor.train`: the run of the command line as a function."""

from pathlib import Path
from typing import Any

import pytest

import parlor
from parlor.game import GameError
from parlor.game.loading import load
from parlor.policies.policy import Policy
from parlor.runs.config import Config, usual
from parlor.runs.metrics import read_metrics
from parlor.runs.run import newest
from parlor.runs.training import TrainingRun

FEW: dict[str, Any] = {"games": 40, "evaluate_every": 20, "evaluate_games": 10, "seed": 3}


def test_it_trains_and_measures_and_leaves_nothing() -> None:
    trained = parlor.train("kuhn", "mccfr-external", **FEW)
    assert isinstance(trained.policy, Policy)
    assert trained.policy.about == {"algorithm": "mccfr-external", "games": 40, "seed": 3}
    assert [row["games"] for row in trained.rows] == [0, 20, 40]
    assert trained.rows[-1]["exploitability"] == pytest.approx(parlor.exploitability("kuhn", trained.policy))


def test_in_a_folder_it_is_a_run_like_any_other(tmp_path: Path) -> None:
    alone = parlor.train(parlor.load("kuhn"), "mccfr-external", **FEW)
    trained = parlor.train("kuhn", "mccfr-external", folder=tmp_path / "run", **FEW)
    assert trained.policy == alone.policy
    for rows in (trained.rows, read_metrics(tmp_path / "run")):
        assert [row["exploitability"] for row in rows] == [row["exploitability"] for row in alone.rows]
    checkpoint = newest(tmp_path / "run")
    assert checkpoint
    assert parlor.load_strategy(checkpoint) == trained.policy
    assert TrainingRun.resume(tmp_path / "run").finished


@pytest.mark.slow
def test_it_chooses_what_suits_the_game() -> None:
    trained = parlor.train("leduc", games=2, evaluate_every=0)
    assert trained.config.algorithm == "mccfr-external"
    assert trained.config.game == "leduc"
    ranks = parlor.train("leduc", "mccfr-outcome", abstraction="ranks", games=2, evaluate_every=0)
    assert ranks.config.game == ranks.policy.game == "leduc/ranks"


def test_by_the_clock_evaluations_and_checkpoints_go_by_the_clock_too() -> None:
    game = load("leduc")
    config = Config.of("leduc", "mccfr-external", **usual(game, "mccfr-external", {"minutes": 0.5}))
    assert (config.games, config.evaluate_every, config.checkpoint_every) == (0, 0, 0)
    assert config.checkpoint_minutes == 0.05
    asked = Config.of("leduc", "mccfr-external", **usual(game, "mccfr-external", {"minutes": 5.0, "evaluate_every": 9}))
    assert (asked.evaluate_every, asked.checkpoint_every, asked.checkpoint_minutes) == (9, 250, 0.0)


def test_what_it_cannot_do_gets_a_sentence() -> None:
    with pytest.raises(GameError, match=r"mccfr-outcome has no setting 'rollouts'"):
        parlor.train("kuhn", "mccfr-outcome", rollouts=3)
    with pytest.raises(GameError, match=r"kuhn has no resolvers|nothing to resolve"):
        parlor.train("kuhn", resolver="greedy")
