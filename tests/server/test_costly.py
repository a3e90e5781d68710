"""What a request may not ask of a server: files, and what would take long; and searches, which are not made twice."""

from __future__ import annotations

import asyncio
import threading
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlor import GameError, load, save
from parlor.agents.agent import CompiledAgent
from parlor.compile import AlwaysCompiled, version
from parlor.game import CHANCE, Game, Position
from parlor.game.seats.play import sample, uniform_agent
from parlor.policies.beliefs import HEADS, BeliefNetwork
from parlor.policies.features import features
from parlor.policies.nets import initial_weights, parameters
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import against_all
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.policies.search_networks import SearchNetworks
from parlor.server.catalogue import folders, seating
from parlor.server.catalogue.catalogue import Catalogue, Offered
from parlor.server.catalogue.seating import limited
from parlor.server.explain import jobs
from parlor.server.explain.mind import FIRST_DRAWN, SLOW_DRAWN, inside
from parlor.server.operations.settings import ServerSettings
from parlor.server.operations.watch import Watch
from parlor.server.tables import branches, table_queries
from parlor.server.tables.pending import PendingMoves
from parlor.server.tables.session import Session
from tests.server.people import client_of, sit

KUHN = load("kuhn")
FILE = "is a file; the server has only those it was started with"


REFUSED = (
    ("deal-or-no-deal", "instances", "/etc/passwd", f"instances {FILE}"),
    ("colored-trails", "file", "/etc/passwd", f"file {FILE}"),
    ("colored-trails", "boards", "100000", "boards must be at most 1,000 here"),
    ("colored-trails", "seed", "1_0", "seed must be at most 9 here"),
)


@pytest.mark.slow
def test_no_request_reads_a_file_or_loads_a_game_that_takes_long(tmp_path: Path) -> None:
    """Neither by options, nor in the name of a game, nor with a game from a file."""
    with client_of(ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)) as http:
        person = sit(http, "kuhn", seat=0)
        person.post("/resign", {})
        record = person.get("/record").json()
        for game, option, value, sentence in REFUSED:
            named = f"{game}({option}={value})"
            for answer in (
                http.post("/api/tables", json={"game": game, "agent": "random", "options": {option: value}}),
                http.post("/api/tables", json={"game": named, "agent": "random"}),
                http.post("/api/tables/import", json=record | {"game": named}),
                http.get("/api/agents", params={"game": named}),
            ):
                assert answer.status_code == 422, answer.text
                assert answer.json()["detail"].startswith(sentence)


@pytest.mark.slow
def test_who_starts_the_server_may_serve_any_game() -> None:
    named = "colored-trails(boards=25,seed=10)"
    catalogue = Catalogue(games=[named])
    assert catalogue.game(named).outcomes == 25
    with pytest.raises(GameError, match="seed must be at most 9 here"):
        catalogue.game(named, {"seed": 11})
    offered = {option.name: option.high for option in catalogue._game_info("colored-trails").options}
    assert (offered["boards"], offered["seed"]) == (1000, 9)


def test_options_of_openspiel_games_are_written_into_their_string() -> None:
    pytest.importorskip("pyspiel")
    with pytest.raises(GameError, match="Write the options of OpenSpiel games into their string"):
        Catalogue(games=["openspiel:kuhn_poker"]).game("openspiel:kuhn_poker", {"players": 3})


def test_lists_of_agents_are_made_again_only_when_the_folders_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "FRESH", 0.0)
    catalogue, made = Catalogue([tmp_path]), list[str | None]()

    def plays(agent: Any, game: Game) -> bool:
        made.append(game.name)
        return True

    monkeypatch.setattr(catalogue, "_plays", plays)
    before = catalogue.agents("kuhn")
    count = len(made)
    assert catalogue.agents("kuhn") == before
    assert len(made) == count > 0
    save(Policy.uniform(KUHN), tmp_path / "mine.json")
    assert {agent.id for agent in catalogue.agents("kuhn")} == {agent.id for agent in before} | {"mine"}
    assert len(made) > count


