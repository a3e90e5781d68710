"""Both databases, and a server on each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx
import pytest

from parlor.agents import solver
from parlor.server.catalogue import seating
from parlor.server.explain import expected_value
from parlor.server.operations.settings import ServerSettings
from parlor.server.tables import branches, pending, session, store, table_moves, table_seats, tables
from tests.requirements import missing
from tests.server.databases import Missing, Postgres, postgres, without_games
from tests.server.hand_tables import Watch
from tests.server.people import client_of
from tests.server.thinking_here import thinking_here

_numbers = count()


@pytest.fixture(scope="session", autouse=True)
def threads_for_processes() -> Iterator[None]:
    """Minds, reviews and the like are worked out in this process."""
    with thinking_here():
        yield


@pytest.fixture(scope="session")
def cluster() -> Iterator[Postgres]:
    """A PostgreSQL for all tests of this process."""
    try:
        with postgres() as server:
            yield server
    except Missing as error:
        missing("postgresql", str(error))


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with nothing in it, as a URL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/data/parlor.db"
    cluster: Postgres = request.getfixturevalue("cluster")
    return cluster.create(f"test{next(_numbers)}", schema=False)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without games, as a URL."""
    if request.param == "sqlite":
        return without_games(tmp_path / "data" / "parlor.db")
    cluster: Postgres = request.getfixturevalue("cluster")
    return cluster.create(f"test{next(_numbers)}")


@pytest.fixture
def http(database: str) -> Iterator[httpx.Client]:
    """A client of a server without games."""
    with client_of(ServerSettings(database_url=database, rate=0)) as client:
        yield client


@pytest.fixture
def two(database: str) -> Iterator[list[httpx.Client]]:
    """Clients of two servers on one database."""
    settings = ServerSettings(database_url=database, rate=0)
    with client_of(settings) as first, client_of(settings) as second:
        yield [first, second]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values in minds from fewer games, so that many minds can be asked."""
    monkeypatch.setattr(expected_value, "ROLLOUTS", 8)
    monkeypatch.setattr(expected_value, "WORLDS", 2)
    monkeypatch.setattr(expected_value, "MAX_NODES", 5000)


@pytest.fixture
def solved_here(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Games are solved badly and in this process; that of the server is for a test of its own."""
    folder = tmp_path_factory.getbasetemp() / "solved badly"  # where nobody else looks
    monkeypatch.setattr(solver, "WORK", 0)
    monkeypatch.setattr(solver, "MIN_ITERATIONS", 2)
    monkeypatch.setattr(seating, "cache_folder", lambda: folder)
    monkeypatch.setattr(
        seating, "_compute", lambda agent, game, path: seating.compute((agent, seating.loadable(game), str(path)))
    )


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """The time at tables, moved by hand."""
    watch = Watch()
    for module in (branches, pending, session, store, table_moves, table_seats, tables):
        monkeypatch.setattr(module, "now", watch)
    return watch
