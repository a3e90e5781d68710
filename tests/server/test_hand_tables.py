"""Tables without a server: the clock to the second, moves taken back, seats, what is written; time is made by hand.

Everything runs in one process on a database of its own; `now` is a clock that stands still until it is moved.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from parlor.game import CHANCE, Game
from parlor.game.loading import load
from parlor.game.rng import choose, seed_stream
from parlor.page.seated_agent import SeatedAgent
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.refusal import Refusal
from parlor.server.schemas.tables import (
    AdvanceRequest,
    AnAgent,
    BranchRequest,
    JoinRequest,
    MoveRequest,
    NewTable,
    Open,
    Seated,
    UndoRequest,
    You,
)
from parlor.server.tables import branches, pending, session, store, table_moves, table_queries, table_seats, tables
from parlor.server.tables.pending import TAIL, PendingMoves
from parlor.server.tables.session import STRIDE, Session, aware, hashed, overdue
from parlor.server.tables.store import Conflict, Row, Store
from parlor.server.tables.table_seats import new_row, person, seat_row
from parlor.server.tables.tables import ABANDONED, COUNTED, Tables
from parlor.server.thinking.thinking import Thinking
from tests.server.databases import without_games

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Watch:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time

    def after(self, **passed: float) -> None:
        self.time += timedelta(**passed)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Watch:
    watch = Watch()
    for module in (branches, pending, session, store, table_moves, table_seats, tables):
        monkeypatch.setattr(module, "now", watch)
    return watch


def at_tables(tmp_path: Path, work: Callable[[Tables], Awaitable[None]], most: int = 0) -> None:
    """Work at the tables of a new database."""
    file = tmp_path / "parlor.db"
    if not file.exists():
        without_games(file)

    async def run() -> None:
        kept = Store(f"sqlite:///{file}")
        try:
            await work(Tables(kept, Catalogue([]), Thinking(), most))
        finally:
            await kept.close()

    asyncio.run(run())


async def host(at: Tables, game: str = "goofspiel(cards=6)", **wishes: Any) -> Seated:
    """A table with an open seat, unless other wishes are given."""
    usual: dict[str, Any] = {"seed": 5}
    if not wishes.keys() & {"seats", "seat", "agent"}:
        usual["seats"] = [You(kind="you"), Open(kind="open")]
    return await table_seats.create(at, NewTable(game=game, **(usual | wishes)))


async def moved(at: Tables, sat: Seated, token: str = "") -> Any:
    """The first legal move of whoever holds the token."""
    shown = await table_queries.state(at, sat.state.id, token or sat.token)
    first = shown.legal[0].name
    return await table_moves.move(at, sat.state.id, token or sat.token, MoveRequest(ply=shown.ply, move=first), 0)


async def stored(at: Tables, id: str) -> Row:
    """The table in the database."""
    row = await at.store.table(id)
    assert row is not None
    return row


def kept(at: Tables, id: str) -> Session:
    """The table in memory."""
    return at._sessions[id]


# ------------------------------------------------------------------------------------------------------------ the clock


def test_a_decision_has_so_many_seconds_from_the_last_move_or_the_last_who_sat_down(
    tmp_path: Path, clock: Watch
) -> None:
    async def work(at: Tables) -> None:
        ann = await host(at, clock=30)
        id = ann.state.id
        assert ann.state.clock is not None
        assert ann.state.clock.deadline is None, "nobody decides while a seat is open"
        clock.after(seconds=100)
        bob = await table_seats.join(at, id, JoinRequest())
        table = kept(at, id)
        assert table.since == NOON + timedelta(seconds=100)
        assert table.deadline == NOON + timedelta(seconds=130)
        assert bob.state.clock is not None
        assert bob.state.clock.deadline == (NOON + timedelta(seconds=130)).isoformat()
        clock.after(seconds=12)
        await moved(at, ann)
        assert table.deadline == NOON + timedelta(seconds=142)
        clock.after(seconds=7)
        await moved(at, ann, bob.token)
        assert table.deadline == NOON + timedelta(seconds=149)
        written = await at.store.moves(id)
        assert [row["ms"] for row in written] == [12_000.0, 7_000.0]
        assert [aware(row["at"]) for row in written] == [NOON + timedelta(seconds=s) for s in (112, 119)]
        assert [(row["agent"], row["agent_version"]) for row in written] == [(None, None)] * 2

    at_tables(tmp_path, work)


@pytest.mark.slow
def test_at_the_deadline_there_is_still_time_and_after_it_there_is_none(tmp_path: Path, clock: Watch) -> None:
    async def work(at: Tables) -> None:
        ann = await host(at, clock=30)
        bob = await table_seats.join(at, ann.state.id, JoinRequest())
        table = kept(at, ann.state.id)
        clock.after(seconds=30)
        assert not overdue(table)
        await moved(at, ann)
        assert (table.ply, table.deciders) == (1, [(None, None)])
        clock.after(seconds=30, milliseconds=1)
        assert overdue(table)
        with pytest.raises(Refusal, match="Your time for this decision was up: "):
            await table_moves.move(at, ann.state.id, bob.token, MoveRequest(ply=1, move="bid 1"), 0)
        assert table.ply == 2
        assert table.players == [0, 1]
        agent, version = table.deciders[1]
        assert agent is not None
        assert version is not None
        assert table.deadline == clock.time + timedelta(seconds=30), "the next one has all of its time"
        shown = await table_queries.state(at, ann.state.id, ann.token)
        assert [(event.by, event.actor) for event in shown.history] == [("you", 0), ("agent", 1)]
        assert shown.turn == "you"

    at_tables(tmp_path, work)


def test_only_people_have_a_clock_and_only_while_the_game_runs(tmp_path: Path, clock: Watch) -> None:
    async def work(at: Tables) -> None:
        alone = await host(at, seat=1, agent="random", clock=60, pace="step")
        table = kept(at, alone.state.id)
        assert table.position.turn == 0
        assert table.deadline is None, "it is the agent's turn"
        assert not overdue(table)
        clock.after(seconds=1000)
        await table_queries.state(at, alone.state.id, alone.token)
        assert table.ply == 0
        await table_moves.advance(at, alone.state.id, alone.token, AdvanceRequest(ply=0), 0)
        assert table.deadline == clock.time + timedelta(seconds=60)
        await table_moves.resign(at, alone.state.id, alone.token)
        assert table.deadline is None
        free = await host(at, seat=0, agent="random")
        assert kept(at, free.state.id).deadline is None, "it has no clock"
        clock.after(days=2)
        assert not overdue(kept(at, free.state.id))

    at_tables(tmp_path, work)


def test_the_time_of_a_whole_game_ends_with_its_deadline(tmp_path: Path, clock: Watch) -> None:
    async def work(at: Tables) -> None:
        game = load("kuhn")
        row = await new_row(game, None) | {"deadline": NOON + timedelta(minutes=5)}
        seats = [person(row, p, "", f"token {p}") for p in range(2)]
        await at.store.add_table(row, seats, [])
        made = Session(row, seats, game, {}, {}, game.start())
        clock.after(minutes=5, milliseconds=-1)
        assert not made.out_of_time
        moves = [
            {"table_id": row["id"], "ply": ply, "player": CHANCE, "move": move, "at": clock.time}
            | dict.fromkeys(("ms", "agent", "agent_version"))
            for ply, move in enumerate(("K to player 0", "J to player 1"))
        ]
        await at.store.add_moves(row["id"], 0, moves[:1], None)
        clock.after(milliseconds=1)
        assert made.out_of_time
        with pytest.raises(Conflict):
            await at.store.add_moves(row["id"], 0, moves[1:], None)
        with pytest.raises(Refusal, match="The time for this game is up"):
            table_moves._goes_on(made)

    at_tables(tmp_path, work)


# ---------------------------------------------------------------------------------------------------------------- codes


def test_a_code_works_once_for_ten_minutes(tmp_path: Path, clock: Watch) -> None:
    async def work(at: Tables) -> None:
        ann = await host(at, seat=0, agent="random")
        id = ann.state.id
        code = await table_seats.seat_code(at, id, ann.token)
        assert code.expires == (NOON + timedelta(minutes=10)).isoformat(timespec="seconds")
        clock.after(minutes=9, seconds=59)
        again = await table_seats.claim(at, id, f" {code.code[:4].lower()}-{code.code[4:]} ")
        assert again.token != ann.token
        assert again.state.seat == 0
        with pytest.raises(Refusal, match="not the token of a seat"):
            await table_queries.state(at, id, ann.token)
        with pytest.raises(Refusal, match="not valid"):
            await table_seats.claim(at, id, code.code)
        late = await table_seats.seat_code(at, id, again.token)
        clock.after(minutes=10)
        with pytest.raises(Refusal, match="not valid"):
            await table_seats.claim(at, id, late.code)

    at_tables(tmp_path, work)


# ----------------------------------------------------------------------------------------------------- moves taken back


def test_the_last_own_decision_is_taken_back_and_what_came_before_stays_as_it_was(tmp_path: Path, clock: Watch) -> None:
    async def work(at: Tables) -> None:
        ann = await host(at, seat=0, agent="random", clock=50, watch=True, mind="always", seed=77)
        id = ann.state.id
        assert not ann.state.undo, "there is nothing to take back"
        for _ in range(3):
            clock.after(seconds=3)
            await moved(at, ann)
        table = kept(at, id)
        own = [k for k in range(table.ply) if table.players[k] == 0]
        assert (table.players, own) == ([0, 1] * 3, [0, 2, 4])
        assert [table.last_decision(0, ply) for ply in range(7)] == [0, 0, 2, 2, 4, 4, 4]
        assert [table.last_decision(1, ply) for ply in range(7)] == [None] * 7, "an agent's are not a person's"
        assert table.last_decision(None, 6) is None
        assert (await table_queries.state(at, id, ann.token)).undo
        before = await at.store.moves(id)
        clock.after(seconds=9)
        again = await branches.undo(at, id, ann.token, UndoRequest(ply=3))
        made = again.state
        assert (made.ply, made.undone, made.turn, made.seat) == (2, 1, "you", 0)
        assert made.branch_of is not None
        assert (made.branch_of.table, made.branch_of.ply) == (id, 2)
        assert (made.watch, made.mind, made.clock and made.clock.seconds) == (True, "always", 50)
        old, new = await stored(at, id), await stored(at, made.id)
        assert (old["replaced_by"], aware(old["ended"])) == (made.id, clock.time)
        assert [new[name] for name in ("seed", "root", "host")] == [77, id, 0]
        kept_ = ("ply", "player", "move", "at", "ms", "agent", "agent_version")
        after = await at.store.moves(made.id)
        assert [[row[name] for name in kept_] for row in after] == [[row[name] for name in kept_] for row in before[:2]]
        with pytest.raises(Refusal, match="The game is over"):
            await branches.undo(at, id, ann.token, UndoRequest(ply=2))
        assert not (await table_queries.state(at, id, ann.token)).open, "the new game has the same cards"
        third = await branches.undo(at, made.id, again.token, UndoRequest(ply=made.ply))
        assert (third.state.ply, third.state.undone) == (0, 2)
        drawn = await host(at, seat=0, agent="random", seed=None)  # its draws come from a secret
        await moved(at, drawn)
        undone = await branches.undo(at, drawn.state.id, drawn.token, UndoRequest(ply=1))
        secret = (await stored(at, drawn.state.id))["secret"]
        assert secret
        assert (await stored(at, undone.state.id))["secret"] == secret, "or the cards would be others"

    at_tables(tmp_path, work)


def test_who_may_take_back(tmp_path: Path, clock: Watch) -> None:
    async def work(at: Tables) -> None:
        strict = await host(at, seat=0, agent="random", undo=False)
        await moved(at, strict)
        assert not (await table_queries.state(at, strict.state.id, strict.token)).undo
        with pytest.raises(Refusal, match="cannot be taken back"):
            await branches.undo(at, strict.state.id, strict.token, UndoRequest(ply=2))
        two = await host(at)
        bob = await table_seats.join(at, two.state.id, JoinRequest())
        await moved(at, two)
        assert not (await table_queries.state(at, two.state.id, two.token)).undo
        with pytest.raises(Refusal, match="only where one person plays"):
            await branches.undo(at, two.state.id, bob.token, UndoRequest(ply=1))
        alone = await host(at, seat=0, agent="random")
        with pytest.raises(Refusal, match="You have made no move"):
            await branches.undo(at, alone.state.id, alone.token, UndoRequest(ply=0))
        with pytest.raises(Refusal, match="ply 1 has not been reached"):
            await branches.undo(at, alone.state.id, alone.token, UndoRequest(ply=1))
        await table_seats.seat_agent(at, alone.state.id, alone.token, 0, "random", 0)
        assert not kept(at, alone.state.id).can_undo(0), "an agent has played for it to the end, or still does"

    at_tables(tmp_path, work)


def test_a_branch_stands_for_itself(tmp_path: Path, clock: Watch) -> None:
    async def work(at: Tables) -> None:
        ann = await host(at, "kuhn", seat=1, agent="random", player_name="Ann", seed=3, watch=True)
        id = ann.state.id
        with pytest.raises(Refusal, match="A running game cannot be branched"):
            await branches.branch(at, id, ann.token, BranchRequest(ply=0), "")
        while (await table_queries.state(at, id, ann.token)).turn == "you":
            await moved(at, ann)
        table = kept(at, id)
        assert table.ended
        own = await branches.branch(at, id, ann.token, BranchRequest(ply=3, seed=9), "somebody")
        row = await at.store.table(own.state.id)
        assert row is not None
        assert [row[name] for name in ("root", "parent", "parent_ply", "host", "watch", "seed", "seed_chosen")] == [
            own.state.id, id, 3, 1, False, 9, True,
        ]  # fmt: skip
        assert (own.state.seat, own.state.names[1]) == (1, "You")
        seats = await at.store.seats(own.state.id)
        assert [(seat["seat"], seat["kind"], seat["name"]) for seat in seats] == [
            (0, "agent", ""),
            (1, "person", "Ann"),
        ]
        other = await branches.branch(at, id, "", BranchRequest(ply=2, seat=0), "")
        assert (other.state.seat, other.state.host) == (0, 0)
        assert [seat["kind"] for seat in await at.store.seats(other.state.id)] == ["person", "agent"]
        with pytest.raises(Refusal, match="has seats 0 to 1, not 2"):
            await branches.branch(at, id, "", BranchRequest(ply=2, seat=2), "")

    at_tables(tmp_path, work)


def test_a_finished_game_can_be_looked_at_while_an_agent_is_seated_at_its_branch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(at: Tables) -> None:
        ann = await host(at, "kuhn", seat=1, agent="random")
        id = ann.state.id
        await table_moves.resign(at, id, ann.token)
        begun, solved, seat = threading.Event(), threading.Event(), at._tried

        def slowly(agent: str, game: Game) -> SeatedAgent:
            begun.set()
            solved.wait(60)
            return seat(agent, game)

        monkeypatch.setattr(at, "_tried", slowly)
        branch = asyncio.create_task(branches.branch(at, id, "", BranchRequest(ply=2), ""))
        try:
            assert await asyncio.to_thread(begun.wait, 60)
            looked = await asyncio.wait_for(table_queries.state(at, id, ann.token), 10)
            assert (looked.turn, branch.done()) == ("over", False)
        finally:
            solved.set()
        assert (await branch).state.branch_of is not None

    at_tables(tmp_path, work)


# ------------------------------------------------------------------------------------------- what is open, and how many


def test_a_game_that_was_left_for_a_week_does_not_keep_its_family_closed(tmp_path: Path, clock: Watch) -> None:
    async def work(at: Tables) -> None:
        ann = await host(at, seat=0, agent="random")
        await moved(at, ann)
        clock.after(hours=1)
        again = await branches.undo(at, ann.state.id, ann.token, UndoRequest(ply=1))
        clock.after(hours=1)
        await moved(at, again)
        clock.time += ABANDONED - timedelta(seconds=1)
        assert not await at.is_open(kept(at, ann.state.id))
        clock.after(seconds=2)
        assert await at.is_open(kept(at, ann.state.id))
        ended = await at.store.table(again.state.id)
        assert ended is not None
        assert (aware(ended["ended"]), ended["resigned_by"]) == (clock.time, 0)
        assert timedelta(days=7) == ABANDONED

    at_tables(tmp_path, work)


def test_so_many_games_of_an_address_run_at_once_and_those_of_yesterday_do_not_count(
    tmp_path: Path, clock: Watch
) -> None:
    async def work(at: Tables) -> None:
        client = await at.maker("address")
        assert client == hashed("address") != "address"
        wish = NewTable(game="kuhn", seat=0, agent="random")
        first = await table_seats.create(at, wish, client)
        await at.maker("address")
        clock.after(hours=1)
        await table_seats.create(at, wish, client)
        assert await at.store.running_of(client, clock.time - COUNTED) == 2
        with pytest.raises(Refusal, match="From your address 2 games are in progress") as refused:
            await at.maker("address")
        assert refused.value.status == 429
        await at.maker("another")
        clock.time = NOON + COUNTED
        assert await at.maker("address") == client, "the first is a day old"
        clock.time = NOON + timedelta(hours=2)
        await table_moves.resign(at, first.state.id, first.token)
        assert await at.maker("address") == client
        row = await at.store.table(first.state.id)
        assert row is not None
        assert row["client"] is None, "once it has ended, nobody knows who made it"

    at_tables(tmp_path, work, most=2)


def test_who_watches_is_counted_one_by_one(tmp_path: Path, clock: Watch) -> None:
    async def work(at: Tables) -> None:
        with at.watchers.watching("x", 0, 2) as one, at.watchers.watching("x", 1, 2) as other:
            with at.watchers.watching("x", 0, 2):
                with pytest.raises(Refusal, match="Too many clients"), at.watchers.watching("x", 0, 2):
                    pass
                with at.watchers.watching("x", None, 1):
                    at.watchers.notify("y")
                    assert not one.is_set()
                    at.watchers.notify("x")
                    assert one.is_set()
                    assert other.is_set()
            with at.watchers.watching("x", 0, 2):
                pass
        assert at.watchers._watchers == {}

    at_tables(tmp_path, work)


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


def test_agents_take_seats_that_are_free_and_people_come_back(tmp_path: Path, clock: Watch) -> None:
    async def work(at: Tables) -> None:
        ann = await host(
            at, "goofspiel(players=3,cards=6)", seats=[You(kind="you"), Open(kind="open"), Open(kind="open")]
        )
        id = ann.state.id
        preview = await table_queries.preview(at, id)
        assert (preview.status, preview.open_seats) == ("waiting", [1, 2])
        bob = await table_seats.join(at, id, JoinRequest(seat=2, player_name="Bob"))
        with pytest.raises(Refusal, match="Seat 2 is taken; open: 1"):
            await table_seats.join(at, id, JoinRequest(seat=2))
        with pytest.raises(Refusal, match="has seats 0 to 2, not 3"):
            await table_seats.join(at, id, JoinRequest(seat=3))
        with pytest.raises(Refusal, match="begins when all seats are taken"):
            await table_moves.move(at, id, ann.token, MoveRequest(ply=0, move="bid 1"), 0)
        with pytest.raises(Refusal, match="Seat 2 is taken: an agent"):
            await table_seats.seat_agent(at, id, ann.token, 2, "random", 0)
        await table_seats.seat_agent(at, id, ann.token, 1, "random", 0)
        assert (await table_queries.preview(at, id)).status == "running"
        with pytest.raises(Refusal, match="All seats of this table are taken"):
            await table_seats.join(at, id, JoinRequest())
        await table_seats.leave(at, id, bob.token, 0)
        with pytest.raises(Refusal, match=r"come back first|not your turn"):
            await table_moves.move(at, id, bob.token, MoveRequest(ply=0, move="bid 1"), 0)
        await table_seats.seat_agent(at, id, ann.token, 2, "random", 0)
        assert [seat["kind"] for seat in await at.store.seats(id)] == ["person", "agent", "agent"]
        back = await table_seats.come_back(at, id, bob.token, 0)
        assert [(seat.kind, seat.left) for seat in back.seats] == [
            ("person", False),
            ("agent", False),
            ("person", False),
        ]
        shown = await moved(at, ann)
        assert shown.player == 2, "the agent has answered at once"
        with pytest.raises(Refusal, match="It is another person's turn"):
            await table_moves.advance(at, id, ann.token, AdvanceRequest(ply=shown.ply), 0)
        with pytest.raises(Refusal, match="It is your turn, not an agent's"):
            await table_moves.advance(at, id, bob.token, AdvanceRequest(ply=shown.ply), 0)
        with pytest.raises(Refusal, match="set by whoever made the table"):
            await table_moves.set_pace(at, id, bob.token, "step", 0)
        with pytest.raises(Refusal, match="Only whoever made the table"):
            await table_seats.set_watch(at, id, bob.token, True, 0)
        await table_moves.set_pace(at, id, ann.token, "step", 0)
        assert (await table_seats.set_watch(at, id, ann.token, True, 0)).watch
        resigned = await table_moves.resign(at, id, bob.token)
        assert resigned.turn == "agent", "with three players an agent plays on, step by step"
        assert [seat.kind for seat in resigned.seats] == ["person", "agent", "agent"]
        assert not kept(at, id).ended

    at_tables(tmp_path, work)


def test_moves_are_refused_with_a_reason_and_taken_once(tmp_path: Path, clock: Watch) -> None:
    async def work(at: Tables) -> None:
        ann = await host(at, seats=[You(kind="you"), AnAgent(kind="agent", agent="random")], pace="step")
        id = ann.state.id

        async def sent(ply: int, move: str | int) -> Any:
            return await table_moves.move(at, id, ann.token, MoveRequest(ply=ply, move=move), 0)

        with pytest.raises(Refusal, match="ply 1 has not been reached"):
            await sent(1, "bid 1")
        with pytest.raises(Refusal, match="'bid 9' cannot be played here"):
            await sent(0, "bid 9")
        with pytest.raises(Refusal, match="cannot be played here"):
            await sent(0, 6)
        assert (await sent(0, 2)).ply == 1
        assert kept(at, id).moves == ("bid 3",), "by its number"
        assert (await sent(0, "bid 3")).ply == 1, "the same move again"
        assert (await sent(0, 2)).ply == 1
        with pytest.raises(Refusal, match="At ply 0 you have already played 'bid 3'"):
            await sent(0, "bid 4")
        with pytest.raises(Refusal, match="It is not your turn"):
            await sent(1, "bid 1")
        with pytest.raises(Refusal, match="The move at ply 0 was not an agent's"):
            await table_moves.advance(at, id, ann.token, AdvanceRequest(ply=0), 0)
        assert (await table_moves.advance(at, id, ann.token, AdvanceRequest(ply=1), 0)).ply == 2
        assert (await table_moves.advance(at, id, ann.token, AdvanceRequest(ply=1), 0)).ply == 2
        with pytest.raises(Refusal, match="The move at ply 1 was not yours"):
            await sent(1, "bid 1")
        with pytest.raises(Refusal, match="needs the token"):
            await table_moves.move(at, id, "", MoveRequest(ply=2, move="bid 1"), 0)
        over = await table_moves.resign(at, id, ann.token)
        assert over.result is not None
        assert (over.turn, over.result.outcome, over.result.resigned_by) == ("over", "resigned", 0)
        with pytest.raises(Refusal, match="The game is over"):
            await sent(2, "bid 1")
        with pytest.raises(Refusal, match="There is no such table"):
            await table_queries.state(at, "y" * 22, "")

    at_tables(tmp_path, work)
