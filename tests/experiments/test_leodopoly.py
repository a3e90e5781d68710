"""The Leodopoly experiments work, from the measurement to the report: with tiny numbers, one part of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "experiments" / "leodopoly.py"


def test_a_part_is_measured_once_and_reported(tmp_path: Path) -> None:
    def run() -> str:
        words = ["--quick", "--kept", str(tmp_path / "kept"), "--out", str(tmp_path), "--only", "tables"]
        done = subprocess.run(
            [sys.executable, str(SCRIPT), *words], capture_output=True, text=True, timeout=600, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "published-greedy-3p-12 …" in run()
    report = (tmp_path / "leodopoly.md").read_text()
    assert "| **greedy / tight / optimal** | `greedy` | 29 |" in report
    assert "Not measured yet: parts round1, rounds, tuning, tuned, search." in report
    assert "…" not in run()  # nothing is measured a second time
    assert (tmp_path / "leodopoly.md").read_text() == report
