"""Tables on disk: arrays, or readable JSON, one information set a line, in words where they are known.

Numbers are exact. A checkpoint of a learner with a table also has the learner's numbers at each information set: in
JSON they stand in its line, else they are arrays, column by column.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from parlor.game import Game
from parlor.game.keys import name_of
from parlor.policies.policy import Policy
from parlor.runs.files.container import FileError, write
from parlor.sequence_form.tree import tree_if_small
from parlor.solvers.policy_words import tree_words

FORMAT = "parlor policy 1"
CHECKPOINT = "parlor checkpoint 1"  # what earlier versions called one with the numbers of a learner
ROWS = ("keys", "starts", "probabilities")
LARGE = 20_000  # information sets of a checkpoint: too many to read

#: Numbers of a learner about its information sets.
Entries = Iterable[Mapping[str, Any]]


def pack(policy: Policy, head: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The entries of the header, of which it needs none, and the arrays of a policy."""
    return {}, {name: getattr(policy, name) for name in ROWS}


def unpack(head: Mapping[str, Any], arrays: Mapping[str, Any], words: Mapping[int, Any] | None = None) -> Policy:
    """A policy from its arrays."""
    if not isinstance(head["game"], str) or not isinstance(head["about"], dict):
        raise FileError("it lacks the game it is for and how it was made.")
    keys, starts, probabilities = (arrays[name] for name in ROWS)
    source = str(head.get("source", ""))
    policy = Policy(head["game"], head["rules"], keys, starts, probabilities, head["about"], words or {}, source)
    examine(policy)
    return policy


def examine(policy: Policy) -> None:
    """Raise FileError unless the arrays fit together."""
    counts = np.diff(policy.starts)
    if policy.starts[0] != 0 or policy.starts[-1] != len(policy.probabilities) or len(counts) != len(policy.keys):
        raise FileError("its rows do not add up.")
    if (counts < 1).any() or (np.diff(policy.keys) <= 0).any():
        raise FileError("its information sets are empty or out of order.")
    if not len(policy.keys):
        return
    sums = np.add.reduceat(policy.probabilities, policy.starts[:-1])
    bad = ~(np.abs(sums - 1.0) < 1e-6) | (np.minimum.reduceat(policy.probabilities, policy.starts[:-1]) < 0.0)
    if bad.any():
        raise FileError(f"the probabilities at key {policy.keys[np.argmax(bad)]} are not a distribution.")


# ------------------------------------------------------------------------------------------------------- as JSON


def write_json(path: Path, head: Mapping[str, Any], policy: Policy) -> None:
    """Write a policy, in its own words."""
    starts, probabilities = policy.starts.tolist(), policy.probabilities.tolist()

    def lines() -> Iterator[tuple[str, Mapping[str, Any]]]:
        for i, key in enumerate(policy.keys.tolist()):
            row = probabilities[starts[i] : starts[i + 1]]
            seen, names = policy.words.get(key, ("", ()))
            yield str(key), _line(seen, names, row)

    _write_lines(path, head, lines())


def write_checkpoint_json(path: Path, head: Mapping[str, Any], game: Game, policy: Policy, entries: Entries) -> None:
    """Write a policy with the learner's entries, in the game's words."""
    words = _words(game, policy)

    def lines() -> Iterator[tuple[str, Mapping[str, Any]]]:
        for entry in entries:
            row = policy.row(entry["key"])
            assert row is not None
            player, seen, names = words.get(entry["key"], ("?", "", ()))
            name = name_of(game, entry.get("player", player), entry["key"])
            yield name, {**_line(seen, names, row.tolist()), **entry}

    _write_lines(path, head, lines())


def read_json(content: Mapping[str, Any], source: str = "") -> Policy:
    """A policy from the content of its file."""
    keys, starts, probabilities, words = [], [0], list[float](), {}
    for name, entry in content["infosets"].items():
        row = entry["play"]
        keys.append(int(entry.get("key", name)))
        if isinstance(row, dict):
            words[keys[-1]] = (str(entry["sees"]), tuple(row))
            row = list(row.values())
        probabilities.extend(row)
        starts.append(len(probabilities))
    rows = np.array(keys, np.int64), np.array(starts, np.int64), np.array(probabilities, np.float64)
    return unpack({**content, "source": source}, dict(zip(ROWS, rows, strict=True)), words)


def _line(seen: str, names: tuple[str, ...], row: list[float]) -> dict[str, Any]:
    if not names:
        return {"play": row}
    named = dict(zip(names, row, strict=True))
    return {"sees": seen, "play": named if len(named) == len(row) else row}


def _write_lines(path: Path, head: Mapping[str, Any], lines: Iterator[tuple[str, Mapping[str, Any]]]) -> None:
    """Write an entry of the header a line, and an information set a line."""
    first = "".join(f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)},\n" for name, value in head.items())
    rest = ",\n".join(f'  "{name}": {json.dumps(line, ensure_ascii=False)}' for name, line in lines)
    write(path, f'{{\n{first} "infosets": {{\n{rest}\n }}\n}}\n'.encode())


def _words(game: Game, policy: Policy) -> Mapping[int, tuple[int | str, str, tuple[str, ...]]]:
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


# ------------------------------------------------------------------------------------ a learner's entries as arrays


def pack_entries(entries: Entries) -> dict[str, Any]:
    """The entries column by column; lists of different lengths are concatenated, beside their shapes."""
    columns: dict[str, list[Any]] = {}
    for entry in entries:
        for name, value in entry.items():
            columns.setdefault(name, []).append(value)
    arrays: dict[str, Any] = {}
    for name, values in columns.items():
        if isinstance(values[0], int | float):
            arrays[name] = np.array(values)
            continue
        arrays[f"shape.{name}"] = np.array([(*np.array(v).shape, 0, 0)[:2] for v in values])
        arrays[name] = np.concatenate([np.ravel(v) for v in values])
    return arrays


def unpack_entries(arrays: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The entries as they were."""
    names = [name for name in arrays if not name.startswith("shape.")]
    columns = {
        name: _cut(arrays[name], arrays[f"shape.{name}"].tolist())
        if f"shape.{name}" in arrays
        else arrays[name].tolist()
        for name in names
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _cut(flat: Any, shapes: list[list[int]]) -> list[Any]:
    """Pieces of given shapes, n or m × n, of a concatenated array."""
    pieces, at = [], 0
    for m, n in shapes:
        size = m * n or m
        piece = flat[at : at + size]
        pieces.append((piece.reshape(m, n) if n else piece).tolist())
        at += size
    return pieces
