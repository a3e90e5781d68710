"""Seats: people and agents at one table, who come and go; clocks, undo, codes, spectators; races between servers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import update
from websockets.sync.client import connect

from parlor.server.operations.settings import ServerSettings
from parlor.server.tables import session
from parlor.server.tables.store import MoveRow, SeatRow, Store, TableRow, now
from tests.server.people import Person, client_of, sit

pytestmark = [pytest.mark.slow(seconds=10), pytest.mark.usefixtures("solved_here")]

FOUR = "kuhn(players=4)"
YOU, OPEN, RANDOM = {"kind": "you"}, {"kind": "open"}, {"kind": "agent", "agent": "random"}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('seats')}/parlor.db"


@pytest.fixture(scope="module")
def http(url: str) -> Iterator[httpx.Client]:
    with client_of(ServerSettings(database_url=url, rate=0)) as client:
        yield client


def host(http: httpx.Client, game: str, seats: list[dict[str, str]], **wanted: Any) -> Person:
    response = http.post("/api/tables", json={"game": game, "seats": seats, "seed": 5, **wanted})
    assert response.status_code == 201, response.text
    return Person(http, response.json()["state"], response.json()["token"])


def join(table: Person, **wanted: Any) -> Person:
    response = table.http.post(f"{table.path}/join", json=wanted)
    assert response.status_code == 201, response.text
    return Person(table.http, response.json()["state"], response.json()["token"])


def refresh(*people: Person) -> None:
    for one in people:
        one.state = one.get().json()


def play_batched_match(*people: Person) -> None:
    """Everybody moves when it is their turn, until the game is over."""
    refresh(*people)
    while people[0].state["turn"] != "over":
        [mover] = [one for one in people if one.state["turn"] == "you"]
        assert mover.move().status_code == 200
        refresh(*people)


def put(person: Person, what: str, body: Any) -> httpx.Response:
    return person.http.put(person.path + what, headers=person.headers, json=body)


def change(url: str, *statements: Any) -> None:
    """Change the database behind the server's back."""

    async def work() -> None:
        store = Store(url)
        for statement in statements:
            await store.run(lambda c, statement=statement: c.execute(statement).rowcount)  # type: ignore[misc]
        await store.close()

    asyncio.run(work())


# --------------------------------------------------------------------------------------------------------- sitting down


def test_people_join_by_link_and_agents_fill_what_is_left(http: httpx.Client) -> None:
    ann = host(http, FOUR, [OPEN, YOU, RANDOM, OPEN], player_name="Ann")
    assert (ann.state["turn"], ann.state["ply"], ann.state["seat"], ann.state["host"]) == ("waiting", 0, 1, 1)
    assert ann.move("pass", 0).json()["detail"] == "The game begins when all seats are taken."
    preview = http.get(f"{ann.path}/preview").json()
    assert preview == {
        "game": FOUR, "players": 4, "status": "waiting", "open_seats": [0, 3], "watch": False, "host_name": "Ann",
    }  # fmt: skip
    assert http.get(ann.path).json() == {"detail": "There is an open seat at this table: you can sit down."}
    bob = join(ann, seat=3, player_name="Bob")
    assert http.post(f"{ann.path}/join", json={"seat": 3}).status_code == 409
    assert put(ann, "/seats/0", {"agent": "random"}).status_code == 200
    refresh(ann, bob)
    assert ann.state["names"] == ["Random 1", "You", "Random 3", "Bob"]
    assert bob.state["names"] == ["Random 1", "Ann", "Random 3", "You"]
    assert [seat["you"] for seat in bob.state["seats"]] == [False, False, False, True]
    assert ann.state["ply"] >= 4, "it has begun"
    assert http.post(f"{ann.path}/join", json={}).json() == {"detail": "All seats of this table are taken."}
    play_batched_match(ann, bob)
    for one in (ann, bob):
        assert one.state["result"]["outcome"] in ("won", "lost")
        assert one.state["open"]
    assert {event["by"] for event in ann.state["history"]} == {"chance", "you", "person", "agent"}
    assert http.get(f"{ann.path}/preview").json()["status"] == "over"


