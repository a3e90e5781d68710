"""The journal of a tuning run, a file that grows line by line: nothing is played twice.

A tuning run is a plain sequence of decisions, each of which follows from its configuration and from scores. So the
scores are all that has to be kept. A run that was killed begins again with its first decision, finds in the journal
what was played, and goes on from there: to the same result, to the byte, at whatever moment it was killed.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from parlor.runs.files.container import FileError, write
from parlor.runs.metrics import append_line

Row = dict[str, Any]


class TuningJournal:
    """Rows by their keys; without a path, in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._rows: dict[str, Row] = {}
        self._file = None
        if path is None:
            return
        lines = [line for line in _read(path).split(b"\n") if line]
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                self._rows[row["key"]] = row
            except (ValueError, TypeError, KeyError, RecursionError):
                if number < len(lines):
                    raise FileError(f"{path} is damaged: line {number} is not a row of the journal.") from None
                lines.pop()  # torn when the run was killed
        whole = b"".join(line + b"\n" for line in lines)
        if not path.exists() or path.read_bytes() != whole:
            write(path, whole)
        self._file = path.open("ab", buffering=0)

    def find(self, request: Mapping[str, Any]) -> Row | None:
        """The journal entry of a request, if it has been played."""
        return self._rows.get(_key(request))

    def add(self, request: Mapping[str, Any], row: Mapping[str, Any]) -> Row:
        """Keep what came of a request; it is on the disk when this returns."""
        kept = {"key": _key(request), **row}
        self._rows[kept["key"]] = kept
        if self._file is not None:
            assert self._path is not None
            append_line(self._file, self._path, kept)
        return kept

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()


def _key(request: Mapping[str, Any]) -> str:
    """A short name of a request; it has the seed in it, which is never used twice."""
    data = json.dumps(request, sort_keys=True).encode()
    return f"{request['seed']:x}-{zlib.crc32(data):08x}"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from None
