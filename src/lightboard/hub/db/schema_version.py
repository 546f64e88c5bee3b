"""Which version of the tables a database has. Alembic, whose import takes a while, is not needed to know it."""

import re
from functools import cache
from importlib.resources import files

from sqlalchemy import Column, Connection, MetaData, String, Table, insert, inspect, select

from lightboard.errors import DatabaseError

REVISION = re.compile(r"(\d{4})_\w+\.py")
VERSION = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
"""Alembic's own table, of one row."""


@cache
def revisions() -> tuple[str, ...]:
    """All revisions, oldest first: the names of their files begin with them."""
    names = (each.name for each in files("lightboard.hub.db.migrations.versions").iterdir())
    return tuple(sorted(found[1] for found in map(REVISION.fullmatch, names) if found))


def current_revision(connection: Connection) -> str | None:
    """The revision of a database; None for a new one."""
    if not inspect(connection).has_table(VERSION.name):
        return None
    return connection.scalar(select(VERSION.c.version_num))


def set_newest(connection: Connection) -> None:
    """Says of a database that its tables are those of the newest revision."""
    VERSION.create(connection)
    connection.execute(insert(VERSION).values(version_num=revisions()[-1]))


def check_current(connection: Connection) -> None:
    """Raises DatabaseError unless the database is at the newest revision."""
    found = current_revision(connection)
    check_known(found)
    if found != revisions()[-1]:
        raise DatabaseError("the database is older than this program", hint="start `lightboard hub` with it once")


def check_known(revision: str | None) -> None:
    """Raises DatabaseError for a revision that this program does not have."""
    if revision is not None and revision not in revisions():
        raise DatabaseError(
            f"the database was made by a newer Lightboard (its revision is {revision})",
            hint="use that version, or restore an earlier backup",
        )
