"""Hold a game to the contract every game must keep, and explain each failure in a sentence.

Examples:
  parlor check my_game.py
  parlor check leduc --games 1000
  parlor check 'openspiel:sheriff(max_items=2)'
"""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass
from typing import Annotated

import tyro
from rich.markup import escape
from rich.table import Table

from parlor.commands.screen import compiler_notes, err, out, print_json
from parlor.contract import check
from parlor.game import GameError
from parlor.games import load
from parlor.solvers.tree import tree_if_small

MARKS = {True: "[green]✓[/]", False: "[red]✗[/]", None: "[dim]–[/]"}


@dataclass(frozen=True)
class Options:
    """Options of `parlor check`."""

    game: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="GAME")]
    """The game: a rules file, a name with options, or openspiel:…"""
    games: int = 200
    """How many random games to look at."""
    seed: int = 0
    """Names the random games."""
    json: bool = False
    """Print JSON for machines."""


def run(options: Options) -> int:
    """Check and print; 1 if anything is wrong."""
    if options.games < 1:
        raise GameError(f"games must be at least 1, not {options.games}.")
    with compiler_notes():
        game = load(options.game)
        findings = check(game, options.games, options.seed)
    wrong = [finding for finding in findings if finding.ok is False]
    if options.json:
        print_json({"game": game.name, "ok": not wrong, "findings": [asdict(finding) for finding in findings]})
        return 1 if wrong else 0
    table = Table(box=None, show_header=False, pad_edge=False)
    for finding in findings:
        style = "bold" if finding.ok is False else "dim" if finding.ok is None else "default"
        table.add_row(MARKS[finding.ok], finding.name, f"[{style}]{escape(finding.sentence)}[/]")
    out.print(table)
    if wrong:
        err.print(f"\n[red]{game.name} breaks {len(wrong)} of {len(findings)} clauses.[/]")
        return 1
    large = game.native and tree_if_small(game) is None
    hint = f"parlor {'train' if large else 'solve'} {shlex.quote(options.game)}"
    out.print(f"\n{escape(game.name)} keeps the contract. Next: [cyan]{escape(hint)}[/]", soft_wrap=True)
    return 0
