"""Train an agent by self-play, in a folder of its own, and measure it as it learns.

Examples:
  parlor train monopoly-deal                                    our rules, the paper's learner
  parlor train monopoly-deal --preset paper                     the paper's rules and its table 1
  parlor train monopoly-deal --abstraction counts --resolver careful --games 20000 --evaluate-every 1000
  parlor train monopoly-deal --preset tiny --abstraction none --algorithm mccfr-external --parallel none
  parlor train monopoly-deal --workers 8 --backend ray --address 10.0.0.1:6379
  parlor train --resume runs/monopoly-deal-intent-rollout-cfr   continue a run that was stopped or killed
  parlor train leduc --games 5000 --wandb offline --tensorboard    a learner that suits the game is chosen
  parlor train holdem --bets fcpa --abstraction kmeans --buckets 500 --minutes 30
  parlor train holdem --preset hunl-200bb --bets half-pot --abstraction ehs --buckets 200 500 1000 --games 50000000
  parlor train holdem --preset dissertation --streets 2 --bets dissertation --abstraction suitless --games 10000000

The game comes first; its own options are flags too, and `parlor train GAME --help` lists them. Ctrl-C stops after the
current games and writes a checkpoint.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from parlor.arena.match import STARTS
from parlor.arena.statistics import Estimate
from parlor.commands.screen import Interruption, compiler_notes, err, file_name, free_path, out, print_json
from parlor.commands.seating import points
from parlor.game import Game, GameError
from parlor.games import GAMES, declared_options, load, parse
from parlor.options import Option
from parlor.runs.config import Config, usual
from parlor.runs.executors import BACKENDS
from parlor.runs.learners import LEARNERS, Learner, LearnerRow, choose_learner, learner_row
from parlor.runs.measures import measure
from parlor.runs.metrics import read_metrics
from parlor.runs.run import Run
from parlor.runs.trackers import MODES
from parlor.settings import Setting, declared
from parlor.solvers.tree import tree_if_small

Word = Annotated[str | None, tyro.conf.arg(metavar="NAME", help_behavior_hint="")]
Folder = Annotated[Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")]
Flag = Annotated[bool, tyro.conf.arg(help_behavior_hint="")]


@dataclass(frozen=True)
class Command:
    """The options besides the settings of runs and learners, which become flags too."""

    game: Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="GAME", help_behavior_hint="")] = None
    """The game to train for, as the first argument: a name, with options if you like, or a rules file."""
    bets: Word = None
    """For games with betting trees: the tree; if omitted, the one that the game declares."""
    resolver: Word = None
    """For abstractions with several resolvers: how their actions become moves; greedy by default."""
    workers: Annotated[int, tyro.conf.arg(aliases=["--threads"])] = field(default_factory=lambda: os.cpu_count() or 1)
    """Threads, or Ray processes; as many as there are cores by default."""
    backend: str = "threads"
    """threads, or ray."""
    address: Word = None
    """Join the Ray cluster at this address; if omitted, one is started on this machine."""
    wandb: Word = None
    """Also log to Weights & Biases: offline (no account needed) or online."""
    tensorboard: Flag = False
    """Also log for TensorBoard."""
    out: Folder = None
    """The folder of the run; if omitted, a new one in runs/."""
    resume: Folder = None
    """Continue the run in this folder; --games or --minutes may extend it."""
    json: Flag = False
    """Print the result as JSON."""


ABSTRACTION = "abstraction"  # a flag: the game's, or, with --bets, the learner's own
ENDS = ("games", "minutes")  # what may be larger when a run is resumed


# ------------------------------------------------------------------------------------------------- flags from settings


def flag_of(one: Setting) -> str:
    """The flag of a setting, as a Python name; a setting that is on by default has a flag that switches it off."""
    return one.flag or (f"no_{one.name}" if one.default is True else one.name)


def _settings() -> Iterator[tuple[str, Setting]]:
    """All settings, with the learner that has them; empty: every run."""
    for one in declared(Config):
        if one.name != "game":
            yield "", one
    for name, row in LEARNERS.items():
        for one in declared(row.settings):
            yield name, one


def _flags() -> list[tuple[str, Any, Any]]:
    """Fields for a dataclass of flags: one for each name, also where several learners have it."""
    found: dict[str, list[tuple[str, Setting]]] = {ABSTRACTION: []}
    for learner, one in _settings():
        found.setdefault(flag_of(one), []).append((learner, one))
    return [_field(flag, owners) for flag, owners in found.items()]


def _field(flag: str, owners: Sequence[tuple[str, Setting]]) -> tuple[str, Any, Any]:
    text = _help_of(owners)
    if flag == ABSTRACTION:
        text = (
            "What the agent knows and does: an abstraction of the game, or none; the game's usual one if it is large. "
            f"With --bets, {text[0].lower()}{text[1:]}"
        )
    kind = owners[0][1].type if owners else str
    names = {int: "N", float: "X", tuple: "N" if owners and owners[0][1].of is int else "AGENT", str: "NAME"}
    shown = tyro.conf.arg(metavar=names.get(kind), help=text, help_behavior_hint="")
    if kind is bool:
        return flag, Annotated[bool, tyro.conf.arg(help=text, help_behavior_hint="")], False
    types: dict[type, Any] = {int: int | None, float: float | None, tuple: tuple[str, ...] | None}
    return flag, Annotated[types.get(kind, str | None), shown], None


def _help_of(owners: Sequence[tuple[str, Setting]]) -> str:
    """What a setting is, what it may be, and its defaults, for each learner that has it."""
    one = owners[0][1]
    words = list(LEARNERS) if one.name == "algorithm" else [word for word in one.words if word]
    said = f"do not {one.help}" if one.default is True else one.help
    if words and not all(word in said for word in words):
        said += f": {', '.join(words)}"
    whose = [(f"of {learner} " if learner else "", each.default) for learner, each in owners]
    whose += [(f"of {name} ", row.usual[one.name]) for name, row in LEARNERS.items() if one.name in row.usual]
    defaults = [f"{of}{_shown(value)}" for of, value in whose if value not in ("", ())]
    if one.type is bool or not defaults:
        defaults = [of.strip() for of, _ in whose if of]
    text = ", ".join(defaults)
    return f"{said[0].upper()}{said[1:]}." + (f" {text[0].upper()}{text[1:]}." if text else "")


def _shown(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)


if TYPE_CHECKING:
    Options = Any
else:
    Options = dataclasses.make_dataclass("Options", _flags(), bases=(Command,), frozen=True)
    Options.__doc__ = "Options of `parlor train`."

HERE = {f.name for f in dataclasses.fields(Options)}
TAKE_NONE_OR_MORE = {f.name for f in dataclasses.fields(Options) if f.default is False} | {
    flag_of(one) for _, one in _settings() if one.type is tuple
}


def options_for(arguments: Sequence[str]) -> tuple[Any, list[str]]:
    """The options with those of the game, if one is named, and the arguments with the game as the first."""
    place = _place_of_game(arguments)
    if place is None:
        return Options, list(arguments)
    named, others = arguments[place], [*arguments[:place], *arguments[place + 1 :]]
    if named.startswith("openspiel:"):
        return Options, [named, *others]
    fields: list[Any] = []
    for name, option in declared_options(parse(named)[0]).items():
        if name not in HERE:
            shown = tyro.conf.arg(metavar="|".join(option.words) or "N", help=_help(option), help_behavior_hint="")
            kind = Annotated[str | None, shown]
            fields.append((name, kind, None))
    return dataclasses.make_dataclass("Options", fields, bases=(Options,), frozen=True), [named, *others]


def _place_of_game(arguments: Sequence[str]) -> int | None:
    """The index of the game: the first argument, or a known game that is not the value of a flag."""
    if arguments and not arguments[0].startswith("-"):
        return 0
    for place, (before, text) in enumerate(itertools.pairwise(arguments), 1):
        if re.split(r"[(/]", text)[0] in GAMES and not _takes_one(before):
            return place
    return None


def _takes_one(text: str) -> bool:
    """Whether an argument is a flag, perhaps one of the game's, that takes one value."""
    return text.startswith("--") and "=" not in text and text[2:].replace("-", "_") not in TAKE_NONE_OR_MORE


