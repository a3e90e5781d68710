"""Checkpoints of training runs: everything that is needed to go on, and a person can read it.

A checkpoint is JSON, one information set a line: what it is in words, what is played there, and the learner's numbers.
It carries the run's configuration with the seed, the version of the code and that of the rules. It is also a policy:
whatever reads policies reads checkpoints. Tables too large to read become NumPy files with the same header. Nothing in
a checkpoint depends on the clock or on who played the games: the same run gives the same bytes.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import parlor
from parlor.game import Game, GameError
from parlor.keys import name_of
from parlor.native import version
from parlor.poker.blueprint import Blueprint
from parlor.policy import Policy
from parlor.runs.blueprint_files import cut_down, is_blueprint, read_cells, read_head, save_blueprint
from parlor.runs.config import Config
from parlor.runs.learners import Entry, Learner
from parlor.runs.policy_files import CHECKPOINT, UNREADABLE, FileError, rules_file, write
from parlor.solvers.policy_words import tree_words
from parlor.solvers.tree import tree_if_small

LARGE = 20_000  # information sets: too many to read
CONFIG, CHECKPOINTS = "config.json", "checkpoints"


def code_version() -> str:
    """The version of this package, and of its source where that is under version control."""
    here = Path(parlor.__file__).parent.parent
    if not (here / ".git").exists():
        return parlor.__version__
    try:
        command = ["git", "-C", str(here), "describe", "--always", "--dirty", "--exclude", "*"]
        found = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return parlor.__version__
    return f"{parlor.__version__}+{found}"


def save_config(folder: Path, game: Game, config: Config, code: str) -> None:
    """Write what the run is, before it begins."""
    head = {"code": code, "rules": version(game), "options": dict(game.options), "config": config.data()}
    write(folder / CONFIG, (json.dumps(head, indent=1) + "\n").encode())


def load_config(folder: Path) -> tuple[Config, dict[str, Any]]:
    """What the run in a folder is, and the whole of its file."""
    try:
        head = json.loads((folder / CONFIG).read_bytes())
        return Config.read(head["config"]), head
    except FileNotFoundError:
        raise FileError(f"There is no training run in {folder}: it has no {CONFIG}.") from None
    except GameError as error:
        raise FileError(f"{folder / CONFIG} is not a usable configuration: {error}") from None
    except UNREADABLE as error:
        raise FileError(f"{folder / CONFIG} cannot be read, or it is damaged ({type(error).__name__}).") from None


def checkpoint_path(folder: Path, games: int, large: bool) -> Path:
    """Where the checkpoint after so many games lies."""
    return folder / CHECKPOINTS / f"{games:08d}{'.npz' if large else '.json'}"


def save_checkpoint(
    folder: Path, game: Game, config: Config, code: str, learner: Learner, seconds: float = 0.0
) -> Path:
    """Write a checkpoint; the one before stays as it is, whatever happens. `seconds` is how long it took so far."""
    policy = learner.policy()
    head = {
        "format": CHECKPOINT,
        "game": game.name,
        "rules": version(game),
        "code": code,
        "about": dict(policy.about),
        "config": config.data(),
        "games": learner.games,
    }
    if isinstance(policy, Blueprint):
        return _save_blueprint(folder, head | ({"seconds": seconds} if config.minutes else {}), policy, learner)
    large = len(policy) > LARGE
    path = checkpoint_path(folder, learner.games, large)
    head |= rules_file(policy, path)
    write(path, _npz(head, policy, learner) if large else "".join(_json_lines(head, game, policy, learner)).encode())
    return path


def _save_blueprint(folder: Path, head: Mapping[str, Any], policy: Blueprint, learner: Learner) -> Path:
    """The table is large: besides this one only the checkpoint before keeps it, for the case that this is damaged."""
    path = checkpoint_path(folder, learner.games, True)
    [entry] = learner.entries()
    save_blueprint(policy, path, head, entry["cells"])
    for older in checkpoints(folder)[2:]:
        with contextlib.suppress(*UNREADABLE):
            cut_down(older)
    return path


def _json_lines(head: Mapping[str, Any], game: Game, policy: Policy, learner: Learner) -> Iterator[str]:
    yield json.dumps(head, indent=1, ensure_ascii=False).removesuffix("\n}") + ',\n "infosets": {'
    words = _words(game, policy)
    for i, entry in enumerate(learner.entries()):
        key = entry["key"]
        player: int | str = "?"
        row = policy.row(key)
        assert row is not None
        line: dict[str, Any] = {"play": row.tolist()}
        if key in words:
            player, sees, names = words[key]
            named = dict(zip(names, row.tolist(), strict=True))
            line = {"sees": sees, "play": named if len(named) == len(row) else row.tolist()}
        name = name_of(game, entry.get("player", player), key)
        yield f'{"," if i else ""}\n  "{name}": {json.dumps(line | entry, ensure_ascii=False)}'
    yield "\n }\n}\n"


def _words(game: Game, policy: Policy) -> Mapping[int, tuple[int, str, tuple[str, ...]]]:
    """Whose and what the information sets are, as far as their keys or the whole tree can tell."""
    if game.decode_key is not None:
        told = {key: game.decode_key(key) for key in policy.keys.tolist()}
        return {
            key: (state["player"], game.describe_key(state), tuple(state["actions"])) for key, state in told.items()
        }
    if (t := tree_if_small(game)) is None:
        return {}
    known = game.cache.setdefault("words", {})  # for the next checkpoint has most of these again
    known |= tree_words(t, set(policy.keys.tolist()) - known.keys())
    players = zip(t.keys.tolist(), t.player.tolist(), strict=True)
    return {key: (player, *known[key]) for key, player in players if key in known}


def _npz(head: Mapping[str, Any], policy: Policy, learner: Learner) -> bytes:
    """The entries column by column; a column of lists of different lengths lies end to end beside their lengths."""
    columns: dict[str, list[Any]] = {}
    for entry in learner.entries():
        for name, value in entry.items():
            columns.setdefault(name, []).append(value)
    arrays: dict[str, Any] = {}
    for name, values in columns.items():
        if isinstance(values[0], int | float):
            arrays[f"entry.{name}"] = np.array(values)
            continue
        arrays[f"shape.{name}"] = np.array([(*np.array(v).shape, 0, 0)[:2] for v in values])
        arrays[f"entry.{name}"] = np.concatenate([np.ravel(v) for v in values])
    header = np.frombuffer(json.dumps(head).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez(
        buffer, header=header, keys=policy.keys, starts=policy.starts, probabilities=policy.probabilities, **arrays
    )
    return buffer.getvalue()


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Within this, the run in the folder is ours alone: two at once would write over each other."""
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
                raise FileError(f"The run in {folder} is under way in another process; stop that one first.") from None
        yield
    finally:
        os.close(handle)


