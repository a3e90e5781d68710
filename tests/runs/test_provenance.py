"""Files say with what they were made; what they are does not depend on it."""

import json
import platform
import runpy
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import parlor
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.runs.files import container
from parlor.runs.files.strategy_files import FILES, read_header, save
from parlor.runs.run import CONFIG, newest
from parlor.versions import BUILT_FROM, commit
from tests.blueprints import tiny_blueprint
from tests.populations import grown


@pytest.mark.parametrize("name", ["table.json", "table.npz", "blueprint.npz", "population.npz", "empirical.npz"])
def test_every_file_says_with_what_it_was_made(name: str, tmp_path: Path) -> None:
    kuhn = parlor.load("kuhn")
    if name.startswith("empirical"):
        parlor.empirical_game("kuhn", ["random"], 2).save(tmp_path / name)
    else:
        made: dict[str, Callable[[], Strategy]] = {
            "table": lambda: Policy.uniform(kuhn), "blueprint": tiny_blueprint, "population": lambda: grown("kuhn", 1),
        }  # fmt: skip
        save(made[name.partition(".")[0]](), tmp_path / name)
    head = read_header(tmp_path / name)
    assert head["code"] == container.code_version()
    assert head["code"].startswith(parlor.__version__)
    assert head["made"]["python"] == platform.python_version()
    assert head["made"]["numpy"] == np.__version__
    assert {"numba", "processor", "date", "command"} <= head["made"].keys()


def test_a_run_says_it_once_and_its_checkpoints_what_stays_the_same(tmp_path: Path) -> None:
    parlor.train("kuhn", "mccfr-external", games=4, evaluate_every=0, folder=tmp_path / "run")
    made = json.loads((tmp_path / "run" / CONFIG).read_bytes())["made"]
    assert {"python", "date", "command"} <= made.keys()
    head = read_header(newest(tmp_path / "run") or tmp_path)
    assert head["made"] == {name: value for name, value in made.items() if name not in ("date", "command")}


@pytest.mark.parametrize("ending", [".json", ".npz"])
def test_a_version_is_of_what_is_in_a_file(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = Policy.uniform(parlor.load("kuhn"))
    first, second, other = (tmp_path / f"{name}{ending}" for name in ("first", "second", "other"))
    save(policy, first)
    monkeypatch.setattr(container, "occasion", lambda: {"date": "1951-01-01", "command": "by hand"})
    save(policy, second)
    save(parlor.solve("kuhn", iterations=10).policy, other)
    assert first.read_bytes() != second.read_bytes()
    versions = [FILES["policy"].version(path) for path in (first, second, other)]
    assert versions[0] == versions[1] != versions[2]


def test_a_wheel_knows_its_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package has no repository beside it; its build wrote down the commit."""
    package = tmp_path / "site-packages" / "parlor"
    package.mkdir(parents=True)
    shutil.copy(parlor.__file__, package)
    monkeypatch.setattr(parlor, "__file__", str(package / "__init__.py"))
    container.code_version.cache_clear()
    assert container.code_version() == parlor.__version__
    (package / BUILT_FROM).write_text("0123abc\n")
    container.code_version.cache_clear()
    assert container.code_version() == f"{parlor.__version__}+0123abc"
    assert commit() == "0123abc"
    monkeypatch.undo()
    container.code_version.cache_clear()


def test_the_build_writes_the_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        pytest.skip("there is no repository")
    monkeypatch.chdir(root)
    pytest.importorskip("setuptools")
    runpy.run_path("setup.py")["write_commit"](tmp_path)
    written = (tmp_path / BUILT_FROM).read_text().strip()
    assert container.code_version() == f"{parlor.__version__}+{written}"
