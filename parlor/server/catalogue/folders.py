"""The contents of the server's folders: policies, runs, cross tables and empirical games, by id.

Nothing that comes over the network is ever made into a path. Folders are searched, everything found gets an id
of harmless characters, and ids are looked up in that list.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import re
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parlor.game import GameError
from parlor.population.empirical.empirical_game_writer import FORMAT as EMPIRICAL_GAME
from parlor.runs.files.container import POLICIES
from parlor.runs.files.strategy_files import playing_kind, read_header
from parlor.runs.files.strategy_names import strategy_name
from parlor.runs.run import CHECKPOINTS, CONFIG
from parlor.server.catalogue.characters import character, first_names
from parlor.server.operations.lru_cache import LruCache

DEPTH = 5  # folders in folders
FRESH = 1.0  # seconds for which a search of the folders is reused


class Unknown(GameError):
    """An unknown id."""


@dataclass(frozen=True)
class File:
    """A policy, a checkpoint, a cross table or an empirical game on disk."""

    id: str
    name: str
    path: Path
    stamp: tuple[int, int]  # time and size: another stamp, another content
    game: str
    checkpoint: bool = False
    run: str | None = None
    trained: int | None = None
    kind: str = ""  # of strategy
    head: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # how it was made
    character: str = ""  # its name at a table


@dataclass(frozen=True)
class RunFolder:
    """The folder of a run."""

    id: str
    name: str
    path: Path
    checkpoints: tuple[File, ...]


@dataclass(frozen=True)
class Contents:
    """The content of the folders."""

    policies: Mapping[str, File]
    runs: Mapping[str, RunFolder]
    tables: Mapping[str, File]
    empirical: Mapping[str, File]


class Folders:
    """Some folders on disk, searched again on request."""

    def __init__(self, paths: Sequence[Path] = (), taken: Collection[str] = ()) -> None:
        """`taken` are ids in use elsewhere."""
        self.paths = [Path(path) for path in paths]
        self.taken = taken
        self._heads: LruCache[Mapping[str, Any]] = LruCache(4096)
        self._names: LruCache[str] = LruCache(4096)
        self._found = Contents({}, {}, {}, {})
        self._looked = float("-inf")
        self._lock = threading.Lock()

    def title(self, name: str) -> str:
        """The title of an agent whose name may contain the path of its file, which is not shown."""
        found = self.found()
        titles = {run.path.resolve(): run.checkpoints[-1].name for run in found.runs.values() if run.checkpoints}
        titles |= {file.path.resolve(): file.name for file in found.policies.values()}

        def called(path: re.Match[str]) -> str:
            if ".py:" in path[0]:
                return path[0].rpartition(":")[2]
            return titles.get(Path(path[0]).resolve(), Path(path[0]).stem or "policy")

        return re.sub(r"[^(),=]*/[^(),=]*|[^(),=]+\.(?:json|npz)\b", called, name)

    def file(self, id: str) -> File:
        """The policy or checkpoint of that id."""
        file = self.found().policies.get(id)
        if file is None:
            raise Unknown(f"There is no agent {id[:60]!r} here.")
        return file

    def run(self, id: str) -> RunFolder:
        """The run of that id."""
        run = self.found().runs.get(id)
        if run is None:
            raise Unknown(f"There is no training run {id[:60]!r} here.")
        return run

    def found(self) -> Contents:
        """Return the contents of the folders, searched again after `FRESH` seconds; the same object if none changed."""
        with self._lock:
            if time.monotonic() - self._looked > FRESH:
                found = self._look()
                self._found = self._found if found == self._found else found
                self._looked = time.monotonic()
            return self._found

    def _look(self) -> Contents:
        policies: dict[str, File] = {}
        runs: dict[str, RunFolder] = {}
        tables: dict[str, File] = {}
        empirical: dict[str, File] = {}
        taken = set(self.taken)
        for folder in self.paths:
            for path in _walk(folder, DEPTH):
                where = path.relative_to(folder) if path != folder else Path(folder.resolve().name)
                if path.is_dir():
                    run = self._run(path, free_id(where, path, taken), str(where))
                    runs[run.id] = run
                    policies |= {file.id: file for file in run.checkpoints}
                    continue
                head = self._head(path)
                kind = playing_kind(head)
                if kind or "mean_rates" in head or head.get("format") == EMPIRICAL_GAME:
                    id = free_id(where.with_suffix(""), path, taken)
                    file = File(id, str(where.with_suffix("")), path, _stamp(path), str(head.get("game", "")))
                    if kind:
                        policies[id] = dataclasses.replace(file, checkpoint="config" in head, kind=kind, head=head)
                    elif "mean_rates" in head:
                        tables[id] = file
                    else:
                        empirical[id] = dataclasses.replace(file, head={"labels": head.get("labels")})
        policies = self._named(policies)
        for id, run in runs.items():
            runs[id] = dataclasses.replace(run, checkpoints=tuple(policies[file.id] for file in run.checkpoints))
        return Contents(policies, runs, tables, empirical)

    def _named(self, policies: Mapping[str, File]) -> dict[str, File]:
        """The policies with names for people; those that would have the same also say their file or run."""
        names = {
            id: self._names.get_or((file.path, file.stamp), functools.partial(strategy_name, file.head))
            for id, file in policies.items()
        }
        often = Counter(names.values())
        titles = {
            id: _plain_name(policies[id]) if not name else name if often[name] == 1 else f"{name} ({policies[id].name})"
            for id, name in names.items()
        }
        first = first_names((file.run or id, file.game) for id, file in policies.items())
        newest = {file.run: id for id, file in policies.items()}  # checkpoints come in order
        return {
            id: dataclasses.replace(
                file,
                name=titles[id],
                character=character(
                    first[file.run or id], file.kind, file.head, file.run is None or newest[file.run] == id
                ),
            )
            for id, file in policies.items()
        }

    def _run(self, path: Path, id: str, name: str) -> RunFolder:
        checkpoints = []
        for file in sorted((path / CHECKPOINTS).glob("*")):
            if file.suffix in POLICIES and file.stem.isdecimal() and (head := self._head(file)):
                games = int(file.stem)
                game = str(head.get("game", ""))
                if kind := playing_kind(head):
                    checkpoints.append(
                        File(f"{id}.{file.stem}", name, file, _stamp(file), game, True, id, games, kind, head)
                    )
        return RunFolder(id, name, path, tuple(checkpoints))

    def _head(self, path: Path) -> Mapping[str, Any]:
        """The header of a file; empty if it is none of ours."""
        try:
            return self._heads.get_or((path, _stamp(path)), lambda: read_header(path))
        except OSError:
            return {}


def _plain_name(file: File) -> str:
    """The name of a policy whose header does not say enough for a better one."""
    return file.name if file.trained is None else f"{file.name} after {file.trained:,} games"


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    """Folders of runs, and files that may be policies, in order."""
    if (folder / CONFIG).is_file() and ((folder / CHECKPOINTS).is_dir() or (folder / "metrics.jsonl").is_file()):
        yield folder
        return
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return
    for path in inside:
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir() and depth > 0:
            yield from _walk(path, depth - 1)
        elif path.suffix in POLICIES and path.is_file():
            yield path


def free_id(name: Path, path: Path, taken: set[str]) -> str:
    """An id of harmless characters: the name's, with a hash of its path if that is taken."""
    slug = re.sub(r"[^A-Za-z0-9+_-]+", "-", "-".join(name.parts)).strip("-")[:80] or "policy"
    if slug in taken:
        slug = f"{slug}-{hashlib.sha256(str(path).encode()).hexdigest()[:6]}"
    taken.add(slug)
    return slug


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size