def checkpoints(folder: Path) -> list[Path]:
    """The checkpoints of a run, the one with the most games first."""
    found = [p for p in (folder / CHECKPOINTS).glob("*") if p.suffix in (".json", ".npz") and p.stem.isdigit()]
    return sorted(found, key=lambda p: int(p.stem), reverse=True)


def newest(folder: Path) -> Path | None:
    """The checkpoint with the most games."""
    return next(iter(checkpoints(folder)), None)


class Damaged(FileError):
    """A checkpoint that cannot be read."""


def load_checkpoint(path: Path) -> tuple[dict[str, Any], list[Entry]]:
    """The header and the entries of a checkpoint."""
    try:
        if path.suffix == ".json":
            head = json.loads(path.read_bytes())
            entries = list(head.pop("infosets").values())
        elif is_blueprint(path):
            head = read_head(path) | {"format": CHECKPOINT}
            entries = [{"cells": read_cells(path), "mark": head["about"].get("mark")}]
        else:
            head, entries = _from_npz(path)
        if head["format"] != CHECKPOINT:
            raise FileError(f"{path} is a {head['format']!r}, not a {CHECKPOINT!r}.")
        if missing := {"games", "game", "rules", "code", "config"} - set(head):
            raise Damaged(f"{path} is not a whole checkpoint: it lacks {', '.join(sorted(missing))}.")
        if head["games"] != int(path.stem):
            raise Damaged(f"{path} has {head['games']:,} games in it, which is not what its name says.")
    except FileError:
        raise
    except UNREADABLE as error:
        raise Damaged(f"{path} is not a checkpoint, or it is damaged ({type(error).__name__}).") from None
    return head, entries


def _from_npz(path: Path) -> tuple[dict[str, Any], list[Entry]]:
    with np.load(path, allow_pickle=False) as arrays:
        head = json.loads(arrays["header"].tobytes())
        columns: dict[str, list[Any]] = {}
        for name in (n.removeprefix("entry.") for n in arrays.files if n.startswith("entry.")):
            flat = arrays[f"entry.{name}"]
            columns[name] = flat.tolist()
            if f"shape.{name}" in arrays.files:
                columns[name] = _cut(flat, arrays[f"shape.{name}"].tolist())
    return head, [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _cut(flat: Any, shapes: list[list[int]]) -> list[Any]:
    """Pieces of given shapes, n or m × n, from what lies end to end."""
    pieces, at = [], 0
    for m, n in shapes:
        size = m * n or m
        piece = flat[at : at + size]
        pieces.append((piece.reshape(m, n) if n else piece).tolist())
        at += size
    return pieces
