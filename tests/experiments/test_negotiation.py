"""The tournament of negotiators works, from the runs to the report: a single run, whose two agents are both chosen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.experiments.scripts import run

pytestmark = pytest.mark.slow(seconds=60)


def test_agents_are_trained_chosen_and_reported(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    assert "train-mgcce-nash-product …" in run("negotiation", tmp_path)
    report = (tmp_path / "report.md").read_text()
    assert "3 agents; 24 games" in report  # six pairs
    assert "Not measured yet" not in report
    chosen = json.loads((tmp_path / "kept" / "quick" / "selected" / "agents.json").read_text())
    assert list(chosen) == ["IndRL", "Comp1", "Coop"]  # nobody is chosen twice
    assert len({row["made"] for row in chosen.values()}) == 3
    for row in chosen.values():
        assert f"`{row['agent']}`" in report
    assert (tmp_path / "figure13.svg").read_text().count("Coop") == 1
