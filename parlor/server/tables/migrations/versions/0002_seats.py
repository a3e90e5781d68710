"""Seats: every seat of a table has its own occupant.

Old games have one person and one agent, which sat at all other seats. What was said of both moves from the table to its
seats. Moves get the agent that made them. What a file said about the versions of agents is no longer believed, and a
branch of an imported game is imported too.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

GONE = ("seat", "player_name", "token", "agent", "agent_version", "resigned")


def upgrade() -> None:
    """Add what is new, bring old games along, drop what has moved."""
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("token", sa.String(64)),
        sa.Column("agent", sa.String(200)),
        sa.Column("agent_version", sa.String(64)),
        sa.Column("code", sa.String(64)),
        sa.Column("code_expires", sa.DateTime(timezone=True)),
        sa.Column("joined", sa.DateTime(timezone=True)),
        sa.Column("left", sa.DateTime(timezone=True)),
    )
    for column in (
        sa.Column("host", sa.Integer, nullable=False, server_default="0"),
        sa.Column("watch", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("clock", sa.Integer),
        sa.Column("undo", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("undone", sa.Integer, nullable=False, server_default="0"),
        sa.Column("seed_chosen", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("version", sa.Integer, nullable=False, server_default="0"),
        sa.Column("resigned_by", sa.Integer),
        sa.Column("replaced_by", sa.String(32)),
    ):
        op.add_column("tables", column)
    op.add_column("moves", sa.Column("agent", sa.String(200)))
    _bring_along(op.get_bind())
    for name in GONE:
        op.drop_column("tables", name)


def _bring_along(connection: sa.Connection) -> None:
    old = sa.MetaData()
    old.reflect(connection, only=("tables", "moves", "seats"))
    tables, moves, seats = (old.tables[name] for name in ("tables", "moves", "seats"))
    rows = connection.execute(sa.select(tables).order_by(tables.c.created, tables.c.id)).mappings().all()
    from_files = {row["id"] for row in rows if row["imported"]}
    for row in rows:  # parents are older than their branches
        if row["parent"] in from_files:
            from_files.add(row["id"])
    for row in rows:
        connection.execute(sa.insert(seats), [_seat(row, p) for p in range(row["players"])])
        change = {"host": row["seat"], "resigned_by": row["seat"] if row["resigned"] else None}
        change["imported"] = row["id"] in from_files
        connection.execute(sa.update(tables).where(tables.c.id == row["id"]).values(**change))
        decided = (moves.c.table_id == row["id"]) & moves.c.agent_version.is_not(None)
        connection.execute(sa.update(moves).where(decided).values(agent=row["agent"]))
        if row["id"] in from_files:
            given = decided if row["imported"] else decided & (moves.c.ply < row["parent_ply"])
            connection.execute(sa.update(moves).where(given).values(agent_version=None))


def _seat(row: sa.RowMapping, p: int) -> dict[str, object]:
    person = p == row["seat"]
    return {
        "table_id": row["id"],
        "seat": p,
        "kind": "person" if person else "agent",
        "name": row["player_name"] if person else "",
        "token": row["token"] if person else None,
        "agent": None if person else row["agent"],
        "agent_version": None if person else row["agent_version"],
        "code": None,
        "code_expires": None,
        "joined": row["created"],
        "left": None,
    }


def downgrade() -> None:
    """Back to one person and one agent a table, for tests: other games cannot be told then."""
    for name, kind in (
        ("seat", sa.Integer()),
        ("player_name", sa.String(80)),
        ("token", sa.String(64)),
        ("agent", sa.String(200)),
        ("agent_version", sa.String(64)),
        ("resigned", sa.Boolean()),
    ):
        empty = sa.false() if name == "resigned" else "0" if name == "seat" else ""
        op.add_column("tables", sa.Column(name, kind, nullable=False, server_default=empty))
    for name in ("host", "watch", "clock", "undo", "undone", "seed_chosen", "version", "resigned_by", "replaced_by"):
        op.drop_column("tables", name)
    op.drop_column("moves", "agent")
    op.drop_table("seats")
