"""Names at a table for strategies from files: a first name for each run or file, with a word for how it learned.

The same run keeps its name in all its checkpoints; those before the newest also say how far they had come.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from parlor.policies.population import Population
from parlor.runs.files.strategy_names import is_solved, played_so_far

FIRST_NAMES = (
    *("Nora", "Otto", "Petra", "Quentin", "Ursula", "Viktor", "Xenia", "Yara", "Zeno", "Alma", "Bruno", "Delia"),
    *("Emil", "Frida", "Gregor", "Hilda", "Ivo", "Jonna", "Kasimir", "Lea", "Magnus", "Nils", "Oda", "Pablo"),
)
SOLVED, MANY, LEARNED = "Flawless", "Versatile", "Self-taught"


def first_names(sources: Iterable[tuple[str, str]]) -> dict[str, str]:
    """A first name for each source (a run or a file) of a game, by its id: no two of a game alike while they last."""
    found: dict[str, str] = {}
    taken: dict[str, set[str]] = {}
    for source, game in sources:
        if source in found:
            continue
        used = taken.setdefault(game, set())
        start = zlib.crc32(source.encode()) % len(FIRST_NAMES)
        turned = (*FIRST_NAMES[start:], *FIRST_NAMES[:start])
        found[source] = next((name for name in turned if name not in used), f"{turned[0]} {len(used) + 1}")
        used.add(found[source])
    return found


def character(first_name: str, kind: str, head: Mapping[str, Any], newest: bool) -> str:
    """A name for a table: "Self-taught Nora", before its newest checkpoint "Self-taught Nora (20 games)"."""
    how = SOLVED if is_solved(head) else MANY if kind == Population.kind else LEARNED
    amount = "" if newest else played_so_far(head)
    return f"{how} {first_name} ({amount})" if amount else f"{how} {first_name}"
