"""Scripts run as by `python experiments/….py`, but in this process: every other would load all libraries again."""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

SCRIPTS = Path(__file__).parents[2] / "experiments"


@contextlib.contextmanager
def neighbours() -> Iterator[None]:
    """Within this, scripts import their neighbours: benchmarks, which tests import as well, have such names too."""
    names = {path.stem for path in SCRIPTS.glob("*.py")}
    others = {name: sys.modules.pop(name) for name in names & sys.modules.keys()}
    try:
        with mock.patch.dict(os.environ), mock.patch.object(sys, "path", [str(SCRIPTS), *sys.path]):
            yield
    finally:
        for name in names & sys.modules.keys():
            del sys.modules[name]
        sys.modules.update(others)


def execute(script: str, folder: Path, *words: str) -> str:
    """What it prints when it runs in a folder."""
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, neighbours(), contextlib.redirect_stdout(said):
        patch.setattr("sys.argv", [script, *words])
        patch.chdir(folder)
        runpy.run_path(str(SCRIPTS / script), run_name="__main__")
    return said.getvalue()


def run(script: str, folder: Path, *words: str) -> str:
    """What it prints when it runs in a folder, with tiny numbers."""
    return execute(script, folder, "--quick", "--kept", str(folder / "kept"), "--out", str(folder), *words)
