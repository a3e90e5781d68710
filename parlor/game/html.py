"""Small tables for notebooks: what `_repr_html_` returns."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

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
