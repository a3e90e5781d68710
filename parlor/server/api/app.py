"""The application: the API and the built page, in one process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

import parlor
from parlor.game import GameError
from parlor.runs.files.container import FileError
from parlor.server.api import live
from parlor.server.api.limits import Headers, Names, Rates, SizeLimits, Sockets
from parlor.server.api.routes import (
    agents,
    arena,
    empirical_games,
    games,
    health,
    programs,
    reviews,
    runs,
    seats,
    sign_in,
    tables,
)
from parlor.server.api.sign_in import Attempts, Passwords, SignedIn
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.catalogue.folders import Unknown
from parlor.server.operations.settings import ServerSettings
from parlor.server.operations.watch import Watch, Watched
from parlor.server.refusal import Refusal
from parlor.server.tables.store import AWAY, Store, reason
from parlor.server.tables.tables import Tables
from parlor.server.thinking.thinking import Thinking

STATIC = Path(__file__).parents[1] / "static"
NO_PAGE = """<!doctype html><title>Parlor</title><p>Parlor is running; its page has not been built.
The API is described in <a href="/api/openapi.json">/api/openapi.json</a>."""

UNKEPT = {"Cache-Control": "no-cache"}
EVERYTHING = ("/api", "/metrics")  # what needs signing in, where anybody must
ROUTERS = (
    tables,
    programs,
    seats,
    reviews,
    games,
    agents,
    runs,
    empirical_games,
    arena,
    sign_in,
    health,
)  # what is asked most first

log = logging.getLogger("parlor.server")


@contextlib.asynccontextmanager
async def nothing(app: FastAPI) -> AsyncIterator[None]:
    """Run nothing beside the tables."""
    yield


@dataclass(frozen=True)
class Extension:
    """Something that runs in a server beside its tables, such as a study."""

    routers: Sequence[APIRouter] = ()
    run: Callable[[FastAPI], AbstractAsyncContextManager[None]] = nothing  # while the server runs
    games: tuple[str, ...] = ()  # to offer besides the server's
    only: Collection[str] | None = None  # names of the server's own routes that are offered; None: all
    closed: tuple[str, ...] = EVERYTHING  # beginnings of the paths that need signing in, where anybody must
    meta: str = ""  # in the head of the page, which knows by it; a 404 would be logged
    addresses: bool = True  # whether those of clients are logged


def create_app(settings: ServerSettings, extension: Extension | None = None) -> FastAPI:
    """A server with these settings; nothing is opened before it starts."""
    extra = extension or Extension()
    watch, attempts = Watch(settings.access_log, addresses=extra.addresses), Attempts()
    passwords = Passwords.read(settings.password_file) if settings.password_file else None

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        state = app.state
        folders, offered = [Path(folder) for folder in settings.agents], (*settings.games, *extra.games)
        state.store = Store(settings.database_url, durable=bool(settings.study))
        state.catalogue = Catalogue(folders, offered, settings.python_agents)
        state.thinking = Thinking()
        state.tables = Tables(state.store, state.catalogue, state.thinking, settings.tables)
        beating = asyncio.create_task(watch.beat())
        try:
            await state.store.open()
            _ = state.catalogue.game_infos  # all games are imported before anybody could be held up by it
            async with extra.run(app):
                yield
        finally:
            beating.cancel()
            await state.tables.close()
            await state.thinking.close()
            await state.store.close()
            watch.close()

    app = FastAPI(
        title="Parlor",
        version=parlor.__version__,
        summary="Games of imperfect information: play, and see how the agent decides.",
        description=live.__doc__,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,  # they would load scripts from other sites
        redoc_url=None,
    )
    app.state.watch, app.state.passwords, app.state.attempts = watch, passwords, attempts
    app.state.written = float("-inf")  # when the database was last written to see whether it can be
    own = [route for module in ROUTERS for route in module.router.routes]
    offered = [route for route in own if extra.only is None or getattr(route, "name", "") in extra.only]
    added = [route for router in (*extra.routers, live.router) for route in router.routes]
    app.router.routes += offered + added  # included, they would be made anew for every application
    for kind, answer in ANSWERS.items():
        app.add_exception_handler(kind, _handler(answer))
    app.add_middleware(SizeLimits, settings=settings)
    if passwords is not None:
        app.add_middleware(SignedIn, passwords=passwords, attempts=attempts, closed=extra.closed)
    app.add_middleware(Sockets, settings=settings)
    app.add_middleware(Rates, settings=settings)
    app.add_middleware(Headers)
    app.add_middleware(Names, settings=settings)
    app.add_middleware(Watched, watch=watch)
    app.router.default = Otherwise(GZipMiddleware(Page(STATIC, extra.meta)))
    return app


# --------------------------------------------------------------------------------------------------- errors


def problem(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """A response with an error message."""
    return JSONResponse({"detail": sentence}, status, headers)


def _refused(error: Refusal) -> Response:
    headers = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "1"}}
    return problem(error.status, error.sentence, headers.get(error.status))


def _away(error: Exception) -> Response:
    log.warning("the database cannot be reached: %s", reason(error))
    sentence = "The database cannot be reached at the moment. Try again: no move is made twice."
    return problem(503, sentence, {"Retry-After": "1"})


#: The response to each kind of error.
ANSWERS: dict[type[Exception], Callable[[Any], Response]] = {
    Refusal: _refused,
    Unknown: lambda error: problem(404, str(error)),
    GameError: lambda error: problem(422, str(error)),
    FileError: lambda _: problem(409, "A file that this needs cannot be read, or it is damaged."),
    RequestValidationError: lambda error: problem(*explained(error)),
    HTTPException: lambda error: problem(error.status_code, _http_sentence(error), error.headers),
    Exception: lambda _: problem(500, "Something went wrong on the server; the error is in its log."),
    **dict.fromkeys(AWAY, _away),
}


def _handler(answer: Callable[[Any], Response]) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def handle(request: Request, error: Exception) -> Response:
        return answer(error)

    return handle


#: What pydantic finds -> the same for people, with the field that it is about.
SENTENCES = {
    "missing": "{what} is missing.",
    "extra_forbidden": "{what} is not known here.",
    "string_type": "{what} must be text.",
    "string_too_short": "{what} must not be empty.",
    "string_too_long": "{what} is too long: at most {max_length} characters.",
    "string_pattern_mismatch": "{what} has characters that cannot be used there.",
    "int_type": "{what} must be a whole number.",
    "int_parsing": "{what} must be a whole number.",
    "float_type": "{what} must be a number.",
    "bool_type": "{what} must be true or false.",
    "list_type": "{what} must be a list.",
    "dict_type": "{what} must be an object, with a name for each value.",
    "model_attributes_type": "{what} must be an object, with a name for each value.",
    "too_long": "{what} is too long: at most {max_length}.",
    "too_short": "{what} is too short: at least {min_length}.",
    "greater_than_equal": "{what} must be at least {ge}.",
    "less_than_equal": "{what} must be at most {le}.",
    "literal_error": "{what} must be {expected}.",
}


def explained(error: RequestValidationError) -> tuple[int, str]:
    """Return the status and a sentence that names the invalid field, without quoting what was sent."""
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return 400, "The body of the request is not JSON."
    where = [part for part in first["loc"] if part not in ("body", "query", "path")]
    field = " of ".join(f"number {part + 1}" if isinstance(part, int) else f"{part!r}" for part in reversed(where))
    what = field[:1].upper() + field[1:100] if field else "The request"
    sentence = SENTENCES.get(first["type"])
    if sentence is None:
        return 422, f"{what}: {first['msg'].rstrip('.')}."
    return 422, sentence.format(what=what, **first.get("ctx", {}))


def _http_sentence(error: HTTPException) -> str:
    sentences = {404: "There is nothing at this address.", 405: "This cannot be done at this address."}
    return sentences.get(error.status_code, str(error.detail))


# --------------------------------------------------------------------------------------------------- the page


class Otherwise:
    """Everything outside of the API: the page, by HTTP."""

    def __init__(self, page: ASGIApp) -> None:
        self.page = page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The page, or a refusal."""
        if scope["type"] == "http":
            await self.page(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(4404, "There is nothing at this address.")(scope, receive, send)


class Page(StaticFiles):
    """The built page; its own client-side addresses get its index."""

    def __init__(self, folder: Path, meta: str = "") -> None:
        """Write `meta` into the head of the index. The folder need not exist yet."""
        super().__init__(directory=folder, check_dir=False)
        self.index, self.meta = folder / "index.html", meta

    async def check_config(self) -> None:
        """Do nothing: the folder need not exist."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or the index for an address of the page."""
        if scope["path"].startswith("/api") or "\x00" in path:
            return problem(404, "There is nothing at this address.")
        if scope["method"] not in ("GET", "HEAD"):
            return problem(405, "This cannot be done at this address.")
        if path in (".", "") or "." not in path.rpartition("/")[2]:
            if not self.index.is_file():
                return HTMLResponse(NO_PAGE)
            if self.meta:
                text = self.index.read_text().replace("<title>", f"{self.meta}<title>", 1)
                return HTMLResponse(text, headers=UNKEPT)
            return FileResponse(self.index, headers=UNKEPT)
        try:
            response = await super().get_response(path, scope)
        except (HTTPException, OSError, ValueError):
            return problem(404, "There is nothing at this address.")
        if path.startswith("assets/"):
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
