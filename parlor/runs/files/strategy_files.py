"""Strategies on disk: a row for each kind says how its files are written, recognized and read.

Every file has a header with its format, so that its kind is known without reading all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parlor.policies.strategy import Strategy
from parlor.runs.files import population_files
from parlor.runs.files.file_kinds import SINGLE, FileKind, kind_among
from parlor.runs.files.file_kinds import read_header as read_header
from parlor.runs.files.policy_files import FileError

FILES: Mapping[str, FileKind] = {
    **SINGLE,
    "population": FileKind(
        (population_files.FORMAT,),
        population_files.load_population,
        population_files.save,
        shown_as="infosets",
        version=population_files.version_of,
    ),
}


def kind_of(header: Mapping[str, Any]) -> str:
    """The kind of strategy of a header; empty if there is none."""
    return kind_among(FILES, header)


def file_kind(path: Path) -> FileKind:
    """How a file is read. Unknown files are read as policies, which gives the error."""
    return FILES[kind_of(read_header(path)) or "policy"]


def save(strategy: Strategy, path: str | Path) -> Path:
    """Write a strategy to `path`; missing folders are created."""
    if strategy.kind not in FILES:
        raise FileError(f"A {strategy.kind} cannot be saved; there are files for {', '.join(FILES)}.")
    FILES[strategy.kind].save(strategy, Path(path))
    return Path(path)


def load_strategy(path: str | Path) -> Strategy:
    """Read a strategy of any kind."""
    return file_kind(Path(path)).load(Path(path))
