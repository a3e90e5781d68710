"""The file format of everything that is computed: a header in JSON, and arrays by name, in one .npz file.

The header says what it is (`format`), for which game and rules, how it was made (`about`), and with what (`code`,
`made`). The arrays of a checkpoint that only its run needs begin with `state.`: whoever reads the file for what it is
passes over them. Small tables of a strategy are JSON instead, with the same header (`table_files`).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
import os
import platform
import shlex
import subprocess
import sys
import tempfile
import threading
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import numpy as np

import parlor
from parlor.game import GameError
from parlor.versions import commit as built_from
from parlor.versions import installed

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


LIBRARIES = ("numpy", "numba", "jax")


@functools.cache
def code_version() -> str:
    """The version of this package with the commit of its source: of the repository, or the one it was built from."""
    package = Path(parlor.__file__).parent
    commit = ""
    try:
        if (package.parent / ".git").exists():
            command = ["git", "-C", str(package.parent), "describe", "--always", "--dirty", "--exclude", "*"]
            commit = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
        else:
            commit = built_from()
    except (OSError, subprocess.SubprocessError):
        pass
    return f"{parlor.__version__}+{commit}" if commit else parlor.__version__


@functools.cache
def environment() -> dict[str, str]:
    """The versions of Python and of the libraries that compute, and the processor: the same for the same machine."""
    libraries = {name: version for name in LIBRARIES if (version := installed(name))}
    return {"python": platform.python_version(), **libraries, "processor": _processor()}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def occasion() -> dict[str, str]:
    """The date and the command line."""
    return {"date": datetime.now(UTC).date().isoformat(), "command": shlex.join(sys.argv)}


HEADER, STATE = "header", "state."
PASSING = ("code", "made")  # of a header: with what and when it was made; the rest is what it is


def provenance() -> dict[str, Any]:
    """The entries of a header that say with what a file is made."""
    return {"code": code_version(), "made": environment() | occasion()}


def rules_file(source: str, path: Path) -> dict[str, str]:
    """The relative path from a file at `path` to the rules file of its game; empty for games that have none."""
    if not source:
        return {}
    try:
        return {"rules_file": Path(os.path.relpath(source, path.absolute().parent)).as_posix()}
    except ValueError:  # on another drive
        return {"rules_file": source}


def source_of(head: Mapping[str, Any], path: Path) -> str:
    """The full path of the rules file that the header of a file at `path` names; empty if it names none."""
    source = str(head.get("rules_file", ""))
    return os.path.normpath(path.absolute().parent / source) if source else ""


def write_arrays(path: Path, head: Mapping[str, Any], arrays: Mapping[str, Any], compressed: bool = False) -> None:
    """Write a file; at every moment the old one or the new one is there, complete."""
    if path.suffix != ".npz":
        raise FileError(f"{path} should end in .npz: it is saved as NumPy arrays.")
    everything: dict[str, Any] = {HEADER: np.frombuffer(json.dumps(head).encode(), np.uint8), **arrays}
    save: Any = np.savez_compressed if compressed else np.savez
    write(path, lambda file: save(file, **everything))


def read_arrays(
    path: Path, mapped: Collection[str] = (), state: bool | None = False
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the arrays, `mapped` ones in the file; `state`: only those of a run, without them, or (None) all.

    The names of a run's arrays are given without their beginning.
    """
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        head: dict[str, Any] = json.loads(arrays[HEADER].tobytes())
        names = [name for name in arrays.files if name != HEADER and state in (None, name.startswith(STATE))]
        kept = {name: map_array(path, name) if name in mapped else arrays[name] for name in names}
    return head, {name.removeprefix(STATE) if state else name: array for name, array in kept.items()}


def map_array(path: Path, name: str) -> Any:
    """An array of an uncompressed .npz file, mapped into memory."""
    with zipfile.ZipFile(path) as archive, path.open("rb") as file:
        info = archive.getinfo(f"{name}.npy")
        if info.compress_type != zipfile.ZIP_STORED:
            raise FileError(f"{path} is compressed, so it cannot be mapped into memory.")
        file.seek(info.header_offset + 26)  # of the local header, the lengths of its name and of what is extra
        lengths = np.frombuffer(file.read(4), "<u2")
        file.seek(int(lengths.sum()), io.SEEK_CUR)
        major, _ = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
        shape, _, dtype = read(file)
        return np.memmap(path, dtype, "r", file.tell(), shape)


def drop_state(path: Path) -> None:
    """Reduce a checkpoint to what it is without its run."""
    with zipfile.ZipFile(path) as archive:
        whole = any(name.startswith(STATE) for name in archive.namelist())
    if whole:
        write_arrays(path, *read_arrays(path))


def content_hash(path: Path) -> str:
    """A hash of what a file is, whatever code made it when, and whatever else a run has put into it."""
    found = hashlib.sha256()
    if path.suffix == ".npz":
        head, arrays = read_arrays(path)
        texts = {name: value for name, value in head.items() if name in ("format", "game", "rules", "about")}
        found.update(json.dumps(texts, sort_keys=True).encode())
        for name, array in sorted(arrays.items()):
            found.update(name.encode() + np.ascontiguousarray(array).tobytes())
    else:
        passing = tuple(f' "{name}": '.encode() for name in PASSING)
        with path.open("rb") as file:
            for line in file:
                if not line.startswith(passing):
                    found.update(line)
    return found.hexdigest()[:16]


@contextlib.contextmanager
def explained(path: Path, what: str) -> Iterator[None]:
    """Within this, whatever is wrong with a file becomes a sentence."""
    try:
        yield
    except (FileError, GameError) as error:
        raise FileError(f"{path} is not a usable {what}: {error}") from None
    except FileNotFoundError as error:
        missing = str(error.filename or path)
        lacks = "" if missing == str(path) else f"{path} is not a usable {what}: "
        raise FileError(f"{lacks}{'there' if lacks else 'There'} is no file {missing}.") from None
    except (IsADirectoryError, PermissionError) as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from None
    except UNREADABLE as error:
        named = f"{'an' if what[0] in 'aeiou' else 'a'} {what}{' file' if what == 'policy' else ''}"
        raise FileError(f"{path} is not {named}, or it is damaged ({type(error).__name__}).") from None
