"""Compute a strategy for a game and save it.

Examples:
  parlor solve leduc
  parlor solve leduc --algorithm dcfr --iterations 5000
  parlor solve 'kuhn(players=3)' --until 0.001 --out kuhn3.json
  parlor solve liars-dice --algorithm mccfr-external --threads 2 --iterations 100000 --seed 7
  parlor solve leduc --exact                                       by linear programming
  parlor solve kuhn --exact --rational                             in fractions, proved
  parlor solve sheriff --concept efce                              what a mediator could recommend
  parlor solve kuhn --algorithm logit --rationality 5              players who err
  parlor solve kuhn --recorded data/games.jsonl                    how much people err
  parlor solve leduc --algorithm mccfr-robust --keep 2 --baseline 0.1 --linear --iterations 100000
  parlor solve leduc --algorithm auto                              some variants race, the best one solves
  parlor solve leduc --lock policy.json --lock-players 1           player 1 plays so, the rest is solved
  parlor solve leduc --lock policy.json --lock-players 1 --lock-weight 0.8   a restricted Nash response
  parlor solve leduc --warm policy.json                            begin with a policy
  parlor solve my_game.py --figure curve.svg
  parlor solve leduc --iterations 100000 --out runs/leduc-solve    a run: stopped or killed,
  parlor solve --resume runs/leduc-solve                           it goes on
  parlor solve 'openspiel:sheriff(max_items=2)'

Ctrl-C stops early and keeps what has been computed.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Self

import tyro
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from parlor.cli.flags import File, Folder, JsonFlag, OptionalGame, SeedFlag, by_flag, settings_given, with_flags
from parlor.cli.screen import Interruption, compiler_notes, err, file_name, free_path, out, print_json
from parlor.game import Game, GameError
from parlor.game.loading import load
from parlor.game.parameters import declared
from parlor.runs.files.container import FIGURES, POLICIES, writable
from parlor.runs.files.strategy_files import save
from parlor.sequence_form.enumeration import LIMIT, TooLarge
from parlor.sequence_form.size import estimate_size
from parlor.solvers.exact.correlated import CONCEPTS
from parlor.solvers.policy_words import with_words
from parlor.solvers.solve import ALGORITHMS, AUTO, Solve, SolveReport
from parlor.solvers.solver import Evaluation
from parlor.solvers.tree_cfr.iteration import VARIANTS

LOCKED = (
    "a player gains at most so much, on average over the seats, by playing otherwise where it is not told how to play"
)
NOTEWORTHY = 3e6  # histories, of whose memory something is said
BYTES = 100  # of a history while a game is enumerated
SURE = 0.2  # a narrower interval around an estimate is not mentioned
LARGE = 100_000  # information sets: too many for a person to read, so they are saved compactly unless asked otherwise


@dataclass(frozen=True, kw_only=True)
class SolveCommand(SeedFlag, JsonFlag):
    """The command's flags besides the settings of the algorithms, which become flags too."""

    game: OptionalGame = None
    """The game: a name with options, a rules file, or openspiel:…"""
    algorithm: Annotated[
        str,
        tyro.conf.arg(help=f"The algorithm: {', '.join(ALGORITHMS)}; auto, which races; yours: my_file.py:NAME."),
    ] = "cfr+"
    exact: bool = False
    """Solve a zero-sum game of two players exactly, by a linear program: the algorithm exact."""
    concept: Annotated[str | None, tyro.conf.arg(metavar="|".join(CONCEPTS))] = None
    """Instead of a strategy for each player, what a mediator may recommend: the correlated equilibrium of this concept
    with the most --maximise."""
    maximise: Annotated[str, tyro.conf.arg(metavar="welfare|PLAYER")] = "welfare"
    """With --concept: the sum of all payoffs, or the payoff of the player of this number."""
    recorded: File = None
    """Fit the rationality of logit equilibria to the games in this .jsonl file, which `parlor study data` or `parlor
    export games` has written."""
    iterations: int | None = None
    """The number of iterations; 1000 if neither this nor --until is given."""
    until: float | None = None
    """Stop when the exploitability is at most this."""
    threads: int = 1
    """Threads; of sampling algorithms only those with one thread are exactly repeatable."""
    lock: File = None
    """Keep the policy in this file at all its information sets, and solve the rest of the game."""
    lock_weight: float = 1.0
    """With --lock: how likely its players are bound to it, as a coin decides before the game. Below 1 the others learn
    a restricted Nash response."""
    lock_players: Annotated[str, tyro.conf.arg(metavar="PLAYER,…")] = ""
    """With --lock: the players that keep the policy, by number; all that it knows if omitted."""
    warm: File = None
    """Begin with the policy in this file instead of uniform play."""
    out: File = None
    """The file for the policy, .json (readable) or .npz (compact), or the folder of a run that can be resumed; if
    omitted, a new file in runs/."""
    resume: Folder = None
    """Go on with the run in this folder; --iterations or --until may ask for more."""
    figure: File = None
    """Draw the exploitability curve into this .svg, .png or .pdf file."""


