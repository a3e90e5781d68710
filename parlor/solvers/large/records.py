"""The part of a state that only its players' keys read: a record of past moves, which changes nothing that can happen.

Two histories of one information set that differ only there have the same future, if nobody plays by it. So a walk
that holds all histories of an information set may count them as one. A field is such a record if the rules never read
it, but to write it anew: `s.trail[p] = s.trail[p] * 9 + a`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from types import FunctionType
from typing import Any

import numpy as np

from parlor.compile.kernel import IntArray
from parlor.compile.link import resolved
from parlor.game import Game
from parlor.game.schema import Field


def records(game: Game) -> frozenset[str]:
    """The fields of a game that only keys, views and words read."""
    if "records" not in game.cache:
        rules = game.rules
        read: set[str] = set()
        for rule in (rules.start, rules.turn, rules.odds, rules.legal, rules.play, rules.payoff):
            for function in _used_by(rule):
                read |= _read(resolved(function)[0].definition)
        game.cache["records"] = frozenset(game.schema or {}) - read
    found: frozenset[str] = game.cache["records"]
    return found


def kept(game: Game, player: int, uniform: Collection[int]) -> IntArray:
    """For each number of a state -1, or 0 where it may be forgotten while `player` responds to the others.

    That is in a record which the player does not see; one that another sees only if that one plays uniformly.
    """
    parts = [np.zeros(0, np.int64)]
    for name, field in (game.schema or {}).items():
        part = np.full(field.shape, -1, np.int64)
        if name in records(game):
            for q in _unseen(field, player, game.players, uniform):
                part[q] = 0
        parts.append(part.ravel())
    return np.concatenate(parts)


def _unseen(field: Field, player: int, players: int, uniform: Collection[int]) -> Iterator[Any]:
    """The parts of a record that nobody plays by."""
    if field.seen_by == "nobody":
        yield ...
    elif field.seen_by == "owner":
        yield from (q for q in range(players) if q != player and q in uniform)


def _used_by(rule: Callable[..., Any]) -> Iterator[FunctionType]:
    """A rule and all functions that it calls."""
    found: list[Any] = [rule]
    for function in found:  # which grows meanwhile
        if isinstance(function, FunctionType):
            yield function
            targets = resolved(function)[1].values()
            found += [target for target in targets if isinstance(target, FunctionType) and target not in found]


def _read(definition: ast.AST) -> set[str]:
    """The names of attributes that a function reads, but to write the same anew."""
    names: set[str] = set()
    for node in _statements(definition):
        written = ""
        if isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            written = _place(targets[0]) if len(targets) == 1 else ""
        own = set(_inside(node, written)) if written else set()
        names |= {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute) and part not in own}
    return names


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The assignments of a function, and all parts of its other statements."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt) and not isinstance(child, ast.Assign | ast.AugAssign):
            yield from _statements(child)
        else:
            yield child


def _place(target: ast.expr) -> str:
    """A field, or a part of it, as text; empty for any other target."""
    place = target
    while isinstance(place, ast.Subscript):
        place = place.value
    return ast.unparse(target) if isinstance(place, ast.Attribute) and isinstance(place.value, ast.Name) else ""


def _inside(node: ast.AST, written: str) -> Iterator[ast.AST]:
    """The field itself where an assignment names exactly the place that it writes; what is in its index is read."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute | ast.Subscript) and ast.unparse(part) == written:
            place: ast.AST = part
            while isinstance(place, ast.Subscript):
                place = place.value
            yield place
