"""Check that a program in any language is an agent, and say what it gets wrong.

The program is run as `parlor compare` would run it: it gets lines of JSON and answers each question with a line. Begin
with one of docs/examples/programs (Python, JavaScript, C); docs/programs.md is the specification.

Examples:
  parlor check-agent ./mybot
  parlor check-agent 'node mybot.mjs --level 3' leduc --seconds 2
"""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass
from typing import Annotated

import tyro
from rich.markup import escape
from rich.table import Table

from parlor.agents.programs.conformance import check_program
from parlor.agents.programs.program_agent import SECONDS
from parlor.agents.registry import concrete_game
from parlor.cli.commands.checks.check import MARKS
from parlor.cli.flags import JsonFlag, OptionalGame
from parlor.cli.screen import err, out, print_json
from parlor.game import GameError
from parlor.game.loading import GAMES, load


@dataclass(frozen=True, kw_only=True)
class Options(JsonFlag):
    """Options of `parlor check-agent`."""

    command: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="COMMAND")]
    """The program with its arguments, as one word: in quotes if there are spaces."""
    game: OptionalGame = None
    """The game that it is to play; if omitted, the first one of `parlor games`."""
    seconds: float = SECONDS
    """The time limit for an answer."""


def run(options: Options) -> int:
    """Check and print; 1 if a requirement is not fulfilled."""
    if not options.command.strip():
        raise GameError("The command is empty; write for instance: parlor check-agent ./mybot.")
    if not options.seconds > 0:
        raise GameError(f"seconds must be more than 0, not {options.seconds:g}.")
    game = concrete_game(load(options.game or next(iter(GAMES))))
    found = list(check_program(options.command, game, options.seconds))
    wrong = [requirement for requirement in found if requirement.ok is False]
    if options.json:
        print_json({"command": options.command, "game": game.name, "ok": not wrong, "found": list(map(asdict, found))})
        return 1 if wrong else 0
    table = Table(box=None, show_header=False, pad_edge=False)
    for requirement in found:
        table.add_row(MARKS[requirement.ok], requirement.name, escape(requirement.sentence))
    out.print(table)
    if wrong:
        err.print(f"\n[red]{escape(options.command)} is no agent for {escape(game.name)} yet.[/]")
        return 1
    called = f"parlor compare {shlex.quote(game.name)} 'program:{options.command}' random"
    out.print(f"\n{escape(options.command)} is an agent. Next: [cyan]{escape(called)}[/]", soft_wrap=True)
    return 0