OWNERS = by_flag((name, one) for name, row in ALGORITHMS.items() for one in declared(row.settings))
Options = with_flags(SolveCommand, OWNERS)


def run(options: SolveCommand) -> int:
    """Solve, showing progress; save; print."""
    if options.concept or options.recorded:
        return _without_iterations(options)
    in_folder = options.resume is not None or (options.out is not None and not options.out.suffix)
    for path in filter(None, (options.out if not in_folder else None, options.figure)):  # complain before the work
        writable(path, POLICIES if path is options.out else FIGURES)
    if options.out is None and not in_folder:
        writable(Path("runs") / "policy.json", POLICIES)
    with compiler_notes():
        if in_folder:
            return _run_in_folder(options)
        work = _solve(options)
        with Interruption(work.solver.stop).caught() as interruption, _Bar(options.json) as bar:
            for _ in work.steps():
                bar.show(work)
                if interruption.requested:
                    break
            return _finish(work, options, interruption, None)


def _without_iterations(options: SolveCommand) -> int:
    """A correlated equilibrium, or a rationality fitted to recorded games."""
    from parlor.cli.exact_solutions import run_concept, run_fit

    plain = SolveCommand(game=options.game, out=options.out, json=options.json)
    own = {"concept", "maximise"} if options.concept else {"recorded"}
    others = {f.name for f in fields(options) if getattr(options, f.name) != getattr(plain, f.name, None)}
    if left := sorted(name for name in others - own if getattr(options, name) not in (None, False)):
        which = "--concept" if options.concept else "--recorded"
        raise GameError(f"{which} solves in its own way: omit --{left[0].replace('_', '-')}.")
    if options.game is None:
        raise GameError("Name a game: parlor solve GAME …")
    if options.out:
        writable(options.out, {".json": "JSON"} if options.concept else POLICIES)
    with compiler_notes():
        game = load(options.game)
        if options.concept:
            return run_concept(game, options.concept, options.maximise, options.out, options.json)
        assert options.recorded is not None
        return run_fit(game, options.recorded, options.out, options.json)


def _solve(options: SolveCommand) -> Solve:
    """The solve that the options ask for."""
    if options.game is None:
        raise GameError("Name a game or a run: parlor solve GAME …, or parlor solve --resume FOLDER.")
    if options.exact and options.algorithm not in ("cfr+", "exact"):
        raise GameError(f"--exact is an algorithm of its own: omit --algorithm {options.algorithm}.")
    algorithm = "exact" if options.exact else options.algorithm
    asked = algorithm, options.iterations, options.until, options.seed, options.threads
    game = load(options.game)
    if game.source:
        warn_of_rules(game)
    if algorithm in VARIANTS or algorithm == AUTO:
        say_memory(game)
    try:
        return Solve(game, *asked, settings_given(options, OWNERS), *_policies(options))
    except TooLarge as error:
        hint = f" Large games are learned by self-play: parlor train {shlex.quote(options.game)}"
        raise GameError(f"{error}{hint if game.native else ''}") from None


