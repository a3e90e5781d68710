"""Collect the pages of the site in a folder, where MkDocs finds them.

    python -m docs.site build/pages

They keep the places that they have in the repository, so that links between them lead to the same pages there and here.
Links to other files of the repository become links to where its source is kept. The reference is made from the names in
`parlor.__all__`, the notebooks are run.
"""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import parlor
from docs.site import notebooks

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "web/README.md", "docs/*.md", "experiments/*/*.md")
FIGURES = ("docs/*.webp", "experiments/*/*.svg", "experiments/*/*/*.svg")
SOURCE = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Source"]

#: The parts of the reference: title -> a prefix of the modules in which the names lie.
PARTS = {
    "Games": ("parlor.game", "parlor.games"),
    "Solving": ("parlor.solvers", "parlor.sequence_form"),
    "Policies": ("parlor.policies", "parlor.runs.files"),
    "Playing and measuring": ("parlor.agents", "parlor.arena", "parlor.runs.by_name", "parlor.runs.saved_agents"),
    "Belief": ("parlor.search",),
    "Training, populations, tuning": ("parlor.runs.training", "parlor.population", "parlor.tuning"),
    "Other libraries": ("parlor.interop",),
    "The contract": ("parlor.contract",),
}


def collect(out: Path, execute: bool = True) -> None:
    """Write all pages and figures; without `execute` notebooks are left out."""
    shutil.rmtree(out, ignore_errors=True)
    found = {PurePosixPath(path.relative_to(ROOT)) for pattern in (*PAGES, *FIGURES) for path in ROOT.glob(pattern)}
    for path in found:
        target = out / named(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            target.write_text(with_links((ROOT / path).read_text(), path, found))
        else:
            shutil.copyfile(ROOT / path, target)
    (out / "docs" / "reference.md").write_text("\n".join(reference()))
    if execute:
        (out / "notebooks").mkdir()
        for book in sorted(notebooks.FOLDER.glob("*.ipynb")):
            (out / "notebooks" / f"{book.stem}.md").write_text(notebooks.as_markdown(book))


def named(path: PurePosixPath) -> PurePosixPath:
    """Where a file lies on the site: the README is its first page."""
    return PurePosixPath("index.md") if path == PurePosixPath("README.md") else path


def with_links(text: str, page: PurePosixPath, found: set[PurePosixPath]) -> str:
    """A page whose links lead to pages of the site, or to the source."""

    def replaced(match: re.Match[str]) -> str:
        target, hash, anchor = match[1].partition("#")
        if "://" in target or not target:
            return match[0]
        path = PurePosixPath(*_normal((page.parent / target).parts))
        if path not in found:
            return f"]({SOURCE}/blob/main/{path})"
        up = "../" * len(page.parent.parts)
        return f"]({up}{named(path)}{hash}{anchor})"

    return re.sub(r"\]\(([^)\s]+)\)", replaced, text)


def _normal(parts: tuple[str, ...]) -> Iterator[str]:
    """The parts of a path without `..`."""
    kept: list[str] = []
    for part in parts:
        if part == "..":
            kept.pop()
        elif part != ".":
            kept.append(part)
    yield from kept


def reference() -> Iterator[str]:
    """The page of the API: every public name, by subject, from its docstring."""
    yield "# Reference\n\nEvery name that `import parlor` offers, made from the docstrings.\n"
    left = dict(parlor._HOME)
    for title, prefixes in PARTS.items():
        names = sorted(name for name, module in left.items() if module.startswith(prefixes))
        yield f"## {title}\n"
        for name in names:
            yield f"::: {left.pop(name)}.{name}\n    options:\n      heading: parlor.{name}\n      toc_label: {name}\n"
    assert not left, f"PARTS has no place for {sorted(left)}."


if __name__ == "__main__":
    collect(Path(sys.argv[1]))
