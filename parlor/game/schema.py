"""The state of a game: integers and fixed-size arrays of integers, each with who sees it.

The schema is all that is needed to make plain states (objects of ints and lists), compiled ones (records in an array,
see `parlor.compile`) and the default `view`, which shows a player its part of a state and nothing more, as an object or
as numbers in a row.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import linecache
import math
from collections.abc import Callable, Mapping, MutableSequence
from typing import Any, TypeAlias

CHANCE = -1
OVER = -2

#: A game's state inside its rules: attribute access only, each an integer or a (nested) fixed-size array of integers.
State: TypeAlias = Any
Ints: TypeAlias = MutableSequence[int]
Floats: TypeAlias = MutableSequence[float]
View: TypeAlias = Any


@dataclasses.dataclass(frozen=True)
class Field:
    """One field of a state: its shape (empty for a single integer) and who sees it."""

    seen_by: str  # "all", "owner" (the first index is the player) or "nobody"
    shape: tuple[int, ...]
    most: int = -1  # the numbers in it are 0 … most, for networks; -1: that is found out


def public(*shape: int, most: int = -1) -> Field:
    """A field everybody sees."""
    return Field("all", shape, most)


def private(*shape: int, most: int = -1) -> Field:
    """A field whose first index is the player who sees that part of it."""
    return Field("owner", shape, most)


def hidden(*shape: int) -> Field:
    """A field nobody sees: the order of a deck, a secret."""
    return Field("nobody", shape)


class PlainState:
    """A state in plain Python. Subclasses, one a schema, have a slot for each field and make deep copies."""

    __slots__: tuple[str, ...] = ()

    def assign(self, other: Any) -> None:
        """Become equal to `other`."""

    def copy(self) -> PlainState:
        """Another state that equals this one."""
        made = object.__new__(type(self))
        made.assign(self)
        return made

    def __repr__(self) -> str:
        return f"State({', '.join(f'{n}={getattr(self, n)}' for n in self.__slots__)})"


def fields_of(state: Any) -> dict[str, Any]:
    """The fields of a plain state and their values: a field may have any name, so it is no method."""
    copy = state.copy()
    return {name: getattr(copy, name) for name in copy.__slots__}


def zeros(shape: tuple[int, ...]) -> Any:
    """The value of a field before anything has happened."""
    return [zeros(shape[1:]) for _ in range(shape[0])] if shape else 0


def state_class(schema: Mapping[str, Field]) -> Callable[[], PlainState]:
    """The class of plain states of a schema."""

    def __init__(self: PlainState) -> None:
        for name, field in schema.items():
            setattr(self, name, zeros(field.shape))

    def listed(value: str, depth: int) -> str:
        return value if not depth else f"{value}[:]" if depth == 1 else f"[{listed('v', depth - 1)} for v in {value}]"

    lines = [f"self.{name} = {listed(f'other.{name}', len(field.shape))}" for name, field in schema.items()]
    assign = _function("def made(self, other):\n " + "\n ".join(lines or ["pass"]))
    return type("State", (PlainState,), {"__slots__": tuple(schema), "__init__": __init__, "assign": assign})


def view_by_schema(schema: Mapping[str, Field]) -> Callable[[State, int], View]:
    """The part of a state that a player may see: the default `view`."""
    seen = {name: field for name, field in schema.items() if field.seen_by != "nobody"}
    view_class = dataclasses.make_dataclass("View", [("player", int), *((n, Any) for n in seen)], frozen=True)

    def frozen(value: str, depth: int) -> str:
        inner = value if depth <= 1 else f"[{frozen('v', depth - 1)} for v in {value}]"
        return f"tuple({inner})" if depth else value

    def shown(name: str, field: Field) -> str:
        owned = field.seen_by == "owner"
        return frozen(f"s.{name}[p]" if owned else f"s.{name}", len(field.shape) - owned)

    values = ", ".join(f"{name}={shown(name, field)}" for name, field in seen.items())
    source = f"def made(s, p):\n v = new(View)\n v.__dict__.update(player=p, {values})\n return v"
    return _function(source, View=view_class, new=object.__new__)  # what is frozen is slow to make by its __init__


def numbers_by_schema(schema: Mapping[str, Field]) -> Callable[[State, int, Ints], int]:
    """The same view as numbers in a row, after 1 << p: a function of states that can be compiled, see `kernel.see`."""
    lines, at = ["out[0] = 1 << p"], 1
    for name, field in schema.items():
        if field.seen_by == "nobody":
            continue
        owned = field.seen_by == "owner"
        value, shape, indent, place = f"s.{name}[p]" if owned else f"s.{name}", field.shape[owned:], "", str(at)
        for depth, size in enumerate(shape):
            lines.append(f"{indent}for i{depth} in range({size}):")
            value, indent = f"{value}[i{depth}]", indent + " "
            place += f" + i{depth}" + "".join(f" * {inner}" for inner in shape[depth + 1 :])
        lines.append(f"{indent}out[{place}] = {value}")
        at += math.prod(shape)
    return _function("def made(s, p, out):\n " + "\n ".join([*lines, f"return {at}"]) + "\n", readable=True)


def hidden_by_schema(schema: Mapping[str, Field]) -> Callable[[State, int, Ints], int]:
    """All that a player does not see, as numbers in a row: fields that nobody sees, and the others' parts of the rest.

    The others follow in the order of their seats, from the next one on. A function that can be compiled.
    """
    lines, at = [], 0
    for name, field in schema.items():
        if field.seen_by == "all":
            continue
        owned = field.seen_by == "owner"
        value, shape, indent, place = f"s.{name}", field.shape[owned:], "", str(at)
        if owned:
            players = field.shape[0]
            lines.append(f"for q in range({players - 1}):")
            value, indent, place = f"s.{name}[(p + 1 + q) % {players}]", " ", f"{at} + q * {math.prod(shape)}"
            at += (players - 1) * math.prod(shape)
        for depth, size in enumerate(shape):
            lines.append(f"{indent}for i{depth} in range({size}):")
            value, indent = f"{value}[i{depth}]", indent + " "
            place += f" + i{depth}" + "".join(f" * {inner}" for inner in shape[depth + 1 :])
        lines.append(f"{indent}out[{place}] = {value}")
        at += 0 if owned else math.prod(shape)
    return _function("def made(s, p, out):\n " + "\n ".join([*lines, f"return {at}"]) + "\n", readable=True)


def resolved_play(play: Callable[[State, int], None], resolve: Callable[[State, int], int]) -> Callable[..., None]:
    """Play an action of an abstraction by the rules of its concrete game: a function that can be compiled."""
    return _function("def made(s, a):\n play(s, resolve(s, a))\n", readable=True, play=play, resolve=resolve)


def numbers_by_key(key: Callable[[State, int], int]) -> Callable[[State, int, Ints], int]:
    """All that a player knows in an abstraction, as numbers in a row: 1 << p and the key."""
    return _function("def made(s, p, out):\n out[0] = 1 << p\n out[1] = key(s, p)\n return 2\n", readable=True, key=key)


def with_work(function: Callable[..., None], parameters: str) -> Callable[..., None]:
    """A function of these parameters as one that is called with working memory, too; itself if it takes that."""
    if len(inspect.signature(function).parameters) > len(parameters.split(", ")):
        return function
    if function not in _with_work:
        source = f"def made({parameters}, work):\n inner({parameters})\n"
        _with_work[function] = _function(source, readable=True, inner=function, __name__=__name__)
    return _with_work[function]


_with_work: dict[Callable[..., None], Callable[..., None]] = {}


def _function(source: str, readable: bool = False, **names: Any) -> Callable[..., Any]:
    """A function from its source, as in dataclasses: every move copies states and makes views.

    One that is to be compiled must be readable for whoever asks for its source.
    """
    file = f"<schema {hashlib.sha256(source.encode()).hexdigest()}>" if readable else "<string>"
    if readable:
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), names)
    made: Callable[..., Any] = names["made"]
    return made
