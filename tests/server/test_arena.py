"""The open arena: registered programs play each other, on deals that can be verified."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlor.agents.registry import concrete_game
from parlor.cli.main import main
from parlor.game.loading import load
from parlor.server.open_arena import arena_queries, match_play, open_arena
from parlor.server.open_arena.standings_of import pairs_of
from parlor.server.operations.settings import ServerSettings
from parlor.server.tables.pending import drawn
from parlor.server.tables.shuffle import agents_secret, commitment, deal_secret
from tests.server.people import client_of, sit
from tests.server.remote_programs import Answers, Remote, evenly, first, last, running

GAME = "kuhn"


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solved_here: None) -> Iterator[httpx.Client]:
    """A client of a server with an arena, in which pairs have soon played enough."""
    monkeypatch.setattr(match_play, "LEAVING", 0.1)
    monkeypatch.setattr(open_arena, "MATCH", 6)
    monkeypatch.setattr(open_arena, "GAMES", 12)
    monkeypatch.setattr(arena_queries, "KEPT", 0.0)
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0, arena=True)
    with client_of(settings) as client:
        yield client


def registered(arena: httpx.Client, name: str, answers: Answers = first, game: str = GAME) -> Remote:
    answer = arena.post("/api/arena/agents", json={"game": game, "name": name})
    assert answer.status_code == 201, answer.text
    return Remote(f"{arena.base_url}/api/arena/play", answer.json()["token"], answers)


def until(found: Callable[[], Any], seconds: float = 60) -> Any:
    """What is found in the end."""
    deadline = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < deadline, "nothing was found in time"
        time.sleep(0.02)
    return answer


def silent(message: dict[str, Any]) -> str:
    time.sleep(1)
    return ""


def standings(arena: httpx.Client, game: str = GAME) -> dict[str, Any]:
    found: dict[str, Any] = arena.get("/api/arena/standings", params={"game": game}).json()
    return found


def matches(arena: httpx.Client, **wanted: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = arena.get("/api/arena/matches", params={"game": GAME} | wanted).json()
    return found


def enough(arena: httpx.Client, pairs: int) -> Callable[[], bool]:
    """Whether so many pairs have played enough, and all matches are over."""

    def look() -> bool:
        found = matches(arena, limit=100)
        return sum(match["games"] for match in found) >= 12 * pairs and all(m["state"] == "over" for m in found)

    return look


@pytest.mark.slow
def test_programs_play_each_other_and_the_server(arena: httpx.Client) -> None:
    one, other = registered(arena, "first one", first), registered(arena, "all even", evenly)
    one.ready |= {"events": True, "history": True}
    with running(one, other):
        until(enough(arena, 5))  # each other; and each of them random, and the solver
        found = standings(arena)
        assert all(agent["connected"] for agent in found["agents"])
        assert arena.get("/api/arena").json()["games"] == [
            {"game": GAME, "title": "Kuhn", "agents": 4, "connected": 2, "games": 60}
        ]
    names = {agent["agent"]: agent["name"] for agent in found["agents"]}
    assert {agent["name"] for agent in found["agents"] if agent["own"]} == {"Random", "Solver Sophie"}
    assert [agent["games"] for agent in found["agents"] if not agent["own"]] == [36, 36]
    assert [agent["rating"]["value"] for agent in found["agents"] if agent["name"] == "Random"] == [0.0]
    rated = [agent["rating"] for agent in found["agents"] if agent["rating"] and agent["name"] != "Random"]
    assert all(rating["low"] < rating["value"] < rating["high"] for rating in rated)
    assert sorted(pair["games"] for pair in found["pairs"]) == [12] * 5, "a pair that has played enough stops"
    assert all(pair["payoff"]["low"] <= pair["payoff"]["value"] <= pair["payoff"]["high"] for pair in found["pairs"])
    assert {names[pair["one"]] for pair in found["pairs"]} | {names[pair["other"]] for pair in found["pairs"]} == {
        *names.values()
    }
    assert found["people"] == []
    assert {message["observation"]["player"] for message in one.of("act")} == {0, 1}
    assert one.of("event")
    for message in one.of("act"):
        seen, player = message["observation"], message["observation"]["player"]
        assert [move is None for _, move in seen["history"][:2]] == [player == 1, player == 0], "nobody else's card"
    assert not other.of("event")
    assert len(one.of("end")) == 36


def test_deals_are_duplicate_and_can_be_verified(
    arena: httpx.Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(registered(arena, "even", evenly)):
        until(enough(arena, 2))
    match = matches(arena)[0]
    assert match["commitment"] == commitment(match["secret"])
    record = arena.get(f"/api/arena/matches/{match['id']}/record").json()
    deals = [game["deal"] for game in record["games"]]
    assert deals == [0, 0, 1, 1, 2, 2]
    for a, b in zip(record["games"][::2], record["games"][1::2], strict=True):
        assert a["moves"][:2] == b["moves"][:2], "the same cards"
        assert a["seats"] == b["seats"][::-1], "for whoever sits where"
    for game in record["games"]:  # moves are drawn otherwise for each line-up: nobody can foresee them
        source = agents_secret(deal_secret(record["secret"], game["deal"]), game["seats"].index(record["agents"][0]))
        own = [ply for ply in range(2, len(game["moves"])) if game["seats"][ply % 2] == "even"]
        assert [game["moves"][ply] for ply in own] == [drawn(source, ply, {"pass": 0.5, "bet": 0.5}) for ply in own]
    file = tmp_path / "match.json"
    file.write_text(json.dumps(record))
    assert main(["verify", str(file)]) == 0
    assert main(["verify", f"{arena.base_url}/arena/match/{match['id']}"]) == 0
    assert main(["verify", str(file), "--commitment", "0" * 64]) == 1, "another secret was committed to"
    dealt = record["games"][3]["moves"]
    cards = load(GAME).start().after(dealt[0]).odds
    dealt[1] = next(card for card in cards if card != dealt[1])  # which could have been dealt, and was not
    file.write_text(json.dumps(record))
    capsys.readouterr()
    assert main(["verify", str(file)]) == 1, "a card was changed"
    assert f"In game 4 at ply 1 {dealt[1]!r} was drawn where the secret gives" in " ".join(
        capsys.readouterr().err.split()
    )


def test_every_game_may_have_a_deal_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solved_here: None
) -> None:
    monkeypatch.setattr(open_arena, "MATCH", 12)
    monkeypatch.setattr(open_arena, "GAMES", 12)
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0, arena=True, fresh_deals=True)
    with client_of(settings) as arena, running(registered(arena, "even", evenly)):
        until(enough(arena, 2))
        match = matches(arena)[0]
        record = arena.get(f"/api/arena/matches/{match['id']}/record").json()
        assert [game["deal"] for game in record["games"]] == list(range(12))
        assert len({tuple(game["moves"][:2]) for game in record["games"]}) > 2
        pairs = zip(record["games"][::2], record["games"][1::2], strict=True)
        assert any(a["moves"][:2] != b["moves"][:2] for a, b in pairs)
        assert main(["verify", f"{arena.base_url}/arena/match/{match['id']}"]) == 0


def test_games_of_a_match_are_replays_for_anybody(arena: httpx.Client) -> None:
    with running(registered(arena, "even", evenly)):
        until(enough(arena, 2))
    match = matches(arena)[0]
    found = arena.get(f"/api/arena/matches/{match['id']}").json()
    assert found["match"] == match
    game = found["games"][1]
    table = arena.get(f"/api/tables/{game['table']}").json()
    assert table["open"]
    assert table["turn"] == "over"
    assert table["names"] == game["seats"]
    assert table["result"]["payoffs"] == game["payoffs"]
    assert {event["by"] for event in table["history"]} == {"chance", "agent"}
    assert main(["verify", f"{arena.base_url}/table/{game['table']}"]) == 0


def test_a_secret_is_told_when_the_match_is_over(arena: httpx.Client) -> None:
    asked: list[dict[str, Any]] = []

    def look(message: dict[str, Any]) -> dict[str, Any]:
        if not asked:
            asked.extend(matches(arena))
            answer = arena.get(f"/api/arena/matches/{asked[0]['id']}/record")
            assert answer.status_code == 409
        return first(message)

    with running(registered(arena, "curious", look)):
        until(enough(arena, 2))
    assert asked[0]["state"] == "running"
    assert asked[0]["secret"] is None
    before = {match["id"]: match["commitment"] for match in asked}
    assert before.items() <= {match["id"]: match["commitment"] for match in matches(arena)}.items()


def test_a_match_that_goes_slowly_is_not_given_up(arena: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_arena, "SILENT", timedelta(seconds=0.5))
    monkeypatch.setattr(open_arena, "AGAIN", 0.05)
    thought: list[dict[str, Any]] = []

    def think(message: dict[str, Any]) -> dict[str, Any]:
        if not thought:
            time.sleep(1.2)
            thought.extend(matches(arena))
        return first(message)

    with running(registered(arena, "thinker", think)):
        until(lambda: thought)
    assert [(match["state"], match["secret"]) for match in thought] == [("running", None)]


def test_nothing_is_added_to_a_match_whose_secret_was_told(arena: httpx.Client, tmp_path: Path) -> None:
    def ended(message: dict[str, Any]) -> dict[str, Any]:
        database = sqlite3.connect(tmp_path / "parlor.db")
        with database:
            database.execute("update arena_matches set ended = at, why = 'given up' where ended is null")
        database.close()
        return first(message)

    with running(registered(arena, "late", ended)):
        [match] = until(lambda: [match for match in matches(arena) if match["why"].startswith("Another")][:1])
    assert (match["why"], match["games"]) == ("Another server ended it.", 0)
    assert arena.get(f"/api/arena/matches/{match['id']}").json()["games"] == []


@pytest.mark.parametrize(
    ("name", "answers", "kind", "goes_on"),
    [
        ("illegal", lambda message: {"id": message["id"], "move": "castle"}, "illegal", True),
        ("unlikely", lambda message: {"id": message["id"], "probabilities": {"pass": 2.0}}, "illegal", True),
        (
            "huge",
            lambda message: {
                "id": message["id"],
                "probabilities": dict.fromkeys(message["observation"]["legal"], 10**400),
            },
            "illegal",
            True,
        ),
        ("garbage", lambda message: "{", "garbage", False),
        ("another id", lambda message: first(message) | {"id": 0}, "garbage", False),
        ("silent", silent, "timeout", False),
    ],
)
def test_failures_are_counted_losses(
    arena: httpx.Client, monkeypatch: pytest.MonkeyPatch, name: str, answers: Answers, kind: str, goes_on: bool
) -> None:
    if kind == "timeout":
        monkeypatch.setattr("parlor.server.api.routes.arena.SECONDS", 0.2)
    program = registered(arena, name, answers)
    with running(program):
        found = until(lambda: [match for match in matches(arena) if match["state"] != "running"])[-1]
        if not goes_on:
            until(lambda: program.closed[0])
    lost = found["failures"][name][kind]
    sign = 1 if found["agents"][0] == name else -1
    assert found["payoff"]["value"] * sign < 0
    if goes_on:
        assert found["state"] == "over"
        assert program.of("error")
        assert lost == found["games"] - (found["games"] - lost)
    else:
        assert (found["state"], found["games"], lost) == ("ended early", 2, 2), "both games of the deal"
        assert name in found["why"]
        played = arena.get(f"/api/arena/matches/{found['id']}").json()["games"]
        assert len(played) == 1, "the other was not played"
        assert program.closed[0] == 4400
        assert program.closed[1].startswith("The program ")


def test_a_game_without_a_move_is_kept(arena: httpx.Client) -> None:
    game = "phantom-tic-tac-toe"  # in which no card is dealt before the first move
    program = registered(arena, "illegal", lambda message: {"id": message["id"], "move": "castle"}, game)
    with running(program):
        found = until(lambda: [match for match in matches(arena, game=game) if match["state"] != "running"])[0]
    assert (found["state"], found["games"], found["failures"]) == ("over", 6, {"illegal": {"illegal": 6}})
    games = arena.get(f"/api/arena/matches/{found['id']}/record").json()["games"]
    assert 0 in {len(game["moves"]) for game in games}


def test_whoever_leaves_loses_the_whole_deal(arena: httpx.Client) -> None:
    program = registered(arena, "leaver")

    def leave(message: dict[str, Any]) -> dict[str, Any]:
        assert program.socket is not None
        if len(program.of("begin")) == 2:  # the other game of the first deal
            program.socket.close()
        return first(message)

    program.answers = leave
    with running(program):
        found = until(lambda: [match for match in matches(arena) if match["state"] != "running"])[0]
    assert (found["state"], found["games"], found["failures"]) == ("ended early", 2, {"leaver": {"crash": 1}})
    agents = {agent["name"]: agent for agent in standings(arena)["agents"]}
    assert agents["leaver"]["lost_by_failing"] == 1
    assert not agents["leaver"]["connected"]


def test_a_server_that_stops_costs_nobody_a_game(tmp_path: Path, solved_here: None) -> None:
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0, arena=True)
    with client_of(settings) as arena:
        slow = registered(arena, "slow", silent)
        with running(slow):
            until(lambda: slow.of("act"))
            [match] = matches(arena)
            assert match["state"] == "running"
    # the connection was closed while a question was open, and then the server stopped
    with client_of(settings) as arena:
        [match] = matches(arena)
        assert (match["state"], match["why"]) == ("ended early", "The server was stopped.")
        assert (match["games"], match["failures"]) == (0, {})
        assert match["secret"] is not None


def test_the_last_connection_of_an_agent_plays(arena: httpx.Client) -> None:
    first_one = registered(arena, "twice", last)
    second = Remote(first_one.url, first_one.token)
    with running(first_one):
        until(lambda: first_one.got)
        with running(second):
            until(lambda: first_one.closed[0])
            assert first_one.closed == (4400, "The program came again, and only the last one plays.")


def test_a_pair_is_counted_from_both_sides() -> None:
    """The same two agents in two matches, once as the first and once as the other, of two deals each."""
    game = concrete_game(load(GAME))
    of_a, of_b = [[1.0, -1.0], [-2.0, 2.0]] * 2, [[-1.0, 1.0], [1.0, -1.0]] * 2
    rows = [{"one": "b", "other": "a", "payoffs": of_b}, {"one": "a", "other": "b", "payoffs": of_a}]
    [pair] = pairs_of(game, rows)
    assert pair.agents == ("a", "b")
    assert pair.payoff.value == pytest.approx((2 * (1 + 2) + 2 * (1 + 1)) / 8)
    assert pair.measure("payoff", 1).value == -pair.payoff.value


@pytest.mark.slow
def test_games_of_people_stand_apart(arena: httpx.Client) -> None:
    with running(registered(arena, "even", evenly)):
        until(enough(arena, 2))
    before = standings(arena)
    for seed in (None, None, 3):  # a deal that somebody chose does not count
        sit(arena, GAME, seed=seed).play()
    left = sit(arena, GAME, seed=None, seat=0, pace="step")  # nor does a game that somebody has left
    assert left.move("bet").is_success
    assert arena.put(f"{left.path}/seats/0", json={"agent": "random"}, headers=left.headers).is_success
    assert left.advance().json()["turn"] == "over"
    back = sit(arena, GAME, seed=None, seat=0, pace="step")  # nor one in which an agent has moved for somebody
    seat = f"{back.path}/seats/0"
    assert arena.put(seat, json={"agent": "random"}, headers=back.headers).is_success
    assert back.advance().is_success
    assert back.post("/return", {}).is_success
    back.state = back.get().json()
    assert back.state["ply"] == 3
    assert back.state["turn"] == "agent"
    back.play()
    undone = sit(arena, GAME, seed=None, seat=0, pace="step")  # nor one that another has replaced
    assert undone.move("pass").is_success
    assert undone.post("/undo", {"ply": undone.state["ply"]}).is_success
    after = standings(arena)
    assert (after["agents"], after["pairs"]) == (before["agents"], before["pairs"])
    [row] = after["people"]
    assert (row["agent"], row["name"], row["games"]) == ("random", "Random", 2)
    assert len(arena.get("/api/arena/matches", params={"game": GAME}).json()) == 4


def test_wrong_requests_get_a_sentence(arena: httpx.Client) -> None:
    def refused(body: dict[str, Any]) -> tuple[int, str]:
        answer = arena.post("/api/arena/agents", json=body)
        return answer.status_code, answer.json()["detail"]

    registered(arena, "mine")
    assert refused({"game": GAME, "name": "mine"}) == (
        409,
        "There is an agent mine for kuhn already; choose another name.",
    )
    assert refused({"game": GAME, "name": "Random"})[0] == 409
    assert refused({"game": GAME, "name": "a/b"})[0] == 422
    assert refused({"game": "nim", "name": "me"})[0] == 404
    stranger = Remote(f"{arena.base_url}/api/arena/play", "no token")
    with running(stranger):
        until(lambda: stranger.closed[0])
    assert stranger.closed == (4403, "This is not the token of an agent of this arena.")
    assert arena.get("/api/arena/matches/none").status_code == 404
    assert arena.get("/api/arena/standings", params={"game": "nim"}).status_code == 404


def test_standings_are_kept_for_a_while(arena: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena_queries, "KEPT", 600.0)
    monkeypatch.setattr(arena_queries, "KEPT_GAMES", 1)
    registered(arena, "here")
    assert [agent["name"] for agent in standings(arena)["agents"]] == ["here"]
    registered(arena, "there")
    assert [agent["name"] for agent in standings(arena)["agents"]] == ["here"]
    assert standings(arena, "leduc")["agents"] == []
    assert [agent["name"] for agent in standings(arena)["agents"]] == ["here", "there"], "of few games"


def test_a_game_that_is_offered_no_more_is_in_nobodys_way(arena: httpx.Client, tmp_path: Path) -> None:
    registered(arena, "here")
    gone = registered(arena, "gone")
    database = sqlite3.connect(tmp_path / "parlor.db")
    with database:
        database.execute("update arena_agents set game = ? where name = 'gone'", ("ü" * 200,))
    database.close()
    assert [(game["game"], game["agents"]) for game in arena.get("/api/arena").json()["games"]] == [(GAME, 1)]
    with running(gone):
        until(lambda: gone.closed[0])
    code, sentence = gone.closed
    assert (code, sentence[:15]) == (4409, "There is no gam")
    assert len(sentence.encode()) in (119, 120), "what a close frame can carry"


def test_registrations_are_bounded(arena: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_arena, "MAX_FROM_ADDRESS", 1)
    registered(arena, "one")
    answer = arena.post("/api/arena/agents", json={"game": GAME, "name": "two"})
    assert (answer.status_code, answer.json()["detail"]) == (
        429, "There are too many agents already: 1 from your address, 1 in all."
    )  # fmt: skip


def test_a_server_without_an_arena_says_so(http: httpx.Client) -> None:
    for answer in (http.get("/api/arena"), http.post("/api/arena/agents", json={"game": GAME, "name": "me"})):
        assert (answer.status_code, answer.json()["detail"]) == (
            404, "This server has no arena: it is started with parlor serve --arena."
        )  # fmt: skip
