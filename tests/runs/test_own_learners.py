"""Learners from outside: classes of a job, by file or as Python objects, in training runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import parlor
from parlor.cli.main import main
from parlor.runs.config import Config

CODE = '''
from parlor.solvers.cfr import Cfr


class Mine:
    """CFR in a run."""

    def __init__(self, job, variant: str = "cfr+"):
        self.solver = Cfr(job.game, variant)

    @property
    def games(self):
        return self.solver.iterations

    def run_to(self, games):
        self.solver.run(games - self.games)

    def policy(self):
        return self.solver.policy().with_about(algorithm="mine", games=self.games)

    def statistics(self):
        return {"total": float(self.solver.learned.total.sum())}

    def work(self):
        return {}

    def entries(self):
        return self.solver.entries()

    def restore(self, entries, games):
        self.solver.restore(entries, games)

    def close(self):
        pass


class Nothing:
    def __init__(self, job):
        pass
'''
SOME: dict[str, Any] = {"games": 40, "evaluate_every": 20, "evaluate_games": 10, "checkpoint_every": 20}
FLAGS = [text for name, value in SOME.items() for text in (f"--{name.replace('_', '-')}", str(value))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(CODE)
    return tmp_path


@pytest.mark.slow
def test_a_class_of_a_file_learns_and_resumes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = f"{folder}/mine.py:Mine"
    assert main(["train", "kuhn", "--algorithm", "mine.py:Mine(variant=dcfr)", *FLAGS, "--json"]) == 0
    run = Path("runs/kuhn-mine-Mine")
    config = json.loads((run / "config.json").read_text())["config"]
    assert (config["algorithm"], config["variant"], list(config["files"])) == (name, "dcfr", [name])
    assert main(["train", "--resume", str(run), "--games", "60", "--json"]) == 0
    learned = parlor.load_policy(run / "checkpoints" / "00000060.json")
    assert learned.distance(parlor.solve("kuhn", "dcfr", iterations=60).policy) < 1e-12
    (folder / "mine.py").unlink()
    read = Config.read(config)  # which runs no code
    assert (read.settings.data(), read.measures) == ({"variant": "dcfr"}, {})
    assert main(["figures", str(run)]) == 0
    (folder / "mine.py").write_text(CODE + "\n")
    assert main(["train", "--resume", str(run), "--games", "80"]) == 1
    assert "mine.py:Mine has changed since the run began" in capsys.readouterr().err.replace("\n", " ")


def test_a_configuration_without_hashes_runs_no_code_either(folder: Path) -> None:
    (folder / "mine.py").write_text("raise RuntimeError('executed')")
    read = Config.read({"game": "kuhn", "algorithm": f"{folder}/mine.py:Mine", "variant": "cfr"})
    assert read.settings.data() == {"variant": "cfr"}
    with pytest.raises(parlor.GameError, match="executed"):
        assert read.learner


def test_a_class_itself_learns(folder: Path) -> None:
    space: dict[str, Any] = {}
    exec(compile(CODE, "notebook", "exec"), space)
    mine = space["Mine"]
    policy = parlor.train("kuhn", mine, variant="cfr", **SOME).policy
    assert policy.table is not None
    assert policy.table.distance(parlor.solve("kuhn", "cfr", iterations=40).policy) < 1e-12
    with pytest.raises(parlor.GameError, match="Mine cannot be loaded again, as a run in a folder needs"):
        parlor.train("kuhn", mine, folder="run", **SOME)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("algorithm", "sentence"),
    [
        ("mine.py:Nothing", "mine.py:Nothing makes no learner: Nothing has no games, run_to, policy, statistics"),
        ("mine.py:Mine(rate=1)", "mine.py:Mine has no setting 'rate'; it has: variant."),
        ("mine.py:Mime", "There is no Mime in .*mine.py; did you mean Mine?"),
        ("dpn", "There is no algorithm 'dpn'; there are: rollout-cfr, .*"),
    ],
)
def test_what_is_no_learner_is_refused(algorithm: str, sentence: str) -> None:
    with pytest.raises(parlor.GameError, match=sentence):
        parlor.train("kuhn", algorithm, **SOME)
