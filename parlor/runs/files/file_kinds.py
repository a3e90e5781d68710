"""Kinds of strategies on disk: a row for each says how its files are written, recognized and read."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from parlor.game import Game
from parlor.policies.strategy import Strategy
from parlor.runs.files import blueprint_files, network_files, policy_checkpoints, policy_files
from parlor.runs.files.policy_checkpoints import Entries
from parlor.runs.files.policy_files import CHECKPOINT, UNREADABLE

HEADER = 1 << 16  # of a .json file, the header lies in the first bytes


def _version(path: Path, strategy: Strategy) -> str:
    """The version of a strategy: a hash of its whole file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


@dataclass(frozen=True)
class FileKind:
    """One kind of strategy file: its formats, and the functions that load and save it."""

    formats: tuple[str, ...]  # that its headers may name
    load: Callable[[Path], Strategy]
    save: Callable[[Any, Path], Any]
    #: (folder/stem, header, game, strategy, the learner's entries) -> the file, from which training can continue
    save_checkpoint: Callable[[Path, Mapping[str, Any], Game, Any, Entries], Path] | None = None
    load_checkpoint: Callable[[Path], tuple[dict[str, Any], list[dict[str, Any]]]] | None = None
    shown_as: str = ""  # how the page shows it: infosets, grid, or not at all
    version: Callable[[Path, Any], str] = _version
    thin_out: Callable[[Path], None] | None = None  # reduce an old checkpoint to its strategy
    read: Callable[[Path], Strategy] | None = None  # all of it into memory, where `load` leaves some in the file


#: Strategies that contain no others; all of them, with populations, are in `parlor.runs.files.strategy_files.FILES`.
SINGLE: Mapping[str, FileKind] = {
    "policy": FileKind(
        (policy_files.FORMAT, CHECKPOINT),
        policy_files.load_policy,
        policy_files.save,
        policy_checkpoints.save_checkpoint,
        policy_checkpoints.load_checkpoint,
        shown_as="infosets",
    ),
    "blueprint": FileKind(
        (blueprint_files.FORMAT,),
        blueprint_files.load_blueprint,
        blueprint_files.save_blueprint,
        blueprint_files.save_checkpoint,
        blueprint_files.load_checkpoint,
        shown_as="grid",
        version=blueprint_files.version_of,
        thin_out=blueprint_files.cut_down,
        read=blueprint_files.read_blueprint,
    ),
    "network": FileKind(
        (network_files.FORMAT,),
        network_files.load_network,
        network_files.save_network,
        network_files.save_checkpoint,
        network_files.load_checkpoint,
        thin_out=network_files.cut_down,
    ),
}


def read_header(path: Path) -> Mapping[str, Any]:
    """The header of a strategy or of any file of results, or the whole of a small JSON file; empty for other files."""
    try:
        if path.suffix == ".npz":
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                found = json.loads(arrays["header"].tobytes())
        else:
            with path.open("rb") as file:
                text = file.read(HEADER).decode(errors="replace")
            if len(text) < HEADER and '"infosets"' not in text:
                found = json.loads(text)
            else:
                found = json.loads(re.split('"infosets"|"matches"|"cells"', text)[0].rstrip().rstrip(",") + "}")
    except UNREADABLE:
        return {}
    return found if isinstance(found, dict) else {}


def kind_among(kinds: Mapping[str, FileKind], header: Mapping[str, Any]) -> str:
    """The kind of strategy of a header; empty if it is none of these."""
    return next((kind for kind, row in kinds.items() if header.get("format") in row.formats), "")
