"""The agents that can sit down, and the strategies of those that are tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, Query, Response

from parlor.page.shapes import MAX_SEED, Shape
from parlor.server.api.routes.dependencies import Id, Limit, Offset, TheCatalogue, TheThinking, sent
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.catalogue.displays import StrategyView
from parlor.server.explain import jobs
from parlor.server.explain.strategy import Apart, InfosetQuery, Order
from parlor.server.operations.threads import in_thread
from parlor.server.schemas.common import PROBLEMS, Name
from parlor.server.schemas.games import AgentInfo
from parlor.server.schemas.quiz import QuizQuestion
from parlor.server.schemas.strategies import ComparisonPage, InfosetPage
from parlor.server.thinking.thinking import Thinking

router = APIRouter(responses=PROBLEMS, prefix="/api/agents", tags=["agents"])


async def _query(
    text: Annotated[str, Query(max_length=200, description="Words that must occur.")] = "",
    action: Annotated[str, Query(max_length=200, description="An action that must be possible.")] = "",
    player: Annotated[int | None, Query(ge=0, le=15, description="The player to move.")] = None,
) -> InfosetQuery:
    return InfosetQuery(tuple(text.casefold().split()), action, player)


TheQuery = Annotated[InfosetQuery, Depends(_query)]


@router.get("", operation_id="listAgents", response_model=list[AgentInfo])
async def list_agents(
    catalogue: TheCatalogue, game: Annotated[Name | None, Query(description="Only agents that play it.")] = None
) -> Response:
    """Built-in agents, saved policies, and every checkpoint of every run."""
    return await in_thread(lambda: sent(catalogue.agents(game)))


@router.get("/{agent}", operation_id="getAgent")
async def get_agent(agent: Id, catalogue: TheCatalogue) -> AgentInfo:
    """One agent."""
    return await in_thread(lambda: catalogue.agent_info(agent))


@router.get("/{agent}/infosets", operation_id="listInfosets", response_model=InfosetPage)
async def list_infosets(
    agent: Id,
    catalogue: TheCatalogue,
    thinking: TheThinking,
    query: TheQuery,
    sort: Order = "-visits",
    offset: Offset = 0,
    limit: Limit = 50,
) -> Response:
    """The information sets of a table policy, in words."""
    task = (catalogue.offered, agent, query, sort, offset, limit)
    return sent(await _page(thinking, catalogue, agent, jobs.browsed, task))


@router.get("/{agent}/grid", operation_id="getGrid", response_model=StrategyView)
async def get_grid(
    agent: Id,
    catalogue: TheCatalogue,
    thinking: TheThinking,
    line: Annotated[str, Query(max_length=400, description="The moves so far: c-b100-c.")] = "",
    board: Annotated[str, Query(max_length=60, description="As far as it is dealt: Qs7s2h.")] = "",
) -> Response:
    """An agent's strategy for all hands after a line of moves, if its game has such a grid."""
    return sent(await _page(thinking, catalogue, agent, jobs.grid, (catalogue.offered, agent, line, board)))


@router.get("/{agent}/quiz", operation_id="getQuestion", response_model=QuizQuestion)
async def get_question(
    agent: Id, catalogue: TheCatalogue, thinking: TheThinking, seed: Annotated[int, Query(ge=0, le=MAX_SEED)]
) -> Response:
    """A situation from a game that a strategy plays with itself, and what it does there."""
    return sent(await _page(thinking, catalogue, agent, jobs.asked, (catalogue.offered, agent, seed)))


@router.get("/{agent}/compare/{other}", operation_id="compareAgents", response_model=ComparisonPage)
async def compare_agents(
    agent: Id,
    other: Id,
    catalogue: TheCatalogue,
    thinking: TheThinking,
    query: TheQuery,
    sort: Apart = "-distance",
    offset: Offset = 0,
    limit: Limit = 50,
) -> Response:
    """Two policies at the same information sets, for instance two checkpoints of a run."""
    task = (catalogue.offered, agent, other, query, sort, offset, limit)
    return sent(await _page(thinking, catalogue, agent, jobs.compared, task, other))


async def _page(
    thinking: Thinking, catalogue: Catalogue, agent: str, function: Callable[[Any], Any], task: Any, *others: str
) -> Shape:
    """Something about strategies from files, which another process works out; kept as long as the files stay."""
    stamps = await in_thread(lambda: tuple(catalogue.folders.file(id).stamp for id in (agent, *others)))
    return cast(Shape, await thinking.answer("pages", (function.__name__, stamps, task), function, task))