def test_who_waits_for_a_game_to_be_solved_keeps_nobody_else_from_sitting_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most two requests wait; there are threads for the others, and looking needs none of these."""
    waiting, go_on = threading.Semaphore(0), threading.Event()

    def solving(agent: str, game: Game) -> Any:
        waiting.release()
        go_on.wait(60.0)
        raise GameError("It took too long.")

    monkeypatch.setattr(seating, "computed", solving)
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)
    with client_of(settings) as http, ThreadPoolExecutor() as many:
        games = ("leduc", "goofspiel(cards=3)")
        slow = [many.submit(http.post, "/api/tables", json={"game": game, "agent": "solver"}) for game in games]
        for _ in slow:
            assert waiting.acquire(timeout=60.0)
        sit(http, "leduc", "random", seat=0).play()
        go_on.set()
        assert [one.result().status_code for one in slow] == [422, 422]


def test_what_must_be_compiled_is_not_first_called_where_all_requests_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first: dict[Any, str] = {}
    called = AlwaysCompiled.__call__

    def noted(self: AlwaysCompiled, *arguments: Any) -> Any:
        first.setdefault(self.function, threading.current_thread().name)
        return called(self, *arguments)

    monkeypatch.setattr(AlwaysCompiled, "__call__", noted)
    with client_of(ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)) as http:
        sit(http, "colored-trails(boards=25)", "fair-trader", seat=0).play()
    assert len(first) > 1
    assert all(name.startswith("parlor-seating") for name in first.values()), first


def test_a_file_is_replayed_where_nobody_waits_and_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, kept = list[str](), list[int]()
    follow, replayed_record = Session.follow, table_queries.replayed_record

    def followed(self: Session, *moves: Any) -> None:
        where.append(threading.current_thread().name)
        follow(self, *moves)

    def replayed(*record: Any) -> PendingMoves:
        where.append(threading.current_thread().name)
        pending = replayed_record(*record)
        kept.append(len(pending.positions))
        return pending

    with client_of(ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)) as http:
        person = sit(http, "leduc", seat=0)
        person.play()
        record = person.get("/record").json()
        monkeypatch.setattr(Session, "follow", followed)
        monkeypatch.setattr(branches, "replayed_record", replayed)
        assert http.post("/api/tables/import", json=record).status_code == 201
    assert len(where) == 2
    assert all(name.startswith("parlor-quick") for name in where), where
    assert kept == [0]


def test_a_long_game_takes_no_more_memory_for_a_move_than_a_short_one() -> None:
    """Positions share what has happened before: kept by each, 19,900 moves took 1.6 GB."""
    position, stream, taken = load("leodopoly(preset=classic,players=6,rounds=200)").start(), [1, 2, 3, 4], [0]
    line = [position]
    tracemalloc.start()
    try:
        for _ in range(2):
            for _ in range(800):
                position = position.after(
                    sample(position.odds if position.turn == CHANCE else uniform_agent(position), stream)
                )
                line.append(position)
            taken.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert not position.over
    assert taken[2] - taken[1] < 1.4 * taken[1]


def test_notes_are_not_worked_out_where_all_requests_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of Clue are compiled at first, and take long: they come from another process, in tests from its thread."""
    where = list[str]()

    def noted(task: Any) -> Any:
        where.append(threading.current_thread().name)
        return notes(task)

    notes = jobs.notes
    monkeypatch.setattr(jobs, "notes", noted)
    noted.__module__, noted.__qualname__ = jobs.__name__, "notes"  # as it is found by those who get it sent
    with client_of(ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)) as http:
        person = sit(http, "clue(preset=small,cap=8)", "random", seat=0, seed=1, pace="step")
        assert person.get(f"/notes/{person.state['ply']}").status_code == 200
    assert where
    assert not any(name.startswith("parlor-") or "run" in name for name in where), where


def test_what_somebody_has_seen_of_a_game_is_not_replayed_where_all_requests_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a long game that takes seconds: after a restart, and when names have changed."""
    where = list[str]()
    replayed = Session.watched_by

    def noted(self: Session, viewer: int | None) -> Any:
        if viewer not in self.seen and self.ply:
            where.append(threading.current_thread().name)
        return replayed(self, viewer)

    monkeypatch.setattr(Session, "watched_by", noted)
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)
    with client_of(settings) as http:
        person = sit(http, "leduc(players=3)", "random", seat=0, seed=1, pace="step")
        person.play(4)
    with client_of(settings) as http:
        person.http = http
        assert person.advance().status_code == 200 if person.state["turn"] == "agent" else person.move().is_success
        assert person.post("/resign", {}).json()["seats"][0]["left"]
    assert len(where) == 2
    assert all(name.startswith("parlor-quick") for name in where), where


def test_a_stall_is_told(tmp_path: Path) -> None:
    async def stall() -> list[float]:
        watch = Watch()
        beating = asyncio.create_task(watch.beat())
        await asyncio.sleep(0)
        time.sleep(0.4)
        await asyncio.sleep(0.02)
        beating.cancel()
        return watch.stalls

    lately, before = asyncio.run(stall())
    assert lately >= 0.29
    assert before == 0.0
    with client_of(ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)) as http:
        assert http.get("/api/health").json()["longest_stall_ms"] >= 0.0
        assert "parlor_longest_stall_seconds" in http.get("/metrics").text


def test_a_search_is_not_prepared_where_it_only_sits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All worlds of a game may be listed for it: another process does that, where it decides."""
    seated = Catalogue().seat("mcts", load("tiny-bridge"))
    assert "_plain_mind" not in vars(seated.agent)
    assert "_plain_mind" in vars(jobs.seat(jobs.catalogue_of(Offered()), "mcts", KUHN).agent)


