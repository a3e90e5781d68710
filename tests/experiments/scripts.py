"""Experiments run as by `python -m experiments NAME`, but in this process: another would load all libraries again."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
from pathlib import Path
from unittest import mock

import pytest


def execute(name: str, folder: Path, *words: str) -> str:
    """What it prints when it runs in a folder."""
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, mock.patch.dict(os.environ), contextlib.redirect_stdout(said):
        patch.setattr("sys.argv", [f"experiments {name}", *words])
        patch.chdir(folder)
        importlib.import_module(f"experiments.{name}.experiment").main()
    return said.getvalue()


def run(name: str, folder: Path, *words: str) -> str:
    """What it prints when it runs in a folder, with tiny numbers."""
    return execute(name, folder, "--quick", "--kept", str(folder / "kept"), "--out", str(folder), *words)
