"""Compute a strategy for a game and save it.

Examples:
  parlor solve leduc
  parlor solve leduc --algorithm dcfr --iterations 5000
  parlor solve 'kuhn(players=3)' --until 0.001 --out kuhn3.json
  parlor solve liars-dice --algorithm mccfr-external --threads 2 --iterations 100000 --seed 7
  parlor solve my_game.py --figure curve.svg
  parlor solve 'openspiel:sheriff(max_items=2)'

Ctrl-C stops early and keeps what has been computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from parlor.commands.screen import Interruption, compiler_notes, err, file_name, free_path, out, print_json
from parlor.game import GameError
from parlor.games import load
from parlor.runs.checkpoint import kind, save
from parlor.runs.figures import convergence
from parlor.solvers.solve import ALGORITHMS, Report, Solve
from parlor.solvers.words import with_words


@dataclass(frozen=True)
class Options:
    """Options of `parlor solve`."""

    game: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="GAME")]
    """The game: a name with options, a rules file, or openspiel:…"""
    algorithm: str = "cfr+"
    """cfr, cfr+, linear-cfr, dcfr, pcfr+, cfr-simultaneous, cfr+-simultaneous; mccfr-external, mccfr-outcome."""
    iterations: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """How many iterations; 1,000 if neither this nor --until is given."""
    until: Annotated[float | None, tyro.conf.arg(metavar="X")] = None
    """Go on until the exploitability is at most this."""
    seed: int = 0
    """Names the random stream of the sampling algorithms."""
    threads: int = 1
    """For the sampling algorithms; results are exactly repeatable with one."""
    linear: bool = False
    """For the sampling algorithms: later iterations weigh more."""
    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Where to save the policy, .json (readable) or .npz (compact); a new file in runs/ if not given."""
    figure: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Draw the exploitability curve to this .svg, .png or .pdf."""
    json: bool = False
    """Print the result as JSON for machines."""


def run(options: Options) -> int:
    """Solve, showing progress; save; print."""
    if options.algorithm not in ALGORITHMS:
        raise GameError(f"There is no algorithm {options.algorithm!r}; there are {', '.join(ALGORITHMS)}.")
    if options.out is not None:
        kind(options.out)  # better to complain before the work than after
    with compiler_notes():
        game = load(options.game)
        work = Solve(
            game, options.algorithm, options.iterations, options.until, options.seed, options.threads, options.linear
        )
        interrupted = _work(work, quiet=options.json)
        if not work.done:
            raise GameError("Interrupted before the first iteration; there is nothing to save.")
        policy, report = work.solution()
    path = options.out or free_path(Path("runs"), f"{file_name(game.name)}-{options.algorithm}", ".json")
    save(with_words(game, policy), path)
    if options.figure:
        convergence({options.algorithm: report.curve}, game.name, options.figure)
    if options.json:
        print_json(_for_machines(report) | {"policy": str(path), "interrupted": interrupted})
    else:
        _print(report, path, options.figure, interrupted)
    return 130 if interrupted else 0


def _work(work: Solve, quiet: bool) -> bool:
    """Run to the end or to Ctrl-C; True for the latter."""
    columns = (
        TextColumn("[bold]{task.description}"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[exploitability]}"),
        TimeElapsedColumn(),
    )
    with Interruption().heard() as interruption, Progress(*columns, console=err, disable=quiet) as progress:
        name = f"{work.game.name} · {work.algorithm}"
        task = progress.add_task(name, total=work.iterations, rate="", exploitability="")
        for _ in work.steps():
            progress.update(
                task,
                completed=work.done,
                rate=f"{work.done / max(work.seconds, 1e-9):,.0f} it/s",
                exploitability=f"exploitability {work.curve[-1][1]:.6f}" if work.curve else "",
            )
            if interruption.asked:
                break
        return interruption.asked and not work.finished


def _for_machines(report: Report) -> dict[str, object]:
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
        "curve": [list(point) for point in report.curve],
    }


def _print(report: Report, path: Path, figure: Path | None, interrupted: bool) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    rate = report.iterations / max(report.seconds, 1e-9)
    table.add_row("iterations", f"{report.iterations:,} in {report.seconds:.2f} s ({rate:,.0f} a second)")
    table.add_row("information sets", f"{report.infosets:,}")
    if report.evaluation:
        values = ", ".join(f"{v:+.6f}" for v in report.evaluation.values)
        table.add_row("value", f"{values} (player 0, 1, …)")
        table.add_row("NashConv", f"{report.evaluation.nash_conv:.3g}")
        table.add_row("exploitability", f"[bold]{report.evaluation.exploitability:.3g}[/] a game and player")
    else:
        table.add_row("exploitability", "not measured: the game is too large to enumerate")
    table.add_row("policy", str(path))
    if figure:
        table.add_row("figure", str(figure))
    if interrupted:
        err.print("[yellow]Interrupted: the policy so far is saved and usable.[/]")
    out.print(table)
