"""Games whose rules are defined in a notebook, a program, a module or a class."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import ModuleType, SimpleNamespace
from typing import Any

from parlor.compile import version
from parlor.game import Game, GameError, from_module


def game_from(rules: ModuleType | type | Mapping[str, Any], name: str | None = None) -> Game:
    """The game with these rules: `game_from(globals(), "mine")`.

    It takes what a rules file has: the seven functions, the constants and STATE. Functions of a class use the
    names of the module around it.
    """
    found = dict(rules) if isinstance(rules, Mapping) else {n: getattr(rules, n) for n in dir(rules)}
    own = "" if isinstance(rules, Mapping) else rules.__name__.rpartition(".")[2]
    title = name or own.replace("__main__", "") or "game"
    if not re.fullmatch(r"[^()/@]+", title):
        raise GameError(f"{title!r} cannot be a game's name: use no brackets, slashes or @.")
    game = from_module(SimpleNamespace(**{"__doc__": None, **found}), title)
    version(game)  # raises an error if the source cannot be read
    return game
