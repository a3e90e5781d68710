"""Tables for the researcher: labels of participants for the data, and the researcher's actions."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both tables."""
    op.create_table(
        "labels",
        sa.Column("participant", sa.String(32), sa.ForeignKey("participants.id"), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False, unique=True),
        sa.Column("removed", sa.DateTime(timezone=True)),
    )
    op.create_table(
        "study_events",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("study", sa.Integer, sa.ForeignKey("studies.id"), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("what", sa.String(200), nullable=False),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("study_events")
    op.drop_table("labels")
