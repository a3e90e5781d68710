"""A study as its participants go through it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Response, WebSocket
from starlette.requests import HTTPConnection, Request

from parlor.server.api.limits import address_of
from parlor.server.api.routes.dependencies import Token, sent
from parlor.server.api.sockets import Look, send_changes
from parlor.server.refusal import Refusal
from parlor.server.schemas.common import PROBLEMS
from parlor.study.schemas import AnswerRequest, Entered, EnterRequest, StudyInfo, StudyState
from parlor.study.session import flow
from parlor.study.session.engine import Study
from parlor.study.session.states import state_of

SOCKETS = 8  # that a participant may have open
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
async def enter(wanted: EnterRequest, study: TheStudy, request: Request) -> Response:
    """Come in by a link, or come back: everything that follows needs the token of the answer, and no older one."""
    token, row = await flow.enter(
        study, wanted.participant, wanted.signature, address_of(request.scope), wanted.parameters
    )
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
    """Send the state now and after every change; who has this open is here, and may say so again and again."""
    await send_changes(socket, lambda token: _feed(study_of(socket), token), may_speak=True)


@contextlib.asynccontextmanager
async def _feed(study: Study, token: str) -> AsyncIterator[tuple[asyncio.Event, Look]]:
    row, sent_last = await flow.who(study, token), None

    async def look() -> tuple[str | None, float]:
        nonlocal sent_last
        state = await state_of(study, await flow.who(study, token))
        mark = state.model_copy(update={"now": ""})
        text = state.model_dump_json() if mark != sent_last else None
        sent_last = mark
        return text, LOOK

    with study.watchers.watching(row["id"], None, SOCKETS) as changed:
        yield changed, look
