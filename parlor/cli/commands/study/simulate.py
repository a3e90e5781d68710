"""Rehearse a study with bots: the real server, and people by models with known parameters.

The server is started with a database of its own. Bots come one after the other, read, answer, play, dawdle, reload,
lose their connection and leave, as people do; time passes faster by --speed. Then it is checked that nothing was
lost, the data are written and analysed as those of people would be, and the means that were found are shown beside
those that were planted.

Examples:
  parlor study simulate study.toml --participants 30
  parlor study simulate study.toml --participants 346 --out rehearsal
  parlor study simulate study.toml --participants 12 --speed 1      in real time
  parlor study simulate study.toml --participants 30 --kills 5      the server is killed five times meanwhile

In a game without a model of people bots move at random. Ctrl-C stops the bots and the server.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

import tyro
from rich.markup import escape

from parlor.cli.flags import Folder, SeedFlag, StudyArgument
from parlor.cli.screen import compiler_notes, err, out, plain_table
from parlor.game import GameError
from parlor.game.loading import load
from parlor.study.design.files import read_study
from parlor.study.rehearsal import checking
from parlor.study.rehearsal.checking import RehearsalFindings
from parlor.study.rehearsal.rehearsal import Rehearsal, RehearsalPlan, RehearsalReport, signer
from parlor.study.rehearsal.server_process import ServerProcess
from parlor.study.rehearsal.truth import Compared, compare, planted_means
from parlor.study.rehearsal.walker import Visit

MAX_SENTENCES = 20  # sentences that are printed


@dataclass(frozen=True, kw_only=True)
class Options(SeedFlag):
    """Options of `parlor study simulate`."""

    file: StudyArgument
    """The study file."""
    participants: int = 30
    """Bots who pass the test; those who fail it, decline or leave before come on top."""
    speed: float = 10.0
    """How many times faster than real time passes."""
    gap: Annotated[float, tyro.conf.arg(metavar="SECONDS")] = 8.0
    """Seconds of study time between two bots who come, on average."""
    kills: int = 0
    """How often the server is killed and started again, while games are played."""
    browsers: int = 0
    """How many bots, besides, use a real browser (needs playwright)."""
    out: Folder = None
    """Where everything is written: a new folder; if omitted, NAME-rehearsal beside the study file."""
    database_url: Annotated[str | None, tyro.conf.arg(metavar="URL")] = None
    """An empty database; if omitted, a file of SQLite in the folder."""
    resamples: int = 500
    """Of the bootstrap of the analysis."""


def run(options: Options) -> int:
    """Rehearse; 1 if anything was lost, late or doubled, or somebody was stuck."""
    if options.participants < 1 or options.speed <= 0 or options.gap <= 0 or options.kills < 0:
        raise GameError("--participants, --speed and --gap must be above 0, and --kills not below.")
    study = read_study(options.file)
    game = load(study.game)
    folder = options.out or options.file.parent / f"{options.file.stem}-rehearsal"
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise GameError(f"{folder} is there already; give another folder with --out, or remove it.")
    folder.mkdir(parents=True, exist_ok=True)
    url = options.database_url or f"sqlite:///{folder / 'rehearsal.db'}"
    plan = RehearsalPlan(
        options.participants, options.seed, options.gap, kills=options.kills, browsers=options.browsers
    )
    server = ServerProcess(options.file, url, options.speed, folder / "server.log")

    async def work() -> RehearsalReport:
        await server.start()
        err.print(f"[dim]The study is at {server.address}; what its server says is in {server.log}.[/]")
        visit = Visit(study, game, options.speed, signature=await signer(url))
        with progress_line() as show:
            return await Rehearsal(visit, plan, server).run(show)

    with server.running():
        report = asyncio.run(work())
    report.journal.save(folder / "journal.json")
    findings = checking.check(report.journal, checking.read_rows(url), study, server.away)
    _print_report(report, findings)
    _run("data", options.file, "--database-url", url, "--out", folder / "data")
    _run("analyse", folder / "data", "--out", folder / "report", "--resamples", options.resamples)
    with compiler_notes():
        planted = planted_means(study, game)
    _print_compared(compare(planted, json.loads((folder / "report" / "numbers.json").read_text())))
    out.print(f"[dim]everything is in[/] {escape(str(folder))}", soft_wrap=True)
    return 1 if findings.sentences or report.stuck or report.journal.troubles else 0


@contextmanager
def progress_line() -> Iterator[Callable[[str], None]]:
    """Within this, a line at the bottom of the terminal says who is where."""
    if not err.is_terminal:
        yield lambda line: None
        return
    with err.status("") as status:
        yield lambda line: status.update(escape(line))


def _print_report(report: RehearsalReport, findings: RehearsalFindings) -> None:
    where = ", ".join(f"{count} {stage}" for stage, count in report.where.most_common())
    out.print(
        f"{report.people} bots came, {report.passed} passed the test, at most {report.at_once} at once; "
        f"{report.seconds / 60:.1f} minutes. Where they ended: {where}."
    )
    p99 = report.journal.percentile(0.99)
    looked = ", ".join(f"{count:,} {what}" for what, count in findings.checked.items())
    out.print(f"A move took {p99:.0f} ms at most in 99 of 100 cases." if p99 is not None else "Nobody has moved.")
    out.print(
        f"Checked: {looked}. Lost {len(findings.lost)}, doubled {len(findings.doubled)}, "
        f"late {len(findings.late) + len(findings.overdue)}, met twice {len(findings.twice)}, stuck {report.stuck}."
    )
    for sentence in [*findings.sentences, *report.journal.troubles][:MAX_SENTENCES]:
        err.print(f"[yellow]{escape(sentence)}[/]", soft_wrap=True)


def _print_compared(means: Sequence[Compared]) -> None:
    table = plain_table("condition", "partner", "return of", "planted", "found", "95 % interval", left=3)
    for mean in means:
        interval = f"{mean.low:.2f} to {mean.high:.2f}{'' if mean.covered else ' (not covered)'}"
        row = (mean.condition, mean.partner, mean.of)
        table.add_row(*map(escape, row), f"{mean.planted:.2f}", f"{mean.value:.2f}", interval)
    out.print(table)
    covered = sum(mean.covered for mean in means)
    out.print(f"{covered} of {len(means)} intervals hold the mean that was planted; 95 of 100 should.")


def _run(command: str, *arguments: object) -> None:
    """Another command of `parlor study`."""
    from parlor.cli.main import main

    if main(["study", command, *map(str, arguments)]) != 0:
        raise GameError(f"`parlor study {command}` has failed; what the rehearsal wrote is there.")
