"""Reviews of finished games."""

from __future__ import annotations

from fastapi import APIRouter, Response

from parlor.server.api.routes.dependencies import OPEN, TableId, TheTables, Token, sent
from parlor.server.schemas.common import PROBLEMS
from parlor.server.schemas.review import Review
from parlor.server.tables import table_queries

router = APIRouter(responses=PROBLEMS, prefix="/api/tables", tags=["tables"])


@router.get("/{table}/review", operation_id="reviewTable", response_model=Review, openapi_extra=OPEN)
async def review_table(table: TableId, tables: TheTables, token: Token) -> Response:
    """A review of an open game: your seat's expected payoff at every decision, and its costliest moves.

    It is worked on for some seconds: ask again until it is done.
    """
    return sent(await table_queries.review(tables, table, token))
