"""The database's rows for a study: participants, answers, groups, episodes; labels, and what the researcher did.

A database has one study. Whatever changes is changed in one transaction, so that nothing in memory is needed to go on.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Boolean, DateTime, Float, ForeignKey, Index, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import JSON

from parlor.server.tables.store import Base

STUDY = 1  # the id of the one study of a database


class StudyRow(Base):
    """The study: which file it was, its secret, and whether it runs."""

    __tablename__ = "studies"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    title: Mapped[str] = mapped_column(String(500))
    hash: Mapped[str] = mapped_column(String(64))  # of the file
    game: Mapped[str] = mapped_column(String(2000))
    rules: Mapped[str] = mapped_column(String(64))  # their version
    seed: Mapped[int] = mapped_column(BigInteger)
    speed: Mapped[float] = mapped_column(Float)
    state: Mapped[str] = mapped_column(String(16))  # running, paused or stopped
    secret: Mapped[str] = mapped_column(String(64))  # seats' tokens and the signatures of links are made with it
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    beat: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # when the clockwork last ran


class ParticipantRow(Base):
    """A participant: where one is, with whom one plays, and what is due to one."""

    __tablename__ = "participants"
    __table_args__ = (
        UniqueConstraint("study", "platform", name="uq_participants_platform"),
        UniqueConstraint("study", "number", name="uq_participants_number"),
        Index("ix_participants_token", "token"),
        Index("ix_participants_stage", "study", "stage"),
        Index("ix_participants_changed", "changed"),
        Index("ix_participants_group", "group_id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    study: Mapped[int] = mapped_column(Integer, ForeignKey("studies.id"))
    platform: Mapped[str] = mapped_column(String(200))  # the id by which one came; for coming back and for pay
    token: Mapped[str] = mapped_column(String(64))  # its SHA-256
    code: Mapped[str] = mapped_column(String(16))  # of completion
    entered: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    heard: Mapped[datetime] = mapped_column(DateTime(timezone=True))  # when one was last heard of
    since: Mapped[datetime] = mapped_column(DateTime(timezone=True))  # when the stage or step began
    changed: Mapped[datetime] = mapped_column(DateTime(timezone=True))  # when what one sees last changed
    stage: Mapped[str] = mapped_column(String(16))
    step: Mapped[int] = mapped_column(Integer)
    practice: Mapped[str | None] = mapped_column(String(32))  # the table to try something at
    number: Mapped[int | None] = mapped_column(Integer)  # in the order in which they passed the test, from 0
    condition: Mapped[str | None] = mapped_column(String(80))
    passed: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    group_id: Mapped[str | None] = mapped_column(String(32), ForeignKey("groups.id"))
    ready: Mapped[int | None] = mapped_column(Integer)  # the round whose score one has read
    points: Mapped[float | None] = mapped_column(Float)  # in all, once the tournament is over
    base: Mapped[float | None] = mapped_column(Float)  # pay that is due, without the bonus
    bonus: Mapped[float | None] = mapped_column(Float)
    finished: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    network: Mapped[str | None] = mapped_column(String(16))  # a mark of the address one came from, see `entrance`


class AnswerRow(Base):
    """An answer, written once."""

    __tablename__ = "answers"

    participant: Mapped[str] = mapped_column(String(32), ForeignKey("participants.id"), primary_key=True)
    stage: Mapped[str] = mapped_column(String(16), primary_key=True)
    question: Mapped[str] = mapped_column(String(80), primary_key=True)  # its id; of a page, its number from 0
    answer: Mapped[Any] = mapped_column(JSON)
    right: Mapped[bool | None] = mapped_column(Boolean)  # in the test
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    seconds: Mapped[float] = mapped_column(Float)  # of the study, since the page was shown


class GroupRow(Base):
    """A tournament: some people who meet each other, or one who meets agents."""

    __tablename__ = "groups"
    __table_args__ = (
        UniqueConstraint("study", "number", name="uq_groups_number"),
        Index("ix_groups_next", "study", "next_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    study: Mapped[int] = mapped_column(Integer, ForeignKey("studies.id"))
    number: Mapped[int] = mapped_column(Integer)
    condition: Mapped[str] = mapped_column(String(80))
    size: Mapped[int] = mapped_column(Integer)
    rounds: Mapped[int] = mapped_column(Integer)
    round: Mapped[int] = mapped_column(Integer)  # that is played, from 0; -1: none yet
    next_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # when the next may begin
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    ended: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class EpisodeRow(Base):
    """A game of a tournament for one participant; two people who meet have a row each, with the same id.

    The table, if there was one, has this id too.
    """

    __tablename__ = "episodes"
    __table_args__ = (
        UniqueConstraint("participant", "round", name="uq_episodes_round"),
        UniqueConstraint("participant", "partner", name="uq_episodes_partner"),  # nobody meets anybody twice
        Index("ix_episodes_group", "group_id", "round"),
        Index("ix_episodes_status", "status"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    participant: Mapped[str] = mapped_column(String(32), ForeignKey("participants.id"), primary_key=True)
    group_id: Mapped[str] = mapped_column(String(32), ForeignKey("groups.id"))
    round: Mapped[int] = mapped_column(Integer)
    seat: Mapped[int] = mapped_column(Integer)
    partner_kind: Mapped[str] = mapped_column(String(16))  # person or agent
    partner: Mapped[str] = mapped_column(String(80))  # a participant's id, or an agent's name in the study
    status: Mapped[str | None] = mapped_column(String(16))  # ended, timed-out or absent; null: not over
    points: Mapped[float | None] = mapped_column(Float)
    partner_points: Mapped[float | None] = mapped_column(Float)
    began: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    deadline: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    ended: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class LabelRow(Base):
    """A participant's number in the data, and when the data were deleted, if that was asked for."""

    __tablename__ = "labels"

    participant: Mapped[str] = mapped_column(String(32), ForeignKey("participants.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, unique=True)
    removed: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class StudyEventRow(Base):
    """Something that the researcher did: a pause, a look at the results."""

    __tablename__ = "study_events"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    study: Mapped[int] = mapped_column(Integer, ForeignKey("studies.id"))
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    what: Mapped[str] = mapped_column(String(200))
