"""The arguments of a command: its options, or a sentence about what is wrong with them.

tyro makes the command line from a dataclass; here each option gets its help, with a name for its value and its default.
The error messages of tyro are about types, so the arguments are examined again, to explain an error in terms of the
command.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import inspect
import io
import itertools
import textwrap
import types
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import tyro

from parlor.cli import flags
from parlor.cli.flags import MADE


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
            found: Any = tyro.cli(
                _described(options_type, not {"-h", "--help"}.isdisjoint(arguments)),
                args=list(arguments),
                prog=prog,
                description=description,
                config=(tyro.conf.FlagCreatePairsOff,),
            )
        options = options_type(**{field.name: getattr(found, field.name) for field in dataclasses.fields(options_type)})
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
            return f"There is no option {name}{_meant(name, known)}"
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


def _meant(name: str, known: Sequence[Argument]) -> str:
    """The end of a sentence about an option that there is not: what other commands call so, or a similar name."""
    names = [argument.name for argument in known]
    if game := next((one for one in names if name == "--game" and one.strip("[]") == "GAME"), None):
        return f"; the game comes first: {game}."
    same = [one for words in SYNONYMS if name in words for one in words if one in names]
    near = same or get_close_matches(name, [one for one in names if one.startswith("-")], 1, 0.7)
    return f"; did you mean {near[0]}?" if near else "."


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


SYNONYMS = (("--games", "--iterations"), ("--threads", "--workers"), ("--minutes", "--seconds"))
LAST = (MADE, flags.__name__)  # modules whose flags come after those of the command itself
METAVARS = {int: "N", float: "X", Path: "FILE", str: "NAME"}


def _described(options_type: type, with_help: bool) -> type:
    """A dataclass of the same fields, those of its bases last, with the names of values and the defaults for help.

    Without help it has no texts: to find them in the source would take a tenth of a command's start.
    """
    fields = []
    texts = _help_texts(options_type) if with_help else {}
    for field, kind, conf, argument in _fields(options_type):
        default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
        unsaid = argument.required or default is None or isinstance(default, bool)
        shown = "" if unsaid else " ".join(map(typed, default if isinstance(default, tuple) else (default,)))
        conf = dataclasses.replace(
            conf,
            metavar=conf.metavar or (None if argument.kind is bool else METAVARS.get(argument.kind)),
            help=conf.help or texts.get(field.name, ""),
            help_behavior_hint=conf.help_behavior_hint or (f"(default: {shown})" if shown else ""),
        )
        fields.append(
            (
                field.name,
                Annotated[kind, conf],
                dataclasses.field(default=field.default, default_factory=field.default_factory),
            )
        )
    return dataclasses.make_dataclass(options_type.__name__, fields, frozen=True, kw_only=True)


def typed(value: Any) -> str:
    """A value as it is typed."""
    short = f"{value:g}" if isinstance(value, float) else str(value)
    return short if not isinstance(value, float) or float(short) == value else str(value)


@functools.cache
def _help_texts(options_type: type) -> dict[str, str]:
    """The strings that stand below the fields of a dataclass and of its bases."""
    found: dict[str, str] = {}
    for base in reversed(options_type.__mro__[:-1]):
        if base.__module__ == MADE:
            continue  # made of parameters, which bring their help
        [tree] = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        for field, text in itertools.pairwise(cast("ast.ClassDef", tree).body):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
                found[cast("ast.Name", field.target).id] = " ".join(str(text.value.value).split())
    return found


def _arguments(options_type: type) -> Iterator[Argument]:
    return (argument for *_, argument in _fields(options_type))


def _fields(options_type: type) -> Iterator[tuple[dataclasses.Field[Any], Any, Any, Argument]]:
    """The fields of a dataclass, each with its type, what tyro is told of it, and the option that it is."""
    hints = get_type_hints(options_type, include_extras=True)
    fields = {field.name: field for field in dataclasses.fields(options_type)}
    places = {base: LAST.index(base.__module__) if base.__module__ in LAST else -1 for base in options_type.__mro__}
    bases = sorted(places, key=lambda base: places[base])
    names = [name for base in bases for name in vars(base).get("__annotations__", ())]
    first = [name for name in fields if tyro.conf.Positional in getattr(hints[name], "__metadata__", ())]
    for field in (fields[name] for name in dict.fromkeys([*first, *names])):
        kind, notes = hints[field.name], []
        while get_origin(kind) is Annotated:
            kind, *more = get_args(kind)
            notes += more
        if isinstance(kind, types.UnionType):  # tyro would import typeguard for it, a tenth of a command's start
            kind = Union[get_args(kind)]  # noqa: UP007
        conf: Any = next((note for note in notes if hasattr(note, "metavar")), tyro.conf.arg())
        plain = kind
        if get_origin(plain) is Union:
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


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _listed(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
