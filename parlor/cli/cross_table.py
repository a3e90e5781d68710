"""Cross tables that fit the screen, for any number of agents and any names.

If there is room, rows and columns have the agents' names, and a result has its interval beside it. Else agents have
numbers, which a list explains; intervals stand under the results, and columns that do not fit come below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

from parlor.cli.screen import out, plain_table

GAP = 2  # between columns


@dataclass(frozen=True)
class Cross:
    """The row's result against the column, and the interval; None where nothing was played."""

    unit: str
    cells: Sequence[Sequence[tuple[str, str] | None]]
    ends: Mapping[str, Sequence[str]]  # extra columns: the totals of each row


def print_crosses(names: Sequence[str], crosses: Sequence[Cross]) -> None:
    """Print cross tables of the same agents in several units."""
    tables = [_named(names, cross) for cross in crosses]
    room = out.options.update(max_width=1 << 30)
    if all(Measurement.get(out, room, table).maximum <= out.width for table in tables):
        out.print(*tables, sep="")
        return
    out.print(_listed(names, crosses))
    for cross in crosses:
        for shown in _pieces(cross, out.width):
            out.print("", _numbered(cross, shown), sep="\n")


def _named(names: Sequence[str], cross: Cross) -> Table:
    table = plain_table(cross.unit, *map(escape, names), *cross.ends)
    for i, name in enumerate(names):
        cells = [f"{cell[0]} [dim]{cell[1]}[/]" if cell else "–" for cell in cross.cells[i]]
        table.add_row(escape(name), *cells, *(column[i] for column in cross.ends.values()))
    return table


def _listed(names: Sequence[str], crosses: Sequence[Cross]) -> Table:
    """The number of each agent, and its totals."""
    columns = {f"{title} {cross.unit}".rstrip(): column for cross in crosses for title, column in cross.ends.items()}
    table = plain_table("", "", *columns)
    table.columns[1].justify, table.columns[1].no_wrap, table.columns[1].overflow = "left", False, "fold"
    for i, name in enumerate(names):
        table.add_row(str(i + 1), escape(name), *(column[i] for column in columns.values()))
    return table


def _pieces(cross: Cross, width: int) -> Iterator[list[int]]:
    """The columns, as many at a time as fit."""
    begin = max(len(cross.unit), len(str(len(cross.cells))))
    shown: list[int] = []
    used = begin
    for j, column in enumerate(zip(*cross.cells, strict=True)):
        wide = GAP + max(len(part) for cell in column for part in cell or ("–",))
        if shown and used + wide > width:
            yield shown
            shown, used = [], begin
        shown.append(j)
        used += wide
    yield shown


def _numbered(cross: Cross, shown: Sequence[int]) -> Table:
    table = plain_table(cross.unit, *(str(j + 1) for j in shown))
    for i, row in enumerate(cross.cells):
        cells = [row[j] for j in shown]
        table.add_row(str(i + 1), *(f"{cell[0]}\n[dim]{cell[1]}[/]" if cell else "–" for cell in cells))
    return table
