"""Secrets that tables draw from, cookies that were ended by signing out, and no replacing of moves on SQLite."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

SENTENCE = "moves are only ever added"
SAME = "select 1 from moves where table_id = new.table_id and ply = new.ply"


def upgrade() -> None:
    """Tables that are there have no secret: they go on by their seed."""
    op.add_column("tables", sa.Column("secret", sa.String(32)))
    op.create_table(
        "ended_cookies",
        sa.Column("mark", sa.String(64), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    if op.get_bind().dialect.name == "sqlite":  # `insert or replace` deletes without the trigger for deleting
        op.execute(
            f"create trigger moves_no_replace before insert on moves when exists ({SAME}) "
            f"begin select raise(abort, '{SENTENCE}'); end"
        )


def downgrade() -> None:
    """Drop all of it."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("drop trigger moves_no_replace")
    op.drop_table("ended_cookies")
    op.drop_column("tables", "secret")
