"""The agents that can sit down, and the strategies of those that are tables."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from parlor.server.displays import StrategyView, display_of
from parlor.server.refusal import Refusal
from parlor.server.routes.dependencies import Id, Limit, Offset, TheCatalogue, sent
from parlor.server.schemas.common import Name, Shape
from parlor.server.schemas.games import AgentInfo
from parlor.server.schemas.strategies import ComparisonPage, InfosetPage
from parlor.server.strategy import Apart, Order, Wanted, browse, compare

router = APIRouter(prefix="/api/agents", tags=["agents"])


async def _wanted(
    text: Annotated[str, Query(max_length=200, description="Words that must occur.")] = "",
    action: Annotated[str, Query(max_length=200, description="An action that must be possible.")] = "",
    player: Annotated[int | None, Query(ge=0, le=15, description="Whose they must be.")] = None,
) -> Wanted:
    return Wanted(tuple(text.casefold().split()), action, player)


TheWanted = Annotated[Wanted, Depends(_wanted)]


@router.get("", operation_id="listAgents")
async def list_agents(
    catalogue: TheCatalogue, game: Annotated[Name | None, Query(description="Only those who play it.")] = None
) -> list[AgentInfo]:
    """Built-in agents, saved policies, and every checkpoint of every run."""
    return await asyncio.to_thread(catalogue.agents, game)


@router.get("/{agent}", operation_id="getAgent")
async def get_agent(agent: Id, catalogue: TheCatalogue) -> AgentInfo:
    """One of them."""
    return await asyncio.to_thread(catalogue.agent_info, agent)


@router.get("/{agent}/infosets", operation_id="listInfosets", response_model=InfosetPage)
async def list_infosets(
    agent: Id,
    catalogue: TheCatalogue,
    wanted: TheWanted,
    sort: Order = "-visits",
    offset: Offset = 0,
    limit: Limit = 50,
) -> Response:
    """The information sets of a table policy, in words."""

    def work() -> InfosetPage:
        return browse(catalogue.own_game(agent), wanted, sort, offset, limit)

    return sent(await asyncio.to_thread(work))


@router.get("/{agent}/grid", operation_id="getGrid", response_model=StrategyView)
async def get_grid(
    agent: Id,
    catalogue: TheCatalogue,
    line: Annotated[str, Query(max_length=400, description="The moves so far: c-b100-c.")] = "",
    board: Annotated[str, Query(max_length=60, description="As far as it is dealt: Qs7s2h.")] = "",
) -> Response:
    """What an agent plays with all hands after a line of moves, if its game has a picture of that."""

    def work() -> Shape:
        opponent = catalogue.own_game(agent)
        strategy = display_of(opponent.agent.game.name).strategy
        if strategy is None:
            raise Refusal(422, f"{opponent.name} has no grid: {opponent.agent.game.name} has no picture of strategies.")
        return strategy(opponent, line, board)

    return sent(await asyncio.to_thread(work))


@router.get("/{agent}/compare/{other}", operation_id="compareAgents", response_model=ComparisonPage)
async def compare_agents(
    agent: Id,
    other: Id,
    catalogue: TheCatalogue,
    wanted: TheWanted,
    sort: Apart = "-distance",
    offset: Offset = 0,
    limit: Limit = 50,
) -> Response:
    """Two policies at the same information sets, for instance two checkpoints of a run."""

    def work() -> ComparisonPage:
        return compare(catalogue.own_game(agent), catalogue.own_game(other), wanted, sort, offset, limit)

    return sent(await asyncio.to_thread(work))
