"""The settings of a server."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass

DATABASE = "sqlite:///parlor-data/parlor.db"
VARIABLE = "PARLOR_SERVE"  # how settings get to a process that reloads


@dataclass(frozen=True)
class ServerSettings:
    """Paths and limits."""

    database_url: str = DATABASE
    agents: tuple[str, ...] = ()  # folders with policies and runs
    games: tuple[str, ...] = ()  # besides Parlor's own
    python_agents: tuple[str, ...] = ()  # the operator's own code that may play: my_agents.py:Cautious
    rate: float = 50.0  # requests a second and client, in the long run; 0: no limit
    burst: int = 200  # requests at once
    largest: int = 65_536  # bytes of a request
    largest_import: int = 2_000_000
    connections: int = 2000  # at a time
    tables: int = 200  # running ones that one client may have created; 0: no limit
    sockets: int = 200  # at a time and client; 0: no limit
    names: tuple[str, ...] = ()  # under which it may be asked, as in the header Host; empty: any
    password_file: str = ""  # who may sign in; empty: nobody needs to
    access_log: str = ""  # a file, or - for the standard output
    study: str = ""  # the file of a study that is run here; empty: an ordinary server
    arena: bool = False  # whether agents can be registered, and play each other
    fresh_deals: bool = False  # there, instead of deals that are played with every line-up
    speed: float = 1.0  # how fast the study's time passes: more than 1 in a rehearsal

    def to_environment(self) -> None:
        """For a child process."""
        os.environ[VARIABLE] = json.dumps(asdict(self))

    @staticmethod
    def from_environment() -> ServerSettings:
        """The settings that the parent process set; otherwise the defaults and DATABASE_URL."""
        given = json.loads(os.environ.get(VARIABLE, "{}"))
        known = {"database_url": os.environ.get("DATABASE_URL", DATABASE)} | given
        known |= {name: tuple(known[name]) for name in ("agents", "games", "python_agents", "names") if name in known}
        return ServerSettings(**known)
