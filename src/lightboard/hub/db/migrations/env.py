"""What Alembic runs around each migration: on the connection, and in the transaction, that `db.migrate` has begun."""

from alembic import context

from lightboard.hub.db.tables import Table

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Table.metadata,
    render_as_batch=True,  # SQLite changes a column by making the table anew
)
with context.begin_transaction():
    context.run_migrations()
