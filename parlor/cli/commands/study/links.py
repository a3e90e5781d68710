"""Write links for participants, each with an id that cannot be guessed, for a study without a recruiting platform.

Examples:
  parlor study links study.toml --count 60 --url https://study.example.org > links.txt
  parlor study links study.toml --count 60 --url https://study.example.org --out links.txt

Send each link to one person. If the study file says `signed = true`, nobody gets in without such a link; the signatures
are made with a secret in the study's database, so write the links with the database that will be served. A recruiting
platform such as Prolific makes links by itself: give it https://study.example.org/study?PROLIFIC_PID={{%PROLIFIC_PID%}}.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
from dataclasses import dataclass
from urllib.parse import urlencode

from parlor.cli.flags import File, StudyFlags
from parlor.cli.screen import err
from parlor.game import GameError
from parlor.runs.files.container import write
from parlor.study.data.store import check_study, opened, signature, study_row
from parlor.study.design.files import read_study

MAX_LINKS = 100_000
BYTES = 12  # of chance in an id


@dataclass(frozen=True, kw_only=True)
class Options(StudyFlags):
    """Options of `parlor study links`."""

    count: int
    """How many."""
    url: str = "http://localhost:8000"
    """Where the study is served."""
    out: File = None
    """Where to write them; if omitted, the standard output."""


def run(options: Options) -> int:
    """Write one a line."""
    if not 1 <= options.count <= MAX_LINKS:
        raise GameError(f"--count must be between 1 and {MAX_LINKS:,}, not {options.count}.")
    if not options.url.startswith(("http://", "https://")):
        raise GameError(f"--url must begin with https://, not {options.url!r}.")
    study = read_study(options.file)
    secret = asyncio.run(_secret(options)) if study.entry.must_be_signed else ""
    links = [_link(options.url, study.entry.parameter, secret) for _ in range(options.count)]
    text = "".join(f"{link}\n" for link in links)
    if options.out is None:
        sys.stdout.write(text)
    else:
        write(options.out, text.encode())
        err.print(f"{len(links):,} links are in {options.out}.")
    return 0


def _link(url: str, parameter: str, secret: str) -> str:
    participant = secrets.token_hex(BYTES)
    query = {parameter: participant}
    if secret:
        query["signature"] = signature(secret, participant)
    return f"{url.rstrip('/')}/study?{urlencode(query)}"


async def _secret(options: Options) -> str:
    """That of the study in its database, which is made if there is none yet."""
    async with opened(options.file, options.database_url, begun=False) as store:
        before = await study_row(store)
        speed = 1.0 if before is None else float(before["speed"])
        return str((await check_study(store, str(options.file), speed))["secret"])
