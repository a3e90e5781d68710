"""Things to try in the tutorial: a table with a fixed deal, until a move of the kind that is asked for was made."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import update
from sqlalchemy.engine import Connection

from parlor.server.tables.store import Row, now
from parlor.study.data.rows import ParticipantRow
from parlor.study.data.store import TableRows, add_table, participant
from parlor.study.design.description import Practice
from parlor.study.session.engine import Study
from parlor.study.session.tournaments import new_id


async def table_for(study: Study, row: Row, values: Mapping[str, object]) -> TableRows | None:
    """The rows of the table for the screen that somebody comes to, if it has one."""
    step = values.get("step")
    if values.get("stage", "tutorial") != "tutorial" or not isinstance(step, int):
        return None
    wanted = study.description.screens[step].practice
    return None if wanted is None else await _table(study, wanted, row)


async def _table(study: Study, wanted: Practice, row: Row) -> TableRows:
    agents = [None if seat == wanted.seat else wanted.agent for seat in range(study.game.players)]
    return await study.new_table(new_id(), agents, {wanted.seat: row}, wanted.seed)


async def look(study: Study, row: Row, wanted: Practice) -> tuple[str, bool]:
    """The table to try something at, and whether it was done; a game that ended before begins again."""
    done, over = await _tried(study, row["practice"], wanted)
    if done or not over:
        return row["practice"], done
    rows = await _table(study, wanted, row)
    same = (ParticipantRow.id == row["id"]) & (ParticipantRow.practice == row["practice"])

    def work(connection: Connection) -> None:
        change = update(ParticipantRow).where(same).values(practice=rows[0]["id"], changed=now())
        if connection.execute(change).rowcount == 1:
            add_table(connection, rows)

    await study.records.whole(work)
    [known] = await study.records.all(participant(id=row["id"]))  # it may have begun again in another window
    return known["practice"] or row["practice"], False


async def is_done(study: Study, row: Row, wanted: Practice) -> bool:
    """Whether the move that is asked for was made."""
    return (await _tried(study, row["practice"], wanted))[0]


async def _tried(study: Study, id: str, wanted: Practice) -> tuple[bool, bool]:
    """Whether the move was made at a table, and whether the game there is over."""
    async with study.tables.locked(id, study=True) as session:
        position = session.game.start()
        for player, name in zip(session.players, session.moves, strict=True):
            made = position.move(position.action(name))
            if player == wanted.seat and wanted.until in ("", made.verb):
                return True, session.ended
            position = position.after(name)
        return False, session.ended
