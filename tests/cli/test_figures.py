"""`parlor figures`."""

import json
from pathlib import Path

import pytest

from parlor.cli.main import main
from parlor.runs.metrics import Metrics


def trained(folder: Path, *games: int) -> Path:
    with Metrics(folder) as metrics:
        for g in games:
            metrics.log({"games": g, "regret": {"max_expected": 1.0 / g}, "updates": {"50": g, "100": 4 * g}})
    return folder


@pytest.mark.slow
def test_the_figures_of_a_run_go_into_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = trained(tmp_path / "run", 50, 100)
    assert main(["figures", str(run)]) == 0
    paths = [run / "figures" / name for name in ("regret.svg", "updates.svg")]
    assert capsys.readouterr().out.splitlines() == [str(path) for path in paths]
    assert all(path.exists() for path in paths)


@pytest.mark.slow
def test_several_runs_go_where_one_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [str(trained(tmp_path / name, 50, 100)) for name in "abc"]
    assert main(["figures", *runs, "--out", str(tmp_path / "out"), "--format", ".png", "--json"]) == 0
    paths = json.loads(capsys.readouterr().out)["figures"]
    assert paths == [str(tmp_path / "out" / name) for name in ("regret.png", "updates.png")]


def test_wrong_input_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, one = str(trained(tmp_path / "run", 50, 100)), str(trained(tmp_path / "one", 50))
    empty = str(trained(tmp_path / "empty"))
    for arguments, sentence in [
        ([], "There is no run to draw: name the folder of at least one."),
        ([str(tmp_path / "none")], f"There is no run folder {tmp_path / 'none'}."),
        ([str(tmp_path)], f"{tmp_path} is not the folder of a training run: there is no metrics.jsonl in it."),
        ([empty], f"{empty} has no evaluation yet; a curve needs two."),
        ([run, one], f"{one} has one evaluation; a curve needs two."),
        ([run, "--format", "svgz"], "A figure ends in .svg, .png or .pdf, not 'svgz'."),
    ]:
        assert main(["figures", *arguments]) == 1
        assert capsys.readouterr().err == f"parlor: {sentence}\n"
