"""Keep the notepad of a game of Clue at a real table: type what happened, read what follows.

Type the players clockwise, your cards, then what happens, a line each:
  players Anna, Ben, me                              uneven hands: players Anna 5, Ben 5, Carla 4, me 4
  cards plum knife study hall rope green
  Anna: mustard wrench hall, Ben passes, me shows hall
  me: white wrench library, Anna shows white         you saw the card
  Ben: peacock pipe kitchen, nobody                  nobody could show one
  Ben accuses peacock pipe kitchen                   and was wrong
  Anna has rope                                      or lacks it, however you know
  suspects Scarlett, Mustard, …                      first of all, if your edition has other names

Besides, at the prompt: show, lines, undo, save FILE, load FILE, help, quit.

Examples:
  parlor notepad
  parlor notepad evening.txt                         go on with a saved game
  parlor notepad --json < evening.txt
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.markup import escape
from rich.table import Table

from parlor.cli.screen import compiler_notes, err, out, print_json
from parlor.game import GameError
from parlor.games.clue.record import KINDS, TableRecord, rows

BEST = 5  # solutions shown


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of `parlor notepad`."""

    file: Annotated[Path | None, tyro.conf.Positional, tyro.conf.arg(metavar="[FILE]")] = None
    """A file of such lines to begin with."""
    json: bool = False
    """Read all lines, from the file or the standard input, and print the notepad as JSON."""


class LeaveNotepad(Exception):
    """The person wants to stop."""


def run(options: Options) -> int:
    """Read lines and print the notepad."""
    typed = sys.stdin.isatty() and not options.json
    record = TableRecord()
    with compiler_notes():
        if options.file is not None:
            record = read(options.file.read_text(), str(options.file))
        elif not typed:
            record = read(sys.stdin.read(), "the input")
        if typed:
            _talk(record)
        elif record.notes is None:
            raise GameError(record.next_step)
        elif options.json:
            print_json(as_data(record))
        else:
            show(record)
    return 0


def read(text: str, where: str) -> TableRecord:
    """A record from lines; an error says which line is wrong."""
    record = TableRecord()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            record.add(line)
        except GameError as error:
            raise GameError(f"{where}, line {number}: {error}") from None
    return record


def _talk(record: TableRecord) -> None:
    """Read lines from a person until they leave."""
    out.print("[dim]help explains what to type; quit leaves.[/]")
    if record.notes is not None:
        show(record)
    while True:
        if record.notes is None:
            out.print(f"[dim]{escape(record.next_step)}[/]")
        try:
            record = _answered(out.input("[bold]>[/] ").strip(), record)
        except GameError as error:
            err.print(f"[yellow]{escape(str(error))}[/]", soft_wrap=True)
        except OSError as error:
            err.print(f"[yellow]{escape(f'{error.filename}: {error.strerror}.')}[/]", soft_wrap=True)
        except (LeaveNotepad, EOFError, KeyboardInterrupt):
            out.print()
            return


def _answered(line: str, record: TableRecord) -> TableRecord:
    """Do what a line says; returns the record to go on with."""
    word, _, rest = line.partition(" ")
    asked: dict[str, Callable[[], None]] = {
        "show": lambda: show(record),
        "lines": lambda: out.print(escape("\n".join(record.lines) or "nothing yet")),
        "help": lambda: out.print(escape((__doc__ or "").partition("Examples:")[0].strip())),
    }
    if word in ("quit", "q", "exit"):
        raise LeaveNotepad
    if word in asked and not rest:
        asked[word]()
    elif word == "undo" and not rest:
        out.print(f"[dim]forgotten: {escape(record.undo())}[/]")
    elif word == "save":
        path = Path(_named(rest, "save"))
        path.write_text("\n".join(record.lines) + "\n")
        out.print(f"[dim]saved in {escape(str(path))}[/]")
    elif word == "load":
        path = Path(_named(rest, "load"))
        record = read(path.read_text(), str(path))
        show(record)
    else:
        before = len(record.lines)
        record.add(line)
        if record.notes is not None and len(record.lines) > before:
            show(record)
    return record


def _named(name: str, verb: str) -> str:
    if not name.strip():
        raise GameError(f"Name a file: {verb} evening.txt")
    return name.strip()


# --------------------------------------------------------------------------------------------------- the notepad


def show(record: TableRecord) -> None:
    """Print the grid, the number of deals, and the most likely solutions."""
    if record.notes is None:
        raise GameError(record.next_step)
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for name in [*record.players, "file"]:
        table.add_column(escape(name), justify="right")
    starts = {0: 0, len(record.kinds[0]): 1, len(record.kinds[0]) + len(record.kinds[1]): 2}
    for card, (name, places) in enumerate(rows(record)):
        if card in starts:
            table.add_row(f"[dim]{KINDS[starts[card]]}[/]")
        table.add_row(escape(name), *map(_mark, places))
    out.print(table)
    deals = record.notes.deals
    out.print(f"[bold]{deals:,}[/] deal{' is' if deals == 1 else 's are'} possible.")
    best = record.notes.best(BEST)
    if best[0][1] == 1.0:
        out.print(f"[bold]It was {escape(_words(record, best[0][0]))}.[/]")
        return
    for cards, chance in best:
        out.print(f"{100 * chance:5.1f} %  {escape(_words(record, cards))}")
    out.print(f"Suggest [bold]{escape(_words(record, best[0][0]))}[/]: no other solution is more likely.")


def _mark(chance: float) -> str:
    """A tick, a cross, or a probability."""
    if chance == 0.0:
        return "[dim]✗[/]"
    return "[bold]✓[/]" if chance == 1.0 else f"{100 * chance:.0f} %"


def _words(record: TableRecord, cards: tuple[int, int, int]) -> str:
    suspect, weapon, room = (record.cards[card] for card in cards)
    return f"{suspect} with the {weapon} in the {room}"


def as_data(record: TableRecord) -> dict[str, Any]:
    """The notepad as JSON."""
    assert record.notes is not None
    places = [*record.players, "file"]
    return {
        "players": record.players,
        "deals": record.notes.deals,
        "cards": {name: dict(zip(places, chances, strict=True)) for name, chances in rows(record)},
        "solutions": [
            {**dict(zip(("suspect", "weapon", "room"), (record.cards[card] for card in cards), strict=True)),
             "probability": chance}
            for cards, chance in record.notes.best(len(record.notes.solutions.ravel()))
        ],
    }  # fmt: skip
