"""Checkpoints of learners with a tabular strategy: a policy with the learner's numbers at each information set."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from parlor.game import Game
from parlor.game.keys import name_of
from parlor.policies.policy import Policy
from parlor.runs.files.policy_files import rules_file, write
from parlor.sequence_form.tree import tree_if_small
from parlor.solvers.policy_words import tree_words

LARGE = 20_000  # information sets: too many to read

#: Numbers of a learner about its information sets.
Entries = Iterable[Mapping[str, Any]]


def save_checkpoint(path: Path, head: Mapping[str, Any], game: Game, policy: Policy, entries: Entries) -> Path:
    """Write a policy with the learner's entries: readable, or, if there are too many to read, as arrays."""
    large = len(policy) > LARGE
    path = path.with_suffix(".npz" if large else ".json")
    head = {**head, **rules_file(policy.source, path)}
    lines = () if large else _checkpoint_lines(head, game, policy, entries)
    write(path, _checkpoint_npz(head, policy, entries) if large else "".join(lines).encode())
    return path


def load_checkpoint(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header and the entries."""
    if path.suffix == ".npz":
        return _entries_from_npz(path)
    head = json.loads(path.read_bytes())
    return head, list(head.pop("infosets").values())


def _checkpoint_lines(head: Mapping[str, Any], game: Game, policy: Policy, entries: Entries) -> Iterator[str]:
    yield json.dumps(head, indent=1, ensure_ascii=False).removesuffix("\n}") + ',\n "infosets": {'
    words = _words(game, policy)
    for i, entry in enumerate(entries):
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
        yield f'{"," if i else ""}\n  "{name}": {json.dumps({**line, **entry}, ensure_ascii=False)}'
    yield "\n }\n}\n"


def _words(game: Game, policy: Policy) -> Mapping[int, tuple[int, str, tuple[str, ...]]]:
    """The player, text and action names of information sets, as far as their keys or the whole tree give them."""
    if game.words.decode_key is not None:
        states = {key: game.words.decode_key(key) for key in policy.keys.tolist()}
        return {
            key: (state["player"], game.words.describe_key(state), tuple(state["actions"]))
            for key, state in states.items()
        }
    if (t := tree_if_small(game)) is None:
        return {}
    known = game.cache.setdefault("words", {})  # the next checkpoint needs most of these again
    known |= tree_words(t, set(policy.keys.tolist()) - known.keys())
    players = zip(t.keys.tolist(), t.player.tolist(), strict=True)
    return {key: (player, *known[key]) for key, player in players if key in known}


def _checkpoint_npz(head: Mapping[str, Any], policy: Policy, entries: Entries) -> bytes:
    """The entries column by column; a column of lists of different lengths is concatenated, beside their lengths."""
    columns: dict[str, list[Any]] = {}
    for entry in entries:
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


def _entries_from_npz(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        head = json.loads(arrays["header"].tobytes())
        columns: dict[str, list[Any]] = {}
        for name in (n.removeprefix("entry.") for n in arrays.files if n.startswith("entry.")):
            flat = arrays[f"entry.{name}"]
            columns[name] = flat.tolist()
            if f"shape.{name}" in arrays.files:
                columns[name] = _cut(flat, arrays[f"shape.{name}"].tolist())
    return head, [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _cut(flat: Any, shapes: list[list[int]]) -> list[Any]:
    """Pieces of given shapes, n or m × n, of a concatenated array."""
    pieces, at = [], 0
    for m, n in shapes:
        size = m * n or m
        piece = flat[at : at + size]
        pieces.append((piece.reshape(m, n) if n else piece).tolist())
        at += size
    return pieces
