"""The application: the API and the built page, in one process.

uvicorn --factory parlor.server.api.app:from_environment        or        parlor serve
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

import parlor
from parlor.game import GameError
from parlor.game.loading import GAMES
from parlor.runs.files.policy_files import FileError
from parlor.server.api import live
from parlor.server.api.limits import Headers, Rates, SizeLimits, Sockets
from parlor.server.api.routes import (
    agents,
    empirical_games,
    games,
    health,
    researcher,
    reviews,
    runs,
    seats,
    sign_in,
    study,
    tables,
)
from parlor.server.api.sign_in import Attempts, Passwords, SignedIn
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.catalogue.folders import Unknown
from parlor.server.explain.reviews import Reviews
from parlor.server.operations.settings import ServerSettings
from parlor.server.operations.watch import Watch, Watched
from parlor.server.refusal import Refusal
from parlor.server.tables.store import AWAY, Store, reason
from parlor.server.tables.tables import Tables
from parlor.study.design.description import Description
from parlor.study.design.files import read_study
from parlor.study.session.agents import Agents
from parlor.study.session.engine import Study
from parlor.study.session.researcher import Researcher
from parlor.study.session.ticker import Ticker

STATIC = Path(__file__).parents[1] / "static"
NO_PAGE = """<!doctype html><title>Parlor</title><p>Parlor is running; its page has not been built.
The API is described in <a href="/api/openapi.json">/api/openapi.json</a>."""

UNKEPT = {"Cache-Control": "no-cache"}
STUDIED = '<meta name="parlor-study" content="participants"><title>'  # by which the page knows; a 404 would be logged
STUDY = ("getTable", "makeMove")  # all that can be done at a table of a server that runs a study
RESEARCHER = ("/api/researcher", "/metrics")  # what needs signing in there

log = logging.getLogger("parlor.server")


def create_app(settings: ServerSettings) -> FastAPI:
    """A server with these settings; nothing is opened before it starts."""
    described = read_study(settings.study) if settings.study else None

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.store = Store(settings.database_url)
        app.state.catalogue = Catalogue(
            [Path(folder) for folder in settings.agents], _games(settings, described), settings.python_agents
        )
        app.state.tables = Tables(app.state.store, app.state.catalogue, settings.tables)
        app.state.reviews = Reviews(app.state.catalogue)
        app.state.study = app.state.researcher = None
        await app.state.store.open()
        ticker = None
        if described is not None:
            app.state.study = Study(described, app.state.store, app.state.tables, settings.speed)
            await app.state.study.open()
            app.state.researcher = Researcher(app.state.store, described, app.state.study.look)
            ticker = Ticker(app.state.study, Agents(app.state.study))
            ticker.start()
        try:
            yield
        finally:
            if ticker is not None:
                await ticker.stop()
            app.state.reviews.close()
            await app.state.store.close()
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
    watch, attempts = Watch(settings.access_log, addresses=not settings.study), Attempts()
    passwords = Passwords.read(settings.password_file) if settings.password_file else None
    app.state.watch, app.state.passwords, app.state.attempts = watch, passwords, attempts
    app.state.written = float("-inf")  # when the database was last written to see whether it can be
    everything = (tables, seats, reviews, games, agents, runs, empirical_games, sign_in, health, study, researcher)
    offered = everything if described is None else (study, games, researcher, sign_in, health)
    if described is not None:
        app.router.routes += [route for route in tables.router.routes if getattr(route, "operation_id", "") in STUDY]
    for routes in offered:  # what is asked most comes first
        app.router.routes += routes.router.routes  # included, they would be made anew for every application
    app.router.routes += live.router.routes
    _say_no_in_sentences(app)
    app.add_middleware(SizeLimits, settings=settings)
    if passwords is not None:
        closed = RESEARCHER if described is not None else ("/api", "/metrics")
        app.add_middleware(SignedIn, passwords=passwords, attempts=attempts, closed=closed)
    app.add_middleware(Sockets, settings=settings)
    app.add_middleware(Rates, settings=settings)
    app.add_middleware(Headers)
    app.add_middleware(Watched, watch=watch)
    app.router.default = Otherwise(GZipMiddleware(Page(STATIC, study=described is not None)))
    return app


def _games(settings: ServerSettings, study: Description | None) -> tuple[str, ...]:
    """The games besides Parlor's own: that of the study may have options that nobody could ask for."""
    return settings.games if study is None or study.game in GAMES else (*settings.games, study.game)


def from_environment() -> FastAPI:
    """For uvicorn's --factory and --reload."""
    return create_app(ServerSettings.from_environment())


# --------------------------------------------------------------------------------------------------- errors


def problem(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    """A response with an error message."""
    return JSONResponse({"detail": sentence}, status, headers)


def _say_no_in_sentences(app: FastAPI) -> None:
    async def refused(request: Request, error: Any) -> Response:
        headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else None
        return problem(error.status, error.sentence, headers)

    async def unknown(request: Request, error: Any) -> Response:
        return problem(404, str(error))

    async def impossible(request: Request, error: Any) -> Response:
        return problem(422, str(error))

    async def unreadable(request: Request, error: Any) -> Response:
        return problem(409, "A file that this needs cannot be read, or it is damaged.")

    async def malformed(request: Request, error: Any) -> Response:
        status, sentence = explained(error)
        return problem(status, sentence)

    async def away(request: Request, error: Any) -> Response:
        log.warning("the database cannot be reached: %s", reason(error))
        sentence = "The database cannot be reached at the moment. Try again: no move is made twice."
        return problem(503, sentence, {"Retry-After": "1"})

    async def http(request: Request, error: Any) -> Response:
        return problem(error.status_code, _http_sentence(error), error.headers)

    async def broken(request: Request, error: Any) -> Response:
        return problem(500, "Something went wrong on the server; the error is in its log.")

    for kind, handler in (
        (Refusal, refused),
        (Unknown, unknown),
        (GameError, impossible),
        (FileError, unreadable),
        (RequestValidationError, malformed),
        (HTTPException, http),
        (Exception, broken),
        *((kind, away) for kind in AWAY),
    ):
        app.add_exception_handler(kind, handler)


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
    """The built page; its own client-side addresses get its index, which says whether the server runs a study."""

    def __init__(self, folder: Path, study: bool = False) -> None:
        """The folder need not exist yet."""
        super().__init__(directory=folder, check_dir=False)
        self.index, self.study = folder / "index.html", study

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
            if self.study:
                return HTMLResponse(self.index.read_text().replace("<title>", STUDIED, 1), headers=UNKEPT)
            return FileResponse(self.index, headers=UNKEPT)
        try:
            response = await super().get_response(path, scope)
        except (HTTPException, OSError, ValueError):
            return problem(404, "There is nothing at this address.")
        if path.startswith("assets/"):
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
