"""Tournaments: groups of those who wait, rounds that begin and end, games whose time is up, and what they paid.

Every function here may be called at any time, by any server, any number of times: what is not due is left alone.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from sqlalchemy import func, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from parlor.server.tables.store import Conflict, Row, TableRow, now
from parlor.study.data.deletion import record
from parlor.study.data.folder import bonus_of
from parlor.study.data.rows import STUDY, EpisodeRow, GroupRow, ParticipantRow
from parlor.study.data.store import WAITING, add_table, due_groups, end_practice, episodes, found, must, participant
from parlor.study.design.description import Condition
from parlor.study.session import schedule
from parlor.study.session.engine import Study

EARLY = ("consent", "tutorial", "test", "waiting")  # before a tournament


def new_id() -> str:
    """An id that cannot be guessed."""
    return secrets.token_urlsafe(16)


# --------------------------------------------------------------------------------------------------- those who wait


async def match(study: Study) -> None:
    """Make tournaments of those who wait; whoever is here and has waited too long is sent home with base pay."""
    waiting = await study.records.all(WAITING)
    at, longest = now(), study.clock.lasting(study.description.waiting.longest)
    left = study.gone(at)
    for condition in study.description.conditions:
        size = condition.group if condition.partners == "people" else 1
        here = [row for row in waiting if row["condition"] == condition.name and row["heard"] >= left]
        while len(here) >= size and study.row["state"] == "running":
            await make_group(study, condition, here[:size])
            waiting = [row for row in waiting if row not in here[:size]]
            here = here[size:]
    for row in waiting:
        if at >= row["since"] + longest and row["heard"] >= left and study.row["state"] != "paused":
            await send_home(study, row, "unmatched", study.description.pay.base)


async def make_group(study: Study, condition: Condition, members: Sequence[Row]) -> None:
    """A tournament of these participants, if all of them still wait: who meets whom is written down at once."""
    group, at, rounds = new_id(), now(), study.rounds_of(condition)

    def work(connection: Connection) -> None:
        number = connection.execute(select(func.count()).select_from(GroupRow)).scalar_one()
        row = {"id": group, "study": STUDY, "number": number, "condition": condition.name, "size": len(members)}
        row |= {"rounds": rounds, "round": -1, "next_at": at, "created": at, "ended": None}
        connection.execute(insert(GroupRow).values(**row))
        waits = ParticipantRow.id.in_([member["id"] for member in members]) & (ParticipantRow.stage == "waiting")
        taken = update(ParticipantRow).where(waits, ParticipantRow.group_id.is_(None))
        must(connection.execute(taken.values(group_id=group, changed=at)).rowcount == len(members))
        connection.execute(insert(EpisodeRow), planned(study, condition, group, number, members))
        marks = [member["network"] for member in members if member["network"]]
        if len(set(marks)) < len(marks):
            record(connection, f"participants of tournament {number + 1} come from one address: is it one person?")

    try:
        await study.records.whole(work)
    except (Conflict, IntegrityError):
        return  # another server has made one


def planned(study: Study, condition: Condition, group: str, number: int, members: Sequence[Row]) -> list[Row]:
    """The games of a tournament, none of which has begun."""
    told, rounds = study.description, study.rounds_of(condition)
    seed, rows = study.draws, []
    if condition.partners == "people":
        for game in schedule.round_robin(seed, number, len(members), rounds, told.first):
            id = new_id()
            for seat, place in enumerate(game.seats):
                own, partner = members[place]["id"], members[game.seats[1 - seat]]["id"]
                row = {"id": id, "participant": own, "round": game.round, "seat": seat}
                rows.append(row | {"partner_kind": "person", "partner": partner})
    else:
        names = schedule.agents_in_order(seed, number, study.agents_of(condition), rounds)
        seats = schedule.own_seats(seed, number, rounds, study.game.players, told.first)
        for round, (name, seat) in enumerate(zip(names, seats, strict=True)):
            row = {"id": new_id(), "participant": members[0]["id"], "round": round, "seat": seat}
            rows.append(row | {"partner_kind": "agent", "partner": name})
    return [row | {"group_id": group} for row in rows]


async def send_home(study: Study, row: Row, stage: str, base: float | None) -> None:
    """End it for somebody who was in no tournament, with this pay."""

    def work(connection: Connection) -> None:
        at, same = now(), (ParticipantRow.id == row["id"]) & (ParticipantRow.stage == row["stage"])
        values: Row = {"stage": stage, "step": 0, "since": at, "changed": at, "finished": at, "practice": None}
        values |= {} if base is None else {"points": 0.0, "base": base, "bonus": 0.0}
        end_practice(connection, row["id"])
        change = update(ParticipantRow).where(same, ParticipantRow.group_id.is_(None))
        must(connection.execute(change.values(**values)).rowcount == 1)

    with contextlib.suppress(Conflict):
        await study.records.whole(work)


async def stop(study: Study) -> None:
    """When the researcher has stopped the study: those who are in no tournament go home, the others play on.

    Whoever agreed to take part and is here, or was waiting already, gets base pay; whoever had left does not.
    """
    at = now()
    early = select(ParticipantRow.__table__).where(
        ParticipantRow.study == STUDY, ParticipantRow.stage.in_(EARLY), ParticipantRow.group_id.is_(None)
    )
    for row in await study.records.all(early):
        if study.may_return(row["heard"], at):
            continue
        agreed = row["stage"] != "consent"
        paid = row["stage"] == "waiting" or (agreed and row["heard"] >= study.gone(at))
        await send_home(study, row, "stopped", study.description.pay.base if paid else None)


# --------------------------------------------------------------------------------------------------- rounds


async def go_on(study: Study) -> None:
    """Begin the rounds that are due, and end the tournaments that have no further one."""
    at = now()
    here = study.gone(at)
    lost = here if study.row["state"] == "stopped" else at - study.clock.lasting(study.description.waiting.longest)
    for group in await study.records.all(due_groups(at, here, lost)):
        if group["round"] + 1 == group["rounds"]:
            await finish(study, group)
        elif study.row["state"] != "paused":
            await begin_round(study, group)


async def begin_round(study: Study, group: Row) -> None:
    """Begin all games of the next round at once; a game is not played if one of its players has left."""
    round = group["round"] + 1
    members = {row["id"]: row for row in await study.records.all(participant(group_id=group["id"]))}
    planned = await study.records.all(episodes(group_id=group["id"], round=round))
    games = {id: list(players) for id, players in groupby(planned, key=lambda row: str(row["id"]))}
    left = study.gone(now())
    if any(study.may_return(member["heard"], now()) for member in members.values()):
        return
    played = {
        id: players
        for id, players in games.items()
        if all(members[row["participant"]]["heard"] >= left for row in players)
    }
    tables = [
        await study.new_table(
            id,
            _agents(study, players),
            {row["seat"]: members[row["participant"]] for row in players},
            secret=_deal(study, group, [members[row["participant"]] for row in players]),
        )
        for id, players in played.items()
    ]

    def work(connection: Connection) -> None:
        at = now()
        until = at + study.clock.lasting(study.description.seconds)
        same = (GroupRow.id == group["id"]) & (GroupRow.round == round - 1)
        begun = {"round": round, "next_at": None if played else at + study.clock.lasting(_pause(study))}
        must(connection.execute(update(GroupRow).where(same).values(**begun)).rowcount == 1)
        for rows in tables:
            add_table(connection, rows, until)
        for id, players in games.items():
            if id in played:
                values: Row = {"began": at, "deadline": until}
            else:
                values = {"status": "absent", "points": 0.0, "partner_points": 0.0, "ended": at}
            connection.execute(update(EpisodeRow).where(EpisodeRow.id == id).values(**values))
            who = ParticipantRow.id.in_([row["participant"] for row in players])
            moved = {"stage": "episode" if id in played else "score", "step": round, "since": at, "changed": at}
            connection.execute(update(ParticipantRow).where(who).values(**moved))

    try:
        await study.records.whole(work)
    except (Conflict, IntegrityError):
        return
    for id in members:
        study.watchers.notify(id)


def _agents(study: Study, players: Sequence[Row]) -> list[str | None]:
    """Return the agent's name in each seat at the table of an episode; None for a person."""
    people = {row["seat"] for row in players}
    return [None if seat in people else players[0]["partner"] for seat in range(study.game.players)]


