"""A study as its participants go through it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated

from fastapi import APIRouter, Depends, Response, WebSocket, WebSocketDisconnect
from starlette.requests import HTTPConnection

from parlor.server.api.live import close, same_origin, token_of
from parlor.server.api.routes.dependencies import Token, sent
from parlor.server.refusal import Refusal
from parlor.server.schemas.common import PROBLEMS
from parlor.server.tables.store import AWAY, Row
from parlor.study.schemas import AnswerRequest, Entered, EnterRequest, StudyInfo, StudyState
from parlor.study.session import flow
from parlor.study.session.engine import Study
from parlor.study.session.states import state_of

LOOK = 2.0  # seconds between looks without news: a waiting room fills without any for those who wait

router = APIRouter(responses=PROBLEMS, prefix="/api/study", tags=["study"])


def study_of(connection: HTTPConnection) -> Study:
    """The study of this server."""
    study: Study | None = getattr(connection.app.state, "study", None)
    if study is None:
        raise Refusal(404, "This server runs no study.")
    return study


async def _participants_token(token: Token) -> str:
    if not token:
        raise Refusal(401, "This needs the token of a participant, as Authorization: Bearer TOKEN.")
    return token


TheStudy = Annotated[Study, Depends(study_of)]
ParticipantsToken = Annotated[str, Depends(_participants_token)]


@router.get("", operation_id="getStudy", response_model=StudyInfo)
async def get_study(study: TheStudy) -> Response:
    """Which study runs here; 404 if none does."""
    told = study.description
    return sent(StudyInfo(title=told.title, parameter=told.entry.parameter, state=study.row["state"]))


@router.post("/enter", operation_id="enterStudy", response_model=Entered)
async def enter(wanted: EnterRequest, study: TheStudy) -> Response:
    """Come in by a link, or come back: everything that follows needs the token of the answer, and no older one."""
    token, row = await flow.enter(study, wanted.participant, wanted.signature)
    return sent(Entered(token=token, state=await state_of(study, row)))


@router.get("/state", operation_id="getStudyState", response_model=StudyState)
async def get_state(token: ParticipantsToken, study: TheStudy) -> Response:
    """Your stage of the study, and the content of its page."""
    return sent(await state_of(study, await flow.who(study, token)))


@router.post("/answer", operation_id="answerStudy", response_model=StudyState)
async def answer(wanted: AnswerRequest, token: ParticipantsToken, study: TheStudy) -> Response:
    """Answer and go on. Sent twice, it counts once."""
    row = await flow.answer(study, token, wanted.stage, wanted.step, wanted.answers)
    return sent(await state_of(study, row))


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """Send the state now and after every change; who has this open is here."""
    if not same_origin(socket):
        await socket.close(4403, "Only pages of this server may watch.")
        return
    await socket.accept()
    try:
        study = study_of(socket)
        token = await token_of(socket)
        row = await flow.who(study, token)
        with study.watching(row["id"]) as changed:
            gone = asyncio.create_task(_listen(socket))
            try:
                await _send_changes(socket, study, token, changed, gone)
            finally:
                gone.cancel()
    except Refusal as refusal:
        await close(socket, 4000 + refusal.status, refusal.sentence)
    except AWAY:
        await close(socket, 4503, "The database cannot be reached at the moment.")
    except WebSocketDisconnect:
        pass


async def _listen(socket: WebSocket) -> None:
    """Until the client goes away; what it says meanwhile only shows that it is there."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (await socket.receive())["type"] == "websocket.receive":
            pass


async def _send_changes(
    socket: WebSocket, study: Study, token: str, changed: asyncio.Event, gone: asyncio.Task[None]
) -> None:
    sent_last = None
    while not gone.done():
        changed.clear()
        row: Row = await flow.who(study, token)
        state = await state_of(study, row)
        mark = state.model_copy(update={"now": ""})
        if mark != sent_last:
            await socket.send_text(state.model_dump_json())
            sent_last = mark
        news = asyncio.create_task(changed.wait())
        await asyncio.wait({news, gone}, timeout=LOOK, return_when=asyncio.FIRST_COMPLETED)
        news.cancel()
