"""Rules files: executing one, together with the modules beside it that it imports.

While a rules file runs, `import my_cards` finds `my_cards.py` in its folder, before anything else of that name. The
module is executed for that file alone and is not left in `sys.modules`: two folders may have modules of the same name,
and options declared in one are those of the game being loaded. `sys.path` is never changed.
"""

from __future__ import annotations

import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from parlor.game.errors import GameError

rules_files: set[str] = set()  # loaded so far: errors in them are the user's

#: Modules that are never taken from the folder.
NOT_NEIGHBOURS = frozenset({*sys.stdlib_module_names, "parlor", "numpy", "numba"})


def execute(path: str) -> ModuleType:
    """Execute a rules file."""
    if not os.path.isfile(path):
        raise GameError(f"There is no file {path}.")
    full = os.path.abspath(path)
    module = ModuleType(f"parlor_rules_{os.path.basename(path).removesuffix('.py')}")
    try:
        with _neighbours_of(full):
            sys.modules[module.__name__] = module  # dataclasses look there
            try:
                _run(full, module)
            finally:
                del sys.modules[module.__name__]
    except GameError:
        raise
    except SyntaxError as error:
        raise GameError(f"{_culprit(path, error.filename)}, line {error.lineno}: {error.msg}.") from None
    except Exception as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename in rules_files]
        where = f"{_culprit(path, frames[-1].filename)}, line {frames[-1].lineno}" if frames else path
        raise GameError(f"{where}: {type(error).__name__}: {error}.") from None
    return module


def _run(full: str, module: ModuleType) -> None:
    """Execute the text of a file in a module."""
    with open(full, encoding="utf-8") as file:
        source = file.read()
    name, number = full, 2
    while name in rules_files and linecache.getlines(name) != source.splitlines(keepends=True):
        name, number = f"{full}#{number}", number + 1  # the file has changed since: both versions are needed
    # The text is stored as it was loaded, for the compiler and for tracebacks, even if the file changes.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    rules_files.add(name)
    module.__file__ = name
    exec(compile(source, name, "exec"), module.__dict__)


def _culprit(path: str, filename: str | None) -> str:
    """The file of an error: the rules file as it was named, or a neighbour of it."""
    file = (filename or path).partition("#")[0]
    return path if file == os.path.abspath(path) else os.path.join(os.path.dirname(path), os.path.basename(file))


@contextmanager
def _neighbours_of(full: str) -> Iterator[None]:
    """Within this, modules in the folder of a file can be imported; afterwards everything is as before."""
    folder = Path(full).parent
    names = {p.stem for p in folder.glob("*.py")} | {p.parent.name for p in folder.glob("*/__init__.py")}
    names -= NOT_NEIGHBOURS

    finder = _Finder(str(folder), names)
    with imported_anew(lambda name: name.partition(".")[0] in names):
        sys.meta_path.insert(0, finder)
        try:
            yield
        finally:
            sys.meta_path.remove(finder)


@contextmanager
def imported_anew(which: Callable[[str], bool]) -> Iterator[None]:
    """Within this, modules of these names are imported anew; afterwards `sys.modules` is as before."""

    def taken() -> dict[str, ModuleType]:
        return {name: sys.modules.pop(name) for name in tuple(sys.modules) if which(name)}

    saved = taken()
    try:
        yield
    finally:
        taken()
        sys.modules.update(saved)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds modules in one folder."""

    def __init__(self, folder: str, names: set[str]) -> None:
        self.folder = folder
        self.names = names

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] not in self.names:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, [self.folder] if path is None else path)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(spec.loader.path)
        return spec


class _Loader(importlib.abc.Loader):
    """Executes a neighbour as a rules file is executed."""

    def __init__(self, path: str) -> None:
        self.path = path

    def exec_module(self, module: ModuleType) -> None:
        _run(os.path.abspath(self.path), module)


ARRAYS = (".npy", ".json", ".csv")  # files that hold payoffs
#: Functions that declare an option, and where they are imported from.
OPTIONS = {"option", "choice", "switch", "file"}
FACES = ("parlor.game", "parlor.game.parameters")
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
