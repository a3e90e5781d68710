"""From which address a running game was made, as a hash: so that its cap holds for the whole database."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nobody knows it of older games, which are not counted."""
    op.add_column("tables", sa.Column("client", sa.String(64)))
    op.create_index("ix_tables_client", "tables", ["client"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_tables_client", "tables")
    op.drop_column("tables", "client")
