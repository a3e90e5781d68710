"""The experiment on beliefs works, from the opponents to the report: Kuhn poker, few games."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "experiments" / "figure6.py"


def run(folder: Path, *more: str) -> str:
    words = ["--quick", "--kept", str(folder / "kept"), "--out", str(folder), *more]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words], capture_output=True, text=True, timeout=1800, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_runs_are_made_once_and_reported(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    told = run(tmp_path, "--only", "response")
    assert "response-learned-2 …" in told
    report = (tmp_path / "figure6.md").read_text()
    assert "## Against DQN's response to uniform play" in report
    assert "After 500 episodes simple_learn is " in report
    assert "Not measured yet: parts random, self_play." in report
    assert (tmp_path / "figure6" / "response.svg").exists()
    assert "…" not in run(tmp_path, "--only", "response")  # nothing is run a second time
    assert (tmp_path / "figure6.md").read_text() == report
