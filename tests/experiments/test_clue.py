"""The Clue experiments work, from the measurement to the report: with tiny numbers, the exact part of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.experiments.scripts import run

pytestmark = pytest.mark.slow(seconds=12)


def test_the_tiny_deck_is_measured_once_and_reported(tmp_path: Path) -> None:
    first = run("clue", tmp_path, "--only", "e")
    report = (tmp_path / "report.md").read_text()
    assert "3,593 information sets" in " ".join(report.split())
    values = {line.split("|")[1].strip(): float(line.split("|")[2]) for line in report.splitlines() if " / " in line}
    assert values["CFR+, symmetric"] < values["MCCFR, plans"]
    assert values["CFR+, symmetric"] < values["uniform"]
    assert "Not measured yet: parts a, b, c, d." in report
    assert "tiny-5 …" in first

    again = run("clue", tmp_path, "--only", "e")
    assert "…" not in again  # nothing is measured a second time
    assert (tmp_path / "report.md").read_text() == report
