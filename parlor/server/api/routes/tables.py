"""Tables: create, look, move, let agents move, replay, branch, export and import games."""

from __future__ import annotations

from fastapi import APIRouter, Response

from parlor.page.shapes import Frontier
from parlor.server.api.routes.dependencies import (
    OPEN,
    Maker,
    Outside,
    PlyInPath,
    SeatOf,
    Since,
    TableId,
    TheTables,
    Token,
    created,
    sent,
)
from parlor.server.catalogue.displays import Notes
from parlor.server.schemas.common import PROBLEMS
from parlor.server.schemas.mind import Mind, MindList
from parlor.server.schemas.tables import (
    AdvanceRequest,
    AnyRecord,
    BranchRequest,
    GameRecord,
    MoveRequest,
    NewTable,
    Pacing,
    Seated,
    Shuffle,
    TableState,
    UndoRequest,
)
from parlor.server.tables import branches, table_moves, table_queries, table_seats

router = APIRouter(responses=PROBLEMS, prefix="/api/tables", tags=["tables"])


@router.post("", operation_id="createTable", status_code=201, response_model=Seated)
async def create_table(wanted: NewTable, tables: TheTables, maker: Maker) -> Response:
    """Create a table. The token in the response is needed for everything your seat does, and never shown again."""
    return created(await table_seats.create(tables, wanted, maker))


@router.post("/import", operation_id="importGame", status_code=201, response_model=Seated)
async def import_game(record: AnyRecord, tables: TheTables, maker: Maker) -> Response:
    """A table from a file. It is replayed move by move; a file that does not replay is refused."""
    return created(await branches.take_in(tables, record, maker))


@router.get("/{table}", operation_id="getTable", response_model=TableState, openapi_extra=OPEN)
async def get_table(table: TableId, tables: TheTables, token: Token, since: Since = 0) -> Response:
    """The table as your seat sees it; without a token as a spectator, if it is open or may be watched."""
    return sent(await table_queries.state(tables, table, token, since))


@router.post("/{table}/moves", operation_id="makeMove", response_model=TableState)
async def make_move(table: TableId, wanted: MoveRequest, tables: TheTables, token: Token, since: Since = 0) -> Response:
    """Move. A move sent twice is made once; another move at the same ply is refused with 409."""
    return sent(await table_moves.move(tables, table, token, wanted, since))


@router.post("/{table}/advance", operation_id="advanceAgent", response_model=TableState)
async def advance_agent(
    table: TableId, wanted: AdvanceRequest, tables: TheTables, token: Token, since: Since = 0
) -> Response:
    """Let an agent make one move, at tables where agents do not answer at once."""
    return sent(await table_moves.advance(tables, table, token, wanted, since))


@router.put("/{table}/pace", operation_id="setPace", response_model=TableState)
async def set_pace(table: TableId, wanted: Pacing, tables: TheTables, token: Token, since: Since = 0) -> Response:
    """Set whether agents answer at once or step by step; the host does, or anybody if the host has left."""
    return sent(await table_moves.set_pace(tables, table, token, wanted.pace, since))


@router.post("/{table}/resign", operation_id="resign", response_model=TableState)
async def resign(table: TableId, tables: TheTables, token: Token) -> Response:
    """Resign: with two players the game is over; with more an agent plays on for you."""
    return sent(await table_moves.resign(tables, table, token))


@router.get("/{table}/replay/{ply}", operation_id="replayTable", response_model=TableState, openapi_extra=OPEN)
async def replay_table(table: TableId, ply: PlyInPath, tables: TheTables, token: Token) -> Response:
    """The table as you saw it at a ply; from all sides when the game is open."""
    return sent(await table_queries.replay(tables, table, token, ply))


@router.post("/{table}/branch", operation_id="branchTable", status_code=201, response_model=Seated, openapi_extra=OPEN)
async def branch_table(
    table: TableId, wanted: BranchRequest, tables: TheTables, token: Token, maker: Maker
) -> Response:
    """A new table that continues from a ply of this one, when nothing in it is hidden any more; later draws are new."""
    return created(await branches.branch(tables, table, token, wanted, maker))


@router.post("/{table}/undo", operation_id="undoMove", status_code=201, response_model=Seated)
async def undo_move(table: TableId, wanted: UndoRequest, tables: TheTables, token: Token) -> Response:
    """Take back a move, where you are the only person: a new table continues before it, with the same cards."""
    return created(await branches.undo(tables, table, token, wanted))


@router.get("/{table}/shuffle", operation_id="getShuffle", response_model=Shuffle)
async def get_shuffle(table: TableId, tables: TheTables) -> Response:
    """The commitment to the draws of a table; when the game is over, their secret too. See `parlor verify`."""
    return sent(await table_queries.shuffle(tables, table))


@router.get("/{table}/record", operation_id="exportGame", response_model=GameRecord, openapi_extra=OPEN)
async def export_game(table: TableId, tables: TheTables, token: Token) -> Response:
    """The game as a file, once nothing in it is hidden."""
    return sent(await table_queries.record(tables, table, token))


@router.get("/{table}/notes/{ply}", operation_id="getNotes", response_model=Notes, openapi_extra=OPEN)
async def get_notes(table: TableId, ply: PlyInPath, tables: TheTables, token: Token, seat: SeatOf = None) -> Response:
    """Deductions from your seat's observations up to a ply, in games with a notepad; any seat's at the end."""
    return sent(await table_queries.notes(tables, table, token, ply, seat))


@router.get("/{table}/frontier", operation_id="getFrontier", response_model=Frontier, openapi_extra=OPEN)
async def get_frontier(table: TableId, tables: TheTables, token: Token) -> Response:
    """The achievable payoffs of a game that is over, with their Pareto frontier, in games with bargaining."""
    return sent(await table_queries.frontier(tables, table, token))


@router.get("/{table}/mind", operation_id="listMinds", response_model=MindList, openapi_extra=OPEN)
async def list_minds(table: TableId, tables: TheTables, token: Token) -> Response:
    """The plies at which the mind can be shown now."""
    return sent(await table_queries.minds(tables, table, token))


@router.get("/{table}/mind/{ply}", operation_id="getMind", response_model=Mind, openapi_extra=OPEN)
async def get_mind(
    table: TableId, ply: PlyInPath, tables: TheTables, token: Token, outside: Outside = False
) -> Response:
    """The basis of an agent's decision at a past ply; at a person's, of the decision an agent would have made."""
    return sent(await table_queries.mind(tables, table, token, ply, outside))
