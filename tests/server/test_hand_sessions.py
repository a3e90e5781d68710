"""Tables without a server: what is written is what is read, and what a session in memory knows."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from parlor.game import CHANCE
from parlor.game.loading import load
from parlor.game.rng import choose, seed_stream
from parlor.server.refusal import Refusal
from parlor.server.tables.pending import TAIL, PendingMoves
from parlor.server.tables.session import STRIDE, Session, aware, hashed
from parlor.server.tables.store import Conflict, Row
from parlor.server.tables.table_seats import new_row, person, seat_row
from parlor.server.tables.tables import Tables
from tests.server.hand_tables import NOON, Watch, at_tables

# --------------------------------------------------------------------------------------------------------- the database


def test_what_is_written_is_what_is_read(tmp_path: Path, clock: Watch) -> None:
    async def work(at: Tables) -> None:
        game = load("kuhn")
        row = await new_row(game, hashed("me")) | {"seed": 12, "clock": 40, "watch": True}
        seats = [person(row, 0, "Ann", "secret"), seat_row(row, 1, kind="agent", agent="random", agent_version="1")]
        going = PendingMoves(row["id"], game.start(), [])
        going.deal(12)
        await at.store.add_table(row, seats, going.moves)
        found = await at.store.table(row["id"])
        assert found is not None
        assert {name: aware(value) if name == "created" else value for name, value in found.items()} == row
        read = await at.store.seats(row["id"])
        assert [(seat["seat"], seat["kind"], seat["name"], seat["agent"], seat["token"]) for seat in read] == [
            (0, "person", "Ann", None, hashed("secret")), (1, "agent", "", "random", None),
        ]  # fmt: skip
        assert [move["move"] for move in await at.store.moves(row["id"])] == [m["move"] for m in going.moves]
        assert [move["ply"] for move in await at.store.moves(row["id"], 1)] == [1]
        pulse = await at.store.pulse(row["id"])
        assert pulse == {
            "plies": 2, "ended": None, "payoffs": None, "pace": "at-once", "watch": True, "version": 0,
            "resigned_by": None, "replaced_by": None,
        }  # fmt: skip
        assert await at.store.pulse("nobody") is None
        assert await at.store.table("nobody") is None
        empty = await new_row(game, None)
        await at.store.add_table(empty, [seat_row(empty, p, kind="open", joined=None) for p in range(2)], [])
        assert (await at.store.pulse(empty["id"]) or {})["plies"] == 0
        counts = await at.store.counts()
        assert {name: number for name, (_, number) in counts.items()} == {"tables": 2, "tables_running": 2}
        await at.store.change(row, {"pace": "step"}, 1, {"agent": "other"})
        changed = await at.store.pulse(row["id"])
        assert changed is not None
        assert (changed["version"], changed["pace"]) == (1, "step")
        assert [seat["agent"] for seat in await at.store.seats(row["id"])] == [None, "other"]
        with pytest.raises(Conflict):
            await at.store.change(row, {"pace": "at-once"})
        last = {"ended": clock.time, "payoffs": [1.0, -1.0]}
        more = [dict(going.moves[0], ply=2, player=0, move="pass")]
        with pytest.raises(Conflict):
            await at.store.add_moves(row["id"], 0, more, last)
        with pytest.raises(Conflict):
            await at.store.add_moves(row["id"], 1, [dict(more[0], ply=1)], None)
        assert len(await at.store.moves(row["id"])) == 2, "everything or nothing"
        await at.store.add_moves(row["id"], 1, more, last)
        over = await at.store.pulse(row["id"])
        assert over is not None
        assert (over["plies"], aware(over["ended"]), over["payoffs"], over["version"]) == (
            3,
            clock.time,
            [1.0, -1.0],
            1,
        )
        assert await at.store.running(row["id"]) == []
        assert (await at.store.counts())["tables_running"][1] == 1
        assert await at.store.running_of(hashed("me"), NOON - timedelta(days=1)) == 0
        sealed = await new_row(game, None) | {"study": 4, "created": NOON - timedelta(days=1)}
        await at.store.add_table(sealed, [seat_row(sealed, p) for p in range(2)], [])
        assert {table["id"] for table in await at.store.tables()} == {row["id"], empty["id"]}

    at_tables(tmp_path, work)


def test_draws_follow_the_seed_and_the_ply() -> None:
    game = load("goofspiel(cards=4,order=random)")
    going = PendingMoves("x", game.start(), [])
    going.deal(31)
    stream = [0, 0, 0, 0]
    seed_stream(stream, 31, 0)
    odds = game.start().odds
    assert going.moves[0]["move"] == list(odds)[choose(stream, list(odds.values()), len(odds))]
    assert [row["player"] for row in going.moves] == [CHANCE]
    going.play("bid 2", 5.0)
    going.play("bid 4")
    going.deal(31)
    assert [(row["ply"], row["player"], row["ms"]) for row in going.moves] == [
        (0, CHANCE, None), (1, 0, 5.0), (2, 1, None), (3, CHANCE, None),
    ]  # fmt: skip
    again = PendingMoves("y", going.positions[2], [])
    again.deal(31)
    assert [row["move"] for row in again.moves] == [going.moves[3]["move"]], "whatever was drawn before"
    assert going.ending() is None
    assert {going.draw(seed, {"a": 0.0, "b": 1.0}) for seed in range(20)} == {"b"}
    assert {going.draw(seed, {"a": 0.5, "b": 0.5}) for seed in range(20)} == {"a", "b"}


# ----------------------------------------------------------------------------------------------------------- in memory


def a_session(name: str, kinds: list[str], **values: Any) -> Session:
    """A table in memory, without a database."""
    game = load(name)
    row: Row = {
        "id": "x" * 22, "created": NOON, "host": 0, "ended": None, "study": None, "clock": None, "deadline": None,
        "undo": True, "payoffs": None, "resigned_by": None,
    } | values  # fmt: skip
    seats = [
        seat_row(row, p, kind=kind, token=hashed(f"token {p}") if kind == "person" else None, joined=NOON)
        | ({"agent": "random"} if kind == "agent" else {})
        for p, kind in enumerate(kinds)
    ]
    return Session(row, seats, game, {}, {}, game.start())


def follow(table: Session, *moves: str, agent: str | None = None) -> None:
    for move in moves:
        turn = table.position.turn
        by = agent if turn >= 0 and table.is_agents(turn) else None
        table.follow(
            [
                {"ply": table.ply, "player": turn, "move": move, "at": NOON, "ms": 1.0}
                | {"agent": by, "agent_version": by and "1"}
            ]
        )


def test_every_ply_can_be_looked_at_again() -> None:
    table = a_session("goofspiel(cards=13,players=3)", ["person"] * 3)
    positions = [table.position]
    while not table.position.over:
        follow(table, table.position.legal[0])
        positions.append(table.position)
    assert len(positions) > 2 * STRIDE + 2
    assert set(table.stored) == set(range(0, table.ply, STRIDE))
    for ply, known in enumerate(positions):
        position, before = table.at(ply)
        assert repr(position.state) == repr(known.state)
        assert position.history == known.history
        expected = positions[max(0, ply - TAIL) : ply]
        assert [repr(one.state) for one in before] == [repr(one.state) for one in expected]
    assert table.reached(0, False, table.ply) == table.ply
    with pytest.raises(Refusal, match=f"The game is at ply {table.ply}; ply {table.ply + 1} has not been reached"):
        table.reached(0, False, table.ply + 1)


def test_seats_are_known_by_their_tokens() -> None:
    table = a_session("kuhn", ["person", "agent"])
    assert table.owner("token 0") == 0
    assert table.owner("token 1") is None
    assert table.owner("") is None
    assert table.people == [0]
    assert [table.is_agents(p) for p in (CHANCE, 0, 1)] == [False, False, True]
    assert (table.waiting, table.runs) == (False, True)
    table.seats[0]["kind"] = "agent"  # somebody left, and an agent plays on: the seat stays theirs
    assert table.people == [0]
    waiting = a_session("kuhn", ["person", "open"])
    assert (waiting.waiting, waiting.runs) == (True, False)
    over = a_session("kuhn", ["person", "agent"], ended=NOON)
    assert (over.ended, over.runs) == (True, False)


def test_names_tell_players_apart() -> None:
    table = a_session("goofspiel(players=3)", ["person", "person", "agent"])
    for seat, name in zip(table.seats, ("Ann", "Ann", ""), strict=True):
        seat["name"] = name
    assert table.names(None) == ["Ann 1", "Ann 2", "random"]
    assert table.names(1) == ["Ann 1", "You", "random"]
    assert table.in_sentences(1) == ["Ann 1", "you", "random"]
    table.seats[0]["name"], table.seats[1]["name"] = "", "YOU"
    assert table.names(2) == ["Player 1", "Player 2", "You"]
    sealed = a_session("goofspiel(players=3)", ["person", "person", "agent"], study=1)
    assert sealed.names(0) == ["You", "Player 2", "Player 3"]
    assert a_session("kuhn", ["person", "agent"], study=1).names(1) == ["Partner", "You"]


@pytest.mark.parametrize(
    ("name", "payoffs", "outcomes"),
    [
        ("kuhn", [2.0, -2.0], ["won", "lost"]),
        ("goofspiel", [0.0, 0.0], ["drawn", "drawn"]),
        ("kuhn(players=3)", [3.0, -1.0, -2.0], ["won", "lost", "lost"]),
        ("kuhn(players=3)", [1.0, 1.0, -2.0], ["won", "won", "lost"]),
        ("kuhn(players=3)", [2.0, 0.0, -2.0], ["won", "lost", "lost"]),
        ("kuhn(players=3)", [2.0, 1.0, -3.0], ["won", "won", "lost"]),
        ("sheriff", [3.0, 1.0], ["won", "lost"]),
        ("sheriff", [-1.0, 1.0], ["lost", "won"]),
        ("trade-comm", [1.0, 1.0], ["drawn", "drawn"]),
        ("leodopoly", [0.5, 0.5, 0.0], ["won", "won", "lost"]),
    ],
)
def test_who_has_won(name: str, payoffs: list[float], outcomes: list[str]) -> None:
    table = a_session(name, ["person"] * len(payoffs), ended=NOON, payoffs=payoffs)
    assert [table.result(p).outcome for p in range(len(payoffs))] == outcomes
    assert table.result(None).outcome == "ended"
    assert table.result(0).payoffs == payoffs
    resigned = a_session(name, ["person"] * len(payoffs), ended=NOON, resigned_by=1)
    assert [resigned.result(p).outcome for p in range(len(payoffs))][:2] == ["won", "resigned"]
    assert resigned.result(None).resigned_by == 1
    sealed = a_session(name, ["person"] * len(payoffs), ended=NOON, payoffs=payoffs, study=2)
    assert (sealed.result(0).outcome, sealed.result(0).payoffs) == ("ended", [])


def test_who_sees_what_happened() -> None:
    table = a_session("kuhn", ["person", "agent"])
    follow(table, "K to player 0", "Q to player 1", "bet", "pass", agent="random")
    mine, theirs, nobody = (table.watched_by(viewer).events for viewer in (0, 1, None))
    assert [event.secret for event in mine] == [False, True, False, False]
    assert [event.secret for event in theirs] == [True, False, False, False]
    assert [event.secret for event in nobody] == [True, True, False, False]
    assert [event.by for event in mine] == ["chance", "chance", "you", "agent"]
    assert [event.by for event in nobody] == ["chance", "chance", "person", "agent"]
    assert [event.actor for event in mine] == [None, None, 0, 1]
    assert all(not event.secret for event in table.watched_by(0).opened)
    assert [event.ply for event in mine] == [0, 1, 2, 3]
    later = a_session("kuhn", ["person", "agent"])
    watched = later.watched_by(0)
    follow(later, "K to player 0", "Q to player 1", "bet", "pass", agent="random")
    assert watched.events == mine, "whoever looks all the time has seen the same"
