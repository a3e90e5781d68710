"""Train an agent by self-play, in a folder of its own, and measure it as it learns.

Examples:
  parlor train monopoly-deal                                    our rules, the paper's learner
  parlor train monopoly-deal --preset paper                     the paper's rules and its table 1
  parlor train monopoly-deal --abstraction counts --resolver careful --games 20000 --evaluate-every 1000
  parlor train monopoly-deal --preset tiny --abstraction none --algorithm mccfr-external --parallel none
  parlor train monopoly-deal --workers 8 --backend ray --address 10.0.0.1:6379
  parlor train --resume runs/monopoly-deal-intent-rollout-cfr   go on with a run that was stopped or killed
  parlor train leduc --games 5000 --wandb offline --tensorboard
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
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

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
from parlor.runs.config import ALGORITHMS, PARALLEL, PRESETS, PUBLIC, Config
from parlor.runs.executors import BACKENDS
from parlor.runs.learners import Learner
from parlor.runs.metrics import read_metrics
from parlor.runs.run import Run
from parlor.runs.trackers import MODES
from parlor.solvers.tree import tree_if_small

Number = Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")]
Share = Annotated[float | None, tyro.conf.arg(metavar="X", help_behavior_hint="")]
Word = Annotated[str | None, tyro.conf.arg(metavar="NAME", help_behavior_hint="")]
Folder = Annotated[Path | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="")]
Flag = Annotated[bool, tyro.conf.arg(help_behavior_hint="")]


@dataclass(frozen=True)
class Options:
    """Options of `parlor train`. Those of the run itself are None unless given."""

    game: Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="GAME", help_behavior_hint="")] = None
    """The game to train for, before everything else: a name, with options if you like, or a rules file."""
    abstraction: Word = None
    """What the agent knows and does: an abstraction of the game, or none; the game's usual one if it is large.
    Of hold'em, how it sees its cards: ehs, ehs2, kmeans (the usual one), ochs or suitless."""
    bets: Word = None
    """Of hold'em: the betting tree, fcpa for instance, which is the usual one."""
    buckets: Annotated[tuple[str, ...] | None, tyro.conf.arg(metavar="N", help_behavior_hint="")] = None
    """Of hold'em: how many kinds of hands it tells apart on the flop, turn and river, one number or three. 200."""
    resolver: Word = None
    """How an intent becomes a card: greedy, as in the paper, or careful."""
    algorithm: Word = None
    """rollout-cfr (the default), mccfr-external or mccfr-outcome; hold'em is learned by mccfr-public."""
    games: Number = None
    """Self-play games; iterations of MCCFR. 1000."""
    seed: Number = None
    """Names all random streams of the run. 1."""
    rollouts: Number = None
    """Rollouts for each action of each decision. 20."""
    ring: Number = None
    """How many recent policies make the average. 10."""
    explore: Share = None
    """How often a training move is random. 0.1; of mccfr-outcome 0.6."""
    decay: Share = None
    """Of regrets, before new ones are added; the paper's code does this, its text does not (1). 0.99."""
    horizon: Number = None
    """Moves after which a rollout counts as a draw. 250."""
    no_clamp: Flag = False
    """Leave the regrets of passing and of pointless actions alone."""
    parallel: Word = None
    """batch-ordered (the default: the same result whatever the number of workers), unordered (fastest) or none."""
    batch: Number = None
    """Games that start from the same table, when batch-ordered. 10."""
    evaluate_every: Number = None
    """Games between evaluations; 0 for none. 50."""
    evaluate_games: Number = None
    """Games of an evaluation, for each opponent and start. 1000."""
    against: Annotated[tuple[str, ...] | None, tyro.conf.arg(metavar="AGENT", help_behavior_hint="")] = None
    """Whom to be measured against; if not given, those that say most about the game, or random."""
    checkpoint_every: Number = None
    """Games between checkpoints; 0 for the end only. 250."""
    minutes: Annotated[float | None, tyro.conf.arg(metavar="X", help_behavior_hint="")] = None
    """How long to train, if not for a number of games. Of hold'em 10."""
    checkpoint_minutes: Annotated[float | None, tyro.conf.arg(metavar="X", help_behavior_hint="")] = None
    """Minutes between checkpoints, each with an evaluation; 0 for none by the clock. Of hold'em 5."""
    prune: Share = None
    """Of mccfr-public: leave out moves that are hopeless by so many of the largest pots; 0 for none."""
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


