"""Empirical games are written to files: readable JSON, one cell a line, or NumPy arrays if the name ends in .npz."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from parlor.population.empirical.empirical_game import EXACT, Cell, EmpiricalGame
from parlor.runs.files.container import ending, provenance, rules_file, write, write_arrays

FORMAT = "parlor empirical game 1"
ENDINGS = {".json": "readable", ".npz": "compact"}


class WritableGame(Protocol):
    """The parts of a `SimulatedGame` that are written."""

    name: str
    seed: int
    symmetric: bool
    measured: dict[str, EmpiricalGame]
    versions: dict[str, str]
    source: str
    rules: str

    @property
    def labels(self) -> Sequence[Sequence[str]]:
        """The names of the agents, by player."""

    def cells(self) -> Sequence[Cell]:
        """All combinations of agents."""

    def named(self, cell: Cell) -> Sequence[str]:
        """The agents of a cell."""


def save_empirical_game(game: WritableGame, path: str | os.PathLike[str]) -> Path:
    """Write it, so that at every moment the old file or the new one is there, complete."""
    path = Path(path)
    head = {"format": FORMAT, "game": game.name, "rules": game.rules, "seed": game.seed, "symmetric": game.symmetric}
    head |= {"labels": game.labels, "versions": {name: v for name, v in sorted(game.versions.items()) if v}}
    head |= rules_file(game.source, path)
    head |= provenance()
    if ending(path, ENDINGS) == ".json":
        write(path, "".join(_json_lines(game, head)).encode())
        return path
    parts = ("counts", "sums", "squares")
    arrays = {f"{name}/{part}": getattr(table, part) for name, table in game.measured.items() for part in parts}
    write_arrays(path, head, arrays, compressed=True)
    return path


def _json_lines(game: WritableGame, head: Mapping[str, Any]) -> Iterator[str]:
    yield json.dumps(head, indent=1, ensure_ascii=False).removesuffix("\n}") + ',\n "cells": ['
    played = [cell for cell in game.cells() if any(table.counts[cell] for table in game.measured.values())]
    for number, cell in enumerate(played):
        entry: dict[str, Any] = {"agents": game.named(cell)}
        at: Any = (slice(None), *cell)
        for name, table in game.measured.items():
            if count := int(table.counts[cell]):
                sums = table.sums[at].tolist()
                known = {"deals": count, "sums": sums, "squares": table.squares[at].tolist()}
                entry[name] = {"exact": sums} if count == EXACT else known
        yield f"{',' if number else ''}\n  {json.dumps(entry, ensure_ascii=False)}"
    yield "\n ]\n}\n"
