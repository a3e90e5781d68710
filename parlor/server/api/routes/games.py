"""The games that can be played."""

from __future__ import annotations

from fastapi import APIRouter, Response

from parlor.server.api.routes.dependencies import TheCatalogue, sent
from parlor.server.operations.threads import in_thread
from parlor.server.schemas.common import PROBLEMS
from parlor.server.schemas.games import GameInfo

router = APIRouter(responses=PROBLEMS, prefix="/api/games", tags=["games"])


@router.get("", operation_id="listGames", response_model=list[GameInfo])
async def list_games(catalogue: TheCatalogue) -> Response:
    """All games with their options."""
    async with catalogue.listing:  # one request loads the games, and no thread waits for that
        return await in_thread(lambda: sent(catalogue.game_infos))
