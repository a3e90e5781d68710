"""The open arena: agents that were registered, their matches, and the tables that belong to a match."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def time(name: str, nullable: bool = False) -> sa.Column[object]:
    """A column with a time."""
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def upgrade() -> None:
    """Add all of it; no table that is there belongs to a match."""
    op.create_table(
        "arena_agents",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(2000), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("token", sa.String(64)),
        sa.Column("built_in", sa.String(200)),
        time("created"),
        time("seen", nullable=True),
        sa.Column("client", sa.String(64)),
        sa.UniqueConstraint("game", "name", name="uq_arena_agents_name"),
    )
    op.create_index("ix_arena_agents_token", "arena_agents", ["token"])
    op.create_table(
        "arena_matches",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(2000), nullable=False),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("one", sa.String(32), sa.ForeignKey("arena_agents.id"), nullable=False),
        sa.Column("other", sa.String(32), sa.ForeignKey("arena_agents.id"), nullable=False),
        time("created"),
        time("at"),
        time("ended", nullable=True),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("duplicate", sa.Boolean, nullable=False),
        sa.Column("payoffs", sa.JSON, nullable=False),
        sa.Column("failures", sa.JSON, nullable=False),
        sa.Column("why", sa.String(500), nullable=False),
    )
    op.create_index("ix_arena_matches_game", "arena_matches", ["game", "created"])
    op.add_column("tables", sa.Column("match", sa.String(32)))
    op.create_index("ix_tables_match", "tables", ["match"])


def downgrade() -> None:
    """Drop all of it."""
    op.drop_index("ix_tables_match", "tables")
    op.drop_column("tables", "match")
    op.drop_table("arena_matches")
    op.drop_table("arena_agents")
