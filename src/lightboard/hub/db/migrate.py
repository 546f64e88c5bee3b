"""Migrates a database to the current tables: in one transaction, under a lock, completely or not at all."""

from sqlalchemy import Connection, inspect, text

from lightboard.errors import DatabaseError
from lightboard.hub.db.schema_version import check_known, current_revision, revisions, set_newest
from lightboard.hub.db.tables import Table

LOCATION = "lightboard.hub.db:migrations"
LOCK = 7_203_300
"""Advisory lock of the whole PostgreSQL database. A second process waits and finds the migration done."""


def upgrade(connection: Connection) -> None:
    """Upgrades to the newest revision. A new database gets the current tables at once.

    Raises DatabaseError for a database of a newer program or of something else, and for a damaged one.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    else:
        check_integrity(connection)
    found = current_revision(connection)
    check_known(found)
    if found is not None:
        run_migrations(connection)
        return
    if inspect(connection).get_table_names():
        raise DatabaseError(
            f"the database {connection.engine.url.render_as_string()} belongs to something else",
            hint="use an empty one",
        )
    Table.metadata.create_all(connection)
    set_newest(connection)


def run_migrations(connection: Connection, revision: str = "") -> None:
    """Runs all migrations that a database has not had yet, up to the newest one or to `revision`."""
    wanted = revision or revisions()[-1]
    if current_revision(connection) == wanted:
        return
    from alembic import command
    from alembic.config import Config

    config = Config()  # no file is read, and `migrations/env.py` gets our connection
    config.set_main_option("script_location", LOCATION)
    config.attributes["connection"] = connection
    command.upgrade(config, wanted)


def check_integrity(connection: Connection) -> None:
    """Raises DatabaseError if an SQLite file is damaged."""
    result = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if result != "ok":
        raise DatabaseError(f"the database is damaged: {result}", hint="restore a backup")