def _help(option: Option) -> str:
    shown = f"{option.low} to {option.high}" if not option.words else ""
    return f"Of the game: {option.help}. {option.write(option.default)} unless a preset says otherwise" + (
        f" ({shown})." if shown else "."
    )


def run(options: Options) -> int:
    """Train, showing progress; print the results."""
    for name, words in (("backend", BACKENDS), ("wandb", MODES)):
        if getattr(options, name) not in (None, *words):
            raise GameError(f"--{name} must be {' or '.join(words)}, not {getattr(options, name)!r}.")
    if options.workers < 1:
        raise GameError(f"--workers must be at least 1, not {options.workers}.")
    if options.address is not None and options.backend != "ray":
        raise GameError("--address is that of a Ray cluster: add --backend ray.")
    with compiler_notes(), Interruption(lambda: None).caught() as interruption:
        training, why = (_resumed(options), "") if options.resume else _begun(options)
        if training.finished:
            training.remarks.append("The run is finished; continue it with more --games or --minutes.")
        for remark in training.remarks:
            err.print(f"[yellow]{escape(remark)}[/]", soft_wrap=True)
        if not options.json:
            because = f" ({why})" if why else ""
            what = f"{training.config.game}, {training.config.algorithm}{because}, in {training.folder}"
            err.print(f"[dim]{escape(what)}[/]", soft_wrap=True)
            if training.plan:
                err.print(f"[dim]{escape(str(training.plan))}[/]", soft_wrap=True)
        learner = _work(training, options, interruption)
    if options.json:
        result = {"run": str(training.folder), "checkpoint": str(training.last), "seconds": training.seconds}
        print_json(result | {"games": learner.games, "metrics": training.row, "interrupted": _cut(training, learner)})
    else:
        _print(training, learner)
    return 130 if _cut(training, learner) else 0