def say_memory(game: Game) -> None:
    """Say what enumerating a large game takes, before it is taken."""
    size = estimate_size(game, 0.3)
    if size.in_time and NOTEWORTHY <= size.histories <= LIMIT:
        near = size.high - size.low < SURE * size.histories
        known = "" if near else f" (or {size.low:.1e} to {size.high:.1e})"
        err.print(f"[dim]About {size.histories:.1e} histories{known}: enumerating them takes about "
                  f"{BYTES * size.histories / 1e9:.1f} GB.[/]", soft_wrap=True)  # fmt: skip


def _policy_files(options: SolveCommand) -> dict[str, Any]:
    """The entries of a configuration that are about given policies, with the full paths of their files."""
    try:
        players = tuple(int(one) for one in options.lock_players.replace(",", " ").split())
    except ValueError:
        raise GameError(f"--lock-players must be numbers such as 0,1, not {options.lock_players!r}.") from None
    files = {name: str(path.resolve()) for name in ("lock", "warm") if (path := getattr(options, name))}
    return files | {"lock_weight": options.lock_weight, "lock_players": players}


def _policies(options: SolveCommand) -> tuple[Any, ...]:
    """The lock and the policy to begin with."""
    asked = _policy_files(options)
    if asked == {"lock_weight": 1.0, "lock_players": ()}:
        return ()
    from parlor.runs.solving import SolveConfig, policies_of  # which imports all that a run may need

    return policies_of(SolveConfig(**asked))


def warn_of_rules(game: Game) -> None:
    """Say what is wrong with somebody's own rules, as far as a glance shows it: a solver takes them as they are."""
    from parlor.contract import glance  # which plays games

    if broken := glance(game):
        err.print(f"[yellow]The rules break the contract, so what is solved may not be the game:[/] "
                  f"{escape(broken[0].name)}: {escape(broken[0].sentence)} [dim]`parlor check` says more.[/]",
                  soft_wrap=True)  # fmt: skip


def _run_in_folder(options: SolveCommand) -> int:
    """Solve in a folder that can be resumed."""
    from parlor.runs.solving import SolveConfig, SolveRun  # which imports all that a run may need

    if options.resume:
        if options.game or options.out or settings_given(options, OWNERS) or _policies(options):
            raise GameError("A resumed run has its game, its folder and its settings already; only --iterations and "
                            "--until may be given anew.")  # fmt: skip
        more = {"iterations": options.iterations, "until": options.until}
        solving = SolveRun.resume(options.resume, **more)
    else:
        assert options.out is not None
        work = _solve(options)
        config = SolveConfig(
            work.game.name, work.algorithm, work.iterations or 0, work.until or 0.0, work.seed,
            **_policy_files(options), settings=work.settings,
        )  # fmt: skip
        assert options.out is not None
        solving = SolveRun.begin(options.out, config)
    for remark in solving.remarks:
        err.print(f"[yellow]{escape(remark)}[/]", soft_wrap=True)
    stop: list[Callable[[], None]] = []
    with Interruption(lambda: stop[0]() if stop else None).caught() as interruption, _Bar(options.json) as bar:

        def on_progress(run: SolveRun, work: Solve) -> bool:
            stop[:] = [work.solver.stop]
            bar.show(work)
            return not interruption.requested

        work = solving.run(workers=options.threads, on_progress=on_progress)
        return _finish(work, options, interruption, solving.last)


class _Bar:
    """A line with the iterations, their rate and the exploitability."""

    def __init__(self, quiet: bool) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(bar_width=16), TimeElapsedColumn())
        self.progress = Progress(*columns, console=err, disable=quiet or not err.is_terminal, transient=True)
        self.task = self.progress.add_task("preparing")

    def show(self, work: Solve) -> None:
        """Show how far it is."""
        rate = work.done / max(work.seconds, 1e-9)
        best = f", exploitability {work.curve[-1][1]:.3g}" if work.curve else ""
        total = f" of {work.iterations:,}" if work.iterations is not None else ""
        line = f"[bold]{work.title}[/] {work.done:,}{total}, {rate:,.0f} it/s{best}"
        self.progress.update(self.task, completed=work.done, total=work.iterations, description=line)

    def __enter__(self) -> Self:
        self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.stop()


