"""The flags of commands: those that several commands have, each declared once, and those made of parameters.

`parlor.cli.arguments` adds to the help of each what a value is and, as it is typed, the default.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

import tyro

from parlor.game import GameError
from parlor.game.parameters import Parameter

Command = TypeVar("Command")
MADE = "parameters"  # the module of dataclasses that are made of parameters

GameArgument = Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="GAME")]
OptionalGame = Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="[GAME]")]
StudyArgument = Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FILE")]
Name = Annotated[str | None, tyro.conf.arg(metavar="NAME")]
File = Annotated[Path | None, tyro.conf.arg(metavar="FILE")]
Folder = Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")]


@dataclass(frozen=True, kw_only=True)
class JsonFlag:
    """The flag of commands whose result programs may read."""

    json: bool = False
    """Print the result as JSON."""


@dataclass(frozen=True, kw_only=True)
class SeedFlag:
    """The flag of commands that draw random numbers."""

    seed: int = 0
    """The seed of all random numbers."""


@dataclass(frozen=True, kw_only=True)
class ThreadsFlag:
    """The flag of commands that do several things at a time."""

    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Threads or workers at a time, one a processor if omitted; the result does not depend on their number."""

    def check(self) -> None:
        """Refuse what no machine has."""
        most = 4 * (os.cpu_count() or 1)
        if not 1 <= self.threads <= most:
            raise GameError(f"threads must be between 1 and {most}, not {self.threads}.")


@dataclass(frozen=True, kw_only=True)
class WorkersFlags(ThreadsFlag):
    """The flags of commands whose workers may be processes, or on other machines."""

    backend: Name = None
    """Where the work is done: threads, processes or ray."""
    address: Annotated[str | None, tyro.conf.arg(metavar="HOST:PORT")] = None
    """With --backend ray: join the Ray cluster there; if omitted, one is started on this machine."""

    def check(self) -> None:
        """Refuse less than one; there may be several machines."""
        if self.threads < 1:
            raise GameError(f"threads must be at least 1, not {self.threads}.")


@dataclass(frozen=True, kw_only=True)
class RunFlags(JsonFlag):
    """The flags of commands that make a run, in a folder of its own, which can be resumed."""

    out: Folder = None
    """The folder of the run; if omitted, a new one in runs/."""
    resume: Folder = None
    """Go on with the run in this folder; what ends it may be given anew, to ask for more."""


@dataclass(frozen=True, kw_only=True)
class TrackersFlags:
    """The flags of runs that others may keep track of."""

    wandb: Name = None
    """Also log to Weights & Biases: offline (no account needed) or online."""
    tensorboard: bool = False
    """Also log for TensorBoard."""


@dataclass(frozen=True, kw_only=True)
class DatabaseFlag:
    """The flag of commands that read or write what a server keeps."""

    database_url: Annotated[str | None, tyro.conf.arg(metavar="URL")] = None
    """The server's database, sqlite:///FILE or postgresql://…; if omitted, DATABASE_URL or the file in parlor-data/."""


@dataclass(frozen=True, kw_only=True)
class StudyFlags(DatabaseFlag):
    """The arguments of commands about a study and its data."""

    file: StudyArgument
    """The study file."""


def check_words(options: object, **words: Sequence[str]) -> None:
    """Refuse the values of flags that are none of their words."""
    for name, known in words.items():
        if getattr(options, name) not in (None, *known):
            raise GameError(f"--{name} must be {' or '.join(known)}, not {getattr(options, name)!r}.")


# -------------------------------------------------------------------------------------------------- of parameters

#: Flag -> the parameters that it sets, each with the algorithm that has it; empty: the command itself.
Owners = Mapping[str, Sequence[tuple[str, Parameter]]]


def flag_of(one: Parameter) -> str:
    """The flag of a parameter, as a Python name; what is on by default is switched off."""
    return one.flag or (f"no_{one.name}" if one.default is True else one.name)


def by_flag(parameters: Iterable[tuple[str, Parameter]]) -> dict[str, list[tuple[str, Parameter]]]:
    """Parameters by their flags: one flag for each name, whoever has a parameter of that name."""
    found: dict[str, list[tuple[str, Parameter]]] = {}
    for owner, one in parameters:
        found.setdefault(flag_of(one), []).append((owner, one))
    return found


