"""Serve the page and the API: play any game against any agent, see how it decides, watch training runs.

Examples:
  parlor serve                                               agents and runs in runs/, games in parlor-data/parlor.db
  parlor serve --agents runs/demo saved --port 9000
  parlor serve --database-url postgresql://me@localhost/parlor
  DATABASE_URL=postgresql://… parlor serve --host 0.0.0.0    as in a container
  parlor serve my_game.py openspiel:sheriff                  games besides Parlor's own
  parlor serve --python-agents my_agents.py:Cautious         an agent of your own, see docs/agents.md
  parlor serve --password-file passwords                     only for those who sign in
  parlor serve --access-log -                                a line of JSON for each request
  parlor serve --arena                                       agents in any language play each other, see docs/arena.md
  parlor serve --reload                                      restart whenever the source changes

Policies and runs that are added to the folders while the server runs can be played at once. Ctrl-C stops the server;
when it is started again, games continue where they were.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import shlex
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import tyro
from rich.markup import escape

from parlor.cli.commands.poker.cards import tables_needed
from parlor.cli.screen import err, out
from parlor.compile import NotCached, cache_only
from parlor.game import GameError
from parlor.game.loading import load
from parlor.game.seats.python_agent import python_agent
from parlor.server.operations.settings import DATABASE, ServerSettings

LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, kw_only=True)
class ServerFlags:
    """The flags of commands that serve."""

    host: str = "127.0.0.1"
    """The address to listen at; 0.0.0.0 for all addresses of this machine."""
    port: int = field(default_factory=lambda: port_of(os.environ.get("PORT", "8000")))
    """The port to listen at; 0 for any free one. The environment variable PORT sets the default."""
    database_url: Annotated[str | None, tyro.conf.arg(metavar="URL")] = None
    """The database for games: sqlite:///FILE or postgresql://…; if omitted, DATABASE_URL or a file in parlor-data/."""
    requests: float = 50.0
    """The most requests per second from one address; 0 for no limit."""
    names: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME …")] = ()
    """The names under which it is reached, if others are to be refused: games.example.org behind a proxy."""
    password_file: Annotated[str, tyro.conf.arg(metavar="FILE")] = ""
    """Only for those who sign in: a file with a line name:password for each, or one password that all share."""
    access_log: Annotated[str, tyro.conf.arg(metavar="FILE")] = ""
    """Log every request as a line of JSON, without secrets: to this file, or - for the standard output."""


@dataclass(frozen=True, kw_only=True)
class Options(ServerFlags):
    """Options of `parlor serve`."""

    games: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[GAME …]")] = ()
    """More games to offer: rules files, openspiel:…"""
    agents: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FOLDER …")] = ("runs",)
    """Folders with policies and training runs."""
    python_agents: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FILE.py:NAME …")] = ()
    """Your own agents to offer too: their code runs in this server, with its rights."""
    tables: int = 200
    """The most running games that were begun from one address; 0 for no limit."""
    arena: bool = False
    """Let anybody register agents, which play each other in the background: docs/arena.md."""
    fresh_deals: bool = False
    """In the arena: a new deal for every game, so that nobody can remember one; standings need more games."""
    reload: bool = False
    """For development: restart whenever the source changes."""


def run(options: Options) -> int:
    """Serve until interrupted."""
    settings = ServerSettings(
        database_url=options.database_url or os.environ.get("DATABASE_URL") or DATABASE,
        agents=tuple(str(Path(folder).resolve()) for folder in options.agents),
        games=options.games,
        python_agents=tuple(map(_absolute, options.python_agents)),
        rate=options.requests,
        tables=options.tables,
        names=names_of(options),
        password_file=str(Path(options.password_file).resolve()) if options.password_file else "",
        access_log=options.access_log,
        arena=options.arena,
        fresh_deals=options.fresh_deals,
    )
    for game in options.games:
        load(game)  # raises an error before the server starts
    for text in settings.python_agents:
        python_agent(text)
    for folder in options.agents:
        if folder != "runs" and not Path(folder).is_dir():
            raise GameError(f"There is no folder {folder}.")
        if Path(folder).exists() and not os.access(folder, os.R_OK | os.X_OK):
            raise GameError(f"The folder {folder} cannot be read: permission denied.")
    return serve(settings, options.host, options.port, options.reload)


