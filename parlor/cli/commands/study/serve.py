"""Run a study: serve it to participants, and a page to watch it to the researcher.

Examples:
  parlor study serve study.toml                               http://localhost:8000, data in parlor-data/study.db
  parlor study serve study.toml --password-file passwords     the researcher's page, /researcher, for those in this file
  parlor study serve study.toml --host 0.0.0.0 --port 80      for people elsewhere
  parlor study serve study.toml --speed 20                    to try it out: all waiting is twenty times shorter

Without a password file a password for /researcher is made, printed once, and kept beside the database.
Participants come to http://…/study?PROLIFIC_PID=ID, each with an id of their own. Ctrl-C stops the server; when it is
started again, everybody goes on where they were, but the time of games and of waiting has passed. A study that has
participants must be served with the same file and at the same speed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from parlor.cli.commands.server.serve import ServerFlags, serve
from parlor.cli.flags import StudyArgument
from parlor.cli.screen import err, out
from parlor.game import GameError
from parlor.server.operations.settings import ServerSettings
from parlor.study.data.store import url_for
from parlor.study.design.files import read_study
from parlor.study.session.password import password_file

FASTEST = 1000.0


@dataclass(frozen=True, kw_only=True)
class Options(ServerFlags):
    """Options of `parlor study serve`."""

    file: StudyArgument
    """The study file."""
    database_url: Annotated[str | None, tyro.conf.arg(metavar="URL")] = None
    """Where the data are kept: sqlite:///FILE or postgresql://…; if omitted, DATABASE_URL or parlor-data/NAME.db."""
    password_file: Annotated[str, tyro.conf.arg(metavar="FILE")] = ""
    """Who may see the researcher's page: a file with a line name:password for each; without it, a
    password is made."""
    speed: float = 1.0
    """How many times faster than ours the study's time passes: to try it out."""
    requests: float = 200.0
    """The most requests per second from one address; 0 for no limit. A whole laboratory may have one address."""


def run(options: Options) -> int:
    """Serve until interrupted."""
    if not 0 < options.speed <= FASTEST:
        raise GameError(f"--speed must be more than 0 and at most {FASTEST:g}, not {options.speed:g}.")
    read_study(options.file)  # raises an error before anything is written
    url = url_for(options.file, options.database_url)
    passwords, new = options.password_file, None
    if not passwords:
        file, new = password_file(url, options.file.stem)
        passwords = str(file)
        err.print(f"[dim]the password of /researcher is in {passwords}[/]")
    if new is not None:
        out.print(f"Password of the researcher's page: [bold]{new}[/] [dim](it is not shown again)[/]")
    settings = ServerSettings(
        names=options.names,
        database_url=url,
        study=str(options.file.resolve()),
        speed=options.speed,
        rate=options.requests,
        burst=max(ServerSettings.burst, round(4 * options.requests)),
        sockets=1000,
        password_file=str(Path(passwords).resolve()),
        access_log=options.access_log,
    )
    return serve(settings, options.host, options.port, what="The study")