@pytest.mark.parametrize("game", ["kuhn", "leduc", "liars-dice", "goofspiel", "monopoly-deal", "holdem"])
def test_person_against_person_at_every_game(http: httpx.Client, game: str) -> None:
    ann = host(http, game, [YOU, OPEN])
    bob = join(ann)
    play_batched_match(ann, bob)
    results = [one.state["result"] for one in (ann, bob)]
    assert results[0]["payoffs"] == results[1]["payoffs"]
    assert sorted(r["outcome"] for r in results) in (["lost", "won"], ["drawn", "drawn"])
    mind = ann.get("/mind").json()["plies"][0]
    assert not ann.get(f"/mind/{mind}").json()["thought"], "what an agent would do, not what anybody thought"


def test_wishes_that_make_no_table_are_refused_in_a_sentence(http: httpx.Client) -> None:
    for seats, sentence in (
        ([YOU], "has 2 seats, not 1"),
        ([OPEN, OPEN], "Exactly one of the seats must be yours"),
        ([YOU, YOU], "Exactly one of the seats must be yours"),
        ([YOU, {"kind": "agent", "agent": "nobody"}], "no agent"),
    ):
        answer = http.post("/api/tables", json={"game": "kuhn", "seats": seats})
        assert answer.status_code in (404, 422)
        assert sentence in answer.json()["detail"]


def test_a_seat_is_left_taken_by_an_agent_and_taken_back(http: httpx.Client) -> None:
    ann = host(http, "goofspiel(cards=6)", [YOU, OPEN])
    bob = join(ann, player_name="Bob")
    ann.state = ann.get().json()
    assert put(ann, "/seats/1", {"agent": "random"}).status_code == 409, "Bob sits there"
    bob.post("/leave", {})
    refresh(ann, bob)
    refused = bob.post("/moves", {"ply": bob.state["ply"], "move": "bid 1"})
    assert refused.json() == {"detail": "You have left this table: come back first."}
    assert [seat["left"] for seat in ann.state["seats"]] == [False, True]
    assert put(ann, "/seats/1", {"agent": "random"}).status_code == 200
    refresh(ann)
    assert ann.state["seats"][1]["kind"] == "agent"
    before = ann.state["ply"]
    ann.move()
    assert [event["by"] for event in ann.state["history"][before:] if event["by"] != "chance"] == ["you", "agent"]
    assert bob.post("/return", {}).json()["seats"][1] == {
        "seat": 1, "kind": "person", "name": "Bob", "agent": None, "you": True, "left": False,
    }  # fmt: skip
    refresh(ann)
    ann.move()
    assert ann.state["turn"] == "person"
    assert put(bob, "/seats/1", {"agent": "random"}).status_code == 200, "one's own seat may be given to an agent"
    refresh(ann)
    assert ann.state["turn"] == "you"


def test_who_resigns_ends_a_game_of_two_and_is_replaced_in_a_larger_one(http: httpx.Client) -> None:
    ann = host(http, "leduc", [YOU, OPEN])
    bob = join(ann)
    assert bob.post("/resign", {}).json()["result"]["outcome"] == "resigned"
    refresh(ann)
    assert (ann.state["result"]["outcome"], ann.state["result"]["resigned_by"]) == ("won", 1)
    ann = host(http, FOUR, [YOU, OPEN, OPEN, RANDOM])
    bob, carl = join(ann), join(ann)
    shown = bob.post("/resign", {}).json()
    assert shown["turn"] != "over"
    assert (shown["seats"][1]["kind"], shown["seats"][1]["left"]) == ("agent", True)
    play_batched_match(ann, carl)


def test_only_the_host_sets_pace_and_watching(http: httpx.Client) -> None:
    ann = host(http, "leduc", [YOU, OPEN])
    bob = join(ann)
    assert put(bob, "/pace", {"pace": "step"}).status_code == 403
    assert put(bob, "/watch", {"watch": True}).status_code == 403
    assert put(ann, "/pace", {"pace": "step"}).json()["pace"] == "step"
    ann.post("/leave", {})
    assert put(bob, "/pace", {"pace": "at-once"}).status_code == 200


