"""Playing: whole games, moves sent twice, moves that cannot be, two who move at once, games that go on."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from parlor.game.loading import load
from parlor.game.seats.play import replay
from parlor.game.words import YOU, players_named
from parlor.server.operations.settings import ServerSettings
from parlor.server.schemas.tables import Seated, TableState
from parlor.server.tables.session import Session
from parlor.server.tables.store import Store
from tests.server.people import Person, client_of, sit

GAMES = ["kuhn", "leduc", "liars-dice", "goofspiel", "monopoly-deal", "leduc(players=3)", "goofspiel(players=3)"]


def rows(database: str, table: str) -> list[dict[str, Any]]:
    async def read() -> list[dict[str, Any]]:
        store = Store(database)
        try:
            return await store.moves(table)
        finally:
            await store.close()

    return asyncio.run(read())


def holds_together(database: str, person: Person) -> None:
    """Every move that was acknowledged is there once, and they replay to the state that is shown."""
    written = rows(database, person.state["id"])
    assert [row["ply"] for row in written] == list(range(len(written)))
    for ply, name in person.sent:
        assert (written[ply]["player"], written[ply]["move"]) == (person.state["seat"], name)
    position = replay(load(person.state["game"]), [row["move"] for row in written])
    shown = person.get().json()
    assert shown["ply"] == len(written)
    seat, players = person.state["seat"], person.state["players"]
    with players_named([YOU if p == seat else shown["names"][p] for p in range(players)]):
        assert shown["picture"] == position.show(seat)
    if position.over:
        assert shown["result"]["payoffs"] == position.payoffs


@pytest.mark.slow(seconds=10)
@pytest.mark.parametrize("pace", ["at-once", "step"])
def test_whole_games_can_be_played(http: httpx.Client, database: str, pace: str) -> None:
    for game in GAMES:
        for seat in (0, 1):
            person = sit(http, game, seat=seat, pace=pace, player_name="<b>Ann</b>")
            Seated.model_validate({"token": person.token, "state": person.state})
            person.play()
            TableState.model_validate(person.state)
            assert person.state["result"]["outcome"] in ("won", "lost", "drawn")
            assert person.state["seats"][seat]["name"] == "<b>Ann</b>"
            holds_together(database, person)
    assert sit(http, "kuhn", options={"players": 3}, seat=2).state["game"] == "kuhn(players=3)"


def test_a_view_names_what_lies_on_the_table(http: httpx.Client) -> None:
    """So that nobody who draws it has to take a sentence apart."""
    leduc = sit(http, "leduc", seat=0, pace="step").state
    table = leduc["view"]["display"]
    assert (table["board"], table["said"]) == ([], [])
    assert leduc["picture"] == f"you hold {table['cards'][0]}; pot 1 + 1; no move yet"
    assert sit(http, "kuhn", seat=0).state["view"]["display"]["cards"][0] in "JQK"
    assert len(sit(http, "liars-dice", seat=0).state["view"]["display"]["dice"]) == 1
    bidding = sit(http, "goofspiel", seat=0).state
    assert bidding["view"]["display"]["cards"] == [1, 2, 3, 4]
    assert [move["name"] for move in bidding["legal"]] == [f"bid {card}" for card in (1, 2, 3, 4)]


def test_the_same_seed_deals_the_same_cards(http: httpx.Client) -> None:
    one, two = (sit(http, seat=0, seed=5) for _ in range(2))
    assert one.state["view"] == two.state["view"]
    assert sit(http, seat=0, seed=6).state["view"] != one.state["view"]


def test_a_move_sent_twice_is_made_once(http: httpx.Client, database: str) -> None:
    person = sit(http, seat=0, pace="step")
    ply, legal = person.state["ply"], [m["name"] for m in person.state["legal"]]
    assert person.move(legal[0]).status_code == 200
    again = person.post("/moves", {"ply": ply, "move": legal[0]})
    assert again.status_code == 200
    assert again.json() == person.state == person.get().json()
    written = rows(database, person.state["id"])
    assert len(written) == person.state["ply"]
    assert [row["move"] for row in written if row["player"] == 0] == [legal[0]]
    other = person.post("/moves", {"ply": ply, "move": legal[1]})
    assert other.status_code == 409
    assert other.json() == {"detail": f"At ply {ply} you have already played {legal[0]!r}."}
    holds_together(database, person)


def test_what_cannot_be_done_is_refused_in_a_sentence_and_changes_nothing(http: httpx.Client, database: str) -> None:
    person = sit(http, "leduc", seat=1, pace="step")
    table, before = person.state["id"], person.get().content
    ply = person.state["ply"]
    mine = person.headers
    as_json = mine | {"Content-Type": "application/json"}
    too_much = "x" * 70_000
    tries: list[tuple[int, str, httpx.Response]] = [
        (409, "not your turn", person.post("/moves", {"ply": ply, "move": "call"})),
        (409, "has not been reached", person.post("/moves", {"ply": ply + 9, "move": "call"})),
        (409, "was not yours", person.post("/moves", {"ply": 0, "move": "J♥ to player 0"})),
        (409, "has not been reached", person.post("/advance", {"ply": ply + 1})),
        (409, "was not an agent's", person.post("/advance", {"ply": 0})),
        (409, "has not been reached", person.get(f"/replay/{ply + 1}")),
        (409, "A running game cannot be branched", person.post("/branch", {"ply": 0})),
        (409, "can be exported when", person.get("/record")),
        (403, "is shown when", person.get("/mind/2")),
        (422, "'ply' must be at least 0.", person.post("/moves", {"ply": -1, "move": "call"})),
        (
            422,
            "'x' is not known here",
            person.post("/moves", {"ply": ply, "move": "call", "x": 1}),
        ),
        (422, "'ply' is missing.", person.post("/moves", {})),
        (400, "not JSON", http.post(f"/api/tables/{table}/moves", headers=as_json, content=b'{"ply":')),
        (413, "bytes here", person.post("/moves", {"ply": ply, "move": too_much})),
        (401, "needs the token", http.post(f"/api/tables/{table}/resign")),
        (403, "still running", http.get(f"/api/tables/{table}")),
        (403, "not the token", http.get(f"/api/tables/{table}", headers={"Authorization": "Bearer x"})),
        (404, "no such table", http.get("/api/tables/aaaaaaaaaaaaaaaaaaaaaa", headers=mine)),
        (404, "nothing at this address", http.get("/api/tables/..%2f..%2fetc", headers=mine)),
        (404, "nothing at this address", http.get("/api/nothing")),
        (405, "cannot be done", http.delete(f"/api/tables/{table}")),
        (404, "no game", http.post("/api/tables", json={"game": "chess", "agent": "random"})),
        (404, "no game", http.post("/api/tables", json={"game": "/etc/x.py", "agent": "random"})),
        (404, "no agent", http.post("/api/tables", json={"game": "kuhn", "agent": "../../etc/passwd"})),
        (422, "plays monopoly-deal", http.post("/api/tables", json={"game": "kuhn", "agent": "careful"})),
        (422, "no option", http.post("/api/tables", json={"game": "kuhn", "agent": "random", "options": {"a": 1}})),
        (422, "has seats 0 to", http.post("/api/tables", json={"game": "kuhn", "agent": "random", "seat": 2})),
        (
            422,
            "There is no agent",
            http.post("/api/tables", json={"game": "monopoly-deal", "agent": "look-ahead(policy=/etc/x.json)"}),
        ),
    ]
    for status, sentence, response in tries:
        assert response.status_code == status, response.text
        assert sentence in response.json()["detail"], response.text
    assert person.get().content == before
    assert len(rows(database, table)) == ply
    person.advance()
    answer = person.move("dance")
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("'dance' cannot be played here; legal moves: ")
    person.play()
    assert person.move("call", person.state["ply"]).json() == {"detail": "The game is over."}
    assert person.advance().json() == {"detail": "The game is over."}
    assert person.post("/moves", {"ply": person.sent[0][0], "move": person.sent[0][1]}).status_code == 200


@pytest.mark.slow
def test_two_who_move_at_once_make_one_move(database: str, two: list[httpx.Client]) -> None:
    """Also when they ask two servers that share a database."""
    first, second = two
    with ThreadPoolExecutor(8) as pool:
        person = sit(first, seat=0)
        for _ in range(12):
            if person.state["turn"] == "over":
                break
            ply, legal = person.state["ply"], [m["name"] for m in person.state["legal"]]
            asked = [(client, legal[i % len(legal)]) for i, client in enumerate([first, second] * 4)]

            def ask(client: httpx.Client, move: str, ply: int = ply) -> httpx.Response:
                return client.post(f"{person.path}/moves", headers=person.headers, json={"ply": ply, "move": move})

            answers = list(pool.map(lambda pair: ask(*pair), asked))
            accepted = {move for (_, move), answer in zip(asked, answers, strict=True) if answer.status_code == 200}
            assert {answer.status_code for answer in answers} <= {200, 409}
            assert len(accepted) == 1
            person.sent.append((ply, accepted.pop()))
            person.state = person.get().json()
            assert second.get(person.path, headers=person.headers).json() == person.state
            holds_together(database, person)


@pytest.mark.slow
def test_a_server_goes_on_where_another_stopped(database: str) -> None:
    settings = ServerSettings(database_url=database, rate=0)
    with client_of(settings) as client:
        person = sit(client, seat=1, pace="step")
        person.play(40)
        before = person.get().content
    with client_of(settings) as client:
        person.http = client
        assert person.get().content == before
        person.play()
        holds_together(database, person)


def test_pace_can_be_changed(http: httpx.Client) -> None:
    person = sit(http, seat=1, pace="step")
    assert person.state["turn"] == "agent"
    answer = http.put(f"{person.path}/pace", headers=person.headers, json={"pace": "at-once"}).json()
    assert (answer["turn"], answer["pace"]) == ("you", "at-once")


@pytest.mark.slow
def test_a_response_says_what_is_owed_and_what_each_choice_pays(http: httpx.Client) -> None:
    seen = 0
    for seed in range(40):
        person = sit(http, seat=0, seed=seed)
        while person.state["turn"] == "you":
            response = person.state["view"]["turn"]["response"]
            if response and response["demand"] == "payment":
                seen += 1
                for move in person.state["legal"]:
                    if move["verb"] == "pay":
                        assert move["pays"] == person.state["view"]["values"][move["card"]]
                        assert move["place"] in ("bank", "property")
                        assert f"${response['owed'] - response['paid']} still owed" in move["explanation"]
            person.move()
        if seen > 5:
            return
    pytest.fail("nobody ever charged rent")


def test_history_can_be_asked_for_in_parts(http: httpx.Client) -> None:
    person = sit(http, seat=0)
    person.play(60)
    whole = person.get().json()["history"]
    assert person.get("?since=30").json()["history"] == whole[30:]
    assert person.get("?since=99999").json()["history"] == []


@pytest.mark.parametrize(
    ("game", "payoffs", "outcomes"),
    [
        ("kuhn", [2, -2], ["won", "lost"]),
        ("kuhn(players=3)", [-1, 3, -2], ["lost", "won", "lost"]),
        ("goofspiel", [0, 0], ["drawn", "drawn"]),
        ("goofspiel(players=3)", [0.5, 0.5, -1], ["won", "won", "lost"]),
        ("goofspiel(returns=total-points)", [3, 7], ["lost", "won"]),
        ("goofspiel(returns=total-points)", [5, 5], ["drawn", "drawn"]),
    ],
)
def test_who_won_depends_on_what_the_others_got(game: str, payoffs: list[float], outcomes: list[str]) -> None:
    ended: Any = SimpleNamespace(game=load(game), is_study_table=False, row={"payoffs": payoffs, "resigned_by": None})
    assert [Session.result(ended, seat).outcome for seat in range(len(payoffs))] == outcomes
    assert Session.result(ended, None).outcome == "ended"
