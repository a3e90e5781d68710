"""Files: what is wrong with them in a sentence, where they may lie, and how they are written as a whole."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

UNREADABLE = (
    *(ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError),
    *(OSError, EOFError, zipfile.BadZipFile, zlib.error),
)
POLICIES = {".json": "readable", ".npz": "compact"}
FIGURES = dict.fromkeys((".svg", ".png", ".pdf"), "")


class FileError(ValueError):
    """A file that is not what it should be; the message is a sentence for a person."""


def ending(path: Path, endings: Mapping[str, str]) -> str:
    """The ending of a file, if it is one of those allowed (ending -> what it means)."""
    if path.suffix not in endings:
        known = [f"{name} ({meaning})" if meaning else name for name, meaning in endings.items()]
        raise FileError(f"{path} should end in {', '.join(known[:-1])} or {known[-1]}.")
    return path.suffix


def writable(path: Path, endings: Mapping[str, str]) -> None:
    """Raise FileError if a file cannot be written there; missing folders are created."""
    ending(path, endings)
    make_folder(path.parent, path)
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise FileError(f"{path} cannot be written: there is a folder of that name, or permission is denied.")


def make_folder(folder: Path, path: Path | None = None) -> None:
    """Create a folder, in which `path` is to be written, and its parents; FileError if that is impossible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        in_the_way = next((p for p in (folder, *folder.parents) if p.exists() and not p.is_dir()), None)
        why = f"{in_the_way} is a file, not a folder" if in_the_way else error.strerror
        raise FileError(f"{path or folder} cannot be written: {why}.") from None


@contextlib.contextmanager
def draft_of(folder: Path) -> Iterator[Path]:
    """A folder whose files are moved to `folder` in the end; if anything goes wrong, nothing changes."""
    new = not folder.exists()
    make_folder(folder)
    try:
        with tempfile.TemporaryDirectory(prefix=".draft-", dir=folder, ignore_cleanup_errors=True) as draft:
            yield Path(draft)
            for path in sorted(Path(draft).iterdir()):
                path.replace(folder / path.name)
        sync_folder(folder)
        new = False
    finally:
        if new:
            with contextlib.suppress(OSError):
                folder.rmdir()


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the names in a folder: else a file that was just made or renamed may not be there."""
    with contextlib.suppress(OSError):  # some systems open no folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write(path: Path, data: bytes | Callable[[IO[bytes]], None]) -> None:
    """Write a file so that at every moment either the old one or the new one is there, complete."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.draft")
    make_folder(path.parent, path)
    try:
        with draft.open("wb") as file:
            data(file) if callable(data) else file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        with contextlib.suppress(OSError):  # it is gone, if everything went well
            draft.unlink()
