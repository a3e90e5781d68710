"""The comparison of the options of Monte-Carlo CFR works, from the measurement to the report: with tiny numbers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "experiments" / "mccfr_options.py"


def test_any_small_game_can_be_measured(tmp_path: Path) -> None:
    few = ["--nodes", "2000", "--seconds", "0.001", "--seeds", "2", "--out", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "kuhn(players=3)", *few], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    report = (tmp_path / "mccfr.md").read_text()
    assert "## kuhn(players=3)" in report
    assert "Uniform play has an exploitability of " in report
    assert report.count("\n| ") == 1 + 15
    assert "| robust, keep 2, linear, baseline 0.1, prune 1000 |" in report
