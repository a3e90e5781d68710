"""When the clockwork of a study last beat, so that an outage is a pause; and whether two come from one address."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both; nothing is known of the time before."""
    op.add_column("studies", sa.Column("beat", sa.DateTime(timezone=True)))
    op.add_column("participants", sa.Column("network", sa.String(16)))


def downgrade() -> None:
    """Drop both."""
    op.drop_column("participants", "network")
    op.drop_column("studies", "beat")
