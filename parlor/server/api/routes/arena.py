"""The open arena: register an agent, play, and see the standings, the matches and their games."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response, WebSocket
from starlette.requests import HTTPConnection, Request

from parlor.server.api.limits import address_of
from parlor.server.api.routes.dependencies import Id, Limit, sent
from parlor.server.api.socket_wire import connected
from parlor.server.open_arena import arena_queries
from parlor.server.open_arena.open_arena import SECONDS, OpenArena
from parlor.server.programs.remote import RemoteProgram
from parlor.server.refusal import Refusal
from parlor.server.schemas.arena import (
    ArenaInfo,
    ArenaMatch,
    ArenaMatchGames,
    ArenaStandings,
    MatchRecord,
    Registered,
    Registration,
)
from parlor.server.schemas.common import PROBLEMS
from parlor.server.tables.session import hashed
from parlor.server.tables.store import now

router = APIRouter(responses=PROBLEMS, prefix="/api/arena", tags=["arena"])


def arena_of(connection: HTTPConnection) -> OpenArena:
    """The arena of this server."""
    arena: OpenArena | None = getattr(connection.app.state, "arena", None)
    if arena is None:
        raise Refusal(404, "This server has no arena: it is started with parlor serve --arena.")
    return arena


TheArena = Annotated[OpenArena, Depends(arena_of)]
GameQuery = Annotated[str, Query(min_length=1, max_length=1000, description="A game, with its options.")]
AgentQuery = Annotated[str | None, Query(max_length=64, description="Only the matches of this agent, by its id.")]


@router.get("", operation_id="getArena", response_model=ArenaInfo)
async def get_arena(arena: TheArena) -> Response:
    """The games of the arena; 404 if this server has none."""
    return sent(await arena_queries.info(arena))


@router.post("/agents", operation_id="registerAgent", status_code=201, response_model=Registered)
async def register_agent(wanted: Registration, arena: TheArena, request: Request) -> Response:
    """Register an agent for a game. Its program plays with the token in the response, which is never shown again."""
    row, token = await arena.register(wanted.game, wanted.name, hashed(address_of(request.scope)))
    return sent(Registered(id=row["id"], game=row["game"], name=row["name"], token=token), 201)


@router.get("/standings", operation_id="getArenaStandings", response_model=ArenaStandings)
async def get_arena_standings(arena: TheArena, game: GameQuery) -> Response:
    """The standings at a game, with intervals; games of people with agents stand apart."""
    return sent(await arena_queries.table_of(arena, game))


@router.get("/matches", operation_id="listArenaMatches", response_model=list[ArenaMatch])
async def list_arena_matches(
    arena: TheArena, game: GameQuery, agent: AgentQuery = None, limit: Limit = 20
) -> list[ArenaMatch]:
    """The newest matches of a game: before the first deal, each has a commitment to all of its deals."""
    return await arena_queries.matches(arena, game, agent, limit)


@router.get("/matches/{match}", operation_id="getArenaMatch", response_model=ArenaMatchGames)
async def get_arena_match(match: Id, arena: TheArena) -> Response:
    """A match and its games, which are tables that anybody can look at."""
    return sent(await arena_queries.games(arena, match))


@router.get("/matches/{match}/record", operation_id="exportArenaMatch", response_model=MatchRecord)
async def export_arena_match(match: Id, arena: TheArena) -> Response:
    """A match that is over as a file, with the secret of its deals: `parlor verify` draws them again."""
    return sent(await arena_queries.record(arena, match))


@router.websocket("/play")
async def play(socket: WebSocket) -> None:
    """Speak the line protocol as long as the program is connected; the first message is {"token": "…"}."""
    async with connected(socket) as (wire, token):
        arena = arena_of(socket)
        row, game = await arena.agent(token)
        program = RemoteProgram(wire, game, SECONDS)
        await program.start()
        await arena.store.see(row["id"], now())
        with arena.playing(row, program):
            await wire.gone.wait()
            raise wire.why
