"""The flags of `parlor train`: those of the command, those of all settings of runs and learners, those of the game."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro

from parlor.cli.flags import Name, OptionalGame, RunFlags, TrackersFlags, WorkersFlags, by_flag, with_flags
from parlor.game.loading import GAMES, declared_options, parse
from parlor.game.parameters import Parameter, declared
from parlor.runs.choices import CARDS
from parlor.runs.config import Config
from parlor.runs.learners.registry import LEARNERS


def all_settings() -> Iterator[tuple[str, Parameter]]:
    """All settings there are, with the learner that has them, or has another default; empty: every run."""
    for one in declared(Config):
        if one.name == "game":
            continue
        yield (
            "",
            dataclasses.replace(one, words=(*LEARNERS, "yours: my_file.py:NAME")) if one.name == "algorithm" else one,
        )
        for name, row in LEARNERS.items():
            if one.name in row.usual:
                yield name, dataclasses.replace(one, default=row.usual[one.name])
    for name, row in LEARNERS.items():
        for one in declared(row.settings):
            yield name, one


OWNERS = by_flag(all_settings())
_CARDS = ", ".join(word for _, one in OWNERS.pop(CARDS) for word in one.words)


@dataclass(frozen=True, kw_only=True)
class TrainCommand(WorkersFlags, TrackersFlags, RunFlags):
    """The command's flags besides the settings of runs and learners, which become flags too."""

    game: OptionalGame = None
    """The game to train for: a name, with options if you like, or a rules file."""
    abstraction: Annotated[
        str | None,
        tyro.conf.arg(
            help="What the agent knows and does: an abstraction of the game, or none; if omitted, the game's usual one "
            f"where the game is large. With --bets, that of the cards: {_CARDS}."
        ),
    ] = None
    bets: Name = None
    """Of games with betting trees: which one; if omitted, the one that the game declares."""
    resolver: Name = None
    """How the actions of an abstraction become moves, of games that have several ways: greedy (usual), or another."""


Options = with_flags(TrainCommand, OWNERS)
HERE = {f.name for f in dataclasses.fields(Options)}
TAKE_NONE_OR_MORE = {f.name for f in dataclasses.fields(Options) if f.default is False} | {
    flag for flag, of in OWNERS.items() if of[0][1].type is tuple
}


def options_for(arguments: Sequence[str]) -> tuple[type[TrainCommand], list[str]]:
    """The options with those of the game, if one is named, and the arguments with the game before everything else."""
    place = _place_of_game(arguments)
    if place is None:
        return Options, list(arguments)
    named, others = arguments[place], [*arguments[:place], *arguments[place + 1 :]]
    if named.startswith("openspiel:"):
        return Options, [named, *others]
    declared_here = {name: one for name, one in declared_options(parse(named)[0]).items() if name not in HERE}
    owners = {name: [("the game", _with_range(one))] for name, one in declared_here.items()}
    return with_flags(Options, owners, as_texts=True), [named, *others]


def _with_range(option: Parameter) -> Parameter:
    """An option of the game whose help says what it may be."""
    within = "" if option.choices or option.names else f", {option.bounds[0]} to {option.bounds[1]}"
    return dataclasses.replace(option, help=f"{option.help}{within}; a preset may say otherwise")


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