def _deal(study: Study, group: Row, players: Sequence[Row]) -> str:
    numbers = [row["number"] for row in players]
    return schedule.deal(study.draws, group["number"], group["round"] + 1, numbers)


def _pause(study: Study) -> float:
    return study.description.waiting.pause


async def settle(study: Study, id: str) -> None:
    """Say in the rows of an episode how its game ended; a game whose time is up ends here."""

    def work(connection: Connection) -> list[str]:
        at = now()
        [rows, [table]] = found(connection, episodes(id=id)), found(connection, _TABLE.where(TableRow.id == id))
        if table["ended"] is None:
            if table["deadline"] is None or at < table["deadline"]:
                return []
            late = update(TableRow).where(TableRow.id == id, TableRow.ended.is_(None))
            connection.execute(late.values(ended=at, client=None))
            [table] = found(connection, _TABLE.where(TableRow.id == id))
        payoffs = table["payoffs"]
        for row in rows:
            others = [payoff for seat, payoff in enumerate(payoffs or ()) if seat != row["seat"]]
            values: Row = {"status": "ended" if payoffs else "timed-out", "ended": table["ended"]}
            values |= {"points": payoffs[row["seat"]] if payoffs else 0.0}
            values |= {"partner_points": sum(others) / len(others) if others else 0.0}
            same = (EpisodeRow.id == id) & (EpisodeRow.participant == row["participant"])
            unsaid = update(EpisodeRow).where(same, EpisodeRow.status.is_(None))
            if connection.execute(unsaid.values(**values)).rowcount:
                seen = (ParticipantRow.id == row["participant"]) & (ParticipantRow.stage == "episode")
                score = update(ParticipantRow).where(seen, ParticipantRow.step == row["round"])
                connection.execute(score.values(stage="score", since=at, changed=at))
        return _end_round(study, connection, rows[0]["group_id"], rows[0]["round"], at) if rows else []

    for one in await study.records.whole(work):
        study.watchers.notify(one)
    study.tables.watchers.notify(id)