def _cut(training: Run, learner: Learner) -> bool:
    return learner.games < training.config.goal and training.left > 0.0


def _requested(options: Options) -> dict[str, Any]:
    """The settings that were given, by flag."""
    flags = {flag_of(one): one for _, one in _settings() if flag_of(one) != ABSTRACTION}
    requested = {}
    for flag, one in flags.items():
        value = getattr(options, flag)
        if value is None or value is False:
            continue
        requested[flag] = (
            _numbers(flag, value) if one.of is int else one.default is not True if value is True else value
        )
    return requested


def _numbers(flag: str, texts: Sequence[str]) -> tuple[int, ...]:
    text = " ".join(texts)
    try:
        return tuple(int(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise GameError(f"--{_dashed(flag)} takes whole numbers, such as 200 or 200 500 1000, not {text!r}.") from None


def _dashed(flag: str) -> str:
    return flag.replace("_", "-")


def _begun(options: Options) -> tuple[Run, str]:
    """A new run, and why it has its learner, if none was named."""
    if options.game is None:
        raise GameError("Name a game or a run: parlor train GAME …, or parlor train --resume FOLDER.")
    game, requested = _game(options), _requested(options)
    every = {one.name for one in declared(Config)}
    algorithm, why = requested.pop("algorithm", ""), ""
    if not algorithm:
        names = {flag_of(one): one.name for _, one in _settings()}
        algorithm, why = choose_learner(game, [names[flag] for flag in requested if flag not in every])
    row = learner_row(algorithm)
    own = {flag_of(one): one.name for one in declared(row.settings)}
    if unread := [f"--{_dashed(flag)}" for flag in requested if flag not in every and flag not in own]:
        raise GameError(f"{algorithm} does not use {', '.join(unread)}.")
    values = {own.get(flag, flag): value for flag, value in requested.items()}
    if _learns_trees(row, game) and options.abstraction:
        values[own[ABSTRACTION]] = options.abstraction
    config = Config.of(game.name, algorithm, **usual(game, algorithm, values))
    label = getattr(config.settings, own[ABSTRACTION]) if ABSTRACTION in own else algorithm
    folder = options.out or free_path(Path("runs"), f"{file_name(game.name)}-{label}", "")
    return Run.begin(folder, config), "" if game.training.algorithm else why


def _learns_trees(row: LearnerRow, game: Game) -> bool:
    """Whether --bets names the abstraction of the game, and --abstraction is a setting of the learner."""
    there = any("public_history" in each for each in (game.concrete or game).abstractions.values())
    return there and any(one.flag == ABSTRACTION for one in declared(row.settings))


def _game(options: Options) -> Game:
    """The game with its options and its abstraction."""
    own = {f.name: getattr(options, f.name) for f in dataclasses.fields(options) if f.name not in HERE}
    base, written, named = parse(options.game) if not options.game.startswith("openspiel:") else (options.game, {}, "")
    chosen = {name: value for name, value in own.items() if value is not None}
    if twice := sorted(set(chosen) & set(written)):
        raise GameError(f"{twice[0]} is given twice: {written[twice[0]]} in {options.game!r}, and {chosen[twice[0]]}.")
    game = load(base, **{**written, **chosen})
    algorithm = options.algorithm or game.training.algorithm
    if algorithm in LEARNERS and _learns_trees(LEARNERS[algorithm], game):
        return _betting_tree(options, game, named)
    if options.bets:
        raise GameError(f"{game.name} has no betting trees, or its learner reads none: omit --bets.")
    if named and options.abstraction:
        raise GameError(f"The abstraction is named twice: {named} in {options.game!r}, and {options.abstraction}.")
    abstraction = named or options.abstraction or _usual(game)
    if abstraction == "none":
        if options.resolver:
            raise GameError("Without an abstraction there is nothing to resolve: omit --resolver.")
        return game
    if options.resolver:
        abstraction = _resolved(game, abstraction, options.resolver)
    return game.abstract(abstraction)


def _betting_tree(options: Options, game: Game, named: str) -> Game:
    """The abstraction with the betting tree."""
    known = [name for name, row in game.abstractions.items() if "public_history" in row]
    if named and options.bets:
        raise GameError(f"The betting tree is named twice: {named} in {options.game!r}, and {options.bets}.")
    tree = named or options.bets or game.training.abstraction or known[0]
    if tree not in known:
        raise GameError(f"{game.name} has no betting tree {tree!r}; it has: {', '.join(known)}.")
    return game.abstract(tree)


def _resolved(game: Game, abstraction: str, resolver: str) -> str:
    """The name of an abstraction with its resolver; the greedy one is not named."""
    known = sorted({name.partition("+")[2] for name in game.abstractions if "+" in name})
    if not known:
        raise GameError(f"{game.name} has no resolvers: omit --resolver.")
    if resolver not in ("greedy", *known):
        raise GameError(f"There is no resolver {resolver!r}; there are {', '.join(['greedy', *known])}.")
    plain, _, named = abstraction.partition("+")
    if named not in ("", resolver):
        raise GameError(f"The resolver is named twice: {named} in {abstraction}, and {resolver}.")
    return plain if resolver == "greedy" else f"{plain}+{resolver}"


def _usual(game: Game) -> str:
    """The abstraction that a game declares, or its first one, if it cannot be enumerated; small games need none."""
    if tree_if_small(game) is not None:
        return "none"
    return game.training.abstraction or next(iter(game.abstractions), "none")


def _resumed(options: Options) -> Run:
    if options.game or options.out or options.abstraction or options.resolver or options.bets:
        raise GameError("A resumed run has its game and its folder already: use only parlor train --resume FOLDER.")
    training = Run.resume(options.resume, options.games, options.minutes)
    begun = training.config.data()
    names = {flag_of(one): one.name for _, one in _settings()}
    for flag, value in _requested(options).items():
        name = names[flag]
        if name not in begun:
            raise GameError(f"{training.config.algorithm} does not use --{_dashed(flag)}.")
        if name not in ENDS and value != (tuple(begun[name]) if isinstance(begun[name], list) else begun[name]):
            raise GameError(f"The run was started with {name} {begun[name]}, not {value}: omit it, or start a new run.")
    return training


def _work(training: Run, options: Options, interruption: Interruption) -> Learner:
    columns = (TimeElapsedColumn(), BarColumn(bar_width=10), TextColumn("{task.description}"))
    total = training.config.games or None
    with Progress(*columns, console=err, disable=options.json or not err.is_terminal, transient=True) as progress:
        task = progress.add_task("preparing; compiling, if necessary", total=total)
        first: list[tuple[int, float]] = []

        def on_progress(training: Run, learner: Learner) -> bool:
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

        return training.train(
            backend=options.backend, workers=options.workers, address=options.address, wandb=options.wandb,
            tensorboard=options.tensorboard, on_progress=on_progress,
        )  # fmt: skip


def _time_left(training: Run) -> str:
    if not math.isfinite(training.left):
        return ""
    minutes, seconds = divmod(max(round(training.left), 0), 60)
    return f", {minutes}:{seconds:02d} left"


def _latest(training: Run) -> str:
    """What was measured last, in a line: single numbers, payoffs or win rates with alternating seats."""
    wins = {name: starts["alternating"] for name, starts in training.row.get("wins", {}).items()}
    numbers = [f"{title.lower()} {value}" for title, value in _numbers_of(training)]
    unit = f"{training.game.unit[0]} " if any("payoff" in result for result in wins.values()) else ""
    results = ", ".join(f"{_result(training, result)} {name}" for name, result in wins.items())
    return "; ".join([*numbers, *([unit + results] if results else [])])


def _numbers_of(training: Run) -> Iterator[tuple[str, str]]:
    """The columns of the latest metrics that are single numbers, with their titles."""
    for name, value in training.row.items():
        if name != "games" and isinstance(value, int | float):
            shown = f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
            yield measure(name, training.config.learner.measures).title, shown


def _result(training: Run, won: Mapping[str, Any]) -> str:
    if "payoff" in won:
        return f"{won['payoff']['value'] * training.game.unit[1]:+.2f}"
    return f"{100 * won['rate']:.1f} %"


def _cell(training: Run, won: Mapping[str, Any]) -> str:
    if "payoff" in won:
        value, low, high = (won["payoff"][name] for name in ("value", "low", "high"))
        known = low is not None  # null in JSON after too few games for an interval
        return points(Estimate(value, low if known else -math.inf, high if known else math.inf), training.game.unit[1])
    return f"{won['rate']:.3f} ({won['low']:.3f} to {won['high']:.3f})"


def _print(training: Run, learner: Learner) -> None:
    row, c = training.row, training.config
    title = f"[bold]{escape(c.game)}[/]: {learner.games:,} games of {c.algorithm}, seed {c.seed}"
    out.print(title, soft_wrap=True)
    if "wins" in row:
        table = Table(box=None, header_style="bold", pad_edge=False)
        in_points = any("payoff" in starts["alternating"] for starts in row["wins"].values())
        what = training.game.unit[0] if in_points else "wins"
        for column in (f"{what} against", "agent first", "alternating start"):
            table.add_column(column, justify="left" if "against" in column else "right", no_wrap=True)
        for name, starts in row["wins"].items():
            table.add_row(escape(name), *(_cell(training, starts[start]) for start in STARTS))
        out.print(table)
        when = "" if row["games"] == learner.games else f", measured after {row['games']:,} of them"
        out.print(f"[dim]{c.evaluate_games:,} games each, 95 % intervals{when}[/]")
    for title, value in _numbers_of(training):
        out.print(f"{escape(title.lower())} [bold]{value}[/]")
    out.print(f"[dim]checkpoint[/] {escape(str(training.last))}", soft_wrap=True)
    if len(read_metrics(training.folder)) > 1:
        out.print(f"[dim]figures   [/] parlor figures {escape(str(training.folder))}", soft_wrap=True)
    if _cut(training, learner):
        hint = f"Stopped early; parlor train --resume {training.folder} continues the run."
        err.print(f"[yellow]{escape(hint)}[/]", soft_wrap=True)
