"""Players in sentences: "player 0 draws", or for a reader at the table: "you draw".

A game's words call players by `player` and `possessive`; only names of moves, which are recorded, never do. Without
a particular reader, players are numbers; text for one seat sets the names of all players (`players_named`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from html import escape
from typing import NamedTuple

YOU = "you"


class TextTable(NamedTuple):
    """A view as a table, for a terminal: what it shows, and below it lines of text."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    lines: Sequence[str]
    asked: str  # what the player in turn is asked


_names: ContextVar[tuple[str, ...]] = ContextVar("names", default=())
_SECOND_PERSON = {"has": "have", "is": "are", "was": "were", "does": "do", "passes": "pass", "tries": "try"}


@contextmanager
def players_named(names: Sequence[str]) -> Iterator[None]:
    """Within this, players are called by these names; the reader is `YOU`."""
    token = _names.set(tuple(names))
    try:
        yield
    finally:
        _names.reset(token)


def has_reader() -> bool:
    """Whether this is written for a reader at the table, so that codes may be spelled out."""
    return bool(_names.get())


def player(p: int, verb: str = "") -> str:
    """A player, and what they do, in the third person: `player(0, "draws")`."""
    names = _names.get()
    name = names[p] if names else f"player {p}"
    if name == YOU:
        verb = _SECOND_PERSON.get(verb, verb.removesuffix("s"))
    return f"{name} {verb}" if verb else name


def possessive(p: int) -> str:
    """Whose something is: "player 0's", "your"."""
    name = player(p)
    return "your" if name == YOU else f"{name}'s"


MAX_ROWS = 20  # rows


def html_table(
    caption: str,
    headers: Sequence[object],
    rows: Sequence[Sequence[object]],
    count: int | None = None,
    limit: int = MAX_ROWS,
) -> str:
    """A table of texts and numbers, all escaped; of more rows (`count`, if not all are given) the first `limit`."""
    lines = [_row("td", row) for row in rows[:limit]]
    left = (len(rows) if count is None else count) - len(lines)
    if left:
        lines.append(f'<tr><td colspan="{len(headers)}">… and {left:,} more</td></tr>')
    body = "".join(lines)
    return (
        f"<table><caption>{escape(caption)}</caption><thead>{_row('th', headers)}</thead><tbody>{body}</tbody></table>"
    )


def _row(tag: str, cells: Sequence[object]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"