_TABLE = select(TableRow.ended, TableRow.deadline, TableRow.payoffs)


def _end_round(study: Study, connection: Connection, group: str, round: int, at: datetime) -> list[str]:
    """When all games of a round are over, the next may begin after a pause; returns whom that concerns."""
    playing = [row for row in found(connection, episodes(group_id=group, round=round)) if row["status"] is None]
    if not playing:
        over = update(GroupRow).where(GroupRow.id == group, GroupRow.round == round, GroupRow.next_at.is_(None))
        if connection.execute(over.values(next_at=at + study.clock.lasting(_pause(study)))).rowcount:
            members = update(ParticipantRow).where(ParticipantRow.group_id == group)
            connection.execute(members.values(changed=at))
    return [row["id"] for row in found(connection, participant(group_id=group))]


def hurry(study: Study, connection: Connection, group: str, round: int) -> None:
    """End the pause if everybody who is here has read the score."""
    at = now()
    here = [row for row in found(connection, participant(group_id=group)) if row["heard"] >= study.gone(at)]
    if all(row["ready"] is not None and row["ready"] >= round for row in here):
        paused = update(GroupRow).where(GroupRow.id == group, GroupRow.round == round, GroupRow.next_at > at)
        connection.execute(paused.values(next_at=at))


# --------------------------------------------------------------------------------------------------- the end


async def finish(study: Study, group: Row) -> None:
    """End a tournament: everybody who has not gone on does so now."""

    def work(connection: Connection) -> None:
        over = update(GroupRow).where(GroupRow.id == group["id"], GroupRow.ended.is_(None))
        must(connection.execute(over.values(ended=now(), next_at=None)).rowcount == 1)
        for row in found(connection, participant(group_id=group["id"], stage="score")):
            to_bonus(study, connection, row)

    try:
        await study.records.whole(work)
    except Conflict:
        return
    for row in await study.records.all(participant(group_id=group["id"])):
        study.watchers.notify(row["id"])


def to_bonus(study: Study, connection: Connection, row: Row) -> bool:
    """Show somebody what was earned, which is written now, once."""
    at, pay = now(), study.description.pay
    points = sum(episode["points"] or 0.0 for episode in found(connection, episodes(participant=row["id"])))
    same = (ParticipantRow.id == row["id"]) & (ParticipantRow.stage == "score") & (ParticipantRow.step == row["step"])
    values: Row = {"stage": "bonus", "step": 0, "since": at, "changed": at}
    values |= {"points": points, "base": pay.base, "bonus": bonus_of(pay, points)}
    return connection.execute(update(ParticipantRow).where(same).values(**values)).rowcount == 1