def with_flags(command: type[Command], owners: Owners, as_texts: bool = False) -> type[Command]:
    """The dataclass of a command, with a flag for each parameter; `as_texts`: values are left as they are written."""
    fields = [(flag, *_type_and_default(flag, of, as_texts)) for flag, of in owners.items()]
    made = dataclasses.make_dataclass("Options", fields, bases=(command,), frozen=True, kw_only=True)
    made.__module__ = MADE
    return made


def _type_and_default(flag: str, owners: Sequence[tuple[str, Parameter]], as_text: bool) -> tuple[Any, Any]:
    one = owners[0][1]
    names = {int: "N", float: "X", tuple: {int: "N …", float: "X …"}.get(one.items, "NAME …")}
    metavar = "AGENT …" if one.names == "agent" else "FILE" if one.names == "file" else names.get(one.type, "NAME")
    if as_text and one.choices:
        metavar = "|".join(one.choices)
    types: dict[type, Any] = {bool: bool, int: int | None, float: float | None, tuple: tuple[str, ...] | None}
    kind = str | None if as_text else types.get(one.type, str | None)
    text, default = told(owners, as_text)
    shown = tyro.conf.arg(metavar=None if kind is bool else metavar, help=text, help_behavior_hint=default)
    return Annotated[kind, shown], False if kind is bool else None


def told(owners: Sequence[tuple[str, Parameter]], as_text: bool = False) -> tuple[str, str]:
    """The help of a flag: what it means, its possible values and who has it; and its defaults."""
    one = owners[0][1]
    switch = one.type is bool and not as_text
    said = f"do not {one.help}" if switch and one.default else one.help
    words = [word for word in one.words if word and not as_text]
    if not all(word in said for word in words):
        said += f": {', '.join(words)}"
    others: dict[str, list[str]] = {}
    for owner, each in owners:
        if each.help != one.help:
            others.setdefault(each.help, []).append(owner)
    said += "".join(f"; of {' and '.join(of)}: {help}" for help, of in others.items())
    whose = ", ".join(dict.fromkeys(owner for owner, _ in owners if owner))
    of = f" Of {whose}." if whose and "" not in dict(owners) else ""
    if re.split(r"[ :,]", said)[0] not in words:  # which are told as they are typed
        said = f"{said[0].upper()}{said[1:]}"
    return f"{said}.{of}", "" if switch else _defaults(owners)


def _defaults(owners: Sequence[tuple[str, Parameter]]) -> str:
    """The defaults as they are typed; where they differ, each with the algorithm that has it."""
    values = {
        owner: " ".join(map(one.write, one.default if one.type is tuple else (one.default,))) for owner, one in owners
    }
    differ = len(set(values.values())) > 1
    shown = [f"{owner} {value}".strip() if differ else value for owner, value in values.items() if value]
    return f"(default: {', '.join(dict.fromkeys(shown))})" if shown else ""


def given(options: object, owners: Owners) -> dict[str, Any]:
    """The parameters set on the command line, with their values, by flag."""
    found: dict[str, Any] = {}
    for flag, [(_, one), *_] in owners.items():
        value = getattr(options, flag)
        if isinstance(value, tuple):
            found[flag] = _items(flag, one, value)
        elif value is not None and value is not False:
            found[flag] = one.default is not True if value is True else value
    return found


def settings_given(options: object, owners: Owners) -> dict[str, Any]:
    """The same, by the names of the settings."""
    return {owners[flag][0][1].name: value for flag, value in given(options, owners).items()}


def more_for_run(options: Any, owners: Owners, ends: Sequence[str]) -> dict[str, Any]:
    """The settings given for a run that is resumed: those that end it, and nothing else."""
    more = settings_given(options, owners)
    if options.game or options.out or more.keys() - set(ends):
        raise GameError(
            "A resumed run has its game, its folder and its settings already; "
            f"only {', '.join(f'--{name}' for name in ends)} may be given anew."
        )
    return more


def _items(flag: str, one: Parameter, texts: Sequence[str]) -> tuple[Any, ...]:
    if one.items is str:
        return tuple(texts)
    try:
        return tuple(one.items(part) for text in texts for part in text.replace(",", " ").split())
    except ValueError:
        said, kind = " ".join(texts), "whole numbers, such as 200 or 200 500 1000" if one.items is int else "numbers"
        raise GameError(f"--{dashed(flag)} takes {kind}, not {said!r}.") from None


def dashed(flag: str) -> str:
    """As it is typed."""
    return flag.replace("_", "-")
