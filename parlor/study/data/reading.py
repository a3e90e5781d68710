"""Read a study from its database, as it stands at one moment, also while it runs.

Participants get their labels here, when somebody looks for the first time: numbers in random order, so that labels do
not tell who came when.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Executable, insert, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from parlor.game import GameError
from parlor.server.tables.session import aware
from parlor.server.tables.store import MoveRow, Row, Store, TableRow
from parlor.study.data.data import start_of
from parlor.study.data.records import Episode, Given, Made, Person, RecordedEvent, Records, StudyPlayer, TournamentRow
from parlor.study.data.rows import AnswerRow, EpisodeRow, GroupRow, LabelRow, ParticipantRow, StudyEventRow, StudyRow
from parlor.study.data.store import opened
from parlor.study.design.description import Description
from parlor.study.design.files import read_study

BLOCK = 50  # labels are drawn among so many numbers before higher ones are used
T = TypeVar("T")


async def read(
    store: Store, about: Description, answers: bool = True, moves: bool = True, known: Collection[str] = ()
) -> Records:
    """Everything recorded of a study, but for the moves of games that run.

    Or less, where less is needed: without answers, without moves, or without the moves of games that are `known`.
    """
    while not await _label(store):
        pass  # another server was labelling too
    return await _snapshot(store, lambda connection: _records(connection, about, answers, moves, known))


def read_all(file: Path, url: str | None) -> Records:
    """Everything recorded of the study in a file."""

    async def work() -> Records:
        async with opened(file, url) as store:
            return await read(store, read_study(file))

    return asyncio.run(work())


async def _snapshot(store: Store, work: Callable[[Connection], T]) -> T:
    """Do something with a connection that sees the database as it is now, and keeps nobody from writing."""

    def local(connection: Connection) -> T:
        connection.exec_driver_sql("BEGIN")
        try:
            return work(connection)
        finally:
            connection.exec_driver_sql("ROLLBACK")

    def remote(connection: Connection) -> T:
        connection.execute(text("set transaction isolation level repeatable read, read only"))
        return work(connection)

    if store.kind == "sqlite":
        return await store.read(local)
    return await store.run(remote, whole=True)


# ------------------------------------------------------------------------------------------------------- labels

WITHOUT_LABEL = (
    select(ParticipantRow.id)
    .outerjoin(LabelRow, LabelRow.participant == ParticipantRow.id)
    .where(LabelRow.participant.is_(None))
)


async def _label(store: Store) -> bool:
    """Give labels to participants who have none; False if somebody else did so meanwhile."""
    if not await store.read(lambda connection: connection.execute(WITHOUT_LABEL.limit(1)).first()):
        return True

    def work(connection: Connection) -> None:
        used = set(connection.execute(select(LabelRow.number)).scalars())
        new = list(connection.execute(WITHOUT_LABEL).scalars())
        rows = [{"participant": id, "number": n} for id, n in zip(new, draw_numbers(used, len(new)), strict=True)]
        if rows:
            connection.execute(insert(LabelRow), rows)

    try:
        await store.run(work, whole=True)
    except IntegrityError:
        return False
    return True


def draw_numbers(used: Collection[int], count: int) -> list[int]:
    """So many unused numbers from 1 on: all of a block of fifty are used, in random order, before the next."""
    taken, drawn = set(used), []
    for _ in range(count):
        most = BLOCK * (len(taken) // BLOCK + 1)
        drawn.append(secrets.choice([n for n in range(1, most + 1) if n not in taken]))
        taken.add(drawn[-1])
    return drawn


# ------------------------------------------------------------------------------------------------------ records

VERSIONS = (
    select(MoveRow.agent, MoveRow.agent_version)
    .join(EpisodeRow, EpisodeRow.id == MoveRow.table_id)
    .where(MoveRow.agent.is_not(None), MoveRow.agent_version.is_not(None))
    .distinct()
    .order_by(MoveRow.agent, MoveRow.agent_version)
)


def _records(connection: Connection, about: Description, answers: bool, moves: bool, known: Collection[str]) -> Records:
    def rows(statement: Executable) -> Sequence[Any]:
        return connection.execute(statement).all()

    study = rows(select(StudyRow.hash, StudyRow.state, StudyRow.speed, StudyRow.rules))
    if not study:
        raise GameError("No study was begun in this database: `parlor study serve` begins it.")
    ((hash, runs, speed, rules),) = study
    if hash != about.hash:
        raise GameError("The study in the database was begun with another version of this file.")
    groups = rows(select(GroupRow.__table__).order_by(GroupRow.number))
    events = rows(select(StudyEventRow.at, StudyEventRow.what).order_by(StudyEventRow.id))
    people = rows(select(ParticipantRow.__table__, LabelRow.number.label("shown"), LabelRow.removed).join(LabelRow))
    return Records(
        description=about,
        runs=runs,
        speed=speed,
        people=tuple(_person(row) for row in people),
        answers=tuple(
            Given(row.participant, row.stage, row.question, row.answer, row.right, row.seconds)
            for row in (rows(select(AnswerRow.__table__).order_by(AnswerRow.at)) if answers else ())
        ),
        tournaments=tuple(
            TournamentRow(
                row.id, f"G{row.number + 1:03}", row.condition, aware(row.created), _aware(row.ended), row.rounds
            )
            for row in groups
        ),
        episodes=_episodes(connection, about, moves, known),
        events=tuple(RecordedEvent(aware(row.at), row.what) for row in events),
        rules=rules,
        versions=tuple((row.agent, row.agent_version) for row in (rows(VERSIONS) if answers and moves else ())),
    )


def _person(row: Any) -> Person:
    return Person(
        id=row.id,
        label=f"P{row.shown:03}",
        platform_id=row.platform,
        condition=row.condition,
        group=row.group_id,
        stage=row.stage,
        entered=aware(row.entered),
        since=aware(row.since),
        heard=aware(row.heard),
        left=aware(row.finished or row.heard),
        passed=row.passed is not None,
        base=row.base,
        bonus=row.bonus,
        code=row.code,
        removed=row.removed is not None,
    )


def _episodes(
    connection: Connection, about: Description, with_moves: bool, known: Collection[str]
) -> tuple[Episode, ...]:
    """Games that have begun, by time; two people's rows of a game become one."""
    statement = select(EpisodeRow.__table__, TableRow.payoffs).outerjoin(TableRow, TableRow.id == EpisodeRow.id)
    rows: dict[str, list[Any]] = defaultdict(list)
    for row in connection.execute(statement.where(EpisodeRow.began.is_not(None) | EpisodeRow.status.is_not(None))):
        rows[row.id].append(row)
    over = [id for id, (first, *_) in rows.items() if first.status is not None and id not in known]
    moves = _moves(connection, over) if with_moves else {}
    ordered = sorted(rows, key=lambda id: (aware(rows[id][0].began or rows[id][0].ended), id))
    players = start_of(about.game).game.players
    return tuple(
        _episode(f"E{number:04}", rows[id], moves.get(id, ()), players) for number, id in enumerate(ordered, 1)
    )