CONFIGURED = tuple(f.name for f in dataclasses.fields(Config) if f.name not in ("game", "clamp", "cards", "buckets"))
LEARNER = ("rollouts", "ring", "explore", "decay", "horizon", "clamp", "batch", "prune")
READ = {  # of these
    "rollout-cfr": LEARNER[:-1], "mccfr-external": (), "mccfr-outcome": ("explore",), PUBLIC: ("prune",),
}  # fmt: skip
#: What is usual when mccfr-public learns, which makes millions of games a minute.
USUAL_PUBLIC = {
    "algorithm": PUBLIC, "parallel": "unordered", "games": 0, "minutes": 10.0, "evaluate_every": 0,
    "evaluate_games": 50_000, "checkpoint_every": 0, "checkpoint_minutes": 5.0,
}  # fmt: skip
USUAL_BETS, USUAL_CARDS, USUAL_BUCKETS = "fcpa", "kmeans", ("200",)
HERE = {f.name for f in dataclasses.fields(Options)}
TAKE_NONE_OR_MORE = {f.name for f in dataclasses.fields(Options) if f.default is False} | {"against", "buckets"}


def options_for(arguments: Sequence[str]) -> tuple[type[Options], list[str]]:
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
            shown = tyro.conf.arg(metavar="|".join(option.words) or "N", help=_help(option), help_behavior_hint="")
            kind = Annotated[str | None, shown]
            fields.append((name, kind, None))
    return dataclasses.make_dataclass("Options", fields, bases=(Options,), frozen=True), [named, *others]


def _place_of_game(arguments: Sequence[str]) -> int | None:
    """Where the game is: at the beginning, or where one of ours is named that is not the value of a flag."""
    if arguments and not arguments[0].startswith("-"):
        return 0
    for place, (before, text) in enumerate(itertools.pairwise(arguments), 1):
        if re.split(r"[(/]", text)[0] in GAMES and not _takes_one(before):
            return place
    return None


def _takes_one(text: str) -> bool:
    """Whether an argument is a flag, perhaps one of the game's, whose value is the next argument and no more."""
    return text.startswith("--") and "=" not in text and text[2:].replace("-", "_") not in TAKE_NONE_OR_MORE


def _help(option: Option) -> str:
    shown = f"{option.low} to {option.high}" if not option.words else ""
    return f"Of the game: {option.help}. {option.write(option.default)} unless a preset says otherwise" + (
        f" ({shown})." if shown else "."
    )


def run(options: Options) -> int:
    """Train, showing progress; print how good it is."""
    for name, words in (("backend", BACKENDS), ("wandb", MODES)):
        if getattr(options, name) not in (None, *words):
            raise GameError(f"--{name} must be {' or '.join(words)}, not {getattr(options, name)!r}.")
    if options.workers < 1:
        raise GameError(f"--workers must be at least 1, not {options.workers}.")
    if options.address is not None and options.backend != "ray":
        raise GameError("An address is that of a Ray cluster: it needs --backend ray.")
    with compiler_notes(), Interruption(lambda: None).heard() as interruption:
        training = _resumed(options) if options.resume else _begun(options)
        if training.finished:
            training.remarks.append("The run is finished; --games or --minutes asks for more of it.")
        for remark in training.remarks:
            err.print(f"[yellow]{escape(remark)}[/]", soft_wrap=True)
        if not options.json:
            what = f"{training.config.game}, {training.config.algorithm}, in {training.folder}"
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


def _cut(training: Run, learner: Learner) -> bool:
    return learner.games < training.config.goal and training.left > 0.0


def _given(options: Options) -> dict[str, Any]:
    """What of the configuration was asked for."""
    given = {name: getattr(options, name) for name in CONFIGURED if getattr(options, name) is not None}
    return given | ({"clamp": False} if options.no_clamp else {})


def _flag(name: str) -> str:
    return "no-clamp" if name == "clamp" else name.replace("_", "-")


