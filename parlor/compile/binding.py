"""Kernels bound to a game: compiled (`native`) or as plain Python (`interpret`), and the states they work on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from parlor.compile import kernel
from parlor.compile.compile import compile
from parlor.compile.link import Bindings, Wrapped, fingerprint, link, names_used
from parlor.game import RULES, Game, GameError
from parlor.game.game import HIDDEN_WORLDS
from parlor.game.schema import numbers_by_key, numbers_by_schema, with_work

_without_game: dict[Callable[..., Any], Callable[..., Any]] = {}


def native(entry: Callable[..., Any], game: Game | None = None, extra: Bindings | None = None) -> Callable[..., Any]:
    """`entry`, compiled for `game` (or for no game, if it calls no rules); `extra` fills slots that are no rules."""
    if game is None:
        if entry not in _without_game:
            _without_game[entry] = compile(link([entry], {}), entry.__name__, "all games")
        return _without_game[entry]
    if not game.native:
        raise GameError(f"{game.name} belongs to another library and cannot be compiled.")
    made: dict[Any, Callable[..., Any]] = game.cache.setdefault("kernels", {})
    which = (entry, frozenset((extra or {}).items()))
    if which not in made:
        made[which] = compile(link([entry], bindings(game) | dict(extra or {})), entry.__name__, game.name)
    return made[which]


def interpret(entry: Callable[..., Any], game: Game, extra: Bindings | None = None) -> Callable[..., Any]:
    """`entry` as plain Python, bound to the game's rules and the extra bindings."""
    return _rebound(entry, bindings(game), dict(extra or {}), {})


def states(game: Game, count: int, compiled: bool) -> Any:
    """An array or list of `count` states, for compiled or plain kernels."""
    if not compiled:
        return [game.new_state() for _ in range(count)]
    return np.zeros(count, dtype=record_type(game))


def record_type(game: Game) -> np.dtype[np.void]:
    """The game's state as a NumPy record."""
    assert game.schema is not None
    return np.dtype([(name, np.int64, field.shape) for name, field in game.schema.items()])


def bindings(game: Game) -> dict[Callable[..., Any], Callable[..., Any]]:
    """The functions of a game that the names of rules in a kernel are bound to."""
    bound: dict[Callable[..., Any], Callable[..., Any]] = {
        getattr(kernel, rule): getattr(game.rules, rule) for rule in RULES
    }
    bound[kernel.resolve] = game.abstraction.resolve
    bound[kernel.see] = _numbers(game)
    if game.deal is not None:
        bound[kernel.deal] = game.deal
    if game.hidden.imagine is not None:
        bound[kernel.imagine] = game.hidden.imagine
    if game.abstraction.public_history is not None:
        bound[kernel.public_history] = game.abstraction.public_history
    if game.features is not None:
        bound[kernel.own_features] = with_work(game.features.fill, "s, p, out")
    if game.head is not None and game.head.given is not None:
        bound[kernel.given_logits] = with_work(game.head.given, "s, p, moves, n, out")
    if game.hidden.worlds is not None:
        bound |= {getattr(kernel, one): getattr(game.hidden.worlds, one) for one in HIDDEN_WORLDS}
    return bound


def _numbers(game: Game) -> Callable[..., int]:
    """The numbers that a player sees, see `kernel.see`."""
    if "numbers" not in game.cache:
        by_schema = game.abstraction.lossless and game.schema is not None
        game.cache["numbers"] = numbers_by_schema(game.schema or {}) if by_schema else numbers_by_key(game.rules.key)
    made: Callable[..., int] = game.cache["numbers"]
    return made


def version(game: Game) -> str:
    """A short hash of the rules: it changes when anything they do changes, and not if only names in them do."""
    if not game.native:
        return hashlib.sha256(game.name.encode()).hexdigest()[:16]
    if "version" not in game.cache:
        rules = [getattr(game.rules, rule) for rule in RULES]
        fields = repr({name: (f.seen_by, f.shape) for name, f in (game.schema or {}).items()})
        game.cache["version"] = hashlib.sha256((fingerprint(rules) + fields).encode()).hexdigest()[:16]
    return str(game.cache["version"])


def _rebound(
    function: Callable[..., Any], bound: Bindings, extra: Bindings, done: dict[Any, Callable[..., Any]]
) -> Callable[..., Any]:
    """A copy of a kernel function whose globals, and those of its helpers, are bound to the rules."""
    function = extra.get(function, function)  # a kernel itself
    if function in bound:
        return bound[function]
    if not isinstance(function, FunctionType) or not (function.__module__ or "").startswith("parlor"):
        return function
    if function not in done:
        namespace: dict[str, Any] = {"__builtins__": __builtins__}
        copy = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
        done[function] = copy
        for name in names_used(function):
            if name in function.__globals__:
                value = function.__globals__[name]
                namespace[name] = _rebound(value, bound, extra, done) if isinstance(value, FunctionType) else value
    return done[function]


class AlwaysCompiled(Wrapped):
    """A plain function of numbers and arrays that is called compiled; inside compiled rules it is compiled with them.

    draw = AlwaysCompiled(draw_slowly)    # at the top of a rules file
    """

    def __call__(self, *arguments: Any) -> Any:
        """Call it compiled."""
        return native(self.function)(*arguments)
