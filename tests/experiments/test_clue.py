"""The Clue experiments work, from the measurement to the report: with tiny numbers, the exact part of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "experiments" / "clue.py"


def run(folder: Path, *words: str) -> str:
    command = [sys.executable, str(SCRIPT), "--quick", "--kept", str(folder / "kept"), "--out", str(folder), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_tiny_deck_is_measured_once_and_reported(tmp_path: Path) -> None:
    first = run(tmp_path, "--only", "e")
    report = (tmp_path / "clue.md").read_text()
    assert "3,593 information sets" in " ".join(report.split())
    values = {line.split("|")[1].strip(): float(line.split("|")[2]) for line in report.splitlines() if " / " in line}
    assert values["CFR+, symmetric"] < values["MCCFR, plans"]
    assert values["CFR+, symmetric"] < values["uniform"]
    assert "Not measured yet: parts a, b, c, d." in report
    assert "tiny-5 …" in first

    again = run(tmp_path, "--only", "e")
    assert "…" not in again  # nothing is measured a second time
    assert (tmp_path / "clue.md").read_text() == report