# --------------------------------------------------------------------------------------------------------- codes, clock


def test_a_seat_moves_to_another_browser_by_a_code_once(http: httpx.Client, url: str) -> None:
    ann = sit(http, "leduc", seat=0)
    code = ann.post("/code", {}).json()["code"]
    assert len(code) == 8
    assert not set(code) & set("0O1I")
    typed = f" {code[:4].lower()}-{code[4:]} "
    answer = http.post(f"{ann.path}/claim", json={"code": typed})
    assert answer.status_code == 201
    elsewhere = Person(http, answer.json()["state"], answer.json()["token"])
    assert elsewhere.move().status_code == 200
    assert ann.get().status_code == 403, "the old token has stopped working"
    assert http.post(f"{ann.path}/claim", json={"code": code}).status_code == 403, "once"
    code = elsewhere.post("/code", {}).json()["code"]
    change(url, update(SeatRow).where(SeatRow.table_id == ann.state["id"]).values(code_expires=now()))
    change(url, update(TableRow).where(TableRow.id == ann.state["id"]).values(version=TableRow.version + 1))
    assert "not valid" in http.post(f"{ann.path}/claim", json={"code": code}).json()["detail"]


def test_when_the_time_is_up_an_agent_makes_this_decision(http: httpx.Client, url: str) -> None:
    ann = host(http, "goofspiel(cards=6)", [YOU, OPEN], clock=30)
    bob = join(ann)
    refresh(ann)
    deadline = ann.state["clock"]["deadline"]
    assert deadline > now().isoformat()
    ply = ann.state["ply"]
    long_ago = now() - timedelta(seconds=40)
    with client_of(ServerSettings(database_url=url, rate=0)) as fresh:
        change(
            url,
            update(MoveRow).where(MoveRow.table_id == ann.state["id"]).values(at=long_ago),
            update(SeatRow).where(SeatRow.table_id == ann.state["id"]).values(joined=long_ago),
            update(TableRow).where(TableRow.id == ann.state["id"]).values(created=long_ago),
        )
        late = Person(fresh, ann.state, ann.token)
        answer = late.move()
        assert answer.status_code == 409
        assert answer.json()["detail"].startswith("Your time for this decision was up: ")
        shown = late.get().json()
        assert shown["ply"] == ply + 1
        assert (shown["history"][ply]["by"], shown["history"][ply]["actor"]) == ("agent", 0)
        bob.http = fresh
        refresh(bob)
        assert bob.state["turn"] == "you"
        assert bob.move().status_code == 200, "the next one has time again"


