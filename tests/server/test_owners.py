"""Nobody but the owner of a seat does or sees anything there, on any path, and an ended game is ended everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlor.game.loading import load
from parlor.game.seats.play import play_game, uniform_agent
from parlor.server.operations.settings import ServerSettings
from tests.server.people import Person, client_of, sit

#: What a request with a body sends, by the last part of its path.
BODIES: dict[str, Any] = {
    "answer": {"id": 1, "move": "fold"},
    "pace": {"pace": "at-once"},
    "branch": {"ply": 0},
    "resign": {},
    "watch": {"watch": True},
    "{seat}": {"agent": "random"},
}


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/parlor.db"


@pytest.fixture
def client(database: str) -> Iterator[httpx.Client]:
    settings = ServerSettings(database_url=database, rate=0)
    with client_of(settings) as client:
        yield client


def paths_of_a_table(client: httpx.Client) -> list[tuple[str, str]]:
    """Every method and path of the API that works on one table."""
    paths = client.get("/api/openapi.json").json()["paths"]
    found = [(m, p) for p, methods in paths.items() if "{table}" in p for m in methods]
    assert len(found) >= 10
    return found


@pytest.mark.slow
def test_every_path_of_a_table_wants_its_token(client: httpx.Client) -> None:
    """Except what anybody may know of it; and who has a code, or sits down, has no token yet."""
    person, stranger = sit(client, "leduc", seat=0, pace="step"), sit(client, "leduc", seat=0, pace="step")
    ply, move = person.state["ply"], person.state["legal"][0]["name"]
    before = person.get().content
    for method, path in paths_of_a_table(client):
        what = path.rpartition("/")[2]
        if what in ("preview", "shuffle", "join", "claim"):
            continue
        address = path.replace("{table}", person.state["id"]).replace("{ply}", "0").replace("{seat}", "0")
        body = BODIES.get(what, {"ply": ply, "move": move} if what == "moves" else {"ply": ply})
        without = 401 if what == "question" else 403 if method == "get" else 409 if what == "branch" else 401
        for headers, status in (({}, without), (stranger.headers, 403), ({"Authorization": "Bearer x"}, 403)):
            answer = client.request(method, address, headers=headers, json=None if method == "get" else body)
            assert answer.status_code == status, (method, path, headers, answer.text)
            assert set(answer.json()) == {"detail"}
    assert person.get().content == before
    assert client.post(f"{person.path}/join", json={}).status_code == 409
    assert client.post(f"{person.path}/claim", json={"code": "ABCDEFGH"}).status_code == 403
    assert person.get().content == before
    assert person.move(move).status_code == 200


def test_after_resignation_at_another_server_nothing_moves(two: list[httpx.Client]) -> None:
    first, second = two
    person = sit(first, "leduc", seat=0, pace="step")
    elsewhere = Person(second, person.state, person.token)
    assert elsewhere.get().status_code == 200  # the other server knows the table as it was
    assert person.post("/resign", {}).status_code == 200
    ply, move = person.state["ply"], person.state["legal"][0]["name"]
    for answer in (
        elsewhere.post("/moves", {"ply": ply, "move": move}),
        elsewhere.post("/advance", {"ply": ply}),
    ):
        assert answer.status_code == 409, answer.text
    shown = elsewhere.get().json()
    assert (shown["ply"], shown["turn"], shown["result"]["outcome"]) == (ply, "over", "resigned")


def test_a_server_catches_up_with_what_happened_at_another_before_it_judges_a_move(two: list[httpx.Client]) -> None:
    first, second = two
    person = sit(first, "goofspiel(cards=6)", seat=0)
    elsewhere = Person(second, person.state, person.token)
    assert elsewhere.get().status_code == 200
    person.move()
    elsewhere.state = person.state
    assert elsewhere.move().status_code == 200, "the other server had not seen the move before"


@pytest.mark.parametrize("name", ["leduc(players=3)", "goofspiel(players=3,returns=total-points)", "kuhn(players=3)"])
def test_everybody_is_told_the_outcome_that_the_payoffs_say(client: httpx.Client, name: str) -> None:
    """With three players one wins and two do not, whoever is asked."""
    game, outcomes = load(name), set()
    for index in range(4):
        record = play_game(game, [uniform_agent] * 3, seed=5, index=index)
        best = max(record.payoffs)
        position, movers = game.start(), []
        for move in record.moves:
            movers.append(position.turn)
            position = position.after(move)
        moves = [{"player": player, "move": move} for player, move in zip(movers, record.moves, strict=True)]
        for seat in range(3):
            body = {"format": "parlor game 1", "game": name, "seat": seat, "agent": "random", "moves": moves}
            state = client.post("/api/tables/import", json=body).json()["state"]
            mine = record.payoffs[seat]
            lost = mine < best and (mine <= 0 or game.kind != "zero-sum")
            expected = "drawn" if min(record.payoffs) == best else "lost" if lost else "won"
            assert state["result"]["outcome"] == expected, (seat, record.payoffs)
            assert state["result"]["kind"] == game.kind
            outcomes.add(expected)
    assert {"won", "lost"} <= outcomes
