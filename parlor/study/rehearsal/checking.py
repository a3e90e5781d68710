"""Checks of the database after a rehearsal, against what bots were told: nothing lost, doubled, late or met twice."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.engine import Connection

from parlor.server.tables.store import MoveRow, Store
from parlor.study.data.rows import AnswerRow, EpisodeRow, GroupRow, ParticipantRow
from parlor.study.design.description import Description
from parlor.study.rehearsal.journal import RehearsalJournal

Row = dict[str, Any]
Span = tuple[datetime, datetime]

TOLERANCE = 1.0  # seconds of the server's clock by which a time limit may be missed
CENT = 0.005


@dataclass(frozen=True)
class Rows:
    """All rows of a study."""

    participants: list[Row]
    answers: list[Row]
    episodes: list[Row]
    moves: list[Row]
    groups: list[Row]


@dataclass
class RehearsalFindings:
    """The errors found, in sentences by kind."""

    lost: list[str] = field(default_factory=list)  # moves, answers and payments that were acknowledged
    doubled: list[str] = field(default_factory=list)  # or made by nobody
    late: list[str] = field(default_factory=list)  # moves that were taken after the time was up
    overdue: list[str] = field(default_factory=list)  # games that ended more than a second after it
    twice: list[str] = field(default_factory=list)  # people who met twice
    open: list[str] = field(default_factory=list)  # tournaments that go on though everybody has gone
    checked: Counter[str] = field(default_factory=Counter)  # how much was looked at

    @property
    def sentences(self) -> list[str]:
        """All of it."""
        return [*self.lost, *self.doubled, *self.late, *self.overdue, *self.twice, *self.open]


def read_rows(url: str) -> Rows:
    """Everything in the database."""

    async def work() -> Rows:
        store = Store(url)
        try:
            return await store.read(_read)
        finally:
            await store.close()

    return asyncio.run(work())


def _read(connection: Connection) -> Rows:
    def rows(table: Any) -> list[Row]:
        return [
            {name: value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value
             for name, value in row.items()}
            for row in connection.execute(select(table)).mappings()
        ]  # fmt: skip

    tables = (ParticipantRow, AnswerRow, EpisodeRow, MoveRow, GroupRow)
    return Rows(*(rows(table.__table__) for table in tables))


def check(journal: RehearsalJournal, rows: Rows, study: Description, away: Sequence[Span] = ()) -> RehearsalFindings:
    """Compare; `away` are the times in which the server or the database was away."""
    found = RehearsalFindings()
    participants = {row["platform"]: row["id"] for row in rows.participants}
    found.doubled += [
        f"{id} takes part twice" for id, n in Counter(r["platform"] for r in rows.participants).items() if n > 1
    ]
    number_of = {participants[id]: number for number, id in journal.entered.items() if id in participants}
    found.lost += [f"{id} entered and is not there" for id in journal.entered.values() if id not in participants]
    _check_moves(journal, rows, number_of, found)
    _check_answers(journal, rows, number_of, found)
    _check_pay(journal, rows, study, found)
    _check_times(rows, away, found)
    met = Counter(
        tuple(sorted((r["participant"], r["partner"]))) for r in rows.episodes if r["partner_kind"] == "person"
    )
    found.twice += [f"{first} and {second} met {n // 2} times" for (first, second), n in met.items() if n != 2]
    agents = Counter((r["participant"], r["partner"]) for r in rows.episodes if r["partner_kind"] == "agent")
    found.twice += [f"{who} met {agent} {n} times" for (who, agent), n in agents.items() if n > 1]
    if len(journal.ends) == len(journal.entered):  # nobody was called off
        found.open += [f"tournament {row['number']} was not ended" for row in rows.groups if row["ended"] is None]
    return found


def _check_moves(journal: RehearsalJournal, rows: Rows, number_of: dict[str, int], found: RehearsalFindings) -> None:
    seats = {(row["id"], row["seat"]): (number_of.get(row["participant"]), row["round"] + 1) for row in rows.episodes}
    made: dict[tuple[int | None, int, int], str] = {}
    for row in rows.moves:
        if (seat := seats.get((row["table_id"], row["player"]))) is not None:
            made[(*seat, row["ply"])] = row["move"]
    for move in journal.moves:
        found.checked["moves"] += 1
        if made.get((move.person, move.episode, move.ply)) != move.move:
            found.lost.append(
                f"person {move.person}, episode {move.episode}: {move.move!r} at ply {move.ply} is not there"
            )
    for person, episode, ply in made:
        if person is not None and (person, episode, ply) not in journal.sent:
            found.doubled.append(f"person {person}, episode {episode}: a move at ply {ply} that it never made")


def _check_answers(journal: RehearsalJournal, rows: Rows, number_of: dict[str, int], found: RehearsalFindings) -> None:
    given: dict[tuple[int, str, str], list[Any]] = {}
    for row in rows.answers:
        if row["participant"] in number_of:
            key = (number_of[row["participant"]], row["stage"], row["question"])
            given.setdefault(key, []).append(row["answer"])
    found.doubled += [
        f"person {key[0]} has answered {key[1]} {key[2]} {len(a)} times" for key, a in given.items() if len(a) > 1
    ]
    for answered in journal.answers:
        for question, answer in answered.answers.items():
            found.checked["answers"] += 1
            kept = given.get((answered.person, answered.stage, question), [None])[0]
            if kept != answer:
                found.lost.append(f"person {answered.person}: {answered.stage} {question} is {kept!r}, not {answer!r}")


def _check_pay(journal: RehearsalJournal, rows: Rows, study: Description, found: RehearsalFindings) -> None:
    people = {row["platform"]: row for row in rows.participants}
    points: dict[str, float] = defaultdict(float)
    for episode in rows.episodes:
        points[episode["participant"]] += (episode["points"] or 0.0) if episode["status"] == "ended" else 0.0
    for end in journal.ends:
        if end.id not in people or end.pay is None:
            continue
        row = people[end.id]
        found.checked["payments"] += 1
        told = (end.pay["base"], end.pay["bonus"])
        kept = (row["base"] or 0.0, row["bonus"] or 0.0)
        due = study.pay.point * points[row["id"]]
        if any(abs(a - b) > CENT for a, b in zip(told, kept, strict=True)):
            found.lost.append(
                f"{end.id} was told {told[0]:.2f} + {told[1]:.2f}, the database says {kept[0]:.2f} + {kept[1]:.2f}"
            )
        if end.where == "done" and abs(kept[1] - due) > 2 * CENT:
            kind = found.doubled if kept[1] > due else found.lost
            kind.append(f"{end.id} gets a bonus of {kept[1]:.2f} for points worth {due:.2f}")


def _check_times(rows: Rows, away: Sequence[Span], found: RehearsalFindings) -> None:
    limits = {row["id"]: row for row in rows.episodes if row["deadline"] is not None}
    for move in rows.moves:
        episode = limits.get(move["table_id"])
        if episode is not None and move["at"] >= episode["deadline"]:
            late = (move["at"] - episode["deadline"]).total_seconds()
            found.late.append(f"{episode['id']}: a move {late:.2f} seconds after the time was up")
    for episode in limits.values():
        if episode["status"] == "timed-out" and episode["ended"] is not None:
            found.checked["time limits"] += 1
            due = _present(episode["deadline"], away)
            missed = (episode["ended"] - due).total_seconds()
            if missed > TOLERANCE or episode["ended"] < episode["deadline"]:
                found.overdue.append(f"{episode['id']} was ended {missed:.2f} seconds after the time was up")


def _present(at: datetime, away: Sequence[Span]) -> datetime:
    """The first moment from `at` on at which somebody was there to notice."""
    for left, back in sorted(away):
        if left - timedelta(seconds=TOLERANCE) <= at <= back:
            at = back
    return at
