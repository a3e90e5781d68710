"""Solvers from outside: classes of a game, by file or as Python objects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import parlor
from parlor.cli.main import main

CODE = '''
from parlor.solvers.cfr import Cfr


class Mine:
    """CFR+, as it is."""

    def __init__(self, game, seed=0, rate: float = 0.5):
        self.cfr = Cfr(game, "cfr+")
        if rate > 3.0:
            raise ValueError("too fast")

    def run(self, iterations):
        self.cfr.run(iterations)

    def policy(self):
        return self.cfr.policy()


class Whole(Mine):
    iterations = 0

    def run(self, iterations):
        self.cfr.run(iterations)
        self.iterations += iterations

    def stop(self):
        pass

    def go_on(self):
        pass

    def entries(self):
        return self.cfr.entries()

    def restore(self, entries, iterations):
        self.cfr.restore(entries, iterations)
        self.iterations = iterations


class Nothing:
    def __init__(self, game):
        pass


class Words(Mine):
    def policy(self):
        return "always bet"


class Late(Mine):
    def run(self, iterations):
        raise KeyError("x")
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(CODE)
    return tmp_path


class Uniform:
    """Uniform play."""

    def __init__(self, game: parlor.Game) -> None:
        self.game = game

    def run(self, iterations: int) -> None:
        """Nothing is learned."""

    def policy(self) -> parlor.Policy:
        return parlor.Policy.uniform(self.game)


def test_a_class_of_a_file_solves(folder: Path) -> None:
    ours = parlor.solve("kuhn", "cfr+", iterations=50)
    mine = parlor.solve("kuhn", "mine.py:Mine(rate=0.2)", iterations=50)
    assert mine.policy.distance(ours.policy) == 0.0
    assert mine.report.curve == ours.report.curve
    name = f"{folder}/mine.py:Mine"
    assert mine.policy.about["algorithm"] == name
    assert list(mine.policy.about["files"]) == [name]
    assert (mine.policy.about["rate"], mine.report.algorithm) == (0.2, "mine.py:Mine")
    assert parlor.solve("kuhn", "mine.py:Mine", iterations=5, rate=0.7).policy.about["rate"] == 0.7


def test_a_class_itself_solves() -> None:
    policy, report = parlor.solve("kuhn", Uniform, iterations=3)
    assert policy.distance(parlor.Policy.uniform(parlor.load("kuhn"))) == 0.0
    assert report.iterations == 3
    assert parlor.solve("kuhn", lambda game: Uniform(game), iterations=3).policy == policy


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("algorithm", "settings", "sentence"),
    [
        ("mine.py:Nothing", {}, "mine.py:Nothing makes no solver: Nothing has no method run."),
        ("mine.py:Words", {}, "mine.py:Words has 'always bet' as its policy, which is no parlor.Policy."),
        ("mine.py:Late", {}, r"mine.py:Late failed in mine.py, line \d+, in run: KeyError: 'x'."),
        ("mine.py:Mine(rate=4)", {}, r"mine.py:Mine failed in mine.py, line \d+, in __init__: ValueError: too fast."),
        ("mine.py:Mine", {"threads": 2}, "mine.py:Mine takes no threads."),
        ("mine.py:Mine", {"keep": 2}, "keep can be set for mccfr-robust, not for .*mine.py:Mine."),
        ("mine.py:Mime", {}, "There is no Mime in .*mine.py; did you mean Mine?"),
        ("cfr++", {}, r"There is no algorithm 'cfr\+\+'; there are: cfr, .* Did you mean cfr\+?"),
    ],
)
def test_what_is_no_solver_is_refused(algorithm: str, settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(parlor.GameError, match=sentence):
        parlor.solve("kuhn", algorithm, iterations=2, **settings)


def test_the_command_solves_and_resumes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "kuhn", "--algorithm", "mine.py:Mine", "--iterations", "20"]) == 0
    assert "20 of mine.py:Mine in" in capsys.readouterr().out
    assert parlor.exploitability("kuhn", parlor.load_policy("runs/kuhn-mine-Mine.json")) < 0.02
    assert main(["solve", "kuhn", "--algorithm", "mine.py:Whole", "--iterations", "20", "--out", "run"]) == 0
    assert main(["solve", "--resume", "run", "--iterations", "40"]) == 0
    whole = parlor.load_policy("run/checkpoints/00000040.json")
    assert whole.distance(parlor.solve("kuhn", iterations=40).policy) < 1e-12
    config = json.loads(Path("run/config.json").read_text())["config"]
    assert (config["algorithm"], list(config["files"])) == (f"{folder}/mine.py:Whole", [f"{folder}/mine.py:Whole"])
    assert main(["solve", "kuhn", "--algorithm", "mine.py:Mine", "--iterations", "20", "--out", "other"]) == 1
    assert "cannot be resumed, so it needs no folder" in capsys.readouterr().err.replace("\n", " ")
    Path("mine.py").write_text(CODE + "\n")
    assert main(["solve", "--resume", "run", "--iterations", "50"]) == 1
    assert "mine.py:Whole has changed since the run began" in capsys.readouterr().err.replace("\n", " ")