def _begun(options: Options) -> Run:
    if options.game is None:
        raise GameError("Which game? parlor train GAME …, or parlor train --resume FOLDER.")
    game = _game(options)
    asked = _given(options)
    if game.public_history is not None and "algorithm" not in asked:
        return _begun_public(options, game, asked)
    if options.bets or options.buckets:
        raise GameError(f"{game.name} has no betting trees: leave --bets and --buckets away.")
    algorithm = asked.get("algorithm", ALGORITHMS[0])
    if unread := [f"--{_flag(name)}" for name in asked if name in LEARNER and name not in READ.get(algorithm, LEARNER)]:
        raise GameError(f"{algorithm} has no use for {', '.join(unread)}.")
    usual_here = {"parallel": PARALLEL[0], "explore": 0.6} if algorithm != ALGORITHMS[0] else {}
    if "minutes" in asked and "games" not in asked:
        usual_here["games"] = 0
    given = {**PRESETS.get(game.options.get("preset", ""), {}), **usual_here, **asked}
    config = Config(game.name, **given)
    stem = f"{file_name(game.name)}-{config.algorithm}"
    return Run.begin(options.out or free_path(Path("runs"), stem, ""), config)


def _begun_public(options: Options, game: Game, asked: dict[str, Any]) -> Run:
    """A run that learns a betting tree of hold'em."""
    if unread := [f"--{_flag(name)}" for name in asked if name in LEARNER and name not in READ[PUBLIC]]:
        raise GameError(f"{PUBLIC} has no use for {', '.join(unread)}.")
    cards = options.abstraction or USUAL_CARDS
    text = " ".join(options.buckets or (() if cards == "suitless" else USUAL_BUCKETS))
    try:
        buckets = tuple(int(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise GameError(f"--buckets is one number or three, such as 200 or 200 500 1000, not {text!r}.") from None
    given = {**USUAL_PUBLIC, **({"minutes": 0.0} if "games" in asked else {}), **asked}
    config = Config(game.name, cards=cards, buckets=buckets, **given)
    stem = f"{file_name(game.name)}-{cards}"
    return Run.begin(options.out or free_path(Path("runs"), stem, ""), config)


def _game(options: Options) -> Game:
    """The game with its options and its abstraction."""
    assert options.game is not None
    own = {f.name: getattr(options, f.name) for f in dataclasses.fields(options) if f.name not in HERE}
    base, written, named = parse(options.game) if not options.game.startswith("openspiel:") else (options.game, {}, "")
    chosen = {name: value for name, value in own.items() if value is not None}
    if twice := sorted(set(chosen) & set(written)):
        raise GameError(f"{twice[0]} is given twice: {written[twice[0]]} in {options.game!r}, and {chosen[twice[0]]}.")
    game = load(base, **{**written, **chosen})
    if any("public_history" in row for row in game.abstractions.values()) and options.algorithm in (None, PUBLIC):
        if named and options.bets:
            raise GameError(f"The betting tree is named twice: {named} in {options.game!r}, and {options.bets}.")
        if options.bets and options.bets not in game.abstractions:
            known = ", ".join(game.abstractions)
            raise GameError(f"{game.name} has no betting tree {options.bets!r}; it has: {known}.")
        return game.abstract(named or options.bets or USUAL_BETS)
    if named and options.abstraction:
        raise GameError(f"The abstraction is named twice: {named} in {options.game!r}, and {options.abstraction}.")
    abstraction = named or options.abstraction or _usual(game)
    if abstraction == "none":
        if options.resolver:
            raise GameError("Without an abstraction there is nothing to resolve: leave --resolver away.")
        return game
    if options.resolver:
        abstraction = _resolved(game, abstraction, options.resolver)
    return game.abstract(abstraction)


def _resolved(game: Game, abstraction: str, resolver: str) -> str:
    """The name of an abstraction together with how its intents become moves; the usual way has no name in it."""
    known = sorted({name.partition("+")[2] for name in game.abstractions if "+" in name})
    if not known:
        raise GameError(f"{game.name} has no resolvers: leave --resolver away.")
    if resolver not in ("greedy", *known):
        raise GameError(f"There is no resolver {resolver!r}; there are {', '.join(['greedy', *known])}.")
    plain, _, named = abstraction.partition("+")
    if named not in ("", resolver):
        raise GameError(f"The resolver is named twice: {named} in {abstraction}, and {resolver}.")
    return plain if resolver == "greedy" else f"{plain}+{resolver}"


def _usual(game: Game) -> str:
    """The first abstraction of a game that cannot be enumerated; small ones need none."""
    return next(iter(game.abstractions), "none") if tree_if_small(game) is None else "none"


def _resumed(options: Options) -> Run:
    assert options.resume is not None
    if options.game or options.out or options.abstraction or options.resolver or options.bets or options.buckets:
        raise GameError("A run that is resumed knows its game and its folder: parlor train --resume FOLDER.")
    training = Run.resume(options.resume, options.games, options.minutes)
    for name, value in _given(options).items():
        begun = getattr(training.config, name)
        if name not in ("games", "minutes") and value != begun:
            raise GameError(f"The run was begun with {name} {begun}, not {value}: a run goes on as it began.")
    return training


def _work(training: Run, options: Options, interruption: Interruption) -> Learner:
    columns = (TimeElapsedColumn(), BarColumn(bar_width=10), TextColumn("{task.description}"))
    total = training.config.games or None
    with Progress(*columns, console=err, disable=options.json or not err.is_terminal, transient=True) as progress:
        task = progress.add_task("getting ready: compiling, if that has not been done before", total=total)
        first: list[tuple[int, float]] = []

        def on_progress(training: Run, learner: Learner) -> bool:
            first.append((learner.games, training.seconds)) if not first else None
            elapsed = training.seconds - first[0][1]
            rate = f" {(learner.games - first[0][0]) / elapsed:,.0f}/s" if elapsed > 0.0 else ""
            of = f" of {total:,}" if total else ""
            public_history = f"{learner.games:,}{of} games{rate}{_time_left(training)}\n{_latest(training)}".rstrip()
            if total is None:
                whole = 60.0 * training.config.minutes
                progress.update(task, total=whole, completed=whole - training.left, description=public_history)
            else:
                progress.update(task, completed=learner.games, description=public_history)
            return not interruption.asked

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
    """What was measured last, in a line: how much of the table has been met, payoffs or win rates when seats change."""
    told = {name: starts["alternating"] for name, starts in training.row.get("wins", {}).items()}
    met = [f"{training.row['touched']:,} infosets met"] if "touched" in training.row else []
    unit = f"{training.game.unit[0]} " if any("payoff" in result for result in told.values()) else ""
    results = ", ".join(f"{_result(training, result)} {name}" for name, result in told.items())
    return "; ".join([*met, *([unit + results] if results else [])])


def _result(training: Run, told: Mapping[str, Any]) -> str:
    if "payoff" in told:
        return f"{told['payoff']['value'] * training.game.unit[1]:+.2f}"
    return f"{100 * told['rate']:.1f} %"


def _cell(training: Run, told: Mapping[str, Any]) -> str:
    if "payoff" in told:
        value, low, high = (told["payoff"][name] for name in ("value", "low", "high"))
        known = low is not None  # as it comes from JSON, after too few games for an interval
        return points(Estimate(value, low if known else -math.inf, high if known else math.inf), training.game.unit[1])
    return f"{told['rate']:.3f} ({told['low']:.3f} to {told['high']:.3f})"


def _print(training: Run, learner: Learner) -> None:
    row, c = training.row, training.config
    told = f"[bold]{escape(c.game)}[/]: {learner.games:,} games of {c.algorithm}, seed {c.seed}"
    out.print(told, soft_wrap=True)
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
    if "touched" in row:
        [whole] = row["infosets"]
        out.print(f"{row['touched']:,} of {whole:,} information sets met")
    if "exploitability" in row:
        out.print(f"exploitability [bold]{row['exploitability']:.6g}[/]")
    out.print(f"[dim]checkpoint[/] {escape(str(training.last))}", soft_wrap=True)
    if len(read_metrics(training.folder)) > 1:
        out.print(f"[dim]figures   [/] parlor figures {escape(str(training.folder))}", soft_wrap=True)
    if _cut(training, learner):
        told = f"Stopped early; parlor train --resume {training.folder} goes on."
        err.print(f"[yellow]{escape(told)}[/]", soft_wrap=True)
