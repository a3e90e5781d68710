"""Check a game against the contract of all games, and explain each failure in a sentence.

Examples:
  parlor check my_game.py
  parlor check holdem --seconds 60
  parlor check 'openspiel:sheriff(max_items=2)'
"""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass

from rich.markup import escape
from rich.table import Table

from parlor.cli.flags import GameArgument, JsonFlag, SeedFlag
from parlor.cli.screen import compiler_notes, err, out, print_json
from parlor.contract import check
from parlor.contract.clauses import SECONDS
from parlor.game import GameError
from parlor.game.loading import load
from parlor.sequence_form.tree import tree_if_small

MARKS = {True: "[green]✓[/]", False: "[red]✗[/]", None: "[dim]–[/]"}


@dataclass(frozen=True, kw_only=True)
class Options(SeedFlag, JsonFlag):
    """Options of `parlor check`."""

    game: GameArgument
    """The game: a rules file, a name with options, or openspiel:…"""
    games: int | None = None
    """The number of random games; if omitted, as many as --seconds allows, and small games completely."""
    seconds: float = SECONDS
    """The time limit for random games of a large game."""


def run(options: Options) -> int:
    """Check and print; 1 if a clause is broken."""
    if options.games is not None and options.games < 1:
        raise GameError(f"games must be at least 1, not {options.games}.")
    if not options.seconds > 0:
        raise GameError(f"seconds must be more than 0, not {options.seconds:g}.")
    with compiler_notes():
        game = load(options.game)
        report = check(game, options.games, options.seed, options.seconds)
    findings, wrong = report.findings, report.broken
    if options.json:
        result = {"findings": [asdict(finding) for finding in findings], "coverage": asdict(report.coverage)}
        print_json({"game": game.name, "ok": not wrong, **result})
        return 1 if wrong else 0
    table = Table(box=None, show_header=False, pad_edge=False)
    for finding in findings:
        style = "bold" if finding.ok is False else "dim" if finding.ok is None else "default"
        table.add_row(MARKS[finding.ok], finding.name, f"[{style}]{escape(finding.sentence)}[/]")
    out.print(table)
    out.print(f"\nSeen: {escape(str(report.coverage))}.", soft_wrap=True)
    if wrong:
        err.print(f"\n[red]{game.name} breaks {len(wrong)} of {len(findings)} clauses.[/]")
        return 1
    large = game.native and tree_if_small(game) is None
    hint = f"parlor {'train' if large else 'solve'} {shlex.quote(options.game)}"
    verdict = "keeps the contract" if report.coverage.complete else "kept the contract in everything that was seen"
    out.print(f"{escape(game.name)} {verdict}. Next: [cyan]{escape(hint)}[/]", soft_wrap=True)
    return 0
