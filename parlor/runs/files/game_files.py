"""Games in files for other programs."""

from __future__ import annotations

from pathlib import Path

from parlor.game import Game
from parlor.interop.gambit.files import text_of
from parlor.runs.files.container import write


def save_game(game: Game | str, path: str | Path) -> Path:
    """Write a game to a file for Gambit: its tree to .efg, or its payoffs, if everybody chooses once, to .nfg."""
    path = Path(path)
    write(path, text_of(game, path.suffix).encode())
    return path
