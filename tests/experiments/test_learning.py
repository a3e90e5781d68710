"""The learning curves work, from the runs to the report: with tiny numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.learning.experiment import SMALL, config_of
from tests.experiments.scripts import run

pytestmark = pytest.mark.slow


def test_curves_are_drawn_and_told(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    run("learning", tmp_path, "--only", "leduc")
    report = (tmp_path / "report.md").read_text()
    assert "A smoke test" in report
    assert all(f"| `{learner}` |" in report for learner in SMALL)
    assert "Not measured yet: parts dice, deal." in report
    assert (tmp_path / "leduc.svg").exists()


def test_all_learners_decide_as_often() -> None:
    pytest.importorskip("jax")
    gradient = config_of("kuhn", "ppo", 100_000, {"lockstep": 64, "window": 32}, 1)
    assert gradient.games * 64 * 32 == pytest.approx(100_000, rel=0.02)
    assert gradient.settings.decisions == 100_000
    values = config_of("kuhn", "dqn", 100_000, {"round": 128}, 1)
    assert values.games % 128 == 0
    assert 40_000 < values.games < 60_000  # a game of Kuhn has a little more than two decisions
    assert values.settings.schedule == values.games
