"""The games, by name, and how to load one.

A game is named by a string that carries its options: `leduc`, `leduc(players=3)`, `leduc/ranks` (an abstraction of it),
`my_game.py(cards=5)` (a rules file), `payoffs.csv` (an array: see `matrix.py`), `game.efg` (a file of Gambit's),
`openspiel:sheriff(max_items=2)` (any game of OpenSpiel).
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import importlib
import importlib.util
import os
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from parlor.game import Game, GameError, from_module
from parlor.game.loading.registry import installed
from parlor.game.loading.rules_file import ARRAYS as ARRAYS
from parlor.game.loading.rules_file import execute, executed
from parlor.game.loading.rules_file import rules_files as rules_files
from parlor.game.parameters import Parameter, loading


@dataclass(frozen=True)
class GameSpec:
    """A game that comes with Parlor: its module, and its size with default options, unless it is too large to count."""

    module: str
    histories: int | None
    infosets: int | None


GAMES: Mapping[str, GameSpec] = {
    "kuhn": GameSpec("parlor.games.kuhn.rules", 58, 12),
    "leduc": GameSpec("parlor.games.leduc.rules", 9_457, 936),
    "liars-dice": GameSpec("parlor.games.liars_dice.rules", 294_883, 24_576),
    "goofspiel": GameSpec("parlor.games.goofspiel.rules", 1_077, 162),
    "battleship": GameSpec("parlor.games.battleship.rules", 324_981, 46_962),
    "sheriff": GameSpec("parlor.games.sheriff.rules", 193, 43),
    "normal-form": GameSpec("parlor.games.normal_form.rules", 7, 2),
    "trade-comm": GameSpec("parlor.games.trade_comm.rules", 7_408, 66),
    "tiny-bridge": GameSpec("parlor.games.tiny_bridge.rules", 107_129, 3_584),
    "phantom-tic-tac-toe": GameSpec("parlor.games.phantom_tic_tac_toe.rules", 19_934_533_171, 5_990_669),
    "dark-hex": GameSpec("parlor.games.dark_hex.rules", None, None),
    "deal-or-no-deal": GameSpec("parlor.games.deal_or_no_deal", None, None),
    "colored-trails": GameSpec("parlor.games.colored_trails", None, None),
    "monopoly-deal": GameSpec("parlor.games.monopoly_deal", None, None),
    "holdem": GameSpec("parlor.games.holdem", None, None),
    "clue": GameSpec("parlor.games.clue", None, None),
    "leodopoly": GameSpec("parlor.games.leodopoly", None, None),
}


OPENSPIEL = "parlor.interop.openspiel_games"  # loads the games that are named openspiel:…

GAMBIT = (".efg", ".nfg")
GAMBIT_FILES = "parlor.interop.gambit.files"  # loads the games in files with these endings

_lock = threading.RLock()


def load(name: str, **options: int | str) -> Game:
    """The game of that name, with options given in the name, as keywords, or both."""
    return load_with_options(name, **options)[0]


def load_with_options(name: str, **options: int | str) -> tuple[Game, dict[str, Parameter]]:
    """The game of that name, and the options that it declares, with their defaults when those given are set."""
    if name.startswith("openspiel:"):
        if options:
            raise GameError("Write the options of OpenSpiel games into their string: openspiel:kuhn_poker(players=3).")
        openspiel = importlib.import_module(OPENSPIEL)
        return openspiel.load(name.removeprefix("openspiel:")), {}
    base, given, abstraction = parse(name)
    given.update(options)
    if base.endswith(GAMBIT):
        if given or abstraction:
            raise GameError(f"{base} holds one game; it has neither options nor abstractions.")
        return importlib.import_module(GAMBIT_FILES).load(base), {}
    if base.endswith(ARRAYS):
        from parlor.game.loading.matrix import matrix_game

        if given or abstraction:
            raise GameError(f"{base} holds payoffs; such a game has neither options nor abstractions.")
        return dataclasses.replace(matrix_game(base), source=os.path.abspath(base)), {}
    with _lock, loading(given) as context:
        module = execute(base) if base.endswith(".py") else _from_package(base)
    unknown = [key for key in given if key not in context.declared]
    if unknown:
        known = ", ".join(context.declared) or "none"
        raise GameError(f"{base} has no option {unknown[0]!r}; it has: {known}.")
    chosen = {key: context.declared[key].write(value) for key, value in context.values.items()}
    changed = [f"{k}={v}" for k, v in chosen.items() if context.values[k] != context.declared[k].default]
    game = from_module(module, f"{base}({','.join(changed)})" if changed else base, chosen)
    if base.endswith(".py"):
        game = dataclasses.replace(game, source=os.path.abspath(base))
    return game.abstract(abstraction) if abstraction else game, context.declared


def load_once(name: str) -> Game:
    """The same, but a game that comes with Parlor is loaded only once if it has no options: some take half a second."""
    return _ours(name) if name in GAMES else load(name)


@functools.cache
def _ours(name: str) -> Game:
    return load(name)


def as_game(game: Game | str) -> Game:
    """A game, or the game of that name."""
    return load(game) if isinstance(game, str) else game


class MadeForGame(Protocol):
    """Something made for a game, such as a policy; `source`, if it has one, is the full path of the rules file."""

    @property
    def game(self) -> str:
        """The game's name with its options."""


