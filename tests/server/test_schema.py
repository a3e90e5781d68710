"""The schema and the server agree."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from parlor.server.operations.settings import ServerSettings
from parlor.study.api.app import schema as written_schema
from tests.server.people import serving

pytestmark = pytest.mark.slow(seconds=25)

HERE = Path(__file__).parent


def test_whatever_the_schema_allows_is_answered() -> None:
    """In one process of its own: Schemathesis takes seconds to make the cases, and every worker would do so."""
    words = ["-m", "pytest", "-q", "--import-mode=importlib", "-o", "addopts=", str(HERE / "schema_cases.py")]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=HERE.parent.parent)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_written_schema_is_the_one_that_is_served(tmp_path: Path) -> None:
    written = (HERE.parent.parent / "web" / "openapi.json").read_text()
    assert written == written_schema(), "write it anew: python -m parlor.study.api.app > web/openapi.json"
    with serving(ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db")) as address:
        assert httpx.get(f"{address}/api/openapi.json", timeout=600).json() == json.loads(written)
