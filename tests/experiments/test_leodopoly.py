"""The Leodopoly experiments work, from the measurement to the report: with tiny numbers, one part of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.experiments.scripts import run

pytestmark = pytest.mark.slow


def test_a_part_is_measured_once_and_reported(tmp_path: Path) -> None:
    assert "published-greedy-3p-12 …" in run("leodopoly", tmp_path, "--only", "tables")
    report = (tmp_path / "report.md").read_text()
    assert "| **greedy / tight / optimal** | `greedy` | 29 |" in report
    assert "Not measured yet: parts round1, rounds, tuning, tuned, search." in report
    assert "…" not in run("leodopoly", tmp_path, "--only", "tables")  # nothing is measured a second time
    assert (tmp_path / "report.md").read_text() == report
