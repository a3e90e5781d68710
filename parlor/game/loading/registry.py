"""Registries of algorithms: rows by name, and doors for code from outside.

Wherever a name is accepted, so are `my.py:Thing`, `my.module:Thing`, a function or class itself (in Python), and a name
that an installed package offers as an entry point. A registry makes a row of what it finds there. Keyword parameters
with defaults are its settings.

Names of code outside Parlor: `my_agents.py:Cautious(risk=0.3)`, `my.module:act`, and what installed packages offer.

A file may import its neighbours. Naming code like this runs it, so only whoever runs the program may do it: functions
of Python and the command line read such names, the server reads those it was started with, and nothing that comes over
the network or lies in the folder of a run.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar

from parlor.game.errors import GameError, errors_as_sentences, place
from parlor.game.parameters import TYPES, Settings, declared, setting

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


Row = TypeVar("Row")


class Registry(dict[str, Row], Generic[Row]):
    """The rows that come with Parlor, by name; `row` finds those of other code, too."""

    def __init__(self, what: str, like: str, group: str, kind: type[Row], adapt: Callable[[Outside], Row]) -> None:
        """Begin empty; `what` a row is and how it is written, the `group` of entry points, how code becomes a row."""
        super().__init__()
        self.what, self.like, self.group, self.kind, self.adapt = what, like, group, kind, adapt
        self._given: dict[str, Row] = {}  # functions and classes of this process

    def row(self, name: str) -> Row:
        """The row of that name; code is loaded anew if its file has changed."""
        if name in self or name in self._given:
            return self[name] if name in self else self._given[name]
        if not (found := name if is_python(name) else installed(self.group, name)):
            raise self._unknown(name)
        return self._made(load_object(found), name)

    def find(self, given: Any) -> Row:
        """The row of a name, a function, a class or a row."""
        return given if isinstance(given, self.kind) else self.row(self.name(given))

    def own(self, name: str) -> Row:
        """The row of that name among those that come with Parlor: for names from files and from the network."""
        if name not in self:
            raise self._unknown(name, own=True)
        return self[name]

    def check_lasting(self, name: str, why: str) -> None:
        """Raise GameError for a function or class that can only be found in this process."""
        if name in self._given and not is_python(name):
            raise GameError(
                f"{name.strip('<>')} cannot be loaded again, as {why} needs: define this {self.what} at the top level "
                f"of a file."
            )

    def check_name(self, name: str) -> None:
        """Raise GameError for a name that cannot be of anything; no code is run."""
        if not (name in self or name in self._given or is_python(name) or installed(self.group, name)):
            raise self._unknown(name)

    def read(self, given: Any, *, own: bool = False) -> tuple[str, Settings]:
        """The full name and the settings of what a person wrote, `prd(iterations=1000)`, or of a function or class.

        With `own`, only what comes with Parlor: for names from the network.
        """
        texts: dict[str, str] = {}
        if isinstance(given, str):
            given, texts = split(given, f"a {self.what}", self.like)
            if own:
                self.own(given)
        name = self.name(given)
        row: Any = self.row(name)
        settings: Settings = row.settings.from_texts(name, texts)
        return name, settings

    def recorded(self, name: str, values: Mapping[str, Any]) -> Settings:
        """The settings in a file; code outside Parlor is not run to read them."""
        row: Any = self.get(name)
        return row.settings.for_owner(name, values) if row else settings_type(name, values)()

    def _unknown(self, name: str, own: bool = False) -> GameError:
        """The sentence about a name that nothing has."""
        near = difflib.get_close_matches(name, self, 1, 0.7)
        hint = f" Did you mean {near[0]}?" if near else ""
        known = ", ".join(self)
        return GameError(
            f"There is no {self.what} {name[:60]!r}; there are: {known}, and yours: my_file.py:NAME.{hint}"
        )

    def name(self, given: Any) -> str:
        """The full name of what was given: a name, a function, a class or a row."""
        if isinstance(given, str):
            found = given if given in self else absolute(given)
            if is_python(found):
                self._given.pop(found, None)  # who names a file means what is in it now
            return found
        found = name_of(given) or f"<{getattr(given, '__name__', type(given).__name__).strip('<>')}>"
        self._given[found] = self._made(given, found)
        return found

    def _made(self, thing: Any, name: str) -> Row:
        if isinstance(thing, self.kind):
            return thing
        if not callable(thing):
            raise GameError(f"{name} is {thing!r}, not a {self.what}: that is a function, a class or a row.")
        return self.adapt(Outside(name, thing))


def files_of(names: Iterable[str]) -> dict[str, str]:
    """The hash of the file of each name that names code outside Parlor."""
    return {name: source_hash(name) for name in names if is_python(name)}


def check_files(recorded: Mapping[str, str]) -> None:
    """Raise GameError if a file that a run was begun with has changed."""
    for name, before in recorded.items():
        if (now := source_hash(name)) != before:
            raise GameError(
                f"The file of {name} has changed since the run began (it was {before}, now {now}). "
                f"Put the old one back, or begin a new run."
            )


@dataclasses.dataclass(frozen=True)
class Outside:
    """A function or a class from outside, under its name."""

    name: str
    thing: Callable[..., Any]

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return (inspect.getdoc(self.thing) or "code of your own").partition("\n")[0].rstrip(".")

    def settings(self, *first: str, also: Sequence[str] = (), makes: bool = False) -> type[Settings]:
        """Its settings: the parameters that have defaults, besides those it is called with.

        A class is called with settings alone, and its instances with the rest, unless it `makes` what is wanted.
        """
        if inspect.isclass(self.thing) and not makes:
            if "__call__" not in vars(self.thing):
                raise GameError(f"{self.name} needs a method __call__, which is called with {', '.join(first)}.")
            first = ()
        try:
            left = list(inspect.signature(self.thing).parameters.values())
        except ValueError:  # of code that is not written in Python
            return Settings
        positional = [p for p in left if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        if not any(p.kind is p.VAR_POSITIONAL for p in left) and len(positional) < len(first):
            raise GameError(f"{self.name} takes {_listed(left)}, but is called with {', '.join(first)}.")
        left = [p for p in left if p not in positional[: len(first)] and p.name not in also]
        for p in left:
            if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                raise GameError(
                    f"{self.name} is called with {', '.join(first)}, and needs {p.name!r} besides: give it a default, "
                    f"and it is a setting."
                )
        return settings_type(self.name, {p.name: p.default for p in left if type(p.default) in TYPES})

    def takes(self, name: str) -> bool:
        """Whether it has a parameter of that name."""
        return name in inspect.signature(self.thing).parameters

    def __call__(self, *values: Any, **named: Any) -> Any:
        """Call it; an error becomes a sentence with its file and line."""
        with errors_as_sentences(self.name, GameError):
            return self.thing(*values, **named)

    def call(self, settings: Settings, *values: Any) -> Any:
        """Call it with settings; of a class, an instance that was made with them."""
        if not inspect.isclass(self.thing):
            return self(*values, **values_of(settings))
        return Outside(self.name, self(**values_of(settings)))(*values)


def _listed(parameters: Iterable[inspect.Parameter]) -> str:
    return ", ".join(p.name for p in parameters) or "nothing"


def values_of(settings: Settings) -> dict[str, Any]:
    """The values of settings by name."""
    return {one.name: getattr(settings, one.name) for one in declared(type(settings))}


def settings_type(owner: str, defaults: Mapping[str, Any]) -> type[Settings]:
    """Settings with these defaults, which say their types."""
    fields = []
    for name, value in defaults.items():
        default = tuple(value) if isinstance(value, list) else value
        items = type(default[0]) if isinstance(default, tuple) and default else str
        fields.append((name, type(default), setting(default, f"a setting of {owner}", items=items)))
    return dataclasses.make_dataclass("Own", fields, bases=(OutsideSettings,), namespace={"owner": owner}, frozen=True)


class OutsideSettings(Settings):
    """The settings of code from outside; their class is made anew in every process."""

    owner: ClassVar[str]

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (self.owner, values_of(self))


def _remade(owner: str, values: Mapping[str, Any]) -> Settings:
    return settings_type(owner, values)()
