"""Both databases, as for the server's own tests."""

from tests.server.conftest import cluster, database

__all__ = ["cluster", "database"]
