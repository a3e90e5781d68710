"""Checkpoints of training runs: everything that is needed to continue, readable by people.

A checkpoint is JSON, one information set a line: its text, its strategy, and the learner's numbers.
It carries the run's configuration with the seed, the version of the code and that of the rules. It is also a policy:
whatever reads policies reads checkpoints. Tables too large to read become NumPy files with the same header. Nothing in
a checkpoint depends on the clock or on who played the games: the same run gives the same bytes.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from parlor.compile import version
from parlor.game import Game, GameError
from parlor.game.parameters import Settings
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.runs.files import table_files
from parlor.runs.files.container import (
    UNREADABLE,
    FileError,
    code_version,
    drop_state,
    environment,
    occasion,
    read_arrays,
    write,
)
from parlor.runs.files.strategy_files import FILES, header, write_strategy
from parlor.runs.learners.learner import Entry

CONFIG, CHECKPOINTS = "config.json", "checkpoints"

AnyConfig = TypeVar("AnyConfig", bound=Settings)


def save_config(folder: Path, game: Game, config: Settings, kind: str, before: Mapping[str, Any] | None = None) -> None:
    """Write the configuration of a run; `before` is what was written when it began, if it goes on with another."""
    begun = before or {"code": code_version(), "made": environment() | occasion()}
    head = {"kind": kind, "code": begun.get("code"), "rules": version(game), "options": dict(game.options)}
    head |= {"config": config.data(), "made": begun.get("made", {})}
    write(folder / CONFIG, (json.dumps(head, indent=1, ensure_ascii=False) + "\n").encode())


def run_kind(folder: Path) -> str:
    """The kind of the run in a folder: training, solving, psro or tuning; empty where there is none."""
    try:
        return str(json.loads((folder / CONFIG).read_bytes()).get("kind", "training"))
    except UNREADABLE:
        return ""


def load_config(config_type: type[AnyConfig], folder: Path, kind: str) -> tuple[AnyConfig, dict[str, Any]]:
    """The configuration of the run of a kind in a folder, and the whole content of its file."""
    if run_kind(folder) not in (kind, ""):
        raise FileError(f"The run in {folder} is not a {kind} run but a {run_kind(folder)} run.")
    try:
        head = json.loads((folder / CONFIG).read_bytes())
        return config_type.read(head["config"]), head
    except FileNotFoundError:
        raise FileError(f"There is no {kind} run in {folder}: it has no {CONFIG}.") from None
    except GameError as error:
        raise FileError(f"{folder / CONFIG} is not a usable configuration: {error}") from None
    except UNREADABLE as error:
        raise FileError(f"{folder / CONFIG} cannot be read, or it is damaged ({type(error).__name__}).") from None


def save_checkpoint(
    folder: Path,
    head: Mapping[str, Any],
    game: Game,
    strategy: Strategy,
    entries: Iterable[Mapping[str, Any]],
    by: str = "games",
) -> Path:
    """Write a checkpoint of so many steps as `head[by]` says; the one before remains, whatever happens."""
    path, head = folder / CHECKPOINTS / f"{head[by]:08d}", {**head, "made": environment()}
    if isinstance(strategy, Policy) and len(strategy) <= table_files.LARGE:
        path = path.with_suffix(".json")
        table_files.write_checkpoint_json(path, header(strategy, path) | head, game, strategy, entries)
        return path
    path = path.with_suffix(".npz")
    state = table_files.pack_entries(entries) if isinstance(strategy, Policy) else dict(next(iter(entries)))
    write_strategy(strategy, path, head, state)
    if FILES[strategy.kind].slim:  # the one before remains complete, in case this one is damaged
        for older in checkpoints(folder)[2:]:
            with contextlib.suppress(*UNREADABLE):
                drop_state(older)
    return path


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Within this, the run in the folder is locked: two processes would overwrite each other."""
    if sys.platform == "win32":  # which has no such locks
        yield
        return
    import fcntl

    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise FileError(f"{folder} cannot be written: {error.strerror}.") from None
    try:
        with contextlib.suppress(OSError):  # some file systems have no locks either
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.1)  # it may be that somebody only looks, see `under_way`
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    message = f"The run in {folder} is running in another process; stop that one first."
                    raise FileError(message) from None
        yield
    finally:
        os.close(handle)


def under_way(folder: Path) -> bool:
    """Whether a process has the run in a folder to itself; also where that cannot be found out."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:  # somebody has it, or there are no locks
        return True
    finally:
        os.close(handle)
    return False


def checkpoints(folder: Path) -> list[Path]:
    """The checkpoints of a run, the one with the most games first."""
    found = [p for p in (folder / CHECKPOINTS).glob("*") if p.suffix in (".json", ".npz") and p.stem.isdigit()]
    return sorted(found, key=lambda p: int(p.stem), reverse=True)


def newest(folder: Path) -> Path | None:
    """The checkpoint with the most games."""
    return next(iter(checkpoints(folder)), None)


class Damaged(FileError):
    """A checkpoint that cannot be read."""


def load_checkpoint(path: Path, by: str = "games") -> tuple[dict[str, Any], list[Entry]]:
    """The header and the entries of a checkpoint."""
    try:
        if path.suffix == ".npz":
            head, state = read_arrays(path, state=True)
            entries = table_files.unpack_entries(state) if "key" in state else [state]
        else:
            head = json.loads(path.read_bytes())
            entries = list(head.pop("infosets", {}).values())
        if "config" not in head and head["format"] != table_files.CHECKPOINT:
            raise FileError(f"{path} is not a checkpoint, but a {head['format']!r}.")
        check_head(path, head, by)
    except FileError:
        raise
    except UNREADABLE as error:
        raise Damaged(f"{path} is not a checkpoint, or it is damaged ({type(error).__name__}).") from None
    return head, entries


def check_head(path: Path, head: Mapping[str, Any], by: str) -> None:
    """Raise Damaged for a checkpoint whose header is not complete, or is that of another file."""
    if missing := {by, "game", "rules", "code", "config"} - set(head):
        raise Damaged(f"{path} is not a complete checkpoint: it lacks {', '.join(sorted(missing))}.")
    if head[by] != int(path.stem):
        steps = by if by.endswith("s") else f"{by}s"
        raise Damaged(f"{path} has {head[by]:,} {steps} in it, which is not what its name says.")