def test_a_move_that_comes_late_is_too_late_also_where_the_table_was_played(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = host(http, "goofspiel(cards=6)", [YOU, OPEN], clock=30)
    bob = join(ann)
    refresh(ann)
    ply = ann.state["ply"]
    monkeypatch.setattr(session, "now", lambda: now() + timedelta(seconds=31))
    answer = ann.move()
    assert answer.status_code == 409
    assert answer.json()["detail"].startswith("Your time for this decision was up: ")
    monkeypatch.undo()
    refresh(bob)
    assert [(event["by"], event["actor"]) for event in bob.state["history"][ply:]] == [("agent", 0)]


# ----------------------------------------------------------------------------------------------------------- undo


def test_a_move_is_taken_back_and_nothing_opens_before_the_new_game_is_over(http: httpx.Client) -> None:
    ann = sit(http, seat=0, seed=3)
    assert not ann.state["undo"]
    ann.move()
    ann.move()
    assert ann.state["undo"]
    last = [event["ply"] for event in ann.state["history"] if event["by"] == "you"][-1]
    made = ann.post("/undo", {"ply": ann.state["ply"]})
    assert made.status_code == 201, made.text
    again = Person(http, made.json()["state"], made.json()["token"])
    assert (again.state["ply"], again.state["undone"], again.state["turn"]) == (last, 1, "you")
    assert again.state["history"] == ann.state["history"][:last]
    refresh(ann)
    assert (ann.state["turn"], ann.state["replaced_by"], ann.state["open"]) == ("over", again.state["id"], False)
    assert ann.state["result"]["outcome"] == "ended"
    assert ann.post("/undo", {"ply": last}).status_code == 409
    assert ann.get("/record").status_code == 409
    again.play()
    refresh(ann, again)
    assert ann.state["open"]
    assert again.state["open"]


def test_the_same_cards_come_after_an_undo(http: httpx.Client) -> None:
    ann = sit(http, seat=0, seed=8)
    ann.move()
    before = ann.state["history"]
    made = ann.post("/undo", {"ply": ann.state["ply"]}).json()
    again = Person(http, made["state"], made["token"])
    again.move(ann.sent[-1][1])
    assert again.state["history"] == before


def test_where_several_people_play_nothing_is_taken_back(http: httpx.Client) -> None:
    ann = host(http, "goofspiel(cards=6)", [YOU, OPEN])
    join(ann)
    refresh(ann)
    ann.move()
    assert not ann.state["undo"]
    assert "one person" in ann.post("/undo", {"ply": ann.state["ply"]}).json()["detail"]
    strict = sit(http, "goofspiel(cards=6)", seat=0, undo=False)
    strict.move()
    assert "cannot be taken back" in strict.post("/undo", {"ply": strict.state["ply"]}).json()["detail"]


# ----------------------------------------------------------------------------------------------------------- spectators


def test_finished_games_are_for_anyone_and_running_ones_if_the_host_allows(http: httpx.Client) -> None:
    ann = sit(http, "leduc", seat=0, mind="always")
    assert http.get(ann.path).json()["detail"].startswith("This is a game of one person against agents that is still")
    put(ann, "/watch", {"watch": True})
    watched = http.get(ann.path).json()
    assert (watched["seat"], watched["legal"], watched["sides"]) == (None, [], [])
    assert watched["view"]["display"]["cards"] == []
    assert watched["history"][0]["secret"]
    assert http.get(f"{ann.path}/mind").json()["why"] == "Spectators see minds when the game is over."
    assert http.get(f"{ann.path}/mind/2").status_code == 403
    address = str(http.base_url).replace("http", "ws", 1) + f"{ann.path}/live"
    with connect(address) as line:
        line.send('{"token": ""}')
        assert json.loads(line.recv(60))["seat"] is None
        ann.move()
        assert json.loads(line.recv(60))["ply"] == ann.state["ply"]
    ann.play()
    shown = http.get(ann.path).json()
    assert (shown["open"], shown["result"]["outcome"], len(shown["sides"])) == (True, "ended", 2)
    assert not any(event["secret"] for event in shown["history"])
    ply = ann.sent[0][0]
    assert http.get(f"{ann.path}/replay/{ply}").json()["ply"] == ply
    assert http.get(f"{ann.path}/mind/{ply}").json()["detail"] == "inside"
    assert http.get(f"{ann.path}/record").json()["format"] == "parlor game 2"
    made = http.post(f"{ann.path}/branch", json={"ply": ply})
    assert made.status_code == 201, "anyone may try again from there"
    assert http.get("/api/tables/aaaaaaaaaaaaaaaaaaaaaa").status_code == 404


# ----------------------------------------------------------------------------------------------------------- honesty


def test_a_chosen_seed_is_told_and_stays_told(http: httpx.Client) -> None:
    chosen = sit(http, "leduc", seat=0)
    assert chosen.state["seed_chosen"]
    chosen.move()
    if chosen.state["undo"]:
        assert chosen.post("/undo", {"ply": chosen.state["ply"]}).json()["state"]["seed_chosen"]
    done = sit(http, "leduc", seat=0)
    done.post("/resign", {})
    assert done.post("/branch", {"ply": 0}).json()["state"]["seed_chosen"]
    response = http.post("/api/tables", json={"game": "leduc", "agent": "random"}).json()
    assert not response["state"]["seed_chosen"]


def test_a_forged_version_is_not_believed_and_a_branch_of_a_file_remembers_it(http: httpx.Client) -> None:
    person = sit(http, "leduc", seat=0)
    person.play()
    record = person.get("/record").json()
    by_agent = next(e["ply"] for e in person.get().json()["history"] if e["by"] == "agent")
    honest = person.get(f"/mind/{by_agent}").json()
    assert honest["thought"]
    version = honest["agent"]["version"]
    old = {
        "format": "parlor game 1", "game": "leduc", "seat": 0, "agent": "random", "agent_version": version,
        "payoffs": record["payoffs"], "moves": record["moves"],
    }  # fmt: skip
    for file in (record, old):
        made = http.post("/api/tables/import", json=file).json()
        taken = Person(http, made["state"], made["token"])
        assert taken.state["history"][by_agent]["by"] == "agent"
        mind = taken.get(f"/mind/{by_agent}").json()
        assert (mind["thought"], mind["agent"]["version"]) == (False, version)
        branch = taken.post("/branch", {"ply": by_agent + 1}).json()
        assert branch["state"]["imported"]


def test_branches_undo_and_imports_cost_as_much_as_a_table(tmp_path: Path) -> None:
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0.001, burst=25)
    with client_of(settings) as client:
        person = sit(client, "leduc", seat=0)  # 10
        person.post("/resign", {})  # 11
        assert person.post("/branch", {"ply": 0}).status_code == 201  # 21
        for what in ("/branch", "/undo"):
            assert person.post(what, {"ply": 0}).status_code == 429, what
        assert client.post("/api/tables/import", json={}).status_code == 429
        assert person.get().status_code == 200


