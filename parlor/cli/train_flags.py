"""The flags of `parlor train`: those of the command, those of all settings of runs and learners, those of the game."""

from __future__ import annotations

import dataclasses
import itertools
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from parlor.cli.setting_flags import Owners, flag_field, flag_of, help_of
from parlor.game import GameError
from parlor.game.loading import GAMES, declared_options, parse
from parlor.game.parameters import Parameter
from parlor.game.settings import declared
from parlor.runs.config import Config
from parlor.runs.learners.registry import LEARNERS

Word = Annotated[str | None, tyro.conf.arg(metavar="NAME", help_behavior_hint="")]
Folder = Annotated[Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")]
Flag = Annotated[bool, tyro.conf.arg(help_behavior_hint="")]
ABSTRACTION = "abstraction"  # a flag: the game's, or, with --bets, the learner's own


@dataclass(frozen=True)
class TrainCommand:
    """The command's flags besides the settings of runs and learners, which become flags too."""

    game: Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="GAME", help_behavior_hint="")] = None
    """The game to train for, before everything else: a name, with options if you like, or a rules file."""
    bets: Word = None
    """Of games with betting trees: which one; the one that the game declares, if not given."""
    resolver: Word = None
    """How the actions of an abstraction become moves, of games that have several ways: greedy (usual), or another."""
    workers: Annotated[int, tyro.conf.arg(aliases=["--threads"])] = field(default_factory=lambda: os.cpu_count() or 1)
    """Threads, or processes of Ray; as many as there are cores."""
    backend: str = "threads"
    """threads, or ray."""
    address: Word = None
    """Join the Ray cluster there; one is started on this machine if not given."""
    wandb: Word = None
    """Also log to Weights & Biases: offline (no account needed) or online."""
    tensorboard: Flag = False
    """Also log for TensorBoard."""
    out: Folder = None
    """The folder of the run; a new one in runs/ if not given."""
    resume: Folder = None
    """Go on with the run in this folder; --games or --minutes may ask for more of them."""
    json: Flag = False
    """Print the result as JSON for machines."""


def all_settings() -> Iterator[tuple[str, Parameter]]:
    """All settings there are, with the learner that has them; empty: every run."""
    for one in declared(Config):
        if one.name != "game":
            yield "", one
    for name, row in LEARNERS.items():
        for one in declared(row.settings):
            yield name, one


def _flags() -> list[tuple[str, Any, Any]]:
    """Fields for a dataclass of flags: one for each name, whoever has a setting of that name."""
    found: dict[str, list[tuple[str, Parameter]]] = {ABSTRACTION: []}
    for learner, one in all_settings():
        found.setdefault(flag_of(one), []).append((learner, one))
    return [_field(flag, owners) for flag, owners in found.items()]


def _field(flag: str, owners: Owners) -> tuple[str, Any, Any]:
    usual = [(name, row.usual[flag]) for name, row in LEARNERS.items() if flag in row.usual]
    text = help_of(owners, tuple(LEARNERS) if flag == "algorithm" else (), usual)
    if flag == ABSTRACTION:
        text = (
            "What the agent knows and does: an abstraction of the game, or none; the game's usual one if it is large. "
            f"With --bets, {text[0].lower()}{text[1:]}"
        )
    return flag_field(flag, owners, text)


if TYPE_CHECKING:
    Options = Any
else:
    Options = dataclasses.make_dataclass("Options", _flags(), bases=(TrainCommand,), frozen=True)
    Options.__doc__ = "Options of `parlor train`."

HERE = {f.name for f in dataclasses.fields(Options)}
TAKE_NONE_OR_MORE = {f.name for f in dataclasses.fields(Options) if f.default is False} | {
    flag_of(one) for _, one in all_settings() if one.type is tuple
}


def options_for(arguments: Sequence[str]) -> tuple[Any, list[str]]:
    """The options with those of the game, if one is named, and the arguments with the game before everything else."""
    place = _place_of_game(arguments)
    if place is None:
        return Options, list(arguments)
    named, others = arguments[place], [*arguments[:place], *arguments[place + 1 :]]
    if named.startswith("openspiel:"):
        return Options, [named, *others]
    fields: list[Any] = []
    for name, option in declared_options(parse(named)[0]).items():
        if name not in HERE:
            shown = tyro.conf.arg(
                metavar="|".join(option.choices) or ("FILE" if option.names else "N"),
                help=_help(option),
                help_behavior_hint="",
            )
            kind = Annotated[str | None, shown]
            fields.append((name, kind, None))
    return dataclasses.make_dataclass("Options", fields, bases=(Options,), frozen=True), [named, *others]


def _place_of_game(arguments: Sequence[str]) -> int | None:
    """Find the game: the first argument, or one that names a game of ours and is not the value of a flag."""
    if arguments and not arguments[0].startswith("-"):
        return 0
    for place, (before, text) in enumerate(itertools.pairwise(arguments), 1):
        if re.split(r"[(/]", text)[0] in GAMES and not _takes_one(before):
            return place
    return None


def _takes_one(text: str) -> bool:
    """Whether an argument is a flag, perhaps one of the game's, whose value is the next argument and no more."""
    return text.startswith("--") and "=" not in text and text[2:].replace("-", "_") not in TAKE_NONE_OR_MORE


def _help(option: Parameter) -> str:
    if option.names:
        return f"Of the game: {option.help}."
    shown = f"{option.low} to {option.high}" if not option.choices else ""
    return f"Of the game: {option.help}. {option.write(option.default)} unless a preset says otherwise" + (
        f" ({shown})." if shown else "."
    )


def asked_for(options: Options) -> dict[str, Any]:
    """Return the settings given on the command line, by flag."""
    flags = {flag_of(one): one for _, one in all_settings() if flag_of(one) != ABSTRACTION}
    asked = {}
    for flag, one in flags.items():
        value = getattr(options, flag)
        if value is None or value is False:
            continue
        asked[flag] = _numbers(flag, value) if one.items is int else one.default is not True if value is True else value
    return asked


def _numbers(flag: str, texts: Sequence[str]) -> tuple[int, ...]:
    text = " ".join(texts)
    try:
        return tuple(int(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise GameError(f"--{dashed(flag)} takes whole numbers, such as 200 or 200 500 1000, not {text!r}.") from None


def dashed(flag: str) -> str:
    """As it is typed."""
    return flag.replace("_", "-")
