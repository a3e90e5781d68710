"""The seats of a table: who may sit down, leave, come back, let an agent play, or move to another browser."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from parlor.server.api.routes.dependencies import Since, TableId, TheTables, Token, sent
from parlor.server.schemas.common import PROBLEMS
from parlor.server.schemas.tables import (
    AgentWish,
    ClaimRequest,
    JoinRequest,
    SeatCode,
    Seated,
    TablePreview,
    TableState,
    Watching,
)
from parlor.server.tables import table_queries, table_seats

router = APIRouter(responses=PROBLEMS, prefix="/api/tables", tags=["seats"])

SeatInPath = Annotated[int, Path(ge=0, le=15)]


@router.get("/{table}/preview", operation_id="getTablePreview", response_model=TablePreview)
async def get_table_preview(table: TableId, tables: TheTables) -> Response:
    """The public facts of a table: the game, whether there is an open seat, whether it may be watched."""
    return sent(await table_queries.preview(tables, table))


@router.post("/{table}/join", operation_id="joinTable", status_code=201, response_model=Seated)
async def join_table(table: TableId, wanted: JoinRequest, tables: TheTables) -> Response:
    """Take an open seat; the token in the response is yours. When the last one is taken, the game begins."""
    return sent(await table_seats.join(tables, table, wanted), 201)


@router.post("/{table}/leave", operation_id="leaveTable", response_model=TableState)
async def leave_table(table: TableId, tables: TheTables, token: Token, since: Since = 0) -> Response:
    """Leave the table: the others see it, and may let an agent play on."""
    return sent(await table_seats.leave(tables, table, token, since))


@router.post("/{table}/return", operation_id="returnToTable", response_model=TableState)
async def return_to_table(table: TableId, tables: TheTables, token: Token, since: Since = 0) -> Response:
    """Come back to your seat, also if an agent plays there."""
    return sent(await table_seats.come_back(tables, table, token, since))


@router.put("/{table}/seats/{seat}", operation_id="seatAgent", response_model=TableState)
async def seat_agent(
    table: TableId, seat: SeatInPath, wanted: AgentWish, tables: TheTables, token: Token, since: Since = 0
) -> Response:
    """Let an agent take an open seat, one whose person has left, or your own."""
    return sent(await table_seats.seat_agent(tables, table, token, seat, wanted.agent, since))


@router.post("/{table}/code", operation_id="getSeatCode", status_code=201, response_model=SeatCode)
async def get_seat_code(table: TableId, tables: TheTables, token: Token) -> Response:
    """A code that moves your seat to another browser, within ten minutes and once."""
    return sent(await table_seats.seat_code(tables, table, token), 201)


@router.post("/{table}/claim", operation_id="claimSeat", status_code=201, response_model=Seated)
async def claim_seat(table: TableId, wanted: ClaimRequest, tables: TheTables) -> Response:
    """Take over a seat by its code, with a new token; the old one stops working."""
    return sent(await table_seats.claim(tables, table, wanted.code), 201)


@router.put("/{table}/watch", operation_id="setWatch", response_model=TableState)
async def set_watch(table: TableId, wanted: Watching, tables: TheTables, token: Token, since: Since = 0) -> Response:
    """Set whether others may watch while the game runs; the host does."""
    return sent(await table_seats.set_watch(tables, table, token, wanted.watch, since))
