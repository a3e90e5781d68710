"""Analyse the data of a study: mixed models, tables, figures and a report.

FOLDER is what `parlor study data` has written. Written are report.html, to open in a browser, report.md, numbers.json
and the figures. The exclusions are those of the study file; others can be named.

Examples:
  parlor study analyse data
  parlor study analyse data --out report --resamples 2000 --seed 7
  parlor study analyse data --exclude timed-out
  parlor study analyse data --cross-table runs/agents.json    beside what the agents get among themselves

A cross table is a file of `parlor empirical-game GAME AGENT … --symmetric --out FILE` with the agents of the study.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from parlor.cli.flags import File, Folder, JsonFlag, SeedFlag, ThreadsFlag
from parlor.cli.screen import err, out, plain_table, print_json
from parlor.runs.workers import start_pool
from parlor.study.analysis.cross import read_cross_table
from parlor.study.analysis.findings import RETURNS, StudyFindings, analyse
from parlor.study.analysis.folder import read_folder
from parlor.study.analysis.report import numbers, percent, shown, write_report
from parlor.study.design.exclusions import EXCLUSIONS

__doc__ += "\nExclusions, --exclude NAME …:\n"
__doc__ += "\n".join(f"  {name:16}  {row.sentence}" for name, row in EXCLUSIONS.items()) + "\n"


@dataclass(frozen=True, kw_only=True)
class Options(SeedFlag, ThreadsFlag, JsonFlag):
    """Options of `parlor study analyse`."""

    folder: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FOLDER")]
    """The data of the study."""
    out: Folder = None
    """The folder for the report; if omitted, FOLDER/report."""
    resamples: int = 500
    """Resamples of the participants, for the intervals."""
    exclude: Annotated[tuple[str, ...] | None, tyro.conf.arg(metavar="NAME …")] = None
    """What to leave out, instead of what the study file says; see below."""
    cross_table: File = None
    """A cross table of the agents, to compare with."""


def run(options: Options) -> int:
    """Analyse, write the report and print the main table."""
    data = read_folder(options.folder)
    exclude = data.exclude if options.exclude is None else options.exclude
    cross = read_cross_table(options.cross_table, data.agents) if options.cross_table else None
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=16), TimeRemainingColumn())
    backend = "threads" if options.threads == 1 else "processes"
    with (
        start_pool(backend, options.threads) as pool,
        Progress(*columns, console=err, disable=options.json or not err.is_terminal, transient=True) as progress,
    ):
        task = progress.add_task("", total=options.resamples)

        def on_progress(condition: str, done: int, total: int) -> None:
            line = f"[bold]{escape(condition)}[/] {done:,} of {total:,} resamples"
            progress.update(task, completed=done, total=total, description=line)

        findings = analyse(data, pool, options.resamples, options.seed, exclude, on_progress)
    written = write_report(options.out or options.folder / "report", data.kept(exclude)[0], findings, cross)
    if options.json:
        print_json(numbers(findings, cross))
    else:
        _print(findings)
        out.print(f"[dim]written[/] {escape(str(written[0].parent / 'report.html'))}", soft_wrap=True)
    return 0


def _print(findings: StudyFindings) -> None:

    for step in findings.excluded:
        out.print(f"[dim]left out[/] {step.games:,} games: {escape(step.sentence)}")
    for found in findings.with_agents:
        about = f"{found.participants} participants, {sum(found.games):,} games, deals {percent(found.all_deals)}"
        out.print(f"\n[bold]{escape(found.condition)}[/], {about}; points a game:")
        table = plain_table("agent", *RETURNS, "Nash score")
        for i, name in enumerate(found.agents):
            cells = [shown(found.means[which][i]) for which in RETURNS]
            table.add_row(escape(name), *cells, f"{found.nash[i].value:.2f}")
        out.print(table)
    for one in findings.with_people:
        out.print(f"\n[bold]{escape(one.condition)}[/], {one.participants} participants, {one.games:,} games")
        out.print(f"return {shown(one.mean)}, deals {percent(one.deals)}")
    for name in findings.empty:
        out.print(f"[yellow]No games are left of {escape(name)}.[/]")
