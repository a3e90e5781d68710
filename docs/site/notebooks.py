"""Notebooks as they are run: their cells in order, with what each shows. The tests run them, the site shows them."""

from __future__ import annotations

import ast
import contextlib
import html
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "notebooks"


def cells(path: Path) -> Iterator[tuple[str, str]]:
    """The kind (markdown or code) and the source of each cell."""
    for cell in json.loads(path.read_text())["cells"]:
        yield cell["cell_type"], "".join(cell["source"])


def run(path: Path) -> Iterator[tuple[str, str, str]]:
    """Run a notebook: the kind, the source, and what the cell shows, as HTML."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for kind, source in cells(path):
        yield kind, source, shown(source, names) if kind == "code" else ""


def shown(source: str, names: dict[str, Any]) -> str:
    """Run a cell; what it prints, and its last value if that is an expression."""
    body = ast.parse(source).body
    last = body[-1] if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body[:-1] if last else body, []), "<cell>", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if last else None
    text = printed.getvalue()
    parts = [f"<pre>{html.escape(text)}</pre>"] if text else []
    if value is not None:
        own = value._repr_html_() if hasattr(value, "_repr_html_") else None
        parts.append(own or f"<pre>{html.escape(repr(value))}</pre>")
    return "\n".join(parts)


def as_markdown(path: Path) -> str:
    """A notebook as a page, run now in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        found = list(run(path))
    parts = []
    for kind, source, output in found:
        parts.append(source if kind == "markdown" else f"```python\n{source}\n```")
        if output:
            parts.append(f'<div class="shown">\n{output}\n</div>')
    return "\n\n".join(parts) + "\n"
