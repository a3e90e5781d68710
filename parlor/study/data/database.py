"""The database of a study, for commands that work beside its server."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

from parlor.game import GameError
from parlor.server.tables.store import AWAY, Store, reason


def url_for(file: str | Path, given: str | None = None) -> str:
    """Return the database of a study: the given URL, DATABASE_URL, or a file in parlor-data/ named like the study."""
    return given or os.environ.get("DATABASE_URL") or f"sqlite:///parlor-data/{Path(file).stem}.db"


@contextlib.asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    """Within this, the database of a study that was begun."""
    try:
        store = Store(url)
    except Exception as error:  # drivers raise all kinds of errors
        raise GameError(f"This is not the address of a database: {str(error).rstrip('.')}.") from None
    try:
        if store.kind == "sqlite" and not Path(store.url.database or "").is_file():
            raise GameError(f"There is no database {store.url.database}; `parlor study serve` makes it.")
        await store.open()
        yield store
    except AWAY as error:
        raise GameError(f"The database cannot be used: {reason(error)}.") from None
    finally:
        await store.close()
