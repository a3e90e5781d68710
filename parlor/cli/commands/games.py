"""List the games that come with Parlor, with their options and sizes; or show one game with all its options.

Examples:
  parlor games
  parlor games holdem
  parlor games 'monopoly-deal(preset=paper)'        with the defaults of a preset
  parlor games 'leduc(players=3)'                   small games are counted
  parlor games my_game.py                           your own; or 'openspiel:kuhn_poker(players=3)'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from parlor.cli.flags import JsonFlag, OptionalGame
from parlor.cli.screen import compiler_notes, out, plain_table, print_json
from parlor.game import Game
from parlor.game.loading import GAMES, load_with_options
from parlor.game.parameters import Parameter

if TYPE_CHECKING:
    from parlor.sequence_form.tree import Tree

MAX_LISTED = 6  # options that are listed one by one


@dataclass(frozen=True, kw_only=True)
class Options(JsonFlag):
    """Options of `parlor games`."""

    game: OptionalGame = None
    """Show only this game, with all its options."""


def run(options: Options) -> int:
    """Print the list, or one game."""
    with compiler_notes():
        rows = [_row(name) for name in ([options.game] if options.game else GAMES)]
    if options.json:
        print_json(rows)
    elif options.game:
        _print(rows[0])
    else:
        _print_list(rows)
    return 0


def _row(name: str) -> dict[str, Any]:
    """A game by its name: known sizes of our games with their default options, and of others those that are counted."""
    game, declared = load_with_options(name)
    seats, found = declared.get("players"), GAMES.get(name) or _counted(game)
    return {
        "name": game.name,
        "players": list(seats.bounds) if seats is not None else [game.players, game.players],
        "kind": game.kind,
        "histories": found and found.histories,
        "infosets": found and found.infosets,
        "options": {
            key: {"default": o.write(o.default), "values": _listed(o), "help": o.help} for key, o in declared.items()
        },
        "abstractions": list(game.abstractions),
        "summary": game.words.summary,
    }


def _counted(game: Game) -> Tree | None:
    """The tree of a small game."""
    from parlor.sequence_form.tree import tree_if_small  # which takes as long to import as everything else

    return tree_if_small(game)


def _print_list(rows: Sequence[dict[str, Any]]) -> None:
    table = plain_table("game", "players", "kind", "histories", "infosets", left=3, wrap=True)
    table.add_column("options")
    for row in rows:
        low, high = row["players"]
        table.add_row(
            f"[bold cyan]{row['name']}[/]",
            str(low) if low == high else f"{low}–{high}",
            row["kind"],
            *_sizes(row),
            "\n".join(_options(row["name"], row["options"])),
        )
    out.print(table)
    out.print(
        "\nSizes are for the default options. A game with options is written [cyan]'leduc(players=3)'[/]; "
        "an abstraction [cyan]leduc/ranks[/];\nany OpenSpiel game [cyan]'openspiel:sheriff(max_items=2)'[/]; "
        "your own rules [cyan]my_game.py[/]."
    )


def _sizes(row: dict[str, Any]) -> list[str]:
    return [f"{row[size]:,}" if row[size] else "large" for size in ("histories", "infosets")]


def _listed(option: Parameter) -> Sequence[float | str]:
    """Words, the ends of a range, or the numbers if there are gaps between them; or that it is a file."""
    if option.choices or option.names:
        return option.choices or ["a file"]
    return list(map(str, option.numbers)) if option.step > 1 else option.bounds


def _print(row: dict[str, Any]) -> None:
    """Print everything about one game."""
    summary = f": {escape(row['summary'])}" if row["summary"] else ""
    out.print(f"[bold cyan]{escape(row['name'])}[/]{summary}", soft_wrap=True)
    histories, infosets = _sizes(row)
    out.print(f"{row['kind']}; histories: {histories}, information sets: {infosets}")
    table = plain_table("option", "default", "may be", "what it is", left=4, wrap=True)
    for key, option in row["options"].items():
        table.add_row(f"[bold]{key}[/]", option["default"], _values(option), escape(option["help"]))
    if row["options"]:
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
