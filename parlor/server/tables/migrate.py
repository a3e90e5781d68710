"""Bring a database's schema up to date, at every start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from parlor.game import GameError

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the migrations that have not been run."""
    if to == "head" and _at_head(connection):
        return
    known = [path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py")]
    if newer := [version for version in _versions(connection) if version not in known]:
        raise GameError(
            f"The database was written by a newer Parlor (its schema is {newer[0]}, this one knows {max(known)}): "
            "use that version, or another database."
        )
    from alembic import command

    command.upgrade(_config(connection), to)


def downgrade(connection: Connection, to: str = "base") -> None:
    """Undo migrations, for tests."""
    from alembic import command

    command.downgrade(_config(connection), to)


def _at_head(connection: Connection) -> bool:
    """Whether the newest migration has been run: Alembic takes a fifth of a second to find that out."""
    newest = max(path.name for path in (MIGRATIONS / "versions").glob("[0-9]*.py")).partition("_")[0]
    return _versions(connection) == [newest]


def _versions(connection: Connection) -> list[str]:
    """The migrations that the database says were run last; none in a new one."""
    if not inspect(connection).has_table("alembic_version"):
        return []
    return list(connection.execute(text("select version_num from alembic_version")).scalars())


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
