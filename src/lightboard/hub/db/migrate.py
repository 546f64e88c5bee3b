"""Migrates a database to the current tables: in one transaction, under a lock, completely or not at all."""

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from lightboard.errors import DatabaseError

LOCATION = "lightboard.hub.db:migrations"
LOCK = 7_203_300
"""Advisory lock of the whole PostgreSQL database. A second process waits and finds the migration done."""


def config(connection: Connection | None = None) -> Config:
    """The Alembic configuration; no file is read, and `migrations/env.py` gets our connection."""
    result = Config()
    result.set_main_option("script_location", LOCATION)
    result.attributes["connection"] = connection
    return result


def revisions() -> list[str]:
    """All revisions, oldest first."""
    return [script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()][::-1]


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Upgrades to the newest revision, or to `revision`.

    Raises DatabaseError for a database of a newer program or of something else, and for a damaged one.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    else:
        check_integrity(connection)
    found = current_revision(connection)
    if found is None and inspect(connection).get_table_names():
        raise DatabaseError(
            f"the database {connection.engine.url.render_as_string()} belongs to something else",
            hint="use an empty one",
        )
    check_known(found)
    command.upgrade(config(connection), revision)


def check_current(connection: Connection) -> None:
    """Raises DatabaseError unless the database is at the newest revision."""
    found = current_revision(connection)
    check_known(found)
    if found != revisions()[-1]:
        raise DatabaseError("the database is older than this program", hint="start `lightboard hub` with it once")


def current_revision(connection: Connection) -> str | None:
    """The revision of a database; None for a new one."""
    return MigrationContext.configure(connection).get_current_revision()


def check_known(revision: str | None) -> None:
    """Raises DatabaseError for a revision that this program does not have."""
    if revision is not None and revision not in revisions():
        raise DatabaseError(
            f"the database was made by a newer Lightboard (its revision is {revision})",
            hint="use that version, or restore an earlier backup",
        )


def check_integrity(connection: Connection) -> None:
    """Raises DatabaseError if an SQLite file is damaged."""
    result = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if result != "ok":
        raise DatabaseError(f"the database is damaged: {result}", hint="restore a backup")
