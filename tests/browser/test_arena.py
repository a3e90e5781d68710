"""The open arena on the page: standings, matches, a game as a replay, and how a shuffle is verified."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from parlor.server.open_arena import open_arena
from parlor.server.operations.settings import ServerSettings
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.expecting import expect
from tests.server.people import client_of
from tests.server.remote_programs import Remote, evenly, running

pytestmark = pytest.mark.slow(seconds=10)


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    """A client of a server with an arena in which nobody has played."""
    monkeypatch.setattr(open_arena, "MATCH", 6)
    monkeypatch.setattr(open_arena, "GAMES", 12)
    with client_of(ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0, arena=True)) as client:
        yield client


def test_standings_matches_and_replays(arena: httpx.Client, visit: Visit) -> None:
    visitor = visit(390, "dark", at=str(arena.base_url))
    page = visitor.page
    visitor.go("/arena")
    expect(page.get_by_text("No agent has been registered yet")).to_be_visible()
    made = arena.post("/api/arena/agents", json={"game": "kuhn", "name": "my bot"}).json()
    with running(Remote(f"{arena.base_url}/api/arena/play", made["token"], evenly)):
        row = page.get_by_test_id("standing").filter(has_text="my bot")
        expect(row).to_contain_text("connected")
        expect(page.get_by_test_id("match").first).to_contain_text("6 games")
        row.get_by_role("button").click()
        expect(page.get_by_text(re.compile("^against Random, "))).to_be_visible()
        assert not violations(page)
        assert visitor.overflow() <= 0
        page.get_by_test_id("match").filter(has_text="over").get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("my bot")
    expect(page.get_by_label("The command that verifies the deals")).to_have_value(re.compile("^parlor verify http"))
    assert not violations(page)
    assert visitor.overflow() <= 0
    page.get_by_role("row").nth(2).get_by_role("link").click()
    expect(page.get_by_role("heading", name="Replay: Kuhn")).to_be_visible()
