"""Alembic's entry: migrations run on the connection that the server has opened."""

from alembic import context

from parlor.server.tables.store import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
