"""Names of code outside Parlor: `my_agents.py:Cautious(risk=0.3)`, `my.module:act`, and what installed packages offer.

A file may import its neighbours. Naming code like this runs it, so only whoever runs the program may do it: functions
of Python and the command line read such names, the server reads those it was started with, and nothing that comes over
the network or lies in the folder of a run.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import importlib
import importlib.metadata
import importlib.util
import os
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from parlor.game.errors import GameError, place

_NAME = re.compile(
    r"(?P<where>([A-Za-z]:)?[^():]+\.py|[A-Za-z_][\w.]*):(?P<name>[A-Za-z_]\w*)(\((?P<options>.*)\))?", re.DOTALL
)


def is_python(text: str) -> bool:
    """Whether a text names something in somebody's own Python file or module."""
    return not is_program(text) and _NAME.fullmatch(text.strip()) is not None


LANGUAGE_MODEL = re.compile(r"llm(\(.*\))?", re.DOTALL)
PROGRAM = re.compile(r"program(?P<settings>\([^)]*\))?:(?P<command>.*)", re.DOTALL)


def is_program(text: str) -> bool:
    """Whether a text names an agent that is a program: `program:./mybot --level 3`."""
    return PROGRAM.fullmatch(text.strip()) is not None


def is_language_model(text: str) -> bool:
    """Whether a text names a language model: `llm(model=…,url=…)`."""
    return LANGUAGE_MODEL.fullmatch(text.strip()) is not None


def is_foreign(text: str) -> bool:
    """Whether a text names an agent that Parlor has no code of: Python, a program, a language model."""
    return is_python(text) or is_program(text) or is_language_model(text)


def split(
    text: str, what: str = "an agent", like: str = "random or look-ahead(rollouts=50)"
) -> tuple[str, dict[str, str]]:
    """Split `name(option=value,…)`; a value may have brackets of its own. `what` it names is for an error."""
    match = re.fullmatch(r"([^()]+)(?:\((.*)\))?", text.strip(), re.DOTALL)
    if match is None:
        raise GameError(f"{text!r} is not the name of {what}; write it like {like}.")
    given: dict[str, str] = {}
    for item in filter(None, (part.strip() for part in re.split(r",(?![^(]*\))", match[2] or ""))):
        key, equals, value = item.partition("=")
        if not equals:
            raise GameError(f"{item!r} in {text!r} should read option=value.")
        given[key.strip()] = value.strip()
    return match[1].strip(), given


@functools.lru_cache(maxsize=1024)
def installed(group: str, name: str) -> str:
    """The code that an installed package offers under a name, as `module:name`; empty if there is none.

    The groups of entry points are `parlor.games`, `parlor.agents`, `parlor.solvers`, `parlor.learners`,
    `parlor.meta_solvers`, `parlor.oracles` and `parlor.measures`.
    """
    found = importlib.metadata.entry_points(group=group, name=name)
    return next((entry.value.replace(" ", "") for entry in found), "")


def load_object(text: str) -> Any:
    """The class, function or other object of that name, without its options."""
    match = _NAME.fullmatch(text.strip())
    if match is None:
        raise GameError(f"{text!r} is not the name of Python code; write it like my_agents.py:Cautious(risk=0.3).")
    where, name = match["where"], match["name"]
    module = module_of(where) if where.endswith(".py") else _imported(where)
    if not hasattr(module, name):
        own = [n for n, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__]
        near = difflib.get_close_matches(name, own, 1, 0.5)
        hint = f"did you mean {near[0]}?" if near else f"it has: {', '.join(own) or 'nothing'}."
        raise GameError(f"There is no {name} in {where}; {hint}")
    return getattr(module, name)


def name_of(thing: Any) -> str:
    """The name under which a function or class can be loaded again, in another process too; empty if it has none."""
    module, name = sys.modules.get(getattr(thing, "__module__", None) or ""), getattr(thing, "__qualname__", "")
    if module is None or getattr(module, name, None) is not thing:
        return ""  # a lambda, a function in a function, or in a notebook
    if module.__name__ == "__main__" or getattr(module, "__spec__", None) is None or module.__name__ in _executed:
        file = getattr(module, "__file__", None) or ""
        return f"{os.path.abspath(file)}:{name}" if os.path.isfile(file) else ""
    return f"{module.__name__}:{name}"


def absolute(text: str) -> str:
    """The same name, to be found from every folder."""
    where, colon, rest = text.strip().partition(".py:")
    return f"{os.path.abspath(where)}{colon}{rest}" if colon else text


def short_name(text: str) -> str:
    """The same name without the folder of its file."""
    where, colon, rest = text.partition(".py:")
    return f"{Path(where).name}{colon}{rest}" if colon else text


def source_hash(text: str) -> str:
    """A hash of the file that a text names code in: another hash, other code. Empty if it names none."""
    match = _NAME.fullmatch(text.strip())
    if match is None:
        return ""
    file = match["where"] if match["where"].endswith(".py") else _imported(match["where"]).__file__ or ""
    if not os.path.isfile(file):
        raise GameError(f"There is no file {file}.")
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]


_executed: set[str] = set()  # the modules of files


def module_of(path: str) -> ModuleType:
    """The module of a file, executed once as long as the file does not change."""
    if not os.path.isfile(path):
        raise GameError(f"There is no file {path}.")
    full = os.path.abspath(path)
    content = Path(full).read_bytes()
    name = f"{Path(full).stem}_{hashlib.sha256(full.encode() + content).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    _find_neighbours(os.path.dirname(full))
    spec = importlib.util.spec_from_file_location(name, full)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look there
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, Exception):
            raise _failed(path, error) from error
        raise
    _executed.add(name)
    return module


def _imported(name: str) -> ModuleType:
    _find_neighbours(os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise GameError(f"There is no module {name}; code in a file is named with .py: my_file.py:Name.") from None
        raise _failed(name, error) from error
    except Exception as error:
        raise _failed(name, error) from error


def _find_neighbours(folder: str) -> None:
    """Let the files of a folder be imported, after everything else that can be."""
    if folder not in sys.path:
        sys.path.append(folder)


def _failed(where: str, error: Exception) -> GameError:
    if isinstance(error, SyntaxError):
        return GameError(f"{where}, line {error.lineno}: {error.msg}.")
    return GameError(f"{where} failed{place(error)}: {type(error).__name__}: {str(error).rstrip('.')}.")
