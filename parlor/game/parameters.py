"""The one declaration of a parameter: an option of a game, a setting of an algorithm or of an agent.

Command line flags, files, the server's schema, the page's forms and the ranges of the tuner are made from it. The
settings of an algorithm are a frozen dataclass whose fields are parameters; values are checked when one is made.

    @dataclass(frozen=True)
    class Mine(Settings):
        rate: float = setting(0.1, "how fast it learns", low=0.0, high=1.0)
        style: str = setting("bold", "how it plays", words=("bold", "shy"))
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, NamedTuple, Self

from parlor.game.errors import GameError

SWITCH = ("false", "true")
SPELLINGS = {"0": False, "no": False, "off": False, "false": False, "1": True, "yes": True, "on": True, "true": True}
#: type -> JSON types, and its name for people
TYPES: Mapping[type, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "true or false"),
    int: ((int,), "a whole number"),
    float: ((float, int), "a number"),
    str: ((str,), "a text"),
    tuple: ((list, tuple), "a list"),
}


class Word(NamedTuple):
    """A word of a choice as people read it: its title, and in one line what it means."""

    title: str
    meaning: str = ""


@dataclass(frozen=True)
class Parameter:
    """A number in a range, a switch, one of a few words, a text, the name of an agent or a file, or a list.

    Its default has its type.
    """

    default: Any  # bool, int, float, str or tuple
    help: str = ""
    low: float | None = None
    high: float | None = None
    _: KW_ONLY
    name: str = ""
    words: tuple[str, ...] = ()  # the allowed texts
    about: Mapping[str, Word] = field(default_factory=dict)  # words that a person would not understand
    step: int = 1  # between the whole numbers of the range
    items: type = str  # of a list: the type of its items
    flag: str = ""  # its name on the command line, if different
    #: What a text names: nothing; an agent; or a file, of which the default, empty, is none.
    names: Literal["", "agent", "file"] = ""
    file_kind: str = ""  # the required kind of the file, if there is one
    optional: bool = False  # a file that an agent reads may be left out: then there is None
    server_limit: int | None = None  # the largest number that a request to a server may give
    server_low: int = 0  # the smallest, if a smaller one stands for more than the limit
    log: bool = False  # a tuner looks for it on a logarithmic scale
    internal: bool = False  # for tuners and whoever knows the code: the page does not ask people for it

    @property
    def type(self) -> type:
        """bool, int, float, str or tuple."""
        return type(self.default)

    @property
    def kind(self) -> str:
        """The type by name: bool, int, float, str, ints or strs."""
        return f"{self.items.__name__}s" if self.type is tuple else self.type.__name__

    @property
    def choices(self) -> tuple[str, ...]:
        """All that it may be, if those are words."""
        return SWITCH if self.type is bool else self.words

    @property
    def bounds(self) -> tuple[float, float]:
        """The ends of its range, perhaps infinite."""
        return -math.inf if self.low is None else self.low, math.inf if self.high is None else self.high

    @property
    def numbers(self) -> range:
        """All whole numbers that it may be."""
        low, high = self.bounds
        return range(int(low), int(high) + 1, self.step)

    @property
    def tunable(self) -> bool:
        """Whether it is a number in a range."""
        return self.type in (int, float) and all(map(math.isfinite, self.bounds))

    def parse(self, text: str) -> Any:
        """A value as a person writes it: a list in brackets, (1,1), or without them."""
        try:
            if self.type is tuple:
                parts = text.strip().removeprefix("(").removesuffix(")").replace(",", " ").split()
                value: Any = tuple(self.items(part) for part in parts)
            else:
                value = SPELLINGS[text.lower()] if self.type is bool else self.type(text)
        except (ValueError, KeyError):
            raise GameError(f"{self.name} must be {TYPES[self.type][1]}, not {text!r}.") from None
        return self.check(value, "" if isinstance(value, tuple) else text)

    def read(self, value: Any) -> Any:
        """A value as it comes from JSON."""
        allowed, called = TYPES[self.type]
        if type(value) not in allowed:
            raise GameError(f"{self.name} must be {called}, not {value!r}.")
        return tuple(value) if self.type is tuple else value

    def write(self, value: Any) -> str:
        """The inverse of `parse`."""
        if isinstance(value, float) and float(f"{value:g}") == value:
            return f"{value:g}"
        return SWITCH[value] if isinstance(value, bool) else str(value)

    def check(self, value: Any, written: str = "") -> Any:
        """The value; one that is not allowed is refused, as it was written."""
        low, high = self.bounds
        for one in value if isinstance(value, tuple) else (value,):
            if self.words and one not in self.words:
                raise GameError(f"{self.name} must be one of {', '.join(filter(None, self.words))}, not {one!r}.")
            if isinstance(one, bool | str):
                continue
            if not (low <= one <= high and math.isfinite(one)):  # nor is nan
                within = f"at least {_shown(low)}" if self.high is None else f"between {_shown(low)} and {_shown(high)}"
                raise GameError(f"{self.name} must be {within}, not {written or one}.")
            if self.step > 1 and one not in self.numbers:
                raise GameError(f"{self.name} must be {' or '.join(map(str, self.numbers))}, not {one}.")
        return value

    def word(self, word: str) -> Word:
        """One of its words for people; without a declared title it is the word itself."""
        return self.about.get(word) or Word(word.replace("-", " ").capitalize())


def _shown(number: float) -> str:
    return "2**63 - 1" if number == 2**63 - 1 else str(number) if isinstance(number, int) else f"{number:g}"


KEY = "parameter"


def setting(default: Any, help: str, **more: Any) -> Any:
    """A field of a settings dataclass; `more` is what a `Parameter` takes."""
    return dataclasses.field(default=default, metadata={KEY: Parameter(default, help, **more)})


@dataclass(frozen=True)
class Settings:
    """The base of every settings dataclass: values are checked when one is made."""

    def __post_init__(self) -> None:
        """Refuse invalid values."""
        for one in declared(type(self)):
            one.check(getattr(self, one.name))

    def data(self) -> dict[str, Any]:
        """The values as they go to JSON."""
        values = {one.name: getattr(self, one.name) for one in declared(type(self))}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def changed(self) -> dict[str, Any]:
        """The values that are not the defaults."""
        return {name: value for name, value in self.data().items() if value != type(self)().data()[name]}

    @classmethod
    def for_owner(cls, owner: str, values: Mapping[str, Any]) -> Self:
        """From values by name; an unknown name is refused in the name of whoever has these settings."""
        cls._check_names(owner, values)
        return cls.read(values)

    @classmethod
    def from_texts(cls, owner: str, texts: Mapping[str, str]) -> Self:
        """The same from values as a person writes them."""
        cls._check_names(owner, texts)
        return cls(**{one.name: one.parse(texts[one.name]) for one in declared(cls) if one.name in texts})

    @classmethod
    def _check_names(cls, owner: str, values: Mapping[str, Any]) -> None:
        own = sorted(one.name for one in declared(cls))
        if unknown := sorted(set(values) - set(own)):
            raise GameError(f"{owner} has no setting {unknown[0]!r}; it has: {', '.join(own) or 'none'}.")

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """From JSON; missing values have their defaults."""
        return cls(**{one.name: one.read(data[one.name]) for one in declared(cls) if one.name in data})


def declared(settings: type) -> tuple[Parameter, ...]:
    """The parameters that a dataclass declares, in order."""
    fields = (field for field in dataclasses.fields(settings) if KEY in field.metadata)
    return tuple(dataclasses.replace(field.metadata[KEY], name=field.name) for field in fields)


class _Loading:
    """The options given to the rules file being executed, and those it declared so far."""

    def __init__(self, given: Mapping[str, int | str]) -> None:
        self.given = given
        self.declared: dict[str, Parameter] = {}
        self.values: dict[str, Any] = {}


_loading: _Loading | None = None


@contextmanager
def loading(given: Mapping[str, int | str]) -> Iterator[_Loading]:
    """While a rules file runs inside this, its `option` calls return the `given` values."""
    global _loading
    outer, _loading = _loading, _Loading(given)
    try:
        yield _loading
    finally:
        _loading = outer


def _declare(declared: Parameter) -> Any:
    """The value that is given for a parameter from outside, or its default."""
    declared.check(declared.default)
    if _loading is None:
        return declared.default
    name, value = declared.name, declared.default
    if name in _loading.given:
        value = declared.parse(str(_loading.given[name]))
    _loading.declared[name] = declared
    _loading.values[name] = value
    return value


def option(
    name: str, default: int, low: int, high: int, help: str = "", step: int = 1, server_limit: int | None = None
) -> int:
    """Declare a number that can be set from outside, with its default and its range, of which it may be every n-th.

    Where large numbers make loading slow, `server_limit` is the largest that a request to a server may give.
    """
    declared = Parameter(default, help, low, high, name=name, step=step, server_limit=server_limit)
    return int(_declare(declared))


def choice(
    name: str, default: str, words: Sequence[str], help: str = "", about: Mapping[str, Word] | None = None
) -> int:
    """Declare a choice between words; the rules see the index of the word. `about` says what words mean to people."""
    return words.index(str(_declare(Parameter(default, help, name=name, words=tuple(words), about=about or {}))))


def switch(name: str, default: bool, help: str = "") -> int:
    """Declare something that is on or off: 1 or 0."""
    return int(_declare(Parameter(default, help, name=name)))


def file(name: str, help: str = "") -> str:
    """Declare the path of a file that the rules read; empty if there is none."""
    return str(_declare(Parameter("", help, name=name, names="file")))