# --------------------------------------------------------------------------------------------- agents that search


def planning(**changed: Any) -> NetworkPolicy:
    """A network that learned from search, as abr returns it; its belief network says ½, 0.3, 0.2 everywhere."""
    code, size = features(KUHN).code, features(KUHN).size
    policy, both, belief = (size, 4, 2), (size, 4, 3), (size, 4, 3)
    weights = np.zeros(parameters(belief), np.float32)
    weights[-3:] = np.log([0.5, 0.3, 0.2])
    search_networks = SearchNetworks(
        both, initial_weights(both, 1), 1.0, "own", HEADS, 50_000, 2.0, BeliefNetwork(HEADS, belief, weights), **changed
    )
    return NetworkPolicy(
        "kuhn", version(KUHN), code, policy, initial_weights(policy, 1), 1.0, search_networks=search_networks
    )


def test_a_network_that_searches_is_served_within_limits(tmp_path: Path) -> None:
    """Not in the loop that serves everybody, in plain Python, and with few simulations, whatever it learned with."""
    save(planning(others=against_all(KUHN, [Policy.uniform(KUHN)])), tmp_path / "net.npz")
    opponent = Catalogue([tmp_path]).seat("net", KUHN)
    assert not opponent.quick
    assert not opponent.agent.slow
    mind = inside(opponent, KUHN.start().after("J to player 0", "K to player 1"), 2, None, False)
    assert mind.search is not None
    assert 0 < mind.search.visits <= 300


def test_a_network_that_values_what_follows_is_not_quick(tmp_path: Path) -> None:
    found = features(KUHN)
    for outputs in (1, 2):
        sizes = (found.size, 4, outputs)
        weights = initial_weights(sizes, 1)
        save(
            NetworkPolicy("kuhn", version(KUHN), found.code, sizes, weights, 1.0, afterstates=outputs == 1),
            tmp_path / f"{outputs}.npz",
        )
    catalogue = Catalogue([tmp_path])
    assert [catalogue.seat(id, KUHN).quick for id in ("1", "2")] == [False, True]


def test_limits_hold_for_agents_that_an_agent_names() -> None:
    with pytest.raises(GameError, match="monte-carlo runs in plain Python here: its simulations must be at most 200"):
        limited("look-ahead(policy=monte-carlo(simulations=1000000))")
    assert limited("look-ahead(policy=monte-carlo)") == "look-ahead(rollouts=5,policy=monte-carlo(simulations=200))"
    assert limited("careful") == "careful"


def test_rational_planning_is_served_within_limits(tmp_path: Path) -> None:
    """What it learned with may be more; its belief may be of the kind `heads`."""
    save(Population.of([[planning()], [planning()]], [[1.0], [1.0]], oracle="abr"), tmp_path / "grown.npz")
    catalogue = Catalogue([tmp_path])
    for simulations in (0, 301):
        with pytest.raises(GameError, match="its simulations must be between 1 and 300"):
            catalogue.seat(f"rational(population=grown,simulations={simulations})", KUHN)
    opponent = catalogue.seat("rational(population=grown,simulations=20,belief=learned)", KUHN)
    chances, found = opponent.agent.explained(KUHN.start().after("J to player 0", "K to player 1"))
    assert sum(chance for _, chance in chances) == pytest.approx(1.0)
    assert found is not None
    assert dict(found.belief) == pytest.approx({1: 0.8, 2: 0.2})  # a jack, which it holds itself, is nearest to a queen


@pytest.mark.slow
def test_a_mind_that_searches_is_asked_in_few_worlds_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def explained(self: CompiledAgent, position: Position) -> Any:
        asked.append(position)
        return search(self, position)

    search = CompiledAgent.explained
    with client_of(ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", rate=0)) as http:
        person = sit(http, "deal-or-no-deal", "search(simulations=2)", seat=1, seed=2, mind="always")
        monkeypatch.setattr(CompiledAgent, "explained", explained)
        mind = person.get("/mind/1")  # 21 worlds are possible
        assert mind.json()["worlds"] == SLOW_DRAWN
        assert len(asked) == FIRST_DRAWN + SLOW_DRAWN, "a first impression, then the mind"
        assert person.get("/mind/1").content == mind.content
        assert len(asked) == FIRST_DRAWN + SLOW_DRAWN
