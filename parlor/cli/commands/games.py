"""List the games that come with Parlor, with their options and sizes; or show one game with all its options.

Examples:
  parlor games
  parlor games holdem
  parlor games 'monopoly-deal(preset=paper)'        with the defaults of a preset

Any game of OpenSpiel works too: openspiel:kuhn_poker(players=3). So does a rules file of your own: my_game.py.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.markup import escape
from rich.table import Table

from parlor.cli.flags import JsonFlag, OptionalGame
from parlor.cli.screen import out, print_json
from parlor.game import GameError
from parlor.game.loading import GAMES, load, load_with_options, parse
from parlor.game.parameters import Parameter

MAX_LISTED = 6  # options that are listed one by one


@dataclass(frozen=True, kw_only=True)
class Options(JsonFlag):
    """Options of `parlor games`."""

    game: OptionalGame = None
    """Show only this game, with all its options."""


def run(options: Options) -> int:
    """Print the list."""
    if options.game is not None and options.game.startswith("openspiel:"):
        name = load(options.game).name
        raise GameError(f"{name} does not come with Parlor; `parlor check {shlex.quote(name)}` checks it.")
    base, given, _ = parse(options.game) if options.game is not None else ("", {}, "")
    if base and base not in GAMES:
        load(base, **given)  # raises an error, or it is a game of the user's own
        raise GameError(f"{base} does not come with Parlor; `parlor check {shlex.quote(base)}` checks it.")
    rows: list[dict[str, Any]] = []
    for name, spec in GAMES.items():
        if base not in ("", name):
            continue
        game, declared = load_with_options(name, **given)
        seats = declared.get("players")
        rows.append(
            {
                "name": name,
                "players": [seats.low, seats.high] if seats is not None else [game.players, game.players],
                "kind": game.kind,
                "histories": None if given else spec.histories,
                "infosets": None if given else spec.infosets,
                "options": {
                    key: {"default": o.write(o.default), "values": _listed(o), "help": o.help}
                    for key, o in declared.items()
                },
                "abstractions": list(game.abstractions),
                "summary": game.words.summary,
            }
        )
    if options.json:
        print_json(rows)
        return 0
    if base:
        _print(rows[0])
        return 0
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("game", "players", "kind"):
        table.add_column(column)
    for column in ("histories", "infosets"):
        table.add_column(column, justify="right")
    table.add_column("options")
    for row in rows:
        low, high = row["players"]
        table.add_row(
            f"[bold cyan]{row['name']}[/]",
            str(low) if low == high else f"{low}–{high}",
            row["kind"],
            *(f"{row[size]:,}" if row[size] else "large" for size in ("histories", "infosets")),
            "\n".join(_options(row["name"], row["options"])),
        )
    out.print(table)
    out.print(
        "\nSizes are for the default options. A game with options is written [cyan]'leduc(players=3)'[/]; "
        "an abstraction [cyan]leduc/ranks[/];\nany OpenSpiel game [cyan]'openspiel:sheriff(max_items=2)'[/]; "
        "your own rules [cyan]my_game.py[/]."
    )
    return 0


def _listed(option: Parameter) -> Sequence[float | str]:
    """Words, the ends of a range, or the numbers if there are gaps between them; or that it is a file."""
    if option.choices or option.names:
        return option.choices or ["a file"]
    return list(map(str, option.numbers)) if option.step > 1 else option.bounds


def _print(row: dict[str, Any]) -> None:
    """Print everything about one game."""
    out.print(f"[bold cyan]{row['name']}[/]: {escape(row['summary'])}", soft_wrap=True)
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("option", "default", "may be", "what it is"):
        table.add_column(column)
    for key, option in row["options"].items():
        table.add_row(f"[bold]{key}[/]", option["default"], _values(option), escape(option["help"]))
    out.print(table)
    if row["abstractions"]:
        names = ", ".join(f"[cyan]{row['name']}/{name}[/]" for name in row["abstractions"])
        out.print(f"abstractions: {names}")


def _options(name: str, options: dict[str, dict[str, object]]) -> list[str]:
    lines = [_option(key, option) for key, option in options.items()]
    return lines if len(lines) <= MAX_LISTED else [lines[0], f"and {len(lines) - 1} more: parlor games {name}"]


def _option(key: str, option: dict[str, object]) -> str:
    return f"{key}={option['default']} [dim]({_values(option)})[/dim]"


def _values(option: dict[str, object]) -> str:
    values = option["values"]
    assert isinstance(values, (list, tuple))
    return f"{values[0]}–{values[1]}" if isinstance(values[0], int) else " | ".join(map(str, values))
