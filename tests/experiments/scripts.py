"""Scripts run as by `python experiments/….py`, but in this process: every other would load all libraries again."""

from __future__ import annotations

import contextlib
import io
import runpy
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "experiments"


def run(script: str, folder: Path, *words: str) -> str:
    """What it prints when it runs in a folder, with tiny numbers."""
    kept, said = folder / "kept", io.StringIO()
    command = [script, "--quick", "--kept", str(kept), "--out", str(folder), *words]
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(said):
        patch.setattr("sys.argv", command)
        patch.syspath_prepend(SCRIPTS)
        patch.chdir(folder)
        runpy.run_path(str(SCRIPTS / script), run_name="__main__")
    return said.getvalue()
