"""Options of a rules file: declared where they are used, set from outside when the file is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from parlor.game.parameters import Parameter, Word


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
