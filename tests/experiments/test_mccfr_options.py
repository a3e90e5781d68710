"""The comparison of the options of Monte-Carlo CFR works, from the measurement to the report: with tiny numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.experiments.scripts import execute

pytestmark = pytest.mark.slow


def test_any_small_game_can_be_measured(tmp_path: Path) -> None:
    few = ["--nodes", "2000", "--seconds", "0.001", "--seeds", "2", "--out", str(tmp_path)]
    execute("mccfr", tmp_path, "kuhn", *few)
    report = (tmp_path / "report.md").read_text()
    assert "## kuhn\n" in report
    assert "Uniform play has an exploitability of " in report
    assert report.count("\n| ") == 1 + 15
    assert "| robust, keep 2, linear, baseline 0.1, prune 1000 |" in report
