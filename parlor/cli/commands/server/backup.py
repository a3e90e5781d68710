"""Copy the server's database while the server runs, and check the copy.

Examples:
  parlor backup parlor-backup.db
  parlor backup /backup/parlor.db --database-url sqlite:////data/parlor.db

The copy is consistent and complete: it is made by SQLite itself, opened again, checked, and counted; then it takes the
place of an older one. To go back to it, stop the server and put it where the database was. A PostgreSQL is copied by
its own pg_dump; for one, the command is printed. Tokens of seats are hashes in the copy too; cards are not hidden.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from parlor.cli.flags import DatabaseFlag, JsonFlag
from parlor.cli.screen import err, print_json
from parlor.game import GameError
from parlor.runs.files.container import sync_folder
from parlor.server.operations.settings import DATABASE


@dataclass(frozen=True, kw_only=True)
class Options(DatabaseFlag, JsonFlag):
    """Options of `parlor backup`."""

    to: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FILE")]
    """The file of the copy; an older one is replaced when the new one is complete."""


def run(options: Options) -> int:
    """Copy, check, and print how much there was."""
    from parlor.server.tables.store import database_url

    try:
        url = database_url(options.database_url or os.environ.get("DATABASE_URL") or DATABASE)
    except Exception as error:
        raise GameError(f"This is not the address of a database: {str(error).rstrip('.')}.") from None
    if url.get_backend_name() != "sqlite":
        shown = url.set(drivername="postgresql").render_as_string(hide_password=True)
        raise GameError(f"PostgreSQL copies itself: pg_dump --format custom --file {options.to} '{shown}'")
    if not url.database or not Path(url.database).is_file():
        raise GameError(f"There is no database {url.database or 'in memory'} to copy.")
    counts = copy(Path(url.database), options.to)
    if options.json:
        print_json({**counts, "file": str(options.to)})
    else:
        err.print(
            f"{counts['tables']:,} tables with {counts['moves']:,} moves are in {options.to}; the copy was checked."
        )
    return 0


def copy(source: Path, to: Path) -> dict[str, int]:
    """Copy a database; how many tables and moves the copy has."""
    if to.is_dir():
        raise GameError(f"{to} is a folder; name the file of the copy.")
    if to.exists() and to.samefile(source):
        raise GameError(f"{to} is the database itself; name another file.")
    draft = to.with_name(f".{to.name}.{os.getpid()}")
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        with _opened(source, "ro") as old, contextlib.closing(sqlite3.connect(draft)) as new:
            os.chmod(draft, 0o600)  # it holds every card
            old.backup(new)
            new.execute("pragma journal_mode=delete").fetchall()  # one file, without a log beside it
        with _opened(draft, "ro") as new:
            [found] = new.execute("pragma integrity_check(1)").fetchone()
            if found != "ok":
                raise GameError(f"The database {source} is damaged: {found}. The copy was not kept.")
            counts = {name: new.execute(f"select count(*) from {name}").fetchone()[0] for name in ("tables", "moves")}
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(to)
        sync_folder(to.parent)
    except sqlite3.Error as error:
        raise GameError(f"The database {source} cannot be copied to {to}: {error}.") from None
    finally:
        draft.unlink(missing_ok=True)
    return counts


def _opened(path: Path, mode: str) -> contextlib.closing[sqlite3.Connection]:
    return contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True))
