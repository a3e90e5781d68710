"""What is learned from a fixed seed stays what it was: policies and regrets to the bit, and so do metrics, but for the
last digit: NumPy computes powers differently on processors with and without AVX-512.

`learned.json` was written by an earlier version. Rules and learners may move and be renamed, but not learn anything
else; who changes what is learned on purpose writes it anew: `python -m tests.runs.test_learned`.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlor.cli.main import main
from parlor.runs.metrics import flat

GOLDEN = Path(__file__).parent.parent / "golden" / "learned.json"
QUICK = ["--evaluate-every", "20", "--evaluate-games", "20", "--checkpoint-every", "20", "--games", "60", "--json"]
ROLLOUTS = [*QUICK, "--rollouts", "1", "--ring", "3", "--algorithm", "rollout-cfr"]
RUNS = {
    "monopoly-deal": ["monopoly-deal(preset=tiny)", *ROLLOUTS, "--against", "random(abstraction=none)"],
    "leduc": ["leduc", *ROLLOUTS, "--against", "random"],
    "leduc-mccfr-external": ["leduc", *QUICK, "--algorithm", "mccfr-external", "--against", "random"],
    "leduc-mccfr-outcome": ["leduc", *QUICK, "--algorithm", "mccfr-outcome", "--against", "random"],
    "holdem": [
        "holdem(stack=20,streets=2)", "--bets", "pot", "--abstraction", "suitless", "--games", "4000", "--parallel",
        "none", "--against", "fish", "--evaluate-every", "2000", "--evaluate-games", "200", "--json",
    ],
}  # fmt: skip
MEASURED = ("games", "regret", "infosets", "updates", "policy", "wins", "exploitability", "touched")


def learned(arguments: list[str], folder: Path) -> dict[str, Any]:
    """Train, and sum up what came of it: a hash of the last checkpoint's numbers, and what was measured."""
    assert main(["train", *arguments, "--seed", "7", "--out", str(folder)]) == 0
    last = max((folder / "checkpoints").iterdir(), key=lambda path: int(path.stem))
    rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return {
        "checkpoint": _numbers(last),
        "metrics": [{name: row[name] for name in MEASURED if name in row} for row in rows],
    }


def _numbers(path: Path) -> str:
    if path.suffix == ".json":
        infosets = json.loads(path.read_text())["infosets"]
        return hashlib.sha256(json.dumps(infosets, sort_keys=True).encode()).hexdigest()
    digest = hashlib.sha256()
    with np.load(path, allow_pickle=False) as arrays:
        numbers = {name.removeprefix("state."): arrays[name] for name in arrays.files if name != "header"}
    for name in sorted(numbers.keys() - {"mark"}):
        digest.update(name.encode() + np.ascontiguousarray(numbers[name]).tobytes())
    return digest.hexdigest()


@pytest.mark.slow(seconds=15)
@pytest.mark.parametrize("name", RUNS)
def test_the_same_seed_learns_the_same(name: str, tmp_path: Path) -> None:
    found, wanted = learned(RUNS[name], tmp_path / "run"), json.loads(GOLDEN.read_text())[name]
    assert found["checkpoint"] == wanted["checkpoint"]
    assert len(found["metrics"]) == len(wanted["metrics"])
    for row, expected in zip(map(flat, found["metrics"]), map(flat, wanted["metrics"]), strict=True):
        assert row.keys() == expected.keys()
        assert row == pytest.approx(expected, rel=1e-12)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as root:
        found = {name: learned(arguments, Path(root) / name) for name, arguments in RUNS.items()}
    GOLDEN.write_text(json.dumps(found, indent=1) + "\n")
