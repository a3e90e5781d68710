"""Output that the commands share: two consoles, compiler notes, interruption, names for files."""

from __future__ import annotations

import json
import logging
import math
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from parlor.game import GameError


class ConsoleScreen(Console):
    """A console that lets the command line handle broken pipes."""

    def on_broken_pipe(self) -> None:
        """Raise the error."""
        raise BrokenPipeError


out = ConsoleScreen(highlight=False)  # results
err = ConsoleScreen(stderr=True, highlight=False)  # progress and remarks


def agreed(what: str) -> bool:
    """Ask whether something is to be deleted; GameError where nobody can answer."""
    if not sys.stdin.isatty():
        raise GameError(f"Deleting {what} cannot be undone: add --yes to do it without being asked.")
    err.print(f"Delete {what}? It cannot be undone. [bold]yes[/]/no: ", end="")
    return input().strip().lower() in ("y", "yes")


def print_json(result: Any) -> None:
    """Print one line of JSON; a number that is unknown or infinite is null, because JSON has none."""
    print(json.dumps(_finite(result), ensure_ascii=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


class _Notes(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        err.print(f"[dim]{record.getMessage()}[/dim]")


@contextmanager
def compiler_notes() -> Iterator[None]:
    """Within this, a note is printed when something is compiled."""
    log = logging.getLogger("parlor.compile")
    handler, level = _Notes(), log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


class Interruption:
    """Whether Ctrl-C was pressed: the first time it is only noted, the second time it interrupts at once."""

    def __init__(self, then: Callable[[], None]) -> None:
        self.requested = False
        self._then = then

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
        err.print("[yellow]Stopping; what has been computed so far is kept. Press Ctrl-C again to discard it.[/]")
        self._then()

    @contextmanager
    def caught(self) -> Iterator[Interruption]:
        """Within this, Ctrl-C (or SIGTERM) sets `requested`."""
        before = {s: signal.signal(s, self._note) for s in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def plain_table(*columns: str, left: int = 1, wrap: bool = False) -> Table:
    """A table without lines; the first columns, `left` of them, are words, the others numbers."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number < left else "right", no_wrap=not wrap)
    return table


@contextmanager
def games_bar(quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
    """Within this, a bar shows the number of games played; the function it gives updates it."""
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=16), TimeRemainingColumn())
    with Progress(*columns, console=err, disable=quiet or not err.is_terminal, transient=True) as progress:
        task = progress.add_task("", total=None)
        began = time.perf_counter()

        def show(what: str, done: int, total: int) -> None:
            speed = done / max(time.perf_counter() - began, 1e-9)
            line = f"[bold]{escape(what)}[/] {done:,} of {total:,} games, {speed:,.0f} a second"
            progress.update(task, completed=done, total=total, description=line)

        yield show


def file_name(game: str) -> str:
    """The name of a game as part of a file name: leduc(players=3) is leduc-players-3."""
    base, bracket, options = game.partition("(")
    if base.endswith(".py"):
        base = Path(base).stem
    return re.sub(r"[^\w.+-]+", "-", base + bracket + options).strip("-")


def free_path(folder: Path, stem: str, suffix: str) -> Path:
    """A path in the folder that does not exist yet."""
    path, number = folder / f"{stem}{suffix}", 2
    while path.exists():
        path, number = folder / f"{stem}-{number}{suffix}", number + 1
    return path
