"""Tables without a server: the clock to the second, codes, seats and moves; time is made by hand.

Everything runs in one process on a database of its own; `now` is a clock that stands still until it is moved.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from parlor.game import CHANCE
from parlor.game.loading import load
from parlor.server.refusal import Refusal
from parlor.server.schemas.tables import (
    AdvanceRequest,
    AnAgent,
    JoinRequest,
    MoveRequest,
    Open,
    You,
)
from parlor.server.tables import table_moves, table_queries, table_seats
from parlor.server.tables.session import Session, aware, overdue
from parlor.server.tables.store import Conflict
from parlor.server.tables.table_seats import new_row, person
from parlor.server.tables.tables import Tables
from tests.server.hand_tables import NOON, Watch, at_tables, host, kept, moved

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
