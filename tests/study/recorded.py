"""A study that has been running for a while, in a database: people at every stage, games that ended and run."""

from __future__ import annotations

import asyncio
import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import insert, update
from sqlalchemy.engine import Connection

from parlor.compile import version
from parlor.game import Game
from parlor.game.loading import load
from parlor.server.tables.session import hashed
from parlor.server.tables.store import MoveRow, SeatRow, Store, TableRow, now
from parlor.study.data.rows import STUDY, AnswerRow, EpisodeRow, GroupRow, ParticipantRow
from parlor.study.data.store import open_study
from parlor.study.design.description import Description
from parlor.study.design.files import read_study
from parlor.study.design.orientation import ITEMS

STAGES = ("consent", "tutorial", "test", "failed", "declined", "waiting", "episode", "score", "questionnaire", "done")
Row = dict[str, Any]


def record(url: str, file: Path, people: int = 20, seed: int = 1) -> None:
    """Fill the database of a study: its first condition is with people, two and two, the second with agents."""

    async def work() -> None:
        store = Store(url)
        await store.open()
        about = read_study(file)
        await open_study(store, about, version(load(about.game)))
        await store.run(lambda connection: Recording(connection, about, seed).write(people), whole=True)
        await store.close()

    asyncio.run(work())


class Recording:
    """What is written, in one transaction."""

    def __init__(self, connection: Connection, about: Description, seed: int) -> None:
        self.connection, self.about, self.draw = connection, about, random.Random(seed)
        self.game: Game = load(about.game)
        self.start = self.game.start()
        self.now = now()
        self.passed = self.groups = 0

    def add(self, kind: type, *rows: Row) -> None:
        self.connection.execute(insert(kind), list(rows))

    def write(self, people: int) -> None:
        left: list[str] = []
        for k in range(people):
            stage = STAGES[k % len(STAGES)] if k % 3 else "done"
            began = self.now - timedelta(minutes=55 - k % 40)
            person = self.person(k, stage, began)
            if person["condition"] is None or stage == "waiting":
                self.add(ParticipantRow, person)
            elif person["condition"] == self.about.conditions[1].name:
                self.with_agents(person)
            else:
                left.append(person["id"])
                self.add(ParticipantRow, person)
                if len(left) == 2:
                    self.together(left, stage)
                    left = []
            self.answers(person)

    def person(self, k: int, stage: str, began: datetime) -> Row:
        early = stage in ("consent", "tutorial", "test", "failed", "declined")
        condition = None if early else self.about.conditions[k // 10 % 2].name
        row: Row = dict.fromkeys(column.name for column in ParticipantRow.__table__.columns)
        row |= {"id": f"id-{k:04}", "study": STUDY, "platform": f"5f3a-platform-{k}", "token": hashed(f"token {k}")}
        row |= {"code": f"CODE{k:04}", "entered": began, "heard": self.now - timedelta(seconds=7 * (k % 20)), "step": 0}
        row |= {"since": self.now - timedelta(seconds=11 * (k % 30)), "changed": self.now, "stage": stage}
        if not early:
            row |= {"number": self.passed, "condition": condition, "passed": began + timedelta(minutes=5)}
            self.passed += 1
        if stage in ("done", "questionnaire", "failed"):
            row |= {"points": 6.0, "base": 0.5 if stage == "failed" else 2.5, "bonus": 0.6}
        return row | ({"finished": self.now} if stage in ("done", "failed", "declined") else {})

    def group(self, condition: str, size: int, running: bool) -> str:
        id, began = f"group-{self.groups:04}", self.now - timedelta(minutes=9)
        row = {"id": id, "study": STUDY, "number": self.groups, "condition": condition, "size": size, "rounds": 1}
        over = None if running else self.now - timedelta(minutes=2)
        self.add(GroupRow, row | {"round": 0, "next_at": None, "created": began, "ended": over})
        self.groups += 1
        return id

    def with_agents(self, person: Row) -> None:
        running = person["stage"] in ("episode", "score")
        group = self.group(person["condition"], 1, running)
        self.add(ParticipantRow, person | {"group_id": group})
        agents = [agent.name for agent in self.about.agents][: self.about.episodes]
        for round, agent in enumerate(agents):
            last = running and round == len(agents) - 1
            seat = self.draw.randrange(2)
            self.episode(group, round, {seat: person["id"]}, agent, running=last and person["stage"] == "episode")

    def together(self, ids: list[str], stage: str) -> None:
        group = self.group(self.about.conditions[0].name, 2, stage in ("episode", "score"))
        for id in ids:
            self.connection.execute(update(ParticipantRow).where(ParticipantRow.id == id).values(group_id=group))
        self.episode(group, 0, dict(enumerate(ids)), "", running=stage == "episode")

    def episode(self, group: str, round: int, people: dict[int, str], agent: str, running: bool) -> None:
        """A game that runs, timed out, or was played to its end, by chance."""
        id = f"table-{group}-{round}"
        began = self.now - timedelta(seconds=30 if running else 600 - 100 * round)
        position, moves = self.start, list[Row]()
        late = self.draw.random() < 0.15
        most = 2 if running else 3 if late else 1000
        while not position.over and len(moves) < most:
            legal = position.legal
            name = "agree" if "agree" in legal and self.draw.random() < 0.6 and most > 3 else self.draw.choice(legal)
            at = began + timedelta(seconds=4 * len(moves))
            moved = {"table_id": id, "ply": len(moves), "player": position.turn, "move": name, "at": at}
            moves.append(moved | {"ms": 3000.0, "agent": None, "agent_version": None})
            position = position.after(name)
        payoffs = position.payoffs if position.over else None
        status = "ended" if payoffs else None if running else "timed-out"
        ended = None if running else began + timedelta(seconds=60)
        self.table(id, began, ended, payoffs, people, agent)
        self.add(MoveRow, *moves)
        for seat, participant in people.items():
            other = agent or people[1 - seat]
            row = {"id": id, "participant": participant, "group_id": group, "round": round, "seat": seat}
            row |= {"partner_kind": "agent" if agent else "person", "partner": other, "status": status}
            row |= {
                "points": payoffs[seat] if payoffs else 0.0,
                "partner_points": payoffs[1 - seat] if payoffs else 0.0,
            }
            self.add(EpisodeRow, row | {"began": began, "deadline": began + timedelta(seconds=120), "ended": ended})

    def table(
        self, id: str, began: datetime, ended: datetime | None, payoffs: Any, people: dict[int, str], agent: str
    ) -> None:
        row: Row = dict.fromkeys(column.name for column in TableRow.__table__.columns)
        row |= {"id": id, "root": id, "created": began, "game": self.about.game, "rules": version(self.game)}
        row |= {"players": 2, "mind": "never", "pace": "step", "seed": 1, "imported": False, "host": 0, "watch": False}
        row |= {"undo": False, "undone": 0, "seed_chosen": False, "version": 0, "study": STUDY, "ended": ended}
        self.add(TableRow, row | {"payoffs": payoffs, "deadline": began + timedelta(seconds=120)})
        seats = dict.fromkeys(column.name for column in SeatRow.__table__.columns)
        for seat in range(2):
            who = {"kind": "person", "token": hashed(f"{id}{seat}")} if seat in people else {"kind": "agent"}
            self.add(
                SeatRow,
                seats | {"table_id": id, "seat": seat, "name": "", "agent": None if seat in people else agent} | who,
            )

    def answers(self, person: Row) -> None:
        told = {"participant": person["id"], "at": self.now, "seconds": 12.0, "right": None}
        rows: list[Row] = []
        if person["stage"] != "consent":
            rows.append(told | {"stage": "consent", "question": "consent", "answer": person["stage"] != "declined"})
        if person["passed"] or person["stage"] == "failed":
            first = self.about.test.questions[0]
            right = person["passed"] is not None
            chosen = first.answers[(first.right or 0) if right else (first.right or 0) - 1]
            rows.append(told | {"stage": "test", "question": first.id, "answer": chosen, "right": right})
        if person["stage"] == "done":
            rows += [
                told | {"stage": "orientation", "question": item, "answer": self.draw.randrange(9)} for item in ITEMS
            ]
            rows.append(
                told | {"stage": "questionnaire", "question": "open", "answer": f"I am person {person['platform']}"}
            )
        if rows:
            self.add(AnswerRow, *rows)
