"""The games, by name, and how to load one.

A game is named by a string that carries its options: `leduc`, `leduc(players=3)`, `leduc/ranks` (an abstraction of it),
`my_game.py(cards=5)` (a rules file), `openspiel:sheriff(max_items=2)` (any game of OpenSpiel).
"""

from __future__ import annotations

import difflib
import importlib
import linecache
import os
import re
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType

from parlor.game import Game, GameError, from_module
from parlor.options import Option, loading


@dataclass(frozen=True)
class Listing:
    """A game that comes with Parlor: its module, and its size with default options, unless it is too large to count."""

    module: str
    histories: int | None
    infosets: int | None


GAMES: Mapping[str, Listing] = {
    "kuhn": Listing("parlor.games.kuhn", 58, 12),
    "leduc": Listing("parlor.games.leduc", 9_457, 936),
    "liars-dice": Listing("parlor.games.liars_dice", 294_883, 24_576),
    "goofspiel": Listing("parlor.games.goofspiel", 1_077, 162),
    "monopoly-deal": Listing("parlor.games.monopoly_deal", None, None),
    "holdem": Listing("parlor.games.holdem", None, None),
}

_lock = threading.RLock()
rules_files: set[str] = set()  # that were loaded: errors that come from them are the user's


def load(name: str, **options: int | str) -> Game:
    """The game of that name, with options given in the name, as keywords, or both."""
    if name.startswith("openspiel:"):
        from parlor.games import openspiel

        if options:
            raise GameError("Options of OpenSpiel games belong into their string: openspiel:kuhn_poker(players=3).")
        return openspiel.load(name.removeprefix("openspiel:"))
    base, given, abstraction = parse(name)
    given.update(options)
    with _lock, loading(given) as context:
        module = _from_file(base) if base.endswith(".py") else _from_package(base)
    unknown = [key for key in given if key not in context.declared]
    if unknown:
        known = ", ".join(context.declared) or "none"
        raise GameError(f"{base} has no option {unknown[0]!r}; it has: {known}.")
    chosen = {key: context.declared[key].write(value) for key, value in context.values.items()}
    changed = [f"{k}={v}" for k, v in chosen.items() if context.values[k] != context.declared[k].default]
    game = from_module(module, f"{base}({','.join(changed)})" if changed else base, chosen)
    return game.abstract(abstraction) if abstraction else game


def declared_options(name: str, **given: int | str) -> dict[str, Option]:
    """The options that a game has, with their defaults when those `given` are set, a preset for instance."""
    with _lock, loading(given) as context:
        _from_file(name) if name.endswith(".py") else _from_package(name)
    return context.declared


def parse(name: str) -> tuple[str, dict[str, int | str], str]:
    """Split `base(option=value,…)/abstraction`."""
    match = re.fullmatch(r"(?P<base>[^()]*?)(\((?P<options>[^()]*)\))?(/(?P<abstraction>[\w+-]+))?", name.strip())
    if match and match["options"] is not None and re.search(r"(^[^/]*|\.py)/[\w+-]+$", match["base"]):
        raise GameError(f"In {name!r} the options belong before the abstraction: leduc(players=3)/ranks.")
    if match is None or not match["base"]:
        raise GameError(f"{name!r} is not the name of a game; one looks like leduc or leduc(players=3).")
    options: dict[str, int | str] = {}
    for item in filter(None, (part.strip() for part in (match["options"] or "").split(","))):
        key, equals, value = item.partition("=")
        if not equals:
            raise GameError(f"{item!r} in {name!r} should read option=value.")
        options[key.strip()] = value.strip()
    return match["base"], options, match["abstraction"] or ""


def _from_package(name: str) -> ModuleType:
    if name not in GAMES:
        near = difflib.get_close_matches(name, GAMES, 3) or [game for game in GAMES if len(name) > 2 and name in game]
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(GAMES)}."
        raise GameError(f"There is no game {name!r}; {hint}")
    return _executed(GAMES[name].module)


def _executed(module_name: str) -> ModuleType:
    """A new copy of a module and its submodules, executed under the options being loaded."""
    with _apart(module_name):
        return importlib.import_module(module_name)


@contextmanager
def _apart(module_name: str) -> Iterator[None]:
    """Within this, the module and what lies below it are imported anew; afterwards all is as before."""

    def loaded() -> list[str]:
        return [n for n in sys.modules if n == module_name or n.startswith(module_name + ".")]

    parent, _, child = module_name.rpartition(".")
    package = importlib.import_module(parent)
    attribute = getattr(package, child, None)
    saved = {n: sys.modules.pop(n) for n in loaded()}
    try:
        yield
    finally:
        for n in loaded():
            del sys.modules[n]
        sys.modules.update(saved)
        if attribute is not None:
            setattr(package, child, attribute)
        elif hasattr(package, child):
            delattr(package, child)


def _from_file(path: str) -> ModuleType:
    """Execute a rules file."""
    if not os.path.isfile(path):
        raise GameError(f"There is no file {path}.")
    full = os.path.abspath(path)
    with open(full, encoding="utf-8") as file:
        source = file.read()
    name, number = full, 2
    while name in rules_files and linecache.getlines(name) != source.splitlines(keepends=True):
        name, number = f"{full}#{number}", number + 1  # the file has changed since: both are kept apart
    # The text is kept as it was loaded, for the compiler and for tracebacks, whatever happens to the file.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    rules_files.add(name)
    module = ModuleType(f"parlor_rules_{os.path.basename(path).removesuffix('.py')}")
    module.__file__ = name
    sys.modules[module.__name__] = module  # dataclasses look there
    try:
        exec(compile(source, name, "exec"), module.__dict__)
    except GameError:
        raise
    except SyntaxError as error:
        raise GameError(f"{path}, line {error.lineno}: {error.msg}.") from None
    except Exception as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == name]
        where = f", line {lines[-1]}" if lines else ""
        raise GameError(f"{path}{where}: {type(error).__name__}: {error}.") from None
    finally:
        del sys.modules[module.__name__]
    return module
