"""Programs at tables: the line protocol with the token of a seat, in single requests or over a WebSocket."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response, WebSocket

from parlor.agents.programs import messages
from parlor.agents.programs.program_agent import SECONDS
from parlor.server.api.routes.dependencies import TableId, TheTables, Token
from parlor.server.api.socket_wire import connected
from parlor.server.programs import table_program
from parlor.server.programs.remote import RemoteProgram
from parlor.server.schemas.common import PROBLEMS
from parlor.server.schemas.programs import QuestionAnswer
from parlor.server.tables.tables import Tables

HOUR = 3600.0  # seconds for an answer: at a table, the clock of the table is what limits it

Wait = Annotated[float, Query(ge=0, le=table_program.MAX_WAIT, description="Seconds to wait for a question.")]

router = APIRouter(responses=PROBLEMS, prefix="/api/tables", tags=["programs"])


@router.get("/{table}/question", operation_id="getQuestionOfSeat", response_model=dict[str, Any])
async def get_question_of_seat(table: TableId, tables: TheTables, token: Token, wait: Wait = 0) -> Response:
    """The message of the line protocol for your seat: `act`, `end`, or `wait`: there is nothing to answer yet."""
    return _message(await table_program.question(tables, table, token, wait))


@router.post("/{table}/answer", operation_id="answerQuestion", response_model=dict[str, Any])
async def answer_question(table: TableId, wanted: QuestionAnswer, tables: TheTables, token: Token) -> Response:
    """Answer `act` by a move, an action or probabilities; returns the next message. Sent twice, a move counts once."""
    return _message(await table_program.answer(tables, table, token, wanted.model_dump(exclude_none=True)))


def _message(message: dict[str, Any]) -> Response:
    return Response(messages.line(message), media_type="application/json")


@router.websocket("/{table}/program")
async def program(socket: WebSocket, table: str) -> None:
    """Speak the line protocol to the end of the game; the first message is {"token": "…"}."""
    tables: Tables = socket.app.state.tables
    async with connected(socket) as (wire, token):
        async with tables.locked(table) as session:
            await tables.seat_of(session, token)
            game, clock = session.game, session.row["clock"]
        await table_program.play(
            tables, table, token, RemoteProgram(wire, game, HOUR if clock is None else clock + SECONDS)
        )