def _finish(work: Solve, options: SolveCommand, interruption: Interruption, path: Path | None) -> int:
    """Save the policy, unless the run has done so, and print; Ctrl-C is heard until the file is there."""
    interrupted = interruption.requested and not work.finished
    if not work.done:
        raise GameError("Interrupted before the first iteration was complete; nothing was saved.")
    game, (policy, report) = work.game, work.solution()
    if path is None:
        large = len(policy) > LARGE
        path = options.out or free_path(
            Path("runs"), f"{file_name(game.name)}-{work.title.replace('.py:', '-')}", ".npz" if large else ".json"
        )
        if report.exploitability is not None and work.lock is None:  # else it is that of another game
            policy = policy.with_about(exploitability=report.exploitability)
        with err.status(f"saving {len(policy):,} information sets"):
            save(policy if large else with_words(game, policy), path)
    if options.figure and report.curve:
        from parlor.runs.figures import convergence  # which imports all learners

        convergence({work.title: report.curve}, game.name, options.figure)
    reached = work.until is None or (report.exploitability or 0.0) <= work.until
    if options.json:
        extra = {"policy": str(path), "interrupted": interrupted, "reached": reached}
        print_json(_for_machines(report) | extra)
    else:
        _print(work, report, options, path, interrupted, reached)
    return 130 if interrupted else 0


def _for_machines(report: SolveReport) -> dict[str, object]:
    measured = report.evaluation
    return {
        "game": report.game,
        "algorithm": report.algorithm,
        "iterations": report.iterations,
        "seconds": report.seconds,
        "infosets": report.infosets,
        "exploitability": measured.exploitability if measured else None,
        "nash_conv": measured.nash_conv if measured else None,
        "values": list(measured.values) if measured else None,
        "facts": dict(report.facts),
        "curve": [list(point) for point in report.curve],
    }


def meaning(game: Game, measured: Evaluation | None) -> str:
    """Explain the exploitability of the strategy in a sentence."""
    opposed = game.players == 2 and game.kind == "zero-sum"
    if measured is None:
        return "how good it is, only matches can tell: parlor compare, parlor evaluate"
    most = f"{max(measured.exploitability, 0.0):.2g}"
    if opposed:
        return f"whoever knows it wins at most {most} a game from it on average, over both seats; at 0 it is unbeatable"
    several = f"among {game.players} players" if game.players > 2 else "where payoffs do not sum to 0"
    return (
        f"if all others follow it, a player gains at most {most} a game by playing differently, on average over "
        f"the seats; {several} this does not say how it fares against those who do not follow it"
    )


def _print(
    work: Solve, report: SolveReport, options: SolveCommand, path: Path, interrupted: bool, reached: bool
) -> None:
    rate = report.iterations / max(report.seconds, 1e-9)
    measured = report.evaluation
    rows = {
        "game": report.game,
        "iterations": f"{report.iterations:,} of {report.algorithm} in {report.seconds:.2f} s ({rate:,.0f} a second)",
        "information sets": f"{report.infosets:,}",
    }
    if measured:
        rows["value"] = ", ".join(f"{v:+.6f}" for v in measured.values) + " (player 0, 1, …)"
        rows["NashConv"] = f"{measured.nash_conv:.3g}"
        rows["exploitability"] = f"[bold]{measured.exploitability:.3g}[/] a game and player"
    else:
        rows["exploitability"] = "not measured: the game is large; parlor evaluate tries to enumerate it"
    rows |= report.facts
    rows["meaning"] = meaning(work.game, measured) if work.lock is None or measured is None else LOCKED
    rows["policy"] = escape(str(path))
    if options.figure:
        rows["figure"] = escape(str(options.figure)) if report.curve else "not drawn: nothing was measured"
    for name, value in rows.items():
        out.print(f"[dim]{name:<17}[/] {value}", soft_wrap=True)
    if options.threads > 1 and work.row.samples:
        out.print(f"[dim]With {options.threads} threads on one table another run will differ a little.[/]")
    if interrupted:
        err.print("[yellow]Interrupted: the policy so far is saved and usable.[/]")
    elif not reached:
        err.print(f"[yellow]{report.iterations:,} iterations were not enough to reach {work.until}.[/]")
