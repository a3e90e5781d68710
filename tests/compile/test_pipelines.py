"""Both ways to compile: with any Numba, and faster with the versions that this is tested with."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import parlor
from parlor import versions
from parlor.cli.main import main
from parlor.compile.random_games import run_random_games
from parlor.game.loading import load
from parlor.versions import TESTED_NUMBA, commit, installed, is_tested


@pytest.mark.parametrize("version", ["0.62.0", "0.62.1", "0.68.1", "0.68.0rc1"])
def test_versions_that_are_tested(version: str) -> None:
    assert is_tested(version)


@pytest.mark.parametrize("version", ["0.6.2", "0.61.2", "0.69.0", "0.620.1", "1.62.0", ""])
def test_versions_that_are_not(version: str) -> None:
    assert not is_tested(version)


def test_the_version_is_told_with_those_it_depends_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    out = capsys.readouterr().out
    for name in (
        "parlor 0",
        f"Python {sys.version.split()[0]}",
        f"NumPy {installed('numpy')}",
        f"Numba {installed('numba')}",
    ):
        assert name in out
    assert installed("numba") == numba.__version__
    assert installed("no-such-package") == ""
    how = "the fast pipeline" if is_tested(numba.__version__) else "its own pipeline"
    assert f"compiling with {how}" in out
    assert f"{TESTED_NUMBA[0]} to {TESTED_NUMBA[-1]}" in out


def test_the_commit_is_that_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*command: str, folder: Path = tmp_path) -> str:
        who = ["-c", "user.name=x", "-c", "user.email=x"]
        return subprocess.run(
            ["git", "-C", str(folder), *who, *command], capture_output=True, text=True, check=True
        ).stdout

    def commit_of(folder: Path) -> str:
        monkeypatch.setattr(parlor, "__file__", str(folder / "parlor" / "__init__.py"))
        return commit()

    assert commit_of(tmp_path) == ""
    git("init", "-q", "-b", "main")
    assert commit_of(tmp_path) == ""
    git("commit", "-q", "--allow-empty", "-m", "first")
    first = git("rev-parse", "HEAD").strip()[:8]
    assert commit_of(tmp_path) == first
    git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    git("commit", "-q", "--allow-empty", "-m", "second", folder=tmp_path / "side")
    second = git("rev-parse", "side").strip()[:8]
    for _ in range(2):
        assert (commit_of(tmp_path), commit_of(tmp_path / "side")) == (first, second)
        git("pack-refs", "--all")
    git("checkout", "-q", "--detach", second)
    assert commit_of(tmp_path) == second


@pytest.mark.slow(seconds=10)
def test_without_the_fast_pipeline_results_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PARLOR_CACHE", str(tmp_path))
    monkeypatch.setattr(versions, "TESTED_NUMBA", ())
    names = ("kuhn", "kuhn(players=3)", "monopoly-deal(preset=tiny)")  # the first two number their records alike
    expected = [run_random_games(load(name), 50, 7, compiled=False) for name in names]
    for compiled in (3, 0):
        with caplog.at_level(logging.INFO, logger="parlor.compile"):
            found = [run_random_games(load(name), 50, 7, compiled=True) for name in names]
        assert [(trace, totals.tolist()) for trace, totals in found] == [(t, totals.tolist()) for t, totals in expected]
        assert len(re.findall("compiling random_games", caplog.text)) == compiled
        caplog.clear()
        for name in [name for name in sys.modules if name.startswith("parlor_native_")]:
            monkeypatch.delitem(sys.modules, name)
    assert not (tmp_path / "helpers").exists()


UNCHANGED = """
import inspect, json, sys
import numba, numpy as np

@numba.njit
def theirs(records):
    return records[0].a + np.sum(records.b)

def all_of_numba():
    found = {}
    for name, module in list(sys.modules.items()):
        for key, value in list(vars(module).items()) if name.startswith("numba") else ():
            if inspect.isclass(value) and value.__module__.startswith("numba"):
                methods = {k: v for k, v in vars(value).items() if callable(v) or isinstance(v, property)}
                found |= {(value.__module__, value.__qualname__, k): v for k, v in methods.items()}
            elif inspect.isfunction(value):
                found[name, key] = value
    return found

records = np.zeros(2, [("a", np.int64), ("b", np.float64)])
theirs(records)
before = all_of_numba()
names = [str(s) for s in theirs.overloads]
import parlor
from parlor.compile.random_games import run_random_games
run_random_games(parlor.load("kuhn"), 20, 1, True)
after = all_of_numba()
changed = [str(key) for key in before if after.get(key) is not before[key]]
contexts = [numba.core.registry.cpu_target.typing_context, numba.core.registry.cpu_target.target_context]
left = [name for context in contexts for name in vars(context) if name.startswith("_registered")]
kinds = [str(type(numba.typeof(records).dtype).mangling_args.fget.__module__)]
print(json.dumps([len(before), changed, left, kinds]))
"""


@pytest.mark.slow(seconds=5)
def test_numba_is_what_it_was_for_other_code(tmp_path: Path) -> None:
    environment = os.environ | {"PARLOR_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", UNCHANGED]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    number, changed, left, kinds = json.loads(done.stdout)
    assert number > 5000
    assert (changed, left, kinds) == ([], [], ["numba.core.types.npytypes"])
