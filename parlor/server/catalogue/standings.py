"""The strength of agents at a game, from all cross tables in the server's folders that were played at it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from parlor.agents.registry import AGENTS
from parlor.arena.ratings import Result, hardest_to_beat, level, ratings, results_of
from parlor.arena.statistics import Estimate
from parlor.game import GameError
from parlor.game.loading.registry import split
from parlor.runs.files.container import UNREADABLE
from parlor.server.catalogue.folders import Contents, File, Folders
from parlor.server.operations.lru_cache import LruCache

PATHS = r"[^(),=]*/[^(),=]*|[^(),=]+\.(?:json|npz)\b"  # in the name of an agent

Results = list[tuple[str, str, Result]]


@dataclass(frozen=True)
class Standing:
    """The agents that were measured at a game, by id."""

    ratings: Mapping[str, Estimate] = field(default_factory=dict)
    hardest: tuple[str, ...] = ()  # the one whose worst result is best first

    def level(self, id: str) -> int | None:
        """From 1, random play, to 10, the best; None where the intervals of another level's agent reach its own."""
        best = max(rating.value for rating in self.ratings.values())
        mine, levels = self.ratings[id], {other: level(one.value, best) for other, one in self.ratings.items()}
        others = [one for other, one in self.ratings.items() if levels[other] != levels[id]]
        return levels[id] if all(one.low > mine.high or one.high < mine.low for one in others) else None


class Standings:
    """Standings by game, read again when tables change."""

    def __init__(self, folders: Folders) -> None:
        self.folders = folders
        self._tables: LruCache[Results] = LruCache(256)
        self._standings: LruCache[Standing] = LruCache(256)

    def at(self, game: str) -> Standing:
        """The standing at a game, by its name with options."""
        found = self.folders.found()
        tables = [table for table in found.tables.values() if table.game == game]
        if not tables:
            return Standing()
        ids = _ids(found)
        stamps = tuple(table.stamp for table in tables)
        return self._standings.get_or((game, stamps, tuple(ids.values())), lambda: self._of(tables, ids))

    def _of(self, tables: list[File], ids: Mapping[Path, str]) -> Standing:
        results = [
            (agent_id(one, table.path, ids), agent_id(other, table.path, ids), result)
            for table in tables
            for one, other, result in self._tables.get_or((table.path, table.stamp), lambda t=table: _read(t))  # type: ignore[misc]
        ]
        return Standing(ratings(results), tuple(hardest_to_beat(results)))


def _read(table: File) -> Results:
    try:
        return results_of(json.loads(table.path.read_bytes()))
    except (*UNREADABLE, ZeroDivisionError):
        return []  # an old table, or another file


def _ids(found: Contents) -> dict[Path, str]:
    """Files and folders of runs -> ids of agents; of a run, that of its newest checkpoint."""
    ids = {run.path.resolve(): run.checkpoints[-1].id for run in found.runs.values() if run.checkpoints}
    return ids | {file.path.resolve(): file.id for file in found.policies.values()}


def agent_id(text: str, table: Path, ids: Mapping[Path, str]) -> str:
    """The id of an agent in a cross table, whose name there may contain paths.

    A path is relative to the folder where the table was made. The server may have been started elsewhere, so the ends
    of the path are looked up from the table's own folder, and the one around it, too.
    """

    def id_of(path: re.Match[str]) -> str:
        parts = Path(path[0]).parts
        near = (table.parent, table.parent.parent)
        places = [Path(path[0]), *(folder.joinpath(*parts[i:]) for i in range(1, len(parts)) for folder in near)]
        return next((ids[place.resolve()] for place in places if place.resolve() in ids), path[0])

    text = re.sub(PATHS, id_of, text)
    try:
        base, given = split(text)
    except GameError:
        return text
    if base not in AGENTS:
        return text
    own = own_settings(base, given)
    return f"{base}({','.join(f'{key}={value}' for key, value in own.items())})" if own else base


def own_settings(base: str, given: Mapping[str, str]) -> dict[str, str]:
    """The settings that differ from those at a server's table."""
    settings = AGENTS[base].settings
    return {key: value for key, value in given.items() if key not in settings or value != _served(base, key)}


def _served(base: str, key: str) -> str:
    """The value of a setting at a server's table if nothing is asked for."""
    setting = AGENTS[base].settings[key]
    return str(setting.default if setting.server_limit is None else setting.server_limit)


def served(id: str) -> str:
    """An agent as the server seats it, with the limits of its settings written out: `look-ahead(rollouts=5)`."""
    base, given = split(id)
    if base not in AGENTS:
        return id
    limits = {key: str(s.server_limit) for key, s in AGENTS[base].settings.items() if s.server_limit is not None}
    given = limits | given
    return f"{base}({','.join(f'{key}={value}' for key, value in given.items())})" if given else base
