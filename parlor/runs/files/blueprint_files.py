"""Blueprints on disk: NumPy files with a JSON header, mapped into memory.

A checkpoint of a run is a blueprint that also has the learner's table, which is needed to continue and is eight times
as large. The two newest checkpoints of a run have it; older ones are reduced to the blueprint.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from parlor.game import Game, GameError
from parlor.poker.blueprint import Blueprint
from parlor.poker.hands.buckets import suitless_name
from parlor.runs.files.policy_files import UNREADABLE, FileError, write

FORMAT = "parlor blueprint 1"
SMALL = ("nodes", "stride", "sizes", "code", "action", "child", "folds", "shows")


def save_blueprint(plan: Blueprint, path: Path, head: Mapping[str, Any] | None = None, cells: Any = None) -> None:
    """Write a blueprint, with more header entries and the learner's table if they are given."""
    about = {"game": plan.game, "rules": plan.rules, "cards": plan.cards, "buckets": list(plan.buckets)}
    header = {**about, "about": dict(plan.about), **(head or {}), "format": FORMAT}
    arrays: dict[str, Any] = {"header": np.frombuffer(json.dumps(header).encode(), np.uint8)}
    arrays |= {name: getattr(plan, name) for name in (*SMALL, "play")}
    if cells is not None:
        arrays["cells"] = cells
    write(path, lambda file: np.savez(file, **arrays))


def save_checkpoint(
    path: Path, head: Mapping[str, Any], game: Game, plan: Blueprint, entries: Iterable[Mapping[str, Any]]
) -> Path:
    """Write a blueprint with the learner's table."""
    [entry] = entries
    path = path.with_suffix(".npz")
    save_blueprint(plan, path, head, entry["cells"])
    return path


def load_checkpoint(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header and the learner's table."""
    head = read_head(path)
    return head, [{"cells": read_cells(path), "mark": head["about"].get("mark")}]


def read_blueprint(path: Path) -> Blueprint:
    """A blueprint with its rows in memory: it goes on playing whatever becomes of its file."""
    return load_blueprint(path, in_memory=True)


def load_blueprint(path: Path, in_memory: bool = False) -> Blueprint:
    """A blueprint whose rows stay in its file, mapped into memory, which must not be overwritten meanwhile."""
    try:
        head = read_head(path)
        if head["format"] != FORMAT:
            raise FileError(f"{path} has the format {head['format']!r}; this version reads {FORMAT!r}.")
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            small = {name: arrays[name] for name in SMALL}
            play = arrays["play"] if in_memory else mapped(path, "play")
        plan = Blueprint(
            head["game"], head["rules"], head["cards"], tuple(head["buckets"]), **small, play=play, about=head["about"]
        )
        if len(play) != int((plan.stride * plan.sizes).sum()):
            raise FileError(f"{path} is not a complete blueprint: its rows do not add up.")
        return plan
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(f"There is no file {path}.") from None
    except UNREADABLE as error:
        raise FileError(f"{path} is not a blueprint, or it is damaged ({type(error).__name__}).") from None


def one_of_each(paths: Iterable[str | Path]) -> Iterator[tuple[Path, Blueprint]]:
    """A blueprint for each card abstraction, of those files and of all that can be read in those folders."""
    known: set[tuple[Any, ...]] = set()
    for path in map(Path, paths):
        for file in [path] if path.is_file() else sorted(path.rglob("*.npz")):
            try:
                plan = load_blueprint(file)
            except FileError:
                if file == path:
                    raise
                continue
            if (which := (plan.cards, plan.buckets, plan.streets)) not in known:
                known.add(which)
                yield file, plan


def version_of(path: Path, plan: Blueprint) -> str:
    """The version of a blueprint: a hash of what it plays, not of what only training needs."""
    return hashlib.sha256(plan.game.encode() + bytes(plan.play.data)).hexdigest()[:16]


def read_head(path: Path) -> dict[str, Any]:
    """The header of a blueprint."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        head: dict[str, Any] = json.loads(arrays["header"].tobytes())
    return head


def read_cells(path: Path) -> Any:
    """The learner's table of a checkpoint."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        return arrays["cells"]


def cut_down(path: Path) -> None:
    """Reduce a checkpoint to its blueprint."""
    with zipfile.ZipFile(path) as archive:
        whole = "cells.npy" in archive.namelist()
    if whole:
        save_blueprint(load_blueprint(path), path, read_head(path))


def mapped(path: Path, name: str) -> Any:
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


def suitless_rows(plan: Blueprint) -> Iterator[tuple[str, str]]:
    """A blueprint as rows of hand, flop and moves, and the probabilities of fold, call and raise (Mendes da Luz, 2025).

    Rows that were never trained are left out, and so are, as there, uniform ones.
    """
    if plan.cards != "suitless" or set(plan.action.tolist()) - {0, 1, 2}:
        raise GameError(
            f"The .csv format has hands without suits and three moves; a blueprint for {plan.game} with the card "
            f"abstraction {plan.cards} does not fit into it."
        )
    names = [[suitless_name(street, bucket) for bucket in range(plan.sizes[street])] for street in range(plan.streets)]
    stack = [(0, "")]
    while stack:
        node, line = stack.pop()
        street, actions = plan.slot(node)[1], plan.actions(node)
        chances = np.zeros((len(names[street]), 3))
        chances[:, actions] = plan.strategy(node)
        for bucket in np.flatnonzero(plan.learned(node)).tolist():
            fold, call, more = chances[bucket]
            yield f"{names[street][bucket]} {line}".strip(), f"[{fold:.2f},{call:.2f},{more:.2f}]"
        for action in reversed(actions):
            if (after := plan.after(node, action)) >= 0:
                stack.append((after, line + "fcr"[action]))
