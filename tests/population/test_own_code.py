"""PSRO with somebody's own meta-solver and oracle: by file, as Python objects, in runs, figures and on the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlor
from parlor.cli.main import main
from parlor.policies.mixture import Mixture
from parlor.population.meta import META_SOLVERS, solve
from parlor.population.oracles import Task
from parlor.population.run.run import PsroRun

CODE = '''
import numpy as np
import parlor


def newest(payoffs, *, last: int = 1):
    """The last strategies, equally often."""
    return [np.r_[np.zeros(max(n - last, 0)), np.ones(min(n, last))] for n in payoffs.shape[1:]]


class Uniform:
    """Uniform play, whatever the others do."""

    def __init__(self, share: float = 0.5):
        self.share = share

    def __call__(self, task):
        return parlor.Policy.uniform(task.game)


def words(task):
    return "raise"


def elsewhere(task):
    return parlor.Policy.uniform(parlor.load("leduc"))
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(CODE)
    return tmp_path


def newest(payoffs: Any) -> list[Any]:
    return [np.eye(n)[-1] for n in payoffs.shape[1:]]


def uniform(task: Task) -> parlor.Policy:
    return parlor.Policy.uniform(task.game)


def test_a_function_is_a_meta_solver(folder: Path) -> None:
    given = parlor.psro("kuhn", meta=newest, iterations=4)
    named = parlor.psro("kuhn", meta="mine.py:newest", iterations=4)
    assert [row["mixture"] for row in given.rows] == [row["mixture"] for row in named.rows]
    assert [one.tolist() for one in given.mixture.marginals] == [[0.0, 0.0, 0.0, 0.0, 1.0]] * 2
    local = parlor.psro("kuhn", meta=lambda payoffs: newest(payoffs), iterations=4)
    assert local.rows == given.rows
    both = parlor.psro("kuhn", meta=newest, evaluate="mine.py:newest", iterations=2)
    assert both.rows[-1]["meta_nash_conv"] == pytest.approx(both.rows[-1]["nash_conv"])


def test_a_function_is_an_oracle(folder: Path) -> None:
    for oracle in (uniform, "mine.py:Uniform(share=0.2)"):
        found = parlor.psro("kuhn", oracle=oracle, iterations=2)
        assert len(found.members[0]) == 3
        assert found.average is not None
        assert parlor.Policy.uniform(parlor.load("kuhn")).distance(found.average) < 1e-12
    for name, sentence in (("words", "answered 'raise', which is no strategy"), ("elsewhere", "a strategy for leduc")):
        with pytest.raises(parlor.GameError, match=sentence):
            parlor.psro("kuhn", oracle=f"mine.py:{name}", iterations=1)


@pytest.mark.slow
def test_an_oracle_of_a_file_works_in_other_processes(folder: Path) -> None:
    found = parlor.psro("kuhn", oracle="mine.py:Uniform(share=0.2)", iterations=2, backend="processes", workers=2)
    assert found.population.about["oracle"] == f"{folder}/mine.py:Uniform"
    with pytest.raises(parlor.GameError, match="lambda cannot be loaded again, as another process needs"):
        parlor.psro("kuhn", oracle=lambda task: None, iterations=2, backend="processes", workers=2)


@pytest.mark.slow
def test_a_run_records_its_code_and_resumes_with_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["psro", "kuhn", "--meta", "mine.py:newest(last=2)", "--iterations", "2", "--json"]) == 0
    run = folder / "runs" / "psro-kuhn-mine-newest"
    config = json.loads((run / "config.json").read_text())["config"]
    name = f"{folder}/mine.py:newest"
    assert (config["meta"], config["meta_settings"], list(config["files"])) == (name, {"last": 2}, [name])
    monkeypatch.chdir(folder / "runs")
    assert main(["psro", "--resume", run.name, "--iterations", "4", "--json"]) == 0
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert rows[-1]["mixture"][0] == [0.0, 0.0, 0.0, 0.5, 0.5]
    (folder / "mine.py").write_text(CODE + "\n")
    assert main(["psro", "--resume", run.name, "--iterations", "5"]) == 1
    assert "mine.py:newest has changed since the run began" in capsys.readouterr().err.replace("\n", " ")
    (folder / "mine.py").unlink()
    assert PsroRun.load_config(run)[0].meta_settings.data() == {"last": 2}  # which runs no code
    assert main(["figures", run.name]) == 0
    assert main(["compare", "kuhn", run.name, "random", "--games", "20", "--json"]) == 0


def test_a_run_in_a_folder_needs_code_that_can_be_loaded_again(folder: Path) -> None:
    with pytest.raises(parlor.GameError, match="lambda cannot be loaded again, as a run in a folder needs"):
        parlor.psro("kuhn", meta=lambda payoffs: newest(payoffs), iterations=1, folder="run")
    assert not Path("run").exists()


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (None, "answered None, but the strategies are 2 × 2: return a list with a distribution for each player"),
        ([[1.0, 0.0]], "answered a mixture of 2, but the strategies are 2 × 2"),
        ([[1.0, -1.0], [1.0, 0.0]], "negative, all 0 or not finite"),
        ([[0.0, 0.0], [1.0, 0.0]], "negative, all 0 or not finite"),
        (np.ones((2, 3)), "answered a mixture of 2 × 3"),
        ("nash", "answered 'nash', but"),
    ],
)
def test_answers_that_are_no_mixtures_are_refused(answer: Any, sentence: str) -> None:
    with pytest.raises(parlor.GameError, match=sentence):
        solve(lambda payoffs: answer, np.zeros((2, 2, 2)))


def test_answers_are_mixtures_lists_or_joint_distributions() -> None:
    joint = np.array([[0.0, 0.0], [1.0, 3.0]])
    found = solve(lambda payoffs: joint, np.zeros((2, 2, 2)))
    assert (found.independent, found.joint.tolist()) == (False, [[0.0, 0.0], [0.25, 0.75]])
    separate = solve(lambda payoffs: [[1, 1], [0, 2]], np.zeros((2, 2, 2)))
    assert (separate.independent, separate.joint.tolist()) == (True, [[0.0, 0.5], [0.0, 0.5]])
    mixture = solve("nash", np.zeros((2, 2, 2)))
    assert isinstance(mixture, Mixture)
    assert solve(lambda payoffs: mixture, np.zeros((2, 2, 2))) is mixture
    assert "nash" in META_SOLVERS
