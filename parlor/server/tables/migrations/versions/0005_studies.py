"""Studies with people: participants, their answers, groups and episodes; and tables that belong to a study."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def time(name: str, nullable: bool = False) -> sa.Column[object]:
    """A column with a time."""
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def upgrade() -> None:
    """Add the tables of studies, and to every table whose study it is and when it ends."""
    _add_studies()
    _add_participants()
    _add_episodes()
    op.add_column("tables", sa.Column("study", sa.Integer))
    op.add_column("tables", time("deadline", nullable=True))
    op.create_index("ix_tables_study", "tables", ["study", "ended"])


def _add_studies() -> None:
    op.create_table(
        "studies",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("title", sa.String(500), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("game", sa.String(2000), nullable=False),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("speed", sa.Float, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        time("created"),
    )
    op.create_table(
        "groups",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("study", sa.Integer, sa.ForeignKey("studies.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("condition", sa.String(80), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        time("next_at", nullable=True),
        time("created"),
        time("ended", nullable=True),
        sa.UniqueConstraint("study", "number", name="uq_groups_number"),
    )
    op.create_index("ix_groups_next", "groups", ["study", "next_at"])


def _add_participants() -> None:
    op.create_table(
        "participants",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("study", sa.Integer, sa.ForeignKey("studies.id"), nullable=False),
        sa.Column("platform", sa.String(200), nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        time("entered"),
        time("heard"),
        time("since"),
        time("changed"),
        sa.Column("stage", sa.String(16), nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("practice", sa.String(32)),
        sa.Column("number", sa.Integer),
        sa.Column("condition", sa.String(80)),
        time("passed", nullable=True),
        sa.Column("group_id", sa.String(32), sa.ForeignKey("groups.id")),
        sa.Column("ready", sa.Integer),
        sa.Column("points", sa.Float),
        sa.Column("base", sa.Float),
        sa.Column("bonus", sa.Float),
        time("finished", nullable=True),
        sa.UniqueConstraint("study", "platform", name="uq_participants_platform"),
        sa.UniqueConstraint("study", "number", name="uq_participants_number"),
    )
    for name, columns in (("token", ["token"]), ("stage", ["study", "stage"]), ("changed", ["changed"])):
        op.create_index(f"ix_participants_{name}", "participants", columns)
    op.create_index("ix_participants_group", "participants", ["group_id"])
    op.create_table(
        "answers",
        sa.Column("participant", sa.String(32), sa.ForeignKey("participants.id"), primary_key=True),
        sa.Column("stage", sa.String(16), primary_key=True),
        sa.Column("question", sa.String(80), primary_key=True),
        sa.Column("answer", sa.JSON, nullable=False),
        sa.Column("right", sa.Boolean),
        time("at"),
        sa.Column("seconds", sa.Float, nullable=False),
    )


def _add_episodes() -> None:
    op.create_table(
        "episodes",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("participant", sa.String(32), sa.ForeignKey("participants.id"), primary_key=True),
        sa.Column("group_id", sa.String(32), sa.ForeignKey("groups.id"), nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("partner_kind", sa.String(16), nullable=False),
        sa.Column("partner", sa.String(80), nullable=False),
        sa.Column("status", sa.String(16)),
        sa.Column("points", sa.Float),
        sa.Column("partner_points", sa.Float),
        time("began", nullable=True),
        time("deadline", nullable=True),
        time("ended", nullable=True),
        sa.UniqueConstraint("participant", "round", name="uq_episodes_round"),
        sa.UniqueConstraint("participant", "partner", name="uq_episodes_partner"),
    )
    op.create_index("ix_episodes_group", "episodes", ["group_id", "round"])
    op.create_index("ix_episodes_status", "episodes", ["status"])


def downgrade() -> None:
    """Drop all of it."""
    op.drop_index("ix_tables_study", "tables")
    op.drop_column("tables", "deadline")
    op.drop_column("tables", "study")
    for name in ("episodes", "answers", "participants", "groups", "studies"):
        op.drop_table(name)
