"""Train an agent by self-play, in a folder of its own, and measure it as it learns.

Examples:
  parlor train monopoly-deal                                    our rules, the paper's learner
  parlor train monopoly-deal --preset paper                     the paper's rules and its table 1
  parlor train monopoly-deal --abstraction counts --resolver careful --games 20000 --evaluate-every 1000
  parlor train monopoly-deal --preset tiny --abstraction none --algorithm mccfr-external --parallel none
  parlor train monopoly-deal --threads 8 --backend ray --address 10.0.0.1:6379
  parlor train --resume runs/monopoly-deal-intent-rollout-cfr   go on with a run that was stopped or killed
  parlor train leduc --games 5000 --wandb offline --tensorboard    a learner that suits the game is chosen
  parlor train holdem --bets fcpa --abstraction kmeans --buckets 500 --minutes 30
  parlor train holdem --preset hunl-200bb --bets half-pot --abstraction ehs --buckets 200 500 1000 --games 50000000
  parlor train holdem --preset dissertation --streets 2 --bets dissertation --abstraction suitless --games 10000000

The game comes first; its own options are flags too, and `parlor train GAME --help` lists them. Ctrl-C stops after the
games that are being played and makes a checkpoint.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from parlor.arena.match import STARTS
from parlor.arena.statistics import Estimate
from parlor.cli.flags import (
    Name,
    OptionalGame,
    RunFlags,
    TrackersFlags,
    WorkersFlags,
    by_flag,
    check_words,
    dashed,
    flag_of,
    given,
    with_flags,
)
from parlor.cli.screen import Interruption, compiler_notes, err, file_name, free_path, out, plain_table, print_json
from parlor.cli.seating import points
from parlor.game import Game, GameError
from parlor.game.loading import GAMES, declared_options, load, parse
from parlor.game.loading.registry import short_name
from parlor.game.parameters import Parameter, declared
from parlor.runs.config import Config, usual
from parlor.runs.learners.learner import Learner
from parlor.runs.learners.registry import CARDS, LEARNERS, choose_abstraction, choose_learner, learns_betting_trees
from parlor.runs.learners.rollout_cfr import BACKENDS
from parlor.runs.measures import measure
from parlor.runs.metrics import MODES, read_metrics
from parlor.runs.training import TrainingRun


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


ENDS = ("games", "minutes")  # what a run may have more of when it is resumed


def run(options: TrainCommand) -> int:
    """Train, showing progress; print how good it is."""
    check_words(options, backend=BACKENDS, wandb=MODES)
    if options.address is not None and options.backend != "ray":
        raise GameError("--address is that of a Ray cluster: add --backend ray.")
    with compiler_notes(), Interruption(lambda: None).caught() as interruption:
        training, why = (_resumed(options, options.resume), "") if options.resume else _begun(options)
        if training.finished:
            training.remarks.append("The run is finished; continue it with more --games or --minutes.")
        for remark in training.remarks:
            err.print(f"[yellow]{escape(remark)}[/]", soft_wrap=True)
        if not options.json:
            because = f" ({why})" if why else ""
            what = f"{training.config.game}, {short_name(training.config.algorithm)}{because}, in {training.folder}"
            err.print(f"[dim]{escape(what)}[/]", soft_wrap=True)
            if training.plan:
                err.print(f"[dim]{escape(str(training.plan))}[/]", soft_wrap=True)
        learner = _work(training, options, interruption)
    if options.json:
        told = {"run": str(training.folder), "checkpoint": str(training.last), "seconds": training.seconds}
        print_json(told | {"games": learner.games, "metrics": training.row, "interrupted": _cut(training, learner)})
    else:
        _print(training, learner)
    return 130 if _cut(training, learner) else 0


def _cut(training: TrainingRun, learner: Learner) -> bool:
    return learner.games < training.config.goal and training.left > 0.0


def _begun(options: TrainCommand) -> tuple[TrainingRun, str]:
    """A new run, and why it has its learner, if nobody asked for it."""
    if options.game is None:
        raise GameError("Name a game or a run: parlor train GAME …, or parlor train --resume FOLDER.")
    game, asked = _game(options, options.game), given(options, OWNERS)
    algorithm, written = asked.pop("algorithm", ""), dict[str, Any]()
    if algorithm:
        algorithm, settings = LEARNERS.read(algorithm)
        written = settings.changed()
    game = choose_abstraction(game, algorithm, options.abstraction or "", options.bets or "", options.resolver or "")
    every, why = {one.name for one in declared(Config)}, ""
    if not algorithm:
        names = {flag_of(one): one.name for _, one in all_settings()}
        algorithm, why = choose_learner(game, [names[flag] for flag in asked if flag not in every])
    row = LEARNERS.row(algorithm)
    own = {flag_of(one): one.name for one in declared(row.settings)}
    if unread := [f"--{dashed(flag)}" for flag in asked if flag not in every and flag not in own]:
        raise GameError(f"{algorithm} does not use {', '.join(unread)}.")
    values = written | {own.get(flag, flag): value for flag, value in asked.items()}
    if learns_betting_trees(row, game) and options.abstraction:
        values[own[CARDS]] = options.abstraction
    config = Config.of(game.name, algorithm, **usual(game, algorithm, values))
    label = getattr(config.settings, own[CARDS]) if CARDS in own else short_name(algorithm).replace(".py:", "-")
    folder = options.out or free_path(Path("runs"), f"{file_name(game.name)}-{label}", "")
    return TrainingRun.begin(folder, config), "" if game.training.algorithm else why


def _game(options: TrainCommand, name: str) -> Game:
    """The game of that name, with the options that are flags, and with the abstraction that its name has."""
    own = {f.name: getattr(options, f.name) for f in dataclasses.fields(options) if f.name not in HERE}
    base, written, named = parse(name) if not name.startswith("openspiel:") else (name, {}, "")
    chosen = {name: value for name, value in own.items() if value is not None}
    if twice := sorted(set(chosen) & set(written)):
        raise GameError(f"{twice[0]} is given twice: {written[twice[0]]} in {name!r}, and {chosen[twice[0]]}.")
    game = load(base, **{**written, **chosen})
    return game.abstract(named) if named else game


def _resumed(options: TrainCommand, folder: Path) -> TrainingRun:
    if options.game or options.out or options.abstraction or options.resolver or options.bets:
        raise GameError("A resumed run has its game and its folder already: use only parlor train --resume FOLDER.")
    asked = given(options, OWNERS)
    training = TrainingRun.resume(folder, **{name: asked.get(name) for name in ENDS})
    begun = training.config.data()
    names = {flag_of(one): one.name for _, one in all_settings()}
    for flag, value in asked.items():
        name = names[flag]
        if name not in begun:
            raise GameError(f"{training.config.algorithm} does not use --{dashed(flag)}.")
        if name not in ENDS and value != (tuple(begun[name]) if isinstance(begun[name], list) else begun[name]):
            raise GameError(f"The run was started with {name} {begun[name]}, not {value}: omit it, or start a new run.")
    return training


def _work(training: TrainingRun, options: TrainCommand, interruption: Interruption) -> Learner:
    columns = (TimeElapsedColumn(), BarColumn(bar_width=10), TextColumn("{task.description}"))
    total = training.config.games or None
    with Progress(*columns, console=err, disable=options.json or not err.is_terminal, transient=True) as progress:
        task = progress.add_task("preparing; compiling, if necessary", total=total)
        first: list[tuple[int, float]] = []

        def on_progress(training: TrainingRun, learner: Learner) -> bool:
            first.append((learner.games, training.seconds)) if not first else None
            elapsed = training.seconds - first[0][1]
            rate = f" {(learner.games - first[0][0]) / elapsed:,.0f}/s" if elapsed > 0.0 else ""
            of = f" of {total:,}" if total else ""
            line = f"{learner.games:,}{of} games{rate}{_time_left(training)}\n{_latest(training)}".rstrip()
            if total is None:
                whole = 60.0 * training.config.minutes
                progress.update(task, total=whole, completed=whole - training.left, description=line)
            else:
                progress.update(task, completed=learner.games, description=line)
            return not interruption.requested

        return training.run(
            backend=options.backend or BACKENDS[0], workers=options.threads, address=options.address,
            wandb=options.wandb, tensorboard=options.tensorboard, on_progress=on_progress,
        )  # fmt: skip


def _time_left(training: TrainingRun) -> str:
    if not math.isfinite(training.left):
        return ""
    minutes, seconds = divmod(max(round(training.left), 0), 60)
    return f", {minutes}:{seconds:02d} left"


def _latest(training: TrainingRun) -> str:
    """Return the latest measurements in a line: single numbers, payoffs or win rates when seats change."""
    told = {name: starts["alternating"] for name, starts in training.row.get("wins", {}).items()}
    numbers = [f"{title.lower()} {value}" for title, value in _numbers_of(training)]
    in_points = _in_points(training)
    unit = f"{training.game.unit[0]} " if in_points else ""
    results = ", ".join(f"{_result(training, result, in_points)} {name}" for name, result in told.items())
    return "; ".join([*numbers, *([unit + results] if results else [])])


def _numbers_of(training: TrainingRun) -> Iterator[tuple[str, str]]:
    """The columns of the newest metrics that are single numbers, under their titles."""
    for name, value in training.row.items():
        if name != "games" and isinstance(value, int | float):
            shown = f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
            yield measure(name, training.config.measures).title, shown


def _in_points(training: TrainingRun) -> bool:
    """Whether the newest metrics have the payoff against everybody: all results are told as payoffs, or none."""
    return all("payoff" in told for starts in training.row.get("wins", {}).values() for told in starts.values())


def _result(training: TrainingRun, told: Mapping[str, Any], in_points: bool) -> str:
    if in_points:
        return f"{told['payoff']['value'] * training.game.unit[1]:+.2f}"
    return f"{100 * told['rate']:.1f} %"


def _cell(training: TrainingRun, told: Mapping[str, Any], in_points: bool) -> str:
    if in_points:
        value, low, high = (told["payoff"][name] for name in ("value", "low", "high"))
        known = low is not None  # as it comes from JSON, after too few games for an interval
        return points(Estimate(value, low if known else -math.inf, high if known else math.inf), training.game.unit[1])
    return f"{told['rate']:.3f} ({told['low']:.3f} to {told['high']:.3f})"


def _print(training: TrainingRun, learner: Learner) -> None:
    row, c = training.row, training.config
    told = f"[bold]{escape(c.game)}[/]: {learner.games:,} games of {c.algorithm}, seed {c.seed}"
    out.print(told, soft_wrap=True)
    if "wins" in row:
        in_points, players = _in_points(training), training.game.players
        what = training.game.unit[0] if in_points else "wins" if players == 2 else "win share"
        table = plain_table(f"{what} against", "agent first", "alternating start")
        for name, starts in row["wins"].items():
            table.add_row(escape(name), *(_cell(training, starts[start], in_points) for start in STARTS))
        out.print(table)
        when = "" if row["games"] == learner.games else f", measured after {row['games']:,} of them"
        equals = f" (equals have {100 / players:.1f} %)" if players > 2 and not in_points else ""
        out.print(f"[dim]{c.evaluate_games:,} games each, 95 % intervals{when}{equals}[/]")
    for title, value in _numbers_of(training):
        out.print(f"{escape(title.lower())} [bold]{value}[/]")
    out.print(f"[dim]checkpoint[/] {escape(str(training.last))}", soft_wrap=True)
    if len(read_metrics(training.folder)) > 1:
        out.print(f"[dim]figures   [/] parlor figures {escape(str(training.folder))}", soft_wrap=True)
    if _cut(training, learner):
        told = f"Stopped early; parlor train --resume {training.folder} continues the run."
        err.print(f"[yellow]{escape(told)}[/]", soft_wrap=True)
