"""Tables and moves."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make both."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("game", sa.String(2000), nullable=False),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player_name", sa.String(80), nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("agent", sa.String(200), nullable=False),
        sa.Column("agent_version", sa.String(64), nullable=False),
        sa.Column("mind", sa.String(16), nullable=False),
        sa.Column("pace", sa.String(16), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("root", sa.String(32), nullable=False),
        sa.Column("parent", sa.String(32)),
        sa.Column("parent_ply", sa.Integer),
        sa.Column("imported", sa.Boolean, nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True)),
        sa.Column("resigned", sa.Boolean, nullable=False),
        sa.Column("payoffs", sa.JSON),
    )
    op.create_index("ix_tables_root", "tables", ["root"])
    op.create_index("ix_tables_created", "tables", ["created"])
    op.create_table(
        "moves",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ms", sa.Float),
        sa.Column("agent_version", sa.String(64)),
    )


def downgrade() -> None:
    """Drop both."""
    op.drop_table("moves")
    op.drop_table("tables")
