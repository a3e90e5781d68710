"""The database's rows for the arena: agents and matches. The games of a match are tables, as everywhere."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Boolean, DateTime, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import JSON

from parlor.server.tables.store import Base


class ArenaAgentRow(Base):
    """An agent of the arena, for one game: somebody's program, or one of the server's own, as a measure."""

    __tablename__ = "arena_agents"
    __table_args__ = (
        UniqueConstraint("game", "name", name="uq_arena_agents_name"),
        Index("ix_arena_agents_token", "token"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(2000))
    name: Mapped[str] = mapped_column(String(200))
    token: Mapped[str | None] = mapped_column(String(64))  # its SHA-256; null: the server's own
    built_in: Mapped[str | None] = mapped_column(String(200))  # the id of the server's own agent
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    seen: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # when it last came
    client: Mapped[str | None] = mapped_column(String(64))  # the SHA-256 of whose address registered it


class ArenaMatchRow(Base):
    """A match: one agent against another, or alone against copies of it, on duplicate deals."""

    __tablename__ = "arena_matches"
    __table_args__ = (Index("ix_arena_matches_game", "game", "created"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(2000))
    rules: Mapped[str] = mapped_column(String(64))  # their version
    one: Mapped[str] = mapped_column(String(32), ForeignKey("arena_agents.id"))
    other: Mapped[str] = mapped_column(String(32), ForeignKey("arena_agents.id"))
    created: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))  # when a server last wrote that it plays it
    ended: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    secret: Mapped[str] = mapped_column(String(64))  # which the deals come from, 256 bits in hexadecimal digits
    duplicate: Mapped[bool] = mapped_column(
        Boolean
    )  # each deal is played with every line-up; else each game has its own
    payoffs: Mapped[list[list[float]]] = mapped_column(JSON)  # of all seats in each game, deal by deal
    failures: Mapped[dict[str, dict[str, int]]] = mapped_column(JSON)  # agent -> kind -> games lost by it
    why: Mapped[str] = mapped_column(String(500))  # it ended early
