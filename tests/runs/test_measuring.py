"""Exact measurements in a folder: stopped, resumed, and refused where something has changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import parlor
from parlor.cli.main import main
from parlor.game.loading import load
from parlor.policies.policy import Policy
from parlor.runs.measuring.run import MeasureConfig, MeasureRun, content_of

GAME = "phantom-tic-tac-toe(height=2,row=2)"


def test_a_measurement_that_was_stopped_ends_as_one_that_was_not(tmp_path: Path) -> None:
    run = MeasureRun.begin(tmp_path / "run", MeasureConfig(GAME))
    seen: list[int] = []

    def stop_early(run: MeasureRun, work: Any) -> bool:
        seen.append(work.done)
        return work.done < 20

    stopped = run.run(on_progress=stop_early)
    assert not stopped.finished
    assert "parlor evaluate --resume" in run.what_is_left()
    again = MeasureRun.resume(tmp_path / "run")
    done: list[int] = []

    def note(run: MeasureRun, work: Any) -> bool:
        done.append(work.done)
        return True

    work = again.run(on_progress=note)
    assert done[0] == 0 or done[0] >= 20  # nothing is known before the checkpoint is read
    assert work.finished
    wanted = parlor.evaluate(load(GAME), Policy.uniform(load(GAME)))
    assert work.evaluation().nash_conv == pytest.approx(wanted.nash_conv, abs=1e-12)
    rows = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert rows[-1]["nash_conv"] == work.evaluation().nash_conv


def test_the_policy_must_be_what_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = load(GAME)
    path = tmp_path / "policy.json"
    parlor.save(parlor.solve(game, "cfr+", iterations=3).policy, path)
    config = MeasureConfig(GAME, str(path), content_of(str(path)))
    MeasureRun.begin(tmp_path / "run", config).run(on_progress=lambda run, work: False)
    parlor.save(parlor.solve(game, "cfr+", iterations=4).policy, path)
    assert main(["evaluate", "--resume", str(tmp_path / "run")]) == 1
    assert "is not what it was when the measurement was begun" in capsys.readouterr().err


def test_the_command_says_what_the_tree_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = load(GAME)
    path = tmp_path / "policy.json"
    policy = parlor.solve(game, "cfr+", iterations=5).policy
    parlor.save(parlor.with_words(game, policy), path)
    assert main(["evaluate", str(path), "--exact", "--json", "--threads", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["nash_conv"] == pytest.approx(parlor.nash_conv(game, policy), abs=1e-9)
    assert found["infosets"] <= 226
    assert main(["evaluate", GAME, "look-ahead", "--exact"]) == 1
    assert "Saved policies, networks and random can be measured" in capsys.readouterr().err
