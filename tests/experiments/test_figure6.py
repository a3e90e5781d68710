"""The experiment on beliefs works, from the opponents to the report: Kuhn poker, few games."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.experiments.scripts import run

pytestmark = pytest.mark.slow(seconds=20)


def test_runs_are_made_once_and_reported(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    told = run("figure6", tmp_path, "--only", "response")
    assert "response-learned-2 …" in told
    report = (tmp_path / "report.md").read_text()
    assert "## Against DQN's response to uniform play" in report
    assert "After 500 episodes simple_learn is " in report
    assert "Not measured yet: parts random, self_play." in report
    assert (tmp_path / "response.svg").exists()
    assert "…" not in run("figure6", tmp_path, "--only", "response")  # nothing is run a second time
    assert (tmp_path / "report.md").read_text() == report
