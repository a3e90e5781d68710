"""The PSRO experiment works, from the runs to the report and its figures: one game, two solvers, three iterations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.experiments.scripts import run

pytestmark = pytest.mark.slow


def test_runs_are_made_once_and_reported(tmp_path: Path) -> None:
    told = run("psro", tmp_path, "--only", "figure7")
    assert "kuhn-exact-mgcce-1 …" in told
    assert "kuhn-exact-adidas-2 …" in told  # which draws samples: two seeds
    report = (tmp_path / "report.md").read_text()
    assert "| `mgcce` | – | – | 0.2 | " in report  # three iterations on Kuhn poker
    assert "Not measured yet: parts figure8, figure9, figure10." in report
    assert (tmp_path / "figure7.svg").read_text().count("adidas") == 1
    assert "…" not in run("psro", tmp_path, "--only", "figure7")  # nothing is run a second time
    assert (tmp_path / "report.md").read_text() == report
    [kept] = (tmp_path / "kept").rglob("kuhn-exact-mgcce-1-*.json")
    assert len(json.loads(kept.read_bytes())["result"]["columns"]["nash_conv"]) == 3


def test_a_wrong_name_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"^There is no game khun; there are kuhn, leduc, "):
        run("psro", tmp_path, "--games", "khun")
