"""The PSRO experiment works, from the runs to the report and its figures: one game, two solvers, three iterations."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "experiments" / "psro.py"


def run(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    words = ["--quick", "--kept", str(folder / "kept"), "--out", str(folder), *more]
    return subprocess.run(
        [sys.executable, str(SCRIPT), *words], capture_output=True, text=True, timeout=1800, cwd=folder, check=False
    )


def test_runs_are_made_once_and_reported(tmp_path: Path) -> None:
    done = run(tmp_path, "--only", "figure7")
    assert done.returncode == 0, done.stderr
    assert "kuhn-exact-mgcce-1 …" in done.stdout
    assert "kuhn-exact-adidas-2 …" in done.stdout  # which draws samples: two seeds
    report = (tmp_path / "psro.md").read_text()
    assert "| `mgcce` | – | – | 0.2 | " in report  # three iterations on Kuhn poker
    assert "Not measured yet: parts figure8, figure9, figure10." in report
    assert (tmp_path / "psro" / "figure7.svg").read_text().count("adidas") == 1
    again = run(tmp_path, "--only", "figure7")
    assert "…" not in again.stdout  # nothing is run a second time
    assert (tmp_path / "psro.md").read_text() == report
    [kept] = (tmp_path / "kept").rglob("kuhn-exact-mgcce-1-*.json")
    assert len(json.loads(kept.read_bytes())["result"]["columns"]["nash_conv"]) == 3


def test_a_wrong_name_gets_a_sentence(tmp_path: Path) -> None:
    done = run(tmp_path, "--games", "khun")
    assert done.stderr.startswith("There is no game khun; there are kuhn, leduc, ")
