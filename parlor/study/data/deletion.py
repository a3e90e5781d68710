"""Delete what is stored of a participant who asks for it.

Answers, the platform's id, the completion code, points and pay are deleted for good. Moves are only ever added: they
stay in the database until it is deleted as a whole, with a row that says which games somebody played who cannot be
named, in which condition and when; no export has them. The labels of all who were deleted are shuffled, so that an
older export does not tell which of them was which. People who played with it keep their own rows.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, delete, func, insert, select, text, update
from sqlalchemy.engine import Connection

from parlor.game import GameError
from parlor.server.tables.session import hashed
from parlor.server.tables.store import Store, now
from parlor.study.data.records import FINAL
from parlor.study.data.rows import (
    STUDY,
    AnswerRow,
    EpisodeRow,
    GroupRow,
    LabelRow,
    ParticipantRow,
    StudyEventRow,
    StudyRow,
)
from parlor.study.data.store import end_practice, whole

PLAYS = select(GroupRow.id).where(GroupRow.id == ParticipantRow.group_id, GroupRow.ended.is_(None)).exists()
CHANGED = ("answers", "participants", "labels", "episodes", "pg_statistic")  # the last has samples of the others
READERS_TIMEOUT_S = 5.0  # seconds to wait for others who read the database
LEFT = "declined"  # the stage of those who do not take part any more


@dataclass(frozen=True)
class RowsToDelete:
    """A participant and how much there is of it."""

    id: str
    label: str
    stage: str
    answers: int
    games: int
    due: float | None  # pay
    playing: bool


async def find(store: Store, who: str) -> RowsToDelete:
    """The participant with this label, or with this id of the recruiting platform."""
    answers, games = (
        select(func.count()).select_from(rows).where(rows.participant == ParticipantRow.id).scalar_subquery()
        for rows in (AnswerRow, EpisodeRow)
    )
    label = who.strip().upper()
    number = int(label[1:]) if label[:1] == "P" and label[1:].isdecimal() and len(label) < 10 else -1
    statement = (
        select(ParticipantRow.id, ParticipantRow.stage, ParticipantRow.base, ParticipantRow.bonus, LabelRow.number)
        .add_columns(answers.label("answers"), games.label("games"), PLAYS.label("playing"))
        .join(LabelRow, LabelRow.participant == ParticipantRow.id)
        .where((ParticipantRow.platform == who) | (LabelRow.number == number), LabelRow.removed.is_(None))
    )
    rows = await store.read(lambda connection: connection.execute(statement).mappings().all())
    if len(rows) > 1:  # somebody has come with an id that looks like another's label: the label counts, else the id
        rows = [row for row in rows if row["number"] == number] or rows
    if len(rows) != 1:
        some = "Several participants fit" if rows else "No participant has"
        raise GameError(f"{some} {who!r}; give a label of the data such as P007, or the id of the recruiting platform.")
    (row,) = rows
    due = None if row["base"] is None else round(row["base"] + (row["bonus"] or 0.0), 2)
    label = f"P{row['number']:03}"
    return RowsToDelete(row["id"], label, row["stage"], row["answers"], row["games"], due, bool(row["playing"]))


async def remove(store: Store, found: RowsToDelete) -> str:
    """Delete it; nothing is done while its tournament runs, since others play with it. Returns what remains, if any."""
    if found.playing:
        raise GameError(f"{found.label} is in a tournament that runs; ask again when it is over.")
    one = ParticipantRow.id == found.id
    forgotten = {
        "platform": f"removed {secrets.token_hex(12)}",
        "token": hashed(secrets.token_hex(32)),
        **dict.fromkeys(("practice", "points", "base", "bonus", "network")),
        "code": "",
        "stage": found.stage if found.stage in FINAL else LEFT,
        "changed": now(),
    }

    def work(connection: Connection) -> None:
        if store.kind == "sqlite":
            connection.exec_driver_sql("PRAGMA secure_delete=ON")  # what is freed is overwritten
        end_practice(connection, found.id)
        if connection.execute(update(ParticipantRow).where(one, ~PLAYS).values(**forgotten)).rowcount != 1:
            raise GameError(f"{found.label} has begun a tournament; ask again when it is over.")
        connection.execute(delete(AnswerRow).where(AnswerRow.participant == found.id))
        own = update(EpisodeRow).where(EpisodeRow.participant == found.id)
        connection.execute(own.values(points=None))
        connection.execute(own.where(EpisodeRow.partner_kind == "agent").values(partner_points=None))
        connection.execute(update(LabelRow).where(LabelRow.participant == found.id).values(removed=now()))
        _shuffle(connection)
        record(connection, "deleted the data of a participant")

    await whole(store, work)
    return await tidy(store)


def _shuffle(connection: Connection) -> None:
    """Give the labels of those who were deleted to each other, by chance; nobody else ever gets one of them."""
    gone = connection.execute(select(LabelRow.participant, LabelRow.number).where(LabelRow.removed.is_not(None))).all()
    numbers = [row.number for row in gone]
    secrets.SystemRandom().shuffle(numbers)
    for sign in (-1, 1):  # no two have the same at any time
        for row, number in zip(gone, numbers, strict=True):
            own = update(LabelRow).where(LabelRow.participant == row.participant)
            connection.execute(own.values(number=sign * number, removed=now()))


def record(connection: Connection, what: str) -> None:
    """Remember that the researcher did something."""
    connection.execute(insert(StudyEventRow).values(study=STUDY, at=now(), what=what))


async def tidy(store: Store) -> str:
    """Overwrite what was freed, also in the log of what was written; a sentence about what remains, or nothing.

    SQLite's log is emptied only when nobody reads from it any more. PostgreSQL writes tables anew without what was
    deleted; its own log, of which old files are kept to be used again, only a superuser can empty.
    """
    if store.kind != "sqlite":
        for table in CHANGED:
            statement = text(f"vacuum {'full' if table == CHANGED[-1] else '(full, analyze)'} {table}")
            await store.run(lambda connection, one=statement: connection.execute(one).close())  # type: ignore[misc]
        return (
            "PostgreSQL's write-ahead log (pg_wal), its replicas and its backups still have it. A superuser empties "
            "the log with `alter system set wal_recycle = off; select pg_reload_conf()` and then, once for each file "
            "in pg_wal, `select pg_switch_wal(); checkpoint`; delete old backups."
        )
    deadline = time.monotonic() + READERS_TIMEOUT_S
    while True:
        row = await store.run(lambda connection: connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)")).one())
        if not row[0]:
            return ""
        if time.monotonic() > deadline:
            return (
                f"Another program reads the database, so {store.url.database}-wal still has a copy of what was "
                "deleted: end that program, and say `parlor study tidy` with the same file."
            )
        await asyncio.sleep(0.1)


LONG = timedelta(hours=1)  # who was not heard of for so long, and whose pay is due, does not come to the end any more
KNOWN = ParticipantRow.code != ""


@dataclass(frozen=True)
class Counted:
    """The participants known by their ids: the number who have finished, the pay due to them, and the others."""

    ended: int
    due: float
    others: int


async def count(store: Store) -> Counted:
    """Whom `forget` would forget."""
    pay = func.sum(ParticipantRow.base + func.coalesce(ParticipantRow.bonus, 0.0))
    ended = select(func.count(), pay).select_from(ParticipantRow).where(KNOWN, _ended())
    others = select(func.count()).select_from(ParticipantRow).where(KNOWN, ~_ended())

    def work(connection: Connection) -> Counted:
        number, due = connection.execute(ended).one()
        return Counted(number, float(due or 0.0), connection.execute(others).scalar_one())

    return await store.read(work)


async def forget(store: Store) -> tuple[int, str]:
    """Delete the platform's ids and the completion codes of those who have come to the end.

    Returns how many they are, and a sentence about what remains, if anything does.
    Only in a study that was stopped: in one that runs, whoever is not known any more could take part again.
    """

    def work(connection: Connection) -> int:
        if connection.execute(select(StudyRow.state)).scalar_one() != "stopped":
            raise GameError("The study is not over: stop it first, on the researcher's page, and pay everybody.")
        if store.kind == "sqlite":
            connection.exec_driver_sql("PRAGMA secure_delete=ON")  # what is freed is overwritten
        ids = connection.execute(select(ParticipantRow.id).where(KNOWN, _ended())).scalars().all()
        for id in ids:
            nobody = {"platform": f"forgotten {secrets.token_hex(12)}", "code": "", "network": None}
            connection.execute(update(ParticipantRow).where(ParticipantRow.id == id).values(**nobody))
        record(connection, f"deleted the platform's ids of {len(ids)} participants")
        return len(ids)

    forgotten = await whole(store, work)
    return forgotten, await tidy(store)


def _ended() -> ColumnElement[bool]:
    gone = ParticipantRow.base.is_not(None) & (ParticipantRow.heard < now() - LONG) & ~PLAYS
    return ParticipantRow.stage.in_(FINAL) | gone