# ----------------------------------------------------------------------------------------------------------- races


def test_of_two_who_join_at_once_one_gets_the_seat(two: list[httpx.Client]) -> None:
    with ThreadPoolExecutor(8) as pool:
        for _ in range(6):
            ann = host(two[0], "leduc", [YOU, OPEN])
            answers = list(pool.map(lambda c: c.post(f"{ann.path}/join", json={}), two * 4))  # noqa: B023
            assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
            [taken] = [answer.json() for answer in answers if answer.status_code == 201]
            bob = Person(two[1], taken["state"], taken["token"])
            play_batched_match(ann, bob)


def test_of_two_who_take_the_last_seats_at_once_both_begin(two: list[httpx.Client]) -> None:
    with ThreadPoolExecutor(4) as pool:
        for _ in range(6):
            ann = host(two[0], FOUR, [YOU, OPEN, OPEN, RANDOM])
            answers = list(pool.map(lambda c: c.post(f"{ann.path}/join", json={}), two))  # noqa: B023
            assert [answer.status_code for answer in answers] == [201, 201]
            others = [Person(c, a.json()["state"], a.json()["token"]) for c, a in zip(two, answers, strict=True)]
            play_batched_match(ann, *others)


def test_resign_and_undo_at_once_never_open_cards_of_a_running_game(two: list[httpx.Client]) -> None:
    for turn in range(10):
        ann = sit(two[0], "goofspiel(cards=6)", seat=0, seed=turn)
        ann.move()
        ply = ann.state["ply"]
        elsewhere = Person(two[1], ann.state, ann.token)
        elsewhere.get()
        with ThreadPoolExecutor(3) as pool:
            undone = pool.submit(ann.post, "/undo", {"ply": ply})
            resigned = pool.submit(elsewhere.post, "/resign", {})
            looks = [pool.submit(elsewhere.get) for _ in range(4)]
            made, gone = undone.result(), resigned.result()
        assert gone.status_code == 200
        assert made.status_code in (201, 409)
        states = [gone.json(), *(look.result().json() for look in looks), ann.get().json()]
        if made.status_code == 201:
            assert not any(state["open"] for state in states), "a game with the same cards goes on"
            assert ann.get().json()["replaced_by"] == made.json()["state"]["id"]
        else:
            assert ann.get().json()["open"]
            assert ann.get().json()["result"]["outcome"] == "resigned"
