"""The password of the researcher's page, where none is given: made once, in a file that only its owner can read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from parlor.game import GameError
from parlor.runs.files.container import make_folder
from parlor.server.tables.store import database_url

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # without those that look alike
GROUPS, LENGTH = 4, 5


def password_file(url: str, name: str) -> tuple[Path, str | None]:
    """The password file of a study's database, named after the study; and the password, if it was made just now."""
    database = database_url(url)
    local = database.get_backend_name() == "sqlite" and database.database not in (None, "", ":memory:")
    path = Path(f"{database.database}.password") if local else Path("parlor-data") / f"{name}.password"
    password = "-".join("".join(secrets.choice(LETTERS) for _ in range(LENGTH)) for _ in range(GROUPS))
    make_folder(path.parent, path)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(password + "\n")
    except FileExistsError:
        return path, None
    except OSError as error:
        raise GameError(f"The password file {path} cannot be written: {error.strerror}.") from None
    return path, password
