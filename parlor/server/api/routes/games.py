"""The games that can be played."""

from __future__ import annotations

from fastapi import APIRouter

from parlor.server.api.routes.dependencies import TheCatalogue
from parlor.server.operations.threads import in_thread
from parlor.server.schemas.common import PROBLEMS
from parlor.server.schemas.games import GameInfo

router = APIRouter(responses=PROBLEMS, prefix="/api/games", tags=["games"])


@router.get("", operation_id="listGames")
async def list_games(catalogue: TheCatalogue) -> list[GameInfo]:
    """All games with their options."""
    return await in_thread(lambda: catalogue.game_infos)
