"""Let a program sit down at a table of a server, or play in its open arena.

The program speaks the line protocol over its standard input and output, as for parlor compare; this command carries its
lines to the server and back. It needs no rules and no game. docs/programs.md, docs/arena.md.

Examples:
  parlor join http://localhost:8000/table/ID ./mybot                                   takes an open seat
  parlor join http://localhost:8000/table/ID ./mybot --token TOKEN                     plays a seat that you have
  parlor join http://localhost:8000/arena './mybot --level 3' leduc --name mybot    registers it, and plays
  parlor join http://localhost:8000/arena './mybot --level 3' --token TOKEN         plays on

A token is a password: the environment variable PARLOR_TOKEN may have it instead.
"""

from __future__ import annotations

import json
import os
import re
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlsplit

import tyro
from rich.markup import escape
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from parlor.agents.programs.process import Process, ProgramFailure, words_of
from parlor.agents.programs.program_agent import SECONDS, START_SECONDS
from parlor.cli.flags import OptionalGame
from parlor.cli.screen import err, out
from parlor.game import GameError

TIMEOUT = 30.0  # seconds for an answer of the server
TABLE = re.compile(r"/table/([A-Za-z0-9_-]+)")


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of `parlor join`."""

    url: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="URL")]
    """The address of a table (http://…/table/ID) or of an arena (http://…/arena), as the page has it."""
    command: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="COMMAND")]
    """The program with its arguments, as one word: in quotes if there are spaces."""
    game: OptionalGame = None
    """In an arena, the game that it is registered for."""
    name: Annotated[str, tyro.conf.arg(metavar="NAME")] = ""
    """The name under which it plays."""
    token: Annotated[str, tyro.conf.arg(metavar="TOKEN")] = ""
    """The token of a seat, or of an agent that was registered; PARLOR_TOKEN in the environment if omitted."""
    seconds: float = SECONDS
    """The time limit for an answer."""


def run(options: Options) -> int:
    """Carry lines between the program and the server until the game is over, or for ever in an arena."""
    server, path = server_of(options.url)
    token = options.token or os.environ.get("PARLOR_TOKEN", "")
    table = TABLE.fullmatch(path)
    if table is not None:
        if not token:
            body = {"player_name": options.name} if options.name else {}
            token = asked(f"{server}/api/tables/{table[1]}/join", body)["token"]
        return _carry(f"{server}/api/tables/{table[1]}/program", token, options)
    if path != "/arena":
        raise GameError(f"{options.url} is neither a table (…/table/ID) nor an arena (…/arena).")
    if not token:
        if not options.game or not options.name:
            raise GameError("A new agent needs a game and --name; one that was registered needs --token.")
        made = asked(f"{server}/api/arena/agents", {"game": options.game, "name": options.name})
        token = made["token"]
        out.print(f"{escape(made['name'])} is registered for {escape(made['game'])}. Its token, for the next time:")
        out.print(token, markup=False, highlight=False)
    err.print(f"[dim]playing at {escape(options.url)} until Ctrl-C[/]")
    return _carry(f"{server}/api/arena/play", token, options)


def server_of(url: str) -> tuple[str, str]:
    """The server of an address, and the path there."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        known = False
    if not known:
        raise GameError(f"{url!r} is not the address of a table or an arena, such as http://localhost:8000/arena.")
    return f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")


def asked(url: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """The answer of a server; GameError with its sentence if it refuses."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            found: dict[str, Any] = json.load(answer)
            return found
    except urllib.error.HTTPError as error:
        raise GameError(_detail(error)) from None
    except (OSError, ValueError) as error:
        raise GameError(f"The server at {url} does not answer: {getattr(error, 'reason', error)}.") from None


def _detail(error: urllib.error.HTTPError) -> str:
    """The sentence of a refusal."""
    try:
        return str(json.load(error)["detail"])
    except (ValueError, KeyError, TypeError):
        return f"{error.url} answered {error.code} {error.reason}."


def _carry(url: str, token: str, options: Options) -> int:
    """Carry lines until the server ends it; 1 if the program has failed."""
    try:
        process = Process(words_of(options.command))
    except (ProgramFailure, ValueError, IndexError) as failure:
        raise GameError(f"{options.command!r} cannot be run: it {failure}.") from None
    try:
        with connect(url.replace("http", "ws", 1), open_timeout=TIMEOUT, max_size=1 << 24) as socket:
            socket.send(json.dumps({"token": token}))
            while True:
                _step(process, socket, options.seconds)
    except ProgramFailure as failure:
        raise GameError(f"{options.command} {failure}.") from None
    except ConnectionClosed as closed:
        why = closed.rcvd.reason if closed.rcvd is not None else "The server has gone."
        if closed.rcvd is None or closed.rcvd.code != 1000:
            raise GameError(why or "The server has ended the connection.") from None
        err.print(escape(why))
        return 0
    except (OSError, InvalidHandshake) as error:
        raise GameError(f"There is no connection to {url}: {error}.") from None
    finally:
        process.close()


def _step(process: Process, socket: Any, seconds: float) -> None:
    """Carry one message of the server to the program, and its answer back, if there has to be one."""
    line = socket.recv()
    kind = json.loads(line).get("type")
    deadline = time.monotonic() + (START_SECONDS if kind == "hello" else seconds)
    process.write(line.encode(), deadline)
    if kind in ("hello", "act"):
        socket.send(process.read(deadline).decode(errors="replace"))
    elif kind == "end":
        err.print(f"[dim]a game ended: {json.loads(line)['payoffs']}[/]")
