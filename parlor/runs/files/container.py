"""The file format of everything that is computed: a header in JSON, and arrays by name, in one .npz file.

The header says what it is (`format`), for which game and rules, how it was made (`about`), and with what (`code`,
`made`). The arrays of a checkpoint that only its run needs begin with `state.`: whoever reads the file for what it is
passes over them. Small tables of a strategy are JSON instead, with the same header (`table_files`).
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import zipfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from parlor.game import GameError
from parlor.runs.files.policy_files import UNREADABLE, FileError, write
from parlor.runs.provenance import code_version, environment, occasion

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