def game_of(made: MadeForGame) -> Game:
    """The game that a policy was made for; its rules file is found from every folder."""
    return dataclasses.replace(load(loadable_name(made)), name=made.game)


def loadable_name(made: MadeForGame) -> str:
    """The name by which that game can be loaded from the current folder."""
    source = getattr(made, "source", "")
    if not source:
        return made.game
    base = parse(made.game)[0]
    here, there = os.path.isfile(base), os.path.isfile(source)
    if not here and not there:
        raise GameError(f"The rules file of {made.game} was not found: there is no {source}, nor {base} here.")
    if here and (not there or os.path.samefile(base, source)):
        return made.game
    return source + made.game.removeprefix(base)


def declared_options(name: str, **given: int | str) -> dict[str, Parameter]:
    """The declared options of a game, with their defaults when those `given` are set, a preset for instance."""
    if name.endswith(ARRAYS):
        return {}
    if name in GAMES and given.keys() <= {"preset"}:  # its code does not change, and there are few presets
        return dict(_options_of_ours(name, str(given.get("preset", ""))))
    return _declared(name, given)


@functools.cache
def _options_of_ours(name: str, preset: str) -> dict[str, Parameter]:
    return _declared(name, {"preset": preset} if preset else {})


def _declared(name: str, given: dict[str, int | str]) -> dict[str, Parameter]:
    with _lock, loading(given) as context:
        execute(name) if name.endswith(".py") else _from_package(name)
    return context.declared


def parse(name: str) -> tuple[str, dict[str, int | str], str]:
    """Split `base(option=value,…)/abstraction`."""
    match = re.fullmatch(r"(?P<base>[^()]*?)(\((?P<options>[^()]*)\))?(/(?P<abstraction>[\w+-]+))?", name.strip())
    if match and match["options"] is not None and re.search(r"(^[^/]*|\.py)/[\w+-]+$", match["base"]):
        raise GameError(f"In {name!r} write the options before the abstraction: leduc(players=3)/ranks.")
    if match is None or not match["base"]:
        raise GameError(f"{name!r} is not the name of a game; write it like leduc or leduc(players=3).")
    options: dict[str, int | str] = {}
    for item in filter(None, (part.strip() for part in (match["options"] or "").split(","))):
        key, equals, value = item.partition("=")
        if not equals:
            raise GameError(f"{item!r} in {name!r} should read option=value.")
        options[key.strip()] = value.strip()
    return match["base"], options, match["abstraction"] or ""


def beside_rules(game: str, module: str, name: str, default: Any) -> Any:
    """A name in a module that lies beside the rules of a game that comes with Parlor: its `agents`, its `page`."""
    full = f"{GAMES[game].module.removesuffix('.rules')}.{module}"
    return getattr(importlib.import_module(full), name, default) if importlib.util.find_spec(full) else default


def folder_of(game: str) -> Path:
    """The folder of a game that comes with Parlor."""
    found = importlib.util.find_spec(GAMES[game].module.removesuffix(".rules"))
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def _from_package(name: str) -> ModuleType:
    if not (module := GAMES[name].module if name in GAMES else installed("parlor.games", name)):
        near = difflib.get_close_matches(name, GAMES, 3) or [game for game in GAMES if len(name) > 2 and name in game]
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(GAMES)}."
        raise GameError(f"There is no game {name!r}; {hint}")
    return executed(module)
