"""The arguments of a command: its options, or a sentence about what is wrong with them.

tyro makes the command line from a dataclass; here each option is told what its value and its default are called in help.
The error messages of tyro are about types, so the arguments are examined again, to explain an error in terms of the
command.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import types
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import tyro


class Misused(ValueError):
    """Arguments that a command does not accept; the message is a sentence for a person."""


@dataclasses.dataclass(frozen=True)
class Argument:
    """An option of a command, as it is written."""

    name: str  # --until, or GAME
    positional: bool
    required: bool
    many: bool  # takes any number of values
    kind: Any  # what a value is: int, float, str, bool, Path or a Literal
    aliases: tuple[str, ...] = ()

    def wrong(self, text: str) -> str:
        """Return the error in a value; empty if there is none."""
        if get_origin(self.kind) is Literal:
            words = [str(word) for word in get_args(self.kind)]
            return "" if text in words else f"must be {_listed(words)}, not {text!r}"
        if self.kind in (int, float):
            try:
                self.kind(text)
            except ValueError:
                return f"must be a {'whole ' if self.kind is int else ''}number, not {text!r}"
        return ""


def parse(options_type: type, arguments: Sequence[str], prog: str, description: str) -> Any:
    """The options that the arguments give; None if only help was requested, which is then printed."""
    box = io.StringIO()
    try:
        with contextlib.redirect_stderr(box):
            options = tyro.cli(
                _described(options_type),
                args=list(arguments),
                prog=prog,
                description=description,
                config=(tyro.conf.FlagCreatePairsOff,),
            )
            if hasattr(options, "check"):
                options.check()
            return options
    except SystemExit as leave:
        if not leave.code:
            return None
    said = explained(list(_arguments(options_type)), arguments) or " ".join(box.getvalue().split())
    raise Misused(f"{said} `{prog} --help` explains the options.")


def explained(known: Sequence[Argument], given: Sequence[str]) -> str:
    """The first error in the arguments; empty if none is found."""
    flags = {name: a for a in known if not a.positional for name in (a.name, *a.aliases)}
    loose: list[str] = []
    rest = list(given)
    while rest:
        text = rest.pop(0)
        name, equals, value = text.partition("=")
        if not text.startswith("-") or _is_number(text) or text == "-":
            loose.append(text)
            continue
        flag = flags.get(name.replace("_", "-"))
        if flag is None:
            near = get_close_matches(name, flags, 1, 0.7)
            return f"There is no option {name}{f'; did you mean {near[0]}?' if near else '.'}"
        if flag.kind is bool:
            if equals:
                return f"{flag.name} takes no value: giving it switches it on."
            continue
        values = [value] if equals else []
        while rest and not (rest[0].startswith("--") and rest[0] != "--") and (flag.many or not values):
            values.append(rest.pop(0))
        if not values:
            return f"{flag.name} needs a value."
        for one in values:
            if wrong := flag.wrong(one):
                return f"{flag.name} {wrong}."
    return _misplaced([a for a in known if a.positional], loose)


def _misplaced(known: Sequence[Argument], given: list[str]) -> str:
    """Return the error in the positional arguments; empty if there is none."""
    rest = list(given)
    for argument in known:
        values = rest if argument.many else rest[:1]
        if not values and argument.required:
            return f"{argument.name} is missing."
        for one in values:
            if wrong := argument.wrong(one):
                return f"{argument.name} {wrong}."
        rest = rest[len(values) :]
    if rest:
        takes = " ".join(argument.name for argument in known)
        return f"{rest[0]!r} is one too many: the command takes {f'{takes} only' if takes else 'only options'}."
    return ""


METAVARS = {int: "N", float: "X", Path: "FILE", str: "NAME"}


def _described(options_type: type) -> type:
    """The same dataclass, with the names of values and the defaults that help shows."""
    fields = []
    for field, kind, conf, argument in _fields(options_type):
        default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
        unsaid = argument.required or default is None or default is False
        shown = "" if unsaid else " ".join(map(_typed, default if isinstance(default, tuple) else (default,)))
        conf = dataclasses.replace(
            conf,
            metavar=conf.metavar or (None if argument.kind is bool else METAVARS.get(argument.kind)),
            help_behavior_hint=conf.help_behavior_hint or (f"(default: {shown})" if shown else ""),
        )
        fields.append((field.name, Annotated[kind, conf], field))
    return dataclasses.make_dataclass(options_type.__name__, fields, bases=(options_type,), frozen=True, kw_only=True)


def _arguments(options_type: type) -> Iterator[Argument]:
    return (argument for *_, argument in _fields(options_type))


def _fields(options_type: type) -> Iterator[tuple[dataclasses.Field[Any], Any, Any, Argument]]:
    """The fields of a dataclass, each with its type, what tyro is told of it, and the option that it is."""
    hints = get_type_hints(options_type, include_extras=True)
    for field in dataclasses.fields(options_type):
        kind, notes = hints[field.name], []
        while get_origin(kind) is Annotated:
            kind, *more = get_args(kind)
            notes += more
        conf = next((note for note in notes if hasattr(note, "metavar")), tyro.conf.arg())
        plain = kind
        if get_origin(plain) in (Union, types.UnionType):
            plain = next(k for k in get_args(plain) if k is not type(None))
        many = get_origin(plain) is tuple
        positional = tyro.conf.Positional in notes
        argument = Argument(
            (conf.metavar or field.name.upper()) if positional else "--" + (conf.name or field.name).replace("_", "-"),
            positional,
            field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING,
            many,
            get_args(plain)[0] if many else plain,
            tuple(conf.aliases or ()),
        )
        yield field, Annotated[kind, tyro.conf.Positional] if positional else kind, conf, argument


def _typed(value: Any) -> str:
    """A default as it is typed."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _listed(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
