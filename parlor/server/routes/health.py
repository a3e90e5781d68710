"""The health of the server."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter

import parlor
from parlor.server.routes.dependencies import TheStore
from parlor.server.schemas.common import Health

router = APIRouter(prefix="/api/health", tags=["health"])


@router.get("", operation_id="getHealth")
async def get_health(store: TheStore) -> Health:
    """Responds if the database does."""
    await store.ping()
    kind: Literal["sqlite", "postgresql"] = "sqlite" if store.kind == "sqlite" else "postgresql"
    return Health(version=parlor.__version__, database=kind)
