"""Tables without a server: moves taken back, branches, what is open and how many games run; time is made by hand."""

import asyncio
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from parlor.game import Game
from parlor.page.seated_agent import SeatedAgent
from parlor.server.refusal import Refusal
from parlor.server.schemas.tables import (
    BranchRequest,
    JoinRequest,
    NewTable,
    UndoRequest,
)
from parlor.server.tables import branches, table_moves, table_queries, table_seats
from parlor.server.tables.session import aware, hashed
from parlor.server.tables.tables import ABANDONED, COUNTED, Tables
from tests.server.hand_tables import NOON, Watch, at_tables, host, kept, moved, stored

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
