"""The server with everything that it can run: tables, and a study or the open arena if its settings say so.

uvicorn --factory parlor.study.api.app:from_environment        or        parlor serve
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator

from fastapi import FastAPI

from parlor.game.loading import GAMES
from parlor.server.api import app as server
from parlor.server.api.app import Extension
from parlor.server.open_arena.open_arena import OpenArena
from parlor.server.operations.settings import ServerSettings
from parlor.study.api import participants, researcher
from parlor.study.design.files import read_study
from parlor.study.session.agents import Agents
from parlor.study.session.engine import Study
from parlor.study.session.researcher import Researcher
from parlor.study.session.scheduler import Scheduler

ROUTERS = (participants.router, researcher.router)
#: All of the server's own routes that a study has: at its tables one sees the game and moves, nothing else.
ONLY = ("get_table", "make_move", "list_games", "get_sign_in", "sign_in", "sign_out", "get_health", "get_metrics")
META = '<meta name="parlor-study" content="participants">'
ARENA = '<meta name="parlor-arena" content="open">'


def create_app(settings: ServerSettings) -> FastAPI:
    """A server with these settings; nothing is opened before it starts."""
    if settings.study:
        return server.create_app(settings, study_of(settings))
    return server.create_app(settings, open_arena(settings) if settings.arena else Extension(ROUTERS))


def open_arena(settings: ServerSettings) -> Extension:
    """The open arena of these settings, for a server to run."""

    @contextlib.asynccontextmanager
    async def run(app: FastAPI) -> AsyncIterator[None]:
        state = app.state
        state.arena = OpenArena(state.store, state.catalogue, not settings.fresh_deals)
        playing = asyncio.create_task(state.arena.run())
        try:
            yield
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)

    return Extension(ROUTERS, run, meta=ARENA)


def study_of(settings: ServerSettings) -> Extension:
    """The study of these settings, for a server to run."""
    described = read_study(settings.study)

    @contextlib.asynccontextmanager
    async def run(app: FastAPI) -> AsyncIterator[None]:
        state = app.state
        state.study = Study(described, state.store, state.tables, settings.speed)
        await state.study.open()
        state.researcher = Researcher(state.store, described, state.study.look)
        scheduler = Scheduler(state.study, Agents(state.study))
        scheduler.start()
        try:
            yield
        finally:
            await scheduler.stop()

    games = () if described.game in GAMES else (described.game,)  # it may have options that nobody could ask for
    return Extension(ROUTERS, run, games, ONLY, ("/api/researcher", "/metrics"), META, addresses=False)


def from_environment() -> FastAPI:
    """For uvicorn's --factory and --reload."""
    return create_app(ServerSettings.from_environment())


def schema() -> str:
    """The schema of the server, in a stable order."""
    return json.dumps(create_app(ServerSettings()).openapi(), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema())
