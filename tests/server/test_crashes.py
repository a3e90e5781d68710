"""The server is killed, the database goes away: nothing that was acknowledged is lost, and nothing is done twice."""

from __future__ import annotations

import atexit
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import httpx
import pytest

from parlor.server.operations.settings import ServerSettings
from parlor.study.rehearsal.server_process import bound_socket
from tests.server.databases import Postgres
from tests.server.people import Person, client_of, sit
from tests.server.processes import parlor
from tests.server.test_seats import OPEN, RANDOM, YOU, host, join, play_batched_match
from tests.server.test_tables import holds_together

pytestmark = pytest.mark.slow(seconds=20)


def free_port() -> int:
    """A port for servers of these tests, which nobody else is given until the end."""
    held = bound_socket()
    atexit.register(held.close)
    return int(held.getsockname()[1])


@contextmanager
def process(database: str, port: int) -> Iterator[ForkServerProcess]:
    """`parlor serve` as a process of its own."""
    with parlor(["serve", "--port", str(port), "--database-url", database, "--requests", "0"]) as server:
        for _ in range(6000):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                assert server.is_alive(), "it does not start"
                time.sleep(0.02)
        yield server


def wait_for(moves: int, people: list[Person], threads: list[threading.Thread]) -> None:
    """Wait until so many more moves have been acknowledged, or everybody has stopped."""
    enough = moves + sum(len(person.sent) for person in people)
    while sum(len(person.sent) for person in people) < enough and any(thread.is_alive() for thread in threads):
        time.sleep(0.002)


def play_until_silence(person: Person) -> None:
    """Move as fast as possible until nobody answers."""
    try:
        while person.state["turn"] != "over":
            person.move()
    except httpx.TransportError:
        return


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_kill_9_in_the_middle_of_games_loses_nothing(database: str) -> None:
    dice, port = random.Random(7), free_port()
    address = f"http://127.0.0.1:{port}"
    people: list[Person] = []
    for _ in range(2):
        with process(database, port) as server, httpx.Client(base_url=address, timeout=600, verify=False) as http:
            for person in people:
                person.http = http
                retry(person)
                holds_together(database, person)
            people += [sit(http, seat=seat, player_name="Ann") for seat in (0, 1)]
            threads = [threading.Thread(target=play_until_silence, args=(person,)) for person in people]
            for thread in threads:
                thread.start()
            wait_for(20 + dice.randrange(40), people, threads)
            server.kill()
            for thread in threads:
                thread.join()
    with process(database, port), httpx.Client(base_url=address, timeout=600, verify=False) as http:
        for person in people:
            person.http = http
            retry(person)
            person.play()
            holds_together(database, person)


def play_in_turn(seats: list[Person]) -> None:
    """Play at one table after the other, looking and moving, until nobody answers."""
    try:
        for person in seats:
            while person.state["turn"] != "over":
                person.state = person.get().json()
                if person.state["turn"] == "you":
                    assert person.move().status_code == 200
    except httpx.TransportError:
        return


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_kill_9_with_two_people_and_two_agents_at_tables_of_four(database: str) -> None:
    """Nothing that was acknowledged is lost, nothing is doubled, and everybody plays on."""
    dice, port = random.Random(8), free_port()
    address = f"http://127.0.0.1:{port}"
    anns: list[Person] = []
    bobs: list[Person] = []
    for _ in range(2):
        with process(database, port) as server, httpx.Client(base_url=address, timeout=600, verify=False) as http:
            for index in range(0 if anns else 40):
                seats = [YOU, RANDOM, OPEN, RANDOM] if index % 2 else [RANDOM, OPEN, RANDOM, YOU]
                anns.append(host(http, "kuhn(players=4)", seats, seed=index))
                bobs.append(join(anns[-1]))
            for person in (*anns, *bobs):
                person.http = http
            threads = [threading.Thread(target=play_in_turn, args=(seats,)) for seats in (anns, bobs)]
            for thread in threads:
                thread.start()
            wait_for(10 + dice.randrange(20), anns + bobs, threads)
            server.kill()
            for thread in threads:
                thread.join()
    going = sum(person.state["turn"] != "over" for person in anns)
    assert 0 < going < len(anns), "it was killed between the first game and the last"
    with process(database, port), httpx.Client(base_url=address, timeout=600, verify=False) as http:
        for ann, bob in zip(anns, bobs, strict=True):
            for person in (ann, bob):
                person.http = http
                retry(person)
            play_batched_match(ann, bob)
            for person in (ann, bob):
                holds_together(database, person)


def retry(person: Person) -> None:
    """What a page does after a silence: send the move again that was not acknowledged, then look."""
    if person.state["turn"] == "you":
        assert person.move().status_code == 200
    person.state = person.get().json()


def test_postgresql_may_be_restarted_under_a_running_server(cluster: Postgres) -> None:
    database = cluster.create("restarted")
    with client_of(ServerSettings(database_url=database, rate=0)) as http:
        person = sit(http, seat=0)
        person.play(30)
        before = person.get().content
        cluster.stop()
        try:
            answer = person.get()
            assert answer.status_code == 503
            assert "database cannot be reached" in answer.json()["detail"]
            assert person.move().status_code == 503
            assert http.post("/api/tables", json={"game": "kuhn", "agent": "random"}).status_code == 503
        finally:
            cluster.start()
        assert person.get().content == before
        person.play()
        holds_together(database, person)


def test_postgresql_restarted_while_many_play(cluster: Postgres) -> None:
    """Requests in flight fail with a sentence or succeed; either way the games are whole."""
    database = cluster.create("restarted_busy")
    statuses: set[int] = set()
    done = threading.Event()

    def play(person: Person) -> None:
        while not done.is_set() and person.state["turn"] != "over":
            statuses.add(person.move().status_code)

    with client_of(ServerSettings(database_url=database, rate=0)) as http:
        people = [sit(http, seat=0) for _ in range(6)]
        threads = [threading.Thread(target=play, args=(person,)) for person in people]
        for thread in threads:
            thread.start()
        wait_for(6, people, threads)
        cluster.stop()
        while 503 not in statuses and any(thread.is_alive() for thread in threads):
            time.sleep(0.01)
        cluster.start()
        wait_for(6, people, threads)
        done.set()
        for thread in threads:
            thread.join()
        assert statuses <= {200, 503}
        for person in people:
            retry(person)
            person.play()
            holds_together(database, person)


@pytest.mark.parametrize("agent", ["gone"])
def test_an_agent_that_goes_away_is_told(tmp_path: Path, agent: str) -> None:
    from parlor.game.loading import load
    from parlor.policies.policy import Policy
    from parlor.runs.files.strategy_files import save

    folder = tmp_path / "agents"
    save(Policy.uniform(load("kuhn")), folder / f"{agent}.json")
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", agents=(str(folder),), rate=0)
    with client_of(settings) as http:
        person = sit(http, "kuhn", agent, seat=1, pace="step")
    (folder / f"{agent}.json").unlink()
    with client_of(settings) as http:
        person.http = http
        assert "no agent 'gone'" in person.get().json()["trouble"]
        assert person.advance().status_code == 409
        assert person.post("/resign", {}).json()["result"]["outcome"] == "resigned"
