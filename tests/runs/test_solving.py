"""Solving in a folder: stopped, killed and resumed it gives the policy and the curve of `parlor.solve`."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlor
from parlor.cli.main import main
from parlor.game import GameError
from parlor.runs import solving
from parlor.runs.files.container import FileError
from parlor.runs.metrics import read_metrics
from parlor.runs.run import checkpoints, newest
from parlor.runs.solving import SolveConfig, SolveRun
from parlor.solvers.tree_cfr.iteration import VARIANTS
from tests.lasting import lasting

SAMPLED: dict[str, dict[str, Any]] = {
    "mccfr-external": {},
    "mccfr-outcome": {"baseline": 0.1},
    "mccfr-robust": {"keep": 1, "linear": True, "prune": 5.0},
    "mccfr-chance": {"linear": True},
}


def config(algorithm: str = "cfr+", iterations: int = 60, **other: Any) -> SolveConfig:
    return SolveConfig("kuhn", algorithm, iterations, **other)


def contents(folder: Path) -> dict[str, bytes]:
    """What must be the same to the byte; a stop leaves one checkpoint more."""
    last = newest(folder)
    assert last
    return {path.name: lasting(path) for path in (last, folder / "metrics.jsonl", folder / "config.json")}


@pytest.mark.parametrize("algorithm", [*VARIANTS, *SAMPLED])
def test_stopped_and_resumed_it_is_the_same_to_the_byte(algorithm: str, tmp_path: Path) -> None:
    asked = config(algorithm, seed=5 if algorithm in SAMPLED else 0, settings=SAMPLED.get(algorithm, {}))
    whole = SolveRun.begin(tmp_path / "whole", asked).run()
    SolveRun.begin(tmp_path / "run", asked).run(on_progress=lambda run, work: work.done < 7)
    for limit in (20, 1000):
        resumed = SolveRun.resume(tmp_path / "run")
        assert resumed.remarks == []
        resumed.run(on_progress=lambda run, work, limit=limit: work.done < limit)  # type: ignore[misc]
    assert len(checkpoints(tmp_path / "run")) == 3
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")
    direct = parlor.solve("kuhn", algorithm, iterations=60, seed=asked.seed, **asked.settings)
    assert whole.policy() == direct.policy == parlor.load_policy(newest(tmp_path / "run") or "")
    assert tuple(whole.curve) == direct.report.curve
    assert [(row["iterations"], row["exploitability"]) for row in read_metrics(tmp_path / "run", "iterations")] == list(
        direct.report.curve
    )


def test_what_is_not_yet_in_a_checkpoint_is_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after `kill -9`: the newest checkpoint is of an earlier iteration than the metrics."""
    monkeypatch.setattr(solving, "CHECKPOINT_SECONDS", 0.0)
    SolveRun.begin(tmp_path / "run", config()).run()
    whole, found = contents(tmp_path / "run"), checkpoints(tmp_path / "run")
    assert len(found) > 10
    for path in found[:3]:
        path.unlink()
    found[3].write_bytes(b"{")
    with (tmp_path / "run" / "metrics.jsonl").open("ab") as file:
        file.write(b'{"iterations": 70, "expl')
    run = SolveRun.resume(tmp_path / "run")
    assert f"continues from {found[4]}; later iterations are computed again." in run.remarks[0]
    run.run()
    assert contents(tmp_path / "run") == whole


def test_more_iterations_or_a_lower_exploitability(tmp_path: Path) -> None:
    SolveRun.begin(tmp_path / "run", config(iterations=20)).run()
    longer = SolveRun.resume(tmp_path / "run", iterations=60).run()
    assert longer.policy() == parlor.solve("kuhn", iterations=60).policy
    with pytest.raises(GameError, match="The run has 60 iterations already, more than 40"):
        SolveRun.resume(tmp_path / "run", iterations=40)
    better = SolveRun.resume(tmp_path / "run", iterations=0, until=1e-3).run()
    assert better.done > 60
    assert better.curve[-1][1] <= 1e-3


@pytest.mark.slow
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    assert main(["solve", "kuhn", "--iterations", "50", "--out", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["policy"] == str(newest(folder))
    assert main(["solve", "--resume", str(folder), "--iterations", "100", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["iterations"] == 100
    assert again["curve"][: len(told["curve"])] == told["curve"]
    assert main(["evaluate", str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["exploitability"]
    assert np.isclose(found, again["exploitability"])
    assert main(["figures", str(folder), "--out", str(tmp_path)]) == 0
    assert (tmp_path / "exploitability.svg").exists()
    capsys.readouterr()
    for arguments, sentence in (
        (["kuhn", "--out", str(folder)], f"holds a solving run already; `parlor solve --resume {folder}` continues it"),
        (["--resume", str(tmp_path)], "There is no solving run in"),
        (["kuhn", "--resume", str(folder)], "A resumed run has its game, its folder and its settings already"),
        ([], "Name a game or a run: parlor solve GAME …, or parlor solve --resume FOLDER."),
    ):
        assert main(["solve", *arguments]) == 1
        assert sentence in capsys.readouterr().err


def test_a_run_of_another_kind_is_not_resumed(tmp_path: Path) -> None:
    parlor.train("kuhn", "mccfr-outcome", games=10, evaluate_every=0, folder=tmp_path / "run")
    with pytest.raises(FileError, match="is not a solving run but a training run"):
        SolveRun.resume(tmp_path / "run")
