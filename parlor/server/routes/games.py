"""The games that can be played."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter

from parlor.server.routes.needs import TheCatalogue
from parlor.server.shapes import GameInfo

router = APIRouter(prefix="/api/games", tags=["games"])


@router.get("", operation_id="listGames")
async def list_games(catalogue: TheCatalogue) -> list[GameInfo]:
    """All games with their options."""
    return await asyncio.to_thread(lambda: catalogue.game_infos)
