"""Forget who the participants of a study were, when it is over and everybody is paid: their data stay, without ids."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.engine import Connection

from parlor.game import GameError
from parlor.server.tables.store import Store, now
from parlor.study.data.deletion import PLAYS, record, tidy
from parlor.study.data.records import FINAL
from parlor.study.data.rows import ParticipantRow, StudyRow
from parlor.study.data.store import whole

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
