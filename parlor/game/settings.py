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
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from parlor.game.errors import GameError
from parlor.game.parameters import Parameter

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
