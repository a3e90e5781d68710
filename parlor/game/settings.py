"""Settings of an algorithm: a frozen dataclass whose fields declare everything about themselves.

    @dataclass(frozen=True)
    class Mine(Settings):
        rate: float = setting(0.1, "how fast it learns", low=0.0, high=1.0)
        style: str = setting("bold", "how it plays", words=("bold", "shy"))

Values are checked when an instance is made. Command line flags, files, the server's schema and the page are made from
`declared(Mine)`, so that a setting is written once.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from parlor.game.errors import GameError

KEY = "setting"
#: type -> JSON types, and its name for people
TYPES: Mapping[type, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "true or false"),
    int: ((int,), "a whole number"),
    float: ((float, int), "a number"),
    str: ((str,), "a text"),
    tuple: ((list, tuple), "a list"),
}


@dataclass(frozen=True)
class Setting:
    """The declaration of one setting."""

    name: str
    default: Any
    help: str
    low: float | None = None
    high: float | None = None
    words: tuple[str, ...] = ()  # the allowed texts
    flag: str = ""  # its name on the command line, if different
    of: type = str  # of a list: the type of its items

    @property
    def type(self) -> type:
        """bool, int, float, str or tuple."""
        return type(self.default)

    @property
    def kind(self) -> str:
        """The type by name: bool, int, float, str, ints or strs."""
        return f"{self.of.__name__}s" if self.type is tuple else self.type.__name__

    def read(self, value: Any) -> Any:
        """A value as it comes from JSON."""
        allowed, called = TYPES[self.type]
        if type(value) not in allowed:
            raise GameError(f"{self.name} must be {called}, not {value!r}.")
        return tuple(value) if self.type is tuple else value

    def read_text(self, text: str) -> Any:
        """A value as a person writes it: a list in brackets, (1,1), or without them."""
        try:
            if self.type is tuple:
                parts = text.strip().removeprefix("(").removesuffix(")").replace(",", " ").split()
                return tuple(self.of(part) for part in parts)
            if self.type is bool:
                return {"true": True, "yes": True, "false": False, "no": False}[text.lower()]
            return self.type(text)
        except (ValueError, KeyError):
            raise GameError(f"{self.name} must be {TYPES[self.type][1]}, not {text!r}.") from None

    def check(self, value: Any) -> None:
        """Refuse values out of range."""
        for one in value if self.type is tuple else (value,):
            if self.words and one not in self.words:
                raise GameError(f"{self.name} must be one of {', '.join(filter(None, self.words))}, not {one!r}.")
            if isinstance(one, bool) or not isinstance(one, int | float):
                continue
            low, high = -math.inf if self.low is None else self.low, math.inf if self.high is None else self.high
            if not (low <= one <= high and math.isfinite(one)):  # nor is nan
                within = f"be at least {low:g}" if self.high is None else f"be between {low:g} and {_shown(high)}"
                raise GameError(f"{self.name} must {within}, not {one}.")


def _shown(number: float) -> str:
    return "2**63 - 1" if number == 2**63 - 1 else f"{number:,g}"


def setting(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    words: tuple[str, ...] = (),
    flag: str = "",
    of: type = str,
) -> Any:
    """A field of a settings dataclass."""
    about = Setting("", default, help, low, high, words, flag, of)
    return dataclasses.field(default=default, metadata={KEY: about})


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
        return cls(**{one.name: one.read_text(texts[one.name]) for one in declared(cls) if one.name in texts})

    @classmethod
    def _check_names(cls, owner: str, values: Mapping[str, Any]) -> None:
        own = sorted(one.name for one in declared(cls))
        if unknown := sorted(set(values) - set(own)):
            raise GameError(f"{owner} has no setting {unknown[0]!r}; it has: {', '.join(own) or 'none'}.")

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """From JSON; missing values have their defaults."""
        return cls(**{one.name: one.read(data[one.name]) for one in declared(cls) if one.name in data})


def declared(settings: type) -> tuple[Setting, ...]:
    """The settings that a dataclass declares, in order."""
    fields = (field for field in dataclasses.fields(settings) if KEY in field.metadata)
    return tuple(dataclasses.replace(field.metadata[KEY], name=field.name) for field in fields)
