"""Programs in the seats of tables, by the line protocol over the network."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from parlor.agents.programs import messages
from parlor.cli.main import main
from parlor.game import Position
from parlor.game.loading import load
from parlor.game.seats.observation import Observation, observe
from parlor.server.operations.settings import ServerSettings
from parlor.server.programs import table_program
from tests.server.people import Person, client_of, sit
from tests.server.remote_programs import Remote, evenly, first, running

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "programs"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    database = f"sqlite:///{tmp_path_factory.mktemp('programs')}/parlor.db"
    with client_of(ServerSettings(database_url=database, rate=0)) as client:
        yield client


def remote(person: Person, **wanted: Any) -> Remote:
    return Remote(f"{person.http.base_url}{person.path}/program", person.token, **wanted)


def with_open_seat(server: httpx.Client, game: str) -> Person:
    return sit(server, game, None, seats=[{"kind": "you"}, {"kind": "open"}])  # type: ignore[arg-type]


def test_a_program_plays_the_seat_of_a_table(server: httpx.Client) -> None:
    person = sit(server, "kuhn", seat=1)
    program = remote(person, ready={"type": "ready", "protocol": 1, "events": True, "history": True})
    program.run()
    assert program.closed == (1000, "The game is over.")
    kinds = [message["type"] for message in program.got]
    assert kinds[:2] == ["hello", "begin"]
    assert kinds[-1] == "end"
    state = person.get().json()
    assert program.got[-1]["payoffs"] == state["result"]["payoffs"]
    position = load("kuhn").start()
    for event in state["history"]:
        if position.turn == 1:
            [asked] = program.of("act")
            expected = messages.act(1, 1, observe(position, 1), True)
            assert asked == json.loads(messages.line(expected)), "all that the seat knows, and nothing else"
        position = position.after(event["move"]["name"])
    assert [event["move"] for event in program.of("event")] == [
        happened.move for happened in observe(position, 1).history
    ]


def test_two_programs_play_each_other_at_a_table(server: httpx.Client) -> None:
    host = with_open_seat(server, "leduc")
    guest = Person(server, host.state, server.post(f"{host.path}/join", json={}).json()["token"])
    one, other = remote(host), remote(guest, answers=evenly)
    with running(one), running(other):
        pass_through = threading.Event()
        for _ in range(600):
            if one.closed[0] and other.closed[0]:
                break
            pass_through.wait(0.05)
    assert (one.closed[0], other.closed[0]) == (1000, 1000)
    assert host.get().json()["turn"] == "over"


def test_what_cannot_be_played_is_said_and_asked_again(server: httpx.Client) -> None:
    def badly(message: dict[str, Any]) -> dict[str, Any]:
        return {"id": message["id"], "move": "castle"} if len(program.of("error")) < 2 else first(message)

    program = remote(sit(server, "kuhn", seat=0), answers=badly)
    program.run()
    assert program.closed[0] == 1000
    assert [message["error"] for message in program.of("error")] == [
        "The program answered 'castle', which cannot be played here; legal moves: pass (0), bet (1)."
    ] * 2
    stubborn = remote(sit(server, "kuhn", seat=0))
    stubborn.answers = lambda message: badly(message) | {"move": "castle"} if len(stubborn.got) < 99 else "{"
    stubborn.run()
    assert stubborn.closed[0] == 4400
    assert len(stubborn.of("act")) == 5


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("{", "The program wrote '{', which is not JSON."),
        ('{"id":99,"move":"pass"}', "The program answered with id 99 where 1 was asked."),
        ("x" * 5000, ""),  # a message may have 4 kB
    ],
)
def test_garbage_ends_the_connection_and_not_the_game(server: httpx.Client, said: str, reason: str) -> None:
    person = sit(server, "kuhn", seat=0)
    program = remote(person, answers=lambda message: said)
    program.run()
    assert program.closed[0] in (4400, 1009)
    assert reason in program.closed[1]
    assert person.get().json()["turn"] == "you", "another program, or a person, can go on"


def test_a_flood_ends_the_connection(server: httpx.Client) -> None:
    person = with_open_seat(server, "kuhn")  # nothing is asked before somebody sits down
    program = remote(person)
    with running(program):
        for _ in range(600):
            if program.of("begin"):
                break
            threading.Event().wait(0.02)
        assert program.socket is not None
        with contextlib.suppress(ConnectionClosed):  # it may be sent away before it has sent all
            for _ in range(40):
                program.socket.send("{}")
        for _ in range(600):
            if program.closed[0]:
                break
            threading.Event().wait(0.02)
    assert program.closed == (4400, "The program sent more than 16 messages without being asked.")


def test_a_seat_needs_its_own_token(server: httpx.Client) -> None:
    person, other = sit(server, "kuhn"), sit(server, "kuhn")
    program = remote(Person(server, person.state, other.token))
    program.run()
    assert program.closed[0] == 4403
    stranger = {"Authorization": f"Bearer {other.token}"}
    assert server.get(f"{person.path}/question", headers=stranger).status_code == 403
    assert server.get(f"{person.path}/question").status_code == 401
    assert server.post(f"{person.path}/answer", json={"id": 1, "move": "pass"}, headers=stranger).status_code == 403


def test_the_same_messages_come_by_single_requests(server: httpx.Client) -> None:
    person = sit(server, "leduc", seat=0)
    message = person.get("/question").json()
    asked = 0
    while message["type"] == "act":
        asked += 1
        assert message["observation"]["player"] == 0
        answer = evenly(message) if asked == 1 else first(message)
        sent = person.post("/answer", answer)
        assert sent.status_code == 200, sent.text
        message = sent.json()
    assert asked
    assert message == {"type": "end", "seat": 1, "payoffs": person.get().json()["result"]["payoffs"]}


def test_single_requests_are_refused_in_sentences(server: httpx.Client) -> None:
    person = sit(server, "kuhn", seat=0)
    ask = person.get("/question").json()

    def refused(**answer: Any) -> tuple[int, str]:
        found = person.post("/answer", answer)
        return found.status_code, found.json()["detail"]

    assert refused(id=ask["id"], move="castle") == (
        422, "The program answered 'castle', which cannot be played here; legal moves: pass (0), bet (1)."
    )  # fmt: skip
    assert refused(id=ask["id"])[1] == "The program sent an answer that has none of move, action and probabilities."
    assert refused(id=ask["id"] + 7, probabilities={"pass": 1.0})[0] == 409
    assert refused(id=ask["id"] + 7, move="pass")[0] == 409
    assert refused(id=ask["id"], probabilities={"pass": 0.7})[0] == 422
    for _ in range(2):  # sent twice, it is made once
        assert person.post("/answer", {"id": ask["id"], "move": "pass"}).status_code == 200
    waiting = with_open_seat(server, "kuhn")
    assert waiting.get("/question?wait=0.05").json() == {"type": "wait", "seat": 1}


def test_nothing_is_asked_at_a_seat_that_was_left(server: httpx.Client) -> None:
    person = sit(server, "kuhn", seat=0)
    assert person.post("/leave", {}).status_code == 200
    assert person.get("/question?wait=0.05").json() == {"type": "wait", "seat": 1}
    program = remote(person)
    with running(program):
        for _ in range(600):
            if program.of("begin"):
                break
            threading.Event().wait(0.02)
        threading.Event().wait(0.1)
        assert not program.of("act"), "no answer would be taken"
        assert person.post("/return", {}).status_code == 200
        for _ in range(600):
            if program.closed[0]:
                break
            threading.Event().wait(0.02)
    assert program.closed[0] == 1000
    assert not program.of("error")


def test_a_look_without_news_replays_nothing_and_a_replay_holds_up_nobody(
    server: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed: list[tuple[int, str]] = []

    def counted(position: Position, player: int) -> Observation:
        replayed.append((position.ply, threading.current_thread().name))
        return observe(position, player)

    monkeypatch.setattr(table_program, "observe", counted)
    monkeypatch.setattr(table_program, "LOOK", 0.01)
    person = with_open_seat(server, "kuhn")
    program = remote(person)
    with running(program):
        for _ in range(600):
            if replayed:
                break
            threading.Event().wait(0.02)
        threading.Event().wait(0.2)  # many looks
        assert len(replayed) == 1
    played = sit(server, "kuhn", seat=0)
    assert played.get("/question").json()["type"] == "act"
    assert len(replayed) == 2
    assert all(thread.startswith("parlor-quick") for _, thread in replayed)


def test_the_command_seats_a_program(server: httpx.Client, capsys: pytest.CaptureFixture[str]) -> None:
    host = with_open_seat(server, "kuhn")
    table = f"{server.base_url}/table/{host.state['id']}"
    host_plays = remote(host)
    with running(host_plays):
        assert main(["join", table, f"{sys.executable} {EXAMPLES / 'bot.py'}", "--name", "Bot"]) == 0
    state = host.get().json()
    assert state["turn"] == "over"
    assert [seat["name"] for seat in state["seats"]][1] == "Bot"
    assert main(["join", table, f"{sys.executable} {EXAMPLES / 'bot.py'}"]) == 1
    assert "This game is over." in capsys.readouterr().err
    fresh = f"{server.base_url}/table/{with_open_seat(server, 'kuhn').state['id']}"
    assert main(["join", fresh, "./there-is-none"]) == 1
    assert "was not found" in capsys.readouterr().err
    assert main(["join", f"{server.base_url}/somewhere", "./bot"]) == 1
    assert main(["join", f"{server.base_url}/arena", f"{sys.executable} -c 0", "kuhn", "--name", "me"]) == 1
    assert "This server has no arena" in capsys.readouterr().err


def test_a_shuffle_is_committed_to_and_told_afterwards(
    server: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    person = sit(server, "leduc", seat=0, seed=None)
    before = server.get(f"{person.path}/shuffle").json()
    assert before["secret"] is None
    assert len(before["commitment"]) == 64
    table = f"{server.base_url}/table/{person.state['id']}"
    assert main(["verify", table]) == 1
    assert "when the game" in capsys.readouterr().err
    person.play()
    after = server.get(f"{person.path}/shuffle").json()
    assert after["commitment"] == before["commitment"]
    assert main(["verify", table, "--commitment", before["commitment"]]) == 0
    assert "draws of this game are what it gives" in capsys.readouterr().out
    chosen = sit(server, "leduc", seed=4)
    assert server.get(f"{chosen.path}/shuffle").json() == {"commitment": None, "secret": None, "since": 0}


def test_a_game_whose_move_was_taken_back_keeps_its_secret(server: httpx.Client) -> None:
    person = sit(server, "leduc", seat=0, seed=None)
    person.move()
    seated = person.post("/undo", {"ply": person.state["ply"]}).json()
    again = Person(server, seated["state"], seated["token"])
    assert server.get(f"{person.path}/shuffle").json()["secret"] is None, "the same cards are still in play"
    again.play()
    told = server.get(f"{again.path}/shuffle").json()
    assert told["secret"] is not None
    assert told == server.get(f"{person.path}/shuffle").json()
    assert main(["verify", f"{server.base_url}/table/{again.state['id']}"]) == 0


def test_a_branch_draws_from_a_secret_of_its_own(server: httpx.Client) -> None:
    person = sit(server, "leduc", seat=0, seed=None)
    person.play()
    seated = person.post("/branch", {"ply": 3}).json()
    branch = Person(server, seated["state"], seated["token"])
    branch.play()
    told = server.get(f"{branch.path}/shuffle").json()
    assert told["since"] == 3
    assert told["commitment"] != server.get(f"{person.path}/shuffle").json()["commitment"]
    assert main(["verify", f"{server.base_url}/table/{branch.state['id']}"]) == 0


def test_an_undone_branch_answers_for_its_own_draws_only(server: httpx.Client) -> None:
    person = sit(server, "leduc", seat=0, seed=None)
    person.play()
    for ply, moves in ((2, 1), (3, 0)):  # taken back to where the branch began, and to before that
        made = person.post("/branch", {"ply": ply}).json()
        branch = Person(server, made["state"], made["token"])
        if moves:
            assert branch.move().status_code == 200
        made = branch.post("/undo", {"ply": branch.state["ply"]}).json()
        again = Person(server, made["state"], made["token"])
        assert again.state["ply"] == 2
        again.play()
        assert server.get(f"{again.path}/shuffle").json()["since"] == 2
        assert main(["verify", f"{server.base_url}/table/{again.state['id']}"]) == 0
