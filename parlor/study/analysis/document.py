"""A report as blocks: headings, paragraphs, tables and figures, written as Markdown and as one HTML file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c;
       background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; display: block;
        overflow-x: auto; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid #ddd; text-align: right; }
.left { text-align: left; }
code { background: #f3f3f3; padding: 0 .2rem; overflow-wrap: anywhere; }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; } figcaption { color: #555; }
"""


@dataclass(frozen=True)
class Heading:
    """A heading; the title of the report has level 1."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; what stands between backquotes is code."""

    text: str


@dataclass(frozen=True)
class ReportTable:
    """A table of texts."""

    caption: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Figure:
    """An SVG file beside the report."""

    path: Path
    caption: str


Block = Heading | Paragraph | ReportTable | Figure


def markdown(blocks: Sequence[Block]) -> str:
    """The report as Markdown; figures are files beside it."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {text}"
        case Paragraph(text):
            return text
        case Figure(path, caption):
            return f"![{caption}]({path.name})"
        case ReportTable(caption, headers, rows):
            lines = [headers, ["---" if left else "---:" for left in _left(rows, len(headers))], *rows]
            cells = [" | ".join(cell.replace("|", "\\|") for cell in line) for line in lines]
            return "\n".join([f"**{caption}**", "", *(f"| {line} |" for line in cells)])


def html(title: str, blocks: Sequence[Block]) -> str:
    """The report as a page that needs nothing else: figures are in it."""
    body = "\n".join(_html(block) for block in blocks)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _html(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{_inline(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{_inline(text)}</p>"
        case Figure(path, caption):
            drawing = path.read_text(encoding="utf-8")
            drawing = drawing[drawing.index("<svg") :].replace(
                "<svg", f'<svg role="img" aria-label="{escape(caption)}"', 1
            )
            return f"<figure>{_own_ids(drawing, path.stem)}<figcaption>{_inline(caption)}</figcaption></figure>"
        case ReportTable(caption, headers, rows):
            sides = [' class="left"' if left else "" for left in _left(rows, len(headers))]
            lines = "\n".join(_row("td", row, sides) for row in rows)
            return (
                f"<table><caption>{_inline(caption)}</caption><thead>{_row('th', headers, sides)}</thead>"
                f"<tbody>\n{lines}\n</tbody></table>"
            )


def _row(tag: str, cells: Sequence[str], sides: Sequence[str]) -> str:
    inner = (f"<{tag}{side}>{_inline(cell)}</{tag}>" for cell, side in zip(cells, sides, strict=True))
    return f"<tr>{''.join(inner)}</tr>"


def _left(rows: Sequence[Sequence[str]], columns: int) -> list[bool]:
    """Columns of words stand on the left, columns of numbers on the right."""
    return [
        number == 0 or any(row[number][:1] in "`–" or row[number][:1].isalpha() for row in rows)
        for number in range(columns)
    ]


def _own_ids(drawing: str, name: str) -> str:
    """Ids of several drawings in one page must differ."""
    drawing = re.sub(r'\bid="', f'id="{name}-', drawing)
    drawing = re.sub(r'href="#', f'href="#{name}-', drawing)
    return re.sub(r"url\(#", f"url(#{name}-", drawing)


def _inline(text: str) -> str:
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))
