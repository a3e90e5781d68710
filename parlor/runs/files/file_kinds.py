"""Kinds of strategies on disk: a row for each says what its header and its arrays are, in the format of `container`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from parlor.policies.strategy import Strategy
from parlor.runs.files import table_files
from parlor.runs.files.container import (
    HEADER,
    POLICIES,
    UNREADABLE,
    FileError,
    content_hash,
    ending,
    explained,
    read_arrays,
    source_of,
)

FIRST = 1 << 16  # of a .json file, the header lies in the first bytes

Content = tuple[Mapping[str, Any], Mapping[str, Any]]  # entries of the header, and arrays


@dataclass(frozen=True)
class FileKind:
    """One kind of strategy file."""

    module: str  # that has `pack` and `unpack`; it is imported with the first of its files
    formats: tuple[str, ...]  # that its headers may name; it is written in the first
    shown_as: str = ""  # how the page shows it: infosets, grid, or not at all
    mapped: tuple[str, ...] = ()  # arrays that stay in the file
    slim: bool = False  # older checkpoints are reduced to the strategy
    plays: bool = True  # what it holds can take a seat

    def pack(self, strategy: Any, head: Mapping[str, Any]) -> Content:
        """The entries and arrays of a strategy, with entries that its header has anyhow."""
        packed: Content = import_module(self.module).pack(strategy, head)
        return packed

    def unpack(self, head: Mapping[str, Any], arrays: Mapping[str, Any]) -> Strategy:
        """A strategy from the header and the arrays of its file."""
        unpacked: Strategy = import_module(self.module).unpack(head, arrays)
        return unpacked

    def version(self, path: Path) -> str:
        """The version of what is in a file: a hash, by default of its content."""
        hashed: Callable[[Path], str] = getattr(import_module(self.module), "version_of", content_hash)
        return hashed(path)

    def load(self, path: Path, in_memory: bool = False) -> Strategy:
        """Read a strategy; `in_memory` if it is to play on whatever becomes of its file."""
        ending(path, POLICIES)
        with explained(path, self.formats[0].split()[1]):
            if path.suffix == ".npz":
                head, arrays = read_arrays(path, () if in_memory else self.mapped)
                return self.unpacked(head, arrays, path)
            content = json.loads(path.read_bytes())
            self.check(content)
            return table_files.read_json(content, source_of(content, path))

    def unpacked(self, head: Mapping[str, Any], arrays: Mapping[str, Any], path: Path) -> Strategy:
        """A strategy from what is in its file."""
        self.check(head)
        return self.unpack({**head, "source": source_of(head, path), "path": path}, arrays)

    def check(self, head: Any) -> None:
        """Raise FileError for another format."""
        if not isinstance(head, dict) or "format" not in head:
            raise FileError("it has no format entry.")
        if head["format"] not in self.formats:
            raise FileError(f"its format is {head['format']!r}, this version reads {self.formats[0]!r}.")


#: Strategies that contain no others; all of them, with populations, are in `parlor.runs.files.strategy_files.FILES`.
SINGLE: Mapping[str, FileKind] = {
    "policy": FileKind(
        "parlor.runs.files.table_files", (table_files.FORMAT, table_files.CHECKPOINT), shown_as="infosets"
    ),
    "blueprint": FileKind(
        "parlor.runs.files.blueprint_files", ("parlor blueprint 1",), shown_as="grid", mapped=("play",), slim=True
    ),
    "network": FileKind("parlor.policies.network", ("parlor network 1",), slim=True),
    "belief": FileKind("parlor.policies.field_belief", ("parlor belief 1",), slim=True, plays=False),
}


def read_header(path: Path) -> Mapping[str, Any]:
    """The header of a strategy or of any file of results, or the whole of a small JSON file; empty for other files."""
    try:
        if path.suffix == ".npz":
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                found = json.loads(arrays[HEADER].tobytes())
        else:
            with path.open("rb") as file:
                text = file.read(FIRST).decode(errors="replace")
            if len(text) < FIRST and '"infosets"' not in text:
                found = json.loads(text)
            else:
                found = json.loads(re.split('"infosets"|"matches"|"cells"', text)[0].rstrip().rstrip(",") + "}")
    except UNREADABLE:
        return {}
    return found if isinstance(found, dict) else {}


def kind_among(kinds: Mapping[str, FileKind], header: Mapping[str, Any]) -> str:
    """The kind of strategy of a header; empty if it is none of these."""
    return next((kind for kind, row in kinds.items() if header.get("format") in row.formats), "")
