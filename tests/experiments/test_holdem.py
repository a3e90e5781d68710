"""The hold'em experiments work, from the measurement to the report: with tiny numbers, one part of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.experiments.scripts import run

pytestmark = pytest.mark.slow(seconds=15)


@pytest.mark.slow
def test_a_part_is_measured_once_and_reported(tmp_path: Path) -> None:
    assert "train-ours" in run("holdem", tmp_path, "--only", "checkpoints")
    report = (tmp_path / "report.md").read_text()
    assert "## Checkpoints against the last one" in report
    assert "Not measured yet: parts ours, engine, strength, lbr, endgame, luck." in report
    assert "…" not in run("holdem", tmp_path, "--only", "checkpoints")  # nothing is measured a second time
    assert (tmp_path / "report.md").read_text() == report
