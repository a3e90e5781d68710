"""The database's rows for the researcher: labels of participants, and the researcher's actions."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import DateTime, ForeignKey, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from parlor.server.tables.store import Base


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
