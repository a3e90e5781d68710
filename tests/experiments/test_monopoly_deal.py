"""The experiments work, from the measurement to the report: with tiny numbers, one part of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.experiments.scripts import execute, run

pytestmark = pytest.mark.slow(seconds=12)


def test_a_part_is_measured_once_and_reported(tmp_path: Path) -> None:
    first = run("monopoly_deal", tmp_path, "--only", "e")
    report = (tmp_path / "report.md").read_text()
    assert "5,030 information sets" in report
    assert "| 30 |" in report
    assert "Not measured yet: parts a, b, c, d, f." in report
    assert (tmp_path / "tiny.svg").stat().st_size > 1000
    assert "tiny-intent-seed-2 …" in first

    again = run("monopoly_deal", tmp_path, "--only", "e")
    assert "…" not in again  # nothing is measured a second time
    assert (tmp_path / "report.md").read_text() == report


def test_a_part_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"^There is no part z; there are a, b, c, d, e, f\.$"):
        execute("monopoly_deal", tmp_path, "--only", "z")
