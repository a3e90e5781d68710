"""A study for its researcher, who has signed in."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from parlor.server.api.routes.dependencies import sent
from parlor.server.refusal import Refusal
from parlor.server.schemas.common import PROBLEMS
from parlor.study.schemas import Overview, ResultsSoFar, StateRequest
from parlor.study.session.researcher import Researcher

router = APIRouter(responses=PROBLEMS, prefix="/api/researcher", tags=["researcher"])


async def the_researcher(request: Request) -> Researcher:
    """The study of this server, for somebody who could sign in."""
    found: Researcher | None = getattr(request.app.state, "researcher", None)
    if found is None:
        raise Refusal(404, "No study is run at this server.")
    if request.app.state.passwords is None:
        raise Refusal(403, "Nobody can sign in at this server: start it with a password file.")
    return found


TheResearcher = Annotated[Researcher, Depends(the_researcher)]
Reveal = Annotated[bool, Query(description="Show them although the study runs; this is recorded.")]
PlatformIds = Annotated[bool, Query(description="Add the ids of the recruiting platform: personal data.")]


@router.get("", operation_id="getOverview", response_model=Overview)
async def get_overview(researcher: TheResearcher) -> Response:
    """The numbers of participants by stage and of games by ending, and the pay due."""
    return sent(await researcher.overview())


@router.get("/results", operation_id="getResultsSoFar", response_model=ResultsSoFar)
async def get_results(researcher: TheResearcher, reveal: Reveal = False) -> Response:
    """Mean points by condition and agent; hidden while the study runs, unless they are asked for."""
    return sent(await researcher.results(reveal))


@router.put("/state", operation_id="setStudyState", response_model=Overview)
async def set_state(wanted: StateRequest, researcher: TheResearcher) -> Response:
    """Pause the study, go on, or stop it for good: games that run are played to their end."""
    await researcher.set_state(wanted.state)
    return sent(await researcher.overview())


@router.get("/pay", operation_id="getPayList", response_class=Response, responses={200: {"content": {"text/csv": {}}}})
async def get_pay_list(researcher: TheResearcher) -> Response:
    """Whom to pay how much, as CSV."""
    return _file("pay.csv", (await researcher.pay_list()).encode(), "text/csv; charset=utf-8")


@router.get(
    "/data",
    operation_id="getStudyData",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}}},
)
async def get_data(researcher: TheResearcher, platform_ids: PlatformIds = False) -> Response:
    """The data as a ZIP file, without games that run."""
    name, content = await researcher.data(platform_ids)
    return _file(name, content, "application/zip")


def _file(name: str, content: bytes, kind: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, 200, headers, kind)
