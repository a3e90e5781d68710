"""Headers, sizes, rates, origins, the page, and what serving does not import."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from parlor.server.api import app as application
from parlor.server.api import limits
from parlor.server.api.limits import Headers
from parlor.server.operations.settings import ServerSettings
from parlor.server.tables.store import database_url
from tests.server.people import client_of, serving, sit

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
HEAVY = ("numba", "ray", "torch", "matplotlib", "wandb", "tensorboard", "scipy", "pyspiel")


def quiet(tmp_path: Path, **changed: object) -> ServerSettings:
    return ServerSettings(**({"database_url": f"sqlite:///{tmp_path}/parlor.db", "rate": 0} | changed))  # type: ignore[arg-type]


def test_serving_imports_no_training_library() -> None:
    """Nor does playing, against whichever built-in agent, or looking into a mind."""
    script = f"""
import asyncio, sys, tempfile
import parlor.study.api.app
from parlor.server.tables import table_queries, table_moves, table_seats
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.schemas.tables import MoveRequest, NewTable
from parlor.server.tables.store import Store
from parlor.server.tables.tables import Tables
from parlor.server.thinking.thinking import Thinking

async def play():
    store = Store(f"sqlite:///{{tempfile.mkdtemp()}}/parlor.db")
    await store.open()
    thinking = Thinking()
    tables = Tables(store, Catalogue(), thinking)
    for game, agent in (("monopoly-deal", "careful"), ("monopoly-deal", "look-ahead(rollouts=1)"), ("leduc", "random"),
                        ("holdem", "fish"), ("holdem", "monte-carlo"), ("holdem", "rule-based")):
        seated = await table_seats.create(tables, NewTable(game=game, agent=agent, seat=0, mind="always"))
        state = seated.state
        for _ in range(3):
            if state.turn == "you":
                wanted = MoveRequest(ply=state.ply, move=state.legal[0].name)
                state = await table_moves.move(tables, state.id, seated.token, wanted, 0)
        for ply in (await table_queries.minds(tables, state.id, seated.token)).plies[:3]:
            await table_queries.mind(tables, state.id, seated.token, ply)
    await thinking.close()
    await store.close()

asyncio.run(play())
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr


def test_headers_and_origins(tmp_path: Path) -> None:
    with client_of(quiet(tmp_path)) as http:
        for path in ("/", "/api/health", "/api/nothing", "/table/abc"):
            headers = http.get(path, headers={"Origin": "https://elsewhere.example"}).headers
            policy = headers["content-security-policy"]
            assert "default-src 'self'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "script-src 'self'" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert "access-control-allow-origin" not in headers
        assert http.get("/api/health").headers["cache-control"] == "no-store"
        asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
        assert http.options("/api/tables", headers=asked).status_code == 405
        name = '<script>alert("x")</script>'
        answer = http.post("/api/tables", json={"game": "kuhn", "agent": "random", "player_name": name})
        assert answer.headers["content-type"] == "application/json"
        for wrong in ("a\x00b", "x" * 41, "\ud800"):
            body = f'{{"game": "kuhn", "agent": "random", "player_name": "{wrong.encode("unicode_escape").decode()}"}}'
            sent = http.post("/api/tables", content=body, headers={"Content-Type": "application/json"})
            assert sent.status_code in (400, 422), sent.text


def test_a_header_that_an_answer_has_is_not_added_again() -> None:
    sent: list[Message] = []

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"Cache-Control", b"max-age=5")]})

    async def keep(message: Message) -> None:
        sent.append(message)

    async def nothing() -> Message:
        return {"type": "http.request"}

    asyncio.run(Headers(answer)({"type": "http", "path": "/api/games"}, nothing, keep))
    names = [name.lower() for name, _ in sent[0]["headers"]]
    assert names.count(b"cache-control") == names.count(b"x-frame-options") == 1


def test_sizes_are_bounded_even_if_the_header_lies(tmp_path: Path) -> None:
    with client_of(quiet(tmp_path, largest=1000)) as http:

        def chunks() -> object:
            for _ in range(100):
                yield b"x" * 100

        answer = http.post("/api/tables", content=chunks(), headers={"Content-Type": "application/json"})  # type: ignore[arg-type]
        assert answer.status_code == 413
        assert answer.json() == {"detail": "A request may have at most 1,000 bytes here."}


def test_rates_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with client_of(quiet(tmp_path, rate=1.0, burst=20)) as http:
        answers = [http.get("/api/games") for _ in range(30)]
        refused = [a for a in answers if a.status_code == 429]
        assert refused
        assert refused[0].json()["detail"].startswith("Too many requests")
        assert int(refused[0].headers["retry-after"]) >= 1
        assert http.get("/").status_code == 200, "the page itself is not counted"
        now[0] += 1.2
        assert http.get("/api/games").status_code == 200
        made = [http.post("/api/tables", json={"game": "kuhn", "agent": "random"}).status_code for _ in range(3)]
        assert 429 in made, "a new table counts for ten"


def test_the_page_is_served_and_its_places_get_its_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>page</title>")
    (static / "assets" / "app-1.js").write_text("console.log(1);" * 500)
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(application, "STATIC", static)
    with client_of(quiet(tmp_path)) as http:
        for path in ("/", "/table/abc", "/runs"):
            assert "<title>page</title>" in http.get(path).text
            assert http.get(path).headers["cache-control"] == "no-cache"
        script = http.get("/assets/app-1.js")
        assert "immutable" in script.headers["cache-control"]
        assert script.headers["content-encoding"] == "gzip"
        for path in ("/nothing.js", "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/api/x", "/apix.js"):
            answer = http.get(path)
            assert answer.status_code == 404, path
            assert "secret" not in answer.text
        assert http.post("/table/abc").status_code == 405


def test_without_a_page_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "STATIC", tmp_path / "nothing")
    with serving(quiet(tmp_path)) as address:
        assert "has not been built" in httpx.get(address, timeout=600).text


def test_a_mistake_of_ours_is_a_sentence_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from parlor.server.tables import table_queries

    async def broken(*_: object) -> None:
        raise RuntimeError("hidden cards: K♠")

    with client_of(quiet(tmp_path)) as http:
        person = sit(http, "kuhn")
        monkeypatch.setattr(table_queries, "state", broken)
        answer = person.get()
        assert (answer.status_code, answer.json()) == (
            500,
            {"detail": "Something went wrong on the server; the error is in its log."},
        )


def test_databases_are_written_as_people_write_them() -> None:
    assert database_url("postgres://u:p@h/d").drivername == "postgresql+asyncpg"
    assert database_url("postgresql://u@h/d?sslmode=require").query == {"ssl": "require"}
    assert database_url("sqlite:///x.db").database == "x.db"
    with pytest.raises(ValueError, match="SQLite or PostgreSQL"):
        database_url("mysql://u@h/d")


def test_the_settings_reach_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:///a.db")
    monkeypatch.delenv("PARLOR_SERVE", raising=False)
    assert ServerSettings.from_environment().database_url == "sqlite:///a.db"
    monkeypatch.setenv("PARLOR_SERVE", "")
    monkeypatch.delenv("PARLOR_SERVE")
    given = ServerSettings(agents=("a", "b"), rate=3.0)
    given.to_environment()
    assert ServerSettings.from_environment() == given
    monkeypatch.delenv("PARLOR_SERVE")