def serve(settings: ServerSettings, host: str, port: int, reload: bool = False, what: str = "Parlor") -> int:
    """Serve until interrupted."""
    import uvicorn

    from parlor.server.api.connections import uvicorn_config
    from parlor.server.tables.store import database_url
    from parlor.study.api import app

    try:
        where = database_url(settings.database_url)
    except Exception as error:
        raise GameError(f"This is not the address of a database: {str(error).rstrip('.')}.") from None
    made = app.create_app(settings)  # reads the passwords, opens the log
    listener = _listen(host, port)
    try:
        asyncio.run(_try(settings))
    except GameError:
        listener.close()
        raise
    _check_cards(settings.agents)
    port = listener.getsockname()[1]
    shown = "localhost" if host in ("0.0.0.0", "::", "127.0.0.1") else host
    out.print(f"{escape(what)} is at [bold cyan]http://{shown}:{port}[/] [dim](Ctrl-C stops it)[/]")
    saved = where.database if where.get_backend_name() == "sqlite" else where.render_as_string(hide_password=True)
    err.print(f"[dim]games are saved in {saved or 'memory only'}[/]")
    if reload:
        listener.close()
        settings.to_environment()
        target = "parlor.study.api.app:from_environment"
        package = str(Path(app.__file__).parents[2])
        uvicorn.run(target, factory=True, host=host, port=port, reload=True, reload_dirs=[package])
        return 0
    config = uvicorn_config(made, settings)
    sys.setswitchinterval(0.001)  # a thread that computes gives way sooner to the one that answers
    gc.freeze()  # long-lived objects
    gc.set_threshold(10_000, 10, 100)  # games are many objects without cycles: collect few of them at a time
    with contextlib.suppress(KeyboardInterrupt):  # the way to stop the server
        uvicorn.Server(config).run(sockets=[listener])
    err.print("[dim]stopped; games continue when the server is started again[/]")
    return 0


def names_of(options: ServerFlags) -> tuple[str, ...]:
    """The names that requests may be for: a server for this machine alone is not for what a strange page calls it."""
    if options.host in LOOPBACK and not options.password_file:
        return (*LOOPBACK, *options.names)
    return options.names


def port_of(text: str) -> int:
    """The port that the environment variable PORT has."""
    if not text.isdecimal():
        raise GameError(f"PORT in the environment must be a whole number, not {text!r}.")
    return int(text)


async def _try(settings: ServerSettings) -> None:
    """Open the database once, so that errors come before the server starts."""
    from parlor.server.tables.store import AWAY, Store
    from parlor.study.data.store import check_study

    store = Store(settings.database_url)
    try:
        await store.open()
        if settings.study:
            await check_study(store, settings.study, settings.speed)
    except AWAY as error:
        reason = getattr(error, "strerror", None) or getattr(error, "orig", None) or error
        raise GameError(f"The database {store.url!r} cannot be opened: {str(reason).rstrip('.')}.") from None
    finally:
        await store.close()


def _absolute(text: str) -> str:
    """The name of a Python agent with an absolute path, for child processes."""
    where, colon, name = text.partition(":")
    return f"{Path(where).resolve()}{colon}{name}" if where.endswith(".py") else text


def _check_cards(agents: Sequence[str]) -> None:
    """Warn about the first missing card table, and about those that cannot be computed."""
    for what, look_up in tables_needed(agents).items():
        try:
            with cache_only():
                look_up()
        except NotCached:
            how = f"`{shlex.join(['parlor', 'cards', *agents])}` computes them, now or while this serves."
            _warn(f"Card tables of poker ({what}) are not on this machine yet: {how}")
            return
        except GameError as error:
            _warn(str(error))


def _warn(sentence: str) -> None:
    err.print(f"[yellow]{escape(sentence)}[/]", soft_wrap=True)


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; GameError if there is none."""
    if not 0 <= port < 1 << 16:
        raise GameError(f"--port must be between 0 and 65535, not {port}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        hint = "" if isinstance(error, socket.gaierror) else " Another --port may be free."
        raise GameError(f"The server cannot listen at {host}:{port}: {error.strerror or error}.{hint}") from None
    listener.listen(1024)
    return listener
