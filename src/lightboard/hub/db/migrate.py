"""Brings the tables of a database to what this program needs: one transaction, under a lock, wholly or not at all."""

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from lightboard.errors import DatabaseError

LOCATION = "lightboard.hub.db:migrations"
LOCK = 7_203_300
"""Of the whole PostgreSQL database: who comes second waits, and finds the work done."""


def config(connection: Connection | None = None) -> Config:
    """What Alembic is told; no file is read, and `migrations/env.py` gets our connection."""
    made = Config()
    made.set_main_option("script_location", LOCATION)
    made.attributes["connection"] = connection
    return made


def revisions() -> list[str]:
    """All of them, oldest first."""
    return [script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()][::-1]


def upgrade(connection: Connection, revision: str = "head") -> None:
    """To the newest revision, or the one that is named.

    Raises DatabaseError for a database that a newer program has made, that is not the hub's, or that is damaged.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    else:
        check_whole(connection)
    found = present(connection)
    if found is None and inspect(connection).get_table_names():
        raise DatabaseError(
            f"the database {connection.engine.url.render_as_string()} holds something else", hint="give an empty one"
        )
    check_known(found)
    command.upgrade(config(connection), revision)


def check_current(connection: Connection) -> None:
    """Raises DatabaseError unless the database is at the newest revision."""
    found = present(connection)
    check_known(found)
    if found != revisions()[-1]:
        raise DatabaseError("the database is older than this program", hint="start `lightboard hub` on it once")


def present(connection: Connection) -> str | None:
    """The revision of a database; None where none was ever made."""
    return MigrationContext.configure(connection).get_current_revision()


def check_known(revision: str | None) -> None:
    """Raises DatabaseError for a revision that this program does not have."""
    if revision is not None and revision not in revisions():
        raise DatabaseError(
            f"the database was made by a newer Lightboard (its revision is {revision})",
            hint="start that version, or restore a copy from before",
        )


def check_whole(connection: Connection) -> None:
    """Raises DatabaseError for an SQLite file whose pages do not fit together."""
    said = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if said != "ok":
        raise DatabaseError(f"the database is damaged: {said}", hint="restore it from a copy")
