"""The agent that a tuning run has found, in its folder: the folder can be used as the name of the agent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parlor.runs.checkpoints import run_kind
from parlor.runs.files.policy_files import UNREADABLE, FileError, write

BEST = "best.json"


def save_best(folder: Path, numbers: Mapping[str, Any]) -> None:
    """Write what was found: at least the game and the agent."""
    write(folder / BEST, (json.dumps(numbers, indent=1, ensure_ascii=False) + "\n").encode())


def load_best(folder: str | Path) -> dict[str, Any] | None:
    """The best agent that a tuning run has found; None if the folder holds no such run."""
    folder = Path(folder)
    if run_kind(folder) != "tuning":
        return None
    try:
        found = json.loads((folder / BEST).read_bytes())
        return {**found, "agent": str(found["agent"]), "game": str(found["game"])}
    except FileNotFoundError:
        raise FileError(f"The tuning run in {folder} has found nothing yet: it has no {BEST}.") from None
    except UNREADABLE:
        raise FileError(f"{folder / BEST} cannot be read, or it is damaged.") from None
