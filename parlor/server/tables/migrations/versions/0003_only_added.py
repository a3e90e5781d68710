"""Moves are only ever added, which the database now enforces; and a row to find out whether it can be written."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

SENTENCE = "moves are only ever added"


def upgrade() -> None:
    """Make both."""
    beat = op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.bulk_insert(beat, [{"id": 1, "at": datetime.now(UTC)}])
    if op.get_bind().dialect.name == "sqlite":
        for change in ("update", "delete"):
            op.execute(
                f"create trigger moves_no_{change} before {change} on moves "
                f"begin select raise(abort, '{SENTENCE}'); end"
            )
        return
    op.execute(
        "create function moves_only_added() returns trigger language plpgsql as "
        f"$$ begin raise exception '{SENTENCE}'; end $$"
    )
    op.execute(
        "create trigger moves_only_added before update or delete or truncate on moves "
        "for each statement execute function moves_only_added()"
    )


def downgrade() -> None:
    """Drop both."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("drop trigger moves_no_update")
        op.execute("drop trigger moves_no_delete")
    else:
        op.execute("drop trigger moves_only_added on moves")
        op.execute("drop function moves_only_added()")
    op.drop_table("heartbeat")