def _episode(label: str, rows: Sequence[Any], moves: Sequence[Row], players: int) -> Episode:
    first = rows[0]
    agent = first.partner if first.partner_kind == "agent" else None
    seats = [StudyPlayer(None, agent)] * players
    for row in rows:
        seats[row.seat] = StudyPlayer(row.participant, None)
    began = aware(first.began or first.ended)
    return Episode(
        id=first.id,
        label=label,
        group=first.group_id,
        round=first.round + 1,
        players=tuple(seats),
        status=first.status,
        began=began,
        deadline=_aware(first.deadline),
        ended=_aware(first.ended),
        payoffs=tuple(first.payoffs) if first.payoffs is not None else None,
        moves=tuple(Made(move["ply"], move["player"], move["move"], aware(move["at"])) for move in moves),
    )


def _moves(connection: Connection, tables: Sequence[str]) -> dict[str, list[Row]]:
    """The moves of some tables, in order."""
    found: dict[str, list[Row]] = defaultdict(list)
    columns = select(MoveRow.table_id, MoveRow.ply, MoveRow.player, MoveRow.move, MoveRow.at)
    for first in range(0, len(tables), 500):  # a statement cannot have any number of parameters
        some = columns.where(MoveRow.table_id.in_(tables[first : first + 500])).order_by(MoveRow.table_id, MoveRow.ply)
        for row in connection.execute(some).mappings():
            found[row["table_id"]].append(dict(row))
    return found


def _aware(moment: datetime | None) -> datetime | None:
    return None if moment is None else aware(moment)
