"""The Markdown that reports are made of."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence


def text(words: str) -> str:
    """A paragraph."""
    return textwrap.fill(words, 120, break_long_words=False, break_on_hyphens=False)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    return "\n".join("| " + " | ".join(line) + " |" for line in (columns, ["---"] * len(columns), *rows))


def share(found: Mapping[str, float]) -> str:
    """In percent, with half of the interval."""
    return f"{100 * found['value']:.1f} ± {50 * (found['high'] - found['low']):.1f}"
