"""Packages of rules: executed anew for each set of options, but no more of them than depends on options."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from parlor.game.loading.rules_file import imported_anew

ARRAYS = (".npy", ".json", ".csv")  # files that hold payoffs
#: Functions that declare an option, and where they are imported from.
OPTIONS = {"option", "choice", "switch", "file"}
FACES = ("parlor.game", "parlor.game.options")
DECLARES = "an option"
IMPORT = re.compile(r"^[ \t]*from (?P<module>[\w.]+) import (?P<names>\([^)]*\)|[^\n]*)", re.MULTILINE)


def executed(module_name: str) -> ModuleType:
    """A new copy of a module and its submodules, executed with the options being loaded."""
    with _apart(module_name):
        return importlib.import_module(module_name)


@contextmanager
def _apart(module_name: str) -> Iterator[None]:
    """Within this, the module and what depends on options in it are imported anew; then `sys.modules` is as before."""
    parent, _, child = module_name.rpartition(".")
    package = importlib.import_module(parent) if parent else None
    attribute = getattr(package, child, None)
    try:
        with imported_anew(depending_on_options(module_name).__contains__):
            yield
    finally:
        if attribute is not None:
            setattr(package, child, attribute)
        elif hasattr(package, child):
            delattr(package, child)


@functools.cache
def depending_on_options(module_name: str) -> frozenset[str]:
    """The module, and all that it imports of its own package which declares options or imports what does.

    Agents and what the page gets of a game lie in its package too, but its rules do not import them.
    """
    files = _files(module_name)
    imports: dict[str, set[str]] = {}
    queue = [module_name] if len(files) > 1 else []
    for name in queue:
        imports[name] = _imported(files[name].read_text(encoding="utf-8"), files)
        queue += [other for other in imports[name] if other in files and other not in queue]
    anew = {module_name, *(name for name, others in imports.items() if DECLARES in others)}
    while more := {name for name, others in imports.items() if others & anew} - anew:
        anew |= more
    for name in tuple(anew):  # a package that stays would keep a submodule which does not
        while name != module_name:
            name = name.rpartition(".")[0]
            anew.add(name)
    return frozenset(anew)


def _files(module_name: str) -> dict[str, Path]:
    """The modules of a package, or the module alone, and their files."""
    spec = importlib.util.find_spec(module_name)
    if spec is None or spec.origin is None:
        return {}
    folder, files = Path(spec.origin).parent, {module_name: Path(spec.origin)}
    if spec.submodule_search_locations is not None:
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            files[".".join((module_name, *parts)).removesuffix(".__init__")] = path
    return files


def _imported(text: str, known: Iterable[str]) -> set[str]:
    """The modules that a text imports, lazily too; and DECLARES, if it imports what declares options."""
    found = set()
    for line in IMPORT.finditer(text):
        module, names = line["module"], re.findall(r"\w+", line["names"])
        if module in FACES and OPTIONS & set(names):
            found.add(DECLARES)
        modules = {f"{module}.{name}" for name in names} & {*known}
        found |= modules if len(modules) == len(names) else modules | {module}
    return found
