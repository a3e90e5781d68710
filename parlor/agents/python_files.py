"""Agents in people's own files, by name: `my_agents.py:Cautious`, `my_agents.py:Cautious(risk=0.3)`, `my.module:act`.

The brackets hold keyword arguments of the class. A file may import its neighbours. Naming an agent like this
runs its code, so only whoever runs the program may do it: `parlor.load_agent` and the command line read such names, the
server reads those it was started with, and nothing that comes over the network.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import os
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from parlor.game import GameError
from parlor.game.seats.python_agent import PythonAgent, place

_NAME = re.compile(r"(?P<where>[^():]+\.py|[A-Za-z_][\w.]*):(?P<name>[A-Za-z_]\w*)(\((?P<options>.*)\))?", re.DOTALL)
_WORDS = {"true": True, "false": False, "none": None}


def is_python(text: str) -> bool:
    """Whether a text names an agent in somebody's own Python file or module."""
    return _NAME.fullmatch(text.strip()) is not None


def python_agent(text: str) -> PythonAgent:
    """The agent of that name, with its options; its name is the text."""
    match = _NAME.fullmatch(text.strip())
    if match is None:
        raise GameError(f"{text!r} is not the name of a Python agent; write it like my_agents.py:Cautious(risk=0.3).")
    where, name = match["where"], match["name"]
    module = module_of(where) if where.endswith(".py") else _imported(where)
    if not hasattr(module, name):
        own = [n for n, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__]
        near = difflib.get_close_matches(name, own, 1, 0.5)
        hint = f"did you mean {near[0]}?" if near else f"it has: {', '.join(own) or 'nothing'}."
        raise GameError(f"There is no {name} in {where}; {hint}")
    return PythonAgent(getattr(module, name), text.strip(), _options(text, match["options"] or ""))


def source_hash(text: str) -> str:
    """A hash of the code that a text names: another hash, another agent."""
    match = _NAME.fullmatch(text.strip())
    found = match and (match["where"] if match["where"].endswith(".py") else _imported(match["where"]).__file__)
    return hashlib.sha256(Path(found).read_bytes()).hexdigest()[:16] if found else ""


def _options(text: str, written: str) -> dict[str, Any]:
    options = {}
    for item in filter(None, (part.strip() for part in written.split(","))):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals:
            raise GameError(f"{item!r} in {text!r} should read option=value.")
        options[key] = _value(value)
    return options


def _value(written: str) -> Any:
    """A number, true, false or none; anything else is a text."""
    if written.lower() in _WORDS:
        return _WORDS[written.lower()]
    for kind in (int, float):
        try:
            return kind(written)
        except ValueError:
            continue
    return written


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
    return module


def _imported(name: str) -> ModuleType:
    _find_neighbours(os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise GameError(
                f"There is no module {name}; an agent in a file is named with .py: my_agents.py:Cautious."
            ) from None
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
