"""Strategies of all kinds on disk: saved, recognized by their header, and read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.runs.files import table_files
from parlor.runs.files.container import POLICIES, STATE, FileError, ending, provenance, rules_file, write_arrays
from parlor.runs.files.file_kinds import SINGLE, FileKind, kind_among
from parlor.runs.files.file_kinds import read_header as read_header

if TYPE_CHECKING:
    from parlor.poker.blueprint import Blueprint

FILES: Mapping[str, FileKind] = {
    **SINGLE,
    "population": FileKind("parlor.runs.files.population_files", ("parlor population 1",), shown_as="infosets"),
}


def kind_of(header: Mapping[str, Any]) -> str:
    """The kind of strategy of a header; empty if there is none."""
    return kind_among(FILES, header)


def playing_kind(header: Mapping[str, Any]) -> str:
    """The same, if it can take a seat."""
    kind = kind_of(header)
    return kind if kind and FILES[kind].plays else ""


def file_kind(path: Path) -> FileKind:
    """The kind of a file. Unknown files are read as policies, which gives the error."""
    return FILES[kind_of(read_header(path)) or "policy"]


def save(strategy: Strategy, path: str | Path) -> Path:
    """Write a strategy to `path`; missing folders are created."""
    path = Path(path)
    if isinstance(strategy, Policy) and ending(path, POLICIES) == ".json":
        table_files.write_json(path, header(strategy, path), strategy)
    else:
        write_strategy(strategy, path)
    return path


def header(strategy: Strategy, path: Path) -> dict[str, Any]:
    """The entries that every header of a file at `path` has."""
    own = {"game": strategy.game, "rules": strategy.rules, "about": dict(strategy.about)}
    return {"format": FILES[strategy.kind].formats[0], **own, **provenance(), **rules_file(_source(strategy), path)}


def _source(strategy: Strategy) -> str:
    return str(getattr(strategy, "source", ""))


def write_strategy(
    strategy: Strategy, path: Path, head: Mapping[str, Any] | None = None, state: Mapping[str, Any] | None = None
) -> None:
    """Write a strategy as arrays, with more entries of the header, and the arrays that only a run needs."""
    if strategy.kind not in FILES:
        raise FileError(f"A {strategy.kind} cannot be saved; there are files for {', '.join(FILES)}.")
    if path.suffix != ".npz":
        raise FileError(f"{path} should end in .npz: that is how a {strategy.kind} is saved.")
    entries, arrays = FILES[strategy.kind].pack(strategy, head or {})
    own = header(strategy, path)
    kept = {name: value for name, value in (head or {}).items() if name in ("code", "made") or name not in own}
    more = {f"{STATE}{name}": array for name, array in (state or {}).items()}
    write_arrays(path, {**own, **kept, **entries}, {**arrays, **more})


def load_strategy(path: str | Path, in_memory: bool = False) -> Strategy:
    """Read a strategy of any kind; `in_memory` if it is to play on whatever becomes of its file."""
    return file_kind(Path(path)).load(Path(path), in_memory)


def load_policy(path: str | Path) -> Policy:
    """Read a policy by information sets."""
    path = Path(path)
    ending(path, POLICIES)
    found = FILES["policy"].load(path)
    assert isinstance(found, Policy)
    return found


def blueprints_among(paths: Iterable[str | Path]) -> Iterator[tuple[Path, Blueprint]]:
    """A blueprint for each card abstraction, of those files and of all that can be read in those folders."""
    from parlor.poker.blueprint import Blueprint

    known: set[tuple[Any, ...]] = set()
    for path in map(Path, paths):
        for file in [path] if path.is_file() else sorted(path.rglob("*.npz")):
            try:
                plan = FILES["blueprint"].load(file)
            except FileError:
                if file == path:
                    raise
                continue
            assert isinstance(plan, Blueprint)
            if (which := (plan.cards, plan.buckets, plan.streets)) not in known:
                known.add(which)
                yield file, plan
