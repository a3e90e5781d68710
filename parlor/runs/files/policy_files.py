"""Policies on disk.

A policy is saved as readable JSON, one information set a line, in words where they are known; or, if the
file's name ends in .npz, as NumPy arrays with the same header. A file is written beside its place and moved there, so
that it is complete or does not exist. Numbers are exact, and nothing that changes from run to run, such as the
time, is in the file: the same seed gives the same bytes.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from parlor.policies.policy import Policy

FORMAT = "parlor policy 1"
CHECKPOINT = "parlor checkpoint 1"  # of a training run: a policy with more entries (see `policy_checkpoints`)
UNREADABLE = (
    *(ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError),
    *(OSError, EOFError, zipfile.BadZipFile, zlib.error),
)
POLICIES = {".json": "readable", ".npz": "compact"}
FIGURES = dict.fromkeys((".svg", ".png", ".pdf"), "")


class FileError(ValueError):
    """A file that is not what it should be; the message is a sentence for a person."""


def save(policy: Policy, path: str | Path) -> Path:
    """Write a policy to `path`, a .json or .npz file; missing folders are created."""
    path = Path(path)
    data = {".json": _json, ".npz": _npz}[ending(path, POLICIES)](policy, header(policy, path))
    write(path, data)
    return path


def load_policy(path: str | Path) -> Policy:
    """Read a policy."""
    path = Path(path)
    reader = {".json": _from_json, ".npz": _from_npz}[ending(path, POLICIES)]
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise FileError(f"There is no file {path}.") from None
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        policy = _with_source(reader(data), path)
        examine(policy)
    except FileError as error:
        raise FileError(f"{path} is not a usable policy: {error}") from None
    except UNREADABLE as error:
        raise FileError(f"{path} is not a policy file, or it is damaged ({type(error).__name__}).") from None
    return policy


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
        new = False
    finally:
        if new:
            with contextlib.suppress(OSError):
                folder.rmdir()


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
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        with contextlib.suppress(OSError):  # it is gone, if everything went well
            draft.unlink()


# --------------------------------------------------------------------------------------------------- the two formats


def header(policy: Policy, path: Path) -> dict[str, Any]:
    """The header of a policy file at `path`, with the relative path to the game's rules file, if it has one."""
    head = {"format": FORMAT, "game": policy.game, "rules": policy.rules, "about": dict(policy.about)}
    return head | rules_file(policy.source, path)


def rules_file(source: str, path: Path) -> dict[str, str]:
    """The relative path from a file at `path` to the rules file of its game; empty for games that have none."""
    if not source:
        return {}
    try:
        return {"rules_file": Path(os.path.relpath(source, path.absolute().parent)).as_posix()}
    except ValueError:  # on another drive
        return {"rules_file": source}


def _with_source(policy: Policy, path: Path) -> Policy:
    """The policy with the full path of its rules file, if the file has a relative one."""
    if not policy.source:
        return policy
    return replace(policy, source=os.path.normpath(path.absolute().parent / policy.source))


def _json(policy: Policy, head: Mapping[str, Any]) -> bytes:
    return "".join(_json_lines(policy, head)).encode()


def _json_lines(policy: Policy, header: Mapping[str, Any]) -> Iterator[str]:
    head = json.dumps(header, indent=1, ensure_ascii=False)
    yield head.removesuffix("\n}") + ',\n "infosets": {'
    starts, probabilities = policy.starts.tolist(), policy.probabilities.tolist()
    for i, key in enumerate(policy.keys.tolist()):
        row: Any = probabilities[starts[i] : starts[i + 1]]
        entry: dict[str, Any] = {"play": row}
        if key in policy.words:
            seen, names = policy.words[key]
            named = dict(zip(names, row, strict=True))
            entry = {"sees": seen, "play": named if len(named) == len(row) else row}
        yield f'{"," if i else ""}\n  "{key}": {json.dumps(entry, ensure_ascii=False)}'
    yield "\n }\n}\n"


def _from_json(data: bytes) -> Policy:
    content = json.loads(data)
    _check_format(content)
    keys, starts, probabilities, words = [], [0], [], {}
    for name, entry in content["infosets"].items():
        row = entry["play"]
        keys.append(int(entry.get("key", name)))
        if isinstance(row, dict):
            words[keys[-1]] = (str(entry["sees"]), tuple(row))
            row = list(row.values())
        probabilities.extend(row)
        starts.append(len(probabilities))
    return Policy(
        content["game"],
        content["rules"],
        np.array(keys, np.int64),
        np.array(starts, np.int64),
        np.array(probabilities, np.float64),
        content["about"],
        words,
        str(content.get("rules_file", "")),
    )


def _npz(policy: Policy, head: Mapping[str, Any]) -> bytes:
    buffer = io.BytesIO()
    packed = np.frombuffer(json.dumps(head).encode(), np.uint8)
    np.savez(buffer, header=packed, keys=policy.keys, starts=policy.starts, probabilities=policy.probabilities)
    return buffer.getvalue()


def _from_npz(data: bytes) -> Policy:
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        content = json.loads(arrays["header"].tobytes())
        _check_format(content)
        return Policy(
            content["game"],
            content["rules"],
            arrays["keys"],
            arrays["starts"],
            arrays["probabilities"],
            content["about"],
            source=str(content.get("rules_file", "")),
        )


def _check_format(content: Any) -> None:
    if not isinstance(content, dict) or "format" not in content:
        raise FileError("it has no format entry.")
    if content["format"] not in (FORMAT, CHECKPOINT):
        raise FileError(f"its format is {content['format']!r}, this version reads {FORMAT!r}.")
    if not isinstance(content["game"], str) or not isinstance(content["about"], dict):
        raise FileError("it lacks the game it is for and how it was made.")


def examine(policy: Policy) -> None:
    """Raise FileError unless the arrays fit together."""
    counts = np.diff(policy.starts)
    if policy.starts[0] != 0 or policy.starts[-1] != len(policy.probabilities) or len(counts) != len(policy.keys):
        raise FileError("its rows do not add up.")
    if (counts < 1).any() or (np.diff(policy.keys) <= 0).any():
        raise FileError("its information sets are empty or out of order.")
    if not len(policy.keys):
        return
    sums = np.add.reduceat(policy.probabilities, policy.starts[:-1])
    bad = ~(np.abs(sums - 1.0) < 1e-6) | (np.minimum.reduceat(policy.probabilities, policy.starts[:-1]) < 0.0)
    if bad.any():
        raise FileError(f"the probabilities at key {policy.keys[np.argmax(bad)]} are not a distribution.")
