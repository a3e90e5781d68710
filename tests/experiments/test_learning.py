"""The learning curves: all learners decide as often, and a report tells what the runs have measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.lab import Lab
from experiments.learning.experiment import PARTS, SMALL, Experiment, Options, config_of, draw, report, share_of

CURVES = {
    "mmd": [[[0, 2.0], [500, 0.5], [1000, 1.0]], [[0, 2.0], [500, 1.5], [1000, 0.5]]],
    "dqn": [[[0, 3.0], [490, 2.0], [980, 2.5]], [[0, 3.0], [495, 2.0], [990, 2.5], [1500, 2.5]]],
}


def test_all_learners_decide_as_often() -> None:
    gradient = config_of("kuhn", "ppo", 100_000, {"lockstep": 64, "window": 32}, 1)
    assert gradient.games * 64 * 32 == pytest.approx(100_000, rel=0.02)
    assert gradient.settings.decisions == 100_000
    values = config_of("kuhn", "dqn", 100_000, {"round": 128}, 1)
    assert values.games % 128 == values.evaluate_every % 128 == 0
    assert 40_000 < values.games < 60_000  # a game of Kuhn has a little more than two decisions
    assert values.settings.schedule == values.games
    assert 10 < values.games / values.evaluate_every <= 16


def test_a_report_has_what_curves_end_with_and_their_best(tmp_path: Path) -> None:
    told = report(Options(quick=True), {"leduc": CURVES, "deal": {"careful": CURVES["mmd"]}}, ["0.1.0+abc"])
    assert "A smoke test" in told
    assert "| `mmd` | 1,000 | 0.750 (0.500–1.000) | 0.500 (0.500–0.500) |" in told
    assert "| `careful` | 1,000 | 75.0 (50.0–100.0) % | 200.0 (200.0–200.0) % |" in told
    assert "Not measured yet: part dice." in told
    draw(tmp_path / "leduc.svg", CURVES, "NashConv")
    assert "NashConv" in (tmp_path / "leduc.svg").read_text()


def test_shares_are_all_runs_once(tmp_path: Path) -> None:
    experiment = Experiment(Options(decisions=4096).small(), Lab(tmp_path, 1), tmp_path)
    runs = [run for part in PARTS for run in experiment.runs(part)]
    assert len({run.name for run in runs}) == len(runs) == 2 * 2 * len(SMALL) + 2
    shares = [share_of(f"{k}/5", runs) for k in range(1, 6)]
    assert sorted(run.name for share in shares for run in share) == sorted(run.name for run in runs)
    with pytest.raises(SystemExit, match="share must be like 3/16, the third of sixteen, not 6/5"):
        share_of("6/5", runs)
