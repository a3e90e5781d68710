"""A move that a seat does not notice is not counted for it either: in no number, no list, no answer.

A game of hidden stones is played until the other one has tried in vain. Then its history is replaced in the database by
one with another number of such tries, and everything that can be asked is asked again: the same to the byte.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, insert, select, update

from parlor.game.loading import load
from parlor.game.rng import seed_stream
from parlor.game.seats.visibility import goes_unnoticed
from parlor.search.belief import sample_worlds
from parlor.server.explain import expected_value
from parlor.server.operations.settings import ServerSettings
from parlor.server.tables.store import MoveRow, Store, TableRow
from tests.server.people import Person, client_of, sit
from tests.server.test_seats import OPEN, YOU, host, join, refresh
from tests.server.test_secrets import everything, let_moves_be_changed, written

pytestmark = pytest.mark.slow(seconds=10)

GAMES = ["phantom-tic-tac-toe", "dark-hex(width=2,height=3)"]
FAILED = "The other never tries in vain."


def in_vain(game: str, moves: Sequence[str], seat: int) -> list[int]:
    """The plies of moves that a seat does not notice."""
    found, position = [], load(game).start()
    for ply, move in enumerate(moves):
        if goes_unnoticed(position, move, seat):
            found.append(ply)
        position = position.after(move)
    return found


def another_history(game: str, moves: Sequence[str], seat: int) -> list[str]:
    """Another number of unnoticed moves, between the same events."""
    stream = [0, 0, 0, 0]
    seed_stream(stream, 3, 1)
    position = load(game).start().after(*moves)
    for world, _ in sample_worlds(position, seat, 200, stream):
        if len(world.history) != len(moves):
            return list(world.history)
    raise AssertionError("no other history was found")


def replace(database: str, table: str, moves: Sequence[str], players: Sequence[int]) -> None:
    """A game of another length in the database."""

    def work(connection: Connection) -> None:
        let_moves_be_changed(connection)
        mine = MoveRow.table_id == table
        rows = [dict(row) for row in connection.execute(select(MoveRow.__table__).where(mine)).mappings()]
        by = {row["player"]: row for row in rows}
        connection.execute(delete(MoveRow).where(mine))
        connection.execute(update(TableRow).where(TableRow.id == table).values(ended=None, payoffs=None))
        made = [by[p] | {"ply": k, "move": move} for k, (p, move) in enumerate(zip(players, moves, strict=True))]
        connection.execute(insert(MoveRow), [row | {"at": rows[-1]["at"]} for row in made])

    async def write() -> None:
        store = Store(database)
        await store.run(work, whole=True)
        await store.close()

    asyncio.run(write())


def movers(game: str, moves: Sequence[str]) -> list[int]:
    position, found = load(game).start(), []
    for move in moves:
        found.append(position.turn)
        position = position.after(move)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_answers_do_not_depend_on_moves_that_nobody_noticed(
    tmp_path: Path, game: str, hasty: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expected_value, "MAX_NODES", 300)
    database = f"sqlite:///{tmp_path}/parlor.db"
    settings = ServerSettings(database_url=database, rate=0)
    for seed in range(20):
        with client_of(settings) as http:
            person = sit(http, game, "random", seat=1, seed=seed, pace="step", mind="always")
            while person.state["turn"] != "over" and len(person.sent) < 3:
                person.play(person.state["ply"] + 1)
            moves = written(database, person.state["id"])
            if person.state["turn"] != "you" or not in_vain(game, moves, 1):
                continue
            here = person.state
            assert here["ply"] == len(here["history"]) == len(moves) - len(in_vain(game, moves, 1))
            assert [event["ply"] for event in here["history"]] == list(range(here["ply"]))
            before = everything(person, http, here["ply"])
        world = another_history(game, moves, 1)
        replace(database, here["id"], world, movers(game, world))
        with client_of(settings) as http:
            person.http, person.state = http, here
            assert everything(person, http, here["ply"]) == before
        return
    raise AssertionError(FAILED)


def test_a_step_of_an_agent_goes_on_until_it_is_noticed(tmp_path: Path) -> None:
    """Otherwise a step after which nothing has changed would tell that it has tried in vain."""
    database = f"sqlite:///{tmp_path}/parlor.db"
    with client_of(ServerSettings(database_url=database, rate=0)) as http:
        for seed in range(20):
            person = sit(http, "phantom-tic-tac-toe", "random", seat=0, seed=seed, pace="step")
            while person.state["turn"] != "over" and len(person.sent) < 4:
                ply, turn = person.state["ply"], person.state["turn"]
                (person.move if turn == "you" else person.advance)()  # one step, which play() would repeat
                assert person.state["ply"] == ply + 1 or person.state["turn"] == "over"
                assert person.state["turn"] in ("you", "over") or turn == "you"
            moves = written(database, person.state["id"])
            if person.state["turn"] != "over" and in_vain("phantom-tic-tac-toe", moves, 0):
                break
        else:
            raise AssertionError(FAILED)
        # taken back, it begins where this person has moved last
        seated = person.post("/undo", {"ply": person.state["ply"]}).json()
        assert seated["state"]["branch_of"]["ply"] == seated["state"]["ply"] == person.sent[-1][0]
        person.post("/resign", {})
        again = Person(http, seated["state"], seated["token"])
        again.post("/resign", {})
        opened = person.get("?since=3").json()
        assert (opened["open"], opened["since"]) == (True, 0), "moves have other numbers now: all of them are told"
        assert [event["move"]["name"] for event in opened["history"]] == moves


def test_the_other_person_and_a_spectator_are_told_nothing_of_a_try_in_vain(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/parlor.db"
    with client_of(ServerSettings(database_url=database, rate=0)) as http:
        one = host(http, "phantom-tic-tac-toe", [YOU, OPEN], clock=600, watch=True)
        two = join(one)
        refresh(one)
        assert one.move("a1").status_code == 200
        spectator = Person(http, one.state, "")
        told = [one.get().content, spectator.get().content]
        refresh(two)
        assert two.state["clock"]["deadline"]
        assert one.get().json()["clock"]["deadline"] is None, "it would begin anew after a try in vain"
        assert two.move("a1").status_code == 200
        assert [one.get().content, spectator.get().content] == told
        assert (two.state["turn"], two.state["ply"]) == ("you", 2)
        assert two.move("b1", 2).status_code == 200
        assert two.move("b1", 2).status_code == 200, "sent again"
        refresh(one)
        assert (one.state["turn"], one.state["ply"]) == ("you", 2)
        refused = one.post("/moves", {"ply": 3, "move": "c1"}).json()["detail"]
        assert refused == "The game is at ply 2; ply 3 has not been reached."
        assert one.get("/question").json()["id"] == 3, "programs are told no more"
        assert one.post("/answer", {"id": 3, "move": "c1"}).json()["type"] == "wait"
        refresh(one)
        assert [event["ply"] for event in one.state["history"]] == [0, 1, 2]
        assert one.get("/replay/1").json()["history"] == one.state["history"][:1]
        assert written(database, one.state["id"]) == ["a1", "a1", "b1", "c1"]
